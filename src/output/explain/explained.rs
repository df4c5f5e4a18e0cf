//! The explanation of an answer by the standard that gives it.

use super::uri::{self, UriExplanation, UriOutcome};
use super::url::{self, UrlOutcome};
use super::{Colors, Explanation, Outcome, Screen, StepLine};
use crate::output::buffer::Buffer;

/// An answer and how a standard finds it.
pub enum Explained<'a> {
    Rfc1808(Outcome<'a>),
    Rfc3986(UriOutcome<'a>),
    Whatwg(UrlOutcome<'a>),
}

impl Explained<'_> {
    /// Writes the explanation for a person.
    pub fn write(&self, screen: Screen, out: &mut Buffer) {
        match self {
            Explained::Rfc1808(outcome) => super::write(outcome, screen, out),
            Explained::Rfc3986(outcome) => uri::write(outcome, screen, out),
            Explained::Whatwg(outcome) => url::write(outcome, screen, out),
        }
    }

    /// Passes each line to `each`, without colors. The last one ends in the answer or the error.
    pub fn lines(&self, each: &mut dyn FnMut(StepLine<'_>)) {
        match self {
            Explained::Rfc1808(outcome) => Explanation::new(outcome, Colors::default()).steps(each),
            Explained::Rfc3986(outcome) => UriExplanation::new(outcome, Colors::default()).steps(each),
            Explained::Whatwg(outcome) => outcome.lines(each),
        }
    }
}
