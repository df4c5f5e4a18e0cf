//! html5ever BASE FILE...: html5ever's tree builder over each page, with a sink that keeps no tree, only the names of the
//! elements that the builder asks for. Prints the links that are one URL, resolved by the url crate; a BASE applies to
//! what follows it.
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, parse_document};
use url::Url;
use yardsticks::{Done, Out};

/// A node, of which only elements have a name.
struct Node {
    name: Option<QualName>,
    is_integration_point: bool,
}

/// Prints links.
struct Links {
    base: RefCell<Url>,
    has_base: RefCell<bool>,
    out: RefCell<Out>,
}

/// Whether an attribute holds one URL.
fn holds_url(element: &str, attribute: &str) -> bool {
    let attributes: &[&str] = match element {
        "a" | "area" | "link" | "use" => &["href"],
        "img" | "image" => &["src", "longdesc", "usemap", "lowsrc", "dynsrc", "href"],
        "audio" | "embed" | "script" | "track" | "bgsound" | "source" => &["src"],
        "video" => &["src", "poster"],
        "frame" | "iframe" => &["src", "longdesc"],
        "input" => &["src", "formaction", "usemap"],
        "button" => &["formaction"],
        "form" => &["action"],
        "blockquote" | "del" | "ins" | "q" => &["cite"],
        "object" => &["data", "usemap", "classid", "codebase"],
        "applet" => &["codebase"],
        "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => &["background"],
        "html" => &["manifest"],
        "head" => &["profile"],
        _ => &[],
    };
    attributes.contains(&attribute)
}

impl TreeSink for Links {
    type Handle = Rc<Node>;
    type Output = Self;
    type ElemName<'a> = &'a QualName;

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Rc<Node> {
        for Attribute { name: attribute, value } in &attributes {
            if &*name.local == "base" && &*attribute.local == "href" && !self.has_base.replace(true) {
                let base = self.base.borrow().join(value);
                if let Ok(base) = base {
                    *self.base.borrow_mut() = base;
                }
            } else if holds_url(&name.local, &attribute.local)
                && let Ok(url) = self.base.borrow().join(value)
            {
                writeln!(self.out.borrow_mut(), "{url}").expect("standard output");
            }
        }
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        Rc::new(Node { name: Some(name), is_integration_point })
    }
    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> &'a QualName {
        target.name.as_ref().expect("an element")
    }
    fn is_mathml_annotation_xml_integration_point(&self, target: &Rc<Node>) -> bool {
        target.is_integration_point
    }
    fn same_node(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        Rc::ptr_eq(one, other)
    }
    fn get_document(&self) -> Rc<Node> {
        self.create_comment(StrTendril::new())
    }
    fn create_comment(&self, _: StrTendril) -> Rc<Node> {
        Rc::new(Node { name: None, is_integration_point: false })
    }
    fn create_pi(&self, _: StrTendril, text: StrTendril) -> Rc<Node> {
        self.create_comment(text)
    }
    fn get_template_contents(&self, target: &Rc<Node>) -> Rc<Node> {
        target.clone()
    }
    fn finish(self) -> Self {
        self
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append(&self, _: &Rc<Node>, _: NodeOrText<Rc<Node>>) {}
    fn append_based_on_parent_node(&self, _: &Rc<Node>, _: &Rc<Node>, _: NodeOrText<Rc<Node>>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &Rc<Node>, _: NodeOrText<Rc<Node>>) {}
    fn add_attrs_if_missing(&self, _: &Rc<Node>, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Rc<Node>) {}
    fn reparent_children(&self, _: &Rc<Node>, _: &Rc<Node>) {}
}

fn main() -> Done {
    let mut arguments = std::env::args().skip(1);
    let base = Url::parse(&arguments.next().expect("BASE"))?;
    for file in arguments {
        let out = RefCell::new(Out::with_capacity(1 << 16, std::io::stdout().lock()));
        let links = Links { base: RefCell::new(base.clone()), has_base: RefCell::new(false), out };
        let parser = parse_document(links, ParseOpts::default()).from_utf8();
        parser.from_file(file)?.out.into_inner().flush()?;
    }
    Ok(())
}
