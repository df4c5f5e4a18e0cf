//! How far a run is: a bar on standard error, with bytes and times as indicatif writes them.
//!
//! The bar is not indicatif's own, because that has a moving average for which libm is loaded: at
//! every start, and for a fourteenth of its time.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration};
use rustix::termios::tcgetwinsize;

use super::sink::{self, Hold};

/// The least time between two drawings of the bar, of which the last one comes at once.
const INTERVAL: Duration = Duration::from_millis(125);

/// Takes away what stands in the last line.
const WIPE: &str = "\r\x1b[2K";

/// A bar on standard error, for which nobody has to wait.
pub struct Progress {
    /// Where it is drawn.
    screen: Box<dyn Write>,
    /// How many bytes there are to read, if that is known.
    total: Option<u64>,
    /// How many have been read.
    read: u64,
    /// What a record is called that fails.
    failed: &'static str,
    /// When the run began.
    begun: Instant,
    /// When the bar may be drawn again.
    due: Instant,
    /// Whether it is there to be seen.
    drawn: bool,
}

impl Progress {
    /// A bar for `total` bytes of input, or a line if it is not known how many there are; `failed` is
    /// what a record is called that fails. None unless standard error is a terminal and standard
    /// output is not.
    pub fn begin(total: Option<u64>, failed: &'static str) -> Option<Self> {
        let can_wipe = env::var_os("TERM").is_some_and(|term| term != "dumb");
        if io::stdout().is_terminal() || !io::stderr().is_terminal() || !can_wipe {
            return None;
        }
        sink::before_the_end(|| {
            let _ = io::stderr().write_all(WIPE.as_bytes());
        });
        Some(Progress::new(total, failed, Box::new(io::stderr())))
    }

    /// A bar, drawn to `screen`.
    fn new(total: Option<u64>, failed: &'static str, screen: Box<dyn Write>) -> Self {
        let begun = Instant::now();
        let due = begun.checked_add(INTERVAL).unwrap_or(begun);
        Progress { screen, total, read: 0, failed, begun, due, drawn: false }
    }

    /// `read` more bytes have been read, and now there have been `records` records of which
    /// `failures` failed.
    pub fn advance(&mut self, read: usize, records: u64, failures: u64) {
        self.read = self.read.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        let now = Instant::now();
        if now < self.due {
            return;
        }
        self.due = now.checked_add(INTERVAL).unwrap_or(now);
        self.drawn = true;
        let elapsed = now.saturating_duration_since(self.begun);
        let left = self.total.and_then(|total| time_left(elapsed, self.read, total));
        self.draw(records, failures, left.map_or(("", elapsed), |left| ("ETA ", left)), "");
    }

    /// Takes the bar away, for a message, until it is drawn again.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _held = Hold::new();
            let _ = self.screen.write_all(WIPE.as_bytes());
        }
    }

    /// Draws the bar for the last time, and leaves it there.
    pub fn finish(mut self, records: u64, failures: u64) {
        let elapsed = self.begun.elapsed();
        self.draw(records, failures, ("", elapsed), "\n");
    }

    /// Draws the bar with a time, and what that is, at its end.
    fn draw(&mut self, records: u64, failures: u64, (what, time): (&str, Duration), end: &str) {
        let milliseconds = self.begun.elapsed().as_millis().max(1);
        let rate = u64::try_from(u128::from(self.read).saturating_mul(1000) / milliseconds).unwrap_or(u64::MAX);
        let (read, rate, failed) = (HumanBytes(self.read), HumanBytes(rate), self.failed);
        let facts = |total: &str| {
            format!("{read}{total} {rate}/s {records} records {failures} {failed} {what}{:#}", HumanDuration(time))
        };
        // nothing in the last column, where some terminals go to the next line
        let columns = tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
        let columns = if columns == 0 { 80 } else { columns }.saturating_sub(1);
        let mut line = match self.total {
            None => facts(""),
            Some(total) => bar(self.read, total, &facts(&format!("/{}", HumanBytes(total))), columns),
        };
        line.truncate(columns);
        let _held = Hold::new();
        let _ = self.screen.write_all(format!("{WIPE}{line}{end}").as_bytes());
    }
}

/// The time that the rest takes if it goes on like this; None if nothing has been read.
fn time_left(elapsed: Duration, read: u64, total: u64) -> Option<Duration> {
    let left = elapsed.as_millis().saturating_mul(total.saturating_sub(read).into()).checked_div(read.into())?;
    Some(Duration::from_millis(u64::try_from(left).unwrap_or(u64::MAX)))
}

/// A percentage, a bar as wide as there is room for, and `facts`: of `columns` columns, or more if there
/// is no room for a bar.
fn bar(read: u64, total: u64, facts: &str, columns: usize) -> String {
    let part = |whole: usize| {
        let done = u128::from(read.min(total)).saturating_mul(u128::try_from(whole).unwrap_or_default());
        usize::try_from(done.checked_div(total.into()).unwrap_or_default()).unwrap_or(whole)
    };
    let mut line = format!("{:>3}% ", part(100));
    let width = columns.saturating_sub(line.len().saturating_add(facts.len()).saturating_add("[] ".len()));
    if width > 2 {
        let done = "=".repeat(part(width));
        let tip = if done.len() < width { ">" } else { "" };
        let _ = write!(line, "[{:<width$}] ", done + tip);
    }
    line + facts
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{Duration, Instant};

    use super::{INTERVAL, Progress, bar, time_left};

    /// A screen that counts how often something is drawn on it.
    #[derive(Default)]
    struct Drawings(Arc<AtomicU64>);

    impl Write for Drawings {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.fetch_add(bytes.windows(7).any(|word| word == b"records").into(), Ordering::Relaxed);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_is_drawn_no_more_than_ten_times_a_second_whatever_messages_come() {
        let drawings = Drawings::default();
        let count = Arc::clone(&drawings.0);
        let mut progress = Progress::new(Some(1_000_000), "failed", Box::new(drawings));
        let start = Instant::now();
        while start.elapsed() < 4 * INTERVAL {
            progress.advance(1, 1, 0);
            progress.clear();
        }
        let drawn = count.load(Ordering::Relaxed);
        assert!(drawn > 0 && u128::from(drawn) <= start.elapsed().as_millis() / 100, "{drawn}");
        progress.finish(1, 0);
        assert_eq!(count.load(Ordering::Relaxed), drawn + 1);
    }

    #[test]
    fn a_bar_takes_the_room_that_there_is() {
        assert_eq!(bar(0, 9, "x", 19), "  0% [>         ] x");
        assert_eq!(bar(3, 9, "x", 19), " 33% [===>      ] x");
        assert_eq!(bar(9, 9, "x", 19), "100% [==========] x");
        // a file may have grown, or be empty
        assert_eq!(bar(10, 9, "x", 12), "100% [===] x");
        assert_eq!(bar(0, 0, "x", 12), "  0% [>  ] x");
        assert_eq!(bar(3, 9, "x", 11), " 33% x");
        assert_eq!(bar(3, 9, "x", 0), " 33% x");
    }

    #[test]
    fn the_rest_takes_as_long_as_what_has_been_read() {
        let second = Duration::from_secs(1);
        assert_eq!(time_left(second, 1, 4), Some(3 * second));
        assert_eq!(time_left(second, 4, 4), Some(Duration::ZERO));
        assert_eq!(time_left(second, 5, 4), Some(Duration::ZERO));
        assert_eq!(time_left(second, 0, 4), None);
    }
}
