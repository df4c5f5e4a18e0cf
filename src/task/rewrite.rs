//! Prints a document with its links made absolute, or relative, or only what would change.

use std::{io, mem, slice};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, X_USER_DEFINED};
use memchr::memchr;

use super::format::Format;
use super::inverse::{Inverse, ReferenceForm};
use super::own_links::OwnLinks;
use super::relative::no_base;
use super::standards::SpecResolver;
use super::{Task, template};
use crate::document::Link;
use crate::document::holds::Holds;
use crate::document::place::layer::{self, Charset, ENCODE, Edit, Unwritable};
use crate::limits::BLOCK;
use crate::output::buffer::Buffer;
use crate::output::location::{Location, Shortened};
use crate::output::{Writer, json};
use crate::record::{Bases, Complaint, Record, StandardBase};
use crate::resolver::parse;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::divide;

/// Prints a document with its links made absolute, or relative, or only what would change.
pub struct Rewrite<'a> {
    /// The standard that gives the answers.
    spec: Spec,
    /// The document.
    pub text: &'a [u8],
    /// The number of its bytes that are copied or replaced.
    pub done: usize,
    resolver: SpecResolver,
    /// Makes links relative; `None` if they become absolute.
    inverse: Option<Inverse>,
    /// How the links that would change are written, if the document is not.
    preview: Option<Format>,
    /// These links: once all of the document is read, it is certain that they would change.
    pub changes: Buffer,
    /// Whether the document has a BASE or xml:base that does not move with it, to which its links become relative.
    pub has_fixed_base: bool,
    /// Whether one of its links is or becomes relative to the URL of its document.
    pub has_relative: bool,
    /// Whether the document is a style sheet and changes.
    pub changes_sheet: bool,
    /// Whether it names a style sheet of its host with its hash.
    pub has_integrity: bool,
    /// The links to its host that do not become relative.
    pub own_links: OwnLinks,
    /// Whether that is a template.
    has_template_as_base: bool,
    /// Where the last value is that was searched for a template, in each text around it, and whether it has one.
    searched: (Vec<u64>, bool),
    /// Whether that template is reported.
    is_reported: bool,
    /// No base, by the same standard.
    no_base: PreparedBase,
    /// Scratch space for the answer.
    url: Vec<u8>,
    /// Scratch space for the answer without a base.
    alone: Vec<u8>,
}

impl<'a> Rewrite<'a> {
    /// A task that prints a document with its links resolved by `spec`, and then made `relative`.
    pub fn new(spec: Spec, relative: bool, text: &'a [u8]) -> Self {
        Rewrite {
            spec,
            text,
            done: 0,
            resolver: SpecResolver::new(spec),
            inverse: relative.then(|| Inverse::new(spec)),
            preview: None,
            changes: Buffer::default(),
            has_fixed_base: false,
            has_relative: false,
            changes_sheet: false,
            has_integrity: false,
            own_links: OwnLinks::new(),
            has_template_as_base: false,
            searched: (Vec::new(), false),
            is_reported: false,
            no_base: PreparedBase::new(spec, b""),
            url: Vec::new(),
            alone: Vec::new(),
        }
    }

    /// Makes the task write the links that would change, and not the document.
    pub fn previewed(self, format: Format) -> Self {
        Rewrite { preview: Some(format), ..self }
    }

    /// Whether a template decides where a link leads. A value with many links is searched once.
    fn has_template(&mut self, link: &Link<'_>) -> bool {
        let places = link.layers.iter().map(|layer| layer.start);
        if !places.clone().eq(self.searched.0.iter().copied()) {
            let value = 0..link.value.map_or(0, <[u8]>::len);
            let has_instruction = link.markup(self.text, value).any(|(_, markup)| template::has_instruction(markup));
            let has_template = has_instruction
                || link.value.is_some_and(template::is_in)
                || link.is_pointy() && link.value.is_some_and(|value| template::is_in(&[b"<", value].concat()));
            (self.searched, self.is_reported) = ((places.collect(), has_template), false);
        }
        self.searched.1
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

    /// Whether links become relative.
    pub fn is_relative(&self) -> bool {
        self.inverse.is_some()
    }

    /// Makes the absolute URL of a link, or says why there is none; `None` if the link stays as it is.
    fn make_absolute(
        &mut self,
        link: &Link<'_>,
        record: &Record<'_>,
        bases: &Bases<'_>,
    ) -> Option<Result<(), Complaint>> {
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
            answered = self.resolver.answer(record, bases, &mut self.url);
        }
        // an absolute URL stays as it is written
        let stays = answered.is_ok() && self.needs_no_base(record.reference, record.encoding());
        (!stays).then_some(answered)
    }

