//! What is found about one record or base, in the order of its text.

use std::ops::ControlFlow;

use memchr::memmem;

use super::finding::Finding;
use crate::document::BaseReason;
use crate::limits::MAX_VIOLATIONS;
use crate::output::json::{Array, Object};
use crate::resolver::grammar::{repeated_scheme, violations};
use crate::resolver::{Base, Parts, Step, is_unsuitable, parse};
use crate::rfc1738::notes::{self, gopher_type};
use crate::rfc1738::schemes::{self, SchemeFinding, SchemeRule, doubtful_scheme};
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::flaws;
use crate::spec::url_error::UrlErrorKind;
use crate::strip::wrapped;

/// A finding, and where it is.
pub struct LocatedFinding<'a> {
    /// Its name in JSON: `base`, `reference`, or `url`, which the reference is resolved to.
    name: &'static str,
    /// The text it is in.
    pub text: &'a [u8],
    /// What is shown of the record.
    pub shown: &'a [u8],
    /// Its column in the record, in bytes from 1.
    pub column: usize,
    pub finding: Finding<'a>,
}

impl LocatedFinding<'_> {
    /// Adds the finding to an array of JSON.
    fn write_json(&self, list: &mut Array<'_>) {
        let LocatedFinding { name, text, column, finding, .. } = self;
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
type Find<const N: usize> = fn(&[u8], &Parts<'_>) -> [Option<SchemeFinding>; N];

/// A base or a reference that is checked.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// What it is: `base` or `reference`.
    name: &'static str,
    /// Whether it is a base that must be absolute.
    is_base: bool,
    pub text: &'a [u8],
    pub parts: Parts<'a>,
    /// Its offset in the record.
    start: usize,
    /// Whether RFC 1738 applies too.
    schemes: bool,
}

impl<'a> Checked<'a> {
    pub fn base(text: &'a [u8], schemes: bool) -> Self {
        Checked { name: "base", is_base: true, text, parts: parse(text), start: 0, schemes }
    }

    pub fn reference(text: &'a [u8], start: usize, schemes: bool) -> Self {
        Checked { name: "reference", is_base: false, text, parts: parse(text), start, schemes }
    }

    /// A base as a document has it, perhaps a relative one.
    pub fn written_base(text: &'a [u8]) -> Self {
        Checked { name: "base", ..Checked::reference(text, 0, false) }
    }

    /// Whether it is an http URL in which RFC 1738 finds nothing.
    pub fn is_clean_http(&self) -> bool {
        let scheme = self.parts.scheme.unwrap_or_default();
        let is_http = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
        let violations = self.of_scheme(schemes::violations).into_iter();
        is_http && violations.chain(self.of_scheme(notes::notes)).all(|finding| finding.is_none())
    }

    fn locate(&self, finding: Finding<'a>) -> LocatedFinding<'a> {
        let Checked { name, text, start, .. } = *self;
        LocatedFinding { name, text, shown: text, column: start + finding.at() + 1, finding }
    }

    /// What RFC 1738 finds in it, if it is absolute.
    fn of_scheme<const N: usize>(&self, find: Find<N>) -> [Option<SchemeFinding>; N] {
        if self.schemes && self.parts.scheme.is_some() { find(self.text, &self.parts) } else { [None; N] }
    }
}

/// The URL that a reference is resolved to, which is checked by its scheme too.
#[derive(Clone, Copy)]
pub struct FullUrl<'a> {
    pub url: &'a [u8],
    /// The step that decided what it inherits.
    pub step: Step,
}

impl<'a> FullUrl<'a> {
    /// What RFC 1738 finds in it, but not in its base.
    fn findings<const N: usize>(
        &self,
        base: &Base<'a>,
        reference: &Checked<'a>,
        find: Find<N>,
    ) -> Vec<LocatedFinding<'a>> {
        let parts = parse(self.url);
        let mut findings = Vec::new();
        for finding in find(self.url, &parts).into_iter().flatten() {
            let ends = parts.ends(self.url);
            let is_same = |other: SchemeFinding| (other.at, other.rule) == (finding.at, finding.rule);
            let is_inherited = self.step == Step::Merged || finding.at <= ends[self.step.inherits() - 1];
            if is_inherited && find(base.text, &base.parts).into_iter().flatten().any(is_same) {
                continue;
            }
            let column = reference.start + self.offset(&finding, ends, reference) + 1;
            let finding = Finding::Scheme(finding);
            findings.push(LocatedFinding { name: "url", text: self.url, shown: reference.text, column, finding });
        }
        findings
    }

    /// Where a finding is in the reference: in the component that has it if that is the reference's, unchanged;
    /// otherwise at the start of the reference. Of a merged path it is what ends lines alone. `ends` are those of the
    /// URL.
    fn offset(&self, finding: &SchemeFinding, ends: [usize; 6], reference: &Checked<'_>) -> usize {
        let index = ends.iter().position(|end| finding.at < *end).unwrap_or(ends.len() - 1);
        if index < self.step.inherits() {
            return 0;
        }
        let end = reference.parts.ends(reference.text)[index];
        let offset = (finding.at + end).saturating_sub(ends[index]).min(reference.text.len());
        if self.step != Step::Merged || index != 2 {
            return offset;
        } else if finding.rule != SchemeRule::LineEnd {
            return 0;
        }
        // a dot segment may be removed after it
        let line_end = &self.url[finding.at..finding.at + finding.length];
        let is_there = reference.text[offset..end].starts_with(line_end);
        if is_there { offset } else { memmem::find(&reference.text[..end], line_end).unwrap_or(0) }
    }
}

