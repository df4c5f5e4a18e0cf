//! The rows of a table of hostile input: what goes in, what must come out, and in how much memory.
//!
//! The memory is bounded from above by `RLIMIT_AS`, under which each row runs. That a row gives what it must under its
//! limit proves that its peak is below: `ru_maxrss` would not, for after `exec` it still has what the parent needed, and
//! `VmHWM` is gone as soon as a process has ended.
#![allow(clippy::print_stdout, reason = "a row that is skipped says so")]

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

/// Bytes that are made piece by piece, when they are needed.
pub type Bytes = Box<dyn Iterator<Item = Vec<u8>> + Send>;

/// How long a row may take before it is taken for hanging. It says nothing of how fast it should be.
const HANGS: Duration = Duration::from_secs(300);

/// How many MiB a row may have that does not say otherwise: little more than the program needs to begin.
const LITTLE: u64 = 24;

/// A text.
pub fn text(text: impl AsRef<[u8]>) -> Bytes {
    Box::new(std::iter::once(text.as_ref().to_vec()))
}

/// A text, many times.
pub fn times(text: impl AsRef<[u8]>, times: usize) -> Bytes {
    let text = text.as_ref();
    let at_once = (64 * 1024 / text.len()).max(1);
    let (many, rest) = (text.repeat(at_once), text.repeat(times % at_once));
    Box::new(std::iter::repeat_n(many, times / at_once).chain([rest]))
}

/// A text for each number from 1 to `last`.
pub fn each(last: usize, text: impl Fn(usize) -> String + Send + 'static) -> Bytes {
    let block = move |first: usize| (first..=last.min(first + 999)).map(&text).collect::<String>().into_bytes();
    Box::new((1..=last).step_by(1000).map(block))
}

/// Texts, one after the other.
pub fn join<const N: usize>(texts: [Bytes; N]) -> Bytes {
    Box::new(texts.into_iter().flatten())
}

