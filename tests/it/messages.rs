//! One voice on standard error: wrong usage, notes, and messages that come in floods.

use std::fs;
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;

use predicates::prelude::*;

use crate::cli::no_base;
use crate::harness::{absurl, all, length_of, new_directory, new_file, off_key};
#[cfg(unix)]
use crate::progress::open_terminal;
#[cfg(unix)]
use crate::table::{assert_each, read_rows};

/// What is said of options that other tools have to test links, and to move pages.
const WORKS: &str = "--check=files -l finds links to files that are missing";
const MOVES: &str = "use --rewrite --move OLD NEW";

#[test]
fn the_check_of_all_messages_finds_what_is_off_key() {
    let table = "absurl: 1 of 2 references differs\n       1  raw-space               RFC 3986 does not allow spaces\n";
    assert_eq!(off_key(table.as_bytes(), false), None);
    for line in ["error: x", "", "absurl: a; b; c", "thread 'main' panicked", "1 x"] {
        assert_eq!(off_key(format!("absurl: a; b\n{line}\n").as_bytes(), false).as_deref(), Some(line));
    }
    assert_eq!(off_key(b"status 0\n", true), None);
    assert_eq!(off_key("absurl: no base (§3.4)\n".as_bytes(), false).as_deref(), Some("absurl: no base (§3.4)"));
    assert_eq!(length_of(&format!("\"{}\" is long", "x".repeat(300))), 10);
    assert_eq!(off_key(b"absurl: a; b; c\n", true).as_deref(), Some("absurl: a; b; c"));
}

// ---------------------------------------------------------------- wrong usage

