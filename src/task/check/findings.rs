//! What is found about one record or base, in the order of its text.

use std::iter;

use super::finding::Finding;
use crate::document::Found;
use crate::limits::MAX_VIOLATIONS;
use crate::output::json::{Array, Object};
use crate::resolver::grammar::{repeated_scheme, violations};
use crate::resolver::{Base, Parts, Step, is_unsuitable, parse};
use crate::rfc1738::notes::{self, gopher_type};
use crate::rfc1738::schemes::{self, SchemeFinding, SchemeRule, doubtful_scheme};

/// A finding with its place.
pub struct Placed<'a> {
    /// Its name in JSON: `base`, `reference`, or `url`, which the reference is resolved to.
    name: &'static str,
    /// The text it is in.
    pub text: &'a [u8],
    /// What is shown of the record.
    pub shown: &'a [u8],
    /// Its column in the record, in bytes from 1.
    pub column: usize,
    /// The finding.
    pub finding: Finding<'a>,
}

impl Placed<'_> {
    /// Adds the finding to an array of JSON.
    fn write_json(&self, list: &mut Array<'_>) {
        let Placed { name, text, column, finding, .. } = self;
        list.object(|object| {
            object.text("in", name.as_bytes());
            if let Some(production) = finding.production() {
                if matches!(finding, Finding::Scheme(_)) {
                    object.text("grammar", b"rfc1738");
                }
                object.text("production", production.as_bytes());
            }
            object.number("column", *column as u64);
            match text.get(finding.at()) {
                Some(byte) => object.number("byte", u64::from(*byte)),
                None => object.nullable("byte", None),
            }
            if let Some(escape) = finding.escape(text) {
                object.text("remedy", escape.as_bytes());
            }
            object.text("message", finding.sentence(text).as_bytes());
        });
    }
}

/// What RFC 1738 finds in a URL: violations or notes.
type Find = fn(&[u8], &Parts<'_>) -> [Option<SchemeFinding>; 4];

/// A base or a reference that is checked.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// Whether it is a base.
    is_base: bool,
    /// Its bytes.
    pub text: &'a [u8],
    /// Its components.
    pub parts: Parts<'a>,
    /// Its offset in the record.
    start: usize,
    /// Whether RFC 1738 applies too.
    schemes: bool,
}

impl<'a> Checked<'a> {
    /// Parses a base.
    pub fn base(text: &'a [u8], schemes: bool) -> Self {
        Checked { is_base: true, text, parts: parse(text), start: 0, schemes }
    }

    /// Parses a reference.
    pub fn reference(text: &'a [u8], start: usize, schemes: bool) -> Self {
        Checked { is_base: false, text, parts: parse(text), start, schemes }
    }

    /// Places a finding.
    fn place(self, finding: Finding<'a>) -> Placed<'a> {
        let Checked { is_base, text, start, .. } = self;
        let name = if is_base { "base" } else { "reference" };
        Placed { name, text, shown: text, column: start + finding.at() + 1, finding }
    }

    /// What RFC 1738 finds in it, if it is absolute.
    fn of_scheme(self, find: Find) -> impl Iterator<Item = Placed<'a>> {
        let applies = self.schemes && self.parts.scheme.is_some();
        let found = if applies { find(self.text, &self.parts) } else { [None; 4] };
        found.into_iter().flatten().map(move |found| self.place(Finding::Scheme(found)))
    }

