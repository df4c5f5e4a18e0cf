//! `kill -INT` ends absurl by the signal, also while it waits.

use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Run, Running, absurl, new_directory, shell};

/// Runs absurl with the default action of SIGINT, which a shell cannot restore where the tests came to ignore it.
/// Prints the process first.
const DEFAULT: &str = r#"perl -e '$SIG{INT} = "DEFAULT"; $| = 1; print "$$\n"; exec @ARGV' "$@""#;

/// absurl, its process, and its streams.
fn start(run: &Run) -> (Running, Pid, ChildStdin, Lines<BufReader<ChildStdout>>) {
    let mut child = run.start(Stdio::piped(), Stdio::piped(), Stdio::null());
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let process = lines.next().unwrap().unwrap().parse().unwrap();
    (child, Pid::from_raw(process).unwrap(), input, lines)
}

/// Sends SIGINT, and asserts that absurl ends by it.
fn interrupt(mut child: Running, process: Pid) {
    kill_process(process, Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
}

/// Whether absurl has begun, and waits.
#[cfg(target_os = "linux")]
fn is_waiting(process: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_pid())).unwrap();
    state.contains("(absurl) S ")
}

#[test]
fn sigint_ends_a_blocked_read() {
    let run = absurl(&["-b", "http://a/"]).shell(&format!("exec {DEFAULT}"));
    let (child, process, mut input, mut lines) = start(&run);
    // only the start of the second line comes: it has no answer
    input.write_all(b"g\nhh").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "http://a/g");
    interrupt(child, process);
    assert!(lines.next().is_none());
}

#[test]
fn sigint_ends_a_blocked_write() {
    let run = absurl(&["-b", "http://a/"]).shell(&format!("exec {DEFAULT}"));
    let (child, process, mut input, mut lines) = start(&run);
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(&b"g\n".repeat(4_000_000)));
        assert_eq!(lines.next().unwrap().unwrap(), "http://a/g");
        interrupt(child, process);
    });
}

#[test]
fn sigint_ends_the_wait_for_a_named_pipe() {
    let directory = new_directory("sigint_pipe");
    shell("mkfifo pipe").directory(&directory).gives("", "", 0);
    for args in [
        &["-b", "http://a/", "-f", "pipe"][..],
        &["-b", "http://a/", "-d", "pipe", "g"],
        &["--links", "pipe"],
        &["--print-base", "pipe"],
    ] {
        let (child, process, ..) = start(&absurl(args).shell(&format!("exec {DEFAULT}")).directory(&directory));
        #[cfg(target_os = "linux")]
        while !is_waiting(process) {}
        interrupt(child, process);
    }
}

#[test]
fn a_shell_sees_status_130_after_sigint() {
    let run = absurl(&["-b", "http://a/"]).shell(&format!("{DEFAULT}; echo $?"));
    let (mut child, process, mut input, mut lines) = start(&run);
    input.write_all(b"g\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "http://a/g");
    kill_process(process, Signal::INT).unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "130");
    assert!(child.wait().unwrap().success());
}