#[test]
fn wrong_usage_is_one_line_with_status_2() {
    let as_options = |name: &str| format!("\"{name}\" is read as options; write -- before it, or ./{name}");
    let part = "is not a part number; use numbers from 1 with dots between them, such as 2.1";
    let long = "x".repeat(300);
    for (args, what) in [
        (&["--browser"][..], "unknown option \"--browser\"; use --spec whatwg".into()),
        (&["--jsonl=x"], "unknown option \"--jsonl\"; --json prints JSON Lines, with the components".into()),
        (
            &["--completions", "zsh"],
            "unknown option \"--completions\"; use --generate man, complete-bash, complete-zsh or complete-fish".into(),
        ),
        (
            &["--dump", "x.html"],
            "unknown option \"--dump\"; --links prints the links of documents and directories".into(),
        ),
        (&["--redirect=/x"], "unknown option \"--redirect\"; pass it as an argument after --".into()),
        (&["-v"], "unknown option \"-v\"; -V prints the version".into()),
        (&["-B", "x:"], "unknown option \"-B\"; use -b or --base".into()),
        (&["-oF"], "unknown option \"-o\"; absurl writes to standard output".into()),
        (&["--exists"], format!("unknown option \"--exists\"; {WORKS}")),
        (&["--dead"], format!("unknown option \"--dead\"; {WORKS}")),
        (&["--broken"], format!("unknown option \"--broken\"; {WORKS}")),
        (&["--check=links"], format!("--check: \"links\" is not generic, scheme, host or files; {WORKS}")),
        (&["-c=dead"], format!("--check: \"dead\" is not generic, scheme, host or files; {WORKS}")),
        (&["--check=exists"], format!("--check: \"exists\" is not generic, scheme, host or files; {WORKS}")),
        (&["--check=nosuch"], "--check: \"nosuch\" is not generic, scheme, host or files".into()),
        (&["--mv", "a", "b"], format!("unknown option \"--mv\"; {MOVES}")),
        (&["--from=a"], format!("unknown option \"--from\"; {MOVES}")),
        (&["--fetch"], "unknown option \"--fetch\"; absurl does not fetch".into()),
        (&["--nosuch"], "unknown option \"--nosuch\"; see absurl -h".into()),
        (&["--é"], "unknown option \"--é\"; see absurl -h".into()),
        (&["-x"], "unknown option \"-x\"; see absurl -h".into()),
        (&["-V.html"], as_options("-V.html")),
        (&["--check", "--links", "-hx.html", "x"], as_options("-hx.html")),
        (&["-ch.html"], as_options("-ch.html")),
        (&["-V=.html"], "unknown option \"-=\"; see absurl -h".into()),
        (&["-x.html"], as_options("-x.html")),
        (&["-b", "-x.html"], as_options("-x.html")),
        (&["--check", "--links", "README.md", "-dash.md"], as_options("-dash.md")),
        (&["-l", "-file.htm", "-x"], as_options("-file.htm")),
        (&["--nosuch", "--", "-x.html"], "unknown option \"--nosuch\"; see absurl -h".into()),
        (&["--nosuch", "-bhttp://a/x.html"], "unknown option \"--nosuch\"; see absurl -h".into()),
        (&["--nosuch", "-lfREADME.md"], "unknown option \"--nosuch\"; see absurl -h".into()),
        (&["-l", "-f=/gone.html"], "--links takes documents as arguments; omit --file".into()),
        (&["-chost", "-b", "http://a/"], "\"-chost\" is not one option; use --check=host".into()),
        (&["-qlchost", "-b", "http://a/"], "\"-qlchost\" is not one option; use --check=host".into()),
        (&["-cScheme"], "\"-cScheme\" is not one option; use --check=scheme".into()),
        (&["--lniks"], "unknown option \"--lniks\"; did you mean --links?".into()),
        (&["--colours=x"], "unknown option \"--colours\"; did you mean --color?".into()),
        (&["-check"], "\"-check\" has one hyphen; did you mean --check?".into()),
        (&["-links", "page.html"], "\"-links\" has one hyphen; did you mean --links?".into()),
        (&["-color=x", "g"], "\"-color=x\" has one hyphen; did you mean --color=x?".into()),
        (&["--json=x"], "--json takes no value; remove \"x\"".into()),
        (&["-b"], "--base needs a value".into()),
        (&["-f", ""], "--file needs a value".into()),
        (&["--color"], "--color needs a value: auto, always or never".into()),
        (&["--color", "red"], "--color: \"red\" is not auto, always or never".into()),
        (&["--media-type"], "--media-type needs a value".into()),
        (&["--media-type", "x"], "--media-type: \"x\" is not a type that absurl reads; try text/html".into()),
        (&["-s", "html5"], "--spec: \"html5\" is not rfc1808, rfc3986 or whatwg".into()),
        (
            &["--check", "Scheme"],
            "--check Scheme is two arguments; use --check=Scheme, or ./Scheme for a reference".into(),
        ),
        (&["--help", "--check", "--compare"], "--check cannot be used with --compare".into()),
        (&["--compare", "--check", "--explain"], "--check cannot be used with --compare".into()),
        (&["--part", "1.0"], format!("--part: \"1.0\" {part}")),
        (&["--part", ""], format!("--part: \"\" {part}")),
        (&["-f", "-", "-f", "-"], "standard input can be read only once".into()),
        (&["-d", "-"], "standard input is the document; pass the references as arguments".into()),
        (&["--links", "-d", "x"], "--links cannot be used with --document; pass documents as arguments".into()),
        (&["-l", "-", ""], "argument 2: the document's name is empty".into()),
        (&["--generate", "man", "x"], "--generate takes no arguments".into()),
        (&["-b", "http://a\n/", "g"], "--base: \"http://a\\x0A/\" contains a newline; remove it or use --null".into()),
        (&["--color", &long], format!("--color: \"{}\"... is not auto, always or never", "x".repeat(200))),
        (&["-b", "x:", "-f", "tests"], "tests: a directory, not a list; --links reads its documents".into()),
        (&["-b", "x:", "-d", "tests", "g"], "tests: a directory; -d takes one document".into()),
        (&["-l", "https://x/"], "https://x/: absurl does not fetch; pass what curl prints on standard input".into()),
    ] {
        if cfg!(unix) || !what.contains("directory") {
            absurl(args).gives("", format!("absurl: {what}\n"), 2);
        }
        assert!(length_of(&what) <= 120 && !what.starts_with(char::is_uppercase), "{what}");
    }
    assert_eq!(absurl(&["-help"]).text(), absurl(&["-h"]).text());
}

