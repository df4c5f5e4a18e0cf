//! The responses in a dump of HTTP, such as that of `curl -iL`. The last one has the document.

use memchr::{memchr_iter, memmem};

use super::header::{line_at, split_field};
use crate::resolver::{Base, parse, resolve};

/// Whether a line is a status line of HTTP: version, space, three digits, and nothing or a space
/// after them.
pub fn is_status(line: &[u8]) -> bool {
    status(line).is_some()
}

/// The status code in a status line.
fn status(line: &[u8]) -> Option<&[u8]> {
    let mut words = line.split(|byte| *byte == b' ');
    let is_version = match words.next().and_then(|word| word.strip_prefix(b"HTTP/")) {
        Some([major] | [major, b'.', b'0'..=b'9']) => major.is_ascii_digit(),
        _ => false,
    };
    words.next().filter(|code| is_version && code.len() == 3 && code.iter().all(u8::is_ascii_digit))
}

/// What the redirects that led to the last response say about the URL that it was retrieved from (§3.3).
#[derive(Clone, Default)]
pub struct Redirects {
    /// The Location of the last redirect; `None` if there was no redirect.
    pub last: Option<Vec<u8>>,
    /// The URL to which they led, if they name it, and the line of the last Location. A relative Location needs a URL
    /// before it in the dump.
    pub url: Option<(Vec<u8>, u64)>,
    /// The line in the last response's content where a response of another transfer seems to start.
    pub next_transfer: Option<u64>,
}

impl Redirects {
    /// Takes the Location of a redirect that was followed.
    fn follow(&mut self, location: &[u8], line: u64) {
        let mut url = Vec::new();
        if parse(location).scheme.is_some() {
            url.extend_from_slice(location); // silent: reading 21
        } else if let Some((before, _)) = &self.url
            && let Ok(base) = Base::new(before)
            && let Ok(resolved) = resolve(&base, location, &mut Vec::new(), |_| ())
        {
            resolved.write(|piece| url.extend_from_slice(piece));
        }
        self.url = (!url.is_empty()).then_some((url, line));
        self.last = Some(location.to_vec());
    }
}

/// Where the header of the last response starts in a text that starts with `at`, and the redirects before it; `None` if
/// there is no status line. `line` is the number of lines before `at`.
pub fn last_response(text: &[u8], mut at: usize, mut line: u64) -> Option<(usize, Redirects)> {
    let (mut header, mut redirects) = (None, Redirects::default());
    let mut location = None;
    while let Some(code) = status(line_at(text, at).0) {
        if let Some((value, line)) = location.take() {
            redirects.follow(value, line);
        }
        let is_redirect = matches!(code, b"301" | b"302" | b"303" | b"307" | b"308");
        (at, line) = (line_at(text, at).1, line + 1);
        header = Some(at);
        while let (field_line, next) = line_at(text, at)
            && at < text.len()
        {
            (at, line) = (next, line + 1);
            match split_field(field_line) {
                _ if field_line.is_empty() => break,
                Some((name, before)) if is_redirect && location.is_none() && name.eq_ignore_ascii_case(b"location") => {
                    location = Some((field_line[before..].trim_ascii(), line));
                }
                _ => {}
            }
        }
    }
    redirects.next_transfer = header.and_then(|_| next_response(text, at)).map(|start| {
        let passed = memchr_iter(b'\n', &text[at..start]).count() as u64;
        line + passed + 1
    });
    header.map(|header| (header, redirects))
}

/// Where a status line and a header field after it start in a content.
fn next_response(text: &[u8], content: usize) -> Option<usize> {
    let starts = memmem::find_iter(&text[content..], b"\nHTTP/").map(|at| content + at + 1);
    let mut starts = starts.filter(|start| {
        let (line, next) = line_at(text, *start);
        is_status(line) && split_field(line_at(text, next).0).is_some()
    });
    starts.next()
}
