//! The open elements, and what the prefixes of names mean (Namespaces in XML).

use std::collections::HashMap;

use memchr::memchr;

use crate::document::namespace::Namespace;

/// The bytes that a prefix takes, more or less.
const PREFIX_COST: usize = 64;

pub struct Element {
    /// The index of its base.
    pub base: usize,
    /// Where its name starts.
    name: usize,
    /// The number of changed prefixes around it.
    changed: usize,
}

/// The open elements, the innermost last.
#[derive(Default)]
pub struct ElementStack {
    /// The names of the open elements, one after the other.
    names: Vec<u8>,
    pub open: Vec<Element>,
    /// What names of elements without a prefix mean here.
    default: Namespace,
    /// What the prefixes mean here, but for those that mean the same as if they were not declared.
    prefixes: HashMap<Vec<u8>, Namespace>,
    /// The prefixes that the elements have changed, and what each meant before.
    changed: Vec<(Vec<u8>, Namespace)>,
}

impl ElementStack {
    /// Opens an element, with the base of the one around it.
    pub fn push(&mut self, name: &[u8]) {
        self.open.push(Element { base: self.base(), name: self.names.len(), changed: self.changed.len() });
        self.names.extend_from_slice(name);
    }

    /// Declares a prefix for the innermost element.
    pub fn declare(&mut self, prefix: &[u8], namespace: Namespace) {
        let before = self.of_prefix(prefix);
        if before != namespace {
            self.changed.push((prefix.to_vec(), before));
            self.set(prefix.to_vec(), namespace);
        }
    }

    /// Closes the innermost element. Returns whether it has that name, if one is given.
    pub fn pop(&mut self, name: Option<&[u8]>) -> bool {
        let Some(element) = self.open.pop() else { return false };
        let is_its = name.is_none_or(|name| self.names[element.name..] == *name);
        self.names.truncate(element.name);
        for (prefix, before) in self.changed.split_off(element.changed).into_iter().rev() {
            self.set(prefix, before);
        }
        is_its
    }

    /// Changes what a prefix means.
    fn set(&mut self, prefix: Vec<u8>, namespace: Namespace) {
        match namespace {
            _ if prefix.is_empty() => self.default = namespace,
            _ if namespace == Namespace::of_undeclared(&prefix) => drop(self.prefixes.remove(&prefix)),
            _ => drop(self.prefixes.insert(prefix, namespace)),
        }
    }

    /// What a prefix means.
    fn of_prefix(&self, prefix: &[u8]) -> Namespace {
        match prefix {
            b"" => self.default,
            prefix => self.prefixes.get(prefix).copied().unwrap_or_else(|| Namespace::of_undeclared(prefix)),
        }
    }

    /// The namespace and the local name of an element.
    pub fn of_element<'a>(&self, name: &'a [u8]) -> (Namespace, &'a [u8]) {
        let (prefix, local) = split_prefix(name);
        (self.of_prefix(prefix), local)
    }

    /// The namespace and the local name of an attribute.
    pub fn of_attribute<'a>(&self, name: &'a [u8]) -> (Namespace, &'a [u8]) {
        match split_prefix(name) {
            (b"", local) => (Namespace::None, local),
            (prefix, local) => (self.of_prefix(prefix), local),
        }
    }

    /// The index of the base here.
    pub fn base(&self) -> usize {
        self.open.last().map_or(0, |element| element.base)
    }

    /// The bytes that the open elements take, more or less.
    pub fn cost(&self) -> usize {
        self.names.len() + PREFIX_COST * self.changed.len()
    }
}

/// The prefix of a name and the rest of it.
pub fn split_prefix(name: &[u8]) -> (&[u8], &[u8]) {
    match memchr(b':', name) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => (b"", name),
    }
}