// ---------------------------------------------------------------- notes

#[test]
fn a_base_that_is_surely_a_slip_has_a_note() {
    let note = "absurl: --base: \"localhost:8080/x\" has a host for a scheme; did you mean http://localhost:8080/x?\n";
    absurl(&["-b", "localhost:8080/x", "g"]).gives("localhost:8080/g\n", note, 0);
    let both = format!("{note}absurl: gone: no such file or directory\n");
    absurl(&["-qb", "localhost:8080/x", "-f", "gone"]).gives("", both, 2);
}

#[test]
fn a_base_that_is_ignored_is_quoted_with_the_reason() {
    for (spec, base, why) in [
        ("whatwg", "http://[x/", "the host begins with \"[\", but does not end with \"]\""),
        ("rfc3986", "b c/", "a space is not allowed in a path; write b%20c/"),
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
    absurl(&["-l", "-b", "x://a/"]).input(format!("<base href={long}><a href=y>")).gives("x://a/y\n", message, 1);
    for (length, spec, is_base) in [(8192, "rfc1808", true), (8193, "rfc1808", false), (8193, "whatwg", false)] {
        let base = format!("http://h/{}/", &long[..length - 10]);
        let what = "it is longer than 8 KiB; shorten it";
        let message = format!("absurl: -:1:12: ignoring the BASE \"{}\"...: {what}\n", &base[..200]);
        let (answer, message) =
            if is_base { (base.clone() + "y\n", String::new()) } else { ("x://a/y\n".into(), message) };
        let page = format!("<base href={base}><a href=y>");
        absurl(&["-l", "-s", spec, "-b", "x://a/"]).input(page).gives(answer, message, i32::from(!is_base));
    }
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
        (&["--print-base", "-b", "x:"], "<p>\n", Some("a document from the terminal"), "x:\t3.3"),
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
        (&["--print-base", "-b", "x:", "-d", "-"], "<p>\n", Some("a document from the terminal"), "x:\t3.3"),
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
fn a_file_that_is_no_record_has_a_fix() {
    let message = "absurl: argument 2: a file; --file reads its lines\n";
    absurl(&["-p", "http://a/\tg", "Cargo.toml"]).gives("http://a/g\n\n", message, 1);
    let message = "absurl: argument 1: no TAB; write BASE TAB REFERENCE\n";
    absurl(&["-p", "missing"]).gives("\n", message, 1);
}

#[test]
fn arguments_that_are_surely_slips_have_a_note() {
    let directory = new_directory("slips");
    fs::write(directory.join("links.txt"), "g\n").unwrap();
    for (arguments, note, stdout) in [
        (
            &["-b", "x:/", "g", "-"][..],
            "argument 2: - is no file here; standard input is read without arguments",
            "x:/g\nx:/-\n",
        ),
        (&["-b", "x:/", "--", "-"], "", "x:/-\n"),
        (&["-b", "x:/", "--", "links.txt"], "", "x:/links.txt\n"),
        (&["-b", "x:/", "links.txt"], "links.txt is a file: --file reads its lines", "x:/links.txt\n"),
        (&["-b", "", "x:"], "--base: \"\" is empty; is a variable not set?", "x:\n"),
        (&["-b", "x:/", "./-"], "", "x:/-\n"),
        (&["-p", "x:/\t-"], "", "x:/-\n"),
        (&["-b", "x:/", "links.txt", "g"], "", "x:/links.txt\nx:/g\n"),
        (&["-b", "x:/", "gone.txt"], "", "x:/gone.txt\n"),
    ] {
        let note = if note.is_empty() { String::new() } else { format!("absurl: {note}\n") };
        absurl(arguments).directory(&directory).gives(stdout, note, 0);
    }
    fs::write(directory.join("page.html"), "").unwrap();
    let note = "absurl: page.html is a file: --links reads it\n";
    absurl(&["page.html"]).directory(&directory).gives("\n", note.to_owned() + &no_base("argument 1"), 1);
    absurl(&["-b", "x:/", "page.html"]).directory(&directory).gives("x:/page.html\n", "", 0);
    absurl(&["-b", "x:/", "-f", "-"]).input("-\n").gives("x:/-\n", "", 0);
    let (_, stderr, _) = absurl(&["--check", "strict", "-b", "http://a/"]).text();
    let note = "absurl: argument 1: \"strict\" is read as a reference; --check= takes generic, ";
    assert!(stderr.starts_with(note), "{stderr}");
}

/// What is said of an argument before `--`, with and without `--base`, and that nothing is said of one after it.
#[cfg(unix)]
#[test]
fn names_are_no_references_to_check() {
    let directory = new_directory("names");
    for name in ["site", "empty"] {
        fs::create_dir(directory.join(name)).unwrap();
    }
    for name in ["site/a.html", "site/b.html", "page.php", "noext", "links.txt", "table.csv"] {
        fs::write(directory.join(name), "g\n").unwrap();
    }
    for name in ["list.html", "README.md", "feed.xml"] {
        fs::write(directory.join(name), "g\n").unwrap();
    }
    symlink("site", directory.join("linked")).unwrap();
    symlink("nowhere", directory.join("gone")).unwrap();
    assert!(Command::new("mkfifo").arg(directory.join("fifo")).status().unwrap().success());
    let rows = read_rows(include_str!("../data/names.tsv"));
    let said_of = |line: &str| {
        let (_, stderr, status) = absurl(&[]).words(line).directory(&directory).text();
        let is_other =
            |line: &&str| line.contains(" reference") && !line.contains(';') || line.ends_with("use --base URL");
        let lines: Vec<_> = stderr.lines().take_while(|line| !is_other(line)).map(str::to_owned).collect();
        (lines, status == 2)
    };
    assert_each(rows.iter().flat_map(|fields: &[Vec<u8>; 4]| {
        let [flags, names, messages, status] = fields.each_ref().map(|field| str::from_utf8(field).unwrap());
        let lines = messages.split('|').filter(|message| !message.is_empty());
        let expected = (lines.map(|line| format!("absurl: {line}")).collect::<Vec<_>>(), status == "2");
        let before = ["", "-b http://a/ "].map(|base| format!("{flags} {base}{names}"));
        let after = ["", "-b http://a/ "].map(|base| format!("{flags} {base}-- {names}"));
        let is_file = names.starts_with("-f");
        let after = after.into_iter().filter(move |_| !is_file).map(|line| (line, (Vec::new(), false)));
        let rows: Vec<_> = before.into_iter().map(|line| (line, expected.clone())).chain(after).collect();
        rows.into_iter().map(|(line, expected)| (line.clone(), said_of(&line), expected))
    }));
}

#[cfg(unix)]
#[test]
fn a_base_that_is_not_utf_8_has_a_note_where_it_is_decoded() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let note = "absurl: --base: \"http://a/\\xFC/\" is not UTF-8; percent-encode it\n";
    for (flags, is_noted) in [
        ("-s whatwg", true),
        ("-s rfc3986", true),
        ("--compare", true),
        ("--check=host", true),
        ("-c", false),
        ("-k", false),
    ] {
        let run = absurl(&["-b"]).argument(OsStr::from_bytes(b"http://a/\xFC/")).words(flags).argument("g");
        assert_eq!(run.bytes().1.starts_with(note), is_noted, "{flags}");
    }
}

/// A name in a directory that may not be searched is a name, too.
#[cfg(unix)]
#[test]
fn a_name_that_is_hidden_by_its_directory_is_refused() {
    let directory = new_directory("hidden");
    fs::create_dir_all(directory.join("site")).unwrap();
    let forbid = r#"chmod 0 site; [ ! -x site ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"
        "$@"; status=$?; chmod 755 site; exit $status"#;
    let message = "absurl: site/a.html is a file; use --links, or write -- before a reference\n";
    let run = absurl(&["--check=host", "-b", "http://a/", "site/a.html"]).directory(&directory);
    run.shell(forbid).gives("", message, 2);
}

/// A guard of a variable that is empty and has no quotes would read standard input, and find no fault.
#[test]
fn a_guard_needs_an_argument_after_two_hyphens() {
    let guard = ["--check=host", "-b", "http://a/", "--"];
    absurl(&guard).gives("", "absurl: no argument after --; write a variable in quotes\n", 2);
    assert_eq!(absurl(&guard).argument("").text().2, 0);
    assert_eq!(absurl(&["-f", "-"]).arguments(&guard).input("g\n").text().2, 0);
    assert_eq!(absurl(&["-c", "-b", "http://a/", "--"]).input("g\n").text().2, 0);
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
        ("--compare=meaning -b x: g:h", "--compare=Meaning -b x: g:h"),
        ("--spec rfc3986 -b http://a/b ../../g", "--spec 3986 -b http://a/b ../../g"),
        ("--spec whatwg -b http://a/b ../../g", "--spec=browser -b http://a/b ../../g"),
        ("--spec whatwg -b http://a/b ../../g", "-s Browsers -b http://a/b ../../g"),
        ("--spec rfc1808 -b http://a/b ../../g", "-s 1808 -b http://a/b ../../g"),
        ("--spec rfc3986 -b http://a/b ../../g", "--spec RFC3986 -b http://a/b ../../g"),
        ("--spec whatwg -b http://a/b ../../g", "--spec WHATWG -b http://a/b ../../g"),
    ] {
        let [long, short] = [long, short].map(|line| absurl(&[]).words(line).bytes());
        assert_eq!(short, long);
        assert_eq!(short.2, 0, "{short:?}");
    }
}

