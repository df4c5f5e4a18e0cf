//! What `--check` finds: each offence a line on standard output, or an element of JSON's array.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::json::{Base64, Linked, Text, Whence};
use super::sink::{Hold, write_all};
use super::{Failure, LARGE, Origin, Output, Record, Shown, Spot, Whereabouts, is_plain};
use crate::resolver::grammar::{Component, Offence, Wrong, doubtful_scheme, is_national, is_punctuation, offences};
use crate::resolver::{is_unsuitable, parse};

/// A thing to say of a record or a base.
#[derive(Clone, Copy)]
enum Finding<'a> {
    /// The text leaves §2.2.
    Offence(Offence),
    /// The base has a scheme that is never used with relative URLs (§2.3).
    UnsuitableBase(&'a [u8]),
    /// The base of a pair has no scheme (§2.2).
    BaseWithoutScheme(u8),
    /// No offence: what is taken for a scheme may have been meant as a path (§5.3).
    DoubtfulScheme(&'a [u8]),
}

impl Finding<'_> {
    /// Whether it makes the record illegal.
    fn is_offence(&self) -> bool {
        !matches!(self, Finding::DoubtfulScheme(_))
    }

    /// The production that the text leaves; of a base by §2.3 it is the scheme that does not suit.
    fn production(&self) -> Option<&'static str> {
        match self {
            Finding::Offence(offence) => Some(offence.production()),
            Finding::BaseWithoutScheme(_) => Some("absoluteURL"),
            Finding::UnsuitableBase(_) => Some("scheme"),
            Finding::DoubtfulScheme(_) => None,
        }
    }

    /// Where it stands in its text: bytes from 0.
    fn at(&self) -> usize {
        match self {
            Finding::Offence(offence) => offence.at,
            _ => 0,
        }
    }

    /// The byte that stands there.
    fn byte(&self) -> Option<u8> {
        match *self {
            Finding::Offence(offence) => Some(offence.byte),
            Finding::BaseWithoutScheme(byte) => Some(byte),
            Finding::UnsuitableBase(scheme) | Finding::DoubtfulScheme(scheme) => scheme.first().copied(),
        }
    }

    /// What to write in the byte's place, where that is plain: a bad `%` may have been meant as
    /// itself, and any other byte that may not stand there is meant so.
    fn remedy(&self) -> Option<Escaped> {
        match self {
            Finding::Offence(Offence { wrong: Wrong::Character | Wrong::Escape, byte, .. }) => Some(Escaped(*byte)),
            _ => None,
        }
    }
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Offence(offence) => {
                let Offence { byte, component, wrong, .. } = *offence;
                let (place, production) = (noun(component), offence.production());
                let remedy = Escaped(byte);
                let shown = Shown(std::slice::from_ref(&byte));
                match wrong {
                    Wrong::Character => {
                        let quote = if is_plain(byte) { "\"" } else { "" };
                        let class = class(byte);
                        write!(f, "{quote}{shown}{quote} is {class}, not allowed in {place}")?;
                        write!(f, " (§2.2 {production}); write {remedy}")
                    }
                    Wrong::Escape => write!(
                        f,
                        "\"%\" is not followed by two hex digits, in {place} (§2.2 {production}); write {remedy}"
                    ),
                    Wrong::EmptyFirstSegment => write!(
                        f,
                        "the first segment of the path is empty (§2.2 {production}); \
                         write one \"/\", or all of the URL with its scheme"
                    ),
                }
            }
            Finding::UnsuitableBase(scheme) => {
                let scheme = Shown(scheme);
                write!(f, "relative URLs are never used with a base of scheme \"{scheme}\" (§2.3)")?;
                f.write_str("; write the references with their schemes")
            }
            Finding::BaseWithoutScheme(_) => {
                f.write_str("the base URL has no scheme (§2.2 absoluteURL); write all of it, such as http://host/path")
            }
            Finding::DoubtfulScheme(scheme) => {
                write!(f, "\"{}\" is taken for a scheme (§2.4.2)", Shown(scheme))?;
                f.write_str("; if a relative path is meant, write \"./\" before it (§5.3)")
            }
        }
    }
}

/// A component in the middle of a sentence.
fn noun(component: Component) -> &'static str {
    match component {
        Component::NetLoc => "the net_loc",
        Component::Path => "a path segment",
        Component::Params => "the params",
        Component::Query => "the query",
        Component::Fragment => "the fragment",
    }
}

/// What a byte is that is neither `uchar` nor `reserved`, in the words of §2.2 where it has some.
fn class(byte: u8) -> &'static str {
    match byte {
        _ if is_national(byte) => "\"national\"",
        _ if is_punctuation(byte) => "\"punctuation\"",
        b' ' => "a space",
        0x80.. => "not ASCII",
        _ => "a control character",
    }
}

/// A byte as §2.2 `escape`.
#[derive(Clone, Copy)]
struct Escaped(u8);

impl fmt::Display for Escaped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{:02X}", self.0)
    }
}

