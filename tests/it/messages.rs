//! One voice on standard error: wrong usage, notes, and messages that come in floods.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use predicates::prelude::*;

use crate::cli::no_base;
use crate::harness::{absurl, all, new_directory, new_file, off_key, utf_16_message};
#[cfg(unix)]
use crate::progress::open_terminal;

#[test]
fn the_check_of_all_messages_finds_what_is_off_key() {
    let table = "absurl: 1 of 2 records differ\n       1  raw-space               RFC 3986 does not allow spaces\n";
    assert_eq!(off_key(table.as_bytes(), false), None);
    for line in ["error: x", "", "absurl: a; b; c", "thread 'main' panicked", "1 x"] {
        assert_eq!(off_key(format!("absurl: a; b\n{line}\n").as_bytes(), false).as_deref(), Some(line));
    }
    assert_eq!(off_key(b"status 0\n", true), None);
    assert_eq!(off_key(b"absurl: a; b; c\n", true).as_deref(), Some("absurl: a; b; c"));
}

// ---------------------------------------------------------------- wrong usage

#[test]
fn wrong_usage_is_one_line_with_status_2() {
    let part = "is not a part number; use numbers from 1 with dots between them, such as 2.1";
    let long = "x".repeat(300);
    for (args, what) in [
        (&["--browser"][..], "unknown option \"--browser\"; use --spec whatwg (as browsers do, encoded) or --spec rfc3986".into()),
        (&["--url", "x"], "unknown option \"--url\"; use --base".into()),
        (&["--unique"], "unknown option \"--unique\"; pipe the URLs into sort -u, grep, or sed 's/#.*//'".into()),
        (&["--parse", "x:"], "unknown option \"--parse\"; --json and --explain show the components, absurl -q URL ends with status 0 if URL is absolute".into()),
        (
            &["--jsonl=x"],
            "unknown option \"--jsonl\"; --json prints JSON Lines, jq -r .FIELD FILE | absurl -b URL reads them".into(),
        ),
        (&["-r", "site"], "unknown option \"-r\"; a directory is read whole: absurl --links -b URL DIRECTORY".into()),
        (&["-oF"], "unknown option \"-o\"; redirect: absurl -b URL <FILE >URLS 2>MESSAGES".into()),
        (&["--verbose"], "unknown option \"--verbose\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["--é"], "unknown option \"--é\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["-V.html"], "unknown option \"-.\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["--check", "--links", "-hx.html", "x"], "unknown option \"-x\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["-ch.html"], "unknown option \"-.\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["-V=.html"], "unknown option \"-=\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["-z"], "unknown option \"-z\"; use --null".into()),
        (&["-v"], "unknown option \"-v\"; see absurl --help, or write -- before a reference that starts with a hyphen".into()),
        (&["--lniks"], "unknown option \"--lniks\"; did you mean --links?".into()),
        (&["-check"], "-check has one hyphen, and is read as short options; did you mean --check?".into()),
        (&["-json", "g"], "-json has one hyphen, and is read as short options; did you mean --json?".into()),
        (&["--colours=x"], "unknown option \"--colours\"; did you mean --color?".into()),
        (&["--json=x"], "--json takes no value; remove \"=x\"".into()),
        (&["-b"], "--base needs a value".into()),
        (&["-f", ""], "--file needs a value".into()),
        (&["--color"], "--color needs a value: auto, always or never".into()),
        (&["--color", "red"], "--color: \"red\" is not a valid value; use auto, always or never".into()),
        (
            &["--media-type", "x"],
            "--media-type: \"x\" is not a valid value; use text/html, text/css, text/markdown, message/rfc822, application/atom+xml, application/rss+xml, application/rdf+xml, image/svg+xml, application/xhtml+xml or application/xml".into(),
        ),
        (
            &["-s", "html5"],
            "--spec: \"html5\" is not a valid value; use rfc1808, rfc3986 or whatwg (browsers)".into(),
        ),
        (&["-s"], "--spec needs a value: rfc1808, rfc3986 or whatwg (browsers)".into()),
        (&["--check", "Scheme"], "--check Scheme is two arguments; use --check=Scheme, or ./Scheme for a reference".into()),
        (&["--part", "1.0"], format!("--part: \"1.0\" {part}")),
        (&["--part", ""], format!("--part: \"\" {part}")),
        (&["-f", "-", "-f", "-"], "standard input can be read only once; --file - is used twice".into()),
        (&["--generate", "man", "x"], "--generate cannot be used with an argument".into()),
        (&["-b", "http://a\n/", "g"], "--base: \"http://a\\x0A/\" contains a newline; remove it or use --null".into()),
        (
            &["--color", &long],
            format!("--color: \"{}\"... is not a valid value; use auto, always or never", "x".repeat(200)),
        ),
    ] {
        absurl(args).gives("", format!("absurl: {what}\n"), 2);
    }
}

