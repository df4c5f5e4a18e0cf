//! What ends absurl from outside, and that it leaves whole records behind.
//!
//! A signal comes at any moment: no test needs it at a certain one, and none holds a timing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    reason = "a test that cannot go on stops, and its name is its documentation"
)]

mod support;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use support::Random;

const BASE: &str = "http://a/b/c/d;p?q#f";

fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn spawn(args: &[&str], input: impl Into<Stdio>, output: impl Into<Stdio>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absurl"));
    command.args(args).stdin(input).stdout(output).stderr(Stdio::null()).spawn().unwrap()
}

fn send(signal: Signal, child: &Child) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
}

fn is_by(signal: Signal, status: ExitStatus) -> bool {
    status.signal() == Some(signal as i32)
}

/// A list that no pipe holds the answers of: references of all lengths up to some 3000 bytes.
static LIST: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = directory("signals_list").join("list");
    let mut random = Random(1808);
    let mut list = Vec::new();
    while list.len() < 4_000_000 {
        let longest = *random.pick(&[&9, &90, &90, &3000]);
        let length = random.below(longest);
        list.extend_from_slice(random.pick(&["../", "", "x/../", "#"]).as_bytes());
        list.extend((0..length).map(|_| b'a'));
        list.push(b'\n');
    }
    fs::write(&path, list).unwrap();
    path
});

fn list() -> File {
    File::open(&*LIST).unwrap()
}

/// Sends `signal` to absurl at some moment while a slow reader reads a part of its answers from a
/// pipe, many times over. What arrives ends where a record does.
fn is_whole_in_a_pipe(signal: Signal, args: &[&str], end: &str) {
    let args = [&["-b", BASE], args].concat();
    let mut all = Vec::new();
    spawn(&args, list(), Stdio::piped()).stdout.unwrap().read_to_end(&mut all).unwrap();
    let mut random = Random(signal as u64);
    for _ in 0..20 {
        let mut child = spawn(&args, list(), Stdio::piped());
        let mut output = child.stdout.take().unwrap();
        let mut received = vec![0; random.below(2_000_000) + 1];
        output.read_exact(&mut received).unwrap();
        send(signal, &child);
        output.read_to_end(&mut received).unwrap();
        let status = child.wait().unwrap();
        assert!(is_by(signal, status) || received.len() == all.len(), "{status}");
        assert!(all.starts_with(&received));
        assert!(received.ends_with(end.as_bytes()), "{}", received[received.len() - 9..].escape_ascii());
    }
}

#[test]
fn sigint_leaves_whole_records_in_a_pipe() {
    is_whole_in_a_pipe(Signal::SIGINT, &[], "\n");
}

#[cfg(target_os = "linux")]
#[test]
fn sigkill_leaves_whole_records_in_a_pipe() {
    is_whole_in_a_pipe(Signal::SIGKILL, &[], "\n");
    is_whole_in_a_pipe(Signal::SIGKILL, &["-k"], "\n");
    is_whole_in_a_pipe(Signal::SIGKILL, &["--check", "--json"], "\n");
}

#[test]
fn sigterm_and_sighup_leave_whole_records_in_a_pipe() {
    is_whole_in_a_pipe(Signal::SIGTERM, &["--json"], "\n");
    is_whole_in_a_pipe(Signal::SIGHUP, &["-0"], "\0");
}

#[test]
fn sigint_leaves_whole_records_in_a_file() {
    let path = directory("sigint_file").join("answers");
    let mut random = Random(7);
    for _ in 0..20 {
        let mut child = spawn(&["-b", BASE], list(), File::create(&path).unwrap());
        while fs::metadata(&path).unwrap().len() == 0 {
            std::thread::yield_now();
        }
        (0..random.below(100)).for_each(|_| std::thread::yield_now());
        send(Signal::SIGINT, &child);
        let status = child.wait().unwrap();
        assert!(is_by(Signal::SIGINT, status) || status.success(), "{status}");
        assert!(fs::read(&path).unwrap().ends_with(b"\n"));
    }
}

