//! Records as JSON objects, each in a line of its own.

#![allow(clippy::inline_always, reason = "measured: names are then constants, and --json is half as fast without")]

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use super::buffer::Buffer;
use super::explain::StepLine;
use super::explain::explained::Explained;
use super::explain::url::UrlOutcome;
use crate::document::{Part, Place};
use crate::limits::MAX_NAME;
use crate::record::{Complaint, Origin, Record, StandardBase};
use crate::resolver::{Parts, Resolved, parse};
use crate::rfc1738::login::Login;
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::rfc3986::divide;

/// The names of the first components, in the order of §2.1.
const INHERITED: &[&str] = &[
    "[]",
    r#"["scheme"]"#,
    r#"["scheme","net_loc"]"#,
    r#"["scheme","net_loc","path"]"#,
    r#"["scheme","net_loc","path","params"]"#,
    r#"["scheme","net_loc","path","params","query"]"#,
    r#"["scheme","net_loc","path","params","query","fragment"]"#,
];

/// An object that is being written. Bytes that are not UTF-8 become U+FFFD, and what a terminal may obey is `\uXXXX`.
pub struct Object<'a> {
    /// Where it is written.
    out: &'a mut Buffer,
    /// What comes before the next field: the brace of the object, then commas. No object is empty.
    before: &'static [u8],
}

