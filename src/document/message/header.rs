//! The header of an entity.

use std::iter;
use std::ops::Range;

use encoding_rs::Encoding;
use memchr::{memchr, memchr_iter, memmem};

use super::entity::{BASE_FIELDS, BaseField, Coding, Entity, Kind};
use super::fields::LinkField;
use super::url::without_comments;
use crate::document::base_source::BaseSource;
use crate::document::content_type::ContentType;
use crate::document::problem::Problem;
use crate::document::types::{MediaType, Type};
use crate::document::values::Options;
use crate::escaped::Escaped;
use crate::limits::{MAX_CONTENT_TYPE, MAX_QUOTED};

/// The content codings of HTTP.
const COMPRESSIONS: &[&str] = &["gzip", "x-gzip", "br", "deflate", "zstd", "compress"];

impl Entity {
    /// Reads its header, in a range of a text. Returns the boundary of its parts. HTTP has no transfer encoding of
    /// MIME, its last Content-Type applies, and its Content-Location is no base (RFC 9110).
    pub fn read_header(&mut self, text: &[u8], range: Range<usize>, options: &Options) -> Option<Vec<u8>> {
        let is_http = self.is_response;
        let (mut media_type, mut coding, mut naming) = (None, None, Vec::new());
        self.note_bare_cr(&text[range.clone()], options);
        for (name, value, line) in fields(text, range, self.header_line) {
            self.note_source_set(name, &text[value.clone()], line, options);
            self.links.extend(LinkField::new(name, value.clone(), line));
            if let Some(by) = BASE_FIELDS.into_iter().find(|by| name.eq_ignore_ascii_case(by.name().as_bytes())) {
                if !(is_http && by == BaseSource::ContentLocation) {
                    self.fields.push(BaseField { by, value, line });
                }
            } else if name.eq_ignore_ascii_case(b"content-type") {
                // in HTTP the last one that names a type applies
                if media_type.is_none() || is_http && text[value.clone()].contains(&b'/') {
                    media_type = Some(&text[value]);
                } else {
                    self.note_second("Content-Type", line, options);
                }
            } else if name.eq_ignore_ascii_case(b"content-disposition") {
                naming.push(&text[value]);
            } else if name.eq_ignore_ascii_case(b"content-encoding") && is_http {
                let coding = text[value].trim_ascii();
                self.transfer.is_compressed =
                    COMPRESSIONS.iter().any(|name| coding.eq_ignore_ascii_case(name.as_bytes()));
            } else if name.eq_ignore_ascii_case(b"transfer-encoding") && is_http {
                let mut codings = text[value].split(|byte| *byte == b',');
                self.transfer.is_chunked |= codings.any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"chunked"));
            } else if name.eq_ignore_ascii_case(b"content-transfer-encoding") && !is_http {
                match coding {
                    None => coding = Some(coding_name(&text[value])),
                    Some(_) => self.note_second("Content-Transfer-Encoding", line, options),
                }
            }
        }
        self.fields.sort_by_key(|field| field.by as usize);
        let boundary = media_type.and_then(|value| self.read_media_type(value, options));
        self.read_coding(coding.unwrap_or_default());
        self.note_name(media_type.into_iter().chain(naming), options);
        boundary
    }

    /// Notes that a part of an email is not read, whose name in one of some fields is that of a document: a program may
    /// open it as that.
    fn note_name<'t>(&mut self, fields: impl Iterator<Item = &'t [u8]>, options: &Options) {
        if !options.wary || self.is_response || self.kind != Kind::Other {
            return;
        }
        let parsed = fields.filter_map(|field| ContentType::parse(&field[..field.len().min(MAX_CONTENT_TYPE)]));
        let name = parsed.flat_map(ContentType::names).find(|name| Type::of_name(name.as_bytes()).is_some());
        self.problems.extend(name.map(|name| (self.header_line, Problem::named(name.as_bytes()))));
    }

    /// Notes that a Content-Type has a parameter twice that says how the content is read: another program may take the
    /// other.
    fn note_second_parameter(&mut self, value: &[u8], options: &Options) {
        let name = match self.kind {
            Kind::Multipart | Kind::Digest => "boundary",
            Kind::Text(_) => "charset",
            Kind::Message | Kind::Other => return,
        };
        if options.wary && has_twice(value, name) {
            let field = "the Content-Type field, which other programs may read; remove one";
            let what = format!("ignoring a second {name} in {field}");
            self.problems.push((self.header_line, Problem::part("second-parameter", what)));
        }
    }

    /// Notes that a Link field has image candidates, whose quoted pairs programs read in two ways.
    fn note_source_set(&mut self, name: &[u8], value: &[u8], line: u64, options: &Options) {
        const NAME: &[u8] = b"imagesrcset";
        let has_name = || value.windows(NAME.len()).any(|name| name.eq_ignore_ascii_case(NAME));
        if options.wary && name.eq_ignore_ascii_case(b"link") && has_name() {
            let what = "not searching the imagesrcset of a Link field; write it in the page";
            self.problems.push((line, Problem::part("imagesrcset", what.into())));
        }
    }

    /// Notes that a CR without LF is in the header, where a line ends for other programs.
    fn note_bare_cr(&mut self, header: &[u8], options: &Options) {
        if options.wary && memchr_iter(b'\r', header).any(|at| !matches!(header.get(at + 1), None | Some(b'\n'))) {
            let what = "a CR alone may end a line of the header for other programs; remove it".into();
            self.problems.push((self.header_line, Problem::part("bare-cr", what)));
        }
    }

    /// Notes that a field comes twice in an email, of which another program may read the second.
    fn note_second(&mut self, name: &str, line: u64, options: &Options) {
        if options.wary && !self.is_response {
            let what = format!("ignoring a second {name} field, which other programs may read; remove one");
            self.problems.push((line, Problem::part("second-field", what)));
        }
    }

    /// Reads the name of a transfer encoding. A content in an unknown one is read as it is.
    fn read_coding(&mut self, name: &[u8]) {
        let bare = bare(name);
        match &*bare {
            b"base64" => self.transfer.coding = Coding::Base64,
            b"quotedprintable" => self.transfer.coding = Coding::QuotedPrintable,
            b"" | b"7bit" | b"7bits" | b"8bit" | b"8bits" | b"binary" => {}
            _ if matches!(self.kind, Kind::Text(_) | Kind::Message) => {
                let name = Escaped(name[..name.len().min(MAX_QUOTED)].trim_ascii());
                let why = format!("its Content-Transfer-Encoding is \"{name}\"");
                let what = format!("reading the content as it is, because {why}; decode it first");
                self.problems.push((self.header_line, Problem::part("coding", what)));
            }
            _ => {}
        }
    }

    /// Reads a Content-Type. Returns the boundary of a multipart. An HTTP response may have any text with links.
    fn read_media_type(&mut self, value: &[u8], options: &Options) -> Option<Vec<u8>> {
        if value.len() > MAX_CONTENT_TYPE {
            self.problems.push((self.header_line, Problem::LONG_TYPE));
        }
        let value = &value[..value.len().min(MAX_CONTENT_TYPE)];
        let media_type = ContentType::parse(value)?;
        let charset = media_type.parameter("charset").unwrap_or_default();
        self.transfer.charset = Encoding::for_label(charset.as_bytes());
        self.type_name = media_type.name();
        // parameters may follow without their `;`
        let length = self.type_name.find([' ', '\t', ',']).unwrap_or(self.type_name.len());
        self.type_name.truncate(length);
        self.kind = kind(&self.type_name, self.is_response, options);
        self.note_second_parameter(value, options);
        let is_text = matches!(self.kind, Kind::Text(_));
        if options.wary && !self.is_response && is_text && self.transfer.charset.is_none() && !charset.is_empty() {
            let name = Escaped(&charset.as_bytes()[..charset.len().min(MAX_QUOTED)]);
            let what = format!("reading the content as it is, because its charset is \"{name}\"; convert it to UTF-8");
            self.problems.push((self.header_line, Problem::part("charset", what)));
        }
        media_type.parameter("boundary").map(|boundary| boundary.as_bytes().to_vec())
    }
}

