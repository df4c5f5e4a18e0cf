//! The explanation of one record, step by step, in the terms of §4; [`uri`] has those of RFC 3986. Used for text and
//! for JSON.

pub mod base;
mod colors;
mod components;
pub mod explained;
mod line;
mod removals;
mod sentence;
mod step_6;
mod steps;
mod table;
mod unbroken;
pub mod uri;
pub mod url;

use std::borrow::Cow;
use std::mem;

use anstyle::Style;

use super::buffer::Buffer;
use super::location::Location;
use crate::document::BaseReason;
use crate::record::{Complaint, Failure, Origin, Record, StandardBase};
use crate::resolver::{Parts, Resolved, Step, parse};
use removals::Merge;
use table::Table;

pub use colors::Colors;
pub use line::{Screen, StepLine};
pub use removals::{Removal, Removals};
pub use unbroken::unbroken;
use unbroken::{NO_BREAK, unbroken_words};

/// Everything known about a record once it is resolved.
pub struct Outcome<'a> {
    pub record: &'a Record<'a>,
    pub base: &'a StandardBase<'a>,
    /// The components of the answer, or why there is no answer.
    pub result: &'a Result<Resolved<'a>, Complaint>,
    /// The answer; empty if there is none.
    pub url: &'a [u8],
    /// The removals of step 6, in the RFC's order.
    pub removals: &'a [Removal],
    /// What is to be noted, such as what other standards answer.
    pub notes: &'a [Note],
}

/// What is to be noted about an answer.
pub struct Note {
    /// The note, with [`unbroken()`] values.
    pub text: Cow<'static, str>,
    /// Whether it says that another standard answers differently.
    pub differs: bool,
}

/// Writes the explanation for a person: the record, the table of components, the steps.
fn write(outcome: &Outcome<'_>, screen: Screen, out: &mut Buffer) {
    let explanation = Explanation::new(outcome, screen.colors);
    let block =
        has_steps(outcome.base).then(|| (explanation.sentence(), explanation.table(), "By RFC 1808, section 4:"));
    write_start(outcome.record, block, screen, out);
    let mut before = "";
    explanation.steps(&mut |line| line.write(mem::replace(&mut before, line.step), screen, out));
}

/// Writes all before the steps: where the record is, and, if it has steps, a sentence, the table, and a title of the
/// steps.
fn write_start(record: &Record<'_>, block: Option<(String, Table<'_>, &str)>, screen: Screen, out: &mut Buffer) {
    write_header(record, block.is_some(), screen, out);
    let Some((sentence, table, title)) = block else { return out.add([b"\n"]) };
    screen.wrap(format_args!("{sentence}"), 0, Style::new(), out);
    out.add([b"\n"]);
    table.write(screen, out);
    screen.wrap(format_args!("{title}"), 0, Style::new(), out);
}

/// Writes the first line: where the record is, and its reference, or all of a record without one.
fn write_header(record: &Record<'_>, has_reference: bool, screen: Screen, out: &mut Buffer) {
    let Record { text, reference, link, .. } = *record;
    let link = match link {
        None => String::new(),
        Some(link) if link.attribute.is_empty() => format!(" <{}>", unbroken(link.element)),
        Some(link) => format!(" <{}{NO_BREAK}{}>", unbroken(link.element), unbroken(link.attribute)),
    };
    let text = if has_reference { reference } else { text };
    let separator = if text.is_empty() { "" } else { " " };
    let location = unbroken_words(Location::of(record));
    screen.wrap(format_args!("{location}{link}:{separator}{}", unbroken(text)), 2, Style::new(), out);
}

/// Whether a record has a base and a reference, so that there are steps.
pub fn has_steps(base: &StandardBase<'_>) -> bool {
    matches!(base.parsed, Ok(_) | Err(Failure::Unresolvable(_)))
}

/// The explanation of one record. Base and reference are parsed again, because an error has no components.
struct Explanation<'a> {
    outcome: &'a Outcome<'a>,
    colors: Colors,
    base: Parts<'a>,
    reference: Parts<'a>,
    /// The answer, after step 7; nothing if there is no answer.
    answer: Parts<'a>,
    /// Step 6, if it was done.
    merge: Option<Merge<'a>>,
}

impl<'a> Explanation<'a> {
    /// Prepares an explanation; linear in base and reference.
    fn new(outcome: &'a Outcome<'a>, colors: Colors) -> Self {
        let [base, reference, answer] = [outcome.base.text, outcome.record.reference, outcome.url].map(parse);
        let is_merged = matches!(outcome.result, Ok(Resolved { step: Step::Merged, .. }));
        let merge = is_merged.then(|| Merge::new(base, reference.path, outcome.removals));
        Explanation { outcome, colors, base, reference, answer, merge }
    }

    /// How many of the first bytes of the answer's path, before step 7, came from the base.
    fn kept_of_path(&self, resolved: &Resolved<'_>) -> usize {
        match &self.merge {
            Some(merge) => merge.left(merge.base_len, merge.removals.len()),
            None if resolved.step.inherits() > 2 => resolved.parts.path.len(),
            None => 0,
        }
    }

    /// How many of the first bytes of the answer's path came from the base, after step 7. What that inserts is part of
    /// the inherited text: it is needed only after an inherited net_loc, or where the base has none.
    fn path_from_base(&self, resolved: &Resolved<'_>) -> usize {
        resolved.parts.inserted().len() + self.kept_of_path(resolved)
    }

    /// How many of the first bytes of the answer came from the base.
    fn url_from_base(&self, resolved: &Resolved<'_>) -> usize {
        let ends = self.answer.ends(self.outcome.url);
        match resolved.step.inherits() {
            0 => 0,
            2 => ends[1] + self.path_from_base(resolved),
            inherits => ends[inherits - 1],
        }
    }
}

/// The text of step 1: the base URL, the section of §3 that gives it, and where that is.
fn step_1(base: &StandardBase<'_>, colors: Colors) -> String {
    if base.text.is_empty() {
        return "there is no base URL (§3.4)".into();
    }
    let section =
        base.origin.filter(|origin| origin.found.place.is_some()).map_or("3.3", |origin| origin.found.rule.section());
    format!("the base URL is {} (§{section},{NO_BREAK}{})", colors.base(base.text), place_of_base(base))
}

/// Where a base is: in a document, a record, or the command line.
fn place_of_base(base: &StandardBase<'_>) -> Cow<'static, str> {
    match base.origin {
        Some(Origin { document, found: BaseReason { by: Some(by), place: Some(place), .. } }) => {
            let location = unbroken_words(Location::Document(document, place));
            let part = match place.part {
                Some(part) if !part.is_decoded => format!(", part {}", part.number),
                _ => String::new(),
            };
            format!("{} in {location}{part}", by.name()).into()
        }
        _ if base.in_record => format!("the{NO_BREAK}record").into(),
        _ => "--base".into(),
    }
}
