//! The explanation of one record, step by step, in the terms of §4. Used for text and for JSON.

mod removals;
mod step_6;
mod steps;
mod table;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use anstyle::{AnsiColor, Style};

use super::buffer::Buffer;
use super::location::{self, Escaped, Location};
use crate::document::Found;
use crate::record::{Complaint, Failure, KnownBase, Origin, Record};
use crate::resolver::{Parts, Resolved, Step, parse};
use removals::Merge;

pub use removals::{Removal, Removals};

/// Everything known about a record once it is resolved.
pub struct Outcome<'a> {
    /// The record.
    pub record: &'a Record<'a>,
    /// Its base.
    pub base: &'a KnownBase<'a>,
    /// The components of the answer, or why there is no answer.
    pub result: &'a Result<Resolved<'a>, Complaint>,
    /// The answer; empty if there is none.
    pub url: &'a [u8],
    /// The removals of step 6, in the RFC's order.
    pub removals: &'a [Removal],
    /// Whether each record has its own base.
    pub pairs: bool,
    /// What is to be noted, such as what other standards answer.
    pub notes: &'a [String],
}

/// How bytes look by their origin. The default is no color.
#[derive(Clone, Copy, Default)]
pub struct Colors {
    /// From the base.
    base: Style,
    /// From the reference.
    reference: Style,
    /// Removed in step 6.
    removed: Style,
    /// A step that is skipped.
    skipped: Style,
}

impl Colors {
    /// All colors, or none.
    pub fn new(colored: bool) -> Self {
        let [base, reference, removed] = [AnsiColor::Cyan, AnsiColor::Green, AnsiColor::Red].map(AnsiColor::on_default);
        let all = Colors { base, reference, removed, skipped: Style::new().dimmed() };
        if colored { all } else { Colors::default() }
    }

    /// Bytes of which the first `from_base` came from the base and the others from the reference.
    fn mixed(self, bytes: &[u8], from_base: usize) -> Colored<'_> {
        Colored { bytes, from_base, colors: self }
    }

    /// Bytes from the base.
    fn base(self, bytes: &[u8]) -> Colored<'_> {
        self.mixed(bytes, bytes.len())
    }

    /// Bytes from the reference.
    fn reference(self, bytes: &[u8]) -> Colored<'_> {
        self.mixed(bytes, 0)
    }
}

/// A component or a URL, colored by origin. An absent one is `-`, and the text `-` is `\x2D`.
#[derive(Clone, Copy)]
pub struct Colored<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// How many of the first bytes came from the base.
    from_base: usize,
    /// The colors.
    colors: Colors,
}

impl Colored<'_> {
    /// What is shown but for the colors, if nothing is escaped.
    fn plain(&self) -> Option<&[u8]> {
        match self.bytes {
            b"" => Some(b"-"),
            b"-" => None,
            bytes => Some(bytes).filter(|bytes| location::is_plain(bytes)),
        }
    }

    /// The number of characters shown.
    fn width(self) -> usize {
        match self.plain() {
            Some(text) => text.len(),
            None => Colored { colors: Colors::default(), ..self }.to_string().chars().count(),
        }
    }

    /// Writes it, and returns its width.
    fn write(self, out: &mut Buffer) -> usize {
        match self.plain() {
            Some(text) if self.colors.base.is_plain() => out.add([text]),
            _ => write!(out, "{self}"),
        }
        self.width()
    }
}

impl fmt::Display for Colored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.colors.base.is_plain() && self.bytes.len() > 1 {
            return Escaped(self.bytes).fmt(f);
        }
        let (base, reference) = self.bytes.split_at(self.from_base);
        for (bytes, style) in [(base, self.colors.base), (reference, self.colors.reference)] {
            match bytes {
                b"" => {}
                b"-" if self.bytes.len() == 1 => write!(f, "{style}\\x2D{style:#}")?,
                _ => write!(f, "{style}{}{style:#}", Escaped(bytes))?,
            }
        }
        if self.bytes.is_empty() { f.write_str("-") } else { Ok(()) }
    }
}

/// A line of the explanation.
#[derive(Default)]
pub struct StepLine<'a> {
    /// The step of §4, such as `3` or `6c`, or `note` or `error`.
    pub step: &'static str,
    /// What happens there. It has no control characters but those of the colors.
    pub text: Cow<'static, str>,
    /// The components of base and reference, in step 2.
    pub parsed: Option<[Parts<'a>; 2]>,
    /// What a rule of step 6 removes.
    pub removed: Option<&'a [u8]>,
    /// The path of step 6 as it then is.
    pub path: Option<Colored<'a>>,
    /// Where step 6 is drawn, the width of the column before the text; otherwise 0.
    width: usize,
    /// Where that column has marks for what is removed.
    marks: Range<usize>,
    /// How the whole line looks.
    style: Style,
}

