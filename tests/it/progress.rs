//! `--progress` on a real terminal: what is shown, never when.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::harness::{Running, absurl, new_file};

/// The width of the terminal in most tests: no message is longer.
const WIDE: u16 = 200;

/// A terminal: what is read from the first is what has been written to the other.
pub fn open_terminal(columns: u16) -> (File, OwnedFd) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    // the programs of other tests, which run at the same time, may have few descriptors
    fcntl_setfd(&screen, FdFlags::CLOEXEC).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    (screen.into(), terminal.into())
}

/// Starts absurl with a terminal for standard error.
fn spawn(args: &[&str], input: impl Into<Stdio>, output: impl Into<Stdio>, terminal: OwnedFd) -> Running {
    absurl(args).env("TERM", "xterm").start(input, output, terminal)
}

/// All that is written to a terminal until nobody has it open.
pub fn read_screen(mut screen: File) -> String {
    let mut shown = Vec::new();
    // Linux says that it has gone, others that it has ended; Linux may say so before it hands on what was written last
    for _ in 0..2 {
        let _ = screen.read_to_end(&mut shown);
    }
    String::from_utf8(shown).unwrap()
}

/// What is left to be seen on a screen of so many columns, line by line, without empty lines.
fn left(shown: &str, columns: u16) -> Vec<String> {
    let (mut rows, mut row, mut column) = (vec![Vec::new()], 0, 0);
    let mut rest = shown.chars();
    while let Some(char) = rest.next() {
        match char {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1B' => match rest.by_ref().skip(1).take(2).collect::<String>().as_str() {
                "1A" => row -= 1,
                "1B" => row += 1,
                "2K" => rows[row].clear(),
                other => panic!("{other}"),
            },
            char => {
                rows.resize(rows.len().max(row + 1), Vec::new());
                let width = rows[row].len().max(column + 1);
                rows[row].resize(width, ' ');
                rows[row][column] = char;
                column += 1;
                // most terminals wait for the next character
                if column == usize::from(columns) {
                    (row, column) = (row + 1, 0);
                }
            }
        }
        rows.resize(rows.len().max(row + 1), Vec::new());
    }
    let lines = rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Runs absurl with a terminal of so many columns for standard error and `input` for its standard
/// input; what is left to be seen there, and the exit status.
fn run_in(columns: u16, args: &[&str], input: impl Into<Stdio>) -> (Vec<String>, Option<i32>) {
    let (screen, terminal) = open_terminal(columns);
    let mut child = spawn(args, input, Stdio::null(), terminal);
    let shown = read_screen(screen);
    (left(&shown, columns), child.wait().unwrap().code())
}

/// [`run_in`] a wide terminal.
fn run(args: &[&str], input: impl Into<Stdio>) -> (Vec<String>, Option<i32>) {
    run_in(WIDE, args, input)
}

