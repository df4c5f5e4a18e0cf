//! Runs the program: what goes in, and what must come out.
//!
//! `absurl(&["-b", "http://a/"]).input("g\n").gives("http://a/g\n", "", 0);`
//!
//! No test holds a timing. [`PATIENCE`] only turns a run that hangs into one that fails.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;
use std::{env, iter, thread};

use assert_cmd::assert::{Assert, IntoOutputPredicate};
use assert_cmd::cargo::cargo_bin;
use predicates::Predicate;
use serde_json::Value;

/// The longest that a run may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Variables that change help and colors.
const ENVIRONMENT: [&str; 5] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"];

/// Bytes that are made piece by piece, when they are needed.
pub type Bytes = Box<dyn Iterator<Item = Vec<u8>> + Send>;

/// A run of the program.
#[must_use]
pub struct Run {
    arguments: Vec<OsString>,
    script: Option<String>,
    input: Bytes,
    environment: Vec<(&'static str, String)>,
    directory: PathBuf,
    mebibytes: Option<u64>,
}

/// A run of absurl with an empty standard input.
pub fn absurl(arguments: &[&str]) -> Run {
    Run {
        arguments: arguments.iter().map(OsString::from).collect(),
        script: None,
        input: Box::new(iter::empty()),
        environment: Vec::new(),
        directory: PathBuf::from("."),
        mebibytes: None,
    }
}

/// A run of `sh` that finds absurl on its `PATH`.
pub fn shell(script: &str) -> Run {
    absurl(&[]).shell(script)
}

impl Run {
    /// Adds an argument of any bytes.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn arguments(self, arguments: &[&str]) -> Self {
        arguments.iter().fold(self, Run::argument)
    }

    /// Adds the words of a line as arguments.
    pub fn words(self, line: &str) -> Self {
        line.split_whitespace().fold(self, Run::argument)
    }

    /// Runs absurl by a script of `sh`, as `"$@"`.
    pub fn shell(mut self, script: &str) -> Self {
        self.script = Some(script.to_owned());
        self
    }

    /// Sets standard input.
    pub fn input(self, input: impl Into<Vec<u8>>) -> Self {
        self.pieces(Box::new(iter::once(input.into())))
    }

