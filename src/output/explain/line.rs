//! The lines of the steps, and how lines are kept within the width of a terminal.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{self, IsTerminal};
use std::ops::Range;

use anstyle::Style;
use terminal_size::{Width, terminal_size};

use super::colors::{Colored, Colors};
use super::unbroken::{NO_BREAK, shown_width};
use crate::output::buffer::Buffer;
use crate::resolver::Parts;

/// The width of lines that no terminal shows, in characters.
const WIDTH: usize = 80;

/// The width of a step's label, and the indent of the lines after its first.
pub(super) const LABEL: usize = 9;

/// What an explanation is written for: a terminal, or a file.
#[derive(Clone, Copy)]
pub struct Screen {
    pub colors: Colors,
    /// The widest line, in characters. Only a value that is alone in its line may pass it.
    pub width: usize,
}

impl Screen {
    /// A screen of the width of the terminal, if standard output is one.
    pub fn new(colors: Colors) -> Self {
        // it asks standard output first
        let terminal = if io::stdout().is_terminal() { terminal_size() } else { None };
        let width = terminal.map_or(WIDTH, |(Width(width), _)| width.into());
        Screen { colors, width }
    }

    /// The indent of a value or word `width` characters wide: `indent`, or at most two where the line would be too
    /// wide.
    pub fn indent_of(self, width: usize, indent: usize) -> usize {
        if indent + width <= self.width { indent } else { indent.min(2) }
    }

    /// Writes a text and LF. A word for which there is no room starts a new line, with `indent` spaces or fewer. The
    /// first line has its `style` already.
    pub fn wrap(self, text: Arguments<'_>, indent: usize, style: Style, out: &mut Buffer) {
        self.wrap_after(0..0, text, indent, style, out);
    }

    /// Wraps a text after a label: `label` goes from what the line has already to where the text starts, in characters.
    fn wrap_after(self, label: Range<usize>, text: Arguments<'_>, indent: usize, style: Style, out: &mut Buffer) {
        let start = out.len();
        if let Err(text) = self.write_if_fits(text, label.clone(), out) {
            // the width of the line, and the spaces before the next word
            let (mut column, mut spaces) = (label.start, label.len());
            for word in text[label.len()..].split(|byte| *byte == b' ') {
                let width = shown_width(word);
                if column + spaces + width > self.width {
                    if column > 0 {
                        end_line(style, out);
                        start_line(style, out);
                        (column, spaces) = (0, indent);
                    }
                    spaces = self.indent_of(width, spaces);
                }
                out.fill(spaces);
                out.add([word]);
                column += spaces + width;
                spaces = 1;
            }
        }
        out.replace(start, NO_BREAK as u8, b' ');
        end_line(style, out);
    }

    /// Writes a label, a text and LF.
    pub(super) fn labelled(self, label: &str, text: Arguments<'_>, out: &mut Buffer) {
        out.add([label.as_bytes()]);
        self.wrap_after(label.len()..LABEL, text, LABEL, Style::new(), out);
    }

    /// Writes a text if there is room for it in the line.
    ///
    /// # Errors
    /// The text, which is too wide, after its spaces.
    fn write_if_fits(self, text: Arguments<'_>, label: Range<usize>, out: &mut Buffer) -> Result<(), Vec<u8>> {
        let start = out.len();
        out.fill(label.len());
        out.write_fmt(text);
        let room = self.width.saturating_sub(label.start);
        let written = &out.bytes()[start..];
        if written.len() <= room || shown_width(written) <= room { Ok(()) } else { Err(out.split_off(start)) }
    }
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

/// The column in which step 6 and RFC 3986 §5.2.4 draw the path as it changes, before the texts of its lines:
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
pub struct StepLine<'a> {
    /// The step of §4, such as `3` or `6c`, a section of RFC 3986, such as `5.2.4`, or `note`, `why`, `answer` or
    /// `error`.
    pub step: &'static str,
    /// The rule of a move of RFC 3986 §5.2.4, `A` to `D`; otherwise empty.
    pub rule: &'static str,
    /// What happens there, with [`NO_BREAK`] for the spaces in values. It has no other control characters but those
    /// of the colors.
    pub(super) text: Arguments<'a>,
    /// The name of a validation error and its byte, from 1.
    pub error: Option<(&'static str, usize)>,
    /// The code of a reason.
    pub reason: Option<&'static str>,
    /// The components of base and reference, in step 2.
    pub parsed: Option<[Parts<'a>; 2]>,
    /// What a rule of step 6 or RFC 3986 §5.2.4 removes.
    pub removed: Option<&'a [u8]>,
    /// The path of step 6 or RFC 3986 §5.2 as it then is.
    pub path: Option<Colored<'a>>,
    /// What is drawn before the text.
    pub drawing: Option<Drawing>,
    /// How the whole line looks.
    pub style: Style,
}

impl<'a> StepLine<'a> {
    /// A line with nothing but text.
    pub fn new(step: &'static str, text: Arguments<'a>) -> Self {
        let (error, reason, parsed, removed, path, drawing) = Default::default();
        StepLine { step, rule: "", text, error, reason, parsed, removed, path, drawing, style: Style::new() }
    }

    /// What happens in the step, in words.
    pub fn words(&self) -> Cow<'_, str> {
        // most lines have no values
        match self.text.as_str() {
            Some(text) => text.into(),
            None => self.text.to_string().replace(NO_BREAK, " ").into(),
        }
    }

    /// Writes the line after one of the step `before`.
    pub fn write(&self, before: &str, screen: Screen, out: &mut Buffer) {
        let StepLine { step, rule, text, removed, style, .. } = *self;
        start_line(style, out);
        let label = match step {
            "note" => ["Note", ""],
            "error" => return screen.wrap(format_args!("error: {text}"), LABEL, style, out),
            _ if !rule.is_empty() => ["     ", rule],
            _ if step == before && removed.is_none() => [""; 2],
            _ if step.len() == 1 => ["Step ", step],
            _ if step.len() > 2 => [step, ""],
            _ => ["     ", step],
        };
        out.add(label.map(str::as_bytes));
        let column = label.iter().map(|part| part.len()).sum();
        match &self.drawing {
            None => screen.wrap_after(column..LABEL, text, LABEL, style, out),
            Some(drawing) => {
                out.fill(LABEL - column);
                self.draw(drawing, screen, out);
            }
        }
        // what a removal leaves, and the path where nothing is drawn
        if let Some(path) = self.path.filter(|_| self.drawing.is_none() || removed.is_some()) {
            out.fill(screen.indent_of(path.width(), LABEL));
            path.write(out);
            out.add([b"\n"]);
        }
    }

    /// Writes a path or marks, and the text after them or on the next line.
    fn draw(&self, drawing: &Drawing, screen: Screen, out: &mut Buffer) {
        let Drawing { width, ref marks } = *drawing;
        let drawn = match self.path {
            Some(path) if self.removed.is_none() => path.write(out),
            _ => {
                out.fill(marks.start);
                if !marks.is_empty() {
                    write!(out, "{red}{:^<length$}{red:#}", "", red = screen.colors.removed, length = marks.len());
                }
                marks.end
            }
        };
        let start = out.len();
        if screen.write_if_fits(self.text, LABEL + drawn..LABEL + width + 5, out).is_ok() {
            out.replace(start, NO_BREAK as u8, b' ');
            return end_line(self.style, out);
        }
        if drawn > 0 {
            out.add([b"\n"]);
            out.fill(LABEL);
        }
        screen.wrap_after(LABEL..LABEL, self.text, LABEL, self.style, out);
    }
}
