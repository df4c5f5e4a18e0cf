//! What a start tag of XML has: its base, its links, and whether the text of its element is wanted.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::attributes::Attribute;
use super::element_stack::ElementStack;
use super::event::{DecodedValue, Located, XmlEvent, XmlValue};
use super::input::XmlBytes;
use super::table::{self, Has};
use super::text::Text;
use crate::document::holds::Holds;
use crate::document::html::attributes::{decided, has_rel, known_attribute, suspected_attribute};
use crate::document::html::elements::Language;
use crate::document::namespace::Namespace;
use crate::document::problem::Problem;
use crate::document::values::Options;
use crate::limits::MAX_DEPTH;

/// The types of HTML in Atom 0.3.
const HTML: &[&str] = &["text/html", "application/xhtml+xml"];

pub struct StartTag<'a> {
    /// The element's name, as messages show it.
    pub shown: &'a [u8],
    pub namespace: Namespace,
    /// Its name without the prefix.
    pub local: &'a [u8],
    /// Whether its attributes without a prefix may be those of RDF.
    pub is_rdf: bool,
    /// Whether its root is none of the table, so that more of its attributes are read.
    pub is_other: bool,
    /// What such elements have.
    pub has: Vec<Has>,
    pub attributes: Vec<Attribute<'a>>,
    /// The offset where it starts.
    pub start: u64,
    pub input: &'a XmlBytes<'a>,
    /// How the document is read.
    pub options: &'a Options,
}