// ---------------------------------------------------------------- notes

#[test]
fn a_base_that_is_surely_a_slip_has_a_note() {
    let note = "absurl: --base: \"localhost:8080/x\" has the scheme localhost; did you mean http://localhost:8080/x?\n";
    absurl(&["-b", "localhost:8080/x", "g"]).gives("localhost:8080/g\n", note, 0);
    let both = format!("{note}absurl: gone: no such file or directory\n");
    absurl(&["-qb", "localhost:8080/x", "-f", "gone"]).gives("", both, 2);
}

#[test]
fn a_base_that_is_ignored_is_quoted_with_the_reason() {
    for (spec, base, why) in [
        (
            "whatwg",
            "http://[x/",
            "not a valid IP address (URL Standard); write four numbers, IPv6 in brackets, or a domain name",
        ),
        ("rfc3986", "b c/", "not a valid URI reference (RFC 3986 pchar): space at byte 2; write %20"),
    ] {
        let message = format!("absurl: -:1:13: ignoring the BASE \"{base}\": {why}\n");
        absurl(&["-l", "-s", spec, "-b", "x://a/"]).input(format!("<base href=\"{base}\"><a href=y>")).gives(
            "x://a/y\n",
            message,
            0,
        );
    }
    let long = "x".repeat(9000);
    let what = "it may be longer than 8 KiB once it is resolved; write an absolute URL";
    let message = format!("absurl: -:1:12: ignoring the BASE \"{}\"...: {what}\n", &long[..200]);
    absurl(&["-l", "-b", "x://a/"]).input(format!("<base href={long}><a href=y>")).gives("x://a/y\n", message, 0);
}

#[test]
fn a_list_in_utf_16_is_refused() {
    let encoded = |bytes: fn(u16) -> [u8; 2]| "\u{FEFF}g:h\ng:i\n".encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    let message = |name: &str, encoding| format!("absurl: {name}: {}", utf_16_message(encoding));
    for (encoding, bytes) in [
        ("UTF-16LE", b"g\0:\0h\0\n\0".to_vec()),
        ("UTF-16BE", b"\0g\0:\0h\0\n".to_vec()),
        ("UTF-16", encoded(u16::to_be_bytes)),
        ("UTF-16", encoded(u16::to_le_bytes)),
        ("UTF-16LE", b"g\0\xE9\0\x30\x04\n\0".to_vec()),
        ("UTF-32LE", b"g\0\0\0\n\0\0\0".to_vec()),
        ("UTF-32BE", b"\0\0\0g\0\0\x04\x30\0\0\0\n".to_vec()),
        ("UTF-32", b"\xFF\xFE\0\0g\0\0\0\n\0\0\0".to_vec()),
    ] {
        absurl(&["-b", "x:"]).input(&*bytes).gives("", message("-", encoding), 2);
        absurl(&["--links", "--pairs"]).input(&*bytes).gives("", message("-", encoding), 2);
        let path = new_file("utf_16", &bytes);
        absurl(&["-b", "x:", "-f", &path, "-f", "-"]).input("g\n").gives("x:g\n", message(&path, encoding), 2);
        assert_eq!(absurl(&["-0", "-b", "x:"]).input(bytes).bytes().2, 0, "nothing is trimmed");
    }
    // names of one letter, as find -print0 writes them
    let message = message("-", "UTF-16LE").replace('\n', ", or use --null if its records end in NUL\n");
    absurl(&["-b", "x:"]).input("g\0h\0").gives("", message, 2);
    // a byte order mark alone
    absurl(&["-b", "x:"]).input(b"\xFF\xFEg\n").gives(&b"x:\xFF\xFEg\n"[..], "", 0);
}

