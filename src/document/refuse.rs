//! What no document can be made of: XML without a known root, and HTML without a tag.

use std::io::{self, Read};

use crate::refuse::utf16;

/// The message about XML that has no known root.
pub const UNKNOWN_XML: &str =
    "the file is XML of an unknown type; use xmllint --xpath, or --media-type application/xml for xml:base and XLink";

/// A text that ends in an error if it has no tag. UTF-16 is read too, because NUL bytes are ignored.
pub struct TagSearch<R> {
    text: R,
    /// The last byte that was read; `None` at the start.
    last: Option<u8>,
    /// Whether that is in the name of a tag.
    is_in_name: bool,
    /// Whether a tag was found.
    has_tag: bool,
    /// Whether it starts with bytes that no text has.
    is_binary: bool,
}

impl<R> TagSearch<R> {
    /// Starts to read a text.
    pub fn new(text: R) -> Self {
        TagSearch { text, last: None, is_in_name: false, has_tag: false, is_binary: false }
    }
}

impl<R: Read> Read for TagSearch<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(bytes)?;
        if length == 0 && !bytes.is_empty() && !self.has_tag {
            let what = match self.last {
                None => "the document is empty",
                Some(_) if self.is_binary => "the file is binary data; only HTML, CSS, XML and mail can be read",
                Some(_) => "the text has no HTML tag; use --media-type text/css for CSS, --file for a list",
            };
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        if self.last.is_none() {
            let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != b'\x1B';
            self.is_binary = bytes[..length].iter().any(is_control) && utf16(&bytes[..length]).is_none();
        }
        let mut rest = bytes[..length].iter().copied().filter(|byte| *byte != 0);
        while !self.has_tag
            && let Some(byte) = rest.next()
        {
            let is_start = self.last == Some(b'<') && (byte.is_ascii_alphabetic() || byte == b'/');
            let is_end = byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            // not <http://a/> and <me@b>, which are links of Markdown
            self.has_tag = self.is_in_name && is_end && self.last.is_some_and(|last| last.is_ascii_alphanumeric());
            let is_name = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':' | b'_');
            self.is_in_name = is_start || self.is_in_name && is_name;
            self.last = Some(byte);
        }
        Ok(length)
    }
}
