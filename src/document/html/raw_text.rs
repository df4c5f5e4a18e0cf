//! Text of HTML that is no markup: of a comment, or of an element such as TITLE.

/// The text that is no markup, while it is read. If it is not closed, it may hide the rest of the page.
#[derive(Default)]
pub struct RawText {
    /// The element that has it; empty if there is none.
    element: Vec<u8>,
    /// Whether it is that of a comment.
    pub is_comment: bool,
    /// The line and the column where it starts.
    start: (u64, u64),
    /// Whether it is read as markup, too.
    is_read: bool,
    /// Whether it has the start of an end tag.
    has_end_tag: bool,
    /// Whether it has any text.
    has_text: bool,
    /// Whether its last piece is `<`.
    is_after_less_than: bool,
}

impl RawText {
    /// Starts with the text of an element, which starts there. `is_read`: it is read as markup, too.
    pub fn start(&mut self, element: &[u8], start: (u64, u64), is_read: bool) {
        self.end();
        self.element.extend_from_slice(element);
        (self.start, self.has_end_tag, self.is_after_less_than) = (start, false, false);
        (self.is_read, self.has_text) = (is_read, false);
    }

    /// Starts with a comment, whose text starts there.
    pub fn start_comment(&mut self, start: (u64, u64)) {
        self.is_comment = true;
        (self.start, self.has_end_tag, self.is_after_less_than) = (start, false, false);
    }

    /// Ends the text of an element, if that was being read.
    pub fn end(&mut self) {
        self.element.clear();
    }

    /// Whether no element of this kind is open.
    pub fn is_markup(&self) -> bool {
        self.element.is_empty()
    }

    /// Whether it is the text of an element.
    pub fn is_of(&self, element: &[u8]) -> bool {
        !self.element.is_empty() && self.element == element
    }

    /// Adds a piece. A comment, and a SCRIPT in a SCRIPT, have `</` in two pieces.
    pub fn push(&mut self, piece: &[u8]) {
        self.has_text = true;
        self.has_end_tag |= piece == b"</" || self.is_after_less_than && piece.starts_with(b"/");
        self.is_after_less_than = piece == b"<";
    }

    /// Where it starts, if the page ends in it. `may_be_empty`: that of an element has no text, perhaps.
    pub fn place(&self, may_be_empty: bool) -> Option<(u64, u64)> {
        let is_text = !self.element.is_empty() && (may_be_empty || self.has_text);
        (self.is_comment || is_text).then_some(self.start)
    }

    /// Where it starts, if the page ends in it and it seems to hide markup.
    pub fn hides_markup(&self) -> Option<(u64, u64)> {
        let is_text = self.is_comment || !self.is_read && !matches!(&*self.element, b"" | b"plaintext");
        (is_text && self.has_end_tag).then_some(self.start)
    }
}
