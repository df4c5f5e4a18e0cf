//! Why another standard answers differently, in the terms of RFC 1808.
//!
//! What the other standard does to a text before it resolves it (white space, backslashes, slashes
//! that may be missing, ...) is an edit of base and reference, after which RFC 1808 is asked
//! again: see [`edits`]. What is left are differences in spelling, component by component:
//! see [`spelling`]. [`host`] compares which hosts the answers reach, and [`leaving`] compares them with the host of
//! the base.
//!
//! An example: `http://A/b` and `../g?`, RFC 1808 and WHATWG. All edits are tried in their order.
//! One is kept if it loses a cause, which means that one of the two answers stays as it was:
//!
//! | edit | reference | RFC 1808 | WHATWG |
//! |---|---|---|---|
//! | (none) | `../g?` | `http://A/../g` | `http://a/g?` |
//! | a `$` after the lone delimiter | `../g?$` | `http://A/../g?` | `http://a/g?` |
//! | a dot less for a surplus `..` | `./g?$` | `http://A/g?` | `http://a/g?` |
//!
//! (A [filler](case::Fillers) such as `$` is left out of the answers.) A second round finds nothing to
//! edit, so this is the end. Without the first edit the last answers would be `http://A/g`
//! and `http://a/g?`, without the second `http://A/../g?` and `http://a/g?`: both are needed. Both
//! find something in `../g?` as it was given, so both are reasons: `lone-delimiter` changes the
//! query, `surplus-dots` the path. `A` and `a` are left: `case`, by their spelling.
//!
//! Nothing else could be left, which would be the reason `other`: each rule in which a standard
//! departs from RFC 1808 has its edit or its place in [`spelling`]. The tests try all texts of
//! up to four pieces, and a million random ones; a new difference would show there.

mod case;
mod edits;
mod host;
pub mod leaving;
mod reason;
mod spelling;

pub use self::case::ReasonSearch;
use self::case::{Case, Fillers, Texts};
use self::edits::{CaseEdit, EDITS};
pub use self::host::Hosts;
pub use self::reason::{Effect, Reason, Reasons};
use crate::limits::{MAX_EXPLAINED, MAX_ROUNDS};
use crate::resolver::Unresolvable;
use crate::spec::{NoAnswer, Spec};

/// The differences that are reported.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Differences {
    #[default]
    All,
    /// Those that are more than WHATWG normalization.
    Meaning,
    /// Those of the host.
    Host,
}

/// Why a standard answers `other` to a reference: no reason if RFC 1808's answer is the same or if
/// neither has one, else at least one. `bases` are RFC 1808's and that of the standard, empty if
/// there is none; so are `references`, as they are in a document and decoded.
pub fn find_reasons(
    search: &mut ReasonSearch,
    bases: [&[u8]; 2],
    references: [&[u8]; 2],
    rfc1808: Option<&[u8]>,
    other: Result<&[u8], NoAnswer>,
) -> Reasons {
    let mut reasons = Reasons::default();
    if rfc1808 == other.ok() {
        return reasons;
    } else if bases[1].len() > MAX_EXPLAINED {
        reasons.add(Reason::LongBase, Effect::Host);
        return reasons;
    }
    let [undecoded, reference] = references;
    if other == Err(NoAnswer::TooLong) {
        reasons.add(Reason::LongHost, Effect::Answer);
        return reasons;
    }
    search.fillers = Fillers::new(&[bases[0], bases[1], reference]);
    // the search begins with what the standard reads; what only a document makes differ comes before
    let [own, texts] = bases.map(|base| Texts { base: base.to_vec(), reference: reference.to_vec() });
    // in these bytes a charset has no part
    let is_plain = reference.iter().all(|byte| matches!(byte, b' '..=b'~'));
    let first = if is_plain { search.case_of(texts, other.map(<[u8]>::to_vec)) } else { search.case(texts) };
    if reference != undecoded || other.is_ok_and(|url| !first.answers(url)) {
        reasons.add(Reason::Charset, Effect::Query);
    }
    if bases[0] != bases[1] {
        let own = search.case_of(own, first.other.clone());
        if own.rfc1808 != first.rfc1808 {
            reasons.add(Reason::Base, Effect::between(&own, &first));
        }
    }
    if first.rfc1808 == Err(Unresolvable::UnsuitableBase) {
        reasons.add(Reason::UnsuitableBase, Effect::Answer);
    }
    // an error of the standard itself, not of the scheme that only RFC 1808 sees
    let with_letters = edits::with_scheme_of_letters(&first).map(|texts| search.case(texts));
    match with_letters.as_ref().unwrap_or(&first).other {
        Ok(_) | Err(NoAnswer::Rfc1808(Unresolvable::NoBase)) => {}
        Err(error) => reasons.add(Reason::of_error(error), Effect::Answer),
    }
    let causes = find_causes(search, &first);
    let last = causes.last().map_or(&first, |cause| &cause.case);
    if last.other.is_ok() || last.agrees() {
        add_causes(search, &first, &causes, &mut reasons);
    }
    if let (Ok(_), Ok(own), Ok(other)) = (&first.rfc1808, &last.rfc1808, &last.other) {
        spelling::find(own, other, &mut reasons);
    }
    if reasons.is_empty() {
        reasons.add(Reason::Other, Effect::Host);
    }
    reasons
}

