//! A record on which the standards differ, as an object, as a block, or as a line.

use anstyle::Style;

use crate::compare::{Hosts, Reason, Reasons};
use crate::escaped::Escaped;
use crate::output::buffer::Buffer;
use crate::output::explain::Colors;
use crate::output::json;
use crate::output::location::Location;
use crate::output::words::name_hosts;
use crate::record::{Complaint, Record, StandardBase};
use crate::spec::Spec;

/// A record on which the standards differ.
pub struct Difference {
    /// What they answer, in the order of [`Spec::ALL`].
    pub answers: [Result<Vec<u8>, Complaint>; 3],
    /// The hosts that they reach, in the same order.
    pub hosts: Hosts,
    pub reasons: Reasons,
}

impl Difference {
    /// Writes the difference as an object.
    pub fn write_json(&self, record: &Record<'_>, base: &StandardBase<'_>, out: &mut Buffer) {
        json::write_record(record, None, base, b"", out, |object| {
            for ((spec, answer), host) in Spec::ALL.iter().zip(&self.answers).zip(&self.hosts.reached) {
                object.object(spec.name(), |object| {
                    object.answer(answer.as_deref());
                    object.base64("url_base64", answer.as_deref().unwrap_or_default());
                    object.nullable("host", host.as_deref());
                });
            }
            object.array("why", |why| {
                for reason in self.reasons.iter() {
                    why.object(|object| {
                        object.text("code", reason.code().as_bytes());
                        object.text("message", reason.text().as_bytes());
                    });
                }
            });
        });
    }

    /// Writes the difference as lines for people. What is not RFC 1808's has the color of a difference.
    pub fn write_block(&self, record: &Record<'_>, base: &StandardBase<'_>, colors: Colors, out: &mut Buffer) {
        let Colors { base: of_base, reference, differs, .. } = colors;
        writeln!(out, "{}: {reference}{}{reference:#}", Location::of(record), Escaped(record.reference));
        if !base.text.is_empty() {
            writeln!(out, "  base     {of_base}{}{of_base:#}", Escaped(base.text));
        }
        let own = self.answers[0].as_deref();
        for (spec, answer) in Spec::ALL.iter().zip(&self.answers) {
            let style = match (spec, answer.as_deref()) {
                (Spec::Rfc1808, _) => colors.answer(),
                (_, answer) if answer == own => Style::new(),
                _ => differs,
            };
            match answer {
                Ok(url) => writeln!(out, "  {:7}  {style}{}{style:#}", spec.name(), Escaped(url)),
                Err(complaint) => writeln!(out, "  {:7}  {style}error: {complaint}{style:#}", spec.name()),
            }
        }
        if self.hosts.differ {
            let hosts = name_hosts(self.hosts.reached.each_ref().map(Option::as_deref));
            writeln!(out, "  host     {differs}{hosts}{differs:#}");
        }
        self.reasons.iter().for_each(|reason| writeln!(out, "  why      {}", reason.text()));
    }

    /// Writes the difference as one line, with the code of its first reason.
    pub fn write_line(record: &Record<'_>, first: Reason, colors: Colors, out: &mut Buffer) {
        let (reference, code) = (colors.reference, first.code());
        writeln!(out, "{}: {reference}{}{reference:#} ({code})", Location::of(record), Escaped(record.reference));
    }
}