#[test]
fn sigint_ends_a_write_that_nobody_reads() {
    let mut child = spawn(&["-b", BASE], list(), Stdio::piped());
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0]).unwrap();
    send(Signal::SIGINT, &child);
    assert!(is_by(Signal::SIGINT, child.wait().unwrap()));
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"\n"));
}

/// What comes out if SIGINT comes when the first byte of the answer to one record is there.
fn interrupted(arguments: &[&str], record: &'static [u8], times: usize) -> Vec<u8> {
    let mut child = spawn(arguments, Stdio::piped(), Stdio::piped());
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        input.write_all(&record.repeat(times)).unwrap();
        input.write_all(b"\n").unwrap();
        input
    });
    let mut received = vec![0];
    output.read_exact(&mut received).unwrap();
    send(Signal::SIGINT, &child);
    output.read_to_end(&mut received).unwrap();
    assert!(is_by(Signal::SIGINT, child.wait().unwrap()));
    drop(writer.join());
    received
}

#[test]
fn sigint_waits_for_the_end_of_a_record_that_is_longer_than_a_pipe() {
    let received = interrupted(&["-b", "http://a/"], b"g", 5_000_000);
    assert_eq!(received.len(), "http://a/".len() + 5_000_000 + 1);
}

#[test]
fn sigint_waits_for_the_end_of_an_object_that_is_written_in_pieces() {
    let received = interrupted(&["--check", "--json", "-b", "http://a/"], b" ", 30_000);
    assert!(received.len() > 2_000_000 && received.ends_with(b"}\n"));
}

#[test]
fn signals_end_the_writing_of_objects_while_input_flows() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let mut child =
            spawn(&["--check", "--json", "-b", "http://a/"], Stdio::piped(), File::create("/dev/null").unwrap());
        let mut input = child.stdin.take().unwrap();
        // answers of more than a piece have been written by then
        (0..100).for_each(|_| input.write_all(&b"x y\n".repeat(10_000)).unwrap());
        send(signal, &child);
        while input.write_all(&b"x y\n".repeat(10_000)).is_ok() {}
        assert!(is_by(signal, child.wait().unwrap()));
    }
}

#[test]
fn sigint_ends_a_blocked_read_with_status_130() {
    let script = r#"sh -c 'echo $$; exec "$0" -b http://a/' "$0"; echo $?"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_absurl")]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    let mut input = shell.stdin.take().unwrap();
    let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines().map(Result::unwrap);
    let process = lines.next().unwrap().parse().unwrap();
    // of the second line only the beginning comes: it has no answer
    input.write_all(b"g\nhh").unwrap();
    assert_eq!(lines.next().unwrap(), "http://a/g");
    kill(Pid::from_raw(process), Signal::SIGINT).unwrap();
    assert_eq!(lines.next().unwrap(), "130");
    assert_eq!(lines.next(), None);
    assert!(shell.wait().unwrap().success());
}

#[test]
fn sigint_ends_the_wait_for_a_named_pipe_and_for_a_document() {
    let pipe = directory("sigint_pipe").join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for args in [&["-b", BASE, "-f"][..], &["-b", BASE, "--links", "-d"], &["--print-base", "-d"]] {
        let mut child = spawn(&[args, &[pipe.to_str().unwrap()]].concat(), Stdio::null(), Stdio::null());
        send(Signal::SIGINT, &child);
        assert!(is_by(Signal::SIGINT, child.wait().unwrap()));
    }
}

#[test]
fn an_ignored_sigint_stays_ignored() {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' INT; exec \"$0\" -b http://a/", env!("CARGO_BIN_EXE_absurl")]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    for (reference, answer) in [(b"g\n", "http://a/g"), (b"h\n", "http://a/h")] {
        input.write_all(reference).unwrap();
        assert_eq!(lines.next().unwrap(), answer);
        send(Signal::SIGINT, &child);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