/// Whether a Content-Type has a parameter twice, wherever a program may find it, with or without `*`. The sections of
/// one value have numbers (RFC 2231).
fn has_twice(value: &[u8], name: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let section = |at: usize| {
        let (before, rest) = (&lower[..at], &lower[at + name.len()..]);
        let rest = rest.strip_prefix(b"*").unwrap_or(rest);
        let (number, rest) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        let rest = rest.strip_prefix(b"*").unwrap_or(rest).trim_ascii_start();
        let is_whole = !before.last().is_some_and(|byte| is_of_name(*byte));
        (is_whole && matches!(rest, [b'=' | b'(', ..])).then_some(number)
    };
    let mut sections: Vec<_> = memmem::find_iter(&lower, name).filter_map(section).collect();
    sections.sort_unstable();
    sections.windows(2).any(|pair| pair[0].is_empty() || pair[0] == pair[1])
}

/// The name in a Content-Transfer-Encoding, perhaps in quotes.
fn coding_name(value: &[u8]) -> &[u8] {
    let value = without_comments(value);
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let is_end = |byte: &u8| matches!(byte, b';' | b',' | b'"' | b'(');
    &value[..value.iter().position(is_end).unwrap_or(value.len())]
}

/// The name of a transfer encoding in lower case, without spaces, `-` and `_`: people write `Quoted Printable` and
/// `8-bit`.
fn bare(name: &[u8]) -> Vec<u8> {
    let is_mark = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_');
    name.iter().filter(|byte| !is_mark(byte)).map(u8::to_ascii_lowercase).collect()
}

