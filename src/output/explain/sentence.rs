//! The sentence of an explanation for people who do not know the RFC: what the reference is, what comes from the
//! base, and what happens to the path.

use std::fmt::{self, Display, Formatter};

use super::Explanation;
use super::line::{unbroken, written};
use super::removals::Merge;
use crate::output::location::Escaped;
use crate::resolver::merge::has_segment;
use crate::resolver::{Parts, Resolved, Step};
use crate::rfc1738::login::Login;

impl Explanation<'_> {
    /// The sentence. It begins with `The`.
    pub(super) fn sentence(&self) -> impl Display {
        written(|f| match self.outcome.result {
            Ok(resolved) => self.write_sentence(resolved, f),
            Err(_) => f.write_str(match self.base.scheme {
                Some(_) => "The reference has no scheme, and the base's scheme is never used with relative URLs.",
                None if self.outcome.base.text.is_empty() => "The reference has no scheme, and there is no base URL.",
                None => "The base URL has no scheme, so nothing can be resolved with it.",
            }),
        })
    }

    fn write_sentence(&self, resolved: &Resolved<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match resolved.step {
            Step::Absolute => f.write_str("The reference has a scheme: it is the answer, and needs no base URL."),
            Step::Scheme => {
                f.write_str("The reference has a scheme: it is the answer, and nothing comes from the base.")
            }
            Step::Empty if self.base.fragment.is_empty() => {
                f.write_str("The reference is empty: the answer is the base URL.")
            }
            Step::Empty => f.write_str("The reference is empty: the answer is the base URL with its fragment."),
            step => {
                self.write_what_it_is(f)?;
                self.write_what_is_inherited(step, f)?;
                if let Some(merge) = &self.merge {
                    write_changes(merge, f)?;
                }
                write_dots(resolved, f)?;
                self.write_slashes(resolved, f)?;
                f.write_str(".")
            }
        }
    }

    /// Writes what the reference is: its components.
    fn write_what_it_is(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Parts { net_loc, path, params, query, fragment, .. } = self.reference;
        let net_loc = net_loc.unwrap_or_default();
        let is_rooted = net_loc.is_empty() && path.starts_with(b"/");
        let names = [
            name_of(net_loc, if has_host(net_loc) { "a host" } else { "a net_loc" }),
            name_of(path, if is_rooted { "a path from the root" } else { "a path" }),
            name_of(params, "params"),
            name_of(query, "a query"),
            name_of(fragment, "a fragment"),
        ];
        if names == [None; 5] {
            return f.write_str("The reference has only delimiters: ");
        }
        f.write_str("The reference is ")?;
        write_list(&names, f)?;
        f.write_str(": ")
    }

    /// Writes which components the base gives to the answer: those that it has.
    fn write_what_is_inherited(&self, step: Step, f: &mut Formatter<'_>) -> fmt::Result {
        let Parts { net_loc, path, params, query, .. } = self.base;
        let net_loc = net_loc.map(|net_loc| match net_loc {
            b"" => "empty host",
            net_loc if has_host(net_loc) => "host",
            _ => "net_loc",
        });
        let names =
            [Some("scheme"), net_loc, name_of(path, "path"), name_of(params, "params"), name_of(query, "query")];
        match &names[..step.inherits()] {
            [_] => f.write_str("only the scheme is the base's"),
            [_, others @ ..] if others.iter().all(Option::is_none) => f.write_str("the scheme is the base's"),
            names => {
                write_list(names, f)?;
                f.write_str(" are the base's")
            }
        }
    }

    /// Writes what becomes of slashes.
    fn write_slashes(&self, resolved: &Resolved<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        if self.reference.net_loc == Some(b"") {
            f.write_str(", its \"//\" is dropped")?;
        }
        match resolved.parts.inserted() {
            b"" => Ok(()),
            inserted => write!(f, ", \"{}\" is inserted", Escaped(inserted)),
        }
    }
}

/// Writes what step 6 does.
fn write_changes(merge: &Merge, f: &mut Formatter<'_>) -> fmt::Result {
    match (merge.replaced(), merge.base_len) {
        (b"", 0) => {}
        (b"", _) if merge.is_base_empty => f.write_str(", its path follows a \"/\"")?,
        (b"", _) => f.write_str(", its path is appended")?,
        (last, _) => write!(f, ", \"{}\" is replaced", unbroken(last))?,
    }
    let count = |steps: [&str; 2]| merge.removals.iter().filter(|removal| steps.contains(&removal.step)).count();
    match count(["6c", "6d"]) {
        0 => {}
        1 => f.write_str(", \"..\" goes up once")?,
        2 => f.write_str(", \"..\" goes up twice")?,
        times => write!(f, ", \"..\" goes up {times} times")?,
    }
    if count(["6a", "6b"]) > 0 {
        f.write_str(", \".\" is dropped")?;
    }
    Ok(())
}

/// Writes which dot segments stay.
fn write_dots(resolved: &Resolved<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let has = |segment| has_segment(resolved.parts.path, segment);
    f.write_str(match (has(b"."), has(b"..")) {
        (false, false) => "",
        (false, true) if resolved.step == Step::Merged => ", surplus \"..\" stays",
        (false, true) => ", \"..\" stays",
        (true, false) => ", \".\" stays",
        (true, true) => ", \".\" and \"..\" stay",
    })
}

/// Whether a net_loc has a host, and not only a user or a port.
fn has_host(net_loc: &[u8]) -> bool {
    !Login::divide(net_loc).host.is_empty()
}

/// The name of a component that is there.
fn name_of<'a>(component: &[u8], name: &'a str) -> Option<&'a str> {
    (!component.is_empty()).then_some(name)
}

/// Writes the names that are there, as English lists them.
fn write_list(names: &[Option<&str>], f: &mut Formatter<'_>) -> fmt::Result {
    let (mut left, mut before) = (names.iter().flatten().count(), "");
    for name in names.iter().flatten() {
        f.write_str(before)?;
        f.write_str(name)?;
        left -= 1;
        before = if left == 1 { " and " } else { ", " };
    }
    Ok(())
}