impl Serialize for Escaped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One finding as JSON.
#[derive(Serialize)]
struct Element<'a> {
    /// `base` or `reference`.
    r#in: &'static str,
    /// The production of §2.2 that the text leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    production: Option<&'static str>,
    /// Where it stands in the record, or in the base: bytes from 1.
    column: usize,
    /// The byte that stands there.
    byte: Option<u8>,
    /// What to write instead of that byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<Escaped>,
    /// For people.
    message: Words<'a>,
}

/// A finding in a sentence.
struct Words<'a>(Finding<'a>);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// One record, or the base, as a JSON object.
#[derive(Serialize)]
struct Object<'a> {
    /// What the record comes from, or `base`.
    source: Text<'a>,
    /// Its number there, from 1; the base has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    /// The reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Text<'a>>,
    /// The base URL; null if there is none.
    base: Option<Text<'a>>,
    /// Why that base applies, if there was a question.
    #[serde(flatten)]
    whence: Option<Whence<'a>>,
    /// The place of a link.
    #[serde(flatten)]
    linked: Option<Linked<'a>>,
    /// What is illegal.
    offences: Elements<'a>,
    /// What is legal, but may not be meant.
    notes: Elements<'a>,
    /// The exact bytes of a reference that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_base64: Option<Base64<'a>>,
    /// The exact bytes of a base that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_base64: Option<Base64<'a>>,
}

/// The offences of a text, or its notes.
struct Elements<'a> {
    /// The text.
    judged: Judged<'a>,
    /// Which ones.
    offences: bool,
}

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.judged.findings().filter(|(_, _, finding)| finding.is_offence() == self.offences);
        serializer.collect_seq(findings.map(|(place, column, finding)| Element {
            r#in: place,
            production: finding.production(),
            column,
            byte: finding.byte(),
            remedy: finding.remedy(),
            message: Words(finding),
        }))
    }
}

/// The bases of links that have been judged, each of which is judged once.
#[derive(Default)]
pub(super) struct Bases {
    /// Whether that of the command line has been.
    given: bool,
    /// Those that the document has.
    found: BTreeSet<Vec<u8>>,
}

/// What is judged together.
#[derive(Clone, Copy)]
struct Judged<'a> {
    /// A base, if it is to be judged here.
    base: Option<&'a [u8]>,
    /// A reference, and the base that it will be used with.
    reference: Option<(&'a [u8], &'a [u8])>,
    /// Where the reference begins in its record: bytes from 0.
    start: usize,
}

impl<'a> Judged<'a> {
    /// All findings in the order of the text, each with `base` or `reference` and its column, in
    /// bytes from 1.
    fn findings(self) -> impl Iterator<Item = (&'static str, usize, Finding<'a>)> {
        let base = self.base.into_iter().flat_map(|base| {
            let whole = match (base, parse(base).scheme) {
                ([], _) => None,
                ([first, ..], None) => Some(Finding::BaseWithoutScheme(*first)),
                (_, Some(scheme)) => is_unsuitable(scheme).then_some(Finding::UnsuitableBase(scheme)),
            };
            whole.into_iter().chain(offences(base).map(Finding::Offence))
        });
        let reference = self.reference.into_iter().flat_map(|(reference, base)| {
            let note = doubtful_scheme(reference, base).map(Finding::DoubtfulScheme);
            note.into_iter().chain(offences(reference).map(Finding::Offence))
        });
        let column = |finding: &Finding<'_>, start: usize| finding.at().saturating_add(start).saturating_add(1);
        let base = base.map(move |finding| ("base", column(&finding, 0), finding));
        base.chain(reference.map(move |finding| ("reference", column(&finding, self.start), finding)))
    }
}

/// Standard output for one object, which may have more findings than memory has room: of a large one
/// little is kept back.
struct Streamed<'a> {
    /// Where it goes.
    output: &'a mut Output,
    /// Where it begins in the answers not yet written.
    start: usize,
    /// Lets signals wait, once its beginning has been written, until it ends.
    held: Option<Hold>,
}

impl Streamed<'_> {
    /// Writes the records before the object, all that there is of it, and `bytes`.
    fn write_out(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Output { answers, stdout, .. } = &mut *self.output;
        let mut written = Ok(());
        if self.held.is_none() {
            // for what follows, as it would be too late to find no memory then
            answers.room(LARGE)?;
            written = stdout.write(&io::stdout(), answers.bytes().split_at(self.start).0, b"\n");
            self.held = Some(Hold::new());
        }
        let object = answers.bytes().split_at(self.start).1;
        written = written.and_then(|()| write_all(&io::stdout(), object));
        answers.truncate(0);
        self.start = 0;
        written.and_then(|()| write_all(&io::stdout(), bytes))
    }
}

impl Write for Streamed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let answers = &mut self.output.answers;
        if answers.length.saturating_sub(self.start).saturating_add(bytes.len()) < LARGE {
            answers.write_all(bytes)?;
        } else {
            self.write_out(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.held.is_some() { self.write_out(b"") } else { Ok(()) }
    }
}

