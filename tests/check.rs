//! `--check`: what is legal by RFC 1808 §2.2, and what is said of the rest.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test says no by a panic"
)]

mod bnf;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use bnf::Grammar;

/// Runs absurl: its standard output, standard error and exit status.
fn absurl(arguments: &[&str], input: impl AsRef<[u8]>) -> (String, String, i32) {
    let output = assert_cmd::Command::new(cargo_bin("absurl")).args(arguments).write_stdin(input.as_ref()).output();
    let output = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// Runs `--check` over a list: all it says, which must be on standard output alone.
fn check(arguments: &[&str], input: impl AsRef<[u8]>) -> (String, i32) {
    let (stdout, stderr, status) = absurl(&[&["--check"], arguments].concat(), input);
    assert_eq!(stderr, "");
    (stdout, status)
}

/// What `--check` says of each text, each a record that ends in NUL: the columns of its offences.
fn columns(texts: impl Iterator<Item = Vec<u8>> + Send, mut each: impl FnMut(u64, &[usize])) {
    let mut absurl =
        Command::new(cargo_bin("absurl")).args(["-c0"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = absurl.stdin.take().unwrap();
    let mut stdout = BufReader::with_capacity(1 << 16, absurl.stdout.take().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut block = Vec::new();
            for text in texts {
                block.extend_from_slice(&text);
                block.push(0);
                if block.len() > 1 << 16 {
                    stdin.write_all(&block).unwrap();
                    block.clear();
                }
            }
            stdin.write_all(&block).unwrap();
        });
        let (mut line, mut of, mut columns) = (Vec::new(), 0, Vec::new());
        while stdout.read_until(b'\n', &mut line).unwrap() > 0 {
            let mut fields = line.split(|&byte| byte == b':').skip(1);
            let mut number = || std::str::from_utf8(fields.next().unwrap()).unwrap().parse::<u64>().unwrap();
            let (record, column) = (number(), usize::try_from(number()).unwrap());
            if record != of {
                each(of, &columns);
                (of, columns) = (record, Vec::new());
            }
            if !fields.next().unwrap().starts_with(b" note") {
                columns.push(column);
            }
            line.clear();
        }
        each(of, &columns);
    });
    absurl.wait().unwrap();
}

/// Compares what `--check` says of texts with the matcher. A text whose offending bytes are written
/// as escapes must be legal too, if its path has a first segment. Returns how many texts were legal.
fn agree(texts: impl Iterator<Item = Vec<u8>> + Clone + Send) -> u64 {
    let grammar = Grammar::rfc_1808();
    let (mut expected, mut record, mut legal) = (texts.clone(), 0, 0);
    let mut judge = |text: &[u8], columns: &[usize]| {
        assert_eq!(columns.is_empty(), grammar.matches("URL", text), "{:?}: {columns:?}", text.escape_ascii());
        assert!(columns.is_sorted(), "{:?}: {columns:?}", text.escape_ascii());
        let mut mended = text.to_vec();
        for column in columns.iter().rev() {
            let byte = mended[column - 1];
            assert!(columns.iter().filter(|other| *other == column).count() == 1);
            let escaped = if byte == b'/' { "/.".to_owned() } else { format!("%{byte:02X}") };
            mended.splice(column - 1..*column, escaped.into_bytes());
            if byte == b'/' {
                mended.swap(column - 1, *column); // "/" becomes "./"
            }
        }
        if !columns.is_empty() && mended.len() < 128 {
            assert!(grammar.matches("URL", &mended), "{:?}: {columns:?}", text.escape_ascii());
        }
        legal += u64::from(columns.is_empty());
    };
    columns(texts, |of, columns| {
        if of > 0 {
            for text in expected.by_ref() {
                record += 1;
                judge(&text, if record == of { columns } else { &[] });
                if record == of {
                    break;
                }
            }
        }
    });
    for text in expected {
        judge(&text, &[]);
    }
    legal
}

/// All texts of `length` bytes over an alphabet.
fn all(alphabet: &'static [u8], length: u32) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let radix = alphabet.len();
    (0..radix.pow(length)).map(move |mut number| {
        let mut text = Vec::with_capacity(length as usize);
        for _ in 0..length {
            text.push(alphabet[number % radix]);
            number /= radix;
        }
        text
    })
}

