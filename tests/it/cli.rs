//! What people do with absurl, a test for each: all of standard output and standard error, and the status.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::ffi::OsStrExt, unix::net::UnixStream};
use std::process::Stdio;

use predicates::prelude::*;

use crate::harness::{Run, Running, absurl, all, new_directory, new_file, shell};
#[cfg(unix)]
use crate::progress::open_terminal;
use crate::resolve::BASE;

// ---------------------------------------------------------------- records in, answers out

#[test]
fn references_are_arguments() {
    absurl(&["-b", BASE, "../g", "", "g:h"]).input(b"not read").gives(
        "http://a/b/g\nhttp://a/b/c/d;p?q#f\ng:h\n",
        "",
        0,
    );
    absurl(&["--base-url", BASE, "g"]).gives("http://a/b/c/g\n", "", 0);
}

#[test]
fn references_are_lines_of_standard_input() {
    absurl(&["-b", BASE]).input(b"../g\n\n#s\n").gives(
        "http://a/b/g\nhttp://a/b/c/d;p?q#f\nhttp://a/b/c/d;p?q#s\n",
        "",
        0,
    );
}

#[test]
fn arguments_come_first_then_the_files_in_their_order() {
    let (one, two) = (new_file("order_1", b"1\n"), new_file("order_2", b"2"));
    let args = ["-f", &two, "A", "--file", "-", "-b", "x:", "-f", &one, "B"];
    absurl(&args).input(b"in\n").gives("x:A\nx:B\nx:2\nx:in\nx:1\n", "", 0);
}

#[test]
fn two_hyphens_end_the_options() {
    absurl(&["-b", "http://a/", "--", "-k", "--help"]).gives("http://a/-k\nhttp://a/--help\n", "", 0);
}

#[cfg(unix)]
#[test]
fn an_empty_input_has_no_answers() {
    absurl(&["-b", BASE]).gives("", "", 0);
    absurl(&["-b", BASE, "-f", &new_file("empty", b"")]).gives("", "", 0);
    absurl(&["-j", "-b", BASE]).gives("", "", 0);
    absurl(&["-e", "-b", BASE]).gives("", "", 0);
    absurl(&["-b", BASE, "-f", "/dev/null", "-f", &new_file("empty_2", b"g")]).gives("http://a/b/c/g\n", "", 0);
}

#[test]
fn the_last_line_may_lack_its_end() {
    absurl(&["-b", "http://a/"]).input(b"g\nh").gives("http://a/g\nhttp://a/h\n", "", 0);
}

#[test]
fn a_line_ends_at_lf_or_crlf_and_nothing_else_is_trimmed() {
    absurl(&["-b", "x:/"]).input(b"g\r\n\r\n h \t\nj\r\r\n").gives("x:/g\nx:/\nx:/ h \t\nx:/j\r\n", "", 0);
}