#[test]
fn a_file_whose_name_begins_with_a_hyphen_is_no_options() {
    let directory = new_directory("hyphen");
    fs::write(directory.join("-d"), "").unwrap();
    fs::write(directory.join("-dash.md"), "[a](x:)").unwrap();
    let run = |arguments: &[&str]| absurl(arguments).directory(&directory);
    let as_options = |name: &str| format!("absurl: \"{name}\" is read as options; write -- before it, or ./{name}\n");
    run(&["-l", "-d"]).gives("", as_options("-d"), 2);
    run(&["-l", "-dash.md"]).gives("", as_options("-dash.md"), 2);
    for arguments in [&["-l", "--", "-dash.md"][..], &["-l", "./-dash.md"], &["-f-dash.md"]] {
        assert!(!run(arguments).text().1.contains("is read as options"), "{arguments:?}");
    }
    // a guard's own option, which would let other links pass
    for name in ["--allow=evil.html", "-bhttp:.html"] {
        fs::write(directory.join(name), "<a href=//evil.html/>").unwrap();
        run(&["--check=host", "-b", "http://a/", "-l", "-dash.md", name]).gives("", as_options("-dash.md"), 2);
        run(&["--check=host", "-b", "http://a/", "-l", "./-dash.md", name]).gives("", as_options(name), 2);
        let found = format!("{name}:1:9: //evil.html/: reaches evil.html, not a\n");
        let sum = "absurl: 1 link may leave its host\n";
        run(&["--check=host", "-b", "http://a/", "-l", "--", name]).gives(found, sum, 1);
    }
    assert_eq!(run(&["--check=host", "--allow=evil.md", "-b", "http://a/", "--", "//evil.md"]).text().2, 0);
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
        (&["--compare", "-b", "http://a/b", "-f", names[2]], "./::debug::z:1: #\n"),
    ] {
        let (stdout, _, _) = run(arguments).text();
        assert!(stdout.starts_with(start), "{arguments:?}: {stdout}");
    }
    let (_, stderr, _) = run(&["-f", names[0]]).text();
    assert!(stderr.starts_with("absurl: ./::error::x:1: "), "{stderr}");
}

