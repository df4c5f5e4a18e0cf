//! The loop over the documents of a run.

use std::io;

use super::job::{Documents, Done, Job};
use super::pairs;
use super::walk::document_or_directory;
use crate::input::OutputFile;
use crate::output::Writer;

/// Does a job with all documents of a run.
pub fn each_document(documents: &Documents<'_>, job: &mut dyn Job, out: &mut Writer) -> io::Result<()> {
    if let Some(terminator) = documents.pairs {
        return pairs::each_pair(documents, terminator, job, out);
    }
    let output = OutputFile::new()?;
    for (index, &source) in documents.sources.iter().enumerate() {
        match document_or_directory(source, documents.url(index), documents.names, job, &output, out)? {
            Done::GoOn => {}
            Done::Stop => break,
            Done::Failed(unreadable) => {
                out.error(unreadable);
                if !job.unread(source, out) {
                    break;
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}