#[cfg(unix)]
#[test]
fn a_terminal_that_is_read_has_a_note() {
    for (arguments, input, what, answer) in [
        (&["-b", "x:"][..], "g\n", Some("references from the terminal, one per line"), "x:g"),
        (&["-p"], "x:\tg\n", Some("BASE TAB REFERENCE from the terminal, one per line"), "x:g"),
        (&["-l", "-b", "x:"], "<a href=g>\n", Some("a document from the terminal"), "x:g"),
        (
            &["-l", "-p"],
            "x:\ttests/data/base/no_base.html\n",
            Some("BASE TAB DOCUMENT from the terminal, one per line"),
            "x:../x",
        ),
        (&["--print-base", "-b", "x:"], "g\n", Some("a document from the terminal"), "x:\t3.3"),
        (&["-0", "-b", "x:"], "g\0\x04", Some("references from the terminal, each ends in NUL"), "x:g\0"),
        (&["-b", "x:", "-f", "-"], "g\n", Some("references from the terminal, one per line"), "x:g"),
        (&["-pf", "-"], "x:\tg\n", Some("BASE TAB REFERENCE from the terminal, one per line"), "x:g"),
        (
            &["-0p", "-s", "whatwg"],
            "x:\tx:h\0\x04",
            Some("BASE TAB REFERENCE from the terminal, each ends in NUL"),
            "x:h\0",
        ),
        (&["-b", "x:", "-d", "-", "g"], "<p>\n", Some("a document from the terminal"), "x:g"),
        (
            &["-d", "tests/data/base/no_base.html", "-b", "x:", "-f", "-"],
            "g\n",
            Some("references from the terminal, one per line"),
            "x:g",
        ),
        (&["-d", "tests/data/base/no_base.html", "-b", "x:", "g"], "", None, "x:g"),
        (&["-b", "x:", "g"], "", None, "x:g"),
        (&["-l", "-b", "x:", "-"], "<a href=g>\n", Some("a document from the terminal"), "x:g"),
        (&["--print-base", "-b", "x:", "-d", "-"], "g\n", Some("a document from the terminal"), "x:\t3.3"),
    ] {
        let (mut screen, terminal) = open_terminal(80);
        let mut child = absurl(arguments).start(terminal, Stdio::piped(), Stdio::piped());
        let mut messages = BufReader::new(child.stderr.take().unwrap());
        if let Some(what) = what {
            let mut note = String::new();
            messages.read_line(&mut note).unwrap();
            assert_eq!(note, format!("absurl: reading {what}; Ctrl-D ends (absurl -h: help)\n"));
        }
        // Ctrl-D
        screen.write_all(format!("{input}\x04").as_bytes()).unwrap();
        assert_eq!(String::from_utf8(all(child.stdout.take().unwrap())).unwrap().trim_end(), answer, "{arguments:?}");
        assert_eq!((all(messages), child.wait().unwrap().code()), (Vec::new(), Some(0)), "{arguments:?}");
    }
}

#[test]
fn a_page_that_is_read_as_a_list_has_a_note() {
    let note = "absurl: -: looks like a document, not a list; for its links, use --links\n";
    for page in [
        "<!DOCTYPE html>",
        " \r\n<HTML lang=en>",
        "\u{FEFF}<?xml version='1.0'?>",
        "Return-Path: <a@b>",
        "HTTP/1.1 200 OK",
        "MIME-Version: 1.0",
    ] {
        let (_, stderr, status) = absurl(&["-b", "http://a/"]).input(format!("{page}\n<p>\n")).text();
        assert_eq!((&*stderr, status), (note, 0), "{page}");
    }
    let note = "absurl: -: looks like JSON, not a list; jq -r .FIELD FILE | absurl -b URL reads a field of it\n";
    for json in [r#"{"url": "g"}"#, r#"[{"url": "g"}]"#, "[\"g\"]", " \n{\"url\": 1}\n"] {
        let (_, stderr, status) = absurl(&["-b", "http://a/"]).input(json).text();
        assert_eq!((&*stderr, status), (note, 0), "{json}");
    }
    for list in
        ["<p>", "g\n<html>", "<!doctype", "<?xmlx ?>", "{x}", "{{ url }}", "[1]", "received:x", "http/x", "\"g\""]
    {
        let (_, stderr, status) = absurl(&["-b", "http://a/"]).input(list).text();
        assert_eq!((&*stderr, status), ("", 0), "{list}");
    }
    absurl(&["-b", "http://a/", "<html>"]).gives("http://a/<html>\n", "", 0);
}