/// Random texts from a seed (xorshift): mostly bytes that mean something, some that may not be.
fn random(seed: u64, texts: usize, longest: u64) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let mut state = seed;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    (0..texts).map(move |_| {
        let length = next(longest);
        let odd = next(4) == 0;
        let byte = |next: &mut dyn FnMut(u64) -> u64| match next(if odd { 8 } else { 7 }) {
            0 | 1 => b":/?#;.@&="[next(9) as usize],
            2 => b'%',
            3 => b"0123456789abcdefABCDEF"[next(22) as usize],
            4 => b"$-_.+!*'(),"[next(11) as usize],
            5 | 6 => b"ghxyzGHXYZ"[next(10) as usize],
            _ => 1 + next(255) as u8,
        };
        (0..length).map(|_| byte(&mut next)).collect()
    })
}

/// The grammar is whole: 30 productions, and a few texts of the RFC.
#[test]
fn the_matcher_is_the_grammar() {
    let grammar = Grammar::rfc_1808();
    assert_eq!(grammar.len(), 30);
    for (production, text, expected) in [
        ("URL", "http://a/b/c/d;p?q#f", true),
        ("URL", "", true),
        ("URL", "//a//b", false),
        ("URL", "http://a//b", true),
        ("generic-RL", "http://a//b", false),
        ("relativeURL", "//a//b", false),
        ("path", "a//b", true),
        ("path", "/b", false),
        ("fsegment", "", false),
        ("escape", "%4g", false),
        ("escape", "%4f", true),
        ("national", "\\", true),
        ("punctuation", "\"", true),
        ("scheme", "a_b", false),
    ] {
        assert_eq!(grammar.matches(production, text.as_bytes()), expected, "{production}: {text}");
    }
}

/// One byte of each class that the grammar tells apart: hex and other letters, uchar that no scheme
/// has, `:` and the rest of pchar, each delimiter, `%`, and a byte that is nowhere.
const CLASSES: &[u8] = b"ag_:@/;?#%~";

#[test]
fn every_text_up_to_5_bytes_is_judged_as_the_grammar_does() {
    for length in 0..=5 {
        assert!(agree(all(CLASSES, length)) > 0);
    }
}

#[test]
fn every_text_of_6_bytes_is_judged_as_the_grammar_does() {
    assert!(agree(all(CLASSES, 6)) > 100_000);
}

#[test]
fn every_byte_is_judged_as_the_grammar_does() {
    // in each component: net_loc, path, params, query, fragment, behind a scheme, as a scheme
    let texts = ["//", "", "a;", "a?", "#", "x:", "//a/"].into_iter();
    let texts = texts.flat_map(|before| (1..=255).map(move |byte| [before.as_bytes(), &[byte, b'b'][..]].concat()));
    assert!(agree(texts) > 500);
}

#[test]
fn random_texts_are_judged_as_the_grammar_does() {
    assert!(agree(random(0x1808_1995, 200_000, 24)) > 10_000);
    assert!(agree(random(0x0506_0301, 20_000, 60)) > 100);
}

