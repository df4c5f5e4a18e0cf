//! Makes texts: every one over an alphabet, and random ones that are the same in each run.

/// Every text of at most `longest` pieces of an alphabet, the empty one first.
pub fn every<P: AsRef<[u8]> + Sync>(alphabet: &[P], longest: u32) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let radix = alphabet.len();
    (0..=longest).flat_map(move |length| {
        (0..radix.pow(length)).map(move |number| {
            let mut text = Vec::new();
            (0..length).for_each(|place| text.extend_from_slice(alphabet[number / radix.pow(place) % radix].as_ref()));
            text
        })
    })
}

/// An alphabet of single bytes.
pub fn single_bytes<const N: usize>(alphabet: &[u8; N]) -> [[u8; 1]; N] {
    alphabet.map(|byte| [byte])
}

/// The generator `SplitMix64`, started with a seed.
#[derive(Clone)]
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
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }
}

/// A base and a reference.
pub type Pair = (Vec<u8>, Vec<u8>);

/// A string of fewer than `longest` bytes without any of the bytes `never`: delimiters, dots, or anything.
pub fn string(random: &mut Random, longest: usize, never: &[u8]) -> Vec<u8> {
    let length = random.below(longest);
    let piece = |random: &mut Random, style| match style {
        0 => random.pick(&["/", "/", ".", ".", "..", "g", ";", "?", "#", ":"]).as_bytes().to_vec(),
        1 => random.pick(&["/", "../", "./", "g/", "/..", "..", ".", "%2e", "...", "a-b_c.html"]).as_bytes().to_vec(),
        2 => random.pick(&["/", "g", "x.y", "../", "\u{e9}", "\u{20ac}", "?k=v&", "#", ";t=a"]).as_bytes().to_vec(),
        3 => vec![random.byte() & 0x7F],
        _ => vec![random.byte()],
    };
    let style = random.below(6); // the last: a new style for each piece
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let style = if style == 5 { random.below(5) } else { style };
        bytes.extend(piece(random, style));
    }
    bytes.iter_mut().filter(|b| never.contains(b)).for_each(|b| *b = b'g');
    bytes
}

/// A base: most are valid, some empty, some without scheme, some unsuitable.
pub fn some_base(random: &mut Random, never: &[u8]) -> Vec<u8> {
    let never = [never, b"\t"].concat();
    let start = match random.below(20) {
        0 => return Vec::new(),
        1 => "",
        2 => random.pick(&["mailto:", "MAILTO:", "news:", "NeWs:", "telnet:", "telneT://h/", "newsx:"]),
        _ => random.pick(&[
            "http://a/",
            "http://a",
            "http://a//",
            "HTTP:",
            "file:///",
            "urn:",
            "x-1.y+z://u@h:80/",
            "g:/",
        ]),
    };
    [start.as_bytes(), &string(random, 24, &never)].concat()
}

/// A reference: one in twelve has a scheme, one in twelve a `net_loc`.
pub fn some_reference(random: &mut Random, never: &[u8]) -> Vec<u8> {
    let start = match random.below(12) {
        0 => random.pick(&["g:", "http:", "1+.-:", "MailTo:"]),
        1 => "//",
        _ => "",
    };
    [start.as_bytes(), &string(random, 24, never)].concat()
}

/// `count` pairs of base and reference, without any of the bytes `never`.
pub fn some_pairs(seed: u64, count: usize, never: &[u8]) -> Vec<Pair> {
    let mut random = Random(seed);
    (0..count).map(|_| (some_base(&mut random, never), some_reference(&mut random, never))).collect()
}

/// The pairs as records `BASE TAB REFERENCE`, each with its `end`.
pub fn as_pairs(pairs: &[Pair], end: u8) -> Vec<u8> {
    pairs.iter().flat_map(|(base, reference)| [base, &b"\t"[..], reference, &[end]].concat()).collect()
}

/// The references as records, each with its `end`.
pub fn as_records(references: &[impl AsRef<[u8]>], end: u8) -> Vec<u8> {
    references.iter().flat_map(|reference| [reference.as_ref(), &[end]].concat()).collect()
}

/// The pairs as slices.
pub fn slices(pairs: &[Pair]) -> impl Iterator<Item = (&[u8], &[u8])> {
    pairs.iter().map(|(base, reference)| (&base[..], &reference[..]))
}

/// Random texts from a seed: mostly bytes that mean something, some that are not allowed.
pub fn random_texts(seed: u64, texts: usize, longest: usize) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let mut random = Random(seed);
    (0..texts).map(move |_| {
        let length = random.below(longest);
        let kinds = if random.below(4) == 0 { 8 } else { 7 };
        let mut byte = |_| match random.below(kinds) {
            0 | 1 => b":/?#;.@&="[random.below(9)],
            2 => b'%',
            3 => b"0123456789abcdefABCDEF"[random.below(22)],
            4 => b"$-_.+!*'(),"[random.below(11)],
            5 | 6 => b"ghxyzGHXYZ"[random.below(10)],
            _ => random.byte().max(1),
        };
        (0..length).map(&mut byte).collect()
    })
}
