//! The removals of step 6: observed in the order of the text, explained in the order of the RFC.

use std::ops::Range;

use crate::resolver::merge::directory;
use crate::resolver::{Parts, Removed};

/// A removal of step 6 and its two ranges in the text that step 6 starts from. When the RFC's order comes to
/// it, all between them is gone: of `/b/c/../../g`, step 6c first removes `c/` and `../` (3..5 and 5..8), then
/// `b/` and `../` (1..3 and 8..11).
pub struct Removal {
    /// The step: `6a`, `6b`, `6c` or `6d`.
    pub step: &'static str,
    /// The parent; empty before `./` and `.`.
    pub parent: Range<usize>,
    pub dots: Range<usize>,
}

/// The removals of one merge, recorded for `--json` and `--explain`.
#[derive(Default)]
pub struct Removals {
    all: Vec<Removal>,
    /// What of the text before the last one is left: runs of whole segments.
    left: Vec<Range<usize>>,
}

impl Removals {
    /// Adds the next removal in the order of the text.
    pub fn add(&mut self, removed: &Removed<'_>) {
        let step = match removed.dots {
            b"./" => "6a",
            b"." => "6b",
            b"../" => "6c",
            _ => "6d",
        };
        let dots = removed.at..removed.at + removed.dots.len();
        let done = self.all.last().map_or(0, |last| last.dots.end);
        if done < dots.start {
            self.left.push(done..dots.start);
        }
        let mut parent = dots.start..dots.start;
        if !removed.parent.is_empty()
            && let Some(run) = self.left.pop()
        {
            parent = run.end - removed.parent.len()..run.end;
            if run.start < parent.start {
                self.left.push(run.start..parent.start);
            }
        }
        self.all.push(Removal { step, parent, dots });
    }

    /// All of them in the RFC's order.
    pub fn sorted(&mut self) -> &[Removal] {
        self.all.sort_by_key(|removal| removal.step);
        &self.all
    }
}

/// Step 6 as the RFC does it.
pub struct Merge<'a> {
    /// The base path that is merged.
    pub base: &'a [u8],
    /// Whether that is a `/`, because the base has no path: reading 5.
    pub is_base_empty: bool,
    /// The text that the rules are applied to: the base path up to its last slash, then the
    /// reference's path.
    pub text: Vec<u8>,
    /// How many bytes of `text` are the base's.
    pub base_len: usize,
    /// The removals in the RFC's order.
    pub removals: &'a [Removal],
}

impl<'a> Merge<'a> {
    /// The merge of a base path and the path of a reference.
    pub fn new(base: Parts<'a>, reference: &[u8], removals: &'a [Removal]) -> Self {
        let path = base.path_to_merge();
        let (above, is_base_empty) = (directory(path), path != base.path);
        let text = [above, reference].concat();
        Merge { base: path, is_base_empty, text, base_len: above.len(), removals }
    }

    /// The last segment of the base path, which the reference's path replaces.
    pub fn replaced(&self) -> &'a [u8] {
        &self.base[self.base_len..]
    }

    /// The removals of a step, each with its number among all of them.
    pub fn removals_of(&self, step: &str) -> impl Iterator<Item = (usize, &'a Removal)> {
        self.removals.iter().enumerate().filter(move |(_, removal)| removal.step == step)
    }

    /// What a removal removes: a parent and the dots after it, or the dots alone.
    pub fn removed(&self, Removal { parent, dots, .. }: &Removal) -> Vec<u8> {
        [&self.text[parent.clone()], &self.text[dots.clone()]].concat()
    }

    /// How many of the first `at` bytes of the text are left after so many removals.
    pub fn left(&self, at: usize, removals: usize) -> usize {
        let removed = self.removals[..removals].iter().flat_map(|removal| [&removal.parent, &removal.dots]);
        at - removed.filter(|range| range.start < at).map(ExactSizeIterator::len).sum::<usize>()
    }
}