/// The number of characters that a line without JSON names.
pub const MAX_NAMED: usize = 5;

/// The findings about one record or base, at most [`MAX_VIOLATIONS`] of them.
#[derive(Default)]
pub struct Findings<'a> {
    /// The violations, in the order of the text.
    pub violations: Vec<LocatedFinding<'a>>,
    /// The number of violations that are left out.
    pub omitted: usize,
    /// The number of violations, a character of several bytes counted once.
    pub count: usize,
    /// The number of texts with violations that RFC 3986 allows as they are.
    pub allowed: usize,
    /// What is legal, but perhaps not meant.
    pub notes: Vec<LocatedFinding<'a>>,
    /// The distinct characters that the violations are about, up to one more than [`MAX_NAMED`]; an empty one for all
    /// that are about something else.
    pub characters: Vec<&'a [u8]>,
    /// The column after the character that the last violation is about.
    end_of_character: usize,
}

impl<'a> Findings<'a> {
    /// Adds all findings about a base. `found`: why it applies.
    pub fn add_base(&mut self, base: &Checked<'a>, found: Option<&BaseReason<'_>>) {
        let before = self.count;
        match base.parts.scheme {
            _ if base.text.is_empty() => {}
            None => self.add(base.locate(Finding::BaseWithoutScheme("absoluteURL", 0))),
            Some(scheme) if is_unsuitable(scheme) => self.add(base.locate(Finding::UnsuitableBase(scheme))),
            Some(_) => {}
        }
        let of_scheme = base.of_scheme(schemes::violations).into_iter().flatten();
        self.add_violations(base, of_scheme.map(|finding| base.locate(Finding::Scheme(finding))).collect());
        self.count_allowed(base, before);
        let notes = [
            gopher_type(base.text, &base.parts).map(Finding::GopherType),
            found.filter(|found| found.is_relative).map(|_| Finding::RelativeBase),
            found.filter(|found| found.is_in_body).map(|_| Finding::BaseInBody),
        ];
        for note in notes.into_iter().flatten() {
            self.add(base.locate(note));
        }
        self.add_notes_of_scheme(base);
    }