    /// Sets standard input, piece by piece.
    pub fn pieces(mut self, input: Bytes) -> Self {
        self.input = input;
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Sets the working directory; by default it is the package's.
    pub fn directory(mut self, directory: &Path) -> Self {
        directory.clone_into(&mut self.directory);
        self
    }

    /// Limits the addresses that absurl may have, by `ulimit -v`, which only Linux enforces.
    pub fn within(mut self, mebibytes: u64) -> Self {
        self.mebibytes = Some(mebibytes);
        self
    }

    /// Asserts all that comes out: exact bytes or predicates.
    #[track_caller]
    pub fn gives<P: Predicate<[u8]>, Q: Predicate<[u8]>>(
        self,
        stdout: impl IntoOutputPredicate<P>,
        stderr: impl IntoOutputPredicate<Q>,
        status: i32,
    ) {
        let run = format!("{:?} {}", self.arguments, self.script.as_deref().unwrap_or_default());
        Assert::new(self.output()).append_context("run", run).stdout(stdout).stderr(stderr).code(status);
    }

    /// Standard output, standard error and the exit status. Standard error must have the voice of all messages.
    #[track_caller]
    pub fn output(self) -> Output {
        let is_shell = self.is_shell();
        let (status, stdout, stderr) = self.streams(all, all);
        assert_eq!(off_key(&stderr, is_shell), None);
        Output { status, stdout, stderr }
    }

    /// Whether standard error may have lines of other programs.
    pub fn is_shell(&self) -> bool {
        self.script.is_some()
    }

    /// Standard output, standard error as text, and the exit status.
    #[track_caller]
    pub fn bytes(self) -> (Vec<u8>, String, i32) {
        let Output { status, stdout, stderr } = self.output();
        let stderr = String::from_utf8(stderr).expect("standard error is UTF-8");
        (stdout, stderr, status.code().unwrap_or_else(|| panic!("{status}")))
    }

    /// Standard output and standard error as text, and the exit status.
    #[track_caller]
    pub fn text(self) -> (String, String, i32) {
        let (stdout, stderr, status) = self.bytes();
        (String::from_utf8(stdout).expect("standard output is UTF-8"), stderr, status)
    }

    /// The exit status, and what the readers make of standard output and standard error.
    pub fn streams<O: Send, E: Send>(
        mut self,
        stdout: impl FnOnce(ChildStdout) -> O + Send,
        stderr: impl FnOnce(ChildStderr) -> E + Send,
    ) -> (ExitStatus, O, E) {
        let mut running = self.start(Stdio::piped(), Stdio::piped(), Stdio::piped());
        let (mut input, output, messages) =
            (running.stdin.take().unwrap(), running.stdout.take().unwrap(), running.stderr.take().unwrap());
        thread::scope(|scope| {
            // absurl may end before it has read everything
            scope.spawn(move || self.input.try_for_each(|piece| input.write_all(&piece)));
            let (output, messages) = (scope.spawn(|| stdout(output)), scope.spawn(|| stderr(messages)));
            (running.wait().unwrap(), output.join().unwrap(), messages.join().unwrap())
        })
    }

    /// Starts it with other streams.
    pub fn start(&self, input: impl Into<Stdio>, output: impl Into<Stdio>, messages: impl Into<Stdio>) -> Running {
        let program = cargo_bin!();
        let mut command = Command::new(program);
        if self.script.is_some() || self.mebibytes.is_some() {
            let limit =
                self.mebibytes.filter(|_| cfg!(target_os = "linux")).map(|it| format!("ulimit -v {};", it * 1024));
            let limit = limit.unwrap_or_default();
            let script = self.script.as_deref().unwrap_or(r#"exec "$@""#);
            let path =
                [program.parent().unwrap().as_os_str(), &env::var_os("PATH").unwrap_or_default()].join(":".as_ref());
            command = Command::new("sh");
            command.args(["-c", &format!("ulimit -c 0; {limit} {script}"), "sh"]).arg(program).env("PATH", path);
        }
        for name in ENVIRONMENT {
            command.env_remove(name);
        }
        command.env("RUST_BACKTRACE", "0").envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.args(&self.arguments).current_dir(&self.directory);
        Running::new(command.stdin(input).stdout(output).stderr(messages))
    }
}

/// A program that runs, in a process group of its own. It is killed with its children when this is dropped, or when
/// its time is over.
pub struct Running {
    child: Child,
    /// Ends the thread that waits for that.
    _watched: Sender<()>,
}

impl Running {
    fn new(command: &mut Command) -> Self {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn();
        // wine 8 fails to start one program in some thousands: ERROR_INTERNAL_ERROR
        if child.as_ref().is_err_and(|error| cfg!(windows) && error.raw_os_error() == Some(1359)) {
            child = command.spawn();
        }
        let child = child.expect("the program starts");
        let id = child.id();
        let (watched, end) = channel();
        thread::spawn(move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                kill(id);
            }
        });
        Running { child, _watched: watched }
    }
}

/// Ends a program and its children.
fn kill(id: u32) {
    let command = if cfg!(unix) { format!("kill -KILL -- -{id}") } else { format!("taskkill /T /F /PID {id}") };
    let mut words = command.split(' ');
    let _ = Command::new(words.next().unwrap_or_default()).args(words).status();
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            kill(self.child.id());
            let _ = self.child.wait();
        }
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

/// Reads a stream to its end.
pub fn all(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("a pipe is read");
    bytes
}

/// The characters of a message beside the values that it quotes and long names.
pub fn length_of(message: &str) -> usize {
    let quoted = message.find('"').zip(message.rfind('"')).filter(|(start, end)| start < end);
    let own =
        quoted.map_or_else(|| message.to_owned(), |(start, end)| format!("{}{}", &message[..start], &message[end..]));
    let words = own.split(' ').map(|word| word.chars().count()).filter(|length| *length <= 40);
    words.map(|length| length + 1).sum()
}

