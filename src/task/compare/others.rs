//! What the standards other than RFC 1808 answer to a record, and why.

use crate::compare::{Asker, Differences, Effect, Hosts, Reason, Reasons, find_reasons};
use crate::fast::sieve::{Law, Sieve};
use crate::output::explain::{Note, unbroken};
use crate::record::{BaseId, Bases, Failure, Record};
use crate::resolver::Unresolvable;
use crate::spec::{NoAnswer, Spec};
use crate::task::spec::{CachedBase, set_base};

/// The standards other than RFC 1808, each with its base and its last answer.
pub struct Others {
    /// What finds references that they answer as RFC 1808 does.
    pub(super) sieve: Sieve,
    /// Which base it has.
    base: Option<BaseId>,
    /// RFC 3986 and the URL Standard.
    standards: [Other; 2],
}

/// A standard other than RFC 1808.
struct Other {
    base: CachedBase,
    /// What a search for reasons asks.
    asker: Asker,
    url: Vec<u8>,
}

pub struct OtherAnswer<'a> {
    pub spec: Spec,
    pub answer: Result<&'a [u8], NoAnswer>,
    /// Why it is not RFC 1808's; empty if it is the same, or if neither has one.
    pub reasons: Reasons,
}

impl Others {
    /// No answers yet, to records that end at `terminator`. `pairs`: each has its own base.
    pub fn new(terminator: u8, pairs: bool) -> Self {
        let sieve = Sieve::new(Law::Same, terminator, pairs, false);
        let other = |spec| Other { base: CachedBase::default(), asker: Asker::new(spec), url: Vec::new() };
        Others { sieve, base: None, standards: [Spec::Rfc3986, Spec::Whatwg].map(other) }
    }

    /// Sets the base of the sieve.
    pub fn set_base(&mut self, bases: &Bases<'_>) {
        if self.base.replace(bases.id) != Some(bases.id) {
            set_base(&mut self.sieve, bases);
        }
    }

    /// Whether it is certain that they answer as RFC 1808 does.
    pub fn agree(&mut self, bases: &Bases<'_>, reference: &[u8]) -> bool {
        self.set_base(bases);
        self.sieve.skips(reference)
    }

    /// The answers of the other standards and the hosts that all answers reach, with reasons for the differences that
    /// are reported.
    pub fn ask(
        &mut self,
        bases: &Bases<'_>,
        record: &Record<'_>,
        own: Result<&[u8], Unresolvable>,
        which: Differences,
    ) -> ([OtherAnswer<'_>; 2], Hosts) {
        let decoded = record.decoded();
        let answered = self.standards.each_mut().map(|Other { base, asker, url }| {
            url.clear();
            let base = base.of(asker.spec, bases.id, bases.of(asker.spec));
            base.resolve_in(record.encoding(), &decoded, url)
        });
        let [first, second] = &mut self.standards;
        let [rfc3986, whatwg] =
            [(answered[0], &first.url), (answered[1], &second.url)].map(|(answered, url)| answered.map(|()| &**url));
        let hosts = Hosts::of([own.ok(), rfc3986.ok(), whatwg.ok()]);
        let others = [(&mut first.asker, rfc3986, 0), (&mut second.asker, whatwg, 1)].map(|(asker, answer, index)| {
            let spec = asker.spec;
            let mut reasons = Reasons::default();
            if which != Differences::Host || hosts.differ {
                let bases = [Spec::Rfc1808, spec].map(|spec| bases.of(spec).text);
                reasons = find_reasons(asker, bases, [record.reference, &decoded], own, answer);
            }
            // the answers may be the same text, which each standard reads in its own way
            if hosts.by_question[index] {
                reasons.add(Reason::NetLocQuestion, Effect::Host);
            }
            OtherAnswer { spec, answer, reasons }
        });
        (others, hosts)
    }

    /// What an explanation says of the other standards: a line for each answer that differs.
    /// Nothing if there is no base to resolve with.
    pub fn notes(&mut self, bases: &Bases<'_>, record: &Record<'_>, own: Result<&[u8], Failure<'_>>) -> Vec<Note> {
        let own = match own {
            Ok(url) => Ok(url),
            Err(Failure::Unresolvable(why)) if why != Unresolvable::BaseWithoutScheme => Err(why),
            Err(_) => return Vec::new(),
        };
        let same = |text: &'static str| vec![Note { text: text.into(), differs: false }];
        if self.agree(bases, record.reference) {
            return same("RFC 3986 and WHATWG give the same");
        }
        let (others, hosts) = self.ask(bases, record, own, Differences::All);
        let [first, second] = &others;
        let note = |who: &str, [gives, has]: [&str; 2], other: &OtherAnswer<'_>, reasons: Reasons| {
            let mut text = match other.answer {
                Err(error) => format!("{who} {has} no answer: {}", error.describe().1),
                Ok(url) if own == Ok(url) => {
                    let host = hosts.reached[other.spec as usize].as_deref().unwrap_or(b"-");
                    format!("{who} {gives} the same URL, but with host {}", unbroken(host))
                }
                Ok(url) => format!("{who} {gives} {}", unbroken(url)),
            };
            for (index, reason) in reasons.iter().filter(|_| other.answer.is_ok()).enumerate() {
                text.push_str(if index == 0 { ": " } else { "; " });
                text.push_str(reason.note());
            }
            Note { text: text.into(), differs: true }
        };
        match (first.reasons.is_empty(), second.reasons.is_empty()) {
            (true, true) if own.is_ok() => same("RFC 3986 and WHATWG give the same"),
            (true, true) => same("RFC 3986 and WHATWG have no answer either"),
            (false, _) if first.answer == second.answer => {
                vec![note("RFC 3986 and WHATWG", ["give", "have"], first, first.reasons.union(second.reasons))]
            }
            _ => {
                let differing = others.iter().filter(|other| !other.reasons.is_empty());
                differing.map(|other| note(other.spec.title(), ["gives", "has"], other, other.reasons)).collect()
            }
        }
    }
}
