//! Prints the reference that leads from the base to each URL: the inverse of resolving.

use std::{io, slice};

use super::Task;
use super::format::Format;
use super::inverse::{Inverse, ReferenceForm};
use crate::output::{Writer, json};
use crate::record::{Bases, Complaint, Record, StandardBase};
use crate::spec::Spec;

/// Prints the reference that leads to each URL.
pub struct Relative {
    spec: Spec,
    format: Format,
    inverse: Inverse,
    url: Vec<u8>,
}

impl Relative {
    /// A task that resolves by `spec`.
    pub fn new(spec: Spec, format: Format) -> Self {
        Relative { spec, format, inverse: Inverse::new(spec), url: Vec::new() }
    }
}

impl Task for Relative {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.url.clear();
        let base = bases.of(self.spec);
        let resolved = if base.is_missing() {
            Err(no_base(base))
        } else {
            self.inverse.resolver.ask(record, bases, &mut self.url)
        };
        let answer = resolved.and_then(|()| {
            let reference = self.inverse.reference(bases, record.encoding(), &self.url, ReferenceForm::Fragment);
            let none = ("no-reference", "only the empty reference gives this URL", "use the URL itself");
            reference.map(|(_, reference)| reference).ok_or_else(|| none.into())
        });
        let answers = &mut out.answers;
        match self.format {
            Format::Lines(lines) => {
                lines.begin(record, answers);
                answers.add([*answer.as_ref().unwrap_or(&&b""[..])]);
                lines.end(answers);
            }
            // explanations are those of RFC 1808, a task of its own
            Format::Json { .. } | Format::Explain(_) => {
                json::write_record(record, Some(self.spec), base, &self.url, answers, |object| {
                    object.answer(answer.as_ref().map(|_| &*self.url));
                    if let Ok(reference) = answer {
                        object.text("relative", reference);
                        object.base64("relative_base64", reference);
                        object.components_of(self.spec, &self.url);
                    }
                });
            }
        }
        if let Err(complaint) = &answer {
            out.fail(record, complaint);
        }
        Ok(answer.is_ok())
    }
}

/// That nothing can be relative to a base that is missing.
pub fn no_base(base: &StandardBase<'_>) -> Complaint {
    let fix = if base.in_record { "write one before the TAB" } else { "use --base URL" };
    ("no-base", "no base", fix).into()
}