/// Adds the reasons of causes that are in the texts as given. What RFC 1808 does only after another
/// edit is not, and the reason of that one has its effect, too; neither is what RFC 1808 would do if
/// it had an answer.
fn add_causes(search: &mut ReasonSearch, first: &Case, causes: &[Cause], reasons: &mut Reasons) {
    let before = *reasons;
    for must_change in [true, false] {
        let (mut last, mut named) = (first, None);
        for Cause { only, reason, edit, case } in causes {
            let is_unanswered = last.rfc1808.is_err() && last.other.is_ok();
            let effect = Effect::between(last, case);
            // one that is alone was found in the texts as given
            let is_reason = only.is_some() || causes.len() == 1 || is_given(search, first, *edit, must_change);
            if is_reason && !(is_unanswered && case.rfc1808.is_err()) {
                reasons.add(*reason, effect);
                named = Some(*reason);
            } else if let Some(reason) = named.filter(|_| !is_given(search, first, *edit, false)) {
                reasons.add(reason, effect);
            }
            if is_unanswered && case.rfc1808.is_ok() {
                return;
            }
            last = case;
        }
        // two causes may change an answer only together
        if *reasons != before {
            return;
        }
    }
}

/// Whether an edit finds something in the texts as given, and changes an answer if it must. An error of the other
/// standard may hide what it changes.
fn is_given(search: &mut ReasonSearch, first: &Case, edit: CaseEdit, must_change: bool) -> bool {
    let texts = edit(first).filter(|texts| *texts != first.texts);
    texts.is_some_and(|texts| !must_change || first.other.is_err() || !search.case(texts).answers_like(first))
}

/// An edit that removes a reason, and what it leads to.
struct Cause {
    /// The standard that it concerns, if that is only one.
    only: Option<Spec>,
    reason: Reason,
    edit: CaseEdit,
    /// What all edits up to this one lead to.
    case: Case,
}

/// Edits after which RFC 1808 and the other standard agree, or differ as little as edits can
/// achieve. Each is needed: without it the last answers would be others.
fn find_causes(search: &mut ReasonSearch, first: &Case) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let before = causes.len();
        for &(only, reason, edit) in EDITS {
            let last = causes.last().map_or(first, |cause| &cause.case);
            if last.agrees() || only.is_some_and(|only| only != search.spec) {
                continue;
            }
            let texts = edit(last).filter(|texts| *texts != last.texts);
            if let Some(case) = texts.map(|texts| search.case(texts))
                && last.loses_cause(&case)
            {
                causes.push(Cause { only, reason, edit, case });
            }
        }
        if causes.len() == before {
            break;
        }
    }
    // the last ones first, as a later edit may only repeat what an earlier one has done
    while (0..causes.len()).rev().any(|index| remove(search, first, &mut causes, index)) {}
    causes
}

/// Removes a cause, and repeats the edits after it, unless the last answers would then be others; whether it did.
fn remove(search: &mut ReasonSearch, first: &Case, causes: &mut Vec<Cause>, index: usize) -> bool {
    let (before, after) = causes.split_at(index);
    let before = before.last().map_or(first, |cause| &cause.case);
    let mut without: Vec<Case> = Vec::new();
    for cause in &after[1..] {
        let case = without.last().unwrap_or(before);
        without.push((cause.edit)(case).map_or_else(|| case.clone(), |texts| search.case(texts)));
    }
    let last = without.last().unwrap_or(before);
    let is_needless = last.agrees() || after.last().is_some_and(|cause| last.answers_like(&cause.case));
    if is_needless {
        causes.remove(index);
        causes[index..].iter_mut().zip(without).for_each(|(cause, case)| cause.case = case);
    }
    is_needless
}

#[cfg(test)]
mod tests {
    use super::{Reason, ReasonSearch, find_reasons};
    use crate::spec::Spec;

    #[test]
    fn another_base_is_a_reason_and_hides_no_other_one() {
        let mut search = ReasonSearch::new(Spec::Rfc3986);
        let mut reasons =
            |bases, own, other| find_reasons(&mut search, bases, [b"../g"; 2], Some(own), Ok(other)).iter().collect();
        let bases: [&[u8]; 2] = [b"http://a/b/c", b"http://x/y/z"];
        let all: Vec<_> = reasons(bases, b"http://a/g", b"http://x/g");
        assert_eq!(all, [Reason::Base]);
        let all: Vec<_> = reasons([bases[0], b"http://x/y"], b"http://a/g", b"http://x/g");
        assert_eq!(all, [Reason::Base, Reason::SurplusDots]);
    }
}