#[test]
fn a_base_that_is_an_argument_has_a_note() {
    let message = "absurl: argument 2: relative URL without a base; write --base before argument 1\n";
    absurl(&["http://a/b", "../g"]).gives("http://a/b\n\n", message, 1);
}

/// A list in which `--pairs` was forgotten: all modes have a note, whatever the standard.
#[test]
fn a_tab_after_a_url_has_a_note_once_a_source() {
    let note = |place: &str| format!("absurl: {place}: a TAB after a URL; for BASE TAB REFERENCE use --pairs\n");
    let modes = [
        "",
        "-j",
        "-e",
        "-k",
        "--relative",
        "-c",
        "-c=scheme",
        "--check=host",
        "--compare",
        "-d tests/data/pairs.html",
    ];
    let pairs = "g\na\tb\nhttp://a/b\tg\nhttp://a/c\tg\n";
    let file = new_file("forgotten_pairs", pairs.as_bytes());
    for mode in modes {
        for spec in ["", "-s rfc3986", "-s whatwg"] {
            if mode == "-c=scheme" && !spec.is_empty() {
                continue;
            }
            let run = |list: &str, flags: &str| {
                let base = if mode.starts_with("-d") { "" } else { "-b http://a/" };
                let (_, stderr, status) =
                    absurl(&["-f", "-"]).words(&format!("{base} {mode} {spec} {flags}")).input(list).text();
                let notes: String = stderr.split_inclusive('\n').filter(|line| line.contains("a TAB")).collect();
                (notes, status)
            };
            let (notes, status) = run(pairs, &format!("-f {file}"));
            assert_eq!(notes, note("-:3") + &note(&format!("{file}:3")), "{mode} {spec}");
            assert_eq!(run(pairs, &format!("-q -f {file}")), (String::new(), status), "{mode} {spec}");
            for none in ["g\tx\n", "x:y\tz\n", "/a\thttp://a/\n", "http://a/b\nc\td\n"] {
                assert_eq!(run(none, "").0, "", "{mode} {spec} {none}");
            }
        }
    }
    absurl(&["-p"]).input("http://a/b\tg\n").gives("http://a/g\n", "", 0);
    absurl(&["-0"]).input("http://a/\0http://a/b\tg\0").gives("http://a/\0http://a/b\tg\0", note("-:2"), 0);
    absurl(&["x:", "http://a/b\tg"]).gives("x:\nhttp://a/b\tg\n", note("argument 2"), 0);
}