impl Object<'_> {
    #[inline(always)]
    fn write(out: &mut Buffer, fields: impl FnOnce(&mut Object<'_>)) {
        fields(&mut Object { out: &mut *out, before: b"{" });
        out.add([b"}"]);
    }

    /// Writes an object and LF.
    fn line(out: &mut Buffer, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(out, fields);
        out.add([b"\n"]);
    }

    #[inline(always)]
    fn name(&mut self, name: &str) -> &mut Buffer {
        self.out.add([self.before, b"\"", name.as_bytes(), b"\":"]);
        self.before = b",";
        self.out
    }

    /// Adds a value that is written as it is.
    #[inline(always)]
    fn value(&mut self, name: &str, value: &[u8]) {
        self.out.add([self.before, b"\"", name.as_bytes(), b"\":", value]);
        self.before = b",";
    }

    #[inline(always)]
    pub fn text(&mut self, name: &str, text: &[u8]) {
        self.checked(name, text, is_plain(text));
    }

    /// Adds a string. `plain`: it is known to need no escapes.
    #[inline(always)]
    fn checked(&mut self, name: &str, text: &[u8], plain: bool) {
        if plain {
            self.out.add([self.before, b"\"", name.as_bytes(), b"\":\"", text, b"\""]);
            self.before = b",";
        } else {
            string(text, self.name(name));
        }
    }

    /// Adds a string, or null.
    pub fn nullable(&mut self, name: &str, text: Option<&[u8]>) {
        self.checked_or_null(name, text, text.is_none_or(is_plain));
    }

    #[inline(always)]
    fn checked_or_null(&mut self, name: &str, text: Option<&[u8]>, plain: bool) {
        match text {
            Some(text) => self.checked(name, text, plain),
            None => self.value(name, b"null"),
        }
    }

    pub fn number(&mut self, name: &str, number: u64) {
        self.name(name).add_number(number);
    }

    pub fn object(&mut self, name: &str, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(self.name(name), fields);
    }

    pub fn array(&mut self, name: &str, items: impl FnOnce(&mut Array<'_>)) {
        self.value(name, b"[");
        items(&mut Array { out: &mut *self.out, comma: b"" });
        self.out.add([b"]"]);
    }

    /// Adds the exact bytes of a text that is not UTF-8.
    pub fn base64(&mut self, name: &str, bytes: &[u8]) {
        if str::from_utf8(bytes).is_err() {
            write!(self.name(name), "\"{}\"", Base64Display::new(bytes, &STANDARD));
        }
    }

    /// Adds the standard that answers, after another field.
    #[inline(always)]
    fn spec(&mut self, spec: Spec) {
        // measured: as a name and a value, --json takes 2.4 % more instructions
        let field: &[u8] = match spec {
            Spec::Rfc1808 => br#","spec":"rfc1808""#,
            Spec::Rfc3986 => br#","spec":"rfc3986""#,
            Spec::Whatwg => br#","spec":"whatwg""#,
        };
        self.out.add([field]);
    }

    /// Adds an answer, or why there is none.
    pub fn answer(&mut self, answer: Result<&[u8], &Complaint>) {
        match answer {
            // the URL Standard decodes %22 in a host
            Ok(url) => self.text("url", url),
            Err(complaint) => self.object("error", |error| {
                error.text("code", complaint.code.as_bytes());
                error.text("message", complaint.to_string().as_bytes());
            }),
        }
    }

    /// Adds the components of a URL. `plain`: none of them needs escapes.
    #[inline(always)]
    fn components(&mut self, name: &str, parts: &Parts<'_>, plain: bool) {
        self.object(name, |object| {
            object.checked_or_null("scheme", parts.scheme, plain);
            object.checked_or_null("net_loc", parts.net_loc, plain);
            object.checked("path", parts.path, plain);
            object.checked("params", parts.params, plain);
            object.checked("query", parts.query, plain);
            object.checked("fragment", parts.fragment, plain);
        });
    }

    /// Adds RFC 1808's answer: the URL, its components, and the step that decided it.
    fn resolved(&mut self, url: &[u8], resolved: &Resolved<'_>) {
        let plain = is_plain(url);
        self.checked("url", url, plain);
        // parsing the URL gives the same components, but for what step 7 inserts (law 2)
        let parts = if resolved.parts.inserted().is_empty() { resolved.parts } else { parse(url) };
        self.components("components", &parts, plain);
        self.login(parts.net_loc.map(Login::divide), plain);
        self.value("inherited", INHERITED[resolved.step.inherits()].as_bytes());
        self.checked("step", resolved.step.number().as_bytes(), true);
    }

    /// Adds the components of a URL as a standard names them, and its user, password, host and port as it reads them.
    pub fn components_of(&mut self, spec: Spec, url: &[u8]) {
        let (plain, login) = (is_plain(url), spec.scheme_and_authority(url).1.map(Login::divide));
        if spec == Spec::Rfc1808 {
            self.components("components", &parse(url), plain);
        } else {
            let url = divide(url);
            self.object("components", |object| {
                object.checked_or_null("scheme", url.scheme, plain);
                if spec == Spec::Whatwg {
                    object.login(login, plain);
                } else {
                    object.checked_or_null("authority", url.authority, plain);
                }
                object.checked("path", url.path, plain);
                object.checked_or_null("query", url.query, plain);
                object.checked_or_null("fragment", url.fragment, plain);
            });
        }
        self.login(login, plain);
    }

    /// Adds the parts of a net_loc, which may be absent. `plain`: it needs no escapes.
    #[inline(always)]
    fn login(&mut self, login: Option<Login<'_>>, plain: bool) {
        self.checked_or_null("user", login.and_then(|login| login.user), plain);
        self.checked_or_null("password", login.and_then(|login| login.password), plain);
        self.checked_or_null("host", login.map(|login| login.host), plain);
        self.checked_or_null("port", login.and_then(|login| login.port), plain);
    }

    /// Adds the fields of a line of an explanation.
    fn step(&mut self, line: &StepLine<'_>) {
        self.text("step", line.step.as_bytes());
        if let Some((name, byte)) = line.error {
            self.text("name", name.as_bytes());
            self.number("byte", byte as u64);
        }
        if let Some(code) = line.reason {
            self.text("reason", code.as_bytes());
        }
        self.text("text", line.words().as_bytes());
        if !line.rule.is_empty() {
            self.text("rule", line.rule.as_bytes());
        }
        if let Some([base, reference]) = line.parsed {
            self.object("parsed", |parsed| {
                parsed.components("base", &base, false);
                parsed.components("reference", &reference, false);
            });
        }
        if let Some(removed) = line.removed {
            self.text("removed", removed);
        }
        if let Some(path) = line.path {
            self.text("path", path.bytes);
        }
    }

    /// Adds a base URL, the rule of §3 that gives it, and where that is. `plain`: the URL needs no escapes.
    fn base(&mut self, url: &[u8], plain: bool, origin: Option<Origin<'_>>) {
        self.checked_or_null("base", Some(url).filter(|url| !url.is_empty()), plain);
        let Some(Origin { document, found }) = origin else { return };
        self.text("base_rule", found.rule.section().as_bytes());
        let (Some(by), Some(place)) = (found.by, found.place) else { return };
        self.text("base_by", by.name().as_bytes());
        self.text("base_file", document.name());
        self.base64("base_file_base64", document.name());
        self.part("base_part", place.part);
        self.number("base_line", place.line);
        self.number("base_column", place.column);
    }

    /// Adds the number of a part, but for a whole message.
    fn part(&mut self, name: &str, part: Option<&Part>) {
        if let Some(part) = part.filter(|part| !part.number.is_empty()) {
            self.text(name, part.number.as_bytes());
        }
    }
}

/// An array that is being written.
pub struct Array<'a> {
    /// Where it is written.
    out: &'a mut Buffer,
    /// What separates the next item from those before it.
    comma: &'static [u8],
}

