//! The removals of step 6: observed in the order of the text, explained in the order of the RFC.

use std::ops::Range;

use crate::resolver::merge::directory;
use crate::resolver::{Parts, Removed};

/// A removal of step 6, recorded for `--json` and `--explain`.
pub struct Removal {
    /// The rule: `a`, `b`, `c` or `d`.
    rule: char,
    /// The length of the parent.
    parent: usize,
    /// Where the dots are in the text that step 6 starts from.
    dots: Range<usize>,
}

impl From<Removed<'_>> for Removal {
    fn from(removed: Removed<'_>) -> Self {
        let rule = match removed.dots {
            b"./" => 'a',
            b"." => 'b',
            b"../" => 'c',
            _ => 'd',
        };
        Removal { rule, parent: removed.parent.len(), dots: removed.at..removed.at + removed.dots.len() }
    }
}

/// Step 6 as the RFC does it.
pub struct Merge<'a> {
    /// The base path that is merged.
    pub base: &'a [u8],
    /// The text that the rules are applied to: the base path up to its last slash, then the
    /// reference's path.
    pub text: Vec<u8>,
    /// How many bytes of `text` are the base's.
    pub directory: usize,
    /// The removals in the RFC's order.
    pub removals: Vec<Placed>,
}

/// A removal and its two places in the text that step 6 starts from. When the RFC's order comes to it,
/// all between them is gone.
pub struct Placed {
    /// The rule: `a`, `b`, `c` or `d`.
    pub rule: char,
    /// Where the parent is.
    pub parent: Range<usize>,
    /// Where the dots are.
    pub dots: Range<usize>,
}

impl Placed {
    /// What is removed from `text`.
    pub fn removed(&self, text: &[u8]) -> Vec<u8> {
        [&text[self.parent.clone()], &text[self.dots.clone()]].concat()
    }
}

impl<'a> Merge<'a> {
    /// Puts the removals of a merge in the RFC's order; linear.
    pub fn new(base: Parts<'a>, reference: &[u8], removals: &[Removal]) -> Self {
        let base = base.path_to_merge();
        let directory = directory(base);
        let mut placed = Vec::new();
        // what of the text before a removal is left: runs of whole segments
        let mut left: Vec<Range<usize>> = Vec::new();
        let mut done = 0;
        for Removal { rule, parent, dots } in removals {
            if done < dots.start {
                left.push(done..dots.start);
            }
            done = dots.end;
            let mut place = dots.start..dots.start;
            if *parent > 0
                && let Some(run) = left.pop()
            {
                place = run.end - parent..run.end;
                if run.start < place.start {
                    left.push(run.start..place.start);
                }
            }
            placed.push(Placed { rule: *rule, parent: place, dots: dots.clone() });
        }
        placed.sort_by_key(|removal| removal.rule);
        Merge { base, text: [directory, reference].concat(), directory: directory.len(), removals: placed }
    }

    /// How many of the first `place` bytes of the text are left after so many removals.
    pub fn left(&self, place: usize, removals: usize) -> usize {
        let removed = self.removals[..removals].iter().flat_map(|removal| [&removal.parent, &removal.dots]);
        place - removed.filter(|range| range.start < place).map(ExactSizeIterator::len).sum::<usize>()
    }

    /// How many of the first bytes of the path that is left in the end came from the base.
    pub fn kept_of_base(&self) -> usize {
        self.left(self.directory, self.removals.len())
    }
}
