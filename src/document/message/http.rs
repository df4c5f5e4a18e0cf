//! The responses in a dump of HTTP, such as that of `curl -iL`. The last one has the document.

use memchr::{memchr_iter, memmem};

use super::fields::{Grammar, LinkField};
use super::header::{fields, line_at, split_field};
use crate::document::problem::Problem;
use crate::limits::MAX_STATUS;
use crate::resolver::{Parts, parse};

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
    /// The Locations that were followed, with their lines: those that decide about the last URL, each relative to the
    /// one before, and the first one to the first URL, which no dump has.
    pub followed: Vec<(Vec<u8>, u64)>,
    /// The Location of the last response, if it is a redirect: it was not followed.
    pub unfollowed: Option<Vec<u8>>,
}

impl Redirects {
    /// Takes the Location of a redirect that was followed.
    fn follow(&mut self, location: Vec<u8>, line: u64) {
        let Parts { scheme, net_loc, .. } = parse(&location);
        let is_first = self.followed.first().is_none_or(|(first, _)| parse(first).scheme.is_none());
        // to WHATWG, `http:x` is relative
        if scheme.is_some() && (is_first || net_loc.is_some()) {
            self.followed.clear();
        }
        self.followed.push((location, line));
    }
}

/// The last response in a dump.
#[derive(Default)]
pub struct LastResponse {
    /// Where its header starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is skipped at its end, with the line: the response of another transfer, or what was not received.
    pub skipped: Option<(u64, Problem)>,
    /// The redirects that led to it.
    pub redirects: Redirects,
    /// The Link fields of the early hints before it (RFC 8297).
    pub hints: Vec<LinkField>,
}

/// The last response in a text that starts with `at`, with `lines` lines before it; `None` if there is no status line.
pub fn last_response(text: &[u8], at: usize, lines: u64) -> Option<LastResponse> {
    let mut last = Response::read(text, at, lines)?;
    let (mut redirects, mut hints) = (Redirects::default(), Vec::new());
    while !last.is_final
        && let Some(next) = Response::read(text, last.content, last.lines)
    {
        hints.extend(last.hints(text));
        if let Some((location, line)) = last.location {
            redirects.follow(location, line);
        }
        last = next;
    }
    let (end, skipped) = last.end(text, ends_in_cr(text, at));
    redirects.unfollowed = last.location.map(|(location, _)| location).filter(|location| !location.is_empty());
    Some(LastResponse { start: last.header, end, skipped, redirects, hints })
}

/// What the header of a response says.
#[derive(Default)]
struct Response {
    /// Where the header starts, after the status line.
    header: usize,
    /// Where the content starts.
    content: usize,
    /// The number of lines before that.
    lines: u64,
    /// Whether it has early hints, and no content.
    is_hint: bool,
    /// Whether the content is a part of a whole.
    is_partial: bool,
    /// The bytes of the content; 0 if that is not known.
    length: usize,
    /// Whether the content was sent in a coding: `length` is then not that of what the dump has.
    is_coded: bool,
    is_redirect: bool,
    /// Whether it has a content of its own, so that what follows is that, or another transfer: it neither announces
    /// another response, nor is it that of a proxy to CONNECT.
    is_final: bool,
    /// Where a redirect leads, and the line.
    location: Option<(Vec<u8>, u64)>,
}