#[test]
fn each_offence_is_a_line_with_its_production_and_its_remedy() {
    let list = b"a~b\n\n//a//b%4\x80#x#y z\nok\n/%%zz%%41\"<\ng;a b?\xff\x1b|#%\n//~?\\";
    let expected = r##"-:1:2: "~" is "national", not allowed in a path segment (§2.2 pchar); write %7E
-:3:5: the first segment of the path is empty (§2.2 fsegment); write one "/", or all of the URL with its scheme
-:3:7: "%" is not followed by two hex digits, in a path segment (§2.2 escape); write %25
-:3:9: \x80 is not ASCII, not allowed in a path segment (§2.2 pchar); write %80
-:3:12: "#" is "punctuation", not allowed in the fragment (§2.2 fragment); write %23
-:3:14: " " is a space, not allowed in the fragment (§2.2 fragment); write %20
-:5:2: "%" is not followed by two hex digits, in a path segment (§2.2 escape); write %25
-:5:3: "%" is not followed by two hex digits, in a path segment (§2.2 escape); write %25
-:5:6: "%" is not followed by two hex digits, in a path segment (§2.2 escape); write %25
-:5:10: """ is "punctuation", not allowed in a path segment (§2.2 pchar); write %22
-:5:11: "<" is "punctuation", not allowed in a path segment (§2.2 pchar); write %3C
-:6:4: " " is a space, not allowed in the params (§2.2 param); write %20
-:6:7: \xFF is not ASCII, not allowed in the query (§2.2 query); write %FF
-:6:8: \x1B is a control character, not allowed in the query (§2.2 query); write %1B
-:6:9: "|" is "national", not allowed in the query (§2.2 query); write %7C
-:6:11: "%" is not followed by two hex digits, in the fragment (§2.2 escape); write %25
-:7:3: "~" is "national", not allowed in the net_loc (§2.2 net_loc); write %7E
-:7:5: "\" is "national", not allowed in the net_loc (§2.2 net_loc); write %5C
"##;
    assert_eq!(check(&[], list), (expected.to_owned(), 1));
}

#[test]
fn a_list_without_an_offence_says_nothing() {
    let list = "g\n./g\n/g\n//g\n?y\ng?y\n#s\n;x\ng;x=1/../y\nhttp:g\nhttp://a//b\n\n../../../g\n%7Eg\na_b:c\n";
    assert_eq!(check(&["-b", "http://a/b/c/d;p?q#f"], list), (String::new(), 0));
    assert_eq!(check(&[], ""), (String::new(), 0));
}

#[test]
fn the_base_is_judged_once_at_its_own_place() {
    let (said, status) = check(&["-b", "Mailto:a b", "x:y"], "");
    let expected = "\
base:1: relative URLs are never used with a base of scheme \"Mailto\" (§2.3); write the references with their schemes
base:9: \" \" is a space, not allowed in a path segment (§2.2 pchar); write %20
argument 1:1: note: \"x\" is taken for a scheme (§2.4.2); if a relative path is meant, write \"./\" before it (§5.3)
";
    assert_eq!((said.as_str(), status), (expected, 1));
    let (said, status) = check(&["-b", "http://a/~b"], "g\ng\ng\n");
    assert_eq!(said.lines().count(), 1);
    assert!(said.starts_with("base:10: \"~\""), "{said}");
    assert_eq!(status, 1);
    for scheme in ["news:a", "telnet://a"] {
        assert_eq!(check(&["-b", scheme], "g").1, 1);
    }
    let (stdout, stderr, status) = absurl(&["--check", "-b", "no-scheme"], "g\n");
    assert_eq!((stdout.as_str(), status), ("", 2));
    assert!(stderr.starts_with("absurl: --base: the base URL has no scheme"), "{stderr}");
}

#[test]
fn a_scheme_that_may_be_a_path_is_a_note_and_no_offence() {
    let list = "this:that\nhttps://a/\nhttps:g\nHTTP:g\nurn:x\nfile:x\nprospero:x\nx+y://\n./this:that\nthis%3Athat\n";
    let (said, status) = check(&["-b", "URN:a"], list);
    let note = |line, scheme| {
        format!(
            "-:{line}:1: note: \"{scheme}\" is taken for a scheme (§2.4.2); if a relative path is meant, write \"./\" before it (§5.3)\n"
        )
    };
    assert_eq!((said, status), (note(1, "this") + &note(3, "https"), 0));
}

#[test]
fn in_pairs_columns_are_those_of_the_record() {
    let list = "http://a~/\ta~b\nx\tg\nt:x\tt:y\nt:x\tu:z~\n\tg\n";
    let (stdout, stderr, status) = absurl(&["-c", "-p"], list);
    let places: Vec<_> = stdout.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["-:1:9", "-:1:13", "-:2:1", "-:4:5", "-:4:8"]);
    assert_eq!((stderr.as_str(), status), ("", 1));
    assert!(stdout.contains("-:2:1: the base URL has no scheme (§2.2 absoluteURL); write all of it"), "{stdout}");
    let (stdout, stderr, status) = absurl(&["-c", "-p"], "no tab\n");
    assert_eq!((stdout.as_str(), status), ("", 1));
    assert_eq!(stderr, "absurl: -:1: no TAB in the record; write BASE TAB REFERENCE\n");
}

#[test]
fn json_has_an_object_for_each_record_and_one_for_a_base_with_offences() {
    let (said, status) = check(&["-j", "-b", "http://a/~"], b"ok\na:%\n\xff\n");
    let expected = r#"{"source":"base","base":"http://a/~","offences":[{"in":"base","production":"pchar","column":10,"byte":126,"remedy":"%7E","message":"\"~\" is \"national\", not allowed in a path segment (§2.2 pchar); write %7E"}],"notes":[]}
{"source":"-","record":1,"reference":"ok","base":"http://a/~","offences":[],"notes":[]}
{"source":"-","record":2,"reference":"a:%","base":"http://a/~","offences":[{"in":"reference","production":"escape","column":3,"byte":37,"remedy":"%25","message":"\"%\" is not followed by two hex digits, in a path segment (§2.2 escape); write %25"}],"notes":[{"in":"reference","column":1,"byte":97,"message":"\"a\" is taken for a scheme (§2.4.2); if a relative path is meant, write \"./\" before it (§5.3)"}]}
{"source":"-","record":3,"reference":"�","base":"http://a/~","offences":[{"in":"reference","production":"pchar","column":1,"byte":255,"remedy":"%FF","message":"\\xFF is not ASCII, not allowed in a path segment (§2.2 pchar); write %FF"}],"notes":[],"reference_base64":"/w=="}
"#;
    assert_eq!((said.as_str(), status), (expected, 1));
    let (stdout, _, status) = absurl(&["-c", "-j", "-p"], "no tab\n");
    assert!(stdout.contains(r#""error":{"code":"no-tab""#), "{stdout}");
    assert_eq!(status, 1);
}

#[test]
fn quiet_leaves_the_status_and_fail_fast_the_first_record() {
    assert_eq!(check(&["-q"], "ok\na~\n"), (String::new(), 1));
    assert_eq!(check(&["-q"], "ok\nx:y\n"), (String::new(), 0));
    let (said, status) = check(&["--fail-fast"], "ok\n~a~\n~\n");
    assert_eq!(said.lines().count(), 2);
    assert_eq!(status, 1);
}

#[test]
fn records_are_those_of_every_other_mode() {
    let folder = std::env::temp_dir().join(format!("absurl-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("list.txt");
    std::fs::write(&file, "\u{FEFF}ok~\r\n\r\n~").unwrap();
    let file = file.to_str().unwrap();
    let (said, status) = check(&["-f", file, "-f", "-", "~arg"], "x\n~\r");
    let places: Vec<_> = said.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
    let expected =
        ["argument 1:1".to_owned(), format!("{file}:1:3"), format!("{file}:3:1"), "-:2:1".into(), "-:2:2".into()];
    assert_eq!((places, status), (expected.to_vec(), 1));
    let (said, _) = check(&["-0"], "a\nb\0\r\0");
    assert_eq!(said.lines().count(), 2);
    assert!(said.starts_with("-:1:2: \\x0A is a control character"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn check_resolves_nothing() {
    for flag in ["-k", "-e"] {
        let (stdout, stderr, status) = absurl(&["--check", flag, "g"], "");
        assert_eq!((stdout.as_str(), status), ("", 2));
        assert!(stderr.contains("cannot be used with"), "{stderr}");
    }
}

#[test]
fn a_base_that_does_not_suit_has_a_production_and_a_long_record_all_its_offences() {
    let output = |arguments: &[&str], input: &str| {
        let output = assert_cmd::Command::new(cargo_bin("absurl")).args(arguments).write_stdin(input).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let json = output(&["-c", "-j", "-b", "mailto:x", "g"], "");
    assert!(json.contains(r#""offences":[{"in":"base","production":"scheme","column":1,"byte":109,"#), "{json}");
    // far more than is kept back
    let json = output(&["-c", "-j"], &"~".repeat(10_000));
    assert_eq!((json.lines().count(), json.matches(r#""remedy":"%7E""#).count()), (1, 10_000));
}

#[test]
fn messages_come_between_objects_that_are_streamed() {
    let page = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("check_page.html");
    std::fs::write(&page, "<a href=\"x y\">\n".repeat(400)).unwrap();
    let list = format!("http://a/\t{}\n{}", page.display(), "http://a/\t/no/such/page\n".repeat(1200));
    let (stdout, stderr, status) = absurl(&["-l", "-p", "-c", "-j"], list);
    assert_eq!((stdout.lines().count(), stderr.lines().count(), status), (400, 1200, 2));
    assert!(stdout.lines().all(|line| line.starts_with('{') && line.ends_with('}')));
}
