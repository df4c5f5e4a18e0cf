//! What a run has changed in documents, and what has to be changed with them: the lines at its end.

use crate::moves::MovePlan;
use crate::output::Writer;
use crate::output::words::counted;
use crate::task::rewrite::Tally;

/// The numbers of documents, and of what is in them.
#[derive(Default)]
pub struct Sums {
    /// The documents so far.
    pub documents: u64,
    /// Those that have changed.
    pub changed: u64,
    /// The links that have changed in them.
    pub links: u64,
    /// The documents that move, or have moved.
    moving: u64,
    /// What is said of the documents of a directory, if links follow what moves.
    pub read: Option<String>,
    /// Those that could not be read or written.
    pub failed: u64,
    /// Those with relative links that have a base of their own: their links do not move with them.
    with_own_base: u64,
    /// The style sheets that have changed.
    sheets: u64,
    /// The pages that name a style sheet of their host with its hash.
    with_integrity: u64,
}

impl Sums {
    /// Adds what was found in a document.
    pub fn add(&mut self, tally: &Tally) {
        self.with_own_base += u64::from(tally.has_fixed_base);
        self.links += tally.links;
        self.moving += u64::from(tally.moves);
        self.sheets += u64::from(tally.changes_sheet);
        self.with_integrity += u64::from(tally.has_integrity);
    }

    /// Notes them. `moves`: what links follow. `is_preview`: nothing was written.
    pub fn note(&mut self, moves: Option<&MovePlan>, is_preview: bool, out: &mut Writer) {
        let unread = out.unread();
        if out.is_quiet() || self.documents == 0 && !unread.is_empty() {
            return;
        }
        let own = match self.with_own_base {
            0 => String::new(),
            1 => ", 1 relative to its own BASE".into(),
            count => format!(", {count} relative to their own BASE"),
        };
        let unread = if self.failed == 0 { unread } else { "" };
        let (all, change) = (counted(self.documents, "document"), if is_preview { "would change" } else { "changed" });
        let sum = match moves {
            None => format!("{} of {all} {change}{own}", self.changed),
            Some(moves) => {
                let follow =
                    if is_preview { "would follow" } else { ["follow", "follows"][usize::from(self.links == 1)] };
                let (links, changed) = (counted(self.links, "link"), counted(self.changed, "document"));
                let state = if moves.have_moved { "moved" } else { "to be moved" };
                let read = self.read.take().inspect(|_| self.failed = 0).unwrap_or(format!("{all} read"));
                let moving =
                    Some(format!(", {} {state}", counted(self.moving, "document"))).filter(|_| self.moving > 0);
                format!("{read}{}; {links} in {changed} {follow}", moving.unwrap_or_default())
            }
        };
        out.summary(sum, self.failed, unread);
        if self.sheets > 0 && self.with_integrity > 0 {
            let (sheets, pages) = (counted(self.sheets, "style sheet"), counted(self.with_integrity, "page"));
            let name = if self.with_integrity == 1 { "names" } else { "name" };
            let fix = "update the hashes, or browsers refuse them";
            out.note(format_args!("{sheets} {change}, {pages} {name} style sheets with integrity: {fix}"));
        }
    }
}
