//! What the tests share: running the program, the tables, chance that repeats itself, every string over an alphabet.
#![allow(dead_code, reason = "each test crate includes this module and uses a part of it")]

pub mod row;

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs the program with `arguments`, and `input` on its standard input.
pub fn absurl(arguments: &[&str], input: Vec<u8>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absurl"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is piped");
    // A thread of its own, as the program writes while it reads. It may well stop reading early (a usage error), so a
    // failed write says nothing; what it printed does.
    let writer = thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// The records of `output`, each without the `end` that it must have.
pub fn records(output: &[u8], end: u8) -> Vec<&[u8]> {
    let mut records: Vec<_> = output.split(|&b| b == end).collect();
    let rest = records.pop().expect("a split has at least one piece");
    assert!(rest.is_empty(), "the last record lacks its end: {}", rest.escape_ascii());
    records
}

/// The rows of a tab-separated table below its header, each of `N` fields.
pub fn rows<const N: usize>(table: &str) -> Vec<[Vec<u8>; N]> {
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').map(unescape).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not {N} fields: {line}"))
    };
    table.lines().skip(1).map(row).collect()
}

/// The bytes of a table's field: `\xNN` is the byte NN, `\\` is a backslash, all else is itself.
fn unescape(field: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = if let Some(after) = escape.strip_prefix('\\') {
            bytes.push(b'\\');
            after
        } else {
            let (hex, after) = escape.strip_prefix('x').and_then(|hex| hex.split_at_checked(2)).expect("an escape");
            bytes.push(u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
            after
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Every string over `alphabet` of at most `longest` bytes, the empty one first.
pub fn every(alphabet: &[u8], longest: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..=longest).flat_map(move |length| {
        (0..alphabet.len().pow(length)).map(move |mut number| {
            let digit = |_| {
                let digit = number % alphabet.len();
                number /= alphabet.len();
                alphabet[digit]
            };
            (0..length).map(digit).collect()
        })
    })
}

/// Chance that is the same on every run: the generator `SplitMix64`, begun with a seed.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("it is below a usize")
    }

    /// One of `items`.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }
}
