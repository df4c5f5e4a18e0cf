//! The text of STYLE.

use super::attributes::{IMPORTS, STYLE};
use super::pending::{PendingLinks, ValueStart};
use crate::document::css::{find_import, may_have_urls};
use crate::document::place::layer::Escape;
use crate::document::place::pieces::{Pieces, length};
use crate::document::values::Options;

/// The text of a STYLE that is being read.
pub struct StyleText {
    /// Whether it is one of SVG, where markup is markup.
    pub is_svg: bool,
    /// The number of open elements with the STYLE. The text of elements in it is not its own.
    pub depth: usize,
    value_start: ValueStart,
    text: Pieces,
    /// Whether what comes next is in a CDATA section.
    is_in_cdata: bool,
}

impl StyleText {
    /// The text of a STYLE before its first byte.
    pub fn new(is_svg: bool, depth: usize, value_start: ValueStart) -> Self {
        StyleText { is_svg, depth, value_start, text: Pieces::new(value_start.start), is_in_cdata: false }
    }

    /// Adds the piece of text that ends at `offset`. `before`: where the tokenizer was before its last move.
    ///
    /// As with the values of attributes, how a piece is written is known by the moves only. For
    /// `<svg><style>ab&amp;c\r\nd&#65;`, whose text starts at 12: `ab` moves from 12 to 14; `&` ends at 19, 5 bytes
    /// after that; `c` moves to 20; LF to 21, for CR; `d` from 22 to 23 in one move, so the byte before it is the LF of
    /// CRLF; `A` moves by one byte, too, from 27 to 28, but 4 bytes after `d`: only the end of a reference is there.
    ///
    /// In CDATA, html5gum 0.9 has read the byte after `]` or `]]` when it gives them, but not yet at the end of the
    /// text.
    pub fn add(&mut self, piece: &[u8], before: u64, offset: u64) {
        let is_bracket = self.is_in_cdata && matches!(piece, b"]" | b"]]");
        let is_late = is_bracket && length(self.text.end, offset) <= piece.len() + 2; // text after `]]>` ends later
        let offset = if is_late { self.text.end + piece.len() as u64 } else { offset };
        let is_one_move = before.wrapping_add(piece.len() as u64) == offset;
        // a text is read in one move; a single byte is, too, but so is the end of `&#65;`
        let is_text = is_one_move && (piece.len() != 1 || before <= self.text.end + 1);
        if is_text {
            self.skip_to(before); // the LF of CRLF, the end of CDATA
        } else if self.is_in_cdata && length(self.text.end, offset) == piece.len() + 3 {
            self.skip_to(self.text.end + 3); // `]]>`
        }
        let raw_len = length(self.text.end, offset);
        self.is_in_cdata &= raw_len <= piece.len() + 1;
        let is_replaced = raw_len != piece.len() || !is_text && !piece.is_ascii();
        self.text.add(piece, offset, is_replaced, self.is_in_cdata);
    }

    /// Skips what is not text, up to an offset.
    fn skip_to(&mut self, offset: u64) {
        self.is_in_cdata &= offset <= self.text.end + 1; // `]]>` is longer than the LF of CRLF
        self.text.skip_to(offset);
    }

    /// Starts a CDATA section, whose text starts at an offset.
    pub fn start_cdata(&mut self, offset: u64) {
        self.skip_to(offset);
        self.is_in_cdata = true;
    }

    /// Adds its links to the pending ones.
    pub fn end(self, pending: &mut PendingLinks, options: &Options) {
        let (text, mut layer) = self.text.finish();
        if text.as_deref().is_none_or(|text| may_have_urls(text, options)) {
            if !self.is_svg {
                layer.escape = Escape::Verbatim;
            }
            let has_import = || text.as_deref().is_some_and(|text| find_import(text).is_some());
            let again = (options.wary && !self.is_svg && has_import()).then(|| layer.clone());
            pending.push((b"style", &STYLE), text.as_deref(), self.value_start, layer);
            if let Some(layer) = again {
                pending.push((b"style", &IMPORTS), text.as_deref(), self.value_start, layer);
            }
        }
    }
}
