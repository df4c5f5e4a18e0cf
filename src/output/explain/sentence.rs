//! The sentence of an explanation for people who do not know the RFC: what the reference is, what comes from the
//! base, and what happens to the path.

use std::borrow::Cow;

use super::Explanation;
use super::line::unbroken;
use super::removals::Merge;
use crate::output::location::Escaped;
use crate::resolver::merge::has_segment;
use crate::resolver::{Parts, Resolved, Step};
use crate::rfc1738::login::Login;

impl Explanation<'_> {
    /// The sentence. It begins with `The`.
    pub(super) fn sentence(&self) -> Cow<'static, str> {
        let Ok(resolved) = self.outcome.result else {
            let why = match self.base.scheme {
                Some(_) => "The reference has no scheme, and the base's scheme is never used with relative URLs.",
                None if self.outcome.base.text.is_empty() => "The reference has no scheme, and there is no base URL.",
                None => "The base URL has no scheme, so nothing can be resolved with it.",
            };
            return why.into();
        };
        match resolved.step {
            Step::Absolute => "The reference has a scheme: it is the answer, and needs no base URL.".into(),
            Step::Scheme => "The reference has a scheme: it is the answer, and nothing comes from the base.".into(),
            Step::Empty if self.base.fragment.is_empty() => {
                "The reference is empty: the answer is the base URL.".into()
            }
            Step::Empty => "The reference is empty: the answer is the base URL with its fragment.".into(),
            step => {
                let is = self.what_it_is();
                let mut says = vec![self.what_is_inherited(step).into()];
                if let Some(merge) = &self.merge {
                    add_changes(merge, &mut says);
                }
                add_dots(resolved, &mut says);
                self.add_slashes(resolved, &mut says);
                format!("The reference {is}: {}.", says.join(", ")).into()
            }
        }
    }

    /// What the reference is: its components.
    fn what_it_is(&self) -> String {
        let Parts { net_loc, path, params, query, fragment, .. } = self.reference;
        let mut names = Vec::new();
        if let Some(net_loc) = net_loc.filter(|net_loc| !net_loc.is_empty()) {
            names.push(if has_host(net_loc) { "a host" } else { "a net_loc" });
        }
        let is_rooted = names.is_empty() && path.starts_with(b"/");
        let path_name = if is_rooted { "a path from the root" } else { "a path" };
        let all = [(path, path_name), (params, "params"), (query, "a query"), (fragment, "a fragment")];
        names.extend(all.into_iter().filter(|(component, _)| !component.is_empty()).map(|(_, name)| name));
        if names.is_empty() { "has only delimiters".to_owned() } else { format!("is {}", list(&names)) }
    }

    /// Which components the base gives to the answer: those that it has.
    fn what_is_inherited(&self, step: Step) -> String {
        let Parts { net_loc, path, params, query, .. } = self.base;
        let mut names = vec!["scheme"];
        if step == Step::NetLoc {
            return "only the scheme is the base's".to_owned();
        }
        match net_loc {
            None => {}
            Some(b"") => names.push("empty net_loc"),
            Some(net_loc) => names.push(if has_host(net_loc) { "host" } else { "net_loc" }),
        }
        let others = [(path, "path"), (params, "params"), (query, "query")].into_iter().take(step.inherits() - 2);
        names.extend(others.filter(|(component, _)| !component.is_empty()).map(|(_, name)| name));
        match &names[..] {
            [only] => format!("the {only} is the base's"),
            names => format!("{} are the base's", list(names)),
        }
    }

    /// Adds what becomes of slashes.
    fn add_slashes(&self, resolved: &Resolved<'_>, says: &mut Vec<Cow<'static, str>>) {
        if self.reference.net_loc == Some(b"") {
            says.push("its \"//\" is dropped".into());
        }
        match resolved.parts.inserted() {
            b"" => {}
            inserted => says.push(format!("\"{}\" is inserted", Escaped(inserted)).into()),
        }
    }
}

/// Adds what step 6 does.
fn add_changes(merge: &Merge, says: &mut Vec<Cow<'static, str>>) {
    match (merge.replaced(), merge.base_len) {
        (b"", 0) => {}
        (b"", _) if merge.is_base_empty => says.push("its path follows a \"/\"".into()),
        (b"", _) => says.push("its path is appended".into()),
        (last, _) => says.push(format!("\"{}\" is replaced", unbroken(last)).into()),
    }
    let count = |steps: [&str; 2]| merge.removals.iter().filter(|removal| steps.contains(&removal.step)).count();
    match count(["6c", "6d"]) {
        0 => {}
        1 => says.push("\"..\" goes up once".into()),
        2 => says.push("\"..\" goes up twice".into()),
        times => says.push(format!("\"..\" goes up {times} times").into()),
    }
    if count(["6a", "6b"]) > 0 {
        says.push("\".\" is dropped".into());
    }
}

/// Adds the dot segments that stay.
fn add_dots(resolved: &Resolved<'_>, says: &mut Vec<Cow<'static, str>>) {
    let has = |segment| has_segment(resolved.parts.path, segment);
    let stay = match (has(b"."), has(b"..")) {
        (false, false) => return,
        (false, true) if resolved.step == Step::Merged => "surplus \"..\" stays",
        (false, true) => "\"..\" stays",
        (true, false) => "\".\" stays",
        (true, true) => "\".\" and \"..\" stay",
    };
    says.push(stay.into());
}

/// Whether a net_loc has a host, and not only a user or a port.
fn has_host(net_loc: &[u8]) -> bool {
    !Login::divide(net_loc).host.is_empty()
}

/// Names as English lists them.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
