//! The progress bar on standard error.
//!
//! It is not indicatif's own, which needs libm: loading that took a sixth of the time of a short run.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use console::{Term, is_dumb};
use indicatif::{HumanBytes, HumanCount, HumanDuration};

/// The time from one drawing to the next.
const INTERVAL: Duration = Duration::from_millis(125);

/// A progress bar on standard error.
pub struct Progress {
    terminal: Term,
    /// The bytes of input, if that is known.
    total: Option<u64>,
    /// The word for records that fail, such as "failed".
    failed: &'static str,
    start: Instant,
    /// The bytes that have been read.
    read: u64,
    /// When the bar was last drawn.
    drawn: Instant,
    /// The lines that are on the terminal.
    lines: String,
}

impl Progress {
    /// A bar for so many bytes of input, if that is known. `None` unless standard error is a terminal
    /// and standard output is not.
    pub fn begin(total: Option<u64>, failed: &'static str) -> Option<Self> {
        let terminal = Term::buffered_stderr();
        if io::stdout().is_terminal() || !terminal.is_term() || is_dumb() {
            return None;
        }
        let start = Instant::now();
        Some(Progress { terminal, total, failed, start, read: 0, drawn: start, lines: String::new() })
    }

    /// Adds bytes that have been read, and sets the numbers of records and failures so far.
    pub fn advance(&mut self, read: usize, records: u64, failures: u64) {
        self.read += read as u64;
        if self.lines.is_empty() || self.drawn.elapsed() >= INTERVAL {
            self.drawn = Instant::now();
            self.draw(records, failures, self.total);
        }
    }

    /// Writes messages above the bar.
    pub fn suspend(&mut self, write: impl FnOnce()) {
        let lines = self.replace(String::new());
        write();
        self.replace(lines);
    }

    /// Draws the bar for the last time and leaves it there.
    pub fn finish(mut self, records: u64, failures: u64) {
        self.draw(records, failures, None);
    }

    /// Draws the bar. `left_of`: the total, if the time left is shown and not the time passed.
    fn draw(&mut self, records: u64, failures: u64, left_of: Option<u64>) {
        let (read, passed) = (self.read, self.start.elapsed());
        let columns = usize::from(self.terminal.size().1).saturating_sub(1); // some terminals wrap at the last one
        let rate = HumanBytes(share(1000, read, passed.as_millis()));
        let bytes = match self.total {
            None => format!("{} {rate}/s", HumanBytes(read)),
            Some(total) => {
                let done = read.min(total);
                let bytes = format!("{}/{} {rate}/s", HumanBytes(read), HumanBytes(total));
                let width = columns.saturating_sub("100% [] ".len() + bytes.len());
                let filled = usize::try_from(share(width as u64, done, total)).unwrap_or(width);
                let bar = "=".repeat(filled) + ">";
                format!("{:>3}% [{bar:<width$.width$}] {bytes}", share(100, done, total))
            }
        };
        let time = match left_of {
            None => format!("{:#}", HumanDuration(passed)),
            Some(total) => {
                let left = share(total.saturating_sub(read), passed.as_millis(), read);
                format!("ETA {:#}", HumanDuration(Duration::from_millis(left)))
            }
        };
        let counts = format!("{} records {} {} {time}", HumanCount(records), HumanCount(failures), self.failed);
        // two lines, so that no word is cut at 50 columns
        self.replace(format!("{bytes:.columns$}\n{counts:.columns$}\n"));
    }

    /// Replaces the lines on the terminal, and returns them. A failure cannot be reported anywhere.
    fn replace(&mut self, lines: String) -> String {
        for _ in self.lines.lines() {
            let _ = self.terminal.move_cursor_up(1);
            let _ = self.terminal.clear_line();
        }
        let _ = self.terminal.write_str(&lines);
        let _ = self.terminal.flush();
        std::mem::replace(&mut self.lines, lines)
    }
}

/// As much of `whole` as `part` is of `all`.
fn share(whole: u64, part: impl Into<u128>, all: impl Into<u128>) -> u64 {
    u64::try_from(u128::from(whole) * part.into() / all.into().max(1)).unwrap_or(u64::MAX)
}
