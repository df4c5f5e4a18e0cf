//! What people do with absurl, a test for each: whole standard output, standard error and status.
//!
//! No test holds a timing. [`PATIENCE`] only turns waiting for ever into a failure.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    reason = "a test that cannot go on stops, and its name is its documentation"
)]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;

/// How long a test waits for an answer before it fails.
const PATIENCE: Duration = Duration::from_secs(100);

const BASE: &str = "http://a/b/c/d;p?q#f";

// ---------------------------------------------------------------- helpers

/// What shapes help and colours, and must not come from whoever runs the tests.
const ENVIRONMENT: [&str; 5] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"];

fn absurl(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!());
    for name in ENVIRONMENT {
        command.env_remove(name);
    }
    command.args(args).timeout(PATIENCE);
    command
}

/// Runs absurl and compares everything.
#[track_caller]
fn tells(args: &[&str], input: &[u8], output: impl Into<Vec<u8>>, messages: &str, status: i32) {
    let output: Vec<u8> = output.into();
    absurl(args).write_stdin(input).assert().stdout(output).stderr(messages.to_owned()).code(status);
}

/// absurl as a child to talk to.
fn spawn(args: &[&str], input: Stdio, output: Stdio, messages: Stdio) -> Child {
    let mut command = std::process::Command::new(cargo_bin!());
    for name in ENVIRONMENT {
        command.env_remove(name);
    }
    command.args(args).stdin(input).stdout(output).stderr(messages).spawn().unwrap()
}

/// A shell script that finds absurl as `absurl`, run in `directory`.
fn shell(script: &str, directory: &Path) -> Command {
    let mut command = Command::new("sh");
    for name in ENVIRONMENT {
        command.env_remove(name);
    }
    let mut path = cargo_bin!().parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.args(["-c", script]).env("PATH", path).current_dir(directory).timeout(PATIENCE);
    command
}

/// An empty directory for one test.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// A file for one test, as text for a command line.
fn file(test: &str, content: &[u8]) -> String {
    let path = directory(test).join("list");
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Says that a test, or what is left of it, is skipped: past the runner, which would swallow it.
fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Whether a tool is there; if not, says that the test is skipped.
fn has(tool: &str) -> bool {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|dir| dir.join(tool).exists());
    if !found {
        skip(&format!("{tool} is not on PATH"));
    }
    found
}

/// The lines of an output, as they come. Ends when the output does.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

