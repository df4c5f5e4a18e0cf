//! The moves of RFC 3986 §5.2.4 for one path, as [`remove_dots`](crate::spec::rfc3986::remove_dots) makes them.

use std::ops::Range;

use crate::spec::rfc3986::Moved;

/// A move from the input to the output, or several of rule E, one after the other.
pub struct Move {
    /// Its rule: `A` to `E`.
    pub rule: &'static str,
    /// What is moved by E, taken from the output by C (empty if that is empty), or dropped by A and D: a range of the
    /// text.
    pub taken: Range<usize>,
    /// The length of the output after it.
    pub output: usize,
    /// How many of the first bytes of the output came from the base.
    pub kept: usize,
    /// What of the text is the input after it.
    pub input: Range<usize>,
}

/// The moves that clean a path.
pub struct Moves<'a> {
    /// The path: of the reference, or of base and reference, merged.
    pub text: &'a [u8],
    /// How many of its first bytes are the base's.
    pub base_len: usize,
    pub all: Vec<Move>,
    /// The segments in the output, as ranges of the text.
    segments: Vec<Range<usize>>,
}

impl<'a> Moves<'a> {
    pub fn new(text: &'a [u8], base_len: usize) -> Self {
        Moves { text, base_len, all: Vec::new(), segments: Vec::new() }
    }

    /// Adds the next move.
    pub fn add(&mut self, moved: &Moved<'_>) {
        let (start, before, kept) =
            self.all.last().map_or((0, 0, 0), |last| (last.input.start, last.output, last.kept));
        let end = self.text.len();
        // of "/." and "/.." at the end, the "/" is left
        let is_slash = moved.input == b"/" && !self.text.ends_with(b"/");
        let input = if is_slash { start..start + 1 } else { end - moved.input.len()..end };
        let output = moved.output.len();
        let mut kept = kept.min(output);
        let taken = match moved.rule {
            "C" => self.segments.pop().unwrap_or(start..start),
            "E" => {
                let segment = start..start + output - before;
                kept += self.base_len.clamp(segment.start, segment.end) - segment.start;
                self.segments.push(segment.clone());
                segment
            }
            _ => start..input.start,
        };
        match self.all.last_mut() {
            Some(last) if [last.rule, moved.rule] == ["E", "E"] => {
                *last = Move { rule: "E", taken: last.taken.start..taken.end, output, kept, input };
            }
            _ => self.all.push(Move { rule: moved.rule, taken, output, kept, input }),
        }
    }

    /// Whether the path has dot segments.
    pub fn has_dots(&self) -> bool {
        self.all.iter().any(|one| one.rule != "E")
    }

    /// The length of the path without them, and how many of its first bytes are the base's.
    pub fn result(&self) -> (usize, usize) {
        self.all.last().map_or((0, 0), |last| (last.output, last.kept))
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
