//! Which hosts programs read that trim references and collapse slashes.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]

use super::{WEB, hosts_if_trimmed};
use crate::resolver::parse;
use crate::strip::BREAKS;
use crate::table::{assert_each, read_rows};

#[test]
fn each_row_has_its_hosts() {
    let rows = read_rows::<7>(include_str!("../../../tests/data/hosts.tsv"));
    assert_each(rows.iter().map(|[base, reference, .., hosts]| {
        let found = hosts_if_trimmed(parse(base).scheme.expect("a scheme"), reference);
        let found = if found.is_empty() { b"-".to_vec() } else { found.join(&b'|') };
        let name = format!("{} + {}", base.escape_ascii(), reference.escape_ascii());
        (name, found.escape_ascii().to_string(), hosts.escape_ascii().to_string())
    }));
}

#[test]
fn what_is_trimmed_or_collapsed_does_not_matter() {
    let rest = b"own.example\\@evil.test";
    let hosts = |parts: &[&[u8]]| {
        let text = parts.concat();
        (text.escape_ascii().to_string(), hosts_if_trimmed(b"http", &text))
    };
    let expect =
        |(name, hosts), is_host| (name, hosts, Vec::from_iter(Some(b"evil.test".to_vec()).filter(|_| is_host)));
    let mut all = Vec::new();
    for byte in 0..=b' ' {
        let (blank, is_break) = ([byte], BREAKS.contains(&byte));
        for scheme in [&b""[..], b"http:"] {
            all.push(expect(hosts(&[&blank, scheme, b"//", rest, &blank]), true));
            all.push(expect(hosts(&[&blank, &blank, scheme, b"///", rest, b"/", &blank, &blank]), true));
        }
        all.push(expect(hosts(&[b"/", &blank, b"/", rest]), is_break));
        all.push(expect(hosts(&[b"\\", &blank, &blank, b"/", rest]), is_break));
    }
    let slashes = (1..=4).flat_map(|count| (0..1 << count).map(move |bits| (count, bits)));
    for (count, bits) in slashes {
        let slashes: Vec<u8> = (0..count).map(|at| if bits >> at & 1 == 0 { b'/' } else { b'\\' }).collect();
        all.push(expect(hosts(&[&slashes, rest]), count > 1));
        for scheme in WEB {
            let mixed = [&scheme[..1].to_ascii_uppercase(), &scheme[1..]].concat();
            for scheme in [scheme.to_vec(), scheme.to_ascii_uppercase(), mixed] {
                all.push(expect(hosts(&[&scheme, b":", &slashes, rest]), true));
            }
        }
    }
    assert_each(all);
}