impl Array<'_> {
    pub fn text(&mut self, text: &str) {
        self.out.add([std::mem::replace(&mut self.comma, b",")]);
        string(text.as_bytes(), self.out);
    }

    pub fn object(&mut self, fields: impl FnOnce(&mut Object<'_>)) {
        self.out.add([std::mem::replace(&mut self.comma, b",")]);
        Object::write(self.out, fields);
    }
}

/// Whether a byte may be the first of a character that needs an escape.
const STARTS: [bool; 256] = {
    let (mut starts, mut byte) = ([false; 256], 0);
    while byte < 256 {
        starts[byte] = matches!(byte, ..0x20 | 0x22 | 0x5C | 0x7F | 0xC2 | 0xD8 | 0xE2);
        byte += 1;
    }
    starts
};

/// Whether a text needs no escapes: most URLs.
fn is_plain(text: &[u8]) -> bool {
    #[expect(clippy::needless_bitwise_bool, reason = "measured: with others, one byte is looked at after the other")]
    let is_special = |byte: &u8| (*byte < b' ') | (*byte == b'"') | (*byte == b'\\') | (*byte > b'~');
    let are_plain = |chunk: &[u8; 16]| !chunk.iter().fold(false, |special, byte| special | is_special(byte));
    match text.last_chunk() {
        // the last chunk overlaps the one before it
        Some(last) => text.as_chunks().0.iter().all(are_plain) && are_plain(last),
        None => !text.iter().any(is_special),
    }
}

#[cold]
fn string(text: &[u8], out: &mut Buffer) {
    if is_plain(text) {
        return out.add([b"\"", text, b"\""]);
    }
    let text = String::from_utf8_lossy(text);
    let (bytes, mut start) = (text.as_bytes(), 0);
    out.add([b"\""]);
    for (at, &byte) in bytes.iter().enumerate() {
        if !STARTS[usize::from(byte)] {
            continue;
        }
        let char = text.get(at..).and_then(|rest| rest.chars().next());
        let Some(char) = char.filter(|char| needs_escape(*char)) else { continue };
        out.add([&bytes[start..at]]);
        match char {
            '"' | '\\' => out.add([b"\\", &[byte]]),
            '\n' => out.add([br"\n"]),
            '\r' => out.add([br"\r"]),
            '\t' => out.add([br"\t"]),
            _ => write!(out, "\\u{:04x}", u32::from(char)),
        }
        start = at + char.len_utf8();
    }
    out.add([&bytes[start..], b"\""]);
}