/// What a media type makes of an entity.
fn kind(media_type: &str, is_http: bool, options: &Options) -> Kind {
    match media_type {
        "multipart/digest" => Kind::Digest,
        multipart if multipart.starts_with("multipart/") => Kind::Multipart,
        "message/rfc822" | "message/global" | "message/news" => Kind::Message,
        "text/html" => Kind::Text(MediaType::Html),
        "application/xhtml+xml" | "image/svg+xml" => Kind::Text(MediaType::Xml),
        "text/css" => Kind::Text(MediaType::Css),
        _ if is_http => MediaType::of_content(media_type).map_or(Kind::Other, Kind::Text),
        // AMP, and what watches show
        text if options.wary && text.starts_with("text/") && text.ends_with("html") => Kind::Text(MediaType::Html),
        other => match MediaType::of_content(other) {
            Some(read_as @ (MediaType::Css | MediaType::Xml)) if options.wary => Kind::Text(read_as),
            Some(MediaType::Html | MediaType::Css | MediaType::Xml | MediaType::Markdown | MediaType::Message)
            | None => Kind::Other,
        },
    }
}

/// The fields of a header, which is in a range of a text: their names, where their values are, and their lines.
pub fn fields(text: &[u8], range: Range<usize>, mut line: u64) -> impl Iterator<Item = (&[u8], Range<usize>, u64)> {
    let Range { start: mut at, end } = range;
    iter::from_fn(move || {
        while at < end {
            let (start, first_line) = (at, line);
            let name = split_field(line_at(text, at).0);
            // a field goes on in lines that start with white space
            loop {
                at = line_at(text, at).1;
                line += 1;
                if at >= end || !matches!(text[at], b' ' | b'\t') {
                    break;
                }
            }
            if let Some((name, before)) = name {
                return Some((name, start + before..at, first_line));
            }
        }
        None
    })
}

/// The line at an offset, without CR and LF, and where the next one starts.
pub fn line_at(text: &[u8], at: usize) -> (&[u8], usize) {
    match memchr(b'\n', &text[at..]) {
        None => (&text[at..], text.len()),
        Some(length) => {
            let line = &text[at..at + length];
            (line.strip_suffix(b"\r").unwrap_or(line), at + length + 1)
        }
    }
}

/// Whether a byte can be in the name of a header field.
pub fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The name of the header field that a line starts, and the length of what comes before its value.
pub fn split_field(line: &[u8]) -> Option<(&[u8], usize)> {
    let (name, rest) = line.split_at(line.iter().take_while(|byte| is_of_name(**byte)).count());
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_field = !name.is_empty() && rest.get(spaces) == Some(&b':');
    is_field.then_some((name, name.len() + spaces + 1))
}
