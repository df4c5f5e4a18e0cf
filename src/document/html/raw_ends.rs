//! Where text ends that is markup here, and raw text for others: that of NOSCRIPT where scripts run, and of TITLE,
//! STYLE and the like in SVG, MATH and frames for a browser that looks ahead without a tree.
//!
//! Nothing in raw text is markup. So this reading has all that the other one has if both go on at the same end tag.

use super::elements::OpenElements;

/// A text that is raw for others.
pub struct RawEnd {
    /// The name of its element.
    pub name: &'static [u8],
    /// The offset where it starts.
    pub start: u64,
    /// The offset of the end tag that ends it; the greatest number if there is no such tag.
    pub end: u64,
    /// The line and column where it starts.
    pub place: (u64, u64),
    /// If it is that of NOSCRIPT: how many elements were open before, and whether one of SVG or MATH was.
    pub before: Option<(usize, bool)>,
    /// The smallest number of elements that have been open since then.
    pub lowest: usize,
}

impl RawEnd {
    /// Whether the open elements after the end tag may decide otherwise what follows than if the text had been raw.
    fn changes(&self, open: &OpenElements) -> bool {
        let Some((depth, was_in_foreign)) = self.before else { return false };
        (open.depth() != depth || self.lowest < depth) && (was_in_foreign || open.has_foreign())
    }
}

/// The texts that are raw for others, and have not ended.
#[derive(Default)]
pub struct RawEnds {
    ends: Vec<RawEnd>,
    /// The line and column of the first one that ends for others, but not here.
    pub wrong: Option<(u64, u64)>,
}

impl RawEnds {
    /// Whether an end tag is awaited.
    pub fn are_awaited(&self) -> bool {
        self.ends.iter().any(|raw| raw.end < u64::MAX)
    }

    /// Whether it is known where the next text of an element would end that has a name.
    pub fn has(&self, name: &[u8]) -> bool {
        self.ends.iter().any(|raw| raw.name == name)
    }

    pub fn add(&mut self, raw: RawEnd) {
        self.ends.push(raw);
    }

    /// Where the text of a NOSCRIPT starts that has no end in a text that ends at an offset.
    pub fn unclosed(&self, offset: u64) -> Option<(u64, u64)> {
        let is_unclosed = |raw: &&RawEnd| raw.before.is_some() && raw.end == u64::MAX && raw.start < offset;
        self.ends.iter().find(is_unclosed).map(|raw| raw.place)
    }

    /// Passes a tag that ends at an offset, or the end of the page. `end_tag`: where it starts, if it is an end tag.
    pub fn pass(&mut self, offset: u64, end_tag: Option<u64>, open: &OpenElements) {
        let RawEnds { ends, wrong } = self;
        ends.retain_mut(|raw| {
            raw.lowest = raw.lowest.min(open.depth());
            let is_passed = raw.end < offset;
            if is_passed && (end_tag != Some(raw.end) || raw.changes(open)) {
                wrong.get_or_insert(raw.place);
            }
            !is_passed
        });
    }
}
