//! The other standards, and why they differ from RFC 1808. Input: BASE LF REFERENCE.
#![no_main]

use absurl_fuzz::resolver::{Base, resolve};
use absurl_fuzz::spec::{Spec, Specs, Why, why};
use absurl_fuzz::{BASE, pair, same};
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
    let mut specs = Specs::default();
    let other = Base::new(BASE).expect("the base of section 5");
    for spec in [Spec::Rfc3986, Spec::Whatwg] {
        let mut url = b"before".to_vec();
        let answer = Specs::default().resolve(spec, &base, reference, &mut url);
        let url = url.strip_prefix(b"before").expect("what was there before");
        assert!(answer.is_ok() || url.is_empty());
        assert!(std::str::from_utf8(url).is_ok());

        // the base of the record before is forgotten, and the same one is remembered
        let _ = specs.resolve(spec, &other, reference, &mut Vec::new());
        for _ in 0..2 {
            let mut again = Vec::new();
            assert_eq!(specs.resolve(spec, &base, reference, &mut again), answer);
            assert_eq!(again, url);
        }

        // there is a reason for each difference, and it is known
        let whys = why(spec, &base, reference, answer.map(|()| url));
        let differ = match (&own, answer) {
            (Ok(own), Ok(())) => own != url,
            (Err(_), Err(_)) => false,
            _ => true,
        };
        assert_eq!(!whys.is_empty(), differ, "{whys:?}");
        assert!(!whys.has(Why::Other), "{}", url.escape_ascii());
        assert_eq!(whys.iter().all(Why::is_normalisation), whys.of_meaning().is_empty());

        // by WHATWG an answer is the answer to itself, but the url crate has faults of its own in what
        // it makes of file; by RFC 3986 it may have an inherited path, dots and all
        if answer.is_ok() && spec == Spec::Whatwg && !url.starts_with(b"file:") {
            let mut again = Vec::new();
            let none = Base::new(b"").expect("no base");
            assert_eq!(specs.resolve(spec, &none, url, &mut again), Ok(()));
            same(&again, url);
        }
    }
});