#[test]
fn the_last_bar_has_all_bytes_and_records() {
    let (one, two) = (new_file("progress_one", b"../g\nh\n"), new_file("progress_two", b"i\n"));
    let (lines, status) = run(&["--progress", "-b", "http://a/", "-f", &one, "x", "-f", &two], Stdio::null());
    let [bar, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert!(bar.starts_with("100% [======") && bar.contains("] 9 B/9 B ") && bar.ends_with("/s"), "{bar}");
    assert!(counts.starts_with("4 references 0 failed ") && status == Some(0), "{counts} {status:?}");
}

#[test]
fn standard_input_is_counted_from_where_it_is() {
    let mut input = File::open(new_file("progress_input", b"passed over\ng\n")).unwrap();
    input.read_exact(&mut [0; 12]).unwrap();
    let (lines, _) = run(&["--progress", "-b", "http://a/"], input);
    assert!(lines[0].contains("] 2 B/2 B "), "{lines:?}");
}

#[test]
fn the_bytes_of_a_document_count() {
    let page = new_file("progress_page", b"<a href=g>g</a><a href=h>h</a>\n");
    let (lines, _) = run(&["--progress", "-b", "http://a/", "--links", &page], Stdio::null());
    assert!(lines[0].contains("] 31 B/31 B ") && lines[1].starts_with("2 links 0 failed "), "{lines:?}");
    let (lines, _) = run(&["--progress", "-b", "http://a/", "--print-base", &page], Stdio::null());
    assert!(lines[0].contains("] 31 B/31 B "), "{lines:?}");
    let list = new_file("progress_list", format!("http://a/\t{page}\n").as_bytes());
    let (lines, _) = run(&["--progress", "--links", "--pairs", "-f", &list], Stdio::null());
    assert!(
        !lines[0].contains('%') && lines[1].starts_with("2 links 0 failed "),
        "the list's sizes are not known: {lines:?}"
    );
}

#[test]
fn without_a_size_there_are_numbers_without_a_bar() {
    let (screen, terminal) = open_terminal(WIDE);
    let mut child = spawn(&["--progress", "-b", "http://a/"], Stdio::piped(), Stdio::null(), terminal);
    child.stdin.take().unwrap().write_all(b"g\nh\n").unwrap();
    let lines = left(&read_screen(screen), WIDE);
    assert!(child.wait().unwrap().success());
    let [bytes, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert!(bytes.starts_with("4 B ") && bytes.ends_with("B/s"), "{bytes}");
    assert!(counts.starts_with("2 references 0 failed "), "{counts}");
}

#[test]
fn digits_are_grouped_and_no_word_is_cut_in_a_narrow_terminal() {
    let list = new_file("progress_narrow", "g\n^\n".repeat(700_000).as_bytes());
    let (lines, _) = run_in(50, &["--progress", "-c", "-b", "http://a/", "-f", &list], Stdio::null());
    let [summary @ .., bar, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert_eq!(summary.concat(), "absurl: 700000 violations in 700000 of 1400000 references");
    assert!(bar.starts_with("100% [==") && bar.contains("] 2.67 MiB/2.67 MiB ") && bar.ends_with("/s"), "{bar}");
    assert!(counts.starts_with("1,400,000 references 700,000 illegal "), "{counts}");
}

#[test]
fn messages_are_above_the_bar_in_lines_of_their_own() {
    // from one source after the other, so that they are many
    let lists = ["progress_failures_1", "progress_failures_2"].map(|name| new_file(name, "x:y\n".repeat(500) + "g\n"));
    let files: Vec<_> = lists.iter().flat_map(|list| ["-f", list.as_str()]).collect();
    let (lines, status) = run(&[&["--progress", "-b", "mailto:x"], &*files.repeat(500)].concat(), Stdio::null());
    assert_eq!(status, Some(1));
    let [messages @ .., bar, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert_eq!(messages.len(), 1000);
    for (message, list) in messages.iter().zip(lists.iter().cycle()) {
        assert!(message.starts_with(&format!("absurl: {list}:501: the base URL's scheme")), "{message}");
    }
    assert!(bar.starts_with("100% [=") && counts.starts_with("501,000 references 1,000 failed "), "{bar} {counts}");
    let (lines, status) = run(&["--progress", "-q", "-f", &lists[0]], Stdio::null());
    assert_eq!((lines.len(), status), (2, Some(1)));
}

#[test]
fn a_count_of_messages_is_above_the_bar() {
    let list = new_file("progress_count", "g\nx:y\n".repeat(100_000));
    let (lines, status) = run(&["--progress", "-f", &list], Stdio::null());
    assert_eq!(status, Some(1));
    let [messages @ .., more, bar, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert_eq!(messages.len(), 10);
    for (number, message) in messages.iter().enumerate() {
        assert!(message.starts_with(&format!("absurl: {list}:{}: relative URL", 2 * number + 1)), "{message}");
    }
    assert_eq!(*more, format!("absurl: {list}: 99990 more like these"));
    assert!(bar.starts_with("100% [=") && counts.starts_with("200,000 references 100,000 failed "), "{bar} {counts}");
}

#[test]
fn what_is_found_is_called_by_its_name() {
    let list = new_file("progress_found", b"^me\ng\n");
    let (lines, _) = run(&["--progress", "--check", "-b", "http://a/", "-f", &list], Stdio::null());
    let [summary, _, counts] = lines.as_slice() else { unreachable!("{lines:?}") };
    assert_eq!(summary, "absurl: 1 violation in 1 of 2 references");
    assert!(counts.starts_with("2 references 1 illegal "), "{lines:?}");
    {
        let list = new_file("progress_differs", b"~me\ng\n");
        let (lines, _) = run(&["--progress", "-q", "--compare", "-b", "http://a/", "-f", &list, ".."], Stdio::null());
        assert!(lines.concat().contains("3 references 1 differing "), "{lines:?}");
    }
}

#[test]
fn the_bar_stays_where_the_run_fails() {
    let (screen, other) = open_terminal(WIDE);
    let full = File::options().write(true).open("/dev/full");
    if let Ok(full) = full {
        let mut child = spawn(&["--progress", "-b", "http://a/", "g"], Stdio::null(), full, other);
        let lines = left(&read_screen(screen), WIDE);
        assert_eq!(child.wait().unwrap().code(), Some(2));
        let [message, bar, _] = lines.as_slice() else { unreachable!("{lines:?}") };
        assert!(message.starts_with("absurl: standard output: ") && bar == "0 B 0 B/s", "{lines:?}");
    }
    let (screen, terminal) = open_terminal(WIDE);
    let list = new_file("progress_closed", "g\n".repeat(1_000_000).as_bytes());
    let mut child = spawn(&["--progress", "-b", "http://a/", "-f", &list], Stdio::null(), Stdio::piped(), terminal);
    drop(child.stdout.take());
    let lines = left(&read_screen(screen), WIDE);
    assert!(child.wait().unwrap().success());
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn there_is_no_bar_where_nobody_sees_it_or_it_is_in_the_way() {
    let (screen, other) = open_terminal(WIDE);
    let output = other.try_clone().unwrap();
    let mut child = spawn(&["--progress", "-b", "http://a/", "g"], Stdio::null(), output, other);
    assert_eq!(read_screen(screen), "http://a/g\r\n");
    assert!(child.wait().unwrap().success());

    absurl(&["--progress", "-b", "http://a/", "g"]).gives("http://a/g\n", "", 0);

    let (screen, terminal) = open_terminal(WIDE);
    let dumb = absurl(&["--progress", "-b", "http://a/", "g"]).env("TERM", "dumb");
    let mut child = dumb.start(Stdio::null(), Stdio::null(), terminal);
    assert_eq!(read_screen(screen), "");
    assert!(child.wait().unwrap().success());
}