/// Somebody who writes a line and reads its answer before the next, to the end.
fn talk(mut child: Child, mut input: impl Write) {
    let answers = lines(child.stdout.take().unwrap());
    // the last is no byte order mark: it is not at the start
    for (reference, answer) in [("g\n", "http://a/g"), ("\n", "http://a/b"), ("\u{FEFF}h\n", "http://a/\u{FEFF}h")] {
        input.write_all(reference.as_bytes()).unwrap();
        assert_eq!(answers.recv_timeout(PATIENCE).as_deref(), Ok(answer));
    }
    drop(input);
    assert!(answers.recv().is_err());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

// ---------------------------------------------------------------- records in, answers out

#[test]
fn references_are_arguments() {
    tells(&["-b", BASE, "../g", "", "g:h"], b"not read", "http://a/b/g\nhttp://a/b/c/d;p?q#f\ng:h\n", "", 0);
    tells(&["--base-url", BASE, "g"], b"", "http://a/b/c/g\n", "", 0);
}

#[test]
fn references_are_lines_of_standard_input() {
    tells(&["-b", BASE], b"../g\n\n#s\n", "http://a/b/g\nhttp://a/b/c/d;p?q#f\nhttp://a/b/c/d;p?q#s\n", "", 0);
}

#[test]
fn arguments_come_first_then_the_files_in_their_order() {
    let (one, two) = (file("order_1", b"1\n"), file("order_2", b"2"));
    let args = ["-f", &two, "A", "--file", "-", "-b", "x:", "-f", &one, "B"];
    tells(&args, b"in\n", "x:A\nx:B\nx:2\nx:in\nx:1\n", "", 0);
}

#[test]
fn two_hyphens_end_the_options() {
    tells(&["-b", "http://a/", "--", "-k", "--help"], b"", "http://a/-k\nhttp://a/--help\n", "", 0);
}

#[test]
fn an_empty_input_has_no_answers() {
    tells(&["-b", BASE], b"", "", "", 0);
    tells(&["-b", BASE, "-f", &file("empty", b"")], b"", "", "", 0);
    tells(&["-j", "-b", BASE], b"", "", "", 0);
    tells(&["-e", "-b", BASE], b"", "", "", 0);
    tells(&["-b", BASE, "-f", "/dev/null", "-f", &file("empty_2", b"g")], b"", "http://a/b/c/g\n", "", 0);
}

#[test]
fn a_closed_standard_input_is_an_empty_input() {
    shell("absurl -b http://a/ <&-", Path::new(".")).assert().stdout("").stderr("").code(0);
}

#[test]
fn the_last_line_may_lack_its_end() {
    tells(&["-b", "http://a/"], b"g\nh", "http://a/g\nhttp://a/h\n", "", 0);
}

#[test]
fn a_line_ends_at_lf_or_crlf_and_nothing_else_is_trimmed() {
    tells(&["-b", "x:/"], b"g\r\n\r\n h \t\nj\r\r\n", "x:/g\nx:/\nx:/ h \t\nx:/j\r\n", "", 0);
}

#[test]
fn a_cr_at_the_end_of_input_is_kept() {
    tells(&["-b", "x:/"], b"g\r", "x:/g\r\n", "", 0);
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_of_each_file_only() {
    let (one, two) = (file("bom_1", b"\xEF\xBB\xBF1\n\xEF\xBB\xBF1\n"), file("bom_2", b"\xEF\xBB\xBF"));
    tells(&["-b", "x:/", "-f", &one, "-f", &two, "-f", "-"], b"\xEF\xBB\xBFg\n", "x:/1\nx:/\u{FEFF}1\nx:/g\n", "", 0);
    tells(&["-b", "x:/", "\u{FEFF}g"], b"", "x:/\u{FEFF}g\n", "", 0);
    tells(&["-k", "-b", "x:/"], b"\xEF\xBB\xBFg\r\n", "g\tx:/g\n", "", 0);
}

#[test]
fn nul_bytes_and_invalid_utf8_pass_unchanged() {
    tells(&["-b", "http://a/"], b"\0g\0\n\xFF\xC3\n", b"http://a/\0g\0\nhttp://a/\xFF\xC3\n", "", 0);
}

#[test]
fn arguments_may_be_any_bytes() {
    let mut command = absurl(&["-b"]);
    command.args([OsStr::from_bytes(b"http://\xE9/\xFE"), OsStr::from_bytes(b"\xFF"), OsStr::from_bytes(b"")]);
    command.assert().stdout(&b"http://\xE9/\xFF\nhttp://\xE9/\xFE\n"[..]).stderr("").code(0);
}

#[test]
fn with_null_records_end_in_nul_in_and_out() {
    let input = b"\xEF\xBB\xBFg\0a\nb\r\n\0\0last";
    tells(&["-0", "-b", "x:/y"], input, b"x:/\xEF\xBB\xBFg\0x:/a\nb\r\n\0x:/y\0x:/last\0", "", 0);
    tells(&["--null", "-k", "-b", "x:/y", "a\r", "b"], b"", "a\r\tx:/a\r\0b\tx:/b\0", "", 0);
    tells(&["-0"], b"g:h\0\ng\n\0", "g:h\0\0", &no_base("-:2"), 1);
}

#[test]
fn with_null_json_and_explanations_still_have_lines() {
    absurl(&["-0", "-j"]).write_stdin("g:a\nb\0g:c").assert().stdout(predicate::function(|text: &str| {
        text.lines().count() == 2 && text.contains(r#""reference":"g:a\nb""#) && !text.contains('\0')
    }));
    absurl(&["-0", "-e"]).write_stdin("g:a\nb\0g:c").assert().stdout(
        predicate::str::ends_with("the answer is g:c\n")
            .and(predicate::str::contains("the answer is g:a\\x0Ab\n\nStep 1"))
            .and(predicate::str::contains("\0").not()),
    );
}

#[test]
fn keep_input_writes_the_record_and_a_tab_before_each_url() {
    tells(&["-k", "-b", "http://a/b"], b"g\r\n\n../h\n", "g\thttp://a/g\n\thttp://a/b\n../h\thttp://a/../h\n", "", 0);
    tells(&["--keep-input"], b"g:h\nx\n", "g:h\tg:h\nx\t\n", &no_base("-:2"), 1);
    tells(&["-k", "-p"], b"http://a/b\tg\n", "http://a/b\tg\thttp://a/g\n", "", 0);
}

#[test]
fn what_other_standards_answer_differently_is_answered_by_rfc_1808() {
    let answers = "http://a/../g\nhttp://a/./g\nhttp:g\n";
    tells(&["-b", "http://a/b/c/d", "../../../g", "/./g", "http:g"], b"", answers, "", 0);
}

// ---------------------------------------------------------------- pairs

#[test]
fn pairs_bring_their_own_base() {
    let input = b"http://a/b\tg\nhttp://a/b\t../h\nftp://c/\tg\ty\n\tx:y\nmailto:m\tx:y\nmailto:m\t\nx:/a\t\n";
    let output = "http://a/g\nhttp://a/../h\nftp://c/g\ty\nx:y\nx:y\nmailto:m\nx:/a\n";
    tells(&["-p"], input, output, "", 0);
    tells(&["--pairs", "http://a/b\tg"], b"", "http://a/g\n", "", 0);
    tells(&["-p", "-0"], b"http://a/b\tg\nh\0", "http://a/g\nh\0", "", 0);
}

#[test]
fn a_pair_that_fails_fails_alone() {
    let input = b"no tab\nhttp://a/b\tg\nb/c\tx:y\n\tg\n\t\nnews:n\tg\nhttp://a/b\th\n";
    let messages = "\
absurl: -:1: no TAB in the record; write BASE TAB REFERENCE
absurl: -:3: the base URL has no scheme (§2.2); write all of it, such as http://host/path
absurl: -:4: the reference has no scheme and its base is empty (§3.4); write the URL of its document before the TAB
absurl: -:5: the reference has no scheme and its base is empty (§3.4); write the URL of its document before the TAB
absurl: -:6: relative URLs are never used with the base's scheme (§2.3); write the reference with its scheme
";
    tells(&["-p"], input, "\nhttp://a/g\n\n\n\n\nhttp://a/h\n", messages, 1);
}

#[test]
fn a_base_does_not_outlive_its_record() {
    tells(&["-p"], b"http://a/b\tg\nno tab\n\tg\n", "http://a/g\n\n\n", &format!("{}{}", NO_TAB_2, no_base_pair(3)), 1);
}

const NO_TAB_2: &str = "absurl: -:2: no TAB in the record; write BASE TAB REFERENCE\n";

fn no_base_pair(line: u64) -> String {
    format!(
        "absurl: -:{line}: the reference has no scheme and its base is empty (§3.4); write the URL of its document before the TAB\n"
    )
}

// ---------------------------------------------------------------- failures

fn no_base(place: &str) -> String {
    format!(
        "absurl: {place}: the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base\n"
    )
}

#[test]
fn a_record_that_fails_gives_an_empty_record_and_a_message_that_tells_where() {
    tells(&[], b"g:h\nx\n\ng:i\n", "g:h\n\n\ng:i\n", &format!("{}{}", no_base("-:2"), no_base("-:3")), 1);
    tells(&["g:h", "x"], b"", "g:h\n\n", &no_base("argument 2"), 1);
    tells(&["-b", "", "x"], b"", "\n", &no_base("argument 1"), 1);
    let list = file("where", b"g:h\r\nx\r\n");
    tells(&["-f", &list, "y:"], b"", "y:\ng:h\n\n", &no_base(&format!("{list}:2")), 1);
    let unsuitable = "absurl: argument 2: relative URLs are never used with the base's scheme (§2.3); write the reference with its scheme\n";
    tells(&["-b", "mailto:m", "x:y", "g"], b"", "x:y\n\n", unsuitable, 1);
}

#[test]
fn quiet_says_nothing_of_records_but_the_status_stays() {
    tells(&["-q"], b"x\ng:h\n", "\ng:h\n", "", 1);
    let gone = "absurl: gone: no such file or directory; give a file that can be read\n";
    tells(&["--quiet", "-f", "gone", "x"], b"", "\n", gone, 2);
}

#[test]
fn fail_fast_writes_the_empty_record_and_stops() {
    tells(&["--fail-fast"], b"g:h\nx\ng:i\ny\n", "g:h\n\n", &no_base("-:2"), 1);
    tells(&["--fail-fast", "-q", "x", "g:h"], b"", "\n", "", 1);
    tells(&["--fail-fast", "-k", "x", "g:h"], b"", "x\t\n", &no_base("argument 1"), 1);
    tells(&["--fail-fast", "-p"], b"http://a/\tg\nx\nhttp://a/\tg\n", "http://a/g\n\n", NO_TAB_2, 1);
}

#[test]
fn an_unreadable_file_is_told_of_and_the_others_are_answered() {
    let list = file("other_files", b"g\n");
    let gone = "absurl: gone: no such file or directory; give a file that can be read\n";
    tells(&["-b", "x:", "-f", "gone", "-f", &list], b"", "x:g\n", gone, 2);
    tells(&["-b", "x:", "-f", &list, "-f", "gone"], b"", "x:g\n", gone, 2);
    let both = format!("{}{gone}", no_base("argument 1"));
    tells(&["-f", "gone", "x"], b"", "\n", &both, 2);
    // and a record that fails afterwards does not make that a 1
    tells(&["-f", "gone", "-f", "-"], b"x\n", "\n", &format!("{gone}{}", no_base("-:1")), 2);
}

#[test]
fn a_directory_is_no_file() {
    let message = "absurl: src: is a directory; give a file that can be read\n";
    tells(&["-b", "x:", "-f", "src", "-f", "-"], b"g\n", "x:g\n", message, 2);
}

#[test]
fn a_file_without_permission_is_told_of() {
    let list = file("permission", b"g\n");
    shell(&format!("chmod 0 '{list}'"), Path::new(".")).assert().success();
    if File::open(&list).is_ok() {
        return skip("root may read everything");
    }
    let message = format!("absurl: {list}: permission denied; give a file that can be read\n");
    tells(&["-b", "x:", "-f", &list, "h"], b"", "x:h\n", &message, 2);
}

#[test]
fn a_base_without_a_scheme_ends_the_run_before_anything_is_read() {
    let message = "absurl: --base: the base URL has no scheme (§2.2); write all of it, such as http://host/path\n";
    tells(&["--base", "x", "-f", "gone", "g:h"], b"", "", message, 2);
    tells(&["-b", "//a/b", "-q"], b"g\n", "", message, 2);
    // its input stays open and empty
    let (_kept, input) = UnixStream::pair().unwrap();
    let child = spawn(&["-b", "x"], OwnedFd::from(input).into(), Stdio::piped(), Stdio::piped());
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), &done.stdout[..], &done.stderr[..]), (Some(2), &b""[..], message.as_bytes()));
}