    /// Makes the relative URL of a link, or says why there is none; `None` if the link stays as it is.
    fn make_relative(
        &mut self,
        link: &Link<'_>,
        record: &Record<'_>,
        bases: &Bases<'_>,
    ) -> Option<Result<(), Complaint>> {
        let spec = self.spec;
        let inverse = self.inverse.as_mut()?;
        let is_short = link.value.is_some() && !has_scheme_or_slash(spec, record.reference);
        let may_climb = || spec == Spec::Whatwg && may_have_parents(record.reference) && !bases.of(spec).is_missing();
        let moves = !is_short || may_climb() && inverse.leads_above_root(bases, record.reference);
        self.has_fixed_base |= moves && link.holds == Holds::Base && gives(link, bases.of(spec));
        self.has_relative |= !moves && !record.reference.starts_with(b"#");
        let names_host = || link.holds == Holds::Canonical && !is_path_from_root(spec, record.reference) && !is_short;
        if !moves || link.is_absolute_by_nature() || names_host() {
            return None;
        } else if bases.of(spec).is_missing() {
            return Some(Err(no_base(bases.of(spec))));
        } else if let Err(complaint) = self.resolver.answer(record, bases, &mut self.url) {
            return Some(Err(complaint));
        }
        let needs_more = link.has_fragments_of_its_own() || link.is_in_markdown() && self.url.ends_with(b"#");
        let first = if needs_more { ReferenceForm::Query } else { ReferenceForm::Fragment };
        let (form, text) = inverse.reference(bases, record.encoding(), &self.url, first)?;
        let stays = form == ReferenceForm::Url || text == record.reference;
        if !stays {
            self.url.clear();
            self.url.extend_from_slice(text);
        }
        let has_own_base = bases.of(spec).place().is_some();
        if form >= ReferenceForm::Root && spec != Spec::Whatwg && !has_own_base {
            self.own_links.add(record, bases, first);
        }
        self.has_relative |= form < ReferenceForm::Root;
        (!stays).then_some(Ok(()))
    }

    /// Notes that a link names a style sheet of the own host with its hash.
    fn note_integrity(&mut self, record: &Record<'_>, bases: &Bases<'_>) {
        self.alone.clear();
        let answered = self.resolver.resolve(bases, record.encoding(), record.reference, &mut self.alone);
        let is_same = |(one, other): (Option<&[u8]>, Option<&[u8]>)| {
            one.unwrap_or_default().eq_ignore_ascii_case(other.unwrap_or_default())
        };
        let [own, its] = [bases.given, &self.alone].map(|url| self.spec.scheme_and_authority(url));
        self.has_integrity |= answered.is_ok() && is_same((own.0, its.0)) && is_same((own.1, its.1));
    }

    /// Replaces the text of a link, or writes that it would be replaced.
    fn change(&mut self, edit: &Edit, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        let Some(link) = record.link else { return Ok(()) };
        self.changes_sheet |= link.is_in_sheet();
        match self.preview {
            None => {
                self.copy(edit.range.start, out)?;
                out.answers.add([&edit.text]);
            }
            Some(format) => {
                let (spec, new) = (self.spec, layer::unmark(&self.url));
                if format.is_json() {
                    json::write_record(record, Some(spec), bases.of(spec), b"", &mut self.changes, |object| {
                        object.text("new", &new);
                        object.base64("new_base64", &new);
                    });
                } else {
                    let [old, new] = [record.reference, &new].map(Shortened);
                    writeln!(self.changes, "{}: {old} -> {new}", Location::of(record));
                }
                out.set_found();
            }
        }
        self.done = self.position(edit.range.end);
        Ok(())
    }

    /// Reports that a link fails.
    fn fail(&mut self, complaint: &Complaint, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) {
        if self.preview.is_some_and(Format::is_json) {
            let base = bases.of(self.spec);
            json::write_record(record, Some(self.spec), base, b"", &mut self.changes, |object| {
                object.answer(Err(complaint));
            });
        }
        out.fail(record, complaint);
    }

    /// Whether a reference has the same answer without a base, so that it can stay.
    fn needs_no_base(&mut self, reference: &[u8], encoding: &'static Encoding) -> bool {
        if memchr(b':', reference).is_none() && memchr(b':', &self.url).is_some() {
            return false; // without a base there is no scheme
        }
        self.alone.clear();
        self.no_base.resolve_in(encoding, reference, &mut self.alone).is_ok() && self.alone == self.url
    }
}

impl Task for Rewrite<'_> {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn base(&mut self, bases: &Bases<'_>, _: &mut Writer) -> io::Result<()> {
        let base = bases.of(self.spec);
        self.has_template_as_base = template::is_base(base);
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
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
        let make = if self.is_relative() { Self::make_relative } else { Self::make_absolute };
        let Some(answered) = make(self, link, &marked, bases) else { return Ok(true) };
        if let Some(template) = template::keeps(self.has_template(link), self.has_template_as_base) {
            // one message for each value
            if !self.searched.1 || !mem::replace(&mut self.is_reported, true) {
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