/// The first line that is no message of absurl's: it lacks `absurl: ` before it, has more than two clauses, or
/// names a section. Rows of the table of `--compare` are allowed, and lines of other programs in a shell.
pub fn off_key(messages: &[u8], is_shell: bool) -> Option<String> {
    let messages = str::from_utf8(messages).expect("standard error is UTF-8");
    let is_row = |line: &str| {
        let words: Vec<_> = line.split_whitespace().take(2).collect();
        matches!(words[..], [count, _] if line.starts_with("  ") && count.parse::<u64>().is_ok())
    };
    let is_off = |line: &&str| match line.strip_prefix("absurl: ") {
        // a command in parentheses may have more
        Some(message) => {
            message.split(": (").next().is_some_and(|message| message.matches("; ").count() > 1)
                || message.contains('§')
        }
        None => !is_shell && !is_row(line),
    };
    messages.lines().find(is_off).map(str::to_owned)
}

/// The objects of JSON in `output`, one on each line.
#[track_caller]
pub fn parse_objects(output: impl AsRef<[u8]>) -> Vec<Value> {
    let object = |line| serde_json::from_slice(line).unwrap_or_else(|error| panic!("{error}: {}", line.escape_ascii()));
    records(output.as_ref(), b'\n').into_iter().map(object).collect()
}

/// The links of lines of JSON, each as `LINE:COLUMN:URL`.
pub fn located_links(output: &str) -> Vec<String> {
    parse_objects(output).iter().map(located).collect()
}

/// A link as `LINE:COLUMN:URL`.
pub fn located(link: &Value) -> String {
    let url = link["url"].as_str().unwrap_or_default();
    format!("{}:{}:{url}", link["line"], link["column"])
}

/// A document of a table.
pub struct Document<'a> {
    pub options: &'a str,
    pub name: &'a str,
    pub text: &'a [u8],
    /// The status that is expected, if one is.
    pub status: Option<i32>,
}

impl<'a> Document<'a> {
    /// A document whose name says nothing of its type, as with standard input.
    pub fn new(options: &'a [u8], text: &'a [u8]) -> Self {
        Document { options: str::from_utf8(options).expect("options are UTF-8"), name: "a", text, status: None }
    }
}

/// What a run prints of a document as objects, its messages with `-` for the name of the file, and its status.
pub type Answer = (Vec<Value>, String, i32);

/// What is printed with `--json` of each document. One run reads all documents with the same options. If it succeeds, so
/// does each document. If it fails, it does not say with which of them, so those that must fail have runs of their own.
pub fn read_documents(flags: &[&str], documents: &[Document<'_>]) -> Vec<Answer> {
    let mut runs: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (index, document) in documents.iter().enumerate() {
        let own = document.status.filter(|status| *status != 0).map(|_| index);
        runs.entry((document.options, document.status, own)).or_default().push(index);
    }
    let mut answers = vec![Answer::default(); documents.len()];
    for ((options, status, _), indices) in runs {
        let read = |some: &[usize]| {
            let some: Vec<_> = some.iter().map(|index| &documents[*index]).collect();
            read_at_once(absurl(flags).words(options), &some)
        };
        let mut read_all = read(&indices);
        if status == Some(0) && read_all[0].2 != 0 {
            read_all = indices.iter().flat_map(|index| read(&[*index])).collect();
        }
        indices.into_iter().zip(read_all).for_each(|(index, answer)| answers[index] = answer);
    }
    answers
}

/// What is noted where several documents have one `--base`.
pub const SHARED_BASE: &str = "absurl: all documents share the URL of --base; --root DIR gives each its own\n";

/// What one run prints of some documents. Their objects and messages must come in their order.
fn read_at_once(run: Run, documents: &[&Document<'_>]) -> Vec<Answer> {
    let directory = new_directory("documents");
    let write = |(number, document): (usize, &&Document<'_>)| {
        let name = format!("{number}/{}", document.name);
        fs::create_dir(directory.join(number.to_string())).expect("a directory");
        fs::write(directory.join(&name), document.text).expect("the document");
        name
    };
    let names: Vec<_> = documents.iter().enumerate().map(write).collect();
    let run = names.iter().fold(run.argument("-j"), Run::argument).directory(&directory);
    let (stdout, stderr, status) = run.text();
    let stderr = stderr.strip_prefix(SHARED_BASE).unwrap_or(&stderr);
    let (mut objects, mut lines) = (parse_objects(stdout).into_iter().peekable(), stderr.lines().peekable());
    let answer = |name: &String| {
        let own = iter::from_fn(|| objects.next_if(|object| object["source"] == **name)).collect();
        let start = format!("absurl: {name}");
        let said = iter::from_fn(|| lines.next_if(|line| line.starts_with(&start)));
        (own, said.map(|line| format!("absurl: -{}\n", &line[start.len()..])).collect(), status)
    };
    let answers = names.iter().map(answer).collect();
    assert_eq!((objects.next(), lines.next()), (None, None), "of no document, or too late");
    answers
}

/// The words of a command line. In `'` there may be spaces, or nothing.
pub fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted, mut word) = (Vec::new(), false, None);
    for char in line.chars() {
        match char {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_with(String::new);
            }
            ' ' if !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(char),
        }
    }
    words.extend(word);
    words
}

