//! Files that are surely not documents: by their first bytes, or because they have no tag.

use std::io::{self, Read};

/// What other files start with, what they are, and how to make a document of them.
const OTHERS: [(&[u8], &str); 9] = [
    (b"\x1F\x8B", "the file is compressed with gzip; decompress it first: zcat FILE | absurl --links"),
    (b"\xFD7zXZ\0", "the file is compressed with xz; decompress it first: xzcat FILE | absurl --links"),
    (b"\x28\xB5\x2F\xFD", "the file is compressed with zstd; decompress it first: zstdcat FILE | absurl --links"),
    (b"PK\x03\x04", "the file is a zip archive; extract a page first: unzip -p FILE PAGE | absurl --links"),
    (b"%PDF-", "the file is a PDF; convert it first: pdftohtml -stdout FILE | absurl --links"),
    (b"\x89PNG\r\n", IMAGE),
    (b"GIF8", IMAGE),
    (b"\xFF\xD8\xFF", IMAGE),
    (b"RIFF", "the file is an image, audio or video; only HTML and mail can be read"),
];

/// The message about most images.
const IMAGE: &str = "the file is an image; only HTML and mail can be read";

/// Refuses what is not a document by its first bytes.
///
/// # Errors
/// The bytes are those of a compressed file, an archive, a PDF or an image.
pub fn check_first_bytes(start: &[u8]) -> io::Result<()> {
    match OTHERS.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, what)) => Err(io::Error::other(*what)),
        None => Ok(()),
    }
}

/// A text that ends in an error if it has no tag. UTF-16 is read too, because NUL bytes are ignored.
pub struct TagSearch<R> {
    /// The text.
    text: R,
    /// The last byte that was read; `None` at the start.
    last: Option<u8>,
    /// Whether a tag was found.
    has_tag: bool,
}

impl<R> TagSearch<R> {
    /// Starts to read a text.
    pub fn new(text: R) -> Self {
        TagSearch { text, last: None, has_tag: false }
    }
}

impl<R: Read> Read for TagSearch<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(bytes)?;
        if length == 0 && !bytes.is_empty() && !self.has_tag {
            return Err(io::Error::other(match self.last {
                None => "the document is empty",
                Some(_) => "the text has no HTML tag; for a list of references, use --file, not --links",
            }));
        }
        let mut rest = bytes[..length].iter().copied().filter(|byte| *byte != 0);
        while !self.has_tag
            && let Some(byte) = rest.next()
        {
            self.has_tag = self.last == Some(b'<') && (byte.is_ascii_alphabetic() || byte == b'/');
            self.last = Some(byte);
        }
        Ok(length)
    }
}
