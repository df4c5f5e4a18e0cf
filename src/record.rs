//! The values that go through all rooms: a record, its bases, and why it fails.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::document::{BaseReason, Link, Place};
use crate::resolver::{Base, Unresolvable};
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;

/// A record as it was read.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub source: Source<'a>,
    /// Its number in the source, from 1.
    pub number: u64,
    /// All of it, trimmed.
    pub text: &'a [u8],
    /// The reference in it.
    pub reference: &'a [u8],
    /// The link that the record is, if it comes from a document.
    pub link: Option<&'a Link<'a>>,
}

impl<'a> Record<'a> {
    /// The reference as other standards than RFC 1808 read it.
    pub fn decoded(&self) -> Cow<'a, [u8]> {
        self.link.map_or(Cow::Borrowed(self.reference), Link::decoded)
    }

    /// The charset that browsers encode its query in.
    pub fn encoding(&self) -> &'static Encoding {
        self.link.map_or(UTF_8, |link| link.decoding.query)
    }
}

/// Where a base URL was found.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The document that was searched.
    pub document: Source<'a>,
    /// The rule of §3 and the place.
    pub found: BaseReason<'a>,
}

/// A number for the place that gave a base. Tasks keep what they make of a base by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaseId(pub u64);

/// A base URL as one standard has it.
#[derive(Clone, Copy)]
pub struct StandardBase<'a> {
    /// Its bytes; empty if there is no base.
    pub text: &'a [u8],
    /// The base that RFC 1808 parsed, or why no reference can be resolved with it.
    pub parsed: Result<Base<'a>, Failure<'a>>,
    /// The base that another standard parsed, if a document keeps it.
    pub prepared: Option<&'a PreparedBase>,
    /// Where it was found, if in a document.
    pub origin: Option<Origin<'a>>,
    /// Whether the URL that the user gave is the BASE of a record, before a TAB, and not that of `--base`.
    pub in_record: bool,
}

impl<'a> StandardBase<'a> {
    pub fn new(text: &'a [u8], origin: Option<Origin<'a>>) -> Self {
        StandardBase {
            text,
            parsed: Base::new(text).map_err(Failure::Unresolvable),
            prepared: None,
            origin,
            in_record: false,
        }
    }

    /// Whether there is no base, and no failure either.
    pub fn is_missing(&self) -> bool {
        self.parsed.is_ok() && self.text.is_empty()
    }

    /// Where it is in a document; `None` if no document has it in its text.
    pub fn place(&self) -> Option<Place<'a>> {
        self.origin?.found.place
    }

    /// A base that is missing because its record fails.
    pub fn failed(failure: Failure<'a>) -> Self {
        StandardBase { text: b"", parsed: Err(failure), prepared: None, origin: None, in_record: false }
    }
}

/// The base URL of a record, once for each standard.
#[derive(Clone, Copy)]
pub struct Bases<'a> {
    /// The number of the place that gave it.
    pub id: BaseId,
    /// In the order of [`Spec`].
    pub by_spec: [StandardBase<'a>; 3],
    /// The URL that the user gave for it: that of `--base`, of the record, or of a file of the directory, whatever the
    /// document says. Empty if there is none.
    pub given: &'a [u8],
    /// The number of that one's place.
    pub given_id: BaseId,
    /// The bases with which browsers fetch the same link, if they do so before they read the BASE of its page.
    pub early: Option<&'a Bases<'a>>,
}

impl<'a> Bases<'a> {
    /// One base for all standards, given by the user.
    pub fn same(id: BaseId, base: StandardBase<'a>) -> Self {
        Bases { id, by_spec: [base; 3], given: base.text, given_id: id, early: None }
    }

    /// The bases of a link that browsers fetch before they read the BASE of its page, for a task that asks some
    /// standards. `before`: those around the page. By the RFCs, BASE applies to all links (§3.1, §10).
    pub fn early(&self, before: &Bases<'a>, standards: &[Spec]) -> Bases<'a> {
        if standards == [Spec::Whatwg] || before.id == self.id {
            return *before;
        }
        let [rfc1808, rfc3986, _] = self.by_spec;
        Bases { id: BaseId(self.id.0 | 1 << 63), by_spec: [rfc1808, rfc3986, *before.of(Spec::Whatwg)], ..*before }
    }

    /// The base as a standard has it.
    pub fn of(&self, spec: Spec) -> &StandardBase<'a> {
        &self.by_spec[spec as usize]
    }
}

/// Why a record has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<'a> {
    /// No TAB follows a base; what comes after it, in capitals.
    NoTab(&'static str),
    /// No TAB follows a base, and the argument is the name of a file.
    FileName,
    /// The record is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    TooLong,
    /// The link is longer than that.
    LongLink,
    /// An argument contains LF, and its answer would be two lines.
    Newline,
    /// The document that it names cannot be read.
    Document(&'a Complaint),
    /// RFC 1808 has no answer.
    Unresolvable(Unresolvable),
}

impl Failure<'_> {
    /// The failure in words, as far as it does not depend on its record.
    pub fn complaint(self) -> Complaint {
        match self {
            Failure::Document(complaint) => complaint.clone(),
            Failure::NoTab(after) => ("no-tab", "no TAB", format!("write BASE TAB {after}")).into(),
            Failure::FileName => ("no-tab", "a file", "--file reads its lines").into(),
            Failure::TooLong => ("too-long", "longer than 16 MiB", "split it").into(),
            Failure::LongLink => ("too-long", "the link is longer than 16 MiB", "shorten it").into(),
            Failure::Newline => ("newline", "it contains a newline", "use --null").into(),
            Failure::Unresolvable(why) => why.describe().into(),
        }
    }
}

/// A [`Failure`] in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The code of JSON's `error`.
    pub code: &'static str,
    pub what: Cow<'static, str>,
    /// How to fix it; empty where that is obvious.
    pub fix: Cow<'static, str>,
}

/// From a code, what is wrong and how to fix it, as the lower rooms return them.
impl<W: Into<Cow<'static, str>>, F: Into<Cow<'static, str>>> From<(&'static str, W, F)> for Complaint {
    fn from((code, what, fix): (&'static str, W, F)) -> Self {
        Complaint { code, what: what.into(), fix: fix.into() }
    }
}