#[test]
fn wrong_usage_is_told_with_status_2() {
    let more = "\n\nFor more information, try '--help'.\n";
    for (args, what, usage) in [
        (&["-k", "-j"][..], "the argument '--keep-input' cannot be used with '--json'", "--keep-input [REFERENCE]..."),
        (&["-k", "-e"], "the argument '--keep-input' cannot be used with '--explain'", "--keep-input [REFERENCE]..."),
        (&["-p", "-b", "x:"], "the argument '--pairs' cannot be used with '--base <URL>'", "--pairs [REFERENCE]..."),
        (
            &["-f", "-", "-f", "-"],
            "standard input can be read only once, but --file - was given twice",
            "[OPTIONS] [REFERENCE]...",
        ),
        (
            &["--generate", "man", "x"],
            "the argument '--generate <KIND>' cannot be used with one or more of the other specified arguments",
            "[OPTIONS] [REFERENCE]...",
        ),
    ] {
        tells(args, b"", "", &format!("error: {what}\n\nUsage: absurl {usage}{more}"), 2);
    }
    let color =
        format!("error: invalid value 'red' for '--color <WHEN>'\n  [possible values: auto, always, never]{more}");
    tells(&["--color", "red"], b"", "", &color, 2);
}

// ---------------------------------------------------------------- outputs that fail

#[test]
fn a_closed_pipe_is_no_error() {
    let script = "yes g | { absurl -b http://a/; echo status $? >&2; } | head -n 1";
    shell(script, Path::new(".")).assert().stdout("http://a/g\n").stderr("status 0\n").code(0);
    let script = "yes g | { absurl -e -j -b http://a/; echo status $? >&2; } | head -c 1";
    shell(script, Path::new(".")).assert().stdout("{").stderr("status 0\n").code(0);
}