#[test]
fn a_cr_at_the_end_of_input_is_kept() {
    absurl(&["-b", "x:/"]).input(b"g\r").gives("x:/g\r\n", "", 0);
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_of_each_file_only() {
    let (one, two) = (new_file("bom_1", b"\xEF\xBB\xBF1\n\xEF\xBB\xBF1\n"), new_file("bom_2", b"\xEF\xBB\xBF"));
    absurl(&["-b", "x:/", "-f", &one, "-f", &two, "-f", "-"]).input(b"\xEF\xBB\xBFg\n").gives(
        "x:/1\nx:/\u{FEFF}1\nx:/g\n",
        "",
        0,
    );
    absurl(&["-b", "x:/", "\u{FEFF}g"]).gives("x:/\u{FEFF}g\n", "", 0);
    absurl(&["-k", "-b", "x:/"]).input(b"\xEF\xBB\xBFg\r\n").gives("g\tx:/g\n", "", 0);
}

#[test]
fn nul_bytes_and_invalid_utf8_pass_unchanged() {
    let past = [&b"x:"[..], &[b'y'; 512], b"\n"].concat();
    let records = [&past, &b"\0g\0\n\xFF\xC3\n"[..]].concat();
    let answers = [&past, &b"http://a/\0g\0\nhttp://a/\xFF\xC3\n"[..]].concat();
    absurl(&["-b", "http://a/"]).input(records).gives(answers, "", 0);
}

#[cfg(unix)]
#[test]
fn arguments_may_be_any_bytes() {
    let arguments: [&[u8]; 3] = [b"http://\xE9/\xFE", b"\xFF", b""];
    let run = arguments.into_iter().map(OsStr::from_bytes).fold(absurl(&["-b"]), Run::argument);
    run.gives(&b"http://\xE9/\xFF\nhttp://\xE9/\xFE\n"[..], "", 0);
}

#[test]
fn with_null_records_end_in_nul_in_and_out() {
    let input = b"\xEF\xBB\xBFg\0a\nb\r\n\0\0last";
    absurl(&["-0", "-b", "x:/y"]).input(input).gives(&b"x:/\xEF\xBB\xBFg\0x:/a\nb\r\n\0x:/y\0x:/last\0"[..], "", 0);
    absurl(&["--null", "-k", "-b", "x:/y", "a\r", "b"]).gives("a\r\tx:/a\r\0b\tx:/b\0", "", 0);
    absurl(&["-0"]).input(b"g:h\0\ng\n\0").gives("g:h\0\0", no_base("-:2"), 1);
}

#[test]
fn with_null_json_and_explanations_still_have_lines() {
    let objects = predicate::function(|text: &str| {
        text.lines().count() == 2 && text.contains(r#""reference":"g:a\nb""#) && !text.contains('\0')
    });
    absurl(&["-0", "-j"]).input("g:a\nb\0g:c").gives(objects, "", 0);
    let explanations = predicate::str::ends_with("the answer is g:c\n")
        .and(predicate::str::contains("the answer is g:a\\x0Ab\n\n-:2: g:c\n"))
        .and(predicate::str::contains("\0").not());
    absurl(&["-0", "-e"]).input("g:a\nb\0g:c").gives(explanations, "", 0);
}

#[test]
fn keep_input_writes_the_record_and_a_tab_before_each_url() {
    absurl(&["-k", "-b", "http://a/b"]).input(b"g\r\n\n../h\n").gives(
        "g\thttp://a/g\n\thttp://a/b\n../h\thttp://a/../h\n",
        "",
        0,
    );
    absurl(&["--keep-input"]).input(b"g:h\nx\n").gives("g:h\tg:h\nx\t\n", no_base("-:2"), 1);
    absurl(&["-k", "-p"]).input(b"http://a/b\tg\n").gives("http://a/b\tg\thttp://a/g\n", "", 0);
}

#[test]
fn what_other_standards_answer_differently_is_answered_by_rfc_1808() {
    let answers = "http://a/../g\nhttp://a/./g\nhttp:g\n";
    absurl(&["-b", "http://a/b/c/d", "../../../g", "/./g", "http:g"]).gives(answers, "", 0);
}

// ---------------------------------------------------------------- pairs

#[test]
fn pairs_bring_their_own_base() {
    let input = b"http://a/b\tg\nhttp://a/b\t../h\nftp://c/\tg\ty\n\tx:y\nmailto:m\tx:y\nmailto:m\t\nx:/a\t\n";
    let output = "http://a/g\nhttp://a/../h\nftp://c/g\ty\nx:y\nx:y\nmailto:m\nx:/a\n";
    absurl(&["-p"]).input(input).gives(output, "", 0);
    absurl(&["--pairs", "http://a/b\tg"]).gives("http://a/g\n", "", 0);
    absurl(&["-p", "-0"]).input(b"http://a/b\tg\nh\0").gives("http://a/g\nh\0", "", 0);
}

#[test]
fn a_pair_that_fails_fails_alone() {
    let input = b"no tab\nhttp://a/b\tg\nb/c\tx:y\n\tg\n\t\nnews:n\tg\nhttp://a/b\th\n";
    let messages = "\
absurl: -:1: no TAB; write BASE TAB REFERENCE
absurl: -:3: the base URL \"b/c\" has no scheme; use an absolute URL such as http://host/path
absurl: -:4: relative URL with an empty base; write the document's URL before the TAB
absurl: -:5: relative URL with an empty base; write the document's URL before the TAB
absurl: -:6: the base URL's scheme does not allow relative URLs; write an absolute URL
";
    absurl(&["-p"]).input(input).gives("\nhttp://a/g\n\n\n\n\nhttp://a/h\n", messages, 1);
}

#[test]
fn a_base_does_not_outlive_its_record() {
    absurl(&["-p"]).input(b"http://a/b\tg\nno tab\n\tg\n").gives(
        "http://a/g\n\n\n",
        format!("{}{}", NO_TAB_2, no_base_pair(3)),
        1,
    );
}

const NO_TAB_2: &str = "absurl: -:2: no TAB; write BASE TAB REFERENCE\n";

fn no_base_pair(line: u64) -> String {
    format!("absurl: -:{line}: relative URL with an empty base; write the document's URL before the TAB\n")
}

// ---------------------------------------------------------------- failures

/// What is said about a relative reference without a base.
pub const NO_BASE: &str = "relative URL without a base; use --base URL";

/// The message that says so.
pub fn no_base(place: &str) -> String {
    format!("absurl: {place}: {NO_BASE}\n")
}

#[test]
fn a_record_that_fails_gives_an_empty_record_and_a_message_with_its_location() {
    absurl(&[]).input(b"g:h\nx\n\ng:i\n").gives("g:h\n\n\ng:i\n", format!("{}{}", no_base("-:2"), no_base("-:3")), 1);
    absurl(&["x", "g:h"]).gives("\ng:h\n", no_base("argument 1"), 1);
    let first = "absurl: argument 2: relative URL without a base; write --base before argument 1\n";
    absurl(&["g:h", "x"]).gives("g:h\n\n", first, 1);

    let list = new_file("where", b"g:h\r\nx\r\n");
    absurl(&["-f", &list, "y:"]).gives("y:\ng:h\n\n", no_base(&format!("{list}:2")), 1);
    let unsuitable = "absurl: argument 2: the base URL's scheme does not allow relative URLs; write an absolute URL\n";
    absurl(&["-b", "mailto:m", "x:y", "g"]).gives("x:y\n\n", unsuitable, 1);
}

#[test]
fn quiet_hides_messages_about_records_but_the_status_stays() {
    absurl(&["-q"]).input(b"x\ng:h\n").gives("\ng:h\n", "", 1);
    let gone = "absurl: gone: no such file or directory\n";
    absurl(&["--quiet", "-f", "gone", "x"]).gives("\n", gone, 2);
}

#[test]
fn fail_fast_writes_the_empty_record_and_stops() {
    absurl(&["--fail-fast"]).input(b"g:h\nx\ng:i\ny\n").gives("g:h\n\n", no_base("-:2"), 1);
    absurl(&["--fail-fast", "-q", "x", "g:h"]).gives("\n", "", 1);
    absurl(&["--fail-fast", "-k", "x", "g:h"]).gives("x\t\n", no_base("argument 1"), 1);
    absurl(&["--fail-fast", "-p"]).input(b"http://a/\tg\nx\nhttp://a/\tg\n").gives("http://a/g\n\n", NO_TAB_2, 1);
}

#[test]
fn an_unreadable_file_is_reported_and_the_others_are_answered() {
    let list = new_file("other_files", b"g\n");
    let gone = "absurl: gone: no such file or directory\n";
    absurl(&["-b", "x:", "-f", "gone", "-f", &list]).gives("x:g\n", gone, 2);
    absurl(&["-b", "x:", "-f", &list, "-f", "gone"]).gives("x:g\n", gone, 2);
    let both = format!("{}{gone}", no_base("argument 1"));
    absurl(&["-f", "gone", "x"]).gives("\n", both, 2);
    // and a record that fails afterwards does not make that a 1
    absurl(&["-f", "gone", "-f", "-"]).input(b"x\n").gives("\n", format!("{gone}{}", no_base("-:1")), 2);
}

#[test]
#[cfg(target_os = "linux")] // where it is an error to read from a terminal that has gone
fn a_read_that_fails_ends_its_source_alone() {
    let list = new_file("read_on", b"1\n");
    let page = &format!("<base href=x:><a href=g><a href=h>{}", "-".repeat(2000));
    let feed = &format!("<rss version='2.0'><channel><link>x:g</link>{}", "-".repeat(2000));
    let unread = |what| format!("absurl: -: input/output error{what}\n");
    for (args, input, output, message) in [
        (&["-b", "x:", "-f", "-", "-f", &list][..], "g\nh\ni", "x:g\nx:h\nx:1\n", unread("; 2 lines read before it")),
        (&["-0", "-b", "x:", "-f", "-"], "g\0h", "x:g\0", unread("; 1 record read before it")),
        (&["-b", "x:", "-f", "-"], "g", "", unread("")),
        (&["-l", "-"], page, "x:g\nx:h\n", unread("; 2 links read before it")),
        (&["-l", "-"], "<a href=g>", "", unread("")),
        (&["-l", "-"], feed, "x:g\n", unread("; 1 link read before it")),
        (&["-b", "x:", "-d", "-", "g"], "<p>", "", unread("")),
    ] {
        let (screen, terminal) = open_terminal(80);
        File::from(terminal).write_all(input.as_bytes()).unwrap();
        let mut child = absurl(args).start(screen, Stdio::piped(), Stdio::piped());
        let (stdout, stderr) = (all(child.stdout.take().unwrap()), all(child.stderr.take().unwrap()));
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let (note, stderr) = stderr.split_once('\n').unwrap();
        assert!(note.contains("from the terminal"), "{note}");
        assert_eq!((&*stdout, stderr, child.wait().unwrap().code()), (output, &*message, Some(2)), "{args:?}");
    }
}

#[test]
fn a_base_without_a_scheme_ends_the_run_before_anything_is_read() {
    let message = "absurl: --base: \"x\" has no scheme; use an absolute URL such as http://host/path\n";
    absurl(&["--base", "x", "-f", "gone", "g:h"]).gives("", message, 2);
    let host = "absurl: --base: \"//a/b\" has no scheme; did you mean http://a/b?\n";
    absurl(&["-b", "//a/b", "-q"]).input(b"g\n").gives("", host, 2);
    // its input stays open and empty
    let mut child = absurl(&["-b", "x"]).start(Stdio::piped(), Stdio::piped(), Stdio::piped());
    let _kept = child.stdin.take();
    let (stdout, stderr) = (all(child.stdout.take().unwrap()), all(child.stderr.take().unwrap()));
    assert_eq!((child.wait().unwrap().code(), &stdout[..], &stderr[..]), (Some(2), &b""[..], message.as_bytes()));
}

#[test]
fn a_newline_in_an_argument_is_refused_where_answers_are_lines() {
    let message = "absurl: argument 2: it contains a newline; use --null\n";
    for (args, output) in [(&["-b", "x:"][..], "x:g\n\nx:h\n"), (&["-k", "-b", "x:"], "g\tx:g\n\t\nh\tx:h\n")] {
        absurl(args).arguments(&["g", "a\nb", "h"]).gives(output, message, 1);
    }
    absurl(&["-0", "-b", "x:", "a\nb"]).gives("x:a\nb\0", "", 0);
    let note = "absurl: --base: \"x:\\x0A\" contains a control character; remove it\n";
    for args in [&["-0"][..], &["-j"], &["-e"]] {
        absurl(args).arguments(&["-b", "x:\n", "y:\n"]).gives(predicate::str::contains("y:"), note, 0);
    }
}

#[test]
fn an_alias_with_a_spec_works_with_everything() {
    let mail = "tests/data/base/nested.eml";
    for args in [
        &["-b", "x:", "g"][..],
        &["-e", "-b", "x:", "g"],
        &["-c", "g"],
        &["--compare", "-b", "http://a/", "g"],
        &["-l", "-b", "x:", mail],
        &["--print-base", "-b", "x:", mail],
        &["-s", "rfc1808", "-b", "x:", "g"],
        &["--generate", "man"],
        &["-h"],
        &["--version"],
    ] {
        let (_, stderr, status) = absurl(&["--spec", "whatwg", "--color=always", "-q"]).arguments(args).text();
        assert!(!stderr.contains("cannot") && status < 2, "{args:?}: {stderr}");
    }
}

// ---------------------------------------------------------------- outputs that fail

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let script = "yes g | { absurl -b http://a/; echo status $? >&2; } | head -n 1";
    shell(script).gives("http://a/g\n", "status 0\n", 0);
    let script = "yes g | { absurl -e -j -b http://a/; echo status $? >&2; } | head -c 1";
    shell(script).gives("{", "status 0\n", 0);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_hide_that_a_record_failed() {
    let script = "{ echo x; yes g:h; } | { absurl; echo status $? >&2; } | head -n 1";
    let messages = format!("{}status 1\n", no_base("-:1"));
    shell(script).gives("\n", messages, 0);
}

#[test]
#[cfg(target_os = "linux")] // which has /dev/full
fn messages_that_cannot_be_written_change_nothing_else() {
    for (args, output, status) in [
        ("x g:h", "\ng:h\n", 1),
        ("-f gone g:h", "g:h\n", 2),
        ("--wrong", "", 2),
        ("-b x", "", 2),
        ("x g:h 2>&-", "\ng:h\n", 1),
    ] {
        let script = format!("absurl 2>/dev/full {args}");
        shell(&script).gives(output, "", status);
    }
    let script = "yes x | head -n 100000 | absurl 2>/dev/full | wc -l | tr -d ' '";
    shell(script).gives("100000\n", "", 0);
}

// ---------------------------------------------------------------- a conversation

/// The lines of an output, as they come.
fn lines(output: impl Read) -> impl Iterator<Item = String> {
    BufReader::new(output).lines().map(Result::unwrap)
}

/// Writes a line and reads its answer before the next, to the end.
fn talk(mut child: Running, mut input: impl Write) {
    let mut answers = lines(child.stdout.take().unwrap());
    // the last is no byte order mark: it is not at the start
    for (reference, answer) in [("g\n", "http://a/g"), ("\n", "http://a/b"), ("\u{FEFF}h\n", "http://a/\u{FEFF}h")] {
        input.write_all(reference.as_bytes()).unwrap();
        assert_eq!(answers.next().as_deref(), Some(answer));
    }
    drop(input);
    assert_eq!(answers.next(), None);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    let mut child = absurl(&["-b", "http://a/b"]).start(Stdio::piped(), Stdio::piped(), Stdio::null());
    let input = child.stdin.take().unwrap();
    talk(child, input);
}

#[cfg(unix)]
#[test]
fn a_line_of_a_named_pipe_is_answered_before_the_next_is_written() {
    let directory = new_directory("named_pipe");
    shell("mkfifo pipe").directory(&directory).gives("", "", 0);
    let pipe = directory.join("pipe");
    let args = ["-b", "http://a/b", "-f", pipe.to_str().unwrap()];
    let child = absurl(&args).start(Stdio::null(), Stdio::piped(), Stdio::null());
    // for reading too, so that opening it waits for nobody
    talk(child, File::options().read(true).write(true).open(&pipe).unwrap());
}

#[test]
#[cfg(target_os = "linux")] // where a socket takes so much before it is read
fn an_answer_does_not_wait_for_the_rest_of_the_next_line() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    // as much as is read at once, and one byte of the next line
    ours.write_all(&b"g\n".repeat(64 * 1024)).unwrap();
    ours.write_all(b"h").unwrap();
    let input = OwnedFd::from(theirs);
    let mut child = absurl(&["-b", "http://a/"]).start(input, Stdio::piped(), Stdio::null());
    let mut answers = lines(child.stdout.take().unwrap());
    for _ in 0..64 * 1024 {
        assert_eq!(answers.next().as_deref(), Some("http://a/g"));
    }
    ours.write_all(b"2\n").unwrap();
    assert_eq!(answers.next().as_deref(), Some("http://a/h2"));
    drop(ours);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_message_does_not_wait_for_the_end_of_input() {
    let mut child = absurl(&[]).start(Stdio::piped(), Stdio::null(), Stdio::piped());
    let mut messages = lines(child.stderr.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for number in 1..=2 {
        input.write_all(b"x\n").unwrap();
        let message = messages.next().unwrap();
        assert_eq!(message + "\n", no_base(&format!("-:{number}")));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