/// The modes that decode a record.
const DECODING: [&[&str]; 5] =
    [&["-s", "whatwg"], &["-s", "whatwg", "-j"], &["--relative", "-s", "whatwg"], &["--compare"], &["--check=host"]];

/// The note about a byte that is not UTF-8.
pub fn undecodable(location: &str, bytes: &str) -> String {
    format!(
        "absurl: {location}: {bytes} is not UTF-8 and becomes U+FFFD; convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE\n"
    )
}

#[test]
fn bytes_that_are_not_utf_8_have_a_note_where_they_are_decoded() {
    let plain = "g\nhttps://a/h\n//a/\n".repeat(10);
    let long = "g".repeat(100);
    for (record, bytes) in [
        (&b"\xFCber"[..], "\\xFC"),
        (b"https://a/b\xE2\x82/\xFF", "\\xE2\\x82"),
        (b"//a/\xE9", "\\xE9"),
        (b"#\x80", "\\x80"),
        (&[long.as_bytes(), b"\xFF"].concat(), "\\xFF"),
    ] {
        let list = [plain.as_bytes(), "\u{E9}?\u{4E2D}\n".as_bytes(), record, b"\n\xFC\n", plain.as_bytes()].concat();
        let (file, second) = (new_file("undecodable_1", &list), new_file("undecodable_2", b"\xFE"));
        for mode in DECODING {
            let run = |flags: &[&str]| absurl(mode).arguments(&["-b", "https://a/"]).arguments(flags).input(&*list);
            let notes = |stderr: &str| stderr.split_inclusive('\n').filter(|it| it.contains("U+")).collect::<String>();
            assert_eq!(notes(&run(&[]).text().1), undecodable("-:32", bytes), "{mode:?}");
            let (_, stderr, _) = run(&["-f", &file, "-f", &second, "-f", "-"]).text();
            let three = [(&*file, 32, bytes), (&second, 1, "\\xFE"), ("-", 32, bytes)];
            let three = three.map(|(name, line, bytes)| undecodable(&format!("{name}:{line}"), bytes)).concat();
            assert_eq!(notes(&stderr), three, "{mode:?}");
            assert_eq!(notes(&run(&["-q"]).text().1), "", "{mode:?}");
            assert_eq!(notes(&run(&["-0", "-f", &second]).text().1), undecodable(&format!("{second}:1"), "\\xFE"));
        }
    }
    // the status stays, and nothing else is said
    absurl(&["-s", "whatwg", "-b", "x:/"]).input(b"\xFC\n").gives("x:/%EF%BF%BD\n", undecodable("-:1", "\\xFC"), 0);
}