#[test]
fn a_closed_pipe_does_not_hide_that_a_record_failed() {
    let script = "{ echo x; yes g:h; } | { absurl; echo status $? >&2; } | head -n 1";
    let messages = format!("{}status 1\n", no_base("-:1"));
    shell(script, Path::new(".")).assert().stdout("\n").stderr(messages).code(0);
}

#[test]
fn a_full_disk_is_told_of() {
    if !Path::new("/dev/full").exists() {
        return skip("no /dev/full");
    }
    let message = "absurl: standard output: no space left on device; the answers from here on are lost\n";
    for args in ["-b http://a/ g", "-j -b http://a/ g", "-e -b http://a/ g", "--help", "-h", "-V", "--generate man"] {
        let script = format!("absurl {args} >/dev/full");
        shell(&script, Path::new(".")).assert().stdout("").stderr(message).code(2);
    }
    let script = "yes g | absurl -b http://a/ >/dev/full";
    shell(script, Path::new(".")).assert().stdout("").stderr(message).code(2);
    let both = format!("{}{message}", no_base("argument 1"));
    shell("absurl x >/dev/full", Path::new(".")).assert().stdout("").stderr(both).code(2);
}

#[test]
fn messages_that_cannot_be_written_change_nothing_else() {
    if !Path::new("/dev/full").exists() {
        return skip("no /dev/full");
    }
    for (args, output, status) in [
        ("x g:h", "\ng:h\n", 1),
        ("-f gone g:h", "g:h\n", 2),
        ("--wrong", "", 2),
        ("-b x", "", 2),
        ("x g:h 2>&-", "\ng:h\n", 1),
    ] {
        let script = format!("absurl 2>/dev/full {args}");
        shell(&script, Path::new(".")).assert().stdout(output).stderr("").code(status);
    }
    let script = "yes x | head -n 100000 | absurl 2>/dev/full | wc -l | tr -d ' '";
    shell(script, Path::new(".")).assert().stdout("100000\n").stderr("").code(0);
}

// ---------------------------------------------------------------- long lists, long lines, little memory

#[test]
fn a_line_may_have_100_million_bytes() {
    let mut input = vec![b'g'; 100_000_000];
    input.extend_from_slice(b"\nh\n");
    let done = absurl(&["-b", "http://a/"]).write_stdin(input).output().unwrap();
    assert_eq!((done.status.code(), done.stderr.len(), done.stdout.len()), (Some(0), 0, 9 + 100_000_000 + 12));
    let (first, rest) = done.stdout.split_at(9);
    let (long, last) = rest.split_at(100_000_000);
    assert_eq!((first, last), (&b"http://a/"[..], &b"\nhttp://a/h\n"[..]));
    assert!(long.iter().all(|&byte| byte == b'g'));
}

#[test]
fn ten_million_empty_lines_have_ten_million_answers() {
    let mut child = spawn(&["-b", "x:"], Stdio::piped(), Stdio::piped(), Stdio::null());
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || (0..10_000).try_for_each(|_| input.write_all(&[b'\n'; 1000])));
    let mut answers = BufReader::with_capacity(30_000, child.stdout.take().unwrap());
    let mut bytes = 0;
    loop {
        let block = answers.fill_buf().unwrap();
        let length = block.len();
        if length == 0 {
            break;
        }
        let expected = b"x:\n".iter().cycle().skip(bytes % 3);
        assert!(block.iter().zip(expected).all(|(one, other)| one == other));
        bytes += length;
        answers.consume(length);
    }
    assert_eq!(bytes, 30_000_000);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(writer.join().unwrap().is_ok());
}

