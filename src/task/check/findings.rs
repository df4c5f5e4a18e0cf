//! What is found about one record or base, in the order of its text.

use std::iter;

use super::finding::Finding;
use crate::document::Found;
use crate::limits::MAX_VIOLATIONS;
use crate::output::json::{Array, Object};
use crate::resolver::grammar::{self, doubtful_scheme, repeated_scheme};
use crate::resolver::schemes::{self, SchemeFinding, SchemeRule, gopher_type};
use crate::resolver::{Base, Parts, Step, is_unsuitable, parse};

/// The text in which something was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum In {
    /// The base.
    Base,
    /// The reference.
    Reference,
    /// The URL that the reference is resolved to.
    Url,
}

impl In {
    /// Its name in JSON.
    fn name(self) -> &'static str {
        match self {
            In::Base => "base",
            In::Reference => "reference",
            In::Url => "url",
        }
    }
}

/// A finding with its place.
pub struct Placed<'a> {
    /// The text it is in.
    r#in: In,
    /// That text.
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
        let Placed { r#in, text, column, finding, .. } = self;
        list.object(|object| {
            object.text("in", r#in.name().as_bytes());
            if finding.is_of_scheme() {
                object.text("grammar", b"rfc1738");
            }
            if let Some(production) = finding.production() {
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

/// A base or a reference that is checked.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// Its bytes.
    pub text: &'a [u8],
    /// Its components.
    pub parts: Parts<'a>,
    /// Its offset in the record.
    pub start: usize,
    /// Whether RFC 1738 applies too.
    pub schemes: bool,
}

impl<'a> Checked<'a> {
    /// Parses a text.
    pub fn new(text: &'a [u8], start: usize, schemes: bool) -> Self {
        Checked { text, parts: parse(text), start, schemes }
    }

    /// Places a finding.
    fn place(self, r#in: In, finding: Finding<'a>) -> Placed<'a> {
        let Checked { text, start, .. } = self;
        Placed { r#in, text, shown: text, column: start + finding.at() + 1, finding }
    }

    /// The violations in it.
    fn violations(self, r#in: In) -> impl Iterator<Item = Placed<'a>> {
        let generic = grammar::violations(self.text, r#in == In::Base).map(Finding::Violation);
        let of_scheme = schemes::violations(self.text, &self.parts).map(Finding::Scheme);
        let place = move |finding| self.place(r#in, finding);
        merge(generic.map(place), of_scheme.filter(move |_| self.schemes).map(place))
    }

    /// The notes of RFC 1738 about it, if it is absolute.
    fn notes(self, r#in: In) -> impl Iterator<Item = Placed<'a>> {
        let notes = schemes::notes(self.text, &self.parts).map(Finding::Scheme);
        notes.filter(move |_| self.schemes && self.parts.scheme.is_some()).map(move |finding| self.place(r#in, finding))
    }

    /// Whether it is an http URL in which RFC 1738 finds nothing.
    pub fn is_clean_http(self) -> bool {
        let scheme = self.parts.scheme.unwrap_or_default();
        let is_http = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
        let violations = schemes::violations(self.text, &self.parts);
        is_http && violations.chain(schemes::notes(self.text, &self.parts)).next().is_none()
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
        let place = move |finding| self.place(In::Base, finding);
        let violations = whole.map(place).into_iter().chain(self.violations(In::Base));
        violations.chain(notes.into_iter().flatten().map(place)).chain(self.notes(In::Base))
    }

    /// All findings about it as a reference with a base, and about the URL it is resolved to.
    pub fn as_reference(self, base: &'a Parts<'a>, answer: Option<Answer<'a>>) -> impl Iterator<Item = Placed<'a>> {
        let doubtful = doubtful_scheme(&self.parts, base).map(Finding::DoubtfulScheme);
        // without "//" it is a violation of RFC 1738
        let is_legal = !self.schemes || schemes::violations(self.text, &self.parts).next().is_none();
        let repeated = repeated_scheme(&self.parts, base);
        let violations = self.violations(In::Reference).map(move |mut placed| {
            if let Finding::Scheme(SchemeFinding { rule: rule @ SchemeRule::NoSlashes, .. }) = &mut placed.finding
                && repeated.is_some()
            {
                *rule = SchemeRule::RepeatedScheme;
            }
            placed
        });
        let repeated = repeated.filter(|_| is_legal).map(Finding::RepeatedScheme);
        let of_answer = answer.map(|answer| answer.findings(self, schemes::violations)).into_iter().flatten();
        merge(violations, of_answer)
            .chain([doubtful, repeated].into_iter().flatten().map(move |finding| self.place(In::Reference, finding)))
            .chain(self.notes(In::Reference))
            .chain(answer.map(|answer| answer.findings(self, schemes::notes)).into_iter().flatten())
    }
}

/// The URL that a relative reference is resolved to.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// The URL.
    pub url: &'a [u8],
    /// The step that decided what it inherits.
    pub step: Step,
    /// The base.
    pub base: Base<'a>,
}

impl<'a> Answer<'a> {
    /// What is found in it, but not in the base: violations or notes.
    fn findings<F: Iterator<Item = SchemeFinding>>(
        self,
        reference: Checked<'a>,
        find: fn(&[u8], &Parts<'_>) -> F,
    ) -> impl Iterator<Item = Placed<'a>> {
        let parts = parse(self.url);
        let found = find(self.url, &parts).filter(move |found| {
            let is_same = |other: SchemeFinding| (other.at, other.rule) == (found.at, found.rule);
            !(self.is_inherited(&parts, found.at) && find(self.base.text, &self.base.parts).any(is_same))
        });
        found.map(move |found| self.place(reference, &parts, Finding::Scheme(found)))
    }

    /// Whether something at an offset in the URL can come from the base.
    fn is_inherited(self, parts: &Parts<'_>, at: usize) -> bool {
        self.step == Step::Merged || at <= parts.ends(self.url)[self.step.inherits() - 1]
    }

    /// Places a finding at the reference's column: in the component that has it, if the reference gives
    /// that unchanged, otherwise at the start.
    fn place(self, reference: Checked<'a>, parts: &Parts<'_>, finding: Finding<'a>) -> Placed<'a> {
        let (ends, theirs) = (parts.ends(self.url), reference.parts.ends(reference.text));
        let index = ends.iter().position(|end| finding.at() < *end).unwrap_or(ends.len() - 1);
        let is_changed = index < self.step.inherits() || self.step == Step::Merged && index == 2;
        let end = if is_changed { 0 } else { (finding.at() + theirs[index]).saturating_sub(ends[index]) };
        let column = reference.start + end.min(reference.text.len()) + 1;
        Placed { r#in: In::Url, text: self.url, shown: reference.text, column, finding }
    }
}

/// The findings of two lists that are in the order of the text; at the same column only the first.
fn merge<'a>(
    first: impl Iterator<Item = Placed<'a>>,
    second: impl Iterator<Item = Placed<'a>>,
) -> impl Iterator<Item = Placed<'a>> {
    let (mut first, mut second) = (first.peekable(), second.peekable());
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