#[test]
fn bytes_that_are_not_utf_8_have_no_note_where_they_stay() {
    let run = |flags: &str, list: &[u8]| {
        let (_, stderr, status) = absurl(&["-b", "http://a/"]).words(flags).input(list).bytes();
        (stderr, status)
    };
    for flags in ["", "-j", "-s rfc1808", "-e", "--relative"] {
        assert_eq!(run(flags, b"\xFC\n"), (String::new(), 0), "{flags}");
    }
    // RFC 3986 has no answer
    let (stderr, status) = run("-s rfc3986", b"g\n\xFC\n");
    let note = "absurl: -:2: \\xFC is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE\n";
    assert!(stderr.starts_with(note) && stderr.lines().count() == 2 && status == 1, "{stderr}");
    // a document has a charset
    for flags in ["-s whatwg", "--compare", "--check=host"] {
        let (stderr, _) = run(&format!("-l {flags}"), b"<a href=\xFC>");
        assert!(!stderr.contains("U+"), "{stderr}");
    }
}

#[test]
fn pairs_and_arguments_have_a_note_about_bytes_that_are_not_utf_8() {
    let pairs = b"http://a/\tg\nhttp://a/\xFCb/\tg\nhttp://a/\t\xFD\n";
    let answers = "http://a/g\nhttp://a/%EF%BF%BDb/g\nhttp://a/%EF%BF%BD\n";
    absurl(&["-p", "-s", "whatwg"]).input(pairs).gives(answers, undecodable("-:2", "\\xFC"), 0);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let byte = std::ffi::OsStr::from_bytes(b"\xFC");
        let note = "absurl: argument 2: \\xFC is not UTF-8 and becomes U+FFFD; write it in UTF-8\n";
        let run = absurl(&["-s", "whatwg", "-b", "http://a/", "g"]).argument(byte).argument(byte);
        run.gives("http://a/g\nhttp://a/%EF%BF%BD\nhttp://a/%EF%BF%BD\n", note, 0);
    }
}

// ---------------------------------------------------------------- floods

/// The line after ten messages of a kind.
fn more(source: &str, count: u32) -> String {
    format!("absurl: {source}: {count} more like these\n")
}

