//! The responses in a dump of HTTP, such as that of `curl -iL`. The last one has the document.

use memchr::{memchr_iter, memmem};

use super::header::{line_at, split_field};
use crate::limits::MAX_STATUS;
use crate::resolver::{Base, parse, resolve};

/// The status code in a status line of HTTP: version, space, three digits, and nothing or a space after them.
pub fn status(line: &[u8]) -> Option<&[u8]> {
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
    /// The Location of the last response, if it is a redirect: it was not followed.
    pub unfollowed: Option<Vec<u8>>,
    /// Where a response of another transfer seems to start in the last response's content, and the line.
    pub next_transfer: Option<(usize, u64)>,
    /// The line where the last response's content starts, if it has some, but not all as its header says.
    pub incomplete: Option<u64>,
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
    let mut location: Option<(Vec<u8>, u64)> = None;
    let ends_in_cr = ends_in_cr(text, at);
    let (mut is_partial, mut length, mut is_coded) = (false, 0, false);
    while let Some(code) = status(line_at(text, at).0) {
        if let Some((value, line)) = location.take() {
            redirects.follow(&value, line);
        }
        let is_redirect = matches!(code, b"301" | b"302" | b"303" | b"307" | b"308");
        (at, line) = (line_at(text, at).1, line + 1);
        header = Some(at);
        (is_partial, length, is_coded) = (code == b"206", 0, false);
        let mut is_location = false;
        while let (field_line, next) = line_at(text, at)
            && at < text.len()
        {
            (at, line) = (next, line + 1);
            match (split_field(field_line), &mut location) {
                _ if field_line.is_empty() => break,
                (Some((name, before)), _) if name.eq_ignore_ascii_case(b"content-length") => {
                    let value = str::from_utf8(&field_line[before..]).unwrap_or_default();
                    (length, is_location) = (value.trim().parse().unwrap_or(length), false);
                }
                (Some((name, _)), _) if name.to_ascii_lowercase().ends_with(b"-encoding") => {
                    (is_coded, is_location) = (true, false);
                }
                // a field goes on in lines that start with white space
                (None, Some((value, _))) if is_location && matches!(field_line, [b' ' | b'\t', ..]) => {
                    value.extend_from_slice(field_line.trim_ascii());
                }
                (Some((name, before)), None) if is_redirect && name.eq_ignore_ascii_case(b"location") => {
                    location = Some((field_line[before..].trim_ascii().to_vec(), line));
                    is_location = true;
                }
                _ => is_location = false,
            }
        }
    }
    // a dump whose lines lost their CR is shorter
    let lost = if ends_in_cr { 0 } else { memchr_iter(b'\n', &text[at..]).count() };
    let is_cut = is_partial || !is_coded && text.len() - at + lost < length;
    redirects.incomplete = (is_cut && at < text.len()).then_some(line + 1);
    redirects.unfollowed = location.map(|(value, _)| value);
    // an example of a response in the content is none
    let after = if is_coded { at } else { content_end(text, at, length, ends_in_cr) };
    redirects.next_transfer = header.and_then(|_| next_response(text, after, ends_in_cr)).map(|start| {
        let passed = memchr_iter(b'\n', &text[at..start]).count() as u64;
        (start, line + passed + 1)
    });
    header.map(|header| (header, redirects))
}

/// Where the content that starts at an offset ends at the earliest, if it has a length: its lines may have lost their CR.
fn content_end(text: &[u8], at: usize, length: usize, is_crlf: bool) -> usize {
    let content = &text[at..at.saturating_add(length).min(text.len())];
    let lost = if is_crlf { 0 } else { memchr_iter(b'\n', content).count() };
    at + content.len() - lost
}

/// Whether the line at an offset ends in CR and LF.
fn ends_in_cr(text: &[u8], at: usize) -> bool {
    let (line, next) = line_at(text, at);
    text.get(at + line.len()..next) == Some(b"\r\n")
}

/// Where a status line starts from an offset on, perhaps after a page without a line end, with a header field or an empty
/// line after it. Its lines end as those of the first response.
fn next_response(text: &[u8], from: usize, is_crlf: bool) -> Option<usize> {
    let mut starts = memmem::find_iter(&text[from..], b"HTTP/").map(|at| from + at);
    starts.find(|&start| {
        // status lines are short
        let near = &text[..text.len().min(start + MAX_STATUS)];
        let (line, next) = line_at(near, start);
        let (after, _) = line_at(near, next);
        matches!(near[start - 1], b'\n' | b'>' | b'}' | b'/' | b')')
            && status(line).is_some()
            && ends_in_cr(near, start) == is_crlf
            && (after.is_empty() && next > start + line.len() || split_field(after).is_some())
    })
}