/// The most memory that a child has had so far, in KiB.
#[cfg(target_os = "linux")]
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_list() {
    // (arguments, a record, how often it comes)
    for (args, record, times) in [
        (&["-b", BASE][..], "../some/path?query#fragment\n", 2_000_000),
        (&["-k", "-b", BASE], "../g\n", 500_000),
        (&["-p"], "http://a/b/c/d\t../g\n", 500_000),
        (&["-j", "-b", BASE], "../g\n", 100_000),
        (&["-e", "-b", BASE], "../g\n", 50_000),
        (&["-e", "-j", "-b", BASE], "../g\n", 50_000),
        (&[], "fails\n", 500_000),
    ] {
        let mut child = spawn(args, Stdio::piped(), Stdio::piped(), Stdio::null());
        let mut input = child.stdin.take().unwrap();
        let mut answers = child.stdout.take().unwrap();
        // once the answer to a run's mark is there, all of the run has been read
        let mut run = |mark: &str, times: usize| {
            let records = format!("{}{mark}:\t{mark}:end\n", record.repeat(times));
            let mark = format!("{mark}:end");
            let (mut tail, mut block) = (Vec::new(), vec![0; 1 << 16]);
            thread::scope(|scope| {
                scope.spawn(|| input.write_all(records.as_bytes()).unwrap());
                while !tail.windows(mark.len()).any(|window| window == mark.as_bytes()) {
                    let length = answers.read(&mut block).unwrap();
                    assert!(length > 0, "{args:?} ended early");
                    tail.drain(..tail.len().saturating_sub(mark.len()));
                    tail.extend_from_slice(&block[..length]);
                }
            });
        };
        run("first", 30_000);
        let before = peak(&child);
        run("second", times);
        let after = peak(&child);
        drop(input);
        let _ = child.wait();
        assert!(after < 16 * 1024, "{args:?}: {after} KiB");
        assert!(after <= before + 1024, "{args:?}: {before} KiB, then {after} KiB");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_memory_for_a_record_is_a_message_and_other_files_are_answered() {
    let list = file("no_memory", b"h\n");
    let script = "ulimit -v 200000; head -c 150000000 /dev/zero | tr '\\0' g | absurl -b http://a/ -f - -f ";
    let message = "absurl: -:1: no memory for so long a record; split the record, or give more memory\n";
    shell(&format!("{script}{list}"), Path::new(".")).assert().stdout("\nhttp://a/h\n").stderr(message).code(2);
    let script =
        "ulimit -v 100000; { echo f; head -c 90000000 /dev/zero | tr '\\0' g; echo; echo h; } | absurl -b http://a/ ";
    let message = "absurl: -:2: no memory for so long a record; split the record, or give more memory\n";
    shell(script, Path::new(".")).assert().stdout("http://a/f\n\nhttp://a/h\n").stderr(message).code(2);
    shell(&format!("{script} --fail-fast"), Path::new(".")).assert().stdout("http://a/f\n\n").stderr(message).code(2);
}

#[test]
#[cfg(target_os = "linux")]
fn no_memory_for_an_answer_is_a_message_after_the_answers_before_it() {
    // a record that can be read; 10 MB of bytes that take much room when they are shown
    for (args, length, byte) in [
        ("", 100_000_000, "g"),
        ("-k", 100_000_000, "g"),
        ("-j", 100_000_000, "g"),
        ("-e", 100_000_000, "g"),
        ("-e -j", 100_000_000, "g"),
        ("-e", 10_000_000, "\\377"),
        ("-e -j", 10_000_000, "\\377"),
    ] {
        let script = format!(
            "ulimit -v 200000; {{ echo x:y; head -c {length} /dev/zero | tr '\\0' '{byte}'; }} | absurl -b http://a/ {args}"
        );
        let message = "absurl: -:2: no memory for the answer; split the record, or give more memory\n";
        let first = predicate::str::contains("x:y").and(predicate::str::contains("ggg").not());
        let whole = predicate::str::ends_with("\n");
        shell(&script, Path::new(".")).assert().stdout(first.and(whole)).stderr(message).code(2);
    }
}

// ---------------------------------------------------------------- a conversation

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    let mut child = spawn(&["-b", "http://a/b"], Stdio::piped(), Stdio::piped(), Stdio::null());
    let input = child.stdin.take().unwrap();
    talk(child, input);
}

#[test]
fn a_line_of_a_named_pipe_is_answered_before_the_next_is_written() {
    let directory = directory("named_pipe");
    shell("mkfifo pipe", &directory).assert().success();
    let pipe = directory.join("pipe");
    let args = ["-b", "http://a/b", "-f", pipe.to_str().unwrap()];
    let child = spawn(&args, Stdio::null(), Stdio::piped(), Stdio::null());
    talk(child, File::options().write(true).open(&pipe).unwrap());
}

#[test]
fn a_line_of_a_non_blocking_input_is_answered_before_the_next_is_written() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let input = OwnedFd::from(theirs).into();
    talk(spawn(&["-b", "http://a/b"], input, Stdio::piped(), Stdio::null()), ours);
}

