//! `--progress` on a real terminal: what stands there, never when.
#![allow(
    clippy::unwrap_used,
    clippy::unreachable,
    clippy::missing_docs_in_private_items,
    reason = "a test that cannot go on stops, and its name is its documentation"
)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A terminal of 100 columns: what is read from the first is what has been written to the other.
fn terminal() -> (File, OwnedFd) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    (screen.into(), terminal.into())
}

/// Starts absurl with a terminal for standard error.
fn spawn(args: &[&str], input: impl Into<Stdio>, output: impl Into<Stdio>, terminal: OwnedFd) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absurl"));
    command.args(args).env("TERM", "xterm").env_remove("NO_COLOR");
    command.stdin(input).stdout(output).stderr(terminal).spawn().unwrap()
}

/// All that is written to a terminal until nobody has it open.
fn shown(mut screen: File) -> String {
    let mut shown = Vec::new();
    // Linux says that it has gone, others that it has ended
    let _ = screen.read_to_end(&mut shown);
    String::from_utf8(shown).unwrap()
}

/// What is left to be seen of what has been shown, line by line.
fn left(shown: &str) -> Vec<&str> {
    let visible = |line| str::rsplit(line, "\r\x1b[2K").next().unwrap_or_default();
    shown.split_terminator("\r\n").map(|line| visible(line).trim_end()).collect()
}

fn file(test: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs absurl with a terminal for standard error and `input` for its standard input; what is left to
/// be seen there, and the exit status.
fn run(args: &[&str], input: impl Into<Stdio>) -> (Vec<String>, Option<i32>) {
    let (screen, terminal) = terminal();
    let mut child = spawn(args, input, Stdio::null(), terminal);
    let shown = shown(screen);
    (left(&shown).into_iter().map(str::to_owned).collect(), child.wait().unwrap().code())
}

#[test]
fn the_last_bar_tells_of_all_bytes_and_records() {
    let (one, two) = (file("progress_one", b"../g\nh\n"), file("progress_two", b"i\n"));
    let (lines, status) = run(&["--progress", "-b", "http://a/", "-f", &one, "x", "-f", &two], Stdio::null());
    let [bar] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert!(bar.starts_with("100% [======"), "{bar}");
    assert!(bar.contains("] 9 B/9 B ") && bar.contains("/s 4 records 0 failed "), "{bar}");
    assert_eq!(status, Some(0));
}

#[test]
fn standard_input_counts_from_where_it_stands() {
    let mut input = File::open(file("progress_input", b"passed over\ng\n")).unwrap();
    input.read_exact(&mut [0; 12]).unwrap();
    let (lines, _) = run(&["--progress", "-b", "http://a/"], input);
    assert!(lines.concat().contains("] 2 B/2 B "), "{lines:?}");
}

#[test]
fn the_bytes_of_a_document_count() {
    let page = file("progress_page", b"<a href=g>g</a><a href=h>h</a>\n");
    let (lines, _) = run(&["--progress", "-b", "http://a/", "--links", "-d", &page], Stdio::null());
    assert!(lines.concat().contains("] 31 B/31 B ") && lines.concat().contains("/s 2 records 0 failed "), "{lines:?}");
    let (lines, _) = run(&["--progress", "--print-base", "-d", &page], Stdio::null());
    assert!(lines.concat().contains("] 31 B/31 B "), "{lines:?}");
    let list = file("progress_list", format!("http://a/\t{page}\n").as_bytes());
    let (lines, _) = run(&["--progress", "--links", "--pairs", "-f", &list], Stdio::null());
    let [line] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert!(line.contains("/s 2 records 0 failed ") && !line.contains('%'), "what the list names is not known: {line}");
}

#[test]
fn without_a_size_there_is_a_line_without_a_bar() {
    let (screen, terminal) = terminal();
    let mut child = spawn(&["--progress", "-b", "http://a/"], Stdio::piped(), Stdio::null(), terminal);
    child.stdin.take().unwrap().write_all(b"g\nh\n").unwrap();
    let shown = shown(screen);
    assert!(child.wait().unwrap().success());
    assert!(
        shown.contains("\x1b[2K4 B ") && shown.contains("/s 2 records 0 failed ") && !shown.contains('%'),
        "{shown}"
    );
}

#[test]
fn messages_stand_above_the_bar_in_lines_of_their_own() {
    let list = file("progress_failures", "g\nx:y\n".repeat(100_000).as_bytes());
    let (lines, status) = run(&["--progress", "-f", &list], Stdio::null());
    assert_eq!(status, Some(1));
    let (bar, messages) = lines.split_last().unwrap();
    assert_eq!(messages.len(), 100_000);
    for (number, message) in messages.iter().enumerate() {
        assert!(message.starts_with(&format!("absurl: {list}:{}: the reference has no", 2 * number + 1)), "{message}");
    }
    assert!(bar.contains("/s 200000 records 100000 failed "), "{bar}");
    let (lines, status) = run(&["--progress", "-q", "-f", &list], Stdio::null());
    assert_eq!((lines.len(), status), (1, Some(1)));
}

#[test]
fn the_bar_is_drawn_between_objects_that_are_streamed() {
    let list = file("progress_objects", "../a/x y\n".repeat(200_000).as_bytes());
    let (lines, status) = run(&["--progress", "-c", "-j", "-b", "http://a/", "-f", &list], Stdio::null());
    assert_eq!(status, Some(1));
    assert!(lines.concat().contains("/s 200000 records 200000 illegal "), "{lines:?}");
}

#[test]
fn what_is_found_is_called_by_its_name() {
    let list = file("progress_found", b"~me\ng\n");
    let (lines, _) = run(&["--progress", "--check", "-b", "http://a/", "-f", &list], Stdio::null());
    assert!(lines.concat().contains("/s 2 records 1 illegal "), "{lines:?}");
    #[cfg(feature = "spec")]
    {
        let (lines, _) = run(&["--progress", "-q", "--compare", "-b", "http://a/", "-f", &list, ".."], Stdio::null());
        assert!(lines.concat().contains("/s 3 records 1 differing "), "{lines:?}");
    }
}

#[test]
fn the_bar_ends_with_its_line_where_the_run_fails() {
    let (screen, other) = terminal();
    let full = File::options().write(true).open("/dev/full");
    if let Ok(full) = full {
        let mut child = spawn(&["--progress", "-b", "http://a/", "g"], Stdio::null(), full, other);
        let shown = shown(screen);
        assert_eq!(child.wait().unwrap().code(), Some(2));
        let lines = left(&shown);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines.concat().starts_with("absurl: standard output: ") && shown.ends_with("\r\n"), "{shown}");
    }
    let (screen, terminal) = terminal();
    let list = file("progress_closed", "g\n".repeat(1_000_000).as_bytes());
    let mut child = spawn(&["--progress", "-b", "http://a/", "-f", &list], Stdio::null(), Stdio::piped(), terminal);
    drop(child.stdout.take());
    let shown = shown(screen);
    assert!(child.wait().unwrap().success());
    assert!(left(&shown).len() == 1 && shown.ends_with("\r\n"), "{shown}");
}

