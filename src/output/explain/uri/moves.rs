//! The moves of RFC 3986 §5.2.4 for one path, as [`remove_dots`](crate::spec::rfc3986::remove_dots) makes them.

use std::ops::Range;

use crate::spec::rfc3986::Moved;

/// A move of another rule than E: it takes a part of the path out.
pub struct Move {
    /// Its rule: `A` to `D`.
    pub rule: &'static str,
    /// What is taken from the output by C (empty if that is empty), or dropped by A and D: a range of the text.
    pub taken: Range<usize>,
    /// The length of the output after it.
    pub output: usize,
    /// How many of the first bytes of output and input came from the base.
    pub from_base: usize,
    /// Whether the input after it is the `/` of a `/.` or `/..` at the end.
    pub leaves_slash: bool,
}

/// The moves that clean a path.
pub struct Moves<'a> {
    /// The path: of the reference, or of base and reference, merged.
    pub text: &'a [u8],
    /// How many of its first bytes are the base's.
    pub base_len: usize,
    /// The moves, but those of rule E.
    pub all: Vec<Move>,
    /// The segments in the output, as ranges of the text.
    segments: Vec<Range<usize>>,
    /// Where in the text the input starts.
    start: usize,
    /// The length of the output, and how many of its first bytes came from the base.
    output: (usize, usize),
}

impl<'a> Moves<'a> {
    pub fn new(text: &'a [u8], base_len: usize) -> Self {
        Moves { text, base_len, all: Vec::new(), segments: Vec::new(), start: 0, output: (0, 0) }
    }

    /// Adds the next move.
    pub fn add(&mut self, moved: &Moved<'_>) {
        let (start, (before, kept), end) = (self.start, self.output, self.text.len());
        // of "/." and "/.." at the end, the "/" is left
        let leaves_slash = moved.input == b"/" && !self.text.ends_with(b"/");
        let input = if leaves_slash { start..start + 1 } else { end - moved.input.len()..end };
        let from_base = |range: &Range<usize>| self.base_len.clamp(range.start, range.end) - range.start;
        let output = moved.output.len();
        self.output = (output, kept.min(output));
        if moved.rule == "E" {
            let segment = start..start + output - before;
            self.output.1 += from_base(&segment);
            self.segments.push(segment);
        } else {
            let taken =
                if moved.rule == "C" { self.segments.pop().unwrap_or(start..start) } else { start..input.start };
            let from_base = self.output.1 + from_base(&input);
            self.all.push(Move { rule: moved.rule, taken, output, from_base, leaves_slash });
        }
        self.start = input.start;
    }

    /// Whether the path has dot segments.
    pub fn has_dots(&self) -> bool {
        !self.all.is_empty()
    }

    /// The length of the path without them, and how many of its first bytes are the base's.
    pub fn result(&self) -> (usize, usize) {
        self.output
    }

    /// What a move takes out of the path.
    pub fn removed(&self, one: &Move) -> Vec<u8> {
        let mut removed = match one.rule {
            "B" => b"/.".to_vec(),
            "C" => [self.taken(one), b"/.."].concat(),
            _ => self.taken(one).to_vec(),
        };
        // the "/" that is left is the first byte, but after a first segment without one
        if one.leaves_slash && removed.starts_with(b"/") {
            removed.remove(0);
        }
        removed
    }

    /// What a move takes.
    pub fn taken(&self, one: &Move) -> &'a [u8] {
        &self.text[one.taken.clone()]
    }

    /// The segments that are taken from the output, each without its slash.
    pub fn parents(&self) -> impl Iterator<Item = &'a [u8]> {
        let taken = self.all.iter().filter(|one| one.rule == "C" && !one.taken.is_empty());
        taken.map(|one| self.taken(one)).map(|segment| segment.strip_prefix(b"/").unwrap_or(segment))
    }

    /// Whether a move leaves out a `..` that has nothing to take away.
    pub fn is_surplus(&self, one: &Move) -> bool {
        match one.rule {
            "C" => one.taken.is_empty(),
            "A" | "D" => self.taken(one).starts_with(b".."),
            _ => false,
        }
    }

    /// Whether a move leaves out a `.`.
    pub fn is_dot(&self, one: &Move) -> bool {
        matches!(one.rule, "A" | "B" | "D") && !self.is_surplus(one)
    }
}