impl Output {
    /// Writes an object and LF.
    ///
    /// # Errors
    /// Standard output cannot be written, or there is no memory: then none of the object is written.
    fn stream(&mut self, object: &Object<'_>) -> io::Result<()> {
        let start = self.answers.length;
        let mut streamed = Streamed { output: self, start, held: None };
        let written = serde_json::to_writer(&mut streamed, object).map_err(io::Error::from);
        let written = written.and_then(|()| streamed.write_all(b"\n")).and_then(|()| streamed.flush());
        if written.is_err() {
            self.answers.truncate(start);
        }
        written
    }

    /// Judges the base of all records, at its place in its document or at `base:COL`.
    ///
    /// # Errors
    /// Standard output cannot be written, or there is no memory.
    pub(super) fn check_base(&mut self, base: &[u8], origin: Option<Origin<'_>>) -> io::Result<()> {
        let judged = Judged { base: Some(base), reference: None, start: 0 };
        if !judged.findings().any(|(_, _, finding)| finding.is_offence()) {
            return Ok(());
        }
        self.status = self.status.max(1);
        let document = origin.and_then(|origin| origin.document);
        let place = origin.and_then(|origin| origin.found.place);
        if !self.is_json() {
            return match (document, place) {
                (Some(document), Some(place)) => {
                    let spot = Spot(document, place).to_string();
                    self.tell_findings(judged, &spot, false)
                }
                (Some(document), None) if self.settings.pairs => {
                    self.tell_findings(judged, &format_args!("{}:base", Shown(document.name())), true)
                }
                _ => self.tell_findings(judged, &"base", true),
            };
        }
        let found = document.filter(|_| place.is_some() || self.settings.pairs);
        let object = Object {
            source: Text::new(found.map_or(&b"base"[..], |document| document.name())),
            record: None,
            reference: None,
            base: Some(Text::new(base)),
            whence: found.and(origin).map(Whence::from),
            linked: None,
            offences: Elements { judged, offences: true },
            notes: Elements { judged, offences: false },
            reference_base64: None,
            base_base64: Base64::needed(base),
        };
        self.stream(&object)
    }

    /// Judges the base of a link, unless it has been judged in this document or is that of all of
    /// them.
    fn check_base_of(&mut self, link: u64, origin: Origin<'_>) -> io::Result<()> {
        let Bases { given, found } = &mut self.judged;
        if link == 1 {
            found.clear();
        }
        let url = &*origin.found.url;
        let is_given = origin.found.place.is_none() && !self.settings.pairs;
        let is_new =
            if is_given { !std::mem::replace(given, true) } else { !found.contains(url) && found.insert(url.to_vec()) };
        if is_new { self.check_base(url, Some(origin)) } else { Ok(()) }
    }

    /// Judges a record by §2.2; false if something is illegal.
    ///
    /// # Errors
    /// Standard output cannot be written, or there is no memory.
    pub(super) fn check(&mut self, record: &Record<'_>, failure: Option<Failure>) -> io::Result<bool> {
        if let Some(failure @ (Failure::NoTab | Failure::NoFile)) = failure {
            return self.fail(record, failure);
        }
        if let (Some(_), Some(origin)) = (record.link, record.origin) {
            self.check_base_of(record.number, origin)?;
        }
        let judged = if self.settings.pairs && record.link.is_none() {
            let start = record.base.len().saturating_add(1);
            Judged { base: Some(record.base), reference: Some((record.reference, record.base)), start }
        } else {
            Judged { base: None, reference: Some((record.reference, record.base)), start: 0 }
        };
        let legal = !judged.findings().any(|(_, _, finding)| finding.is_offence());
        if !legal {
            self.status = self.status.max(1);
        }
        if self.is_json() {
            let object = Object {
                source: Text::new(record.source.name()),
                record: Some(record.number),
                reference: Some(Text::new(record.reference)),
                base: (!record.base.is_empty()).then_some(Text::new(record.base)),
                whence: record.origin.map(Whence::from),
                linked: record.link.map(Linked::from),
                offences: Elements { judged, offences: true },
                notes: Elements { judged, offences: false },
                reference_base64: Base64::needed(record.reference),
                base_base64: Base64::needed(record.base),
            };
            self.stream(&object)?;
        } else {
            self.tell_findings(judged, &Whereabouts(record), record.link.is_none())?;
        }
        Ok(legal)
    }

    /// Writes a line for each finding, unless records are to be passed over in silence; `columns`:
    /// with its own column, which does not count in a document. What is
    /// written is not kept back for long: one record may have more findings than memory has room.
    fn tell_findings(&mut self, judged: Judged<'_>, place: &dyn fmt::Display, columns: bool) -> io::Result<()> {
        if self.settings.quiet {
            return Ok(());
        }
        for (_, column, finding) in judged.findings() {
            let note = if finding.is_offence() { "" } else { "note: " };
            if columns {
                writeln!(self.answers, "{place}:{column}: {note}{finding}")?;
            } else {
                writeln!(self.answers, "{place}: {note}{finding}")?;
            }
            if self.answers.length >= LARGE {
                self.flush()?;
            }
        }
        Ok(())
    }
}