    /// The violations of §2.2 and more, both in the order of the text; at the same column only the first.
    fn violations(self, more: impl Iterator<Item = Placed<'a>>) -> impl Iterator<Item = Placed<'a>> {
        let place = move |violation| self.place(Finding::Violation(violation));
        let (mut first, mut second) = (violations(self.text, self.is_base).map(place).peekable(), more.peekable());
        iter::from_fn(move || {
            let column = first.peek().map(|placed| placed.column);
            while second.next_if(|placed| Some(placed.column) == column).is_some() {}
            match (column, second.peek()) {
                (None, _) => second.next(),
                (Some(column), Some(placed)) if placed.column < column => second.next(),
                _ => first.next(),
            }
        })
    }

    /// Whether it is an http URL in which RFC 1738 finds nothing.
    pub fn is_clean_http(self) -> bool {
        let scheme = self.parts.scheme.unwrap_or_default();
        let is_http = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
        is_http && self.of_scheme(schemes::violations).chain(self.of_scheme(notes::notes)).next().is_none()
    }

    /// All findings about it as a base. `found`: why it applies.
    pub fn as_base(self, found: Option<&Found<'_>>) -> impl Iterator<Item = Placed<'a>> {
        let whole = match self.parts.scheme {
            _ if self.text.is_empty() => None,
            None => Some(Finding::BaseWithoutScheme),
            Some(scheme) => is_unsuitable(scheme).then_some(Finding::UnsuitableBase(scheme)),
        };
        let notes = [
            gopher_type(self.text, &self.parts).map(Finding::GopherType),
            found.filter(|found| found.is_relative).map(|_| Finding::RelativeBase),
            found.filter(|found| found.is_in_body).map(|_| Finding::BaseInBody),
        ];
        let place = move |finding| self.place(finding);
        let violations = whole.map(place).into_iter().chain(self.violations(self.of_scheme(schemes::violations)));
        violations.chain(notes.into_iter().flatten().map(place)).chain(self.of_scheme(notes::notes))
    }

    /// What RFC 1738 finds in the URL it is resolved to, but not in the base. `step` decided what it inherits.
    fn of_answer(self, base: Base<'a>, url: &'a [u8], step: Step, find: Find) -> impl Iterator<Item = Placed<'a>> {
        let parts = parse(url);
        let (ends, theirs) = (parts.ends(url), self.parts.ends(self.text));
        let is_new = move |found: &SchemeFinding| {
            let is_same = |other: SchemeFinding| (other.at, other.rule) == (found.at, found.rule);
            let is_inherited = step == Step::Merged || found.at <= ends[step.inherits() - 1];
            !(is_inherited && find(base.text, &base.parts).into_iter().flatten().any(is_same))
        };
        // in the component that has it, if the reference gives that unchanged, otherwise at the start
        let place = move |found: SchemeFinding| {
            let index = ends.iter().position(|end| found.at < *end).unwrap_or(ends.len() - 1);
            let is_changed = index < step.inherits() || step == Step::Merged && index == 2;
            let at = if is_changed { 0 } else { (found.at + theirs[index]).saturating_sub(ends[index]) };
            let column = self.start + at.min(self.text.len()) + 1;
            Placed { name: "url", text: url, shown: self.text, column, finding: Finding::Scheme(found) }
        };
        find(url, &parts).into_iter().flatten().filter(is_new).map(place)
    }

    /// All findings about it as a reference with a base, and about the URL it is resolved to by a step.
    pub fn as_reference(self, base: Base<'a>, answer: Option<(&'a [u8], Step)>) -> impl Iterator<Item = Placed<'a>> {
        let of_answer =
            move |find| answer.map(|(url, step)| self.of_answer(base, url, step, find)).into_iter().flatten();
        let repeated = repeated_scheme(&self.parts, &base.parts);
        let of_scheme = self.of_scheme(schemes::violations).map(move |mut placed| {
            if let Finding::Scheme(SchemeFinding { rule: rule @ SchemeRule::NoSlashes, .. }) = &mut placed.finding
                && repeated.is_some()
            {
                *rule = SchemeRule::RepeatedScheme;
            }
            placed
        });
        // without "//" it is a violation of RFC 1738
        let is_legal = |_: &&[u8]| self.of_scheme(schemes::violations).next().is_none();
        let notes = [
            doubtful_scheme(&self.parts, &base.parts).map(Finding::DoubtfulScheme),
            repeated.filter(is_legal).map(Finding::RepeatedScheme),
        ];
        self.violations(of_scheme.chain(of_answer(schemes::violations)))
            .chain(notes.into_iter().flatten().map(move |finding| self.place(finding)))
            .chain(self.of_scheme(notes::notes))
            .chain(of_answer(notes::notes))
    }
}

/// The findings about one record or base, at most [`MAX_VIOLATIONS`] of them.
#[derive(Default)]
pub struct Findings<'a> {
    /// The violations, in the order of the text.
    pub violations: Vec<Placed<'a>>,
    /// The number of violations that are left out.
    pub omitted: usize,
    /// The number of violations, a character of several bytes counted once.
    pub count: usize,
    /// What is legal, but perhaps not meant.
    pub notes: Vec<Placed<'a>>,
}

impl<'a> Findings<'a> {
    /// Sorts and counts findings.
    pub fn collect(found: impl Iterator<Item = Placed<'a>>) -> Self {
        let mut findings = Findings::default();
        let mut end_of_character = 0;
        for placed in found {
            if !placed.finding.is_violation() {
                findings.notes.push(placed);
                continue;
            }
            if placed.column >= end_of_character {
                findings.count += 1;
                end_of_character = placed.column + placed.finding.character(placed.text);
            }
            if findings.violations.len() < MAX_VIOLATIONS {
                findings.violations.push(placed);
            } else {
                findings.omitted += 1;
            }
        }
        findings
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.notes.is_empty()
    }

    /// Adds the findings to an object of JSON.
    pub fn write_json(&self, object: &mut Object<'_>) {
        object.array("offences", |list| self.violations.iter().for_each(|placed| placed.write_json(list)));
        if self.omitted > 0 {
            object.number("offences_omitted", self.omitted as u64);
        }
        object.array("notes", |list| self.notes.iter().for_each(|placed| placed.write_json(list)));
    }
}
