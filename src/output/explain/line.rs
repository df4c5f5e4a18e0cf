//! The lines of the steps, and how lines are kept within the width of a terminal.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;

use anstyle::Style;

use super::colors::{Colored, Colors};
use crate::output::buffer::Buffer;
use crate::output::location::{Escaped, is_plain};
use crate::resolver::Parts;

/// The widest line, in characters. Only a value that is alone in its line may pass it.
pub const WIDTH: usize = 80;

/// The width of a step's label, and the indent of the lines after its first.
const LABEL: usize = 9;

/// Stands for a space where no line ends. It is never part of a value itself: [`Escaped`] shows it as `\xC2\xA0`.
pub const NO_BREAK: char = '\u{A0}';

/// A value as a text has it: escaped, and never broken.
pub fn unbroken(value: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(value) {
        Ok(text) if is_plain(value) && !value.contains(&b' ') => Cow::Borrowed(text),
        _ => unbroken_words(Escaped(value)).into(),
    }
}

/// Words that are never broken.
pub fn unbroken_words(words: impl Display) -> String {
    words.to_string().replace(' ', "\u{A0}")
}

/// Words as they are written.
fn written(words: &str) -> Cow<'_, str> {
    if words.is_ascii() { words.into() } else { words.replace(NO_BREAK, " ").into() }
}

/// The number of characters that a terminal shows of a text with colors.
fn shown_width(text: &str) -> usize {
    if !text.contains('\x1B') {
        return text.chars().count();
    }
    // each code is ESC, "[", digits and "m"
    let mut is_code = false;
    let is_shown = |char: &char| {
        let is_shown = !is_code && *char != '\x1B';
        is_code = *char == '\x1B' || is_code && *char != 'm';
        is_shown
    };
    text.chars().filter(is_shown).count()
}

/// The indent of a value or word `width` characters wide: `indent`, or at most two where it would pass [`WIDTH`].
pub fn indent_of(width: usize, indent: usize) -> usize {
    if indent + width <= WIDTH { indent } else { indent.min(2) }
}

/// Writes a text and LF. `label` is from what the line has already to where the text starts, in characters. A word
/// that would pass [`WIDTH`] starts a new line, with `indent` spaces or fewer. The first line has its `style` already.
pub fn wrap(text: &str, label: Range<usize>, indent: usize, style: Style, out: &mut Buffer) {
    let Range { start: mut column, end: mut next } = label;
    if next + text.len() <= WIDTH {
        out.fill(next - column);
        out.add([written(text).as_bytes()]);
        return end_line(style, out);
    }
    let mut indent_here = next;
    for word in text.split(' ') {
        let width = shown_width(word);
        if next + width > WIDTH {
            if column > 0 {
                end_line(style, out);
                start_line(style, out);
            }
            (column, next) = (0, indent_of(width, indent_here));
        }
        out.fill(next - column);
        out.add([written(word).as_bytes()]);
        (column, next, indent_here) = (next + width, next + width + 1, indent);
    }
    end_line(style, out);
}

/// Writes the start of a line in a style.
fn start_line(style: Style, out: &mut Buffer) {
    if !style.is_plain() {
        write!(out, "{style}");
    }
}

/// Writes the end of a line in a style.
fn end_line(style: Style, out: &mut Buffer) {
    if !style.is_plain() {
        write!(out, "{style:#}");
    }
    out.add([b"\n"]);
}

/// The column in which step 6 draws the path as it changes, before the texts of its lines:
///
/// ```text
/// Step 6   /b/c/d        the base path
///          /b/c/../g     "d" replaced by the reference's path
///      6c     ^^^^^      "c/../" removed
///          /b/g
/// ```
pub struct Drawing {
    /// The width of the longest path.
    pub width: usize,
    /// Where the marks for what is removed are; empty in a line without them.
    pub marks: Range<usize>,
}

/// A line of the steps.
#[derive(Default)]
pub struct StepLine<'a> {
    /// The step of §4, such as `3` or `6c`, or `note` or `error`.
    pub step: &'static str,
    /// What happens there, with [`NO_BREAK`] for the spaces in values. It has no control characters but those
    /// of the colors.
    pub(super) text: Cow<'static, str>,
    /// The components of base and reference, in step 2.
    pub parsed: Option<[Parts<'a>; 2]>,
    /// What a rule of step 6 removes.
    pub removed: Option<&'a [u8]>,
    /// The path of step 6 as it then is.
    pub path: Option<Colored<'a>>,
    /// What step 6 draws before the text.
    pub drawing: Option<Drawing>,
    /// How the whole line looks.
    pub style: Style,
}

impl StepLine<'_> {
    /// A line with nothing but text.
    pub fn new(step: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        StepLine { step, text: text.into(), ..StepLine::default() }
    }

    /// What happens in the step, in words.
    pub fn words(&self) -> Cow<'_, str> {
        written(&self.text)
    }

    /// Writes the line after one of the step `before`.
    pub fn write(&self, before: &str, colors: Colors, out: &mut Buffer) {
        let StepLine { step, removed, style, .. } = *self;
        start_line(style, out);
        let label = match step {
            "note" => ["Note", ""],
            "error" => return wrap(&format!("error: {}", self.text), 0..0, LABEL, style, out),
            _ if step == before && removed.is_none() => [""; 2],
            _ if step.len() == 1 => ["Step ", step],
            _ => ["     ", step],
        };
        out.add(label.map(str::as_bytes));
        let mut columns = label.iter().map(|part| part.len()).sum()..LABEL;
        if let Some(drawing) = &self.drawing {
            out.fill(columns.len());
            let column = self.draw(drawing, colors, out);
            columns = column..column;
        }
        wrap(&self.text, columns, LABEL, style, out);
        // what a removal leaves, and the path where step 6 is not drawn
        if let Some(path) = self.path.filter(|_| self.drawing.is_none() || removed.is_some()) {
            out.fill(indent_of(path.width(), LABEL));
            path.write(out);
            out.add([b"\n"]);
        }
    }

    /// Writes a path or marks, and spaces or a new line up to the text. Returns the column where the text starts.
    fn draw(&self, drawing: &Drawing, colors: Colors, out: &mut Buffer) -> usize {
        let Drawing { width: column, ref marks } = *drawing;
        let drawn = match self.path {
            Some(path) if self.removed.is_none() => path.write(out),
            _ => {
                out.fill(marks.start);
                if !marks.is_empty() {
                    write!(out, "{red}{:^<length$}{red:#}", "", red = colors.removed, length = marks.len());
                }
                marks.end
            }
        };
        let start = LABEL + column + 5;
        if start + self.text.len() <= WIDTH || start + shown_width(&self.text) <= WIDTH {
            out.fill(start - LABEL - drawn);
            return start;
        }
        if drawn > 0 {
            out.add([b"\n"]);
            out.fill(LABEL);
        }
        LABEL
    }
}