impl StepLine<'_> {
    /// A line with nothing but text.
    fn new(step: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        StepLine { step, text: text.into(), ..StepLine::default() }
    }

    /// Writes the line after one of the step `before`.
    fn write(&self, before: &str, colors: Colors, out: &mut Buffer) {
        let StepLine { step, removed, path, width, ref marks, style, .. } = *self;
        write!(out, "{style}");
        match step {
            "note" => out.add([b"Note     "]),
            "error" => out.add([b"error: "]),
            _ if step == before && removed.is_none() => out.fill(9),
            _ if step.len() == 1 => out.add([b"Step ", step.as_bytes(), b"   "]),
            _ => out.add([b"     ", step.as_bytes(), b"  "]),
        }
        let is_column = width > 0 && removed.is_none();
        if let Some(path) = path.filter(|_| is_column) {
            let drawn = path.write(out);
            out.fill(width - drawn + 5);
        } else if width > 0 {
            out.fill(marks.start);
            if !marks.is_empty() {
                write!(out, "{red}{:^<length$}{red:#}", "", red = colors.removed, length = marks.len());
            }
            out.fill(width - marks.end + 5);
        }
        writeln!(out, "{}{style:#}", self.text);
        if let Some(path) = path.filter(|_| !is_column) {
            writeln!(out, "         {path}");
        }
    }
}

/// Writes the explanation for a person: the record, the table of components, the steps.
pub fn write(outcome: &Outcome<'_>, colors: Colors, out: &mut Buffer) {
    let explanation = Explanation::new(outcome, colors);
    let Record { text, reference, link, .. } = *outcome.record;
    write!(out, "{}", Location::of(outcome.record));
    if let Some(link) = link {
        let space = if link.attribute.is_empty() { "" } else { " " };
        write!(out, " <{}{space}{}>", Escaped(link.element), link.attribute);
    }
    match if explanation.has_steps() { reference } else { text } {
        [] => writeln!(out, ":\n"),
        text => writeln!(out, ": {}\n", Escaped(text)),
    }
    if explanation.has_steps() {
        explanation.table(out);
        writeln!(out);
    }
    let mut before = "";
    explanation.steps(&mut |line| line.write(std::mem::replace(&mut before, line.step), colors, out));
}

/// Passes each line of the steps to `each`, without colors. The last one ends in the answer or the
/// error.
pub fn steps(outcome: &Outcome<'_>, each: &mut dyn FnMut(StepLine<'_>)) {
    Explanation::new(outcome, Colors::default()).steps(each);
}

/// The explanation of one record.
struct Explanation<'a> {
    /// What is explained.
    outcome: &'a Outcome<'a>,
    /// How bytes look.
    colors: Colors,
    /// The base, parsed.
    base: Parts<'a>,
    /// The reference, parsed.
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

    /// Whether the record has a base and a reference, so that there are steps.
    fn has_steps(&self) -> bool {
        matches!(self.outcome.base.parsed, Ok(_) | Err(Failure::Unresolvable(_)))
    }

    /// How many of the first bytes of the answer's path, before step 7, came from the base.
    fn kept_of_path(&self, resolved: &Resolved<'_>) -> usize {
        match &self.merge {
            Some(merge) => merge.left(merge.directory, merge.removals.len()),
            None if resolved.step.inherits() > 2 => resolved.parts.path.len(),
            None => 0,
        }
    }

    /// The same after step 7. What that inserts counts as inherited: it is needed only after an inherited net_loc, or
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
pub fn write_base(base: &KnownBase<'_>, colors: Colors, out: &mut Buffer) {
    StepLine::new("1", step_1(base, false, colors)).write("", colors, out);
}

/// The text of step 1: the base URL, the section of §3 that gives it, and where that is.
fn step_1(base: &KnownBase<'_>, pairs: bool, colors: Colors) -> String {
    if base.text.is_empty() {
        return "there is no base URL (§3.4)".to_owned();
    }
    let by = match base.origin {
        Some(Origin { document, found: Found { rule, by, place: Some(place), .. } }) => {
            let part = match place.part {
                Some(part) if !part.is_decoded => format!(", part {}", part.number),
                _ => String::new(),
            };
            format!("§{}, {by} in {}{part}", rule.section(), Location::Document(document, place))
        }
        _ => if pairs { "§3.3, the record" } else { "§3.3, --base" }.to_owned(),
    };
    format!("the base URL is {} ({by})", colors.base(base.text))
}
