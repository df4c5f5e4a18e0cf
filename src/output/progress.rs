//! The progress bar: indicatif's, on standard error.

use std::io::{self, IsTerminal};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The most drawings in a second.
const MAX_RATE: u8 = 8;

/// A progress bar on standard error.
pub struct Progress {
    /// The bar.
    bar: ProgressBar,
    /// The word for records that fail, such as "failed".
    failed: &'static str,
}

impl Progress {
    /// A bar for so many bytes of input, if that is known. `None` unless standard error is a terminal
    /// and standard output is not.
    pub fn begin(total: Option<u64>, failed: &'static str) -> Option<Self> {
        if io::stdout().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(MAX_RATE));
        let progress = Progress { bar, failed };
        progress.set_style(if total.is_some() { "ETA {eta}" } else { "{elapsed}" });
        Some(progress)
    }

    /// Adds bytes that have been read, and sets the numbers of records and failures so far.
    pub fn advance(&mut self, read: usize, records: u64, failures: u64) {
        self.count(records, failures);
        self.bar.inc(read as u64);
    }

    /// Writes messages above the bar.
    pub fn suspend(&mut self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Draws the bar for the last time and leaves it there.
    pub fn finish(self, records: u64, failures: u64) {
        self.set_style("{elapsed}");
        self.count(records, failures);
        self.bar.abandon();
    }

    /// Sets how the bar looks, with a time at its end. Two lines, so that no word is cut at 50 columns.
    fn set_style(&self, time: &str) {
        let bar =
            if self.bar.length().is_some() { "{percent:>3}% [{wide_bar}] {bytes}/{total_bytes}" } else { "{bytes}" };
        if let Ok(style) = ProgressStyle::with_template(&format!("{bar} {{bytes_per_sec}}\n{{msg}} {time}")) {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }

    /// Sets the numbers of records and failures.
    fn count(&self, records: u64, failures: u64) {
        let (records, failures, failed) = (HumanCount(records), HumanCount(failures), self.failed);
        self.bar.set_message(format!("{records} records {failures} {failed}"));
    }
}