#[test]
fn ten_messages_of_a_kind_are_printed_and_the_others_counted() {
    let messages = |count| (1..=count).map(|line| no_base(&format!("-:{line}"))).collect::<String>();
    for (count, expected) in [(9, messages(9)), (10, messages(10)), (11, messages(10) + &more("-", 1))] {
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
    assert_eq!((count("no TAB"), count("with an empty base"), count("has no scheme"), status), (10, 10, 10, 1));
    let numbers = more("-", 2) + &more("-", 2);
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
    assert!(stderr.ends_with("absurl: -: 3 more like these\n"), "{stderr}");
}

#[test]
fn each_source_has_its_own_messages_and_their_number_at_its_end() {
    let (one, two) = (new_file("flood_1", "g\n".repeat(12)), new_file("flood_2", "g\n".repeat(10)));
    let message = |name: &str, line| format!("absurl: {name}:{line}: no TAB; write BASE TAB REFERENCE\n");
    let messages = |name: &str| (1..=10).map(|line| message(name, line)).collect::<String>();
    let expected = [messages(&one), more(&one, 2), messages(&two)].concat();
    absurl(&["-p", "-f", &one, "-f", &two]).gives("\n".repeat(22), expected, 1);
    let arguments: String = (1..=10).map(|number| no_base(&format!("argument {number}"))).collect();
    absurl(&["g"; 12]).gives("\n".repeat(12), arguments + &more("argument", 2), 1);
}

/// A missing `--base` is one cause, whatever is read.
#[test]
fn a_missing_base_is_counted_over_all_sources() {
    let rest = |count, sources| format!("absurl: {count} more like these in {sources} sources\n");
    let lists = [6, 6, 1, 9].map(|lines| new_file(&format!("no_base_{lines}"), "g\n".repeat(lines)));
    let [one, two, three, four] = &lists;
    let messages = |name: &str, lines| (1..=lines).map(|line| no_base(&format!("{name}:{line}"))).collect::<String>();
    let ten = messages(one, 6) + &messages(two, 4);
    let run = |flags: &[&str]| lists.iter().fold(absurl(flags), |run, list| run.arguments(&["-f", list]));
    run(&[]).gives("\n".repeat(22), ten.clone() + &rest(12, 3), 1);
    // the summary comes last
    run(&["-s", "rfc1808", "--compare"]).gives(
        "",
        ten + &rest(12, 3) + "absurl: no differences in 22 references, 22 failed\n",
        1,
    );
    run(&["--compare", "-q"]).gives("", "", 1);
    // another kind in between has its own count, at the end of its source
    let pages = [1, 2, 3, 4, 5]
        .map(|page| new_file(&format!("no_base_page_{page}"), "<base href=x>".to_owned() + &"<a href=g>".repeat(4)));
    let ten = messages(one, 6) + &messages(two, 4);
    absurl(&["-f", one, "-f", two]).gives("\n".repeat(12), ten.clone() + &more(two, 2), 1);
    absurl(&["-f", one, "-f", two, "-f", three, "-f", four]).gives("\n".repeat(22), ten + &rest(12, 3), 1);
    let (_, stderr, _) = absurl(&["-l"]).arguments(&pages.each_ref().map(|page| &**page)).text();
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.contains("relative URL without a base")).count(), 10, "{stderr}");
    assert_eq!(lines.last().copied(), Some(rest(10, 3).trim_end()), "{stderr}");
    // an empty base before the TAB is one cause, too
    let rest = "absurl: 42 more like these in 11 sources";
    let records: String = (0..13).map(|page| format!("\t{}\n", pages[page % 5])).collect();
    let (_, stderr, _) = absurl(&["-lp"]).input(&*records).text();
    assert_eq!(stderr.matches("with an empty base").count(), 10, "{stderr}");
    assert_eq!(stderr.lines().last(), Some(rest), "{stderr}");
    let list = new_file("no_base_pairs", "\tg\n".repeat(12));
    let (_, stderr, _) = absurl(&["-p", "-f", &list, "-f", &list]).text();
    assert_eq!(stderr.lines().count(), 11, "{stderr}");
}
