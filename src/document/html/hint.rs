//! Whether what is read as HTML looks like Markdown that begins with a tag.

use std::cell::RefCell;

use memchr::{memchr2, memmem};

use super::lines::LineCounter;

/// Looks for a link of Markdown in the text of HTML that has no HTML, HEAD, BODY or DOCTYPE.
#[derive(Default)]
pub struct MarkdownHint {
    /// Whether it has one of these.
    pub is_page: bool,
    /// Whether PRE or CODE is open.
    is_in_code: bool,
    /// The line and column of the first one.
    found: Option<(u64, u64)>,
}

impl MarkdownHint {
    /// Whether text is wanted.
    pub fn wants_text(&self) -> bool {
        !self.is_page && self.found.is_none()
    }

    /// Follows a start tag or an end tag.
    pub fn tag(&mut self, name: &[u8], is_start: bool) {
        self.is_page |= matches!(name, b"html" | b"head" | b"body");
        if matches!(name, b"pre" | b"code") {
            self.is_in_code = is_start;
        }
    }

    /// Reads text that ends at an offset.
    pub fn text(&mut self, text: &[u8], end: u64, lines: &RefCell<LineCounter>) {
        if self.wants_text() && !self.is_in_code {
            let locate = |at| lines.borrow_mut().locate(end.saturating_sub((text.len() - at) as u64));
            self.found = memmem::find(text, b"](").or_else(|| definition_in(text)).map(locate);
        }
    }

    /// Where the first one is.
    pub fn found(&self) -> Option<(u64, u64)> {
        self.found.filter(|_| !self.is_page)
    }
}

/// Where a text has a line that starts as a reference definition, `[x]:`.
fn definition_in(text: &[u8]) -> Option<usize> {
    let mut starts = memmem::find_iter(text, b"\n[").map(|at| at + 1);
    starts.find(|&at| memchr2(b']', b'\n', &text[at..]).is_some_and(|end| text[at + end..].starts_with(b"]:")))
}
