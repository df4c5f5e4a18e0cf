//! The explanation of one record, step by step, in the terms of §4. Used for text and for JSON.

mod colors;
mod line;
mod removals;
mod sentence;
mod step_6;
mod steps;
mod table;
mod unbroken;

use std::borrow::Cow;
use std::mem;

use anstyle::Style;

use super::buffer::Buffer;
use super::location::Location;
use crate::document::BaseReason;
use crate::record::{Complaint, Failure, Origin, Record, StandardBase};
use crate::resolver::{Parts, Resolved, Step, parse};
use removals::Merge;

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
    /// Whether each record has its own base.
    pub pairs: bool,
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
pub fn write(outcome: &Outcome<'_>, screen: Screen, out: &mut Buffer) {
    let explanation = Explanation::new(outcome, screen.colors);
    explanation.header(screen, out);
    if explanation.has_steps() {
        screen.wrap(format_args!("{}", explanation.sentence()), 0, Style::new(), out);
        out.add([b"\n"]);
        explanation.table(screen, out);
        screen.wrap(format_args!("By RFC 1808, section 4:"), 0, Style::new(), out);
    } else {
        out.add([b"\n"]);
    }
    let mut before = "";
    explanation.steps(&mut |line| line.write(mem::replace(&mut before, line.step), screen, out));
}

/// Passes each line of the steps to `each`, without colors. The last one ends in the answer or the
/// error.
pub fn steps(outcome: &Outcome<'_>, each: &mut dyn FnMut(StepLine<'_>)) {
    Explanation::new(outcome, Colors::default()).steps(each);
}

/// The explanation of one record. Base and reference are parsed again, because an error has no components.
struct Explanation<'a> {
    outcome: &'a Outcome<'a>,
    colors: Colors,
    base: Parts<'a>,
    reference: Parts<'a>,
    /// Step 6, if it was done.
    merge: Option<Merge<'a>>,
}

impl<'a> Explanation<'a> {
    /// Prepares an explanation; linear in base and reference.
    fn new(outcome: &'a Outcome<'a>, colors: Colors) -> Self {
        let (base, reference) = (parse(outcome.base.text), parse(outcome.record.reference));
        let is_merged = matches!(outcome.result, Ok(Resolved { step: Step::Merged, .. }));
        let merge = is_merged.then(|| Merge::new(base, reference.path, outcome.removals));
        Explanation { outcome, colors, base, reference, merge }
    }

    /// Writes the first line: where the record is, and its reference.
    fn header(&self, screen: Screen, out: &mut Buffer) {
        let Record { text, reference, link, .. } = *self.outcome.record;
        let link = match link {
            None => String::new(),
            Some(link) if link.attribute.is_empty() => format!(" <{}>", unbroken(link.element)),
            Some(link) => format!(" <{}{NO_BREAK}{}>", unbroken(link.element), link.attribute),
        };
        let text = if self.has_steps() { reference } else { text };
        let separator = if text.is_empty() { "" } else { " " };
        let location = unbroken_words(Location::of(self.outcome.record));
        screen.wrap(format_args!("{location}{link}:{separator}{}", unbroken(text)), 2, Style::new(), out);
    }

    /// Whether the record has a base and a reference, so that there are steps.
    fn has_steps(&self) -> bool {
        matches!(self.outcome.base.parsed, Ok(_) | Err(Failure::Unresolvable(_)))
    }

    /// How many of the first bytes of the answer's path, before step 7, came from the base.
    fn kept_of_path(&self, resolved: &Resolved<'_>) -> usize {
        match &self.merge {
            Some(merge) => merge.left(merge.base_len, merge.removals.len()),
            None if resolved.step.inherits() > 2 => resolved.parts.path.len(),
            None => 0,
        }
    }

    /// The same after step 7. What that inserts is part of the inherited text: it is needed only after an inherited net_loc, or
    /// where the base has none.
    fn path_from_base(&self, resolved: &Resolved<'_>) -> usize {
        resolved.parts.inserted().len() + self.kept_of_path(resolved)
    }

    /// How many of the first bytes of the answer came from the base.
    fn url_from_base(&self, resolved: &Resolved<'_>) -> usize {
        let ends = parse(self.outcome.url).ends(self.outcome.url);
        match resolved.step.inherits() {
            0 => 0,
            2 => ends[1] + self.path_from_base(resolved),
            inherits => ends[inherits - 1],
        }
    }
}

/// Writes the explanation of a base alone: step 1.
pub fn write_base(base: &StandardBase<'_>, screen: Screen, out: &mut Buffer) {
    StepLine::new("1", format_args!("{}", step_1(base, false, screen.colors))).write("", screen, out);
}

/// The text of step 1: the base URL, the section of §3 that gives it, and where that is.
fn step_1(base: &StandardBase<'_>, pairs: bool, colors: Colors) -> String {
    if base.text.is_empty() {
        return "there is no base URL (§3.4)".into();
    }
    let origin = match base.origin {
        Some(Origin { document, found: BaseReason { rule, by, place: Some(place), .. } }) => {
            let location = unbroken_words(Location::Document(document, place));
            let part = match place.part {
                Some(part) if !part.is_decoded => format!(", part {}", part.number),
                _ => String::new(),
            };
            format!("§{},{NO_BREAK}{by} in {location}{part}", rule.section())
        }
        _ if pairs => format!("§3.3,{NO_BREAK}the{NO_BREAK}record"),
        _ => format!("§3.3,{NO_BREAK}--base"),
    };
    format!("the base URL is {} ({origin})", colors.base(base.text))
}
