//! Prints a document with its links made absolute, or relative, or following what moves, or only what would change.

use std::{io, slice};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use super::Task;
use super::follow::{Follower, Rewritten};
use super::format::Format;
use super::inverse::{Inverse, ReferenceForm};
use super::relative::no_base;
use super::template::Templates;
use crate::document::Link;
use crate::document::holds::{Holds, is_ambiguous};
use crate::document::place::layer::{self, Charset, ENCODE, Edit, Unwritable};
use crate::limits::BLOCK;
use crate::moves::MovePlan;
use crate::output::buffer::Buffer;
use crate::output::location::{Location, Shortened};
use crate::output::{Writer, json};
use crate::record::{Bases, Complaint, Record, StandardBase};
use crate::resolver::{parse, parts::parse_scheme};
use crate::site::shown;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::divide;
use crate::spec::{Spec, is_special};
use crate::strip::{after_blanks, without_breaks};

/// Prints a document with its links made absolute, or relative, or following what moves, or only what would change.
pub struct Rewrite<'a> {
    /// The standard that gives the answers.
    spec: Spec,
    /// The bytes of the document.
    pub text: &'a [u8],
    /// The number of its bytes that are copied or replaced.
    pub done: usize,
    /// Whether links become relative.
    pub is_relative: bool,
    /// Makes links follow what moves, if they do.
    follower: Option<Follower<'a>>,
    /// Resolves links, and makes them relative.
    inverse: Inverse,
    /// No base, by the same standard.
    no_base: PreparedBase,
    /// Scratch space for the answer.
    url: Vec<u8>,
    /// Scratch space for the answer without a base.
    alone: Vec<u8>,
    templates: Templates,
    /// The links that would change, if the document is not written.
    preview: Option<Preview>,
    pub tally: Tally,
}

/// The links that would change: once all of the document is read, it is certain that they would.
struct Preview {
    format: Format,
    changes: Buffer,
}

/// What a document has that the run counts.
#[derive(Default)]
pub struct Tally {
    /// Whether it has a BASE or xml:base that does not move with it, to which its links become relative.
    pub has_fixed_base: bool,
    /// Whether one of its links is relative to its URL, or becomes so.
    pub has_relative: bool,
    /// Whether it moves, or has moved.
    pub moves: bool,
    /// The links that have changed.
    pub links: u64,
    /// Whether it is a style sheet and changes.
    pub changes_sheet: bool,
    /// Whether it names a style sheet of its host with its hash.
    pub has_integrity: bool,
}

impl<'a> Rewrite<'a> {
    /// A task that prints a document with its links resolved by `spec`, and perhaps made relative. With `preview`, it
    /// prints the links that would change, in this format.
    pub fn new(spec: Spec, is_relative: bool, text: &'a [u8], preview: Option<Format>) -> Self {
        Rewrite {
            spec,
            text,
            done: 0,
            is_relative,
            follower: None,
            inverse: Inverse::new(spec),
            no_base: PreparedBase::new(spec, b""),
            url: Vec::new(),
            alone: Vec::new(),
            templates: Templates::default(),
            preview: preview.map(|format| Preview { format, changes: Buffer::default() }),
            tally: Tally::default(),
        }
    }

    /// Has the links follow what moves instead, in a document that has a URL. Returns the URL that it had when its
    /// links were written.
    pub fn follow(&mut self, moves: &'a MovePlan, url: &[u8]) -> Vec<u8> {
        let [was, will_be] = moves.places(url);
        self.tally.moves = will_be != was;
        self.follower = Some(Follower::new(self.spec, moves, will_be));
        was
    }

    /// Prints the links that would change.
    pub fn print_preview(&self, out: &mut Writer) {
        if let Some(Preview { format, changes }) = &self.preview
            && (format.is_json() || !out.is_quiet())
        {
            out.answers.add([changes.bytes()]);
        }
    }

    /// Copies the document up to an offset, as far as that is not done.
    pub fn copy(&mut self, end: u64, out: &mut Writer) -> io::Result<()> {
        let end = self.position(end).max(self.done);
        for block in self.text[self.done..end].chunks(BLOCK) {
            out.answers.add([block]);
            out.flush_if_large()?;
        }
        self.done = end;
        Ok(())
    }