impl Response {
    /// Reads the header that starts with a status line at an offset; `None` if no such line is there.
    fn read(text: &[u8], at: usize, lines: u64) -> Option<Self> {
        let (line, header) = line_at(text, at);
        let code = status(line)?;
        let is_redirect = matches!(code, b"301" | b"302" | b"303" | b"307" | b"308");
        let (is_hint, is_partial, lines) = (code == b"103", code == b"206", lines + 1);
        let mut response =
            Response { header, content: header, lines, is_hint, is_partial, is_redirect, ..Self::default() };
        let mut is_location = false;
        let announces = matches!(code, [b'1' | b'3', ..] | b"401" | b"407");
        while response.content < text.len() {
            let (line, next) = line_at(text, response.content);
            (response.content, response.lines) = (next, response.lines + 1);
            is_location = match (split_field(line), &mut response.location) {
                _ if line.is_empty() => break,
                (Some((name, before)), _) => response.read_field(name, &line[before..]),
                // a field goes on in lines that start with white space
                (None, Some((location, _))) if is_location && matches!(line, [b' ' | b'\t', ..]) => {
                    location.extend_from_slice(line.trim_ascii());
                    true
                }
                _ => false,
            };
        }
        response.is_final &= !announces;
        Some(response)
    }

    /// Reads the first line of a field. Returns whether it is the Location.
    fn read_field(&mut self, name: &[u8], value: &[u8]) -> bool {
        let is_location = self.is_redirect && self.location.is_none() && name.eq_ignore_ascii_case(b"location");
        if is_location {
            self.location = Some((value.trim_ascii().to_vec(), self.lines));
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let value = str::from_utf8(value).unwrap_or_default();
            self.length = value.trim().parse().unwrap_or(self.length);
        }
        self.is_final |= self.length > 0 || name.eq_ignore_ascii_case(b"content-type");
        self.is_coded |= name.last_chunk().is_some_and(|end: &[u8; 9]| end.eq_ignore_ascii_case(b"-encoding"));
        is_location
    }

    /// Its Link fields, if it has early hints.
    fn hints(&self, text: &[u8]) -> impl Iterator<Item = LinkField> {
        let range = if self.is_hint { self.header..self.content } else { 0..0 };
        let line = self.lines + 1 - memchr_iter(b'\n', &text[range.clone()]).count() as u64;
        let links = fields(text, range, line).filter_map(|(name, value, line)| LinkField::new(name, value, line));
        links.filter(|field| field.grammar == Grammar::Link).map(|field| LinkField { is_hint: true, ..field })
    }

    /// Where it ends, and what is skipped there, with the line. `is_crlf`: the lines of the dump end in CR and LF.
    ///
    /// A dump has nothing between two transfers of `curl -i URL URL`, so the next status line ends a response. But an
    /// article about HTTP has such lines in its examples, too. The length of the content shows which is which: with
    /// `Content-Length: 60`, the status line in `<pre>\nHTTP/1.1 200 OK\nServer: a\n</pre>...` is content, because it
    /// starts at byte 6. Two cases have limits. In a coding, the length is that of other bytes than the dump has: such
    /// an example then ends the page. If an editor has removed the CRs, the content is shorter, by a byte for each line
    /// at most: only what comes before the length less these bytes is surely content, and an example after it ends the
    /// page.
    fn end(&self, text: &[u8], is_crlf: bool) -> (usize, Option<(u64, Problem)>) {
        let content = &text[self.content..];
        let lines = |text: &[u8]| memchr_iter(b'\n', text).count();
        let lost = |text| if is_crlf { 0 } else { lines(text) };
        let own = &content[..if self.is_coded { 0 } else { self.length.min(content.len()) }];
        if let Some(next) = next_response(text, self.content + own.len() - lost(own), is_crlf) {
            let line = self.lines + lines(&text[self.content..next]) as u64 + 1;
            return (next, Some((line, Problem::NEXT_TRANSFER)));
        }
        let is_cut = self.is_partial || !self.is_coded && content.len() + lost(content) < self.length;
        (text.len(), (is_cut && !content.is_empty()).then_some((self.lines + 1, Problem::INCOMPLETE)))
    }
}

/// Whether the line at an offset ends in CR and LF.
fn ends_in_cr(text: &[u8], at: usize) -> bool {
    let (line, next) = line_at(text, at);
    text.get(at + line.len()..next) == Some(b"\r\n")
}

/// Where a status line starts from an offset on, perhaps after a page without a line end, with a header field or an
/// empty line after it. Its lines end as those of the first response.
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
