//! The explanation of one record in the terms of RFC 3986. Used for text and for JSON.

mod moves;
mod sentence;
mod steps;

use std::mem;

use super::colors::Colors;
use super::line::Screen;
use super::table::{CameFrom, NOWHERE, Row, Table, columns_with};
use super::{Note, has_steps, place_of_base, write_start};
use crate::output::buffer::Buffer;
use crate::record::{Complaint, Record, StandardBase};
use crate::spec::rfc3986::{Uri, divide};

pub use moves::Moves;

/// Everything known about a record once RFC 3986 has resolved it.
pub struct UriOutcome<'a> {
    pub record: &'a Record<'a>,
    pub base: &'a StandardBase<'a>,
    /// The answer, or why there is no answer.
    pub answer: Result<&'a [u8], &'a Complaint>,
    /// The moves that clean its path; `None` if there is no answer, or if the base's path stays as it is.
    pub moves: Option<&'a Moves<'a>>,
    /// What is to be noted, such as what other standards answer.
    pub notes: &'a [Note],
}

/// Writes the explanation for a person: the record, the table of components, the steps.
pub(super) fn write(outcome: &UriOutcome<'_>, screen: Screen, out: &mut Buffer) {
    let explanation = UriExplanation::new(outcome, screen.colors);
    let block =
        has_steps(outcome.base).then(|| (explanation.sentence(), explanation.table(), "By RFC 3986, section 5:"));
    write_start(outcome.record, block, screen, out);
    let mut before = "";
    explanation.steps(&mut |line| line.write(mem::replace(&mut before, line.step), screen, out));
}

/// The base of RFC 3986 §5.1, and where it is.
pub(super) fn step_5_1(base: &StandardBase<'_>, colors: Colors) -> String {
    match base.text {
        b"" => "there is no base URI".into(),
        text => format!("the base URI is {} ({})", colors.base(text), place_of_base(base)),
    }
}

/// The names of the components (RFC 3986 §3).
const NAMES: [&str; 5] = ["scheme", "authority", "path", "query", "fragment"];

/// The components in the order of their names. A path is always there.
fn components(uri: Uri<'_>) -> [Option<&[u8]>; 5] {
    [uri.scheme, uri.authority, Some(uri.path), uri.query, uri.fragment]
}

/// The explanation of one record.
pub(super) struct UriExplanation<'a> {
    outcome: &'a UriOutcome<'a>,
    colors: Colors,
    base: Uri<'a>,
    reference: Uri<'a>,
    /// The answer; nothing if there is no answer.
    target: Uri<'a>,
}

impl<'a> UriExplanation<'a> {
    pub(super) fn new(outcome: &'a UriOutcome<'a>, colors: Colors) -> Self {
        let [base, reference, target] =
            [outcome.base.text, outcome.record.reference, outcome.answer.unwrap_or_default()].map(divide);
        UriExplanation { outcome, colors, base, reference, target }
    }

    /// Whether the reference has a scheme or an authority, so that path and query are its own.
    fn is_own(&self) -> bool {
        self.reference.scheme.is_some() || self.reference.authority.is_some()
    }

    /// Whether the reference has no path, so that the base's stays as it is.
    fn keeps_path(&self) -> bool {
        !self.is_own() && self.reference.path.is_empty()
    }

    /// Whether the two paths are merged.
    fn is_merged(&self) -> bool {
        !self.is_own() && !self.reference.path.is_empty() && !self.reference.path.starts_with(b"/")
    }

    /// The last segment of the base's path, which the reference's path replaces.
    fn replaced(&self) -> &'a [u8] {
        // a "/" for a path that is empty is not in it
        self.base.path.get(self.base.directory().len()..).unwrap_or_default()
    }

    /// Whether `/.` is written before the path, which would begin with `//` otherwise (RFC 3986 §3.3).
    fn has_inserted(&self) -> bool {
        self.outcome.moves.is_some_and(|moves| moves.result().0 < self.target.path.len())
    }

    /// How many of the first bytes of the answer's path came from the base. What is inserted belongs to them.
    fn path_from_base(&self) -> usize {
        match self.outcome.moves {
            None => self.target.path.len(),
            Some(moves) => moves.result().1 + if self.has_inserted() { "/.".len() } else { 0 },
        }
    }

    /// How many of the first bytes of the answer came from the base.
    fn url_from_base(&self) -> usize {
        let Uri { scheme, authority, query, .. } = self.target;
        let with_delimiter = |part: Option<&[u8]>, delimiter: &str| part.map_or(0, |part| part.len() + delimiter.len());
        if self.reference.scheme.is_some() {
            return 0;
        }
        let scheme = with_delimiter(scheme, ":");
        if self.reference.authority.is_some() {
            return scheme;
        }
        let query = if self.keeps_path() && self.reference.query.is_none() { with_delimiter(query, "?") } else { 0 };
        scheme + with_delimiter(authority, "//") + self.path_from_base() + query
    }

    /// The table of the components of base, reference and answer.
    fn table(&self) -> Table<'a> {
        let [base, reference] = [self.base, self.reference].map(components);
        let target = if self.outcome.answer.is_ok() { components(self.target) } else { [None; 5] };
        let is_base =
            [self.reference.scheme.is_none(), !self.is_own(), true, self.keeps_path() && reference[3].is_none(), false];
        let row = |(index, name): (usize, &&'static str)| {
            let (from_base, from) = match *name {
                _ if target[index].is_none() => (0, NOWHERE),
                "path" => (self.path_from_base(), self.origin_of_path()),
                _ if is_base[index] => (usize::MAX, ["base", ""]),
                _ => (0, ["reference", ""]),
            };
            let parts = [(base[index], usize::MAX), (reference[index], 0), (target[index], from_base)];
            Row::new(name, parts.map(|(part, from_base)| self.colors.component(part, from_base)), from)
        };
        let rows = NAMES.iter().enumerate().map(row).collect();
        Table { rows, columns: columns_with(self.outcome.base.text), names: "  authority  ".len() }
    }

    /// Where the answer's path came from, and the sections that changed it.
    fn origin_of_path(&self) -> CameFrom {
        let Some(moves) = self.outcome.moves else { return ["base", ""] };
        let whose = match moves.result() {
            (_, 0) => "reference",
            _ if self.base.path.is_empty() => "reference",
            (all, from_base) if from_base == all => "base",
            _ => "both",
        };
        let sections = match (self.is_merged() && self.base.path.is_empty(), moves.has_dots()) {
            (false, false) => "",
            (false, true) => ", 5.2.4",
            // the first slash is of neither
            (true, false) => ", 5.2.3",
            (true, true) => ", 5.2.3 and 5.2.4",
        };
        [whose, sections]
    }
}
