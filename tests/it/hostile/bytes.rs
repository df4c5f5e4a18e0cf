//! Control bytes, and bytes that are no text: they pass into answers, and never into messages and explanations.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use super::row::{join, row, run_all, text};
use crate::cli::{NO_BASE, no_base};
use crate::harness::{absurl, new_directory};

/// Bytes that are in no text: NUL, ESC, what is not UTF-8, a lone CR, a BOM, and a BOM that is cut off.
const ODD: &[u8] = b"\xEF\xBB\xBFa\0b\n\x1B[31m\n\xFF\xFE\na\rb\r\n\r\n\xEF\xBB\xBF\n\xEF\xBB";

/// What RFC 3986 has to say about a byte that is not ASCII.
const NOT_UTF_8: &str = "\\xFF is not allowed in a path; write %FF";

#[test]
fn bytes_that_no_reference_should_have() {
    let nested = "\u{FF}".repeat(3);
    // a NUL at the start of a list is refused
    let past = format!("x:{}\n", "y".repeat(512));
    run_all(vec![
        row("control bytes and bytes that are no text pass, and a BOM at the start does not", "-b http://a/b/c/d")
            .reads(join([text(&past), text(ODD.strip_prefix(b"\xEF\xBB\xBF").unwrap_or_default())]))
            .writes(join([text(&past), text(
                b"http://a/b/c/a\0b\nhttp://a/b/c/\x1B[31m\nhttp://a/b/c/\xFF\xFE\nhttp://a/b/c/a\rb\nhttp://a/b/c/d\n\
                  http://a/b/c/\xEF\xBB\xBF\nhttp://a/b/c/\xEF\xBB\n",
            )])),
        row("with -0 all bytes but NUL pass, and a BOM too", "-0 -b http://a/b/c/d").reads(text(ODD)).writes(text(
            b"http://a/b/c/\xEF\xBB\xBFa\0http://a/b/c/b\n\x1B[31m\n\xFF\xFE\na\rb\r\n\r\n\xEF\xBB\xBF\n\xEF\xBB\0",
        )),
        row("-k repeats the bytes of a record", "-k -b http://a/b/c/d")
            .reads(text(b"\x1B\x01\n\xFF\r\n"))
            .writes(text(b"\x1B\x01\thttp://a/b/c/\x1B\x01\n\xFF\thttp://a/b/c/\xFF\n")),
        row("--check names the first odd byte of a record and counts the others", "--check -b http://a/b")
            .reads(text(ODD.iter().map(|byte| if *byte == 0 { 1 } else { *byte }).collect::<Vec<_>>()))
            .status(1)
            .writes(text(
                "-:1:2: a\\x01b: \\x01 is not allowed in a path; write a%01b\n\
                 -:2:1: \\x1B[31m: \\x1B is not allowed in a path, and 1 more (\"[\"); \
                 write %1B%5B31m\n\
                 -:3:1: \\xFF\\xFE: \\xFF is not allowed in a path, and 1 more (\\xFE); write \
                 %FF%FE\n\
                 -:4:2: a\\x0Db: \\x0D is not allowed in a path; write a%0Db\n\
                 -:6:1: \\xEF\\xBB\\xBF: \\xEF\\xBB\\xBF is not allowed in a path; write \
                 %EF%BB%BF\n\
                 -:7:1: \\xEF\\xBB: \\xEF is not allowed in a path, and 1 more (\\xBB); write \
                 %EF%BB\n",
            ))
            .says(text("absurl: 9 violations in 6 of 7 references\n")),
        row("a base with control bytes is shown escaped", "--check g -b")
            .argument(OsStr::from_bytes(b"http://\x1B\n\xFF/"))
            .status(1)
            .writes(text(
                "base:8: http://\\x1B\\x0A\\xFF/: \\x1B is not allowed in a host (net_loc), \
                 and 2 more (\\x0A, \\xFF)\n",
            ))
            .says(text("absurl: 3 violations in 1 base URL\n")),
        row("a base without a scheme is refused and shown escaped", "g --base")
            .argument(OsStr::from_bytes(b"\x1B[31m\xFFabsurl: all is well"))
            .status(2)
            .says(text(
                "absurl: --base: \"\\x1B[31m\\xFFabsurl: all is well\" has no scheme; use an absolute URL such as \
                 http://host/path\n",
            )),
        row("a base with a line end is refused where answers are lines", "g --base")
            .argument(OsStr::from_bytes(b"\x1B[31m\nabsurl: all is well"))
            .status(2)
            .says(text(
                "absurl: --base: \"\\x1B[31m\\x0Aabsurl: all is well\" contains a newline; remove it or use --null\n",
            )),
        row("a pair without TAB fails alone", "--pairs")
            .reads(text(b"http://a/\tg\n\x1B\x01\nhttp://a/\tg\tg\n\n\t\n"))
            .status(1)
            .writes(text("http://a/g\n\nhttp://a/g\tg\n\n\n"))
            .says(text(
                "absurl: -:2: no TAB; write BASE TAB REFERENCE\n\
                 absurl: -:4: no TAB; write BASE TAB REFERENCE\n\
                 absurl: -:5: relative URL with an empty base; write the document's URL before the TAB\n",
            )),
        row("--part with control bytes is wrong usage", "-d x.html g --part")
            .argument(OsStr::from_bytes(b"1\x1B[31m\n"))
            .status(2)
            .says(text(
                "absurl: --part: \"1\\x1B[31m\\x0A\" is not a part number; use numbers from 1 with dots between them, \
                 such as 2.1\n",
            )),
        row("a file name with ESC and a line end is shown escaped", "-f")
            .argument("no\x1B[31m\nfile")
            .status(2)
            .says(text("absurl: no\\x1B[31m\\x0Afile: no such file or directory\n")),
        row("a document's name with ESC and a line end is shown escaped where a link of it fails", "--links")
            .argument("a\x1B[31m\nb")
            .file("a\x1B[31m\nb", text("<a href=\x1B>"))
            .status(1)
            .writes(text("\n"))
            .says(text(format!("absurl: a\\x1B[31m\\x0Ab:1:9: {NO_BASE}, such as https://example.com/\n"))),
        row("file names with ESC and NUL in a list are errors of their records", "--links --pairs")
            .file("x.html", text("<a href=g>"))
            .reads(join([
                text(format!("http://a/{past}").trim_end()),
                text(b"\t\x1B[31m\nhttp://a/\tx\0.html\nhttp://a/\tx.html\n"),
            ]))
            .status(1)
            .writes(text("\n\nhttp://a/g\n"))
            .says(text(
                "absurl: -:1: \\x1B[31m: no such file or directory\n\
                 absurl: -:2: x\\x00.html: file name contained an unexpected NUL byte\n",
            )),
        row("a file name that is no text in a list of records that end in NUL", "--links --pairs -0")
            .file("x.html", text("<a href=g>"))
            .reads(text(b"http://a/\t\xFF\0http://a/\tx.html\0"))
            .status(1)
            .writes(text("\0http://a/g\0"))
            .says(text("absurl: -:1: \\xFF: no such file or directory\n")),
        row("a flag of UTF-8 beyond ASCII is wrong usage", "")
            .argument(format!("--{nested}"))
            .status(2)
            .says(text(
                "absurl: unknown option \"--ÿÿÿ\"; see absurl -h\n",
            )),
    ]);
}

