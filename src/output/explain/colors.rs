//! The colors of an explanation, and bytes that are colored by their origin.

use std::fmt;

use anstyle::{Ansi256Color, AnsiColor, Style};

use super::unbroken::{NO_BREAK, shown_width, unbroken};
use crate::escaped;
use crate::output::buffer::Buffer;

/// A dark yellow. It has a contrast of 4.5 on black and on white; yellow itself cannot be read on white.
const DARK_YELLOW: Ansi256Color = Ansi256Color(130);

/// How bytes look by their origin, and lines by what they say. The default is no color.
#[derive(Clone, Copy, Default)]
pub struct Colors {
    pub base: Style,
    pub reference: Style,
    /// Bytes that step 6 removes.
    pub(super) removed: Style,
    /// The line of a step that is skipped.
    pub(super) skipped: Style,
    /// What another standard answers differently.
    pub differs: Style,
}

impl Colors {
    /// The colors of a terminal, or none.
    pub fn new(colored: bool) -> Self {
        if !colored {
            return Colors::default();
        }
        let [base, reference, removed] = [AnsiColor::Cyan, AnsiColor::Green, AnsiColor::Red].map(AnsiColor::on_default);
        Colors { base, reference, removed, skipped: Style::new().dimmed(), differs: DARK_YELLOW.on_default() }
    }

    /// An answer that is not colored by origin.
    pub fn answer(self) -> Style {
        if self.base.is_plain() { self.base } else { Style::new().bold() }
    }

    /// The colors of an answer, which is bold.
    pub(super) fn bold(self) -> Self {
        if self.base.is_plain() {
            return self;
        }
        Colors { base: self.base.bold(), reference: self.reference.bold(), ..self }
    }

    /// Bytes of which the first `from_base` came from the base and the others from the reference.
    pub(super) fn mixed(self, bytes: &[u8], from_base: usize) -> Colored<'_> {
        Colored { bytes, from_base, is_there: false, styles: [self.base, self.reference] }
    }

    /// A component, or that it is absent. `from_base` may be more than it has.
    pub(super) fn component(self, part: Option<&[u8]>, from_base: usize) -> Colored<'_> {
        let bytes = part.unwrap_or_default();
        Colored { is_there: part.is_some(), ..self.mixed(bytes, from_base.min(bytes.len())) }
    }

    pub(super) fn base(self, bytes: &[u8]) -> Colored<'_> {
        self.mixed(bytes, bytes.len())
    }

    pub(super) fn reference(self, bytes: &[u8]) -> Colored<'_> {
        self.mixed(bytes, 0)
    }
}

/// A component or a URL, colored by origin. An absent one is `-`, an empty component `(empty)`; the texts `-` and
/// `(empty)` are `\x2D` and `\x28empty)`. It is displayed with [`NO_BREAK`] for each space.
#[derive(Clone, Copy)]
pub struct Colored<'a> {
    /// All of it, without escapes.
    pub bytes: &'a [u8],
    /// How many of the first bytes came from the base.
    pub(super) from_base: usize,
    /// Whether it is a component that is there, perhaps empty.
    is_there: bool,
    /// How the two kinds of bytes look: the base's and the reference's.
    styles: [Style; 2],
}

impl Colored<'_> {
    /// Whether it is a component that is absent.
    pub(super) fn is_absent(self) -> bool {
        self.bytes.is_empty() && !self.is_there
    }

    /// Whether it is a text that would be taken for an absent or empty component.
    fn is_ambiguous(&self) -> bool {
        matches!(self.bytes, b"-" | b"(empty)")
    }

    /// What is shown where it has no bytes.
    fn empty(&self) -> &'static str {
        if self.is_there { "(empty)" } else { "-" }
    }

    /// What is shown but for the colors, if nothing is escaped.
    fn plain(&self) -> Option<&[u8]> {
        match self.bytes {
            b"" => Some(self.empty().as_bytes()),
            _ if self.is_ambiguous() => None,
            bytes => Some(bytes).filter(|bytes| escaped::is_printable_ascii(bytes)),
        }
    }

    /// Whether it has no colors.
    fn is_colorless(&self) -> bool {
        self.styles[0].is_plain()
    }

    /// The number of characters shown.
    pub(super) fn width(self) -> usize {
        self.plain().map_or_else(|| shown_width(self.to_string().as_bytes()), <[u8]>::len)
    }

    /// Writes it, and returns its width.
    pub(super) fn write(self, out: &mut Buffer) -> usize {
        if let Some(text) = self.plain().filter(|_| self.is_colorless()) {
            out.add([text]);
            return text.len();
        }
        let start = out.len();
        write!(out, "{self}");
        out.replace(start, NO_BREAK as u8, b' ');
        shown_width(&out.bytes()[start..])
    }
}

impl fmt::Display for Colored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bytes.is_empty() {
            return f.write_str(self.empty());
        }
        // the bytes that are escaped though they are printable
        let mut escaped = usize::from(self.is_ambiguous());
        if self.is_colorless() && escaped == 0 {
            return f.write_str(&unbroken(self.bytes));
        }
        let (base, reference) = self.bytes.split_at(self.from_base);
        for (bytes, style) in [base, reference].into_iter().zip(self.styles).filter(|(bytes, _)| !bytes.is_empty()) {
            let (first, rest) = bytes.split_at(escaped);
            write!(f, "{style}")?;
            first.iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))?;
            write!(f, "{}{style:#}", unbroken(rest))?;
            escaped = 0;
        }
        Ok(())
    }
}