/// Some fields of each line of JSON, without their quotes.
pub fn fields(output: &str, names: &str) -> Vec<String> {
    let shown = |object: &Value| {
        let values = names.split(' ').map(|name| object[name].to_string().replace('"', ""));
        values.collect::<Vec<_>>().join(" ")
    };
    parse_objects(output).iter().map(shown).collect()
}

/// The records of `output`, each without the `end` that it must have.
pub fn records(output: &[u8], end: u8) -> Vec<&[u8]> {
    let mut pieces: Vec<_> = output.split(|&b| b == end).collect();
    let rest = pieces.pop().expect("a split has at least one piece");
    assert!(rest.is_empty(), "the last record lacks its end: {}", rest.escape_ascii());
    pieces
}

/// An empty directory, which nobody else has: neither another test that chooses this name, nor another run of the tests.
pub fn new_directory(test: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    static ALL: LazyLock<PathBuf> = LazyLock::new(|| {
        let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it");
        for run in fs::read_dir(&runs).into_iter().flatten().flatten() {
            let changed = run.metadata().and_then(|metadata| metadata.modified());
            // it has ended long ago
            if changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > 12 * PATIENCE)) {
                let _ = fs::remove_dir_all(run.path());
            }
        }
        runs.join(std::process::id().to_string())
    });
    let directory = ALL.join(format!("{test}-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// An output with the slashes of Unix in names. In JSON, a backslash is two.
pub fn with_slashes(output: String) -> String {
    if cfg!(windows) { output.replace(r"\\", "/").replace('\\', "/") } else { output }
}

/// A directory with files.
pub fn tree(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = new_directory(test);
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

#[test]
fn two_tests_may_choose_one_name() {
    assert_ne!(new_directory("same"), new_directory("same"));
}

/// A file for one test, as text for a command line.
pub fn new_file(test: &str, content: impl AsRef<[u8]>) -> String {
    let path = new_directory(test).join("list");
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Reports that a test, or the rest of it, is skipped; where `CI` is set, the test fails.
#[track_caller]
pub fn skip(why: &str) {
    assert!(env::var_os("CI").is_none(), "skipped: {why}");
    say(&format!("skipped: {why}"));
}

/// Writes a line past the runner, which would swallow it.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether a tool is on `PATH`; if not, the test is skipped.
#[track_caller]
pub fn has(tool: &str) -> bool {
    let found = env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|path| path.join(tool).exists());
    if !found {
        skip(&format!("{tool} is not on PATH"));
    }
    found
}

/// Whether the programs of a shell command that not every system has are there.
#[cfg(unix)]
pub fn has_tools_of(command: &str) -> bool {
    ["jq", "python3"].into_iter().all(|tool| !command.contains(tool) || has(tool))
}
