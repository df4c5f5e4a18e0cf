//! What is done with each record: one file a task, with its formats and its scratch buffers.

pub mod check;
pub mod compare;
pub mod files;
mod follow;
pub mod format;
mod inverse;
pub mod leaves;
pub mod relative;
pub mod resolve;
pub mod rewrite;
pub mod standards;
mod template;

use std::io;

use crate::fast::{Stretch, sieve::Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::output::buffer::MAX_PENDING;
use crate::record::{Bases, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;

/// What is done with each record.
pub trait Task {
    /// The standards it asks. A document's own base is resolved once for each of them; the first one's
    /// is shown.
    fn standards(&self) -> &[Spec] {
        &[Spec::Rfc1808]
    }

    /// Whether its answers say what WHATWG answers, with the base that browsers use.
    fn names_whatwg(&self) -> bool {
        self.standards()[0] == Spec::Whatwg
    }

    /// Called when the base changes, before its first record; not with a base that is part of its
    /// record.
    fn base(&mut self, _bases: &Bases<'_>, _out: &mut Writer) {}

    /// Called for each base URL in the text of a document, as it is written there, with the bases around it.
    fn written_base(&mut self, _base: &StandardBase<'_>, _around: &Bases<'_>, _out: &mut Writer) {}

    /// Called for a file of a directory that may have links and is not read, with its URL. `what` it is.
    fn not_read(&mut self, _file: Source<'_>, _url: &[u8], _what: &str, _out: &mut Writer) -> io::Result<()> {
        Ok(())
    }

    /// Writes the record's answer; false if it failed.
    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool>;

    /// Answers the first records of a block of a list at once, as many as are certain. `bases`: those of all records,
    /// unless each has its own. Here they are prepared: documents have no blocks, and may have many bases in turns.
    fn block(&mut self, _block: &mut Block<'_>, _bases: &Bases<'_>, _out: &mut Writer) -> io::Result<()> {
        Ok(())
    }

    /// Writes what comes after all records.
    fn finish(&mut self, _out: &mut Writer) -> io::Result<()> {
        Ok(())
    }

    /// The word for records that fail, such as "failed".
    fn failed(&self) -> &'static str {
        "failed"
    }
}

/// Has a task answer one record, and counts it; false if it failed.
pub fn answer(task: &mut dyn Task, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
    let resolved = task.record(record, bases, out)?;
    out.count(1, u64::from(!resolved));
    out.flush_if_large()?;
    Ok(resolved)
}

/// Answers the first records of a block the fast way, as lines, with `resolve`: [`Shortcut::fill`] or
/// [`Sieve::fill`]. `base_len`: no answer has more bytes of a base.
///
/// [`Shortcut::fill`]: crate::fast::Shortcut::fill
fn answer_block(
    block: &mut Block<'_>,
    out: &mut Writer,
    base_len: usize,
    mut resolve: impl FnMut(&[u8], usize, &mut [u8]) -> Stretch,
) -> io::Result<()> {
    if block.rest().is_empty() {
        return Ok(());
    }
    loop {
        let room = MAX_PENDING + base_len;
        let done = resolve(block.text(), block.rest().len(), out.answers.space(room));
        out.answers.grow(done.written);
        block.take(done.records, done.read);
        out.count(done.records, 0);
        out.flush_if_large()?;
        // otherwise the space was the limit, not the next record
        if done.written < MAX_PENDING / 2 {
            return Ok(());
        }
    }
}

/// Skips the first records of a block that a sieve is certain of; returns their number.
fn pass_block(sieve: &mut Sieve, block: &mut Block<'_>, out: &mut Writer) -> u64 {
    skip(sieve.pass(block.text(), block.rest().len()), block, out)
}

/// Skips the first records of a block, of which nothing is written; returns their number.
fn skip(done: Stretch, block: &mut Block<'_>, out: &mut Writer) -> u64 {
    block.take(done.records, done.read);
    out.count(done.records, 0);
    done.records
}

#[cfg(test)]
mod tests;
