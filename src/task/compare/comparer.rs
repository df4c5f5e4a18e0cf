//! What all standards answer to a record, and why they differ.

use crate::compare::{Differences, Effect, Hosts, Reason, ReasonSearch, Reasons, find_reasons};
use crate::output::explain::{Note, unbroken};
use crate::record::{Bases, Failure, Record};
use crate::resolver::Unresolvable;
use crate::spec::{NoAnswer, Spec};
use crate::task::standards::{Alike, AllStandards, OneStandard, complaint_of};

/// Compares the answers of all standards.
pub struct Comparer {
    /// What finds references that the others answer as RFC 1808 does.
    pub(super) alike: Alike,
    standards: AllStandards,
    /// Those for the reasons of RFC 3986 and of the URL Standard.
    searches: [ReasonSearch; 2],
}

/// What all standards answer to a record, in the order of [`Spec::ALL`]; why RFC 3986 and the URL Standard differ from
/// RFC 1808, empty if the answer is the same or if neither has one; and the hosts that the answers reach.
type Comparison<'a> = ([Result<&'a [u8], NoAnswer>; 3], [Reasons; 2], Hosts);

impl Comparer {
    /// No answers yet, to records that end at `terminator`. `pairs`: each has its own base.
    pub fn new(terminator: u8, pairs: bool) -> Self {
        let searches = [Spec::Rfc3986, Spec::Whatwg].map(ReasonSearch::new);
        Comparer { alike: Alike::new(terminator, pairs, false), standards: AllStandards::default(), searches }
    }

    /// Compares the answers to a record. Only differences that are reported get reasons.
    pub fn compare(&mut self, record: &Record<'_>, bases: &Bases<'_>, which: Differences) -> Comparison<'_> {
        let urls = self.standards.ask(record, bases);
        let hosts = Hosts::of(urls.map(Result::ok));
        let decoded = record.decoded();
        let reasons = self.searches.each_mut().map(|search| {
            let mut reasons = Reasons::default();
            if which != Differences::Host || hosts.differ {
                let texts = [Spec::Rfc1808, search.spec].map(|spec| bases.of(spec).text);
                let url = urls[search.spec as usize];
                reasons = find_reasons(search, texts, [record.reference, &decoded], urls[0].ok(), url);
            }
            // the answers may be the same text, which each standard reads in its own way
            if hosts.by_question[search.spec as usize] {
                reasons.add(Reason::NetLocQuestion, Effect::Host);
            }
            reasons
        });
        (urls, reasons, hosts)
    }

    /// What an explanation by RFC 1808 or RFC 3986 says of the other standards: a line for each answer that differs.
    /// `failure`: why there is no answer. Nothing if there is no base to resolve with.
    pub fn notes(
        &mut self,
        own: Spec,
        bases: &Bases<'_>,
        record: &Record<'_>,
        failure: Option<Failure<'_>>,
    ) -> Vec<Note> {
        let is_of_reference = |why| matches!(why, Failure::Unresolvable(why) if why != Unresolvable::BaseWithoutScheme);
        if failure.is_some_and(|why| !is_of_reference(why)) {
            return Vec::new();
        }
        let (other, both) = match own {
            Spec::Rfc1808 => (Spec::Rfc3986, "RFC 3986 and WHATWG"),
            _ => (Spec::Rfc1808, "RFC 1808 and WHATWG"),
        };
        let same = |texts: [&'static str; 2]| {
            let text = if own == Spec::Rfc1808 { texts[0] } else { texts[1] };
            vec![Note { text: text.into(), differs: false }]
        };
        let give_same = ["RFC 3986 and WHATWG give the same", "RFC 1808 and WHATWG give the same"];
        if self.alike.is_certain(bases, record.reference) {
            return same(give_same);
        }
        let (urls, [first, mut second], hosts) = self.compare(record, bases, Differences::All);
        let answer = urls[own as usize];
        let (mut differ, mut why) = ([first, second].map(|reasons| !reasons.is_empty()), ": ");
        if own == Spec::Rfc3986 {
            // the reasons of WHATWG are why it differs from RFC 1808
            differ[1] = urls[Spec::Whatwg as usize].ok() != answer.ok();
            if differ[0] {
                (second, why) = (Reasons::default(), "; by RFC 3986, ");
            }
        }
        let mut url_standard = OneStandard::new(Spec::Whatwg);
        let mut note = |who: &str, [gives, has]: [&str; 2], spec: Spec, reasons: Reasons| {
            let theirs = urls[spec as usize];
            let mut text = match theirs {
                Err(error) => {
                    format!("{who} {has} no answer: {}", complaint_of(error, record, bases, &mut url_standard).what)
                }
                Ok(url) if answer == Ok(url) => {
                    let host = hosts.reached[spec as usize].as_deref().unwrap_or(b"-");
                    format!("{who} {gives} the same URL, but with host {}", unbroken(host))
                }
                Ok(url) => format!("{who} {gives} {}", unbroken(url)),
            };
            for (index, reason) in reasons.iter().filter(|_| theirs.is_ok()).enumerate() {
                text.push_str(if index == 0 { why } else { "; " });
                text.push_str(reason.note());
            }
            Note { text: text.into(), differs: true }
        };
        match differ {
            [false, false] if answer.is_ok() => same(give_same),
            [false, false] => {
                same(["RFC 3986 and WHATWG have no answer either", "RFC 1808 and WHATWG have no answer either"])
            }
            [true, true] if urls[other as usize] == urls[Spec::Whatwg as usize] => {
                vec![note(both, ["give", "have"], other, first.union(second))]
            }
            _ => {
                let others =
                    [(other, first), (Spec::Whatwg, second)].into_iter().zip(differ).filter(|(_, differs)| *differs);
                others.map(|((spec, reasons), _)| note(spec.title(), ["gives", "has"], spec, reasons)).collect()
            }
        }
    }
}