    /// An offset, at most that of the end of the document.
    fn position(&self, offset: u64) -> usize {
        usize::try_from(offset).map_or(self.text.len(), |offset| offset.min(self.text.len()))
    }

    /// Makes the absolute URL of a link, or says why there is none; `None` if the link stays as it is.
    fn make_absolute(&mut self, link: &Link<'_>, record: &Record<'_>, bases: &Bases<'_>) -> Rewritten {
        let base = bases.of(self.spec);
        let mut answered = Ok(());
        if link.holds == Holds::Base {
            // another BASE has no effect
            if !gives(link, base) {
                return None;
            }
            self.url.extend_from_slice(base.text);
        } else if record.reference.starts_with(b"#") && stays_in_document(link, base) {
            return None;
        } else {
            answered = self.inverse.resolver.ask(record, bases, &mut self.url);
        }
        // an absolute URL stays as it is written
        let stays = answered.is_ok() && self.needs_no_base(record.reference, record.encoding());
        if answered.is_ok() && !stays && self.is_no_text() {
            answered =
                Err(("unwritable", "no text has its answer: RFC 3986 removes the dots from each", "it is kept").into());
        }
        (!stays).then_some(answered)
    }

    /// Makes the relative URL of a link, or says why there is none; `None` if the link stays as it is.
    fn make_relative(&mut self, link: &Link<'_>, record: &Record<'_>, bases: &Bases<'_>) -> Rewritten {
        let spec = self.spec;
        let is_short = link.value.is_some() && !has_scheme_or_slash(spec, record.reference);
        let may_climb = || spec == Spec::Whatwg && may_have_parents(record.reference) && !bases.of(spec).is_missing();
        let moves = !is_short || may_climb() && self.inverse.leads_above_root(bases, record.reference);
        self.tally.has_fixed_base |= moves && link.holds == Holds::Base && gives(link, bases.of(spec));
        self.tally.has_relative |= !moves && !record.reference.starts_with(b"#");
        let names_host = || link.holds == Holds::Canonical && !is_path_from_root(spec, record.reference) && !is_short;
        if !moves || link.is_absolute_by_nature() || names_host() {
            return None;
        } else if bases.of(spec).is_missing() {
            return Some(Err(no_base(bases.of(spec))));
        } else if let Err(complaint) = self.inverse.resolver.ask(record, bases, &mut self.url) {
            return Some(Err(complaint));
        }
        let needs_more = link.has_fragments_of_its_own() || link.is_in_markdown() && self.url.ends_with(b"#");
        let first = if needs_more { ReferenceForm::Query } else { ReferenceForm::Fragment };
        let (form, text) = self.inverse.reference(bases, record.encoding(), &self.url, first)?;
        let is_url = form == ReferenceForm::Url && !(spec == Spec::Whatwg && lacks_slashes(record.reference));
        let stays = is_url || text == record.reference;
        if !stays {
            self.url.clear();
            self.url.extend_from_slice(text);
        }
        self.tally.has_relative |= form < ReferenceForm::Root;
        (!stays).then_some(Ok(()))
    }

    /// Notes that a link names a style sheet of the own host with its hash.
    fn note_integrity(&mut self, record: &Record<'_>, bases: &Bases<'_>) {
        self.alone.clear();
        let answered = self.inverse.resolver.resolve(bases, record.encoding(), record.reference, &mut self.alone);
        let is_same = |(one, other): (Option<&[u8]>, Option<&[u8]>)| {
            one.unwrap_or_default().eq_ignore_ascii_case(other.unwrap_or_default())
        };
        let [own, its] = [bases.given, &self.alone].map(|url| self.spec.scheme_and_authority(url));
        self.tally.has_integrity |= answered.is_ok() && is_same((own.0, its.0)) && is_same((own.1, its.1));
    }