#[test]
fn a_file_that_is_no_record_has_a_fix() {
    let message = "absurl: argument 2: the record is the name of a file; to read records from it, use --file\n";
    absurl(&["-p", "http://a/\tg", "Cargo.toml"]).gives("http://a/g\n\n", message, 1);
    let message = "absurl: argument 1: no TAB in the record; write BASE TAB REFERENCE\n";
    absurl(&["-p", "missing"]).gives("\n", message, 1);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_surely_slips_have_a_note() {
    let stdin = "- is read as a reference; standard input is read without arguments";
    let cr = r"remove it (in bash: ${name%$'\r'}), or pass the list on standard input";
    let dash = "begins with a dash, not with a hyphen; did you mean";
    for (arguments, notes, stdout) in [
        (&["-b", "x:/", "g", "-"][..], format!("absurl: argument 2: {stdin}\n"), "x:/g\nx:/-\n"),
        (&["-b", "x:/", "--", "-"], format!("absurl: argument 1: {stdin}\n"), "x:/-\n"),
        (&["-b", "x:/", "./-"], String::new(), "x:/-\n"),
        (&["-b", "x:/", "\u{2013}b"], format!("absurl: argument 1: \u{2013}b {dash} -b?\n"), "x:/\u{2013}b\n"),
        (
            &["-b", "x:/", "g", "\u{2014}spec=x"],
            format!("absurl: argument 2: \u{2014}spec=x {dash} --spec=x?\n"),
            "x:/g\nx:/\u{2014}spec=x\n",
        ),
        (
            &["-b", "x:/", "\u{2013}links"],
            format!("absurl: argument 1: \u{2013}links {dash} --links?\n"),
            "x:/\u{2013}links\n",
        ),
        (&["-b", "x:/", "g", "h\r"], format!("absurl: argument 2: the reference ends in CR; {cr}\n"), "x:/g\nx:/h\r\n"),
        (&["-p", "x:/\th\r"], format!("absurl: argument 1: the record ends in CR; {cr}\n"), "x:/h\r\n"),
        (&["-b", "x:/", "h\rg"], String::new(), "x:/h\rg\n"),
        (&["-b", "x:/", "\u{2013}1"], String::new(), "x:/\u{2013}1\n"),
        (&["-b", "x:/", "a\u{2013}b"], String::new(), "x:/a\u{2013}b\n"),
    ] {
        absurl(arguments).gives(stdout, notes, 0);
    }
    absurl(&["-b", "x:/", "-f", "-"]).input("-\n").gives("x:/-\n", "", 0);
    for (arguments, after) in [(&["-p", "-"][..], "REFERENCE"), (&["-l", "-p", "-"], "DOCUMENT")] {
        let note = "absurl: argument 1: - is read as a record; standard input is read without arguments\n";
        let message = format!("{note}absurl: argument 1: no TAB in the record; write BASE TAB {after}\n");
        absurl(arguments).gives("\n", message, 1);
    }
}

#[test]
fn a_reference_that_begins_with_a_hyphen_and_a_letter_of_a_file_has_a_note() {
    for (arguments, note, gone) in [
        (&["-b", "x:/", "-foo"][..], "-foo is read as --file oo; if it is a reference: absurl -b x:/ -- -foo", "oo"),
        (
            &["-b", "x:/", "-e", "a b", "-foo"],
            "-foo is read as --file oo; if it is a reference: absurl -b x:/ --explain -- 'a b' -foo",
            "oo",
        ),
        (
            &["-b", "x:/", "-docs"],
            "-docs is read as --document ocs; if it is a reference: absurl -b x:/ -- -docs",
            "ocs",
        ),
        (&["-b", "x:/", "-jfoo"], "-jfoo is read as --file oo; if it is a reference: write -- before it", "oo"),
    ] {
        let (_, stderr, status) = absurl(arguments).text();
        let expected = format!("absurl: {note}\nabsurl: {gone}: no such file or directory\n");
        assert_eq!((stderr, status), (expected, 2), "{arguments:?}");
    }
    absurl(&["-b", "x:/", "-f", "oo"]).gives("", "absurl: oo: no such file or directory\n", 2);
    absurl(&["-b", "x:/", "-f=oo"]).gives("", "absurl: oo: no such file or directory\n", 2);
    let list = new_file("attached", "g\n");
    absurl(&["-b", "x:/", &format!("-f{list}")]).gives("x:/g\n", "", 0);
}

#[test]
fn a_url_in_place_of_a_file_is_fetched_with_curl() {
    let url = "https://ex.com/a?b&c";
    let fetch = "https://ex.com/a?b&c: absurl does not fetch; curl -sL 'https://ex.com/a?b&c' | absurl";
    for (arguments, rest) in [
        (&["--links", url][..], "-b 'https://ex.com/a?b&c' --links"),
        (&["--rewrite", url], "-b 'https://ex.com/a?b&c' --rewrite"),
        (&["--print-base", url], "-b 'https://ex.com/a?b&c' --print-base"),
        (&["--print-base", "-d", url], "-b 'https://ex.com/a?b&c' -d - --print-base"),
        (&["-d", url, "../g", "it's"], r"-b 'https://ex.com/a?b&c' -d - ../g 'it'\''s'"),
        (&["-d", url, "--", "g", "-x"], r"-b 'https://ex.com/a?b&c' -d - -- g -x"),
        (&["-d", url, "-f", "a b"], "-b 'https://ex.com/a?b&c' -f 'a b' -d -"),
        (&["-f", url], "-f -"),
        (&["-b", "http://a/", "-f", url], "-b http://a/ -f -"),
        // nothing that was asked for is lost
        (&["-c", "-l", url], "-b 'https://ex.com/a?b&c' --links --check"),
        (&["-qlc=scheme", url], "-b 'https://ex.com/a?b&c' --links --check=scheme --quiet"),
        (&["--compare=host", "-l", url], "-b 'https://ex.com/a?b&c' --links --compare=host"),
        (&["-s", "whatwg", "-k", "-l", url], "-b 'https://ex.com/a?b&c' --links --keep-input -s whatwg"),
        (&["-l", "--media-type=text/html", "-b", "http://a/", url], "-b http://a/ --media-type text/html --links"),
        (&["-c", "-f", url], "-f - --check"),
        (&["-pj", "-f=-x", "-f", url], "--file=-x -f - --pairs --json"),
        (&["-b", "http://a/", "-kf", url, "g", "-0"], "-b http://a/ -f - --null --keep-input g"),
    ] {
        if cfg!(feature = "spec") || !rest.contains("--compare") && !rest.contains("-s ") {
            absurl(arguments).gives("", format!("absurl: {fetch} {rest}\n"), 2);
        }
    }
    // one command would not do the same
    let save = "absurl does not fetch; save it first: curl -sLo FILE 'https://ex.com/a?b&c'";
    for arguments in [
        &["-d", url][..],
        &["-d", url, "-f", "-"],
        &["-d", "-", "-f", url],
        &["-f", url, "-f", url],
        &["-d", url, "-f", url],
        &["-l", url, "page.html"],
        &["-l", url, "-"],
        &["-l", url, url],
        &["--rewrite", "-i", url],
    ] {
        absurl(arguments).gives("", format!("absurl: {url}: {save}\n"), 2);
    }
    let long = format!("http://a/{}", "x".repeat(980));
    let shown = format!("{}...: absurl does not fetch; save it first: curl -sLo FILE {long}", &long[..200]);
    absurl(&["-l", &long]).gives("", format!("absurl: {shown}\n"), 2);
    let longer = long.repeat(3);
    let shown = format!("{}...: absurl does not fetch; save it first: curl -sLo FILE URL", &long[..200]);
    absurl(&["-l", &longer]).gives("", format!("absurl: {shown}\n"), 2);
    // as a document of a record
    let save = "http://x/: no such file or directory; absurl does not fetch: save it first with curl -sLo FILE URL";
    absurl(&["-lp", "http://x/\thttp://x/"]).gives("\n", format!("absurl: argument 1: {save}\n"), 1);
}

#[test]
fn a_file_that_is_no_base_is_a_document() {
    for (arguments, what) in [
        (
            "-l -b Cargo.toml http://a/",
            "--base: \"Cargo.toml\" is a file; swap it and the URL: absurl -b http://a/ --links Cargo.toml",
        ),
        (
            "-l -b Cargo.toml",
            "--base: \"Cargo.toml\" has no scheme (§2.2); it is a file: pass it as an argument, or write its file: URL",
        ),
        ("-l -b Cargo.toml -d a", "a is a document to read: absurl --links a"),
        ("-l -b http://h/ -d a a b", "a is a document to read: absurl -b http://h/ --links a b"),
    ] {
        let arguments: Vec<_> = arguments.split(' ').collect();
        absurl(&arguments).gives("", format!("absurl: {what}\n"), 2);
    }
    absurl(&["-l", "-", ""]).gives("", "absurl: argument 2: the document's name is empty\n", 2);
}

#[cfg(unix)]
#[test]
fn bytes_of_a_wrong_value_are_shown() {
    use std::os::unix::ffi::OsStringExt;
    let argument = |bytes: &[u8]| std::ffi::OsString::from_vec(bytes.to_vec());
    let what = "absurl: --color: \"a=\\xFF\" is not a valid value; use auto, always or never\n";
    absurl(&[]).argument(argument(b"--color=a=\xFF")).gives("", what, 2);
    absurl(&[]).argument(argument(b"--quiet=\xFF")).gives("", "absurl: --quiet takes no value; remove \"=\\xFF\"\n", 2);
    if cfg!(feature = "spec") {
        let why = "the base is not UTF-8, and only RFC 1808 reads bytes; percent-encode all bytes that are not ASCII";
        let what = format!("absurl: --base: \"x:\\xFF\": {why}\n");
        absurl(&["-s", "whatwg", "g"]).argument(argument(b"-bx:\xFF")).gives("", what, 2);
    }
}

#[test]
fn short_names_of_values_are_accepted() {
    for (long, short) in [
        (
            "--links --media-type text/html -b x:/ tests/data/pairs.html",
            "--links --media-type html -b x:/ tests/data/pairs.html",
        ),
        (
            "--links --media-type text/css -b x:/ tests/data/pairs.html",
            "--links --media-type css -b x:/ tests/data/pairs.html",
        ),
        ("--links --media-type message/rfc822 tests/data/pairs.eml", "--links --media-type mail tests/data/pairs.eml"),
        ("--links --media-type message/rfc822 tests/data/pairs.eml", "--links --media-type eml tests/data/pairs.eml"),
        ("--links --media-type message/rfc822 tests/data/pairs.eml", "--links --media-type mbox tests/data/pairs.eml"),
        (
            "--links --media-type text/markdown -b x:/ tests/data/pairs.html",
            "--links --media-type md -b x:/ tests/data/pairs.html",
        ),
        ("--generate complete-zsh", "--generate zsh"),
        ("--generate complete-powershell", "--generate powershell"),
        ("--generate complete-powershell", "--generate pwsh"),
        ("--generate complete-zsh", "--generate ZSH"),
        ("--color always -e g:h", "--color=Always -e g:h"),
        ("--check=scheme -b x: g:h", "--check=Scheme -b x: g:h"),
        #[cfg(feature = "spec")]
        ("--compare=meaning -b x: g:h", "--compare=Meaning -b x: g:h"),
        #[cfg(feature = "spec")]
        ("--spec rfc3986 -b http://a/b ../../g", "--spec 3986 -b http://a/b ../../g"),
        #[cfg(feature = "spec")]
        ("--spec whatwg -b http://a/b ../../g", "--spec=browser -b http://a/b ../../g"),
        #[cfg(feature = "spec")]
        ("--spec whatwg -b http://a/b ../../g", "-s Browsers -b http://a/b ../../g"),
        ("--spec rfc1808 -b http://a/b ../../g", "-s 1808 -b http://a/b ../../g"),
        #[cfg(feature = "spec")]
        ("--spec rfc3986 -b http://a/b ../../g", "--spec RFC3986 -b http://a/b ../../g"),
        #[cfg(feature = "spec")]
        ("--spec whatwg -b http://a/b ../../g", "--spec WHATWG -b http://a/b ../../g"),
    ] {
        let [long, short] = [long, short].map(|line| absurl(&[]).words(line).bytes());
        assert_eq!(short, long);
        assert_eq!(short.2, 0, "{short:?}");
    }
}

// Windows has a backslash before the space
#[cfg(unix)]
#[test]
fn the_name_of_a_file_that_is_checked_has_a_note() {
    let path = new_directory("checked file").join("it's");
    fs::write(&path, "<p>").unwrap();
    let path = path.to_str().unwrap();
    let quoted = path.replace('\'', r"'\''");
    let note = format!(
        "absurl: argument 1: checking the file's name; to check its links: absurl --links --check '{quoted}'\n"
    );
    absurl(&["-c", path]).gives(predicate::str::contains("a space"), note + "absurl: 1 violation in 1 record\n", 1);
    let list = new_directory("checked list").join("list.txt");
    fs::write(&list, "a b").unwrap();
    let list = list.to_str().unwrap();
    let note = format!(
        "absurl: argument 1: checking the file's name; to check its lines: absurl -b http://a/ -f '{list}' --check\n"
    );
    absurl(&["-c", "-b", "http://a/", list]).gives(
        predicate::str::contains("a space"),
        note + "absurl: 1 violation in 1 record\n",
        1,
    );
    for (arguments, name, command) in [
        (
            &["-c=scheme", "tests/data", "g"][..],
            "argument 1: checking the directory's name",
            "--links --check=scheme tests/data",
        ),
        (
            &["-c", "-b", "http://a/", "g", "tests/data/"],
            "argument 2: checking the directory's name",
            "-b http://a/ --links --check tests/data/",
        ),
        (
            &["-c", "-b", "http://a/?b&c", "tests/data/pairs.html", "g"],
            "argument 1: checking the file's name",
            "-b 'http://a/?b&c' --links --check tests/data/pairs.html",
        ),
    ] {
        let note = format!("absurl: {name}; to check its links: absurl {command}\n");
        absurl(arguments).gives("", note + "absurl: no violations in 2 records\n", 0);
    }
    #[cfg(feature = "spec")]
    for (arguments, name, command) in [
        (
            &["--compare", "-b", "http://a/", "tests/data", "g"][..],
            "argument 1: comparing the directory's name",
            "-b http://a/ --links --compare tests/data",
        ),
        (
            &["--compare=host", "-b", "http://a/b/", "-d", "tests/data/pairs.html", "tests/data/pairs.html"],
            "argument 1: comparing the file's name",
            "-b http://a/b/ --links --compare=host tests/data/pairs.html",
        ),
    ] {
        let note = format!("absurl: {name}; to compare its links: absurl {command}\n");
        let (_, stderr, _) = absurl(arguments).text();
        assert!(stderr.starts_with(&note), "{stderr}");
    }
    for arguments in
        [&["-c", "tests/missing"][..], &["-c", "-l", "tests/data/base/no_base.html"], &["-c", "-f", "Cargo.toml"]]
    {
        assert!(!absurl(arguments).bytes().1.contains("checking"), "{arguments:?}");
    }
}

/// GitHub Actions obeys `::error::text` at the start of a line, after white space too.
#[cfg(unix)]
#[test]
fn a_name_that_begins_with_colons_is_written_with_its_directory() {
    let directory = new_directory("colons");
    let names = ["::error::x", " ::stop-commands::y.html", "::debug::z"];
    fs::write(directory.join(names[0]), "~\n").unwrap();
    fs::write(directory.join(names[1]), "<a href='~'>").unwrap();
    fs::write(directory.join(names[2]), "#\n").unwrap();
    let run = |arguments: &[&str]| absurl(arguments).directory(&directory);
    for (arguments, start) in [
        (&["-c", "-f", names[0]][..], "./::error::x:1:1: "),
        (&["-c", "-l", names[1]], "./ ::stop-commands::y.html:1:10: "),
        (&["-e", "-f", names[0]], "./::error::x:1: ~\n"),
        (&["-k", "-b", "x:", "--print-base", names[1]], "./ ::stop-commands::y.html\tx:"),
        #[cfg(feature = "spec")]
        (&["--compare", "-b", "http://a/b", "-f", names[2]], "./::debug::z:1: #\n"),
    ] {
        let (stdout, _, _) = run(arguments).text();
        assert!(stdout.starts_with(start), "{arguments:?}: {stdout}");
    }
    let (_, stderr, _) = run(&["-f", names[0]]).text();
    assert!(stderr.starts_with("absurl: ./::error::x:1: "), "{stderr}");
}

#[test]
fn commands_that_are_proposed_are_quoted_for_a_shell() {
    let fix = "is argument 1 its base? write --base before it";
    let (_, stderr, _) = absurl(&["http://a/b", "../g"]).text();
    assert!(stderr.ends_with(&format!("there is no base URL (§3.4); {fix}\n")), "{stderr}");
    let (_, stderr, _) = absurl(&["-p", "http://a/b\tg", "\tg"]).text();
    assert!(stderr.ends_with("its base is empty (§3.4); write the document's URL before the TAB\n"), "{stderr}");
    let what = "absurl: my page.html is a document to read: absurl --links 'my page.html'\n";
    absurl(&["-l", "-d", "my page.html"]).gives("", what, 2);
    let what = "absurl: -x.html is a document to read: absurl --rewrite ./-x.html\n";
    absurl(&["--rewrite", "-d=-x.html"]).gives("", what, 2);
    absurl(&["-l", "-d-"]).gives("", "absurl: - is a document to read: absurl --links -\n", 2);
    let what = "absurl: ./::x is a document to read: absurl -b http://a/ --links --check --quiet ./::x ./-y\n";
    absurl(&["-qlcd::x", "-b", "http://a/", "--part=1", "--", "-y"]).gives("", what, 2);
    let long = "x".repeat(1000);
    let what = format!("absurl: {long} is a document to read: pass it as an argument\n");
    absurl(&["-l", "-d", &long]).gives("", what, 2);
}

// ---------------------------------------------------------------- floods

/// The line after ten messages about a missing base.
fn no_base_left(source: &str, count: u32, pairs: bool) -> String {
    let fix =
        if pairs { "write the document's URL before the TAB" } else { "pass --base, or the base of each with --pairs" };
    format!("absurl: {source}: {count} more like these (no-base); {fix}\n")
}

/// The line after ten messages of a kind.
fn more(source: &str, count: u32, kind: &str) -> String {
    format!("absurl: {source}: {count} more like these ({kind}); --json lists each\n")
}

#[test]
fn ten_messages_of_a_kind_are_printed_and_the_others_counted() {
    let messages = |count| (1..=count).map(|line| no_base(&format!("-:{line}"))).collect::<String>();
    for (count, expected) in [(9, messages(9)), (10, messages(10)), (11, messages(10) + &no_base_left("-", 1, false))] {
        absurl(&[]).input("g\n".repeat(count)).gives("\n".repeat(count), expected.clone(), 1);
        absurl(&["-j"]).input("g\n".repeat(count)).gives(predicate::str::contains("no-base").count(count), expected, 1);
        absurl(&["-q"]).input("g\n".repeat(count)).gives("\n".repeat(count), "", 1);
    }
}

#[test]
fn each_kind_of_messages_has_its_own_number() {
    let list = "no tab\n\tg\n".repeat(12) + &"b\tg\n".repeat(10);
    let (_, stderr, status) = absurl(&["-p"]).input(list).text();
    let count = |what: &str| stderr.lines().filter(|line| line.contains(what)).count();
    assert_eq!((count("no TAB"), count("its base is empty"), count("has no scheme"), status), (10, 10, 10, 1));
    let numbers = more("-", 2, "no-tab") + &no_base_left("-", 2, true);
    assert!(stderr.ends_with(&numbers), "{stderr}");
    assert_eq!(stderr.lines().count(), 32);
}

#[test]
fn problems_of_a_document_have_their_kinds() {
    let part = "--b\nBase: x\nContent-Type: text/html; x=";
    let mail = |length: usize| format!("{part}{}\n\n<a href=http://h/>\n", "y".repeat(length));
    let mails = format!("Content-Type: multipart/mixed; boundary=b\n\n{}{}", mail(1).repeat(12), mail(17_000));
    let (_, stderr, _) = absurl(&["-l", "-"]).input(mails).text();
    let count = |what: &str| stderr.lines().filter(|line| line.contains(what)).count();
    assert_eq!((count("ignoring the Base"), count("ignoring the end")), (10, 1), "{stderr}");
    assert!(stderr.ends_with("absurl: -: 3 more like these (no-url)\n"), "{stderr}");
}

#[test]
fn each_source_has_its_own_messages_and_their_number_at_its_end() {
    let (one, two) = (new_file("flood_1", "g\n".repeat(12)), new_file("flood_2", "g\n".repeat(10)));
    let message = |name: &str, line| format!("absurl: {name}:{line}: no TAB in the record; write BASE TAB REFERENCE\n");
    let messages = |name: &str| (1..=10).map(|line| message(name, line)).collect::<String>();
    let expected = [messages(&one), more(&one, 2, "no-tab"), messages(&two)].concat();
    absurl(&["-p", "-f", &one, "-f", &two]).gives("\n".repeat(22), expected, 1);
    let arguments: String = (1..=10).map(|number| no_base(&format!("argument {number}"))).collect();
    absurl(&["g"; 12]).gives("\n".repeat(12), arguments + &no_base_left("argument", 2, false), 1);
}

/// A missing `--base` is one cause, whatever is read.
#[test]
fn a_missing_base_is_counted_over_all_sources() {
    let rest = |count, sources| {
        format!(
            "absurl: {count} more like these in {sources} sources (no-base); pass --base, or the base of each with --pairs\n"
        )
    };
    let lists = [6, 6, 1, 9].map(|lines| new_file(&format!("no_base_{lines}"), "g\n".repeat(lines)));
    let [one, two, three, four] = &lists;
    let messages = |name: &str, lines| (1..=lines).map(|line| no_base(&format!("{name}:{line}"))).collect::<String>();
    let ten = messages(one, 6) + &messages(two, 4);
    let run = |flags: &[&str]| lists.iter().fold(absurl(flags), |run, list| run.arguments(&["-f", list]));
    run(&[]).gives("\n".repeat(22), ten.clone() + &rest(12, 3), 1);
    // the summary comes last
    run(&["-s", "rfc1808", "--compare"]).gives(
        "",
        ten + &rest(12, 3) + "absurl: 0 of 22 records differ, 22 failed\n",
        1,
    );
    run(&["--compare", "-q"]).gives("", "absurl: 0 of 22 records differ, 22 failed\n", 1);
    // another kind in between has its own count, at the end of its source
    let pages = [1, 2, 3, 4, 5]
        .map(|page| new_file(&format!("no_base_page_{page}"), "<base href=x>".to_owned() + &"<a href=g>".repeat(4)));
    let ten = messages(one, 6) + &messages(two, 4);
    absurl(&["-f", one, "-f", two]).gives("\n".repeat(12), ten.clone() + &no_base_left(two, 2, false), 1);
    absurl(&["-f", one, "-f", two, "-f", three, "-f", four]).gives("\n".repeat(22), ten + &rest(12, 3), 1);
    let (_, stderr, _) = absurl(&["-l"]).arguments(&pages.each_ref().map(|page| &**page)).text();
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(
        lines.iter().filter(|line| line.contains("has no scheme and there is no base URL")).count(),
        10,
        "{stderr}"
    );
    assert_eq!(lines.last().copied(), Some(rest(10, 3).trim_end()), "{stderr}");
    // an empty base before the TAB is one cause, too
    let rest = "absurl: 42 more like these in 11 sources (no-base); write the document's URL before the TAB";
    let records: String = (0..13).map(|page| format!("\t{}\n", pages[page % 5])).collect();
    let (_, stderr, _) = absurl(&["-lp"]).input(&*records).text();
    let lines: Vec<_> =
        stderr.lines().filter(|line| line.contains("no-base") || line.contains("its base is empty")).collect();
    assert_eq!((lines.len(), lines.last().copied()), (11, Some(rest)), "{stderr}");
    let list = new_file("no_base_pairs", "\tg\n".repeat(12));
    let (_, stderr, _) = absurl(&["-p", "-f", &list, "-f", &list]).text();
    assert_eq!(stderr.lines().count(), 11, "{stderr}");
}