#[test]
#[cfg(target_os = "linux")] // where a socket takes so much before it is read
fn an_answer_does_not_wait_for_the_rest_of_the_next_line() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    // as much as is read at once, and one byte of the next line
    ours.write_all(&b"g\n".repeat(64 * 1024)).unwrap();
    ours.write_all(b"h").unwrap();
    let input = OwnedFd::from(theirs).into();
    let mut child = spawn(&["-b", "http://a/"], input, Stdio::piped(), Stdio::null());
    let answers = lines(child.stdout.take().unwrap());
    for _ in 0..64 * 1024 {
        assert_eq!(answers.recv_timeout(PATIENCE).as_deref(), Ok("http://a/g"));
    }
    ours.write_all(b"2\n").unwrap();
    assert_eq!(answers.recv_timeout(PATIENCE).as_deref(), Ok("http://a/h2"));
    drop(ours);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_message_does_not_wait_for_the_end_of_input() {
    let mut child = spawn(&[], Stdio::piped(), Stdio::null(), Stdio::piped());
    let messages = lines(child.stderr.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for number in 1..=2 {
        input.write_all(b"x\n").unwrap();
        let message = messages.recv_timeout(PATIENCE).unwrap();
        assert_eq!(message + "\n", no_base(&format!("-:{number}")));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_non_blocking_output_gets_all_answers() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let list = file("non_blocking", "g\n".repeat(500_000).as_bytes());
    let output = OwnedFd::from(theirs).into();
    let mut child = spawn(&["-b", "x:", "-f", &list], Stdio::null(), output, Stdio::null());
    let mut answers = Vec::new();
    ours.read_to_end(&mut answers).unwrap();
    assert!(answers == "x:g\n".repeat(500_000).as_bytes());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

// ---------------------------------------------------------------- JSON and explanations

#[test]
fn json_has_an_object_for_each_record_failures_included() {
    let output = r#"{"source":"argument","record":1,"reference":"../g","base":"http://a/b/c/d;p?q#f","url":"http://a/b/g","components":{"scheme":"http","net_loc":"a","path":"/b/g","params":"","query":"","fragment":""},"inherited":["scheme","net_loc"],"step":"6"}
"#;
    tells(&["-j", "-b", BASE, "../g"], b"", output, "", 0);
    let output = r#"{"source":"-","record":1,"reference":"x:y","base":null,"url":"x:y","components":{"scheme":"x","net_loc":null,"path":"y","params":"","query":"","fragment":""},"inherited":[],"step":"1"}
{"source":"-","record":2,"reference":"g","base":null,"error":{"code":"no-base","message":"the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base"}}
"#;
    tells(&["--json"], b"x:y\ng\n", output, &no_base("-:2"), 1);
    tells(&["--json", "--quiet"], b"x:y\ng\n", output, "", 1);
    let output = r#"{"source":"-","record":1,"reference":"no tab","base":null,"error":{"code":"no-tab","message":"no TAB in the record; write BASE TAB REFERENCE"}}
{"source":"-","record":2,"reference":"g","base":"b","error":{"code":"base-without-scheme","message":"the base URL has no scheme (§2.2); write all of it, such as http://host/path"}}
{"source":"-","record":3,"reference":"g","base":"news:n","error":{"code":"unsuitable-base","message":"relative URLs are never used with the base's scheme (§2.3); write the reference with its scheme"}}
"#;
    tells(&["-jpq"], b"no tab\nb\tg\nnews:n\tg\n", output, "", 1);
}

#[test]
fn json_carries_bytes_that_are_not_utf8_as_base64() {
    let output = "{\"source\":\"-\",\"record\":1,\"reference\":\"\u{FFFD}\\u001b\",\"base\":\"x:\",\"url\":\"x:\u{FFFD}\\u001b\",\"components\":{\"scheme\":\"x\",\"net_loc\":null,\"path\":\"\u{FFFD}\\u001b\",\"params\":\"\",\"query\":\"\",\"fragment\":\"\"},\"inherited\":[\"scheme\",\"net_loc\"],\"step\":\"6\",\"reference_base64\":\"/xs=\",\"url_base64\":\"eDr/Gw==\"}\n";
    tells(&["-j", "-b", "x:"], b"\xFF\x1B\n", output, "", 0);
}

#[test]
fn explain_tells_every_step() {
    let output = r#"Step 1  the base URL is http://a/b/c/d;p?q#f (§3.3, --base)
Step 2  both are parsed (§2.4)
                     base      reference
          scheme     http      -
          net_loc    a         -
          path       /b/c/d    ../g
          params     p         x
          query      q         y
          fragment   f         s
     2a   the reference is not empty
     2b   it does not start with a scheme
     2c   scheme inherited: http
Step 3  its net_loc is empty; net_loc inherited: a
Step 4  its path does not start with "/"
Step 5  its path is not empty
Step 6  the base path without its last segment "d", then the reference path: /b/c/../g
     6a   no "./"
     6b   no "." at the end
     6c   "c/../" removed: /b/g
     6d   no "<segment>/.." at the end
Step 7  recombined: http://a/b/g;x?y#s
"#;
    tells(&["-e", "-b", BASE, "../g;x?y#s"], b"", output, "", 0);
    tells(&["--explain", "-b", BASE], b"../g;x?y#s\n", output, "", 0);
}

#[test]
fn explanations_are_parted_by_an_empty_line_and_end_in_the_answer_or_the_error() {
    let output = "\
Step 1  there is no base URL (§3.4), so the reference is interpreted as an absolute URL
          it has a scheme, and we are done
Step 2  skipped by 1
     2a   skipped by 1
     2b   skipped by 1
     2c   skipped by 1
Step 3  skipped by 1
Step 4  skipped by 1
Step 5  skipped by 1
Step 6  skipped by 1
Step 7  skipped by 1: the answer is g:h

Step 1  there is no base URL (§3.4), so the reference is interpreted as an absolute URL
          error: the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base
";
    tells(&["-e"], b"g:h\nx\n", output, &no_base("-:2"), 1);
}

#[test]
fn explain_with_json_has_the_steps_as_an_array() {
    let output = r#"{"source":"argument","record":1,"reference":"../g","base":"http://a/b/c","url":"http://a/g","components":{"scheme":"http","net_loc":"a","path":"/g","params":"","query":"","fragment":""},"inherited":["scheme","net_loc"],"step":"6","steps":[{"step":"1","text":"the base URL is http://a/b/c (§3.3, --base)"},{"step":"2","text":"both are parsed (§2.4)"},{"step":"2","text":"           base    reference"},{"step":"2","text":"scheme     http    -"},{"step":"2","text":"net_loc    a       -"},{"step":"2","text":"path       /b/c    ../g"},{"step":"2","text":"params     -       -"},{"step":"2","text":"query      -       -"},{"step":"2","text":"fragment   -       -"},{"step":"2a","text":"the reference is not empty"},{"step":"2b","text":"it does not start with a scheme"},{"step":"2c","text":"scheme inherited: http"},{"step":"3","text":"its net_loc is empty; net_loc inherited: a"},{"step":"4","text":"its path does not start with \"/\""},{"step":"5","text":"its path is not empty"},{"step":"6","text":"the base path without its last segment \"c\", then the reference path: /b/../g"},{"step":"6a","text":"no \"./\""},{"step":"6b","text":"no \".\" at the end"},{"step":"6c","text":"\"b/../\" removed: /g","removed":"b/../"},{"step":"6d","text":"no \"<segment>/..\" at the end"},{"step":"7","text":"recombined: http://a/g"}]}
"#;
    tells(&["-e", "-j", "-b", "http://a/b/c", "../g"], b"", output, "", 0);
    tells(&["-ej", "--color", "always", "-b", "http://a/b/c", "../g"], b"", output, "", 0);
}

// ---------------------------------------------------------------- control bytes and colours

/// Whether nothing in there can move a terminal's cursor but LF.
fn is_harmless(text: &str) -> bool {
    !text.chars().any(|character| character.is_control() && character != '\n')
}

#[test]
fn control_bytes_are_never_shown_raw() {
    // all of them, in every component of the reference, but LF, which ends the record
    let bad: Vec<u8> = (0..=255).filter(|byte| !(0x20..0x7F).contains(byte) && *byte != b'\n').collect();
    let reference = [b"//", &bad[..], b"/", &bad, b"/../", &bad, b";", &bad, b"?", &bad, b"#", &bad].concat();
    let shown = bad.iter().fold(String::new(), |shown, byte| shown + &format!("\\x{byte:02X}"));
    for reference in [&reference[..], &reference[2..], &bad[..]] {
        for args in [&["-e", "-b", "http://a/"][..], &["-e"], &["-e", "-p"]] {
            let done = absurl(args).write_stdin(reference).output().unwrap();
            let (output, messages) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
            assert!(is_harmless(&output) && is_harmless(&messages), "{args:?}");
            assert_eq!(output.contains(&shown), args.contains(&"-b"), "{args:?}");
        }
    }
    let pair = [b"x:", &bad[..8], b"\t", &bad, b"\n", &bad, b"\tg"].concat();
    let done = absurl(&["-e", "-p"]).write_stdin(pair).output().unwrap();
    assert!(is_harmless(&String::from_utf8(done.stdout).unwrap()));
}

#[test]
fn control_bytes_of_file_names_are_shown_as_numbers() {
    let directory = directory("names");
    fs::write(directory.join("\x1B[31m\nabsurl: forged"), "x\n").unwrap();
    let shown = "\\x1B[31m\\x0Aabsurl: forged";
    let message = format!("absurl: no{shown}: no such file or directory; give a file that can be read\n");
    let mut command = absurl(&["-f", "\x1B[31m\nabsurl: forged", "-f", "no\x1B[31m\nabsurl: forged"]);
    let messages = format!("{}{message}", no_base(&format!("{shown}:1")));
    command.current_dir(&directory).assert().stdout("\n").stderr(messages).code(2);
}

#[test]
fn control_bytes_of_wrong_arguments_are_shown_as_numbers() {
    let wrong = OsStr::from_bytes(b"--\x1B[31m\xFF\nabsurl: forged");
    let shown = "--\\x1B[31m\\xFF\\x0Aabsurl: forged";
    let messages = format!(
        "error: unexpected argument '{shown}' found\n\n  tip: to pass '{shown}' as a value, use '-- {shown}'\n\nUsage: absurl [OPTIONS] [REFERENCE]...\n\nFor more information, try '--help'.\n"
    );
    absurl(&[]).arg(wrong).assert().stdout("").stderr(messages).code(2);
    let messages = "error: invalid value '\\x1B\\xFF' for '--color <WHEN>'\n  [possible values: auto, always, never]\n\nFor more information, try '--help'.\n";
    absurl(&["--color"]).arg(OsStr::from_bytes(b"\x1B\xFF")).assert().stdout("").stderr(messages).code(2);
}

#[test]
fn colours_mark_what_came_from_where_and_change_no_text() {
    let plain = absurl(&["-e", "-b", BASE, "../g", "", "?y"]).output().unwrap().stdout;
    for args in [&["-e", "--color", "never"][..], &["-e", "--color=auto"]] {
        absurl(args).args(["-b", BASE, "../g", "", "?y"]).assert().stdout(plain.clone()).stderr("").code(0);
    }
    let colored = absurl(&["-e", "--color", "always", "-b", BASE, "../g", "", "?y"]).output().unwrap().stdout;
    let colored = String::from_utf8(colored).unwrap();
    assert!(colored.contains("Step 7  recombined: \x1B[36mhttp://a/b/\x1B[0m\x1B[32mg\x1B[0m\n"), "{colored}");
    let stripped = ["\x1B[36m", "\x1B[32m", "\x1B[0m"].iter().fold(colored, |text, code| text.replace(code, ""));
    assert_eq!(stripped.into_bytes(), plain);
}

#[test]
fn no_color_counts_where_colours_are_automatic() {
    let colored = || predicate::str::contains("\x1B[");
    let args = ["-e", "-b", BASE, "../g"];
    absurl(&args).env("CLICOLOR_FORCE", "1").assert().stdout(colored()).code(0);
    absurl(&args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").assert().stdout(colored().not()).code(0);
    absurl(&args).env("NO_COLOR", "1").args(["--color", "always"]).assert().stdout(colored()).code(0);
    absurl(&args).env("CLICOLOR_FORCE", "1").args(["--color", "never"]).assert().stdout(colored().not()).code(0);
    if cfg!(target_os = "linux") && has("script") {
        let script = "TERM=xterm script -qec \"absurl -e -b http://a/b g\" /dev/null </dev/null";
        shell(script, Path::new(".")).assert().stdout(colored()).code(0);
        shell(script, Path::new(".")).env("NO_COLOR", "1").assert().stdout(colored().not()).code(0);
    }
}

#[test]
fn plain_answers_and_json_have_no_colours() {
    tells(&["--color", "always", "-b", "x:", "g"], b"", "x:g\n", "", 0);
}

// ---------------------------------------------------------------- help and what is generated

fn output(args: &[&str]) -> String {
    let done = absurl(args).output().unwrap();
    assert_eq!((done.status.code(), &done.stderr[..]), (Some(0), &b""[..]));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn short_help_has_a_line_for_each_flag_and_fits_80_columns() {
    let help = output(&["-h"]);
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    let flags = help.lines().filter(|line| line.starts_with("  ")).count();
    let described = help.lines().filter(|line| line.trim_start().starts_with(['-', '['])).count();
    assert_eq!(flags, described, "{help}");
    assert!(flags >= 14, "{help}");
    assert!(!help.contains("possible values") && !help.contains("complete-bash") && !help.contains("never"), "{help}");
}

#[test]
fn long_help_lists_what_flags_take() {
    let help = output(&["--help"]);
    for value in ["auto", "always", "never", "man", "complete-bash", "complete-zsh", "complete-fish"] {
        assert!(help.contains(value), "{value}");
    }
    for section in ["Examples:", "Exit status:", "complete-powershell", "complete-elvish"] {
        assert!(help.contains(section), "{section}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn the_first_screen_of_long_help_says_that_the_default_is_rfc_1808_not_what_browsers_do() {
    let help = absurl(&["--help"]).env("COLUMNS", "80").output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let screen: Vec<_> = help.lines().take(24).collect();
    let screen = screen.join("\n");
    for text in [
        "The default is the letter of RFC 1808, not what browsers do.",
        "  ../../../g   http://a/../g   (browsers: http://a/g)",
        "  /./g         http://a/./g    (browsers: http://a/g)",
    ] {
        assert!(screen.contains(text), "{screen}");
    }
    tells(&["-b", "http://a/b/c/d", "../../../g", "/./g"], b"", "http://a/../g\nhttp://a/./g\n", "", 0);
}

#[test]
fn the_version_is_that_of_the_package() {
    tells(&["-V"], b"", concat!("absurl ", env!("CARGO_PKG_VERSION"), "\n"), "", 0);
    tells(&["--version"], b"", concat!("absurl ", env!("CARGO_PKG_VERSION"), "\n"), "", 0);
}

#[test]
fn man_page_and_completions_are_those_of_the_flags() {
    for (kind, path) in [
        ("man", "man/absurl.1"),
        ("complete-bash", "completions/absurl.bash"),
        ("complete-zsh", "completions/_absurl"),
        ("complete-fish", "completions/absurl.fish"),
        ("complete-powershell", "completions/_absurl.ps1"),
        ("complete-elvish", "completions/absurl.elv"),
    ] {
        let kept = fs::read_to_string(path).unwrap_or_default();
        let remedy = format!("{path} is out of date; renew it: cargo run -- --generate {kind} >{path}");
        assert!(kept == output(&["--generate", kind]), "{remedy}");
    }
}

#[test]
fn the_man_page_is_clean() {
    let page = fs::read_to_string("man/absurl.1").unwrap();
    for section in ["EXIT STATUS", "EXAMPLES", "READINGS", "STANDARDS", "SEE ALSO"] {
        assert!(page.contains(&format!(".SH {section}")) || page.contains(&format!(".SH \"{section}\"")), "{section}");
    }
    if has("mandoc") {
        let script = "mandoc -T lint -W warning man/absurl.1";
        shell(script, Path::new(".")).assert().stdout("").stderr("").code(0);
    }
}

#[test]
fn the_examples_of_help_and_man_page_work() {
    let directory = directory("examples");
    fs::write(directory.join("references.txt"), "../g\n").unwrap();
    fs::write(directory.join("base-tab-reference.tsv"), "http://a/b\tg\n").unwrap();
    fs::write(directory.join("page.html"), "<a href=../g>").unwrap();
    fs::write(directory.join("mail.eml"), "Base: <URL:http://a/b>\n").unwrap();
    let help = output(&["--help"]);
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let examples: Vec<_> =
        examples.into_iter().filter(|line| line.contains("absurl ") && !line.starts_with(' ')).collect();
    assert!(examples.len() >= 8, "{examples:?}");
    for example in examples {
        if !example.contains("jq") || has("jq") {
            let counts = if example.contains("--compare") { "absurl: 0 of 1 record differs\n" } else { "" };
            shell(example, &directory).assert().stderr(counts).code(0);
        }
    }
}

#[test]
fn bash_completes_flags_and_values() {
    if has("bash") {
        let script = r#"bash --norc -c '
            source completions/absurl.bash
            COMP_WORDS=(absurl --ex); COMP_CWORD=1; _absurl absurl --ex absurl; echo "${COMPREPLY[@]}"
            COMP_WORDS=(absurl --color a); COMP_CWORD=2; _absurl absurl a --color; echo "${COMPREPLY[@]}"'"#;
        shell(script, Path::new(".")).assert().stdout("--explain\nauto always\n").stderr("").code(0);
    }
}

#[test]
fn zsh_loads_its_completion() {
    if has("zsh") {
        // _arguments would need a terminal: see what it is given
        let script = "zsh -n completions/_absurl && zsh -f -c '
            fpath=($PWD/completions $fpath); autoload -U compinit; compinit -u -D; echo $_comps[absurl]
            _arguments() { print -l -- $@ }; _absurl' | grep -e '^_absurl$' -e '^--explain'";
        let given = "_absurl\n--explain[Tell every step of RFC 1808 section 4]\n";
        shell(script, Path::new(".")).assert().stdout(given).stderr("").code(0);
    }
}

#[test]
fn fish_completes_flags() {
    if has("fish") {
        let script = "HOME=$PWD fish --no-config -c 'source completions/absurl.fish; complete -C \"absurl --exp\"'";
        let flag = "--explain\tTell every step of RFC 1808 section 4\n";
        shell(script, Path::new(".")).assert().stdout(flag).code(0);
    }
}

#[test]
fn powershell_loads_its_completion() {
    if has("pwsh") {
        let script = "pwsh -NoProfile -Command '. ./completions/_absurl.ps1'";
        shell(script, Path::new(".")).assert().stdout("").stderr("").code(0);
    }
}

// ---------------------------------------------------------------- the README

#[test]
fn the_readme_has_the_help_of_the_flags() {
    let block = format!("```text\n{}```\n", output(&["-h"]));
    let readme = fs::read_to_string("README.md").unwrap();
    assert!(readme.contains(&block), "README.md's help block is out of date; put in what absurl -h prints:\n{block}");
}

#[test]
fn the_readme_has_the_two_commands() {
    let readme = fs::read_to_string("README.md").unwrap();
    for command in ["cargo install --path . --locked && absurl -b http://a/b/c/d ../g", "cargo test --locked"] {
        assert!(readme.lines().any(|line| line == command), "{command}");
    }
}

#[test]
fn what_the_readme_shows_is_what_happens() {
    let directory = directory("readme");
    let readme = fs::read_to_string("README.md").unwrap();
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, output) = example.split_once('\n').unwrap_or((example, ""));
            if command.contains("jq ") && !has("jq") {
                continue;
            }
            let done = shell(&format!("{{ {command}\n}} 2>&1"), &directory).output().unwrap();
            let said = String::from_utf8(done.stdout).unwrap();
            assert_eq!(said.trim_end(), output.trim_end(), "{command}");
            commands += 1;
        }
    }
    assert!(commands > 8);
}
