//! The sieve against the general way: a record that it skips is legal, or has the same answer by
//! all standards. Input: BASE LF, then records that end in LF.
#![no_main]

use absurl_fuzz::fast::sieve::{Law, Sieve};
use absurl_fuzz::resolver::grammar::{repeated_scheme, violations};
use absurl_fuzz::resolver::{Base, parse, resolve};
use absurl_fuzz::rfc1738::schemes::doubtful_scheme;
use absurl_fuzz::spec::Spec;
use absurl_fuzz::spec::prepared::{PreparedBase, is_normal};
use absurl_fuzz::{pair, same};
use libfuzzer_sys::fuzz_target;

/// Asserts that a law holds for a reference.
fn check(law: Law, base: &Base<'_>, reference: &[u8]) {
    if law == Law::Legal {
        let parts = parse(reference);
        assert_eq!(violations(reference, false).next(), None);
        assert_eq!(doubtful_scheme(&parts, &base.parts).or(repeated_scheme(&parts, &base.parts)), None);
        return;
    }
    let (mut path, mut own) = (Vec::new(), Vec::new());
    let resolved = resolve(base, reference, &mut path, |_| ()).expect("an answer by RFC 1808");
    resolved.write(|piece| own.extend_from_slice(piece));
    for spec in [Spec::Rfc3986, Spec::Whatwg] {
        let mut url = Vec::new();
        PreparedBase::new(spec, base.text).resolve(reference, &mut url).expect("an answer by the others");
        same(&url, &own);
    }
}

fuzz_target!(|data: &[u8]| {
    let (text, records) = pair(data);
    let Ok(given) = Base::new(text) else { return };
    for law in [Law::Legal, Law::Same] {
        for (end, base) in [(b'\n', Some(given)), (b'\0', Some(given)), (b'\n', None), (b'\0', None)] {
            let mut sieve = Sieve::new(law, end, base.is_none(), false);
            let mut single = Sieve::new(law, end, false, false);
            if let Some(base) = &base {
                sieve.set_base(base, is_normal(base));
                single.set_base(base, is_normal(base));
            }
            // what follows the records may be anything
            let block: Vec<u8> = records.iter().map(|&byte| if byte == b'\n' { end } else { byte }).collect();
            let after: Vec<u8> = block.iter().copied().chain([b'x'; 128]).take(128).collect();
            let block = [&block[..], &[end], &after].concat();
            let mut rest = &block[..block.len() - 128];
            while !rest.is_empty() {
                let done = sieve.pass(&block[block.len() - 128 - rest.len()..], rest.len());
                let (passed, after) = rest.split_at(done.read.min(rest.len()));
                for record in passed.split_inclusive(|&byte| byte == end) {
                    let record = record.strip_suffix(&[end]).expect("a record with its end");
                    let record = if end == b'\n' { record.strip_suffix(b"\r").unwrap_or(record) } else { record };
                    match base {
                        Some(base) => check(law, &base, record),
                        None => {
                            let tab = record.iter().position(|&byte| byte == b'\t').expect("a pair");
                            assert_eq!(violations(&record[..tab], true).next(), None);
                            check(law, &Base::new(&record[..tab]).expect("a base"), &record[tab + 1..]);
                        }
                    }
                }
                let next = after.iter().position(|&byte| byte == end).map_or(after.len(), |at| at + 1);
                let record = after[..next].strip_suffix(&[end]).unwrap_or(&after[..next]);
                if let Some(base) = &base
                    && single.skips(record)
                {
                    check(law, base, record);
                }
                rest = &after[next..];
            }
        }
    }
});