impl StartTag<'_> {
    /// The attribute that has this name, without a prefix.
    fn attribute(&self, name: &str) -> Option<&Attribute<'_>> {
        self.attributes.iter().find(|attribute| attribute.name == name.as_bytes())
    }

    /// The value of an attribute.
    fn value_of(&self, name: &str) -> Option<&[u8]> {
        Some(&self.attribute(name)?.value.as_ref()?.bytes)
    }

    /// Whether an attribute has one of these values, in any case.
    fn has_value(&self, name: &str, values: &[&str]) -> bool {
        let is = |value: &[u8]| values.iter().any(|expected| value.eq_ignore_ascii_case(expected.as_bytes()));
        self.value_of(name).is_some_and(is)
    }

    /// The base in an attribute, unless that is missing or empty.
    fn base(&self, name: &'static str, outer: usize) -> Option<Located> {
        let Attribute { value, at, .. } = self.attribute(name)?;
        let event = match value {
            None => XmlEvent::Problem(Problem::ENTITY),
            Some(value) if value.bytes.trim_ascii().is_empty() => return None,
            value => XmlEvent::Base(XmlValue::new(b"", name.as_bytes().into(), value.clone(), Holds::Base)),
        };
        Some(Located { location: self.input.locate(self.start + *at as u64), base: outer, event })
    }

    /// Adds the base of the element's own `xml:base`. Returns false if there are too many around it.
    pub fn add_base(&self, elements: &mut ElementStack, events: &mut VecDeque<Located>) -> bool {
        let Some(located) = self.base("xml:base", elements.base()) else { return true };
        let is_base = matches!(located.event, XmlEvent::Base(_));
        events.push_back(located);
        elements.open.last_mut().is_none_or(|element| {
            element.base += usize::from(is_base);
            element.base <= MAX_DEPTH
        })
    }

    /// Whether it is a BASE of XHTML that has a URL.
    pub fn is_page_base(&self) -> bool {
        self.namespace == Namespace::Xhtml && self.local == b"base" && self.attribute("href").is_some()
    }

    /// Adds the base of a BASE in the HEAD of XHTML, for all events that wait for it and for the open elements.
    /// Returns whether there is one.
    pub fn add_page_base(&self, elements: &mut ElementStack, events: &mut VecDeque<Located>) -> bool {
        let outer = elements.base();
        let Some(located @ Located { event: XmlEvent::Base(_), .. }) =
            self.base("href", outer).filter(|_| self.is_page_base())
        else {
            return false;
        };
        // it follows those of the elements around it
        let is_around = |located: &Located| matches!(located.event, XmlEvent::Base(_)) && located.base < outer;
        let first = events.iter().rposition(is_around).map_or(0, |last| last + 1);
        events.iter_mut().skip(first).for_each(|located| located.base += 1);
        elements.open.iter_mut().for_each(|element| element.base = outer + 1);
        events.insert(first, located);
        true
    }

    /// Adds the links in attributes.
    pub fn add_links(&mut self, elements: &ElementStack, events: &mut VecDeque<Located>) {
        let mut lines = self.input.lines_before();
        let rel = if has_rel(self.local) { self.value_of("rel").map(<[u8]>::to_vec) } else { None };
        for index in 0..self.attributes.len() {
            let name = self.attributes[index].name;
            let known = self.holds(elements, name).or_else(|| self.suspected(elements, name));
            let (attribute, holds) = match known {
                Some((attribute, holds)) => (Cow::Borrowed(attribute.as_bytes()), holds),
                None if self.may_be_url(elements, index) => (Cow::Owned(name.to_vec()), Holds::Suspected),
                None => match self.of_others(name) {
                    Some((attribute, holds)) => (Cow::Borrowed(attribute.as_bytes()), holds),
                    None => continue,
                },
            };
            let Attribute { value, at, .. } = &mut self.attributes[index];
            let value = value.take();
            lines = self.input.lines_at(lines, self.start + *at as u64);
            let (location, base) = (lines.location(), elements.base());
            if holds.is_animated() {
                let css = XmlValue::new(self.shown, attribute.clone(), value.clone(), Holds::Css);
                events.push_back(Located { location, base, event: XmlEvent::Value(css) });
            }
            let event = match value {
                None => XmlEvent::Problem(Problem::ENTITY),
                value => {
                    let value = XmlValue::new(self.shown, attribute, value, holds);
                    XmlEvent::Value(XmlValue { rel: rel.clone(), ..value })
                }
            };
            events.push_back(Located { location, base, event });
        }
        let has_html = self.has.iter().any(|has| matches!(has, Has::HtmlByMode)) && self.has_value("type", HTML);
        if has_html && self.has_value("mode", &["base64"]) {
            let (location, event) = (self.input.locate(self.start), XmlEvent::Problem(Problem::BASE64));
            events.push_back(Located { location, base: elements.base(), event });
        }
    }

    /// The known name of an attribute that has URLs, and how it holds them.
    fn holds(&self, elements: &ElementStack, name: &[u8]) -> Option<(&'static str, Holds)> {
        let (mut namespace, local) = elements.of_attribute(name);
        if namespace == Namespace::None && self.is_rdf && table::of_attribute(Namespace::Rdf, local).is_some() {
            namespace = Namespace::Rdf;
        }
        if namespace != Namespace::None {
            let name = table::of_attribute(namespace, local)?;
            return match (namespace, self.namespace) {
                (Namespace::XLink, Namespace::Svg) if self.attribute("href").is_some() => None,
                (Namespace::XLink, Namespace::Svg) => self.of_table(b"href").map(|(_, holds)| (name, holds)),
                _ => Some((name, Holds::Url)),
            };
        }
        if self.namespace != Namespace::Xhtml {
            return self.of_table(local);
        }
        let row = known_attribute(Language::Html, self.local, local).filter(|row| row.1 != Holds::Base)?;
        decided(self.local, row, self.options.wary, |name| self.value_of(name)).copied()
    }

    /// What an attribute holds for anything that may read it, and its name.
    fn suspected(&self, elements: &ElementStack, name: &[u8]) -> Option<(&'static str, Holds)> {
        let known = match elements.of_attribute(name) {
            _ if !self.options.wary => None,
            _ if name == b"xml:base" => suspected_attribute(self.local, name),
            // no program acts on the elements of other namespaces
            _ if !matches!(self.namespace, Namespace::Xhtml | Namespace::Svg | Namespace::Math) => None,
            (Namespace::None, local) => suspected_attribute(self.local, local),
            (Namespace::XLink, b"href") => suspected_attribute(self.local, b"xlink:href"),
            _ => None,
        };
        match *known? {
            (name, Holds::Base) => Some((name, Holds::Url)),
            (_, Holds::Nothing | Holds::Refresh | Holds::Suspected) => None,
            known => Some(known),
        }
    }

    /// Whether an attribute that no table has may be a URL for anything that reads it. Those of XHTML are no URLs, as
    /// those of HTML.
    fn may_be_url(&self, elements: &ElementStack, index: usize) -> bool {
        let Attribute { name, value, .. } = &self.attributes[index];
        let is_of_page = || elements.of_element(self.shown).0 == Namespace::Xhtml && !self.local.contains(&b'-');
        let begins_so = |value: &DecodedValue| Holds::Suspected.next_url(&value.bytes, 0).is_some();
        let is_wanted = self.options.wary && value.as_ref().is_none_or(begins_so);
        is_wanted && !is_of_page() && !table::is_identifier(self.local, name)
    }

    /// What an attribute without a prefix holds by the table, without XHTML, and its name.
    fn of_table(&self, name: &[u8]) -> Option<(&'static str, Holds)> {
        self.has.iter().find_map(|has| has.attribute(name))
    }

    /// What an attribute holds that no other rule has, in XML with another root, and its name.
    fn of_others(&self, name: &[u8]) -> Option<(&'static str, Holds)> {
        let is_of_page =
            || self.namespace == Namespace::Xhtml && known_attribute(Language::Html, self.local, name).is_some();
        let mut others = table::of_other_element(self.namespace, self.local).filter(|_| self.is_other);
        others.find_map(|has| has.attribute(name)).filter(|_| !is_of_page())
    }

    /// What is read as text, if anything is. In a wary run any text may be a URL, but not what a page or an image
    /// shows, nor what Atom says of persons.
    pub fn text(&self, elements: &ElementStack) -> Option<Text> {
        let is_open = || {
            use Namespace::{Atom, Atom03, Math, Svg, Xhtml};
            !matches!(elements.of_element(self.shown).0, Xhtml | Svg | Math | Atom | Atom03)
        };
        let may_be_url = || self.options.wary && is_open() && !table::is_identifier(self.local, b"");
        let known = self.has.iter().find_map(|has| match *has {
            Has::Text(holds) => Some(holds),
            Has::Permalink => (self.value_of("isPermaLink") != Some(b"false")).then_some(Holds::Url),
            Has::HtmlByType => self.has_value("type", &["html", "text/html"]).then_some(Holds::Html),
            Has::HtmlByMode if !self.has_value("mode", &["escaped"]) => None,
            Has::HtmlByMode => self.has_value("type", HTML).then_some(Holds::Html),
            Has::Style
                if self.options.wary
                    || self.attribute("type").is_none()
                    || self.has_value("type", &["", "text/css"]) =>
            {
                Some(Holds::Style)
            }
            Has::Style | Has::Attribute(..) => None,
        });
        let holds = known.or_else(|| may_be_url().then_some(Holds::Suspected))?;
        Some(Text::new(self.shown, holds, elements.open.len()))
    }
}