    /// Adds all findings about a reference with a base, and about the URL that it is resolved to.
    pub fn add_reference(&mut self, reference: &Checked<'a>, base: &Base<'a>, full: Option<FullUrl<'a>>) {
        let repeated = repeated_scheme(&reference.parts, &base.parts);
        let mut of_scheme = reference.of_scheme(schemes::violations);
        for finding in of_scheme.iter_mut().flatten() {
            if repeated.is_some() && finding.rule == SchemeRule::NoSlashes {
                finding.rule = SchemeRule::RepeatedScheme;
            }
        }
        let is_legal = of_scheme == [None; 4];
        // of a reference with a scheme no full URL is checked
        let mut more = full.map_or_else(Vec::new, |full| full.findings(base, reference, schemes::violations));
        more.extend(of_scheme.into_iter().flatten().map(|finding| reference.locate(Finding::Scheme(finding))));
        let before = self.count;
        self.add_violations(reference, more);
        self.count_allowed(reference, before);

        let notes = [
            doubtful_scheme(&reference.parts, &base.parts).map(Finding::DoubtfulScheme),
            // without "//" it is a violation of RFC 1738
            repeated.filter(|_| is_legal).map(Finding::RepeatedScheme),
            // silent: reading 19
            wrapped(reference.text).map(|url| Finding::Wrapper(&reference.text[url.start - 5..url.start])),
        ];
        for note in notes.into_iter().flatten() {
            self.add(reference.locate(note));
        }
        self.add_notes_of_scheme(reference);
        for note in full.map_or_else(Vec::new, |full| full.findings(base, reference, notes::notes)) {
            self.add(note);
        }
    }

    /// Counts a text that has violations and none by RFC 3986. `before`: the number without them.
    fn count_allowed(&mut self, checked: &Checked<'_>, before: usize) {
        if self.count > before && flaws(checked.text, checked.is_base).next().is_none() {
            self.allowed += 1;
        }
    }

    /// Adds the violations of §2.2 and `more`, both in the order of the text; at the same column only the
    /// first. There may be millions, so that those of §2.2 are not collected before.
    fn add_violations(&mut self, checked: &Checked<'a>, more: Vec<LocatedFinding<'a>>) {
        let mut more = more.into_iter().peekable();
        for violation in violations(checked.text, checked.is_base) {
            let located = checked.locate(Finding::Violation(violation));
            while let Some(before) = more.next_if(|other| other.column < located.column) {
                self.add(before);
            }
            while more.next_if(|other| other.column == located.column).is_some() {}
            self.add(located);
        }
        for located in more {
            self.add(located);
        }
    }

    /// Adds the flaws of a base or a reference by RFC 3986.
    pub fn add_flaws(&mut self, checked: &Checked<'a>) {
        for flaw in flaws(checked.text, checked.is_base) {
            self.add(checked.locate(Finding::Flaw(flaw)));
        }
    }

    /// Adds the errors of a base or a reference by the URL Standard. `around`: the base of that.
    pub fn add_url_errors(&mut self, checked: &Checked<'a>, around: &PreparedBase) {
        let _ = around.url_errors(checked.text, &mut |error| {
            let is_scheme = error.kind == UrlErrorKind::MissingSchemeNonRelativeUrl && checked.is_base;
            self.add(checked.locate(if is_scheme {
                Finding::BaseWithoutScheme(error.kind.name(), error.at)
            } else {
                Finding::UrlError(error)
            }));
            ControlFlow::Continue(())
        });
    }

    /// Adds the notes of RFC 1738 about a base or a reference.
    fn add_notes_of_scheme(&mut self, checked: &Checked<'a>) {
        for note in checked.of_scheme(notes::notes).into_iter().flatten() {
            self.add(checked.locate(Finding::Scheme(note)));
        }
    }

    /// Adds and counts a finding.
    fn add(&mut self, located: LocatedFinding<'a>) {
        if !located.finding.is_violation() {
            self.notes.push(located);
            return;
        }
        if located.column >= self.end_of_character {
            self.count += 1;
            let character = located.finding.character(located.text);
            self.end_of_character = located.column + character.len();
            if self.characters.len() <= MAX_NAMED && !self.characters.contains(&character) {
                self.characters.push(character);
            }
        }
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(located);
        } else {
            self.omitted += 1;
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.notes.is_empty()
    }

    /// Adds the findings to an object of JSON.
    pub fn write_json(&self, object: &mut Object<'_>) {
        object.array("violations", |list| self.violations.iter().for_each(|located| located.write_json(list)));
        if self.omitted > 0 {
            object.number("violations_omitted", self.omitted as u64);
        }
        object.array("notes", |list| self.notes.iter().for_each(|located| located.write_json(list)));
    }
}
