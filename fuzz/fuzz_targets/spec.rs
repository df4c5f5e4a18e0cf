//! The other standards, and why they differ from RFC 1808. Input: BASE LF REFERENCE.
#![no_main]

use absurl_fuzz::compare::{Kind, Reason, reasons};
use absurl_fuzz::resolver::{Base, resolve};
use absurl_fuzz::spec::{PreparedBase, Spec};
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
        let prepared = PreparedBase::new(spec, base_text);
        let mut url = b"before".to_vec();
        let answer = prepared.resolve(reference, &mut url);
        let url = url.strip_prefix(b"before").expect("what was there before");
        assert!(answer.is_ok() || url.is_empty());
        assert!(std::str::from_utf8(url).is_ok());

        // a base can be used again
        let mut again = Vec::new();
        assert_eq!(prepared.resolve(reference, &mut again), answer);
        assert_eq!(again, url);

        // there is a reason for each difference, and it is known
        let own_url = own.as_deref().map_err(|error| *error);
        let reasons = reasons(spec, [base_text; 2], reference, own_url, answer.map(|()| url));
        let differ = match (&own, answer) {
            (Ok(own), Ok(())) => own != url,
            (Err(_), Err(_)) => false,
            _ => true,
        };
        assert_eq!(!reasons.is_empty(), differ, "{reasons:?}");
        assert!(reasons.iter().all(|reason| reason != Reason::Other), "{}", url.escape_ascii());
        let spelling = reasons.iter().all(|reason| reason.kind() == Kind::Spelling);
        assert_eq!(spelling, reasons.of_meaning().is_empty());

        // by WHATWG an answer is the answer to itself, but the url crate has faults of its own in what
        // it makes of file; by RFC 3986 it may have an inherited path, dots and all
        if answer.is_ok() && spec == Spec::Whatwg && !url.starts_with(b"file:") {
            let mut again = Vec::new();
            assert_eq!(PreparedBase::new(spec, b"").resolve(url, &mut again), Ok(()));
            same(&again, url);
        }
    }
});
