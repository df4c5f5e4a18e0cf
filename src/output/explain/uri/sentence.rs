//! The sentence of an explanation by RFC 3986 for people who do not know it.

use super::UriExplanation;
use crate::output::explain::sentence::{
    DOT_DROPPED, add_inherited, add_list, add_merge, add_removed, has_host, name_of,
};
use crate::spec::rfc3986::Uri;

/// The name of a component, and that of an empty one, if it is there.
fn name_if_there<'a>(component: Option<&[u8]>, name: &'a str, empty: &'a str) -> Option<&'a str> {
    component.map(|component| if component.is_empty() { empty } else { name })
}

impl UriExplanation<'_> {
    /// The sentence. It begins with `The`.
    pub(super) fn sentence(&self) -> String {
        let sentence = match self.outcome.answer {
            Err(complaint) => match complaint.code {
                "no-base" => "The reference has no scheme, and there is no base URI.",
                "base-without-scheme" => "The base URI has no scheme, so nothing can be resolved with it.",
                "base-not-a-uri" => "The base is not written as RFC 3986 requires, so there is no answer.",
                _ => "The reference is not written as RFC 3986 requires, so there is no answer.",
            },
            Ok(_) if self.outcome.record.reference.is_empty() && self.base.fragment.is_none() => {
                "The reference is empty: the answer is the base URI."
            }
            Ok(_) if self.outcome.record.reference.is_empty() => {
                "The reference is empty: the answer is the base URI without its fragment."
            }
            Ok(_) => {
                let mut sentence = String::new();
                self.add_what_it_is(&mut sentence);
                self.add_changes(&mut sentence);
                return sentence + ".";
            }
        };
        sentence.into()
    }

    /// Adds what the reference is, and what of the answer is the base's.
    fn add_what_it_is(&self, sentence: &mut String) {
        let Uri { scheme, authority, path, query, fragment } = self.reference;
        if scheme.is_some() {
            let base =
                if self.outcome.base.text.is_empty() { "it needs no base URI" } else { "nothing comes from the base" };
            return sentence.extend(["The reference has a scheme: ", base]);
        }
        let host = if authority.is_some_and(has_host) { "a host" } else { "an authority without a host" };
        sentence.push_str("The reference is ");
        let names = [
            name_if_there(authority, host, "an empty host"),
            name_of(
                path,
                if authority.is_none() && path.starts_with(b"/") { "a path from the root" } else { "a path" },
            ),
            name_if_there(query, "a query", "an empty query"),
            name_if_there(fragment, "a fragment", "an empty fragment"),
        ];
        add_list(&names, sentence);
        sentence.push_str(": ");
        let host = if self.base.authority.is_some_and(has_host) { "host" } else { "authority" };
        let names = [
            Some("scheme"),
            name_if_there(self.base.authority, host, "empty host"),
            name_of(self.base.path, "path").filter(|_| self.keeps_path()),
            self.base.query.map(|_| "query").filter(|_| self.keeps_path() && query.is_none()),
        ];
        add_inherited(if authority.is_some() { &names[..1] } else { &names }, sentence);
    }

    /// Adds what happens to the path.
    fn add_changes(&self, sentence: &mut String) {
        let Some(moves) = self.outcome.moves else { return };
        if self.is_merged() {
            add_merge(self.replaced(), moves.base_len, self.base.path.is_empty(), sentence);
        }
        add_removed(moves.parents(), sentence);
        if moves.all.iter().any(|one| moves.is_dot(one)) {
            sentence.push_str(DOT_DROPPED);
        }
        if moves.all.iter().any(|one| moves.is_surplus(one)) {
            sentence.push_str(", surplus \"..\" is dropped");
        }
        if self.has_inserted() {
            sentence.push_str(", \"/.\" is inserted");
        }
    }
}
