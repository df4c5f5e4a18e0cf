//! The rows of a table of hostile input: what goes in, what must come out, and in how much memory.
//!
//! Each row runs under a limit of addresses, so that a row that gives what it must has its peak below that limit.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::sync::Mutex;
use std::{fs, thread};

use crate::harness::{Bytes, Run, absurl, all, new_directory, off_key};

/// The MiB of addresses for the 4 MiB that lists of ordinary records take: a program has some 20 before it starts.
pub const LITTLE: u64 = 32;

/// The MiB of addresses for the 64 MiB that plain answers to any list take.
pub const PLAIN: u64 = 128;

/// The MiB of addresses for what is as large as a message, or some dozen times as large as a record.
pub const MUCH: u64 = 512;

/// The MiB of addresses for the 800 MiB that texts in texts take under `--check=host`.
pub const NESTED: u64 = 1024;

/// How much goes in. Each limit of memory is below what the large size would take, and work that grows faster than its
/// input makes the large size hang.
#[derive(Clone, Copy)]
pub struct Size {
    /// What is many.
    pub many: usize,
    /// The bytes that are more than any limit.
    pub long: usize,
}

/// What each limit shows in.
pub const QUICK: Size = Size { many: 100_000, long: 17_000_000 };

/// What takes seconds.
pub const FULL: Size = Size { many: 1_000_000, long: 100_000_000 };

/// A text.
pub fn text(content: impl AsRef<[u8]>) -> Bytes {
    Box::new(std::iter::once(content.as_ref().to_vec()))
}

/// A text, many times.
pub fn times(piece: impl AsRef<[u8]>, count: usize) -> Bytes {
    let piece = piece.as_ref();
    let at_once = (64 * 1024 / piece.len()).max(1);
    let (many, rest) = (piece.repeat(at_once), piece.repeat(count % at_once));
    Box::new(std::iter::repeat_n(many, count / at_once).chain([rest]))
}

/// A text for each number from 1 to `last`.
pub fn each(last: usize, line: impl Fn(usize) -> String + Send + 'static) -> Bytes {
    let block = move |first: usize| (first..=last.min(first + 999)).map(&line).collect::<String>().into_bytes();
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
    /// How absurl runs, and what it reads.
    run: Run,
    /// The files in its directory.
    files: Vec<(&'static str, Bytes)>,
    /// What must come to standard output.
    output: Bytes,
    /// What must come to standard error.
    messages: Bytes,
    /// What the exit status must be.
    status: i32,
    /// Whether it is about this system and this build.
    here: bool,
}

/// A row in which nothing goes in or comes out, and the status is 0. The arguments are words of one line.
pub fn row(name: &'static str, arguments: &str) -> Row {
    Row {
        name,
        run: absurl(&[]).words(arguments).within(LITTLE),
        files: Vec::new(),
        output: text(""),
        messages: text(""),
        status: 0,
        here: true,
    }
}

impl Row {
    /// Changes how absurl runs.
    pub fn run(mut self, change: impl FnOnce(Run) -> Run) -> Self {
        self.run = change(self.run);
        self
    }

    /// Adds an argument of any bytes.
    pub fn argument(self, argument: impl AsRef<OsStr>) -> Self {
        self.run(|run| run.argument(argument))
    }

    /// Runs absurl by a script of `sh`, as `"$@"`.
    pub fn shell(self, script: &str) -> Self {
        self.run(|run| run.shell(script))
    }

    /// Adds a file to its directory.
    pub fn file(mut self, name: &'static str, content: Bytes) -> Self {
        self.files.push((name, content));
        self
    }

    /// Sets standard input.
    pub fn reads(self, input: Bytes) -> Self {
        self.run(|run| run.pieces(input))
    }

    /// Sets what must come to standard output.
    pub fn writes(mut self, output: Bytes) -> Self {
        self.output = output;
        self
    }

    /// Sets what must come to standard error.
    pub fn says(mut self, messages: Bytes) -> Self {
        self.messages = messages;
        self
    }

    /// Sets what the exit status must be.
    pub fn status(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    /// Sets how many MiB of addresses it may have.
    pub fn within(self, mebibytes: u64) -> Self {
        self.run(|run| run.within(mebibytes))
    }

    /// Leaves it out unless `condition`: it is about another system or another build.
    pub fn only_if(mut self, condition: bool) -> Self {
        self.here = condition;
        self
    }

    /// Runs it; what is wrong.
    fn check(self) -> Vec<String> {
        let directory = new_directory("row");
        for (name, content) in self.files {
            let mut file = fs::File::create(directory.join(name)).expect("a file is made");
            content.for_each(|piece| file.write_all(&piece).expect("a file is written"));
        }
        let (expected, messages) = (self.output, self.messages);
        let program = self.run.directory(&directory);
        let is_shell = program.is_shell();
        let (status, output, actual) = program.streams(|stdout| differs(stdout, expected), all);
        let _ = fs::remove_dir_all(directory);
        let wrong_status = (status.code() != Some(self.status)).then(|| format!("{status}, not {}", self.status));
        let wrong_output = output.map(|how| format!("standard output: {how}"));
        let wrong_messages = differs(&actual[..], messages).map(|how| format!("standard error: {how}"));
        let no_message = off_key(&actual, is_shell).map(|line| format!("no message: {line}"));
        [wrong_status, wrong_output, wrong_messages, no_message].into_iter().flatten().collect()
    }
}

/// Runs all rows, two at a time, and names all that do not come out as they must.
pub fn run_all(rows: Vec<Row>) {
    let (count, rows) = (rows.len(), Mutex::new(rows.into_iter().filter(|one| one.here)));
    let next = || rows.lock().expect("nobody panics with it").next();
    let work = || {
        let mut wrong = Vec::new();
        while let Some(one) = next() {
            let name = one.name;
            wrong.extend(one.check().into_iter().map(|how| format!("{name}: {how}")));
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

/// The start of some bytes, readable.
fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes[..bytes.len().min(600)].escape_ascii())
}
