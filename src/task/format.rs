//! How records and answers are written: one format for all tasks.

use crate::output::buffer::Buffer;
use crate::output::explain::Screen;
use crate::output::location::Location;
use crate::output::{Writer, json};
use crate::record::{Complaint, Record, StandardBase};
use crate::spec::Spec;

/// How the input is divided into records.
#[derive(Clone, Copy)]
pub struct InputFormat {
    /// What ends a record: LF or NUL.
    pub terminator: u8,
    /// Whether each record has its own base.
    pub pairs: bool,
}

/// How answers are written. `--check` and `--compare` print texts of their own where it is not JSON.
#[derive(Clone, Copy)]
pub enum Format {
    Lines(LineFormat),
    Json {
        /// Whether they have the steps of §4, or those of the standard that answers.
        steps: bool,
    },
    /// These steps and the URL, for a person.
    Explain(Screen),
}

impl Format {
    /// Whether each record is a JSON object.
    pub fn is_json(self) -> bool {
        match self {
            Format::Json { .. } => true,
            Format::Lines(_) | Format::Explain(_) => false,
        }
    }

    /// Whether the steps are written.
    pub fn explains(self) -> bool {
        matches!(self, Format::Explain(_) | Format::Json { steps: true })
    }

    /// Reports a record that has no answer, in JSON as an object too. `spec`: the standard that was asked, if it is one
    /// alone.
    pub fn fail(
        self,
        record: &Record<'_>,
        spec: Option<Spec>,
        base: &StandardBase<'_>,
        complaint: &Complaint,
        out: &mut Writer,
    ) {
        if self.is_json() {
            json::write_record(record, spec, base, b"", &mut out.answers, |object| object.answer(Err(complaint)));
        }
        out.fail(record, complaint);
    }
}

/// How an answer is written as a line.
#[derive(Clone, Copy)]
pub struct LineFormat {
    /// What ends it: LF or NUL.
    pub terminator: u8,
    /// Whether the place of the record and a TAB are written before it.
    pub with_place: bool,
    /// Whether the record and a TAB are written before it, after the place.
    pub keep_input: bool,
}

impl LineFormat {
    /// Writes what comes before an answer.
    pub fn begin(self, record: &Record<'_>, out: &mut Buffer) {
        if self.with_place {
            write!(out, "{}\t", Location::of(record));
        }
        if self.keep_input {
            out.add([record.text, b"\t"]);
        }
    }

    /// Writes what comes after an answer.
    pub fn end(self, out: &mut Buffer) {
        out.add([&[self.terminator]]);
    }
}
