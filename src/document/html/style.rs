//! The text of STYLE.

use super::attributes::{Attribute, Holds, STYLE, SVG_STYLES};
use super::pending::{PendingLinks, Spot};
use crate::document::css::may_have_urls;
use crate::document::layer::{Escape, Replaced};
use crate::limits::MAX_RECORD;

/// The text of a STYLE that is being read.
#[derive(Default)]
pub struct StyleText {
    /// Whether it is one of SVG, where markup is markup.
    pub is_svg: bool,
    /// The number of open elements with the STYLE. The text of elements in it is not its own.
    pub depth: usize,
    /// Where it starts.
    spot: Spot,
    /// The offset where it ends so far.
    end: u64,
    /// The text; `None` if it is too long.
    text: Option<Vec<u8>>,
    /// What was replaced in it.
    replaced: Vec<Replaced>,
    /// Whether what comes next is in a CDATA section.
    is_in_cdata: bool,
    /// Whether there is something outside CDATA.
    has_plain: bool,
    /// Whether there is something in CDATA.
    has_cdata: bool,
}

impl StyleText {
    /// Starts with a text.
    pub fn new(is_svg: bool, depth: usize, spot: Spot) -> Self {
        StyleText { is_svg, depth, spot, end: spot.start, text: Some(Vec::new()), ..StyleText::default() }
    }

    /// Adds the piece of text that ends at `offset`. `before`: where the tokenizer was before its last move.
    pub fn add(&mut self, piece: &[u8], before: u64, offset: u64) {
        let is_one_move = before.wrapping_add(piece.len() as u64) == offset;
        // a text is read in one move; a single byte is, too, but so is the end of `&#65;`
        let is_text = is_one_move && (piece.len() != 1 || before <= self.end + 1);
        if is_text {
            self.skip_to(before); // the LF of CRLF, the end of CDATA
        }
        let Some(text) = &mut self.text else { return };
        let raw_len = length(self.end, offset);
        self.is_in_cdata &= raw_len <= piece.len() + 1;
        if !piece.trim_ascii().is_empty() {
            self.has_cdata |= self.is_in_cdata;
            self.has_plain |= !self.is_in_cdata;
        }
        if raw_len != piece.len() || !is_text && !piece.is_ascii() {
            let raw_at = length(self.spot.start, self.end);
            self.replaced.push(Replaced { at: text.len(), len: piece.len(), raw_at, raw_len });
        }
        self.end = offset;
        text.extend_from_slice(piece);
        if text.len() > MAX_RECORD {
            (self.text, self.replaced) = (None, Vec::new());
        }
    }

    /// Skips what is no text, up to an offset.
    fn skip_to(&mut self, offset: u64) {
        self.is_in_cdata &= offset <= self.end + 1; // `]]>` is longer than the LF of CRLF
        if let Some(text) = &self.text
            && offset > self.end
        {
            let (raw_at, raw_len) = (length(self.spot.start, self.end), length(self.end, offset));
            self.replaced.push(Replaced { at: text.len(), len: 0, raw_at, raw_len });
            self.end = offset;
        }
    }

    /// Starts a CDATA section, whose text starts at an offset.
    pub fn start_cdata(&mut self, offset: u64) {
        self.skip_to(offset);
        self.is_in_cdata = true;
    }

    /// What its text is like.
    fn kind(&self) -> &'static Attribute {
        let escape = Escape::of_text(self.has_plain, self.has_cdata);
        SVG_STYLES.iter().find(|(_, holds)| self.is_svg && *holds == Holds::Style(escape)).unwrap_or(&STYLE)
    }

    /// Adds its links to the pending ones.
    pub fn end(self, pending: &mut PendingLinks) {
        if self.text.as_deref().is_none_or(may_have_urls) {
            pending.push(b"style", self.kind(), self.text.as_deref(), self.spot, &self.replaced);
        }
    }
}

/// The length between two offsets.
pub fn length(start: u64, end: u64) -> usize {
    usize::try_from(end - start).unwrap_or(usize::MAX)
}
