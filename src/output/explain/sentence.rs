//! The sentence of an explanation for people who do not know the RFC: what the reference is, what comes from the
//! base, and what happens to the path.

use super::Explanation;
use super::removals::Merge;
use super::unbroken::unbroken;
use crate::resolver::merge::has_segment;
use crate::resolver::{Parts, Resolved, Step};
use crate::rfc1738::login::Login;

impl Explanation<'_> {
    /// The sentence. It begins with `The`.
    pub(super) fn sentence(&self) -> String {
        let sentence = match self.outcome.result {
            Err(_) => match self.base.scheme {
                Some(_) => "The reference has no scheme, and the base's scheme is never used with relative URLs.",
                None if self.outcome.base.text.is_empty() => "The reference has no scheme, and there is no base URL.",
                None => "The base URL has no scheme, so nothing can be resolved with it.",
            },
            Ok(resolved) => match resolved.step {
                Step::Absolute => "The reference has a scheme: it is the answer, and needs no base URL.",
                Step::Scheme => "The reference has a scheme: it is the answer, and nothing comes from the base.",
                Step::Empty if self.base.fragment.is_empty() => "The reference is empty: the answer is the base URL.",
                Step::Empty => "The reference is empty: the answer is the base URL with its fragment.",
                step => {
                    let mut sentence = String::new();
                    self.add_what_it_is(&mut sentence);
                    self.add_what_is_inherited(step, &mut sentence);
                    if let Some(merge) = &self.merge {
                        add_changes(merge, &mut sentence);
                    }
                    sentence += dots_that_stay(resolved);
                    self.add_slashes(resolved, &mut sentence);
                    return sentence + ".";
                }
            },
        };
        sentence.into()
    }

    /// Adds what the reference is: its components.
    fn add_what_it_is(&self, sentence: &mut String) {
        let Parts { net_loc, path, params, query, fragment, .. } = self.reference;
        let net_loc = net_loc.unwrap_or_default();
        let is_rooted = net_loc.is_empty() && path.starts_with(b"/");
        let names = [
            name_of(net_loc, if has_host(net_loc) { "a host" } else { "a net_loc without a host" }),
            name_of(path, if is_rooted { "a path from the root" } else { "a path" }),
            name_of(params, "params (after \";\")"),
            name_of(query, "a query"),
            name_of(fragment, "a fragment"),
        ];
        if let [None, None, Some(_), None, None] = names {
            return sentence.push_str("The reference starts with \";\": ");
        }
        if names == [None; 5] {
            return sentence.push_str("The reference has only delimiters: ");
        }
        sentence.push_str("The reference is ");
        add_list(&names, sentence);
        sentence.push_str(": ");
    }

    /// Adds which components the base gives to the answer: those that it has.
    fn add_what_is_inherited(&self, step: Step, sentence: &mut String) {
        let Parts { net_loc, path, params, query, .. } = self.base;
        let net_loc = net_loc.map(|net_loc| match net_loc {
            b"" => "empty host",
            net_loc if has_host(net_loc) => "host",
            _ => "net_loc",
        });
        let names =
            [Some("scheme"), net_loc, name_of(path, "path"), name_of(params, "params"), name_of(query, "query")];
        add_inherited(&names[..step.inherits()], sentence);
    }

    /// Adds what becomes of slashes.
    fn add_slashes(&self, resolved: &Resolved<'_>, sentence: &mut String) {
        if self.reference.net_loc == Some(b"") {
            sentence.push_str(", its \"//\" is dropped");
        }
        match resolved.parts.inserted() {
            b"" => {}
            inserted => sentence.extend([", \"", &unbroken(inserted), "\" is inserted"]),
        }
    }
}

/// Adds that the components with these names are the base's, of which only the first is there always.
pub(super) fn add_inherited(names: &[Option<&str>], sentence: &mut String) {
    match names {
        [_] => sentence.push_str("only the scheme is the base's"),
        [_, others @ ..] if others.iter().all(Option::is_none) => sentence.push_str("the scheme is the base's"),
        names => {
            add_list(names, sentence);
            sentence.push_str(" are the base's");
        }
    }
}

/// Adds what step 6 does.
fn add_changes(merge: &Merge, sentence: &mut String) {
    add_merge(merge.replaced(), merge.base_len, merge.is_base_empty, sentence);
    let parents = merge.removals.iter().map(|removal| &merge.text[removal.parent.clone()]);
    add_removed(parents.filter_map(|parent| parent.strip_suffix(b"/")), sentence);
    if merge.removals.iter().any(|removal| ["6a", "6b"].contains(&removal.step)) {
        sentence.push_str(DOT_DROPPED);
    }
}

/// That complete segments `.` are left out.
pub(super) const DOT_DROPPED: &str = ", \".\" is dropped";

/// Adds how the path of the reference is appended to the first `base_len` bytes of the base's: what it replaces, and
/// whether the base has no path.
pub(super) fn add_merge(replaced: &[u8], base_len: usize, is_base_empty: bool, sentence: &mut String) {
    match (replaced, base_len) {
        (b"", 0) => {}
        (b"", _) if is_base_empty => sentence.push_str(", its path follows a \"/\""),
        (b"", _) => sentence.push_str(", the reference's path is appended to the base's"),
        (last, _) => sentence.extend([", \"", &unbroken(last), "\" is replaced"]),
    }
}

/// Adds which segments `..` removes.
pub(super) fn add_removed<'s>(segments: impl Iterator<Item = &'s [u8]>, sentence: &mut String) {
    let mut segments = segments.fuse();
    match (segments.next(), segments.next(), segments.count()) {
        (Some(first), None, _) => sentence.extend([", one \"..\" removes \"", &unbroken(first), "\""]),
        (Some(first), Some(second), 0) => {
            sentence.extend([", two \"..\" remove \"", &unbroken(first), "\" and \"", &unbroken(second), "\""]);
        }
        (None, ..) => {}
        (.., more) => sentence.extend([", ", &(more + 2).to_string(), " \"..\" remove as many segments"]),
    }
}

/// Which dot segments stay.
fn dots_that_stay(resolved: &Resolved<'_>) -> &'static str {
    let has = |segment| has_segment(resolved.parts.path, segment);
    match (has(b"."), has(b"..")) {
        (false, false) => "",
        (false, true) if resolved.step == Step::Merged => ", surplus \"..\" stays",
        (false, true) => ", \"..\" stays",
        (true, false) => ", \".\" stays",
        (true, true) => ", \".\" and \"..\" stay",
    }
}

/// Whether a net_loc has a host, and not only a user or a port.
pub(super) fn has_host(net_loc: &[u8]) -> bool {
    !Login::divide(net_loc).host.is_empty()
}

/// The name of a component that is there.
pub(super) fn name_of<'a>(component: &[u8], name: &'a str) -> Option<&'a str> {
    (!component.is_empty()).then_some(name)
}

/// Adds the names that are there, as English lists them.
pub(super) fn add_list(names: &[Option<&str>], sentence: &mut String) {
    let (mut left, mut before) = (names.iter().flatten().count(), "");
    for name in names.iter().flatten() {
        *sentence += before;
        *sentence += name;
        left -= 1;
        before = if left == 1 { " and " } else { ", " };
    }
}