#[test]
fn sigint_takes_the_bar_away_and_leaves_whole_records() {
    let list = file("progress_sigint", "g\n".repeat(3_000_000).as_bytes());
    let (screen, terminal) = terminal();
    let mut child = spawn(&["--progress", "-b", "http://a/", "-f", &list], Stdio::null(), Stdio::piped(), terminal);
    let mut output = child.stdout.take().unwrap();
    let mut received = vec![0; 100_000];
    output.read_exact(&mut received).unwrap();
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    output.read_to_end(&mut received).unwrap();
    let shown = shown(screen);
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::SIGINT as i32));
    assert!(received.ends_with(b"\n"));
    assert!(left(&shown).concat().is_empty(), "{shown}");
}

#[test]
fn there_is_no_bar_where_nobody_sees_it_or_it_is_in_the_way() {
    let (screen, other) = terminal();
    let output = other.try_clone().unwrap();
    let mut child = spawn(&["--progress", "-b", "http://a/", "g"], Stdio::null(), output, other);
    assert_eq!(shown(screen), "http://a/g\r\n");
    assert!(child.wait().unwrap().success());

    let mut command = Command::new(env!("CARGO_BIN_EXE_absurl"));
    let output = command.args(["--progress", "-b", "http://a/", "g"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"http://a/g\n"[..], &b""[..]));

    let (screen, terminal) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_absurl"));
    command.args(["--progress", "-b", "http://a/", "g"]).env("TERM", "dumb").stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(terminal).spawn().unwrap();
    // it would keep the terminal open
    drop(command);
    assert_eq!(shown(screen), "");
    assert!(child.wait().unwrap().success());
}