#[test]
fn bytes_that_other_standards_cannot_take() {
    use crate::messages::undecodable;
    run_all(vec![
        row("RFC 3986 has no answer to bytes", "--spec rfc3986 -b http://a/b/c/d")
            .reads(text(b"\x1B\n\xFF\ng\n"))
            .status(1)
            .writes(text("\n\nhttp://a/b/c/g\n"))
            .says(text(format!(
                "absurl: -:1: \\x1B is not allowed in a path; write %1B\n\
                 absurl: -:2: \\xFF is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE\n\
                 absurl: -:2: {NOT_UTF_8}\n"
            ))),
        row("WHATWG answers control characters and bytes", "--spec whatwg -b http://a/b/c/d")
            .reads(text(b"\x1B\na\x01b\n\xFF\ng\n"))
            .writes(text("http://a/b/c/d\nhttp://a/b/c/a%01b\nhttp://a/b/c/%EF%BF%BD\nhttp://a/b/c/g\n"))
            .says(text(undecodable("-:3", "\\xFF"))),
    ]);
}

/// Whether only LF can move a terminal's cursor.
fn is_harmless(shown: &str) -> bool {
    !shown.chars().any(|character| character.is_control() && character != '\n')
}

#[test]
fn control_bytes_are_never_shown_raw() {
    // all of them, in every component of the reference, but LF, which ends the record
    let past = format!("x:{}\n", "y".repeat(512));
    let bad: Vec<u8> = (0..=255).filter(|byte| !(0x20..0x7F).contains(byte) && *byte != b'\n').collect();
    let reference = [b"//", &bad[..], b"/", &bad, b"/../", &bad, b";", &bad, b"?", &bad, b"#", &bad].concat();
    let shown = bad.iter().fold(String::new(), |shown, byte| shown + &format!("\\x{byte:02X}"));
    for reference in [&reference[..], &reference[2..], &bad[..]] {
        for args in [&["-e", "-b", "http://a/"][..], &["-e"], &["-e", "-p"]] {
            let done = absurl(args).input([past.as_bytes(), reference].concat()).output();
            let (output, messages) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
            assert!(is_harmless(&output) && is_harmless(&messages), "{args:?}");
            assert!(output.contains(&shown) || args.contains(&"-p"), "{args:?}");
        }
    }
    let pair = [past.as_bytes(), b"x:", &bad[..8], b"\t", &bad, b"\n", &bad, b"\tg"].concat();
    let done = absurl(&["-e", "-p"]).input(pair).output();
    assert!(is_harmless(&String::from_utf8(done.stdout).unwrap()));
}