    /// Replaces the text of a link, or writes that it would be replaced.
    fn change(&mut self, edit: &Edit, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        match &mut self.preview {
            None => {
                self.copy(edit.range.start, out)?;
                out.answers.add([&edit.text]);
            }
            Some(Preview { format, changes }) => {
                let (spec, new) = (self.spec, layer::unmark(&self.url));
                if format.is_json() {
                    let base = bases.of(spec);
                    let base = StandardBase { text: &shown(base.text), ..*base };
                    json::write_record(record, Some(spec), &base, b"", changes, |object| {
                        object.text("new", &new);
                        object.base64("new_base64", &new);
                    });
                } else {
                    let [old, new] = [record.reference, &new].map(Shortened);
                    writeln!(changes, "{}: {old} -> {new}", Location::of(record));
                }
                out.set_found();
            }
        }
        self.done = self.position(edit.range.end);
        Ok(())
    }

    /// Reports that a link fails.
    fn fail(&mut self, complaint: &Complaint, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) {
        if let Some(Preview { format, changes }) = &mut self.preview
            && format.is_json()
        {
            let base = bases.of(self.spec);
            let base = StandardBase { text: &shown(base.text), ..*base };
            json::write_record(record, Some(self.spec), &base, b"", changes, |object| object.answer(Err(complaint)));
        }
        out.fail(record, complaint);
    }

    /// Whether a reference has the same answer without a base, so that it can stay.
    fn needs_no_base(&mut self, reference: &[u8], encoding: &'static Encoding) -> bool {
        if memchr(b':', reference).is_none() && memchr(b':', &self.url).is_some() {
            return false; // without a base there is no scheme
        }
        self.alone.clear();
        self.no_base.resolve_in(encoding, reference, &mut self.alone).is_ok()
            && self.alone == self.url
            && !(self.spec == Spec::Whatwg && lacks_slashes(reference))
    }

    /// Whether no text has the answer: RFC 3986 removes dots from each, but a reference without a path gets those of
    /// the base.
    fn is_no_text(&mut self) -> bool {
        if self.spec != Spec::Rfc3986 || memmem::find(&self.url, b"/.").is_none() {
            return false;
        }
        self.alone.clear();
        self.no_base.resolve(&self.url, &mut self.alone).is_err() || self.alone != self.url
    }
}

impl Task for Rewrite<'_> {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn base(&mut self, bases: &Bases<'_>, _: &mut Writer) {
        self.templates.set_base(bases.of(self.spec));
    }

    fn written_base(&mut self, _: &StandardBase<'_>, around: &Bases<'_>, _: &mut Writer) {
        if let Some(follower) = &mut self.follower {
            let around = around.of(self.spec);
            follower.around = (around.text.to_vec(), around.place().is_none());
        }
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        debug_assert!(record.link.is_some(), "documents have links");
        let Some(link) = record.link else { return Ok(true) };
        if link.holds == Holds::Hashed {
            self.note_integrity(record, bases);
        }
        let charset = charset_of(link, self.spec);
        // bytes of the file are written back as they are, those of the base as UTF-8
        let marked = match (charset, link.value) {
            (Charset::Kept, Some(value)) if link.holds != Holds::Base && !record.reference.is_ascii() => {
                Some(layer::mark(link.layers, link.range.start, &value[link.range.clone()]))
            }
            _ => None,
        };
        let reference = marked.as_deref().unwrap_or(record.reference);
        let marked = Record { reference, ..*record };
        self.url.clear();
        let answered = match &mut self.follower {
            Some(_) if link.holds == Holds::Base && !gives(link, bases.of(self.spec)) => None,
            Some(follower) => follower.follow(link, &marked, bases, &mut self.inverse.resolver, &mut self.url),
            None if self.is_relative => self.make_relative(link, &marked, bases),
            None => self.make_absolute(link, &marked, bases),
        };
        let Some(answered) = answered else { return Ok(true) };
        if let Some(template) = self.templates.why_kept(link, self.text, self.follower.is_some()) {
            if !self.templates.was_reported() {
                self.fail(&template, record, bases, out);
            }
            return Ok(false);
        }
        if let Err(complaint) = answered {
            self.fail(&complaint, record, bases, out);
            return Ok(false);
        }
        let before = link.value.map_or(&b""[..], |value| &value[..link.range.start]);
        let edit = match link.holds.obstacle(before, &self.url) {
            Some(obstacle) => Err((obstacle, ENCODE)),
            None if link.holds == Holds::Refresh
                && link.value.is_some_and(|value| is_ambiguous(value, &link.range)) =>
            {
                Err(("browsers take another URL from this refresh", "remove the quotes and the spaces around the URL"))
            }
            None if link.has_markup(self.text) => Err(("the URL has a comment or a tag in it", "remove that")),
            None => {
                let lifted = layer::lift_answer(link.layers, link.range.clone(), &self.url, charset);
                lifted.map_err(Unwritable::describe)
            }
        };
        match edit {
            // what is before it has been copied already
            Ok(edit) if edit.range.start < self.done as u64 => Err(io::Error::other("links are not in their order")),
            Ok(edit) => {
                self.tally.changes_sheet |= link.is_in_sheet();
                self.tally.links += 1;
                self.change(&edit, record, bases, out)?;
                Ok(true)
            }
            Err((obstacle, fix)) => {
                self.fail(&("unwritable", obstacle, fix).into(), record, bases, out);
                Ok(false)
            }
        }
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        self.copy(self.text.len() as u64, out)
    }
}

