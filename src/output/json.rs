//! Records as JSON objects, each in a line of its own.

#![allow(clippy::inline_always, reason = "measured: names are then constants, and --json is half as fast without")]

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use wide::u8x16;

use super::buffer::Buffer;
use super::explain::{self, Outcome};
use crate::document::Part;
use crate::record::{BaseId, Bases, Complaint, KnownBase, Origin, Record};
use crate::resolver::login::Login;
use crate::resolver::{Parts, Resolved, parse};
use crate::spec::Spec;

/// The names of the first components, in the order of §2.1.
const INHERITED: [&str; 7] = [
    "",
    r#""scheme""#,
    r#""scheme","net_loc""#,
    r#""scheme","net_loc","path""#,
    r#""scheme","net_loc","path","params""#,
    r#""scheme","net_loc","path","params","query""#,
    r#""scheme","net_loc","path","params","query","fragment""#,
];

/// An object that is being written. Bytes that are not UTF-8 become U+FFFD.
pub struct Object<'a> {
    /// Where it is written.
    out: &'a mut Buffer,
    /// What separates the next field from those before it.
    comma: &'static [u8],
    /// Whether source, base and reference are [`is_plain`], and so what RFC 1808 makes of them.
    is_plain: bool,
}

impl Object<'_> {
    /// Writes an object.
    #[inline(always)]
    fn write(out: &mut Buffer, is_plain: bool, fields: impl FnOnce(&mut Object<'_>)) {
        out.add([b"{"]);
        fields(&mut Object { out: &mut *out, comma: b"", is_plain });
        out.add([b"}"]);
    }

    /// More fields of an object.
    fn more(out: &mut Buffer) -> Object<'_> {
        Object { out, comma: b",", is_plain: false }
    }

    /// Writes an object and LF.
    pub fn line(out: &mut Buffer, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(out, false, fields);
        out.add([b"\n"]);
    }

    /// Begins a field.
    #[inline(always)]
    fn name(&mut self, name: &str) -> &mut Buffer {
        self.out.add([self.comma, b"\"", name.as_bytes(), b"\":"]);
        self.comma = b",";
        self.out
    }

    /// Adds a string.
    #[inline(always)]
    pub fn text(&mut self, name: &str, text: &[u8]) {
        if is_plain(text) {
            self.out.add([self.comma, b"\"", name.as_bytes(), b"\":\"", text, b"\""]);
            self.comma = b",";
        } else {
            string(text, self.name(name));
        }
    }

    /// Adds a string, or null.
    pub fn nullable(&mut self, name: &str, text: Option<&[u8]>) {
        match text {
            Some(text) => self.text(name, text),
            None => self.name(name).add([b"null"]),
        }
    }

    /// Adds a URL or a component of one, or null.
    #[inline(always)]
    fn url(&mut self, name: &str, url: Option<&[u8]>) {
        match url {
            Some(url) if self.is_plain => {
                self.out.add([self.comma, b"\"", name.as_bytes(), b"\":\"", url, b"\""]);
                self.comma = b",";
            }
            url => self.nullable(name, url),
        }
    }

    /// Adds a number.
    pub fn number(&mut self, name: &str, number: u64) {
        let _ = serde_json::to_writer(self.name(name), &number); // writing to memory cannot fail
    }

    /// Adds an object.
    pub fn object(&mut self, name: &str, fields: impl FnOnce(&mut Object<'_>)) {
        let is_plain = self.is_plain;
        Object::write(self.name(name), is_plain, fields);
    }

    /// Adds an array.
    pub fn array(&mut self, name: &str, items: impl FnOnce(&mut Array<'_>)) {
        let out = self.name(name);
        out.add([b"["]);
        items(&mut Array { out, comma: b"" });
        self.out.add([b"]"]);
    }

    /// Adds the exact bytes of a text that is not UTF-8.
    pub fn base64(&mut self, name: &str, bytes: &[u8]) {
        if !self.is_plain && str::from_utf8(bytes).is_err() {
            write!(self.name(name), "\"{}\"", Base64Display::new(bytes, &STANDARD));
        }
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

    /// Adds the components of a URL.
    fn components(&mut self, name: &str, parts: &Parts<'_>) {
        self.object(name, |object| {
            object.url("scheme", parts.scheme);
            object.url("net_loc", parts.net_loc);
            object.url("path", Some(parts.path));
            object.url("params", Some(parts.params));
            object.url("query", Some(parts.query));
            object.url("fragment", Some(parts.fragment));
        });
    }

    /// Adds a base URL, the rule of §3 that gives it, and where that is.
    pub fn base(&mut self, url: &[u8], origin: Option<Origin<'_>>) {
        self.url("base", Some(url).filter(|url| !url.is_empty()));
        let Some(Origin { document, found }) = origin else { return };
        self.text("base_rule", found.rule.section().as_bytes());
        let Some(place) = found.place else { return };
        self.text("base_by", found.by.as_bytes());
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
    /// Adds a string.
    pub fn text(&mut self, text: &str) {
        self.out.add([std::mem::replace(&mut self.comma, b",")]);
        string(text.as_bytes(), self.out);
    }

    /// Adds an object.
    pub fn object(&mut self, fields: impl FnOnce(&mut Object<'_>)) {
        self.out.add([std::mem::replace(&mut self.comma, b",")]);
        Object::write(self.out, false, fields);
    }
}

/// Whether a text needs no escapes: most URLs.
fn is_plain(text: &[u8]) -> bool {
    let is_plain = |bytes: &[u8; 16]| {
        let bytes = u8x16::new(*bytes);
        let is = |byte| bytes.simd_eq(u8x16::splat(byte));
        let is_visible = bytes.max(u8x16::splat(b' ')).min(u8x16::splat(b'~')).simd_eq(bytes);
        (is_visible & !(is(b'"') | is(b'\\'))).all()
    };
    match text.last_chunk() {
        Some(last) => text.as_chunks().0.iter().all(is_plain) && is_plain(last),
        None => text.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')),
    }
}

/// Writes a string.
fn string(text: &[u8], out: &mut Buffer) {
    if is_plain(text) {
        out.add([b"\"", text, b"\""]);
    } else {
        // writing to memory cannot fail
        let _ = serde_json::to_writer(out, &*String::from_utf8_lossy(text));
    }
}

/// Writes the object of a record, with the `fields` that its task adds. `url` is its answer, which may be empty.
pub fn record(
    record: &Record<'_>,
    base: &KnownBase<'_>,
    url: &[u8],
    out: &mut Buffer,
    fields: impl FnOnce(&mut Object<'_>),
) {
    let (source, reference) = (record.source.name(), record.reference);
    let file = base.origin.map_or(source, |origin| origin.document.name());
    let plain = [source, file, reference, base.text].into_iter().all(is_plain);
    Object::write(out, plain, |object| {
        object.url("source", Some(source));
        object.number("record", record.number);
        object.url("reference", Some(reference));
        object.base(base.text, base.origin);
        if let Some(link) = record.link {
            object.text("element", link.element);
            object.nullable("attribute", Some(link.attribute.as_bytes()).filter(|name| !name.is_empty()));
            object.part("part", link.place.part);
            object.number("line", link.place.line);
            object.number("column", link.place.column);
        }
        fields(object);
        object.base64("source_base64", source);
        object.base64("reference_base64", reference);
        object.base64("base_base64", base.text);
        object.base64("url_base64", url);
    });
    out.add([b"\n"]);
}

/// What the objects of one base have in common, written once for it.
#[derive(Default)]
pub struct Rendered {
    /// Which base it is.
    id: Option<BaseId>,
    /// Whether its text needs no escapes.
    is_plain: bool,
    /// Its fields, and the start of the URL's.
    base: Buffer,
    /// Its scheme and its net_loc, with their delimiters.
    start: Vec<u8>,
    /// The fields of its scheme and its net_loc.
    components: Buffer,
    /// The fields of its login.
    login: Buffer,
}

impl Rendered {
    /// Writes what depends on the base alone.
    fn set(&mut self, id: BaseId, known: &KnownBase<'_>) {
        (self.id, self.is_plain) = (Some(id), is_plain(known.text));
        for buffer in [&mut self.base, &mut self.components, &mut self.login] {
            buffer.truncate(0);
        }
        let parts = known.parsed.unwrap_or_default().parts;
        self.start.clear();
        self.start.extend_from_slice(&known.text[..parts.ends(known.text)[1]]);
        Object::more(&mut self.base).base(known.text, known.origin);
        self.base.add([b",\"url\":\""]);
        own_components(&parts, &mut self.components);
        login(&mut Object::more(&mut self.login), parts.net_loc);
    }

    /// Writes the object of a record that is resolved and not a link, if nothing needs an escape.
    pub fn write(&mut self, record: &Record<'_>, bases: &Bases<'_>, resolved: &Resolved<'_>, out: &mut Buffer) -> bool {
        let Record { source, number, reference, link: None, .. } = *record else { return false };
        if self.id != Some(bases.id) {
            self.set(bases.id, bases.of(Spec::Rfc1808));
        }
        let (source, inserted) = (source.name(), resolved.parts.inserted());
        if !(self.is_plain && is_plain(source) && is_plain(reference) && inserted.is_empty()) {
            return false;
        }
        let Parts { path, params, query, fragment, net_loc, .. } = resolved.parts;
        out.add([b"{\"source\":\"", source, b"\",\"record\":"]);
        let _ = serde_json::to_writer(&mut *out, &number); // writing to memory cannot fail
        out.add([b",\"reference\":\"", reference, b"\"", self.base.bytes()]);
        let inherits = resolved.step.inherits();
        match inherits {
            2..6 => {
                out.add([&self.start, path]);
                resolved.parts.recombine_after_path(|piece| out.add([piece]));
            }
            _ => resolved.write(|piece| out.add([piece])),
        }
        out.add([b"\",\"components\":{"]);
        match inherits {
            2.. => out.add([self.components.bytes()]),
            _ => own_components(&resolved.parts, out),
        }
        out.add([b",\"path\":\"", path, b"\",\"params\":\"", params, b"\",\"query\":\"", query]);
        out.add([b"\",\"fragment\":\"", fragment, b"\"}"]);
        match inherits {
            2.. => out.add([self.login.bytes()]),
            _ => login(&mut Object { is_plain: true, ..Object::more(out) }, net_loc),
        }
        let (inherited, step) = (INHERITED[inherits].as_bytes(), resolved.step.number().as_bytes());
        out.add([b",\"inherited\":[", inherited, b"],\"step\":\"", step, b"\"}\n"]);
        true
    }
}

/// Writes the object of a record that RFC 1808 resolves. `steps`: with the steps of §4.
pub fn outcome(outcome: &Outcome<'_>, steps: bool, out: &mut Buffer) {
    let Outcome { result, url, .. } = *outcome;
    record(outcome.record, outcome.base, url, out, |object| {
        object.answer(result.as_ref().map(|_| url));
        if let Ok(resolved) = result {
            components(object, url, resolved);
        }
        if steps {
            explanation(object, outcome);
        }
    });
}

/// Writes scheme and net_loc, which need no escapes.
fn own_components(parts: &Parts<'_>, out: &mut Buffer) {
    let mut object = Object { out, comma: b"", is_plain: true };
    object.url("scheme", parts.scheme);
    object.url("net_loc", parts.net_loc);
}

/// Adds the parts of a net_loc, if there is one.
fn login(object: &mut Object<'_>, net_loc: Option<&[u8]>) {
    let Some(net_loc) = net_loc else { return };
    let Login { user, password, host, port } = Login::divide(net_loc);
    object.object("login", |login| {
        login.url("user", user);
        login.url("password", password);
        login.url("host", Some(host));
        login.url("port", port);
    });
}

/// Adds the components of the answer, the names of those that came from the base, and the step that
/// decided that.
fn components(object: &mut Object<'_>, url: &[u8], resolved: &Resolved<'_>) {
    // what was recombined is what parsing gives back (law 2), except where step 7 inserts something
    let inserted = !resolved.parts.inserted().is_empty();
    let parts = if inserted { parse(url) } else { resolved.parts };
    object.components("components", &parts);
    login(object, parts.net_loc);
    let inherited = INHERITED[resolved.step.inherits()];
    object.name("inherited").add([b"[", inherited.as_bytes(), b"]"]);
    object.url("step", Some(resolved.step.number().as_bytes()));
}

/// Adds the steps, each line of them an object.
fn explanation(object: &mut Object<'_>, outcome: &Outcome<'_>) {
    object.array("steps", |steps| {
        explain::steps(outcome, &mut |line| {
            steps.object(|step| {
                step.text("step", line.step.as_bytes());
                step.text("text", line.text.as_bytes());
                if let Some([base, reference]) = line.parsed {
                    step.object("parsed", |parsed| {
                        parsed.components("base", &base);
                        parsed.components("reference", &reference);
                    });
                }
                if let Some(removed) = line.removed {
                    step.text("removed", removed);
                }
                if let Some(path) = line.path {
                    step.text("path", path.bytes);
                }
            });
        });
    });
}