/// Whether JSON does not allow a character as it is, or a terminal may obey it: controls, ends of lines, and what turns
/// the text around (bidi).
fn needs_escape(char: char) -> bool {
    let is_bidi =
        matches!(char, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    is_bidi || matches!(char, ..' ' | '"' | '\\' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}')
}

/// Writes the object of a record, with the `fields` that its task adds. `spec` is the standard that answers, if it is
/// one alone, and `url` its answer, which may be empty.
pub fn write_record(
    record: &Record<'_>,
    spec: Option<Spec>,
    base: &StandardBase<'_>,
    url: &[u8],
    out: &mut Buffer,
    fields: impl FnOnce(&mut Object<'_>),
) {
    let (source, reference) = (record.source.name(), record.reference);
    let plain @ [is_plain_source, is_plain_reference, is_plain_base] = [source, reference, base.text].map(is_plain);
    Object::line(out, |object| {
        object.checked("source", source, is_plain_source);
        object.number("record", record.number);
        if let Some(spec) = spec {
            object.spec(spec);
        }
        object.checked("reference", reference, is_plain_reference);
        object.base(base.text, is_plain_base, base.origin);
        if let Some(link) = record.link {
            object.text("element", link.element);
            object.nullable("attribute", Some(link.attribute).filter(|name| !name.is_empty()));
            match link.rel {
                // each of the links of its element would repeat it
                Some(rel) if rel.len() > MAX_NAME => object.value("rel_omitted", b"true"),
                Some(rel) => object.text("rel", rel),
                None => {}
            }
            object.part("part", link.place.part);
            object.number("line", link.place.line);
            object.number("column", link.place.column);
            if link.is_in_comment() {
                object.value("comment", b"true");
            }
        }
        fields(object);
        if plain.contains(&false) {
            object.base64("source_base64", source);
            object.base64("reference_base64", reference);
            object.base64("base_base64", base.text);
            object.base64("url_base64", url);
        }
    });
}

/// Writes the object of a base that is part of no record, as a standard has it, with the `fields` that its task adds.
pub fn write_base(
    source: &[u8],
    spec: Spec,
    base: &StandardBase<'_>,
    out: &mut Buffer,
    fields: impl FnOnce(&mut Object<'_>),
) {
    Object::line(out, |object| {
        object.text("source", source);
        object.spec(spec);
        object.base(base.text, is_plain(base.text), base.origin);
        fields(object);
        object.base64("source_base64", source);
        object.base64("base_base64", base.text);
    });
}

/// Writes the object of a file that has no records, with its URL, a place in it, and the `fields` that its task adds.
pub fn write_file(
    file: Source<'_>,
    url: &[u8],
    place: Place<'_>,
    out: &mut Buffer,
    fields: impl FnOnce(&mut Object<'_>),
) {
    Object::line(out, |object| {
        object.text("source", file.name());
        object.base(url, is_plain(url), None);
        object.number("line", place.line);
        object.number("column", place.column);
        fields(object);
        object.base64("source_base64", file.name());
    });
}

/// What a standard answers to a record.
pub struct Answer<'a> {
    pub record: &'a Record<'a>,
    pub base: &'a StandardBase<'a>,
    /// The answer, or why there is none.
    pub url: Result<&'a [u8], &'a Complaint>,
    /// The components of an answer by RFC 1808.
    pub resolved: Option<&'a Resolved<'a>>,
}

/// Writes the object of an answer, perhaps with an explanation.
pub fn write_answer(answer: &Answer<'_>, spec: Spec, explained: Option<&Explained<'_>>, out: &mut Buffer) {
    let Answer { record, base, url, resolved } = *answer;
    write_record(record, Some(spec), base, url.unwrap_or_default(), out, |object| {
        match (url, resolved) {
            (Ok(url), Some(resolved)) => object.resolved(url, resolved),
            (Ok(url), None) => {
                object.text("url", url);
                object.components_of(spec, url);
            }
            (Err(complaint), _) => object.answer(Err(complaint)),
        }
        let Some(explained) = explained else { return };
        object.array("steps", |steps| explained.lines(&mut |line| steps.object(|step| step.step(&line))));
        if let Explained::Whatwg(UrlOutcome { more_errors: omitted @ 1.., .. }) = explained {
            object.number("errors_omitted", *omitted as u64);
        }
    });
}
