//! absurl's resolver and its peers on the same list in one run, and their ratios.
//!
//! `cargo bench` prints what divan measures, then the median of the ratios of runs side by side,
//! which a busy machine changes less.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench has no user")]

#[path = "../src/fast/mod.rs"]
#[allow(dead_code, reason = "its tests are the program's")]
mod fast;
#[path = "../src/limits.rs"]
#[allow(dead_code, reason = "documents have most of them")]
mod limits;
#[path = "../src/resolver/mod.rs"]
#[allow(dead_code, unused_imports, reason = "explanations and JSON need more of it")]
mod resolver;

use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use fluent_uri::resolve::Resolver;
use fluent_uri::{Uri, UriRef};
use resolver::{Base, resolve};
use url::Url;

/// References in a realistic mix: `yardsticks/gen.py mixed 1000 mixed.txt`.
const LIST: &str = include_str!("mixed.txt");

/// Their base, without the fragment that fluent-uri does not take.
const BASE: &str = "http://www.example.com/docs/guide/chapter/page.html;v=1?x=y";

/// How many runs side by side a ratio is the median of.
const RUNS: usize = 500;

/// Answers the complete list into a buffer.
type Way = fn(&mut Vec<u8>);

/// All ways; the first one is what the others are compared with.
const WAYS: [(&str, Way); 4] =
    [("absurl", absurl), ("absurl, the general way", general), ("fluent-uri", fluent), ("url", url)];

/// As the program does it: the fast way, and the general way for the rest.
fn absurl(out: &mut Vec<u8>) {
    let base = Base::new(BASE.as_bytes()).expect("a base");
    let mut shortcut = fast::Shortcut::new(b'\n', false, false);
    shortcut.set_base(&base);
    let (mut rest, mut path, mut length) = (LIST.as_bytes(), Vec::new(), 0);
    out.resize(4 * LIST.len(), 0);
    loop {
        let done = shortcut.fill(rest, rest.len(), out.split_at_mut(length).1);
        rest = rest.split_at(done.read).1;
        length += done.written;
        let Some(record) = rest.split_inclusive(|&byte| byte == b'\n').next() else { break };
        rest = rest.split_at(record.len()).1;
        let text = record.strip_suffix(b"\n").unwrap_or(record);
        let mut put = |piece: &[u8]| {
            let end = length + piece.len();
            out.get_mut(length..end).expect("room for the answer").copy_from_slice(piece);
            length = end;
        };
        resolve(&base, text, &mut path, |_| {}).expect("an answer").write(&mut put);
        put(b"\n");
    }
    out.truncate(length);
}

/// By `resolve` alone.
fn general(out: &mut Vec<u8>) {
    let base = Base::new(BASE.as_bytes()).expect("a base");
    let mut path = Vec::new();
    for line in LIST.lines() {
        resolve(&base, line.as_bytes(), &mut path, |_| {}).expect("an answer").write(|piece| out.extend(piece));
        out.push(b'\n');
    }
}

/// By fluent-uri.
fn fluent(out: &mut Vec<u8>) {
    let resolver = Resolver::with_base(Uri::parse(BASE).expect("a base"));
    for line in LIST.lines() {
        let reference = UriRef::parse(line).expect("a reference");
        out.extend(resolver.resolve(&reference).expect("an answer").as_str().as_bytes());
        out.push(b'\n');
    }
}

/// By url.
fn url(out: &mut Vec<u8>) {
    let base = Url::parse(BASE).expect("a base");
    for line in LIST.lines() {
        out.extend(base.join(line).expect("an answer").as_str().as_bytes());
        out.push(b'\n');
    }
}

/// What divan measures of a way.
#[divan::bench(args = WAYS.map(|(name, _)| name))]
fn list(bencher: Bencher<'_, '_>, name: &str) {
    let way = WAYS.iter().find(|(other, _)| *other == name).expect("a way").1;
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(LIST.lines().count())).counter(BytesCount::of_str(LIST)).bench_local(|| {
        out.clear();
        way(black_box(&mut out));
    });
}

/// How long a way takes.
fn time(way: Way, out: &mut Vec<u8>) -> Duration {
    out.clear();
    let start = Instant::now();
    way(black_box(out));
    start.elapsed()
}

/// Runs the benches, then compares the ways.
fn main() {
    divan::main();
    let mut out = Vec::new();
    let (_, first) = WAYS[0];
    for (name, way) in WAYS {
        let mut ratios: Vec<_> =
            (0..RUNS).map(|_| time(way, &mut out).as_secs_f64() / time(first, &mut out).as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        println!("{name}: {:.2} times as long as absurl", ratios.get(RUNS / 2).copied().unwrap_or_default());
    }
}