/// The charset of a link's document, for the answers of a standard.
fn charset_of(link: &Link<'_>, spec: Spec) -> Charset {
    match link.decoding.document {
        encoding if encoding == UTF_8 => Charset::Utf8,
        encoding if spec == Spec::Rfc1808 && [WINDOWS_1252, X_USER_DEFINED].contains(&encoding) => Charset::Kept,
        encoding => Charset::Decoded(encoding),
    }
}

/// Whether the HREF of a BASE gives this base.
fn gives(link: &Link<'_>, base: &StandardBase<'_>) -> bool {
    base.place().is_some_and(|place| (place.line, place.column) == (link.place.line, link.place.column))
}

/// Whether a link that starts with `#` is only one to a place in its own document: made absolute, it would lead
/// back to the network. A base in the document makes it a link to another document, but SVG refers to its parts so.
fn stays_in_document(link: &Link<'_>, base: &StandardBase<'_>) -> bool {
    base.place().is_none() || link.holds == Holds::SvgUrl
}

/// Whether a reference depends on where its document is on its host: it has a scheme, or starts with a slash.
fn has_scheme_or_slash(spec: Spec, reference: &[u8]) -> bool {
    match spec {
        Spec::Rfc1808 => reference.starts_with(b"/") || parse(reference).scheme.is_some(),
        Spec::Rfc3986 => reference.starts_with(b"/") || divide(reference).scheme.is_some(),
        Spec::Whatwg => matches!(reference, [b'/' | b'\\', ..]) || divide(reference).scheme.is_some(),
    }
}

/// Whether a reference such as `http:x` is relative to a base of its own scheme by WHATWG, but has a host without one.
fn lacks_slashes(reference: &[u8]) -> bool {
    let text = without_breaks(reference);
    let (rest, scheme) = parse_scheme(after_blanks(&text));
    scheme.is_some_and(is_special) && !matches!(rest, [b'/' | b'\\', b'/' | b'\\', ..])
}

/// Whether a reference may have a segment `..` by WHATWG, in which `%2e` is a dot.
fn may_have_parents(reference: &[u8]) -> bool {
    memchr(b'.', reference).is_some() && reference.windows(2).any(|pair| pair == b"..")
        || memchr(b'%', reference).is_some()
}

/// Whether a reference is a path from the root of its host, and names no host.
fn is_path_from_root(spec: Spec, reference: &[u8]) -> bool {
    match (spec, reference) {
        (Spec::Whatwg, [b'/' | b'\\', b'/' | b'\\', ..]) | (_, [b'/', b'/', ..]) => false,
        (Spec::Whatwg, [b'\\', ..]) | (_, [b'/', ..]) => true,
        _ => false,
    }
}