#[test]
fn control_bytes_of_file_names_are_shown_as_numbers() {
    let directory = new_directory("names");
    fs::write(directory.join("\x1B[31m\nabsurl: forged"), "x\n").unwrap();
    let shown = "\\x1B[31m\\x0Aabsurl: forged";
    let message = format!("absurl: no{shown}: no such file or directory\n");
    let command = absurl(&["-f", "\x1B[31m\nabsurl: forged", "-f", "no\x1B[31m\nabsurl: forged"]);
    let messages = format!("{}{message}", no_base(&format!("{shown}:1")));
    command.directory(&directory).gives("\n", messages, 2);
}

#[test]
fn control_bytes_of_wrong_arguments_are_shown_as_numbers() {
    let wrong = OsStr::from_bytes(b"--\x1B[31m\xFF\nabsurl: forged\xE2\x80\xAE");
    let messages = "absurl: unknown option \"--\\x1B[31m\u{FFFD}\\x0Aabsurl: forged\\xE2\\x80\\xAE\"; see absurl -h\n";
    absurl(&[]).argument(wrong).gives("", messages, 2);
    let messages = "absurl: --color: \"\\x1B\u{FFFD}\" is not auto, always or never\n";
    absurl(&["--color"]).argument(OsStr::from_bytes(b"\x1B\xFF")).gives("", messages, 2);
}

#[test]
fn control_bytes_of_documents_are_never_shown_raw() {
    let message = b"Content-Type: text/html\nContent-Base: \x1b[31m \x1b\n\n<a href='\x1b[32m'>";
    let (stdout, stderr, _) = absurl(&["-e", "-l", "-b", "http://h/", "-"]).input(message).text();
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'));
    assert!(stdout.contains("\\x1B[32m"), "{stdout}");
}

#[test]
fn control_bytes_are_never_shown_raw_by_other_standards() {
    let mut list = Vec::new();
    for byte in (1..0x20).chain([0x7F, 0x80, 0xC2, 0xFF]) {
        for around in ["", "http://", "//", "x:", "?", "#", "1:", "mailto:"] {
            list.extend_from_slice(around.as_bytes());
            list.extend_from_slice(&[byte, b'g', 0]);
        }
    }
    list.extend_from_slice("\u{9B}31m\0".as_bytes());
    for base in ["http://a/b\u{9B}", "mailto:a", "x:/\u{1B}[1m"] {
        for arguments in
            [&["-c"][..], &["--compare"], &["-e"], &["-q", "--compare"], &["-c", "-j"], &["--compare", "-j"]]
        {
            let (stdout, stderr, _) = absurl(&[&["-0", "-b", base], arguments].concat()).input(list.clone()).bytes();
            let is_json = arguments.contains(&"-j");
            for (stream, json) in [(&*stdout, is_json), (stderr.as_bytes(), false)] {
                let control = |byte: &u8| *byte < 0x20 && *byte != b'\n' || *byte == 0x7F;
                let shown = String::from_utf8(stream.to_vec()).unwrap();
                assert!(json || !shown.as_bytes().iter().any(control), "{arguments:?}");
                assert!(json || !shown.chars().any(|char| ('\u{80}'..'\u{A0}').contains(&char)), "{arguments:?}");
            }
        }
    }
}
