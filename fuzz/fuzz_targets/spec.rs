//! The other standards, and why they differ from RFC 1808. Input: BASE LF REFERENCE.
#![no_main]

use std::ops::ControlFlow;

use absurl_fuzz::compare::{Reason, ReasonSearch, find_reasons};
use absurl_fuzz::resolver::{Base, resolve};
use absurl_fuzz::spec::prepared::PreparedBase;
use absurl_fuzz::spec::{NoAnswer, Spec};
use absurl_fuzz::{pair, same};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (base_text, reference) = pair(data);
    let Ok(base) = Base::new(base_text) else { return };
    let mut path = Vec::new();
    let own = resolve(&base, reference, &mut path, |_| {}).map(|resolved| {
        let mut url = Vec::new();
        resolved.write(|piece| url.extend_from_slice(piece));
        url
    });
    for spec in [Spec::Rfc3986, Spec::Whatwg] {
        let mut url = b"before".to_vec();
        let answer = PreparedBase::new(spec, base_text).resolve(reference, &mut url);
        let url = url.strip_prefix(b"before").expect("what was there before");
        assert!(answer.is_ok() || url.is_empty());
        assert!(std::str::from_utf8(url).is_ok());

        // there is a reason for each difference; it may be unknown where a control byte in the base would
        // be at its end
        let own = own.as_deref().ok();
        let reasons =
            find_reasons(&mut ReasonSearch::new(spec), [base_text; 2], [reference; 2], own, answer.map(|()| url));
        let differ = match (own, answer) {
            (Some(own), Ok(())) => own != url,
            (None, Err(_)) => false,
            _ => true,
        };
        assert_eq!(!reasons.is_empty(), differ, "{reasons:?}");
        let is_known = reasons.iter().all(|reason| reason != Reason::Other);
        assert!(is_known || base_text.iter().any(|&byte| byte <= b' '), "{}", url.escape_ascii());
        let spelling = Reason::SlashAfterHost as usize..Reason::Backslash as usize;
        let is_spelling = reasons.iter().all(|reason| spelling.contains(&(reason as usize)));
        assert_eq!(is_spelling, reasons.of_meaning().is_empty());

        // the URL Standard fails at one of its errors exactly if there is no answer
        let (mut fails, mut last) = (false, 0);
        let _ = PreparedBase::new(spec, base_text).url_errors(reference, &mut |error| {
            assert!(last <= error.at && error.at + error.length <= reference.len());
            (fails, last) = (fails | error.is_failure, error.at);
            let (what, fix) = error.describe(reference);
            assert!(!what.is_empty() && fix.len() < 2000);
            ControlFlow::Continue(())
        });
        if spec == Spec::Whatwg && !matches!(answer, Err(NoAnswer::TooLong | NoAnswer::BaseNotUrl)) {
            assert_eq!(fails, answer.is_err());
        }

        // by WHATWG an answer is the answer to itself, but the url crate has faults of its own in what
        // it makes of file and of drive letters; by RFC 3986 it may have an inherited path, dots and all
        let is_drive = |two: &[u8]| two[0].is_ascii_alphabetic() && matches!(two[1], b':' | b'|');
        if answer.is_ok()
            && spec == Spec::Whatwg
            && !url.split(|&byte| byte == b'/').any(|part| part.len() == 2 && is_drive(part))
            && !url.starts_with(b"file:")
        {
            let mut again = Vec::new();
            assert_eq!(PreparedBase::new(spec, b"").resolve(url, &mut again), Ok(()));
            same(&again, url);
        }
    }
});
