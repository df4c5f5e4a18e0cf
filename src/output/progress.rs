//! How far a run is: a bar on standard error.

use std::fmt::Write;
use std::io::{self, IsTerminal, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::sink::{self, Hold};

/// The least time between two drawings of the bar, of which the last one comes at once.
const INTERVAL: Duration = Duration::from_millis(125);

/// A bar if it is known how much there is to read.
const BAR: &str =
    "{percent:>3}% [{wide_bar}] {bytes}/{total_bytes} {bytes_per_sec} {records} records {failures} {left}";

/// A line if it is not.
const LINE: &str = "{spinner} {bytes} {bytes_per_sec} {records} records {failures} {elapsed}";

/// A bar on standard error, for which nobody has to wait.
pub struct Progress {
    /// The bar.
    bar: ProgressBar,
    /// What it looks like.
    style: ProgressStyle,
    /// What it tells of the records.
    counts: Arc<Counts>,
    /// How many bytes have been read.
    read: u64,
    /// When it may be drawn again.
    due: Instant,
    /// Whether it is there to be seen.
    drawn: bool,
}

/// What is told of records.
#[derive(Default)]
struct Counts {
    /// How many there have been.
    records: AtomicU64,
    /// How many of them failed.
    failures: AtomicU64,
}

impl Progress {
    /// A bar for `total` bytes of input, or a line if it is not known how many there are; `failed` is
    /// what a record is called that fails. None unless standard error is a terminal and standard
    /// output is not.
    pub fn begin(total: Option<u64>, failed: &'static str) -> Option<Self> {
        // it is this that draws less often
        let target = ProgressDrawTarget::stderr_with_hz(u8::MAX);
        if io::stdout().is_terminal() || target.is_hidden() {
            return None;
        }
        let progress = Progress::new(total, failed, target);
        let bar = progress.bar.clone();
        sink::before_the_end(move || wipe(&bar));
        Some(progress)
    }

    /// A bar, drawn to `target`.
    fn new(total: Option<u64>, failed: &'static str, target: ProgressDrawTarget) -> Self {
        let counts = Arc::new(Counts::default());
        let (of_all, of_failed) = (Arc::clone(&counts), Arc::clone(&counts));
        let style = ProgressStyle::with_template(if total.is_some() { BAR } else { LINE })
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ")
            .tick_chars("|/-\\ ")
            .with_key("records", move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{}", of_all.records.load(Ordering::Relaxed));
            })
            .with_key("failures", move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{} {failed}", of_failed.failures.load(Ordering::Relaxed));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                let (time, what) = if state.is_finished() { (state.elapsed(), "") } else { (state.eta(), "ETA ") };
                let _ = write!(out, "{what}{:#}", HumanDuration(time));
            });
        let bar = ProgressBar::with_draw_target(total, target).with_style(style.clone());
        let due = Instant::now().checked_add(INTERVAL).unwrap_or_else(Instant::now);
        Progress { bar, style, counts, read: 0, due, drawn: false }
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
        self.count(records, failures);
        let _held = Hold::new();
        self.bar.set_style(self.style.clone());
        self.bar.set_position(self.read);
    }

    /// Takes the bar away, for a message, until it is drawn again.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _held = Hold::new();
            wipe(&self.bar);
        }
    }

    /// Draws the bar for the last time, and leaves it there.
    pub fn finish(self, records: u64, failures: u64) {
        self.count(records, failures);
        let _held = Hold::new();
        wipe(&self.bar);
        self.bar.set_position(self.read);
        self.bar.set_style(self.style);
        self.bar.abandon();
        let _ = io::stderr().write_all(b"\n");
    }

    /// Tells how many records there have been.
    fn count(&self, records: u64, failures: u64) {
        self.counts.records.store(records, Ordering::Relaxed);
        self.counts.failures.store(failures, Ordering::Relaxed);
    }
}

/// Takes a bar away. It is drawn with no lines then.
fn wipe(bar: &ProgressBar) {
    if let Ok(nothing) = ProgressStyle::with_template("") {
        bar.set_style(nothing);
        bar.tick();
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::{INTERVAL, Progress};

    /// A terminal that counts how often something is drawn on it.
    #[derive(Debug, Default)]
    struct Drawings(Arc<AtomicU64>);

    impl TermLike for Drawings {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, _: &str) -> io::Result<()> {
            Ok(())
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.fetch_add(text.contains("records").into(), Ordering::Relaxed);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_is_drawn_no_more_than_ten_times_a_second_whatever_messages_come() {
        let drawings = Drawings::default();
        let count = Arc::clone(&drawings.0);
        let mut progress = Progress::new(Some(1_000_000), "failed", ProgressDrawTarget::term_like(Box::new(drawings)));
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
}
