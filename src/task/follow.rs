//! The texts of links that follow what moves.
//!
//! `http://a/guide` becomes `http://a/docs/manual`. In `http://a/guide/x.html`, which will be
//! `http://a/docs/manual/x.html`, the link `y.html` stays, and `../z.html` becomes `../../z.html`.

use encoding_rs::UTF_8;

use super::inverse::{Inverse, ReferenceForm};
use super::standards::OneStandard;
use crate::document::Link;
use crate::document::holds::Holds;
use crate::moves::MovePlan;
use crate::record::{BaseId, Bases, Complaint, Record, StandardBase};
use crate::site::UNKNOWN_HOST;
use crate::spec::Spec;

/// How a link is rewritten: its text is made, or there is no such text; `None` if it stays as it is.
pub type Rewritten = Option<Result<(), Complaint>>;

/// Makes the texts of the links of a document.
pub struct Follower<'a> {
    spec: Spec,
    moves: &'a MovePlan,
    /// Makes references from where the document will be, where a base has the number that it has here.
    there: Inverse,
    /// The URL that the document will have.
    document: Vec<u8>,
    /// The base around the last BASE or xml:base, and whether it is the URL of the document.
    pub around: (Vec<u8>, bool),
    /// The last base, as it will be, and whether it then differs.
    place: (BaseId, Vec<u8>, bool),
}

impl<'a> Follower<'a> {
    pub fn new(spec: Spec, moves: &'a MovePlan, document: Vec<u8>) -> Self {
        let (around, place) = ((Vec::new(), true), (BaseId(u64::MAX), Vec::new(), false));
        Follower { spec, moves, there: Inverse::new(spec), document, around, place }
    }

    /// Writes the text with which a link leads to where its URL will be, from where its document will be, or says why
    /// there is no such text; `None` if it has that already. `here` resolves it where its document was.
    pub fn follow(
        &mut self,
        link: &Link<'_>,
        record: &Record<'_>,
        bases: &Bases<'_>,
        here: &mut OneStandard,
        text: &mut Vec<u8>,
    ) -> Rewritten {
        if link.element == b"guid" {
            return None; // readers of feeds would take each item for a new one
        }
        let around;
        let (bases, is_own) = if link.holds == Holds::Base {
            around = Bases::same(BaseId(bases.id.0 | 1 << 62), StandardBase::new(&self.around.0, None));
            (&around, self.around.1)
        } else {
            (bases, bases.of(self.spec).place().is_none())
        };
        let (spec, encoding) = (self.spec, record.encoding());
        let [mut url, mut full] = [Vec::new(), Vec::new()];
        let mut has_moved = false;
        match here.ask(record, bases, &mut url).and_then(|()| self.moves.new_url(&url)) {
            Err(complaint) => return Some(Err(complaint)),
            Ok(None) => full.clone_from(&url),
            Ok(Some(new)) => {
                (full, has_moved) = (new, true);
                url.clear();
                let _ = here.resolve(bases, encoding, &full, &mut url); // it is absolute
            }
        }
        if self.place.0 != bases.id {
            self.place = self.place_of(bases, is_own, here);
        }
        let there = Bases::same(bases.id, StandardBase::new(&self.place.1, None));
        let (inverse, moves) = (&mut self.there, self.place.2);
        // below another path, each surplus `..` would count
        let climbs = moves && spec != Spec::Rfc1808 && inverse.leads_above_root(&there, record.reference);
        let is_slash = |byte: &&u8| **byte == b'/' || **byte == b'\\' && spec == Spec::Whatwg;
        let slashes = record.reference.iter().take(2).take_while(is_slash).count();
        // a host that stays may have another scheme with its document, unless links have it from there
        let stays = slashes == 2 && !has_moved && link.holds != Holds::Base;
        let mut leads = |reference: &[u8]| {
            let mut answer = Vec::new();
            let has_answer = inverse.resolver.resolve(&there, encoding, reference, &mut answer).is_ok();
            has_answer && (answer == url || stays && of_web(&answer) == of_web(&url))
        };
        if !climbs && leads(record.reference) {
            return None;
        }
        let scheme = spec.scheme_and_authority(&full).0.map_or(0, |scheme| scheme.len() + 1);
        let is_net_path = slashes == 2 && leads(&full[scheme..]);
        let first = match record.reference {
            _ if slashes == 2 || spec.scheme_and_authority(record.reference).0.is_some() => ReferenceForm::Url,
            _ if slashes == 1 => ReferenceForm::Root,
            [b'?' | b'#', ..] => ReferenceForm::Query,
            _ => ReferenceForm::Directory,
        };
        let made = match inverse.reference(&there, encoding, &url, first) {
            _ if is_net_path => &full[scheme..],
            None => return Some(Err(("unwritable", "no text leads to where it will be", "it is kept").into())),
            Some((ReferenceForm::Url, _)) if full.starts_with(UNKNOWN_HOST.as_bytes()) => {
                return Some(Err(("no-base", "a link back to this host needs its URL", "use --base URL").into()));
            }
            Some((ReferenceForm::Url, _)) => &full,
            Some((_, made)) => made,
        };
        text.extend_from_slice(made);
        Some(Ok(()))
    }

    /// Where a base will be, and whether it then differs. `is_own`: it is the URL that the document had.
    fn place_of(&self, bases: &Bases<'_>, is_own: bool, here: &mut OneStandard) -> (BaseId, Vec<u8>, bool) {
        let base = bases.of(self.spec).text;
        if is_own {
            return (bases.id, self.document.clone(), self.document != base);
        }
        // as its BASE is resolved, without dots
        let mut url = Vec::new();
        let new = here.resolve(bases, UTF_8, base, &mut url).ok().and_then(|()| self.moves.new_url(&url).ok()?);
        let is_other = new.is_some();
        (bases.id, new.unwrap_or(base.to_vec()), is_other)
    }
}

/// A URL without http or https, which are one.
fn of_web(url: &[u8]) -> &[u8] {
    url.strip_prefix(b"http:").or(url.strip_prefix(b"https:")).unwrap_or(url)
}
