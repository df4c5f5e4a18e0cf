//! The examples in the comments of the edits.

use super::EDITS;
use crate::compare::case::{Fillers, ReasonSearch, Texts};
use crate::spec::Spec;

/// A reason and two pairs of texts from a line of a comment, `REASON: <BASE> <REFERENCE> -> <BASE> <REFERENCE>`.
fn example(line: &str) -> Option<(&str, Texts, Texts)> {
    let (code, example) = line.strip_prefix("/// ")?.trim_start_matches("- ").split_once(": `<")?;
    let (before, after) = example.strip_suffix(">`")?.split_once("> -> <")?;
    let texts = |pair: &str| {
        let (base, reference) = pair.split_once("> <")?;
        Some(Texts { base: base.into(), reference: reference.into() })
    };
    Some((code, texts(before)?, texts(after)?))
}

/// Before the edit the answers differ, and after it they are the same.
#[test]
fn every_edit_has_an_example_that_is_true() {
    let examples: Vec<_> = include_str!("../edits.rs").lines().filter_map(example).collect();
    for &(only, reason, edit) in EDITS {
        let own: Vec<_> = examples.iter().filter(|(code, ..)| *code == reason.code()).collect();
        assert_eq!(own.len(), 1, "{reason:?}");
        let (_, before, after) = own[0];
        for spec in [Spec::Rfc3986, Spec::Whatwg].into_iter().filter(|spec| only.is_none_or(|only| only == *spec)) {
            let mut search = ReasonSearch::new(spec);
            search.fillers = Fillers::new(&[&before.base, &before.reference]);
            let case = search.case(before.clone());
            assert_eq!(edit(&case).as_ref(), Some(after), "{reason:?}");
            assert!(!case.agrees() && search.case(after.clone()).agrees(), "{reason:?} {spec:?}");
        }
    }
}
