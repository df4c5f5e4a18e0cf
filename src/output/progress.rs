//! The progress bar on standard error.

use std::env;
use std::io::{self, IsTerminal, Stderr, Write};
use std::time::{Duration, Instant};

use anstream::AutoStream;
use terminal_size::terminal_size;

/// The time from one drawing to the next.
const INTERVAL: Duration = Duration::from_millis(125);

/// A progress bar on standard error.
pub struct Progress {
    terminal: AutoStream<Stderr>,
    /// The bytes of input, if that is known.
    total: Option<u64>,
    /// The word for a record, and that for those that fail, such as "failed".
    words: [&'static str; 2],
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
    pub fn begin(total: Option<u64>, words: [&'static str; 2]) -> Option<Self> {
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        if io::stdout().is_terminal() || !io::stderr().is_terminal() || is_dumb {
            return None;
        }
        let terminal = AutoStream::always(io::stderr());
        let start = Instant::now();
        Some(Progress { terminal, total, words, start, read: 0, drawn: start, lines: String::new() })
    }

    /// Sets the numbers of bytes read, records and failures so far.
    pub fn advance(&mut self, read: u64, records: u64, failures: u64) {
        self.read = read;
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
        // that of standard error, because standard output is none; some terminals wrap at the last column
        let columns = terminal_size().map_or(80, |(width, _)| usize::from(width.0)).saturating_sub(1);
        let rate = shown_bytes(share(1000, read, passed.as_millis()));
        let size = match self.total {
            None => format!("{} {rate}/s", shown_bytes(read)),
            Some(total) => {
                let done = read.min(total);
                let bytes = format!("{}/{} {rate}/s", shown_bytes(read), shown_bytes(total));
                let width = columns.saturating_sub("100% [] ".len() + bytes.len());
                let filled = usize::try_from(share(width as u64, done, total)).unwrap_or(width);
                let bar = "=".repeat(filled) + ">";
                format!("{:>3}% [{bar:<width$.width$}] {bytes}", share(100, done, total))
            }
        };
        let time = match left_of {
            None => shown_time(passed),
            Some(total) => {
                let left = share(total.saturating_sub(read), passed.as_millis(), read);
                format!("ETA {}", shown_time(Duration::from_millis(left)))
            }
        };
        let [word, failed] = self.words;
        let counts = format!("{} {word}s {} {failed} {time}", grouped(records), grouped(failures));
        // two lines, so that no word is cut at 50 columns
        self.replace(format!("{size:.columns$}\n{counts:.columns$}\n"));
    }

    /// Replaces the lines on the terminal, and returns them. A failure cannot be reported anywhere.
    fn replace(&mut self, lines: String) -> String {
        // for each line: up, and clear it
        let text = "\x1B[1A\r\x1B[2K".repeat(self.lines.lines().count()) + &lines;
        let _ = self.terminal.write_all(text.as_bytes());
        std::mem::replace(&mut self.lines, lines)
    }
}

/// As much of `whole` as `part` is of `all`.
fn share(whole: u64, part: impl Into<u128>, all: impl Into<u128>) -> u64 {
    u64::try_from(u128::from(whole) * part.into() / all.into().max(1)).unwrap_or(u64::MAX)
}

/// A number of bytes, such as `2.67 MiB`.
fn shown_bytes(count: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = count.max(1).ilog2() / 10;
    let hundredths = (u128::from(count) * 100) >> (10 * power);
    match power.checked_sub(1).and_then(|unit| units.get(unit as usize)) {
        Some(unit) => format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100),
        None => format!("{count} B"),
    }
}

/// A number with a comma before each three digits, such as `1,400,000`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// A time in one unit, such as `90s`.
fn shown_time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds}s"),
        seconds @ 120..7200 => format!("{}m", seconds / 60),
        seconds => format!("{}h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        let cases =
            [(0, "0 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (2_800_000, "2.67 MiB"), (u64::MAX, "15.99 EiB")];
        for (count, shown) in cases {
            assert_eq!(shown_bytes(count), shown);
        }
        for (count, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), shown);
        }
        for (seconds, shown) in [(0, "0s"), (119, "119s"), (120, "2m"), (7199, "119m"), (7200, "2h")] {
            assert_eq!(shown_time(Duration::from_secs(seconds)), shown);
        }
    }
}
