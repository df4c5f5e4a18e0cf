//! What a start tag of XML has: its base, its links, and whether the text of its element is wanted.

use std::collections::VecDeque;
use std::rc::Rc;

use super::event::{Found, XmlLink};
use super::names::Names;
use super::table::{self, Has, Namespace};
use super::text::{Text, Value};
use crate::document::html::attributes::{Holds, attribute as of_html};
use crate::document::html::elements::Language;
use crate::document::problem::Problem;
use crate::limits::MAX_DEPTH;

/// An attribute.
pub struct TagAttribute<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its value; `None` if that cannot be known, because of an entity.
    pub value: Option<Rc<Value>>,
    /// The line and the column where that starts.
    pub at: (u64, u64),
}

/// A start tag.
pub struct StartTag<'a> {
    /// The element's name, as messages show it.
    pub shown: Rc<[u8]>,
    /// Its namespace.
    pub namespace: Namespace,
    /// Its name without the prefix.
    pub local: &'a [u8],
    /// What such elements have.
    pub has: Vec<Has>,
    /// The index of its base.
    pub base: usize,
    /// Its attributes, but for the declarations of namespaces.
    pub attributes: Vec<TagAttribute<'a>>,
}

/// An element whose text is wanted.
pub struct Wanted {
    /// What that is.
    pub has: Has,
    /// The name of the element.
    pub element: Rc<[u8]>,
    /// The text.
    pub text: Text,
    /// The line and the column where it starts.
    pub at: (u64, u64),
    /// The number of open elements with it. The text of elements in a STYLE is not its own.
    pub depth: usize,
    /// Whether it cannot be known, because of an entity.
    pub is_unknown: bool,
}

impl StartTag<'_> {
    /// The attribute that has this name, without a prefix.
    fn attribute(&self, name: &str) -> Option<&TagAttribute<'_>> {
        self.attributes.iter().find(|found| found.name == name.as_bytes())
    }

    /// The value of an attribute.
    fn value_of(&self, name: &str) -> Option<&[u8]> {
        Some(&self.attribute(name)?.value.as_ref()?.bytes)
    }

    /// Adds the base of the element's own `xml:base`. Returns false if there are too many around it.
    pub fn add_base(&mut self, events: &mut VecDeque<Found>) -> bool {
        let Some(TagAttribute { value, at, .. }) = self.attribute("xml:base") else { return true };
        events.push_back(match value.clone() {
            None => Found::Problem(*at, Problem::Entity),
            Some(value) if value.trimmed().is_empty() => return true, // that of the element around it
            Some(value) => Found::Base { by: "xml:base", outer: self.base, value, at: *at },
        });
        self.base += usize::from(matches!(events.back(), Some(Found::Base { .. })));
        self.base <= MAX_DEPTH
    }

    /// Adds the base of a BASE in the HEAD of XHTML, for all events that wait for it and for the open elements.
    pub fn add_page_base(&mut self, names: &mut Names, events: &mut VecDeque<Found>) -> bool {
        let (Namespace::Xhtml, b"base", Some(href)) = (self.namespace, self.local, self.attribute("href")) else {
            return false;
        };
        let Some(value) = href.value.clone().filter(|value| !value.trimmed().is_empty()) else { return false };
        let (outer, at) = (self.base, href.at);
        // it follows those of the elements around it
        let is_around = |event: &Found| matches!(event, Found::Base { outer: other, .. } if *other < outer);
        let first = events.iter().rposition(is_around).map_or(0, |last| last + 1);
        for event in events.iter_mut().skip(first) {
            if let Found::Base { outer: base, .. } | Found::Link(XmlLink { base, .. }) = event {
                *base += 1;
            }
        }
        for element in &mut names.open {
            element.base = outer + 1;
        }
        events.insert(first, Found::Base { by: "BASE", outer, value, at });
        self.base += 1;
        true
    }

    /// Adds the links in attributes.
    pub fn add_links(&self, names: &Names, events: &mut VecDeque<Found>) {
        for found in &self.attributes {
            let Some((attribute, holds)) = self.holds(names, found.name) else { continue };
            let (Some(value), at) = (&found.value, found.at) else {
                events.push_back(Found::Problem(found.at, Problem::Entity));
                continue;
            };
            let (element, value, base) = (Rc::clone(&self.shown), Rc::clone(value), self.base);
            let (range, value) = (0..value.bytes.len(), Some(value));
            events.push_back(Found::Link(XmlLink {
                element,
                attribute,
                value,
                holds,
                range,
                at,
                base,
                is_base: false,
            }));
        }
    }

    /// The known name of an attribute that has URLs, and how it holds them.
    fn holds(&self, names: &Names, name: &[u8]) -> Option<(&'static str, Holds)> {
        let url = |name| Some((name, Holds::Url));
        let (namespace, local) = names.of_attribute(name);
        if namespace != Namespace::None {
            let is_twice = namespace == Namespace::XLink && self.namespace == Namespace::Svg;
            let is_ignored = is_twice && self.attribute("href").is_some();
            return table::of_attribute(namespace, local).filter(|_| !is_ignored).and_then(url);
        }
        if local == b"style" && matches!(self.namespace, Namespace::Svg | Namespace::Math) {
            return Some(("style", Holds::Css));
        }
        if self.namespace == Namespace::Xhtml {
            let (name, holds) = *of_html(Language::Html, self.local, local)?;
            let is_refresh = || self.value_of("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case(b"refresh"));
            let has_links = !matches!(holds, Holds::Nothing | Holds::Base) && (holds != Holds::Refresh || is_refresh());
            return has_links.then_some((name, holds));
        }
        self.has.iter().find_map(|has| match has {
            Has::Url(name) if name.as_bytes() == local => url(*name),
            _ => None,
        })
    }

    /// What is read as text, if anything is. `depth`: the number of open elements with this one.
    pub fn wanted(&self, depth: usize) -> Option<Wanted> {
        let is_type = |types: &[&str]| {
            self.value_of("type")
                .is_some_and(|value| types.iter().any(|name| value.eq_ignore_ascii_case(name.as_bytes())))
        };
        let is_wanted = |has: &&Has| match **has {
            Has::Url(_) => false,
            Has::Text | Has::Html => true,
            Has::TextUnless(name, value) => self.value_of(name) != Some(value.as_bytes()),
            Has::HtmlByType => is_type(&["html", "text/html"]),
            Has::Style => self.attribute("type").is_none() || is_type(&["", "text/css"]),
        };
        let has = *self.has.iter().find(is_wanted)?;
        let (element, text) = (Rc::clone(&self.shown), Text::default());
        Some(Wanted { has, element, text, at: (1, 1), depth, is_unknown: false })
    }
}