/// A row of the table.
pub struct Row {
    /// What it is about.
    name: &'static str,
    /// The arguments of the program.
    arguments: Vec<OsString>,
    /// The line of `sh` that runs the program, which is `"$@"`.
    shell: String,
    /// The files in its directory.
    files: Vec<(&'static str, Bytes)>,
    /// What is on standard input.
    input: Bytes,
    /// What must come to standard output.
    output: Bytes,
    /// What must come to standard error.
    messages: Bytes,
    /// What the exit status must be.
    status: i32,
    /// How many MiB of addresses it may have.
    mebibytes: u64,
    /// Why it cannot run here.
    skipped: Option<&'static str>,
}

/// A row in which nothing goes in or comes out, and the status is 0. The arguments are words of one line.
pub fn row(name: &'static str, arguments: &str) -> Row {
    Row {
        name,
        arguments: arguments.split_whitespace().map(OsString::from).collect(),
        shell: String::from(r#"exec "$@""#),
        files: Vec::new(),
        input: text(""),
        output: text(""),
        messages: text(""),
        status: 0,
        mebibytes: LITTLE,
        skipped: None,
    }
}

impl Row {
    /// One more argument, of any bytes.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// How `sh` runs the program.
    pub fn shell(mut self, line: &str) -> Self {
        line.clone_into(&mut self.shell);
        self
    }

    /// A file beside the others.
    pub fn file(mut self, name: &'static str, content: Bytes) -> Self {
        self.files.push((name, content));
        self
    }

    /// What is on standard input.
    pub fn reads(mut self, input: Bytes) -> Self {
        self.input = input;
        self
    }

    /// What must come to standard output.
    pub fn writes(mut self, output: Bytes) -> Self {
        self.output = output;
        self
    }

    /// What must come to standard error.
    pub fn says(mut self, messages: Bytes) -> Self {
        self.messages = messages;
        self
    }

    /// What the exit status must be.
    pub fn status(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    /// How many MiB of addresses it may have.
    pub fn within(mut self, mebibytes: u64) -> Self {
        self.mebibytes = mebibytes;
        self
    }

    /// Why it cannot run here, if `skipped`.
    pub fn skip_if(mut self, skipped: bool, why: &'static str) -> Self {
        self.skipped = skipped.then_some(why);
        self
    }

    /// Runs it; what is wrong.
    fn run(self) -> Vec<String> {
        let directory = Directory::new();
        for (name, content) in self.files {
            let mut file = fs::File::create(directory.0.join(name)).expect("a file is made");
            content.for_each(|piece| file.write_all(&piece).expect("a file is written"));
        }
        let limits = if cfg!(target_os = "linux") {
            format!("ulimit -v {}", self.mebibytes * 1024)
        } else {
            String::from(":") // only Linux keeps to it
        };
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -c 0; {limits}; {}", self.shell), "sh", env!("CARGO_BIN_EXE_absurl")])
            .args(self.arguments)
            .current_dir(&directory.0)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let mut stdin = child.stdin.take().expect("its standard input is piped");
        let input = self.input;
        // nobody may read it to its end
        let writer = thread::spawn(move || input.into_iter().try_for_each(|piece| stdin.write_all(&piece)).is_ok());
        let (stdout, stderr) = (child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
        let output = thread::spawn(move || differs(stdout, self.output));
        let messages = thread::spawn(move || differs(stderr, self.messages));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("it is a child") {
                break status;
            }
            if begun.elapsed() > HANGS {
                child.kill().expect("it still runs");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let wrong_status = (status.code() != Some(self.status)).then(|| format!("{status}, not {}", self.status));
        let wrong_output = output.join().expect("it is read").map(|how| format!("standard output: {how}"));
        let wrong_messages = messages.join().expect("it is read").map(|how| format!("standard error: {how}"));
        writer.join().expect("the writer ends");
        [wrong_status, wrong_output, wrong_messages].into_iter().flatten().collect()
    }
}

/// Runs all rows, two at a time, and tells of all that do not come out as they must.
pub fn run(rows: Vec<Row>) {
    let (count, rows) = (rows.len(), std::sync::Mutex::new(rows.into_iter()));
    let next = || rows.lock().expect("nobody panics with it").next();
    let work = || {
        let mut wrong = Vec::new();
        while let Some(row) = next() {
            let name = row.name;
            match row.skipped {
                Some(why) => println!("skipped: {name}: {why}"),
                None => wrong.extend(row.run().into_iter().map(|how| format!("{name}: {how}"))),
            }
        }
        wrong
    };
    let wrong = thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|worker| worker.join().expect("a row is run")).concat()
    });
    assert!(wrong.is_empty(), "{} things are wrong in {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Where `actual`, which is read to its end, differs from `expected`, if it does.
fn differs(mut actual: impl Read, expected: Bytes) -> Option<String> {
    let mut expected = expected.filter(|piece| !piece.is_empty());
    let (mut piece, mut at, mut offset) = (Vec::new(), 0, 0_u64);
    let mut block = vec![0; 256 * 1024];
    let mut found = None;
    loop {
        let length = actual.read(&mut block).expect("a pipe is read");
        let mut rest = &block[..length];
        if length == 0 {
            let missing =
                piece.get(at..).filter(|rest| !rest.is_empty()).map(<[u8]>::to_vec).or_else(|| expected.next());
            let missing = missing.map(|missing| format!("ends at byte {offset}, without {}", shown(&missing)));
            return found.or(missing);
        }
        while found.is_none() && !rest.is_empty() {
            if at == piece.len() {
                (piece, at) = (expected.next().unwrap_or_default(), 0);
            }
            let common = rest.len().min(piece.len() - at);
            if common == 0 || rest[..common] != piece[at..at + common] {
                let same = rest.iter().zip(&piece[at..]).take_while(|(a, b)| a == b).count();
                let place = offset + same as u64;
                found =
                    Some(format!("at byte {place} is {}, not {}", shown(&rest[same..]), shown(&piece[at + same..])));
            }
            rest = &rest[common..];
            (at, offset) = (at + common, offset + common as u64);
        }
    }
}

/// The beginning of some bytes, for a person.
fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes[..bytes.len().min(600)].escape_ascii())
}

/// A directory of its own, gone in the end.
struct Directory(PathBuf);

impl Directory {
    /// A new one.
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("absurl-hostile-{}-{count}", process::id()));
        fs::create_dir(&path).expect("a directory is made");
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
