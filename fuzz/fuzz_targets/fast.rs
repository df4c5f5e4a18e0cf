//! The fast way against the general one, byte for byte, as the program uses both: the general one
//! answers whatever the fast one leaves, over blocks that are cut anywhere. Input: BASE LF, then
//! records that end in LF; with a base in each record, only records.
#![no_main]

use absurl_fuzz::fast::Shortcut;
use absurl_fuzz::generate::Random;
use absurl_fuzz::resolver::{Base, resolve};
use absurl_fuzz::{pair, random, same};
use libfuzzer_sys::fuzz_target;

/// How records are read and answered.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    /// What ends a record.
    end: u8,
    /// The base of all; without one each record brings its own.
    base: Option<Base<'a>>,
    /// Whether each answer has its record before it.
    keep: bool,
}

impl Run<'_> {
    /// Answers a record by the general way, with an empty answer if it fails.
    fn general(&self, record: &[u8], out: &mut Vec<u8>) {
        let record = if self.end == b'\n' { record.strip_suffix(b"\r").unwrap_or(record) } else { record };
        if self.keep {
            out.extend_from_slice(record);
            out.push(b'\t');
        }
        let pair = match self.base {
            Some(base) => Some((base, record)),
            None => record
                .iter()
                .position(|&byte| byte == b'\t')
                .and_then(|tab| Some((Base::new(&record[..tab]).ok()?, &record[tab + 1..]))),
        };
        let mut path = Vec::new();
        if let Some((base, reference)) = pair
            && let Ok(resolved) = resolve(&base, reference, &mut path, |_| {})
        {
            resolved.write(|piece| out.extend_from_slice(piece));
        }
        out.push(self.end);
    }

    /// Answers a block up to each of the `cuts`, the fast way first, with `room` bytes for the output. The last
    /// record has no end and may not be answered. Asserts that each answer is the general one;
    /// returns the length of the records that were answered.
    fn check(&self, block: &[u8], cuts: &[usize], room: usize) -> usize {
        let mut shortcut = Shortcut::new(self.end, self.base.is_none(), self.keep);
        if let Some(base) = &self.base {
            shortcut.set_base(base);
        }
        let (mut out, mut expected) = (vec![0xAA; room], Vec::new());
        let (mut at, mut answered) = (0, 0);
        for &cut in cuts {
            loop {
                let rest = &block[at..cut];
                let done = shortcut.fill(rest, rest.len(), &mut out);
                let mut records = rest.split_inclusive(|&byte| byte == self.end);
                let mut read = 0;
                expected.clear();
                for _ in 0..done.records {
                    let record = records.next().expect("no more records than there are");
                    let text = record.strip_suffix(&[self.end]).expect("a record that has its end");
                    read += record.len();
                    self.general(text, &mut expected);
                }
                same(&out[..done.written], &expected);
                assert_eq!(done.read, read);
                at += read;
                answered += read;
                // the general way has the next one, if that is complete
                match records.next() {
                    Some(record) if record.ends_with(&[self.end]) => at += record.len(),
                    _ => break,
                }
            }
        }
        answered
    }
}

/// Makes a text longer in one place; bytes that are changed at random are rarely long.
fn stretch(text: &[u8], random: &mut Random) -> Vec<u8> {
    let place = random.below(text.len() + 1);
    let (least, more) = random.pick(&[(0, 70), (56, 16), (120, 16), (180, 80), (4000, 120)]);
    let filling = random.pick(&[&b"a"[..], b"/", b"a/", b"../", b".", b"x.y/", b"-1;?#:"]);
    let filling = filling.iter().cycle().take(least + random.below(more));
    text[..place].iter().chain(filling).chain(&text[place..]).copied().collect()
}

fuzz_target!(|data: &[u8]| {
    let mut random = random(data);
    let stretched;
    let data = if random.below(3) == 0 {
        stretched = stretch(data, &mut random);
        &stretched
    } else {
        data
    };
    let (base, lines) = pair(data);
    for end in [b'\n', 0] {
        // with NUL now and then each LF is a byte like any other
        let is_kept = random.below(4) == 0;
        let as_records = |block: &[u8]| -> Vec<u8> {
            let ended = |&byte: &u8| if byte == b'\n' && !is_kept { end } else { byte };
            block.iter().map(ended).collect()
        };
        for (base, block) in [(Some(base), as_records(lines)), (None, as_records(data))] {
            let Ok(base) = base.map(Base::new).transpose() else { continue };
            // a record near the end of its block is not answered
            let mut padded = block.clone();
            padded.push(end);
            padded.resize(padded.len() + 128, b'x');
            let records = 2 + padded.iter().filter(|&&byte| byte == end).count();
            let ample = 2 * padded.len() + records * (base.map_or(0, |base| base.text.len()) + 200);
            let mut cuts = [0; 3].map(|_| random.below(padded.len() + 1));
            cuts.sort_unstable();
            let little = random.below(ample);
            let run = |keep| Run { end, base, keep };
            let answered = run(false).check(&padded, &[padded.len()], ample);
            assert_eq!(run(true).check(&padded, &[padded.len()], ample), answered);
            let keep = random.below(2) == 0;
            run(keep).check(&padded, &[&cuts[..], &[padded.len()]].concat(), ample);
            run(!keep).check(&padded, &[padded.len()], little);
            run(keep).check(&block, &[block.len()], ample);
        }
    }
});
