//! What hostile input does: a table, each row with all that must come out, the status and the most memory.
//!
//! All input is made here, while the rows run. A clear message on standard error, status 1 or 2, and nothing lost; never
//! a signal, a panic, memory without bound or a raw control character in a message. Each row may take minutes before it
//! is taken for hanging, which work that grows faster than its input would.
#![allow(
    clippy::missing_docs_in_private_items,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::format_collect,
    clippy::too_many_lines,
    reason = "a test may stop and be slow, and its name and those of its rows are its documentation"
)]

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::{env, fs, process};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use support::row::{Bytes, Row, each, join, row, run, text, times};

/// What all see of a record that is too long for memory.
const TOO_LONG: &str = "no memory for so long a record; split the record, or give more memory";

/// What all see of a record whose answer is too long for memory.
const NO_ROOM: &str = "no memory for the answer; split the record, or give more memory";

/// What all see of an output that cannot be written.
const FULL: &str = "absurl: standard output: no space left on device; the answers from here on are lost\n";

/// What all see of a relative reference without a base.
const NO_BASE: &str =
    "the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base";

/// What `--spec` says of bytes.
#[cfg(feature = "spec")]
const NOT_UTF_8: &str =
    "the record or its base is not UTF-8, and only RFC 1808 reads bytes; percent-encode all that is not ASCII";

/// What RFC 3986 says of what is no URI.
#[cfg(feature = "spec")]
const NO_URI: &str = "by RFC 3986 it is no URI reference; percent-encode what may not stand there, and write \"./\" before a first segment with a colon";

/// The end of the JSON object of the reference `g`.
const JSON_G: &str = r#""reference":"g","base":"http://a/b/c/d","url":"http://a/b/c/g","components":{"scheme":"http","net_loc":"a","path":"/b/c/g","params":"","query":"","fragment":""},"inherited":["scheme","net_loc"],"step":"6"}"#;

/// Bytes that are in no text: NUL, ESC, what is not UTF-8, a lone CR, a BOM, and a BOM that is cut off.
const ODD: &[u8] = b"\xEF\xBB\xBFa\0b\n\x1B[31m\n\xFF\xFE\na\rb\r\n\r\n\xEF\xBB\xBF\n\xEF\xBB";

#[test]
fn bytes_that_no_reference_should_have() {
    let nested = "\u{FF}".repeat(3);
    run(vec![
        row("control bytes and bytes that are no text pass, and a BOM at the start does not", "-b http://a/b/c/d")
            .reads(text(ODD))
            .writes(text(
                b"http://a/b/c/a\0b\nhttp://a/b/c/\x1B[31m\nhttp://a/b/c/\xFF\xFE\nhttp://a/b/c/a\rb\nhttp://a/b/c/d\n\
                  http://a/b/c/\xEF\xBB\xBF\nhttp://a/b/c/\xEF\xBB\n",
            )),
        row("with -0 all bytes but NUL pass, and a BOM too", "-0 -b http://a/b/c/d").reads(text(ODD)).writes(text(
            b"http://a/b/c/\xEF\xBB\xBFa\0http://a/b/c/b\n\x1B[31m\n\xFF\xFE\na\rb\r\n\r\n\xEF\xBB\xBF\n\xEF\xBB\0",
        )),
        row("-k repeats the bytes of a record", "-k -b http://a/b/c/d")
            .reads(text(b"\x1B\0\n\xFF\r\n"))
            .writes(text(b"\x1B\0\thttp://a/b/c/\x1B\0\n\xFF\thttp://a/b/c/\xFF\n")),
        row("JSON escapes control bytes and has the others in base64", "-j -b http://a/b/c/d")
            .reads(text(b"\x1B\0\n\xFF\n"))
            .writes(text(
                "{\"source\":\"-\",\"record\":1,\"reference\":\"\\u001b\\u0000\",\"base\":\"http://a/b/c/d\",\
                 \"url\":\"http://a/b/c/\\u001b\\u0000\",\"components\":{\"scheme\":\"http\",\"net_loc\":\"a\",\
                 \"path\":\"/b/c/\\u001b\\u0000\",\"params\":\"\",\"query\":\"\",\"fragment\":\"\"},\
                 \"inherited\":[\"scheme\",\"net_loc\"],\"step\":\"6\"}\n\
                 {\"source\":\"-\",\"record\":2,\"reference\":\"\u{FFFD}\",\"base\":\"http://a/b/c/d\",\
                 \"url\":\"http://a/b/c/\u{FFFD}\",\"components\":{\"scheme\":\"http\",\"net_loc\":\"a\",\
                 \"path\":\"/b/c/\u{FFFD}\",\"params\":\"\",\"query\":\"\",\"fragment\":\"\"},\
                 \"inherited\":[\"scheme\",\"net_loc\"],\"step\":\"6\",\"reference_base64\":\"/w==\",\
                 \"url_base64\":\"aHR0cDovL2EvYi9jL/8=\"}\n",
            )),
        row("an explanation shows control bytes and does not send them", "-e -b http://a/b\x1B[31m/c")
            .reads(text(b"x:\x1B\0\xFF\n"))
            .writes(text(
                "Step 1  the base URL is http://a/b\\x1B[31m/c (§3.3, --base)\n\
                 Step 2  both are parsed (§2.4)\n\
                 \x20                    base            reference\n\
                 \x20         scheme     http            x\n\
                 \x20         net_loc    a               -\n\
                 \x20         path       /b\\x1B[31m/c    \\x1B\\x00\\xFF\n\
                 \x20         params     -               -\n\
                 \x20         query      -               -\n\
                 \x20         fragment   -               -\n\
                 \x20    2a   the reference is not empty\n\
                 \x20    2b   it starts with a scheme: it is an absolute URL\n\
                 \x20    2c   skipped by 2b\n\
                 Step 3  skipped by 2b\n\
                 Step 4  skipped by 2b\n\
                 Step 5  skipped by 2b\n\
                 Step 6  skipped by 2b\n\
                 Step 7  RFC 3986 and WHATWG would have no answer: the record or its base is not UTF-8, and only RFC \
                 1808 reads bytes\n\
                 \x20         skipped by 2b: the answer is x:\\x1B\\x00\\xFF\n",
            ))
            .skip_if(cfg!(not(feature = "spec")), "without the other standards nothing is said of them"),
        row("--check names each odd byte and its place", "--check -b http://a/b").reads(text(ODD)).status(1).writes(text(
            "-:1:2: \\x00 is a control character, not allowed in a path segment (§2.2 pchar); write %00\n\
             -:2:1: \\x1B is a control character, not allowed in a path segment (§2.2 pchar); write %1B\n\
             -:2:2: \"[\" is \"national\", not allowed in a path segment (§2.2 pchar); write %5B\n\
             -:3:1: \\xFF is not ASCII, not allowed in a path segment (§2.2 pchar); write %FF\n\
             -:3:2: \\xFE is not ASCII, not allowed in a path segment (§2.2 pchar); write %FE\n\
             -:4:2: \\x0D is a control character, not allowed in a path segment (§2.2 pchar); write %0D\n\
             -:6:1: \\xEF is not ASCII, not allowed in a path segment (§2.2 pchar); write %EF\n\
             -:6:2: \\xBB is not ASCII, not allowed in a path segment (§2.2 pchar); write %BB\n\
             -:6:3: \\xBF is not ASCII, not allowed in a path segment (§2.2 pchar); write %BF\n\
             -:7:1: \\xEF is not ASCII, not allowed in a path segment (§2.2 pchar); write %EF\n\
             -:7:2: \\xBB is not ASCII, not allowed in a path segment (§2.2 pchar); write %BB\n",
        )),
        row("a base with control bytes is shown harmless", "--check g -b")
            .argument(OsStr::from_bytes(b"http://\x1B\n\xFF/"))
            .status(1)
            .writes(text(
                "base:8: \\x1B is a control character, not allowed in the net_loc (§2.2 net_loc); write %1B\n\
                 base:9: \\x0A is a control character, not allowed in the net_loc (§2.2 net_loc); write %0A\n\
                 base:10: \\xFF is not ASCII, not allowed in the net_loc (§2.2 net_loc); write %FF\n",
            )),
        row("a base that is none is refused without repeating it", "g --base")
            .argument(OsStr::from_bytes(b"\x1B[31m\nabsurl: all is well"))
            .status(2)
            .says(text("absurl: --base: the base URL has no scheme (§2.2); write all of it, such as http://host/path\n")),
        row("a pair without TAB fails alone", "--pairs")
            .reads(text(b"http://a/\tg\n\x1B\0\nhttp://a/\tg\tg\n\n\t\n"))
            .status(1)
            .writes(text("http://a/g\n\nhttp://a/g\tg\n\n\n"))
            .says(text(
                "absurl: -:2: no TAB in the record; write BASE TAB REFERENCE\n\
                 absurl: -:4: no TAB in the record; write BASE TAB REFERENCE\n\
                 absurl: -:5: the reference has no scheme and its base is empty (§3.4); write the URL of its document before the TAB\n",
            )),
        row("--part with control bytes is wrong usage", "-d x.html g --part")
            .argument(OsStr::from_bytes(b"1\x1B[31m\n"))
            .status(2)
            .says(text(
                "error: invalid value '1\\x1B[31m\\x0A' for '--part <N[.N]...>': write numbers from 1 with dots between \
                 them, such as 2.1\n\nFor more information, try '--help'.\n",
            )),
        row("a file name with ESC and a line end is shown harmless", "-f")
            .argument("no\x1B[31m\nfile")
            .status(2)
            .says(text("absurl: no\\x1B[31m\\x0Afile: no such file or directory; give a file that can be read\n")),
        row("a document's name with ESC and a line end is shown harmless where a link of it fails", "--links -d")
            .argument("a\x1B[31m\nb")
            .file("a\x1B[31m\nb", text("<a href=\x1B>"))
            .status(1)
            .writes(text("\n"))
            .says(text(format!("absurl: a\\x1B[31m\\x0Ab:1:9: {NO_BASE}\n"))),
        row("a list's file name with ESC is shown harmless", "--links --pairs")
            .reads(text("http://a/\t\x1B[31m\n"))
            .status(2)
            .says(text("absurl: -:1: \\x1B[31m: no such file or directory; give a file that can be read\n")),
        row("a file name that is no text and has NUL in a list is an error of its record", "--links --pairs -0")
            .file("x.html", text("<a href=g>"))
            .reads(text(b"http://a/\t\xFF\0http://a/\tx.html\0"))
            .status(2)
            .writes(text("http://a/g\0"))
            .says(text("absurl: -:1: \\xFF: no such file or directory; give a file that can be read\n")),
        row("a NUL in a file name of a list is an error of its record", "--links --pairs")
            .file("x.html", text("<a href=g>"))
            .reads(text(b"http://a/\tx\0.html\nhttp://a/\tx.html\n"))
            .status(2)
            .writes(text("http://a/g\n"))
            .says(text(
                "absurl: -:1: x\\x00.html: file name contained an unexpected NUL byte; give a file that can be read\n",
            )),
        row("a flag of UTF-8 beyond ASCII is wrong usage", "")
            .argument(format!("--{nested}"))
            .status(2)
            .says(text(
                "error: unexpected argument '--\\xC3\\xBF\\xC3\\xBF\\xC3\\xBF' found\n\n  tip: to pass \
                 '--\\xC3\\xBF\\xC3\\xBF\\xC3\\xBF' as a value, use '-- --\\xC3\\xBF\\xC3\\xBF\\xC3\\xBF'\n\n\
                 Usage: absurl [OPTIONS] [REFERENCE]...\n\nFor more information, try '--help'.\n",
            )),
    ]);
}

#[cfg(feature = "spec")]
#[test]
fn bytes_and_paths_that_other_standards_cannot_take() {
    let dots = || text("../".repeat(1_000_000) + "\n");
    run(vec![
        row("RFC 3986 has no answer to bytes", "--spec rfc3986 -b http://a/b/c/d")
            .reads(text(b"\x1B\n\xFF\ng\n"))
            .status(1)
            .writes(text("\n\nhttp://a/b/c/g\n"))
            .says(text(format!("absurl: -:1: {NO_URI}\nabsurl: -:2: {NOT_UTF_8}\n"))),
        row("WHATWG has no answer to bytes, but to control characters", "--spec whatwg -b http://a/b/c/d")
            .reads(text(b"\x1B\na\0b\n\xFF\ng\n"))
            .status(1)
            .writes(text("http://a/b/c/d\nhttp://a/b/c/a%00b\n\nhttp://a/b/c/g\n"))
            .says(text(format!("absurl: -:3: {NOT_UTF_8}\n"))),
        row("--compare shows control bytes and does not send them", "--compare -b http://a/b")
            .reads(text(b"\x1B\0\n\xFF\n"))
            .status(1)
            .writes(text(
                "-:1: \\x1B\\x00\n  rfc1808  http://a/\\x1B\\x00\n  rfc3986  error: by RFC 3986 it is no URI reference\n  \
                 whatwg   http://a/b\n  why      RFC 3986 has no answer\n  why      WHATWG removes white space and \
                 control characters\n\n-:2: \\xFF\n  rfc1808  http://a/\\xFF\n  rfc3986  error: the record or its base is not \
                 UTF-8, and only RFC 1808 reads bytes\n  whatwg   error: the record or its base is not UTF-8, and only RFC \
                 1808 reads bytes\n  why      RFC 3986 has no answer\n  why      WHATWG has no answer\n",
            ))
            .says(text(
                "absurl: 2 of 2 records differ\n       2  error-rfc3986           RFC 3986 has no answer\n       1  \
                 error-whatwg            WHATWG has no answer\n       1  white-space             WHATWG removes white \
                 space and control characters\n",
            )),
        row("RFC 3986 drops a million \"../\"", "--spec rfc3986 -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(256),
        row("WHATWG drops a million \"../\"", "--spec whatwg -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(256),
        row("RFC 3986 reads a million segments and dots in one pass", "--spec rfc3986 -b x:/a")
            .reads(join([times("x/..//", 1_000_000), text("\n"), times("./x/", 1_000_000), text("\n")]))
            .writes(join([
                text("x:/.//"),
                times("/", 999_999),
                text("\nx:/"),
                times("x/", 1_000_000),
                text("\n"),
            ]))
            .within(256),
        row("--compare reads a million segments and dots in one pass", "--compare -b http://a/b")
            .reads(join([times("./x/", 1_000_000), text("\n"), times("x/../", 1_000_000), text("\n")]))
            .says(text("absurl: 0 of 2 records differ\n"))
            .within(256),
        row("WHATWG has a host of half a million labels beyond ASCII", "--spec whatwg")
            .reads(join([text("http://"), times("é.", 500_000), text("/\n")]))
            .writes(join([text("http://"), times("xn--9ca.", 500_000), text("/\n")]))
            .within(256),
        row("WHATWG has no answer to a host of millions of numbers", "--spec whatwg")
            .reads(join([text("http://"), times("1.", 1_000_000), text("/\nhttp://["), times("1:", 1_000_000), text("]/\nx:/\n")]))
            .status(1)
            .writes(text("\n\nx:/\n"))
            .says(text(
                "absurl: -:1: by the URL Standard the host is a malformed IP address; write four numbers, IPv6 in brackets, \
                 or a domain name\n\
                 absurl: -:2: by the URL Standard the host is a malformed IP address; write four numbers, IPv6 in brackets, \
                 or a domain name\n",
            ))
            .within(256),
        row("--compare counts a million empty lines", "--compare -b http://a/b")
            .reads(times("\n", 1_000_000))
            .says(text("absurl: 0 of 1000000 records differ\n")),
    ]);
}

#[test]
fn records_that_are_long_or_many() {
    let long = || times("x", 200_000_000);
    run(vec![
        row("a line of 200 MB has its answer", "-b http://a/b/c/d")
            .reads(join([text("g\n"), long(), text("\nh\n")]))
            .writes(join([text("http://a/b/c/g\nhttp://a/b/c/"), long(), text("\nhttp://a/b/c/h\n")]))
            .within(1400),
        row("a line of 200 MB without memory for it fails alone", "-b http://a/b/c/d")
            .reads(join([text("g\n"), long(), text("\nh\n")]))
            .writes(text("http://a/b/c/g\n\nhttp://a/b/c/h\n"))
            .says(text(format!("absurl: -:2: {TOO_LONG}\n")))
            .status(2),
        row("a last line of 200 MB without memory for it fails, and nothing of it comes", "-k -b http://a/b/c/d")
            .reads(join([text("g\n"), long()]))
            .writes(text("g\thttp://a/b/c/g\n\n"))
            .says(text(format!("absurl: -:2: {TOO_LONG}\n")))
            .status(2)
            .within(256),
        row("200 MB without a NUL are one record too long for 256 MB", "-0 -b http://a/b/c/d")
            .reads(join([times("g\n", 100_000_000), text("\0h")]))
            .writes(text("\0http://a/b/c/h\0"))
            .says(text(format!("absurl: -:1: {TOO_LONG}\n")))
            .status(2)
            .within(256),
        row("JSON has an object for a record without memory", "-j -b http://a/b/c/d")
            .reads(join([text("g\n"), long(), text("\ng\n")]))
            .writes(text(format!(
                "{{\"source\":\"-\",\"record\":1,{JSON_G}\n{{\"source\":\"-\",\"record\":2,\"error\":{{\"code\":\
                 \"no-memory\",\"message\":\"{TOO_LONG}\"}}}}\n{{\"source\":\"-\",\"record\":3,{JSON_G}\n"
            )))
            .says(text(format!("absurl: -:2: {TOO_LONG}\n")))
            .status(2)
            .within(256),
        row("a record whose answer alone has no memory fails alone, and nothing of it comes", "-j -b http://a/b/c/d")
            .reads(join([text("g\n"), times("\x01", 40_000_000), text("\ng\n")]))
            .writes(text(format!(
                "{{\"source\":\"-\",\"record\":1,{JSON_G}\n{{\"source\":\"-\",\"record\":2,\"error\":{{\"code\":\
                 \"no-memory\",\"message\":\"{NO_ROOM}\"}}}}\n{{\"source\":\"-\",\"record\":3,{JSON_G}\n"
            )))
            .says(text(format!("absurl: -:2: {NO_ROOM}\n")))
            .status(2)
            .within(256),
        row("--check judges 30 MB without holding what it finds", "--check --quiet -b http://a/b")
            .reads(join([times("~", 30_000_000), text("\ng\n")]))
            .status(1)
            .within(128),
        row("--fail-fast stops at a record without memory", "--fail-fast -b http://a/b/c/d")
            .reads(join([text("g\n"), long(), text("\nh\n")]))
            .writes(text("http://a/b/c/g\n\n"))
            .says(text(format!("absurl: -:2: {TOO_LONG}\n")))
            .status(2),
        row("a million \"../\" stay, as RFC 1808 says", "-b http://a/b/c/d")
            .reads(times("../", 1_000_000))
            .writes(join([text("http://a/"), times("../", 999_998), text("\n")]))
            .within(48),
        row("a million segments and a million \"../\" are removed in one pass", "-b http://a/b/c/d")
            .reads(join([times("x/", 1_000_000), times("../", 1_000_000), text("g")]))
            .writes(text("http://a/b/c/g\n"))
            .within(64),
        row("--check has nothing against a million \"../\"", "--check -b http://a/b").reads(times("../", 1_000_000)).within(48),
        row("ten million empty lines are the base", "-b http://a/b").reads(times("\n", 10_000_000)).writes(times("http://a/b\n", 10_000_000)),
        row("ten million empty records with -0 are the base", "-0 -b http://a/b")
            .reads(times("\0", 10_000_000))
            .writes(times("http://a/b\0", 10_000_000)),
        row("a million empty lines without a base are a million messages", "")
            .reads(times("\n", 1_000_000))
            .writes(times("\n", 1_000_000))
            .says(each(1_000_000, |line| format!("absurl: -:{line}: {NO_BASE}\n")))
            .status(1),
        row("two million pairs, every third of them wrong, all have their places", "--pairs")
            .reads(each(2_000_000, |line| {
                if line % 3 == 0 { String::from("no tab\n") } else { format!("http://a/{line}/\tg\n") }
            }))
            .writes(each(2_000_000, |line| if line % 3 == 0 { String::from("\n") } else { format!("http://a/{line}/g\n") }))
            .says(each(2_000_000, |line| {
                if line % 3 == 0 {
                    format!("absurl: -:{line}: no TAB in the record; write BASE TAB REFERENCE\n")
                } else {
                    String::new()
                }
            }))
            .status(1),
        row("three hundred thousand objects, every third of them an error", "--json --pairs")
            .reads(each(300_000, |line| String::from(if line % 3 == 0 { "mailto:x\tg\n" } else { "http://a/b/c/d\tg\n" })))
            .writes(each(300_000, |line| {
                if line % 3 == 0 {
                    format!(
                        "{{\"source\":\"-\",\"record\":{line},\"reference\":\"g\",\"base\":\"mailto:x\",\"error\":{{\"code\":\
                         \"unsuitable-base\",\"message\":\"relative URLs are never used with the base's scheme (§2.3); \
                         write the reference with its scheme\"}}}}\n"
                    )
                } else {
                    format!("{{\"source\":\"-\",\"record\":{line},{JSON_G}\n")
                }
            }))
            .says(each(300_000, |line| {
                if line % 3 == 0 {
                    format!(
                        "absurl: -:{line}: relative URLs are never used with the base's scheme (§2.3); write the reference \
                         with its scheme\n"
                    )
                } else {
                    String::new()
                }
            }))
            .status(1),
        row("a base of 50 MB comes with its pair", "--pairs")
            .reads(join([text("http://a/"), times("x", 50_000_000), text("/\tg\nhttp://a/\tg\n")]))
            .writes(join([text("http://a/"), times("x", 50_000_000), text("/g\nhttp://a/g\n")]))
            .within(320),
        row("a base of 50 MB of slashes goes with its last segment", "--pairs")
            .reads(join([text("http://a"), times("/", 50_000_000), text("\t../g\n")]))
            .writes(join([text("http://a"), times("/", 49_999_999), text("g\n")]))
            .within(320),
        row("a hundred thousand arguments are as many records", "-b http://a/b")
            .shell(r#"set -- "$@" $(seq 100000); exec "$@""#)
            .writes(each(100_000, |number| format!("http://a/{number}\n")))
            .within(64),
        row("--links --pairs with a hundred thousand records of the same file", "--links --pairs")
            .file("x.html", text("<a href=g>"))
            .reads(each(100_000, |line| {
                if line % 1000 == 0 { format!("http://a/{line}/\tnone\n") } else { format!("http://a/{line}/\tx.html\n") }
            }))
            .writes(each(100_000, |line| if line % 1000 == 0 { String::new() } else { format!("http://a/{line}/g\n") }))
            .says(each(100_000, |line| {
                if line % 1000 == 0 {
                    format!("absurl: -:{line}: none: no such file or directory; give a file that can be read\n")
                } else {
                    String::new()
                }
            }))
            .status(2),
    ]);
}

/// HTML, a link in it, and as many bytes as are asked for between.
fn page(row: Row, document: Bytes) -> Row {
    row.reads(join([text("<a href=g>"), document, text("<a href=h>")]))
}

#[test]
fn pages_that_are_made_to_hurt() {
    const LINKS: &str = "-d - --links --media-type text/html -b http://a/b/c/d";
    const G: &str = "http://a/b/c/g\n";
    const GH: &str = "http://a/b/c/g\nhttp://a/b/c/h\n";
    run(vec![
        page(
            row("a comment of 100 MB that never ends hides what follows", LINKS),
            join([text("<!--"), times("x-", 50_000_000)]),
        )
        .writes(text(G)),
        page(
            row("a comment of 40 MB of comment starts hides what follows", LINKS),
            join([text("<!--"), times("<!--", 10_000_000)]),
        )
        .writes(text(G)),
        page(
            row("a title of millions of its own half end tags hides what follows", LINKS),
            join([text("<title>"), times("</titl", 3_000_000)]),
        )
        .writes(text(G)),
        page(
            row("a script of millions of its own half end tags hides what follows", LINKS),
            join([text("<script><!--<script>"), times("</script", 2_000_000)]),
        )
        .writes(text(G)),
        page(row("a million nested elements", LINKS), times("<div><b>", 1_000_000)).writes(text(GH)),
        page(row("a million nested elements of SVG", LINKS), times("<svg>", 1_000_000)).writes(text(GH)).within(48),
        page(
            row("a million elements of SVG, MATH and HTML in each other", LINKS),
            times("<svg><desc><math><mi>", 250_000),
        )
        .writes(text(GH))
        .within(64),
        page(
            row("a million TEMPLATE and end tags of what does not stand open", LINKS),
            join([times("<template>", 1_000_000), times("</svg></math></desc>", 1_000_000)]),
        )
        .writes(text(GH))
        .within(48),
        page(row("a million \"<\"", LINKS), times("<", 1_000_000)).writes(text(GH)),
        page(
            row("attributes by the 100 000, all different", LINKS),
            join([text("<a "), each(300_000, |n| format!("x{n}=1 ")), text("href=i>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n")),
        page(
            row("attributes by the 100 000, all the same: the first counts", LINKS),
            join([text("<a "), each(300_000, |n| format!("href={n} ")), text(">")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/1\nhttp://a/b/c/h\n")),
        page(
            row("an attribute's name of 100 MB needs no memory", LINKS),
            join([text("<a "), times("x", 100_000_000), text("=1>")]),
        )
        .writes(text(GH)),
        page(
            row("a value of 20 MB is a link", LINKS),
            join([text("<a href='"), times("&#120;", 3_000_000), text("'>")]),
        )
        .writes(join([text(G), text("http://a/b/c/"), times("x", 3_000_000), text("\nhttp://a/b/c/h\n")]))
        .within(96),
        page(
            row("a value without memory for it ends the document with an error", LINKS),
            join([text("<a href='"), times("x", 200_000_000), text("'>")]),
        )
        .writes(text(G))
        .says(text("absurl: -: no memory for the document; its records from 2 on are not answered\n"))
        .status(2),
        page(
            row("an element's name without memory for it ends the document with an error", LINKS),
            join([text("<"), times("x", 200_000_000), text(">")]),
        )
        .writes(text(G))
        .says(text("absurl: -: no memory for the document; its records from 2 on are not answered\n"))
        .status(2)
        .within(128),
        page(
            row("a srcset of a million candidates", LINKS),
            join([text("<img srcset='"), times("x 1x (,), ", 300_000), text("'>")]),
        )
        .writes(join([text(G), times("http://a/b/c/x\n", 300_000), text("http://a/b/c/h\n")]))
        .within(48),
        page(row("a ping of a million URLs", LINKS), join([text("<a ping='"), times("x \n", 1_000_000), text("'>")]))
            .writes(join([text(G), times("http://a/b/c/x\n", 1_000_000), text("http://a/b/c/h\n")]))
            .within(48),
        page(
            row("a number of 10 MB for a character", LINKS),
            join([text("<a href='&#"), times("9", 10_000_000), text(";'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/\u{FFFD}\nhttp://a/b/c/h\n")),
        page(
            row("a META refresh after a time of 20 MB", LINKS),
            join([text("<meta http-equiv=refresh content='"), times("0", 20_000_000), text(";url=i'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n"))
        .within(96),
        row("a BASE behind a million links counts for all of them", LINKS)
            .reads(join([times("<a href=g>\n", 1_000_000), text("<base href=http://q/>")]))
            .writes(times("http://q/g\n", 1_000_000))
            .within(64),
        row("a BASE behind 100 MB of text is found", "-d - --print-base")
            .reads(join([text("<p>"), times("text\n", 20_000_000), text("<base href=http://q/>")]))
            .writes(text("http://q/\t3.1\n")),
        row("a BASE of 10 MB is not read anew for each of 100 000 links", LINKS)
            .reads(join([
                text("<base href='http://a/"),
                times("x", 10_000_000),
                text("'>"),
                times("<a href=http://b/>", 100_000),
            ]))
            .writes(times("http://b/\n", 100_000))
            .within(256),
        row("BASE by the 100 000: the first counts", LINKS)
            .reads(join([each(100_000, |n| format!("<base href=/{n}/>")), text("<a href=g>")]))
            .writes(text("http://a/1/g\n")),
        row("UTF-16 that ends in half a character", LINKS)
            .reads(join([text(b"\xFF\xFE"), text(b"<\0a\0 \0h\0r\0e\0f\0=\0g\0>\0<")]))
            .writes(text(G)),
        row("UTF-16 with a lone surrogate", LINKS)
            .reads(text(b"\xFE\xFF\0<\0a\0 \0h\0r\0e\0f\0=\xD8\0\0>"))
            .writes(text("http://a/b/c/\u{FFFD}\n")),
        row("a META that says UTF-16 in ASCII lies", LINKS)
            .reads(text("<meta charset=utf-16><a href=g>"))
            .writes(text(G)),
        row("a META that names no charset", LINKS)
            .reads(text(b"<meta charset='\x1B\xFF'><a href=\xFF>"))
            .writes(text(b"http://a/b/c/\xFF\n")),
        row("a page cut off in a tag has no link there", LINKS).reads(text("<a href=g><a href='h")).writes(text(G)),
        row("NUL, ESC and bytes that are no text in links", LINKS)
            .reads(text(b"<a href='\0\x1B\xFF'><a href=\x1B>"))
            .writes(text(b"http://a/b/c/\xEF\xBF\xBD\x1B\xFF\nhttp://a/b/c/\x1B\n")),
        row("links are explained without raw control bytes in their places", "-d - --links --check -b http://a/")
            .reads(text("<a href=\x1B>\n"))
            .writes(text(
                "-:1:9: \\x1B is a control character, not allowed in a path segment (§2.2 pchar); write %1B\n",
            ))
            .status(1),
        row("a page of NUL alone is no page of links", LINKS).reads(times("\0", 10_000_000)),
        row("an empty page", LINKS),
    ]);
}

/// A message of HTML with one link.
const HTML: &str = "Content-Type: text/html\n\n<a href=g>";

/// A message in a message in base64, so often.
fn encoded(times: usize) -> String {
    (0..times).fold(HTML.to_owned(), |message, _| {
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}", STANDARD.encode(message))
    })
}

#[test]
fn mails_that_are_made_to_hurt() {
    const LINKS: &str = "-d - --links --media-type message/rfc822 -b http://a/b/c/d";
    const G: &str = "http://a/b/c/g\n";
    const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n\n";
    let nested = |levels: usize| {
        join([
            text("Content-Type: multipart/mixed; boundary=b0\n\n"),
            each(levels, |n| format!("--b{}\nContent-Type: multipart/mixed; boundary=b{n}\n\n", n - 1)),
            text(format!("--b{levels}\n{HTML}\n")),
        ])
    };
    run(vec![
        row("100 000 headers", LINKS).reads(join([times("X: y\n", 100_000), text(HTML)])).writes(text(G)),
        row("100 000 Base headers without a URL are told one by one", LINKS)
            .reads(join([times("Base: y\n", 100_000), text(HTML)]))
            .writes(text(G))
            .says(each(100_000, |line| {
                format!("absurl: -:{line}:1: the Base field has no absolute URL and is passed over; write Base: <URL:http://host/path>\n")
            }))
            .within(48),
        row("100 000 Content-Type headers: the first counts", LINKS)
            .reads(join([text("Content-Type: text/html\n"), times("Content-Type: text/plain\n", 100_000), text("\n<a href=g>")]))
            .writes(text(G)),
        row("a header line of 50 MB", LINKS)
            .reads(join([text("X: "), times("y", 50_000_000), text("\n"), text(HTML)]))
            .writes(text(G))
            .within(256),
        row("a header line of 50 MB without memory for it", LINKS)
            .reads(join([text("X: "), times("y", 50_000_000), text("\n"), text(HTML)]))
            .says(text("absurl: -: no memory for the document; give a file that can be read\n"))
            .status(2),
        row("a Content-Type of 50 MB is told of", LINKS)
            .reads(join([text("Content-Type: "), times("y", 50_000_000), text("\n\n<a href=g>")]))
            .says(text("absurl: -:1:1: the Content-Type field of this header has more than 16 KiB, and what is behind them is passed over; shorten it\n"))
            .status(1)
            .within(256),
        row("a Content-Base of five million folds", LINKS)
            .reads(join([text("Content-Base: http://a/"), times("\n y", 5_000_000), text("/\n"), text(HTML)]))
            .writes(join([text("http://a/"), times("y", 5_000_000), text("/g\n")]))
            .within(192),
        row("a Content-Base of five million open comments", LINKS)
            .reads(join([text("Content-Base: "), times("(", 5_000_000), text("\n"), text(HTML)]))
            .writes(text(G))
            .says(text("absurl: -:1:1: the Content-Base field has no absolute URL and is passed over; write Content-Base: http://host/path\n"))
            .within(48),
        row("10 000 nested multiparts", LINKS).reads(nested(10_000)).writes(text(G)),
        row("10 000 nested multiparts have a base", "-d - --print-base -b http://a/b/c/d").reads(nested(10_000)).writes(text("http://a/b/c/d\t3.3\n")),
        row("a part that 10 000 nested multiparts have not", "-d - --print-base --part 2")
            .reads(nested(10_000))
            .status(2)
            .says(text(format!(
                "absurl: -: there is no such part; give --part one of {} and 9972 more\n",
                (1..=29).map(|level| ["1"; 30][..level].join(".")).collect::<Vec<_>>().join(", "),
            ))),
        row("100 000 messages in messages", LINKS)
            .reads(join([times("Content-Type: message/rfc822\n\n", 100_000), text(HTML)]))
            .writes(text(G))
            .within(96),
        row("a message encoded three times is read", LINKS).reads(text(encoded(3))).writes(text(G)),
        row("a message encoded twenty times is told of", LINKS)
            .reads(text(encoded(20)))
            .status(1)
            .says(text("absurl: -:decoded part 1.1.1:4:1: a message encoded more than 3 times over is not looked into; decode it, and give that\n")),
        row("100 000 boundary look-alikes are text", LINKS)
            .reads(join([
                text(MIXED),
                text("--b\nContent-Type: text/html\n\n"),
                times("--bb\n--b-\n --b\n-b\n----b\n--b--x\n--B\n", 100_000),
                text("<a href=g>\n--b--\n<a href=h>"),
            ]))
            .writes(text(G)),
        row("200 000 parts with a link each", LINKS)
            .reads(join([text(MIXED), times("--b\nContent-Type: text/html\n\n<a href=g>\n", 200_000), text("--b--\n")]))
            .writes(times(G, 200_000))
            .within(128),
        row("a million parts of nothing without memory for them", LINKS)
            .reads(join([text(MIXED), times("--b\n", 1_000_000)]))
            .says(text("absurl: -: no memory for the document; give a file that can be read\n"))
            .status(2)
            .within(48),
        row("a million nested multiparts without memory for them", LINKS)
            .reads(nested(1_000_000))
            .says(text("absurl: -: no memory for the document; give a file that can be read\n"))
            .status(2)
            .within(192),
        row("a Content-Base of 10 MB is not read anew for each of 100 000 relative ones in it", LINKS)
            .reads(join([
                text("Content-Base: http://a/"),
                times("x", 10_000_000),
                text("\nContent-Type: multipart/mixed; boundary=b\n\n"),
                times("--b\nContent-Base: y\n\n", 100_000),
            ]))
            .within(256),
        row("a base that each level makes longer is told of where it is too long", LINKS)
            .reads(join([
                text("Content-Base: http://a/\nContent-Type: message/rfc822\n\n"),
                times(format!("Content-Base: {}/\nContent-Type: message/rfc822\n\n", "x".repeat(99)), 82),
                text(HTML),
            ]))
            .writes(join([text("http://a/"), times("x".repeat(99) + "/", 81), text("g\n")]))
            .says(text(
                "absurl: -:247:1: a relative base URL that is longer than 8192 bytes together with that around it is passed \
                 over; write it whole\n",
            )),
        row("base64 cut off in a character", LINKS)
            .reads(text(format!("Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n{}", &STANDARD.encode("<a href=g><a href=h>")[..22])))
            .writes(text(G)),
        row("base64 with control bytes and lines of rubbish in it", LINKS)
            .reads(text(format!(
                "Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n{}",
                STANDARD.encode("<a href=g>").chars().map(|char| format!("{char}\x1B\0\n")).collect::<String>()
            )))
            .writes(text(G)),
        row("quoted-printable of ten million equals signs", LINKS)
            .reads(join([text("Content-Transfer-Encoding: quoted-printable\nContent-Type: text/html\n\n"), times("=", 10_000_000), text("<a href=3D'g'>")]))
            .writes(text(G))
            .within(256),
        row("a charset that lies", LINKS)
            .reads(text(b"Content-Type: text/html; charset=utf-8\n\n<a href=\xFF><a href=g>"))
            .writes(text(b"http://a/b/c/\xFF\nhttp://a/b/c/g\n")),
        row("a charset that says UTF-16 of ASCII has no links in it, whatever a META says", LINKS)
            .reads(text("Content-Type: text/html; charset=utf-16le\n\n<meta charset=utf-8><a href=g>")),
        row("an mbox of a million lines that begin no message", LINKS)
            .reads(join([text("From x\n"), text(HTML), times("\n\nFrom x\n-", 1_000_000)]))
            .writes(text(G))
            .within(64),
        row("a million interim answers of HTTP", LINKS)
            .reads(join([times("HTTP/1.1 100 Continue\n\n", 1_000_000), text("HTTP/1.1 200 OK\n\n<a href=g>")]))
            .writes(text(G))
            .within(96),
        row("a header of NUL, ESC and bytes that are no text", LINKS)
            .reads(text(b"\0\x1B\xFF: \0\nContent-Base: http://\x1B\xFF\0/\nContent-Type: text/html\n\n<a href=g>"))
            .writes(text(b"http://\x1B\xFF\0/g\n")),
        row("a boundary of 10 MB", LINKS)
            .reads(join([text("Content-Type: multipart/mixed; boundary="), times("b", 10_000_000), text("\n\n--b\n"), text(HTML)]))
            .says(text("absurl: -:1:1: the Content-Type field of this header has more than 16 KiB, and what is behind them is passed over; shorten it\n"))
            .status(1)
            .within(96),
        row("an empty message", LINKS),
    ]);
}

/// Whether the tests are run by root, whom no permission stops.
fn is_root() -> bool {
    let secret = env::temp_dir().join(format!("absurl-hostile-{}-secret", process::id()));
    fs::write(&secret, "").expect("a file is written");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let is_root = fs::File::open(&secret).is_ok();
    fs::remove_file(&secret).expect("it is ours");
    is_root
}

#[test]
fn files_and_descriptors_that_fail() {
    const B: &str = "-b http://a/b";
    let not_linux = cfg!(not(target_os = "linux"));
    let no_full = "only Linux has /dev/full";
    let mut rows = vec![
        row("a directory as references, and the other sources are answered", "-b http://a/b g -f . -f list")
            .file("list", text("h\n"))
            .writes(text("http://a/g\nhttp://a/h\n"))
            .says(text("absurl: .: is a directory; give a file that can be read\n"))
            .status(2),
        row("a directory as standard input", B)
            .shell(r#"exec "$@" <."#)
            .says(text("absurl: -: is a directory; give a file that can be read\n"))
            .status(2),
        row("a directory as a document", "-b http://a/b -d . g")
            .says(text("absurl: .: is a directory; give a file that can be read\n"))
            .status(2),
        row("a directory among documents, and the others are answered", "-b http://a/b --links -d . -d x.html")
            .file("x.html", text("<a href=g>"))
            .writes(text("http://a/g\n"))
            .says(text("absurl: .: is a directory; give a file that can be read\n"))
            .status(2),
        row("a file that is gone, and the other sources are answered", "-b http://a/b -f gone -f list")
            .file("list", text("h\n"))
            .shell(r#"ln -s nowhere gone; exec "$@""#)
            .writes(text("http://a/h\n"))
            .says(text("absurl: gone: no such file or directory; give a file that can be read\n"))
            .status(2),
        row("a file that is deleted while it is open is read to its end", "-b http://a/b")
            .file("list", text("g\nh"))
            .shell(r#"exec <list; rm list; exec "$@""#)
            .writes(text("http://a/g\nhttp://a/h\n")),
        row("a symbolic link to itself", "-b http://a/b -d loop --print-base")
            .shell(r#"ln -s loop loop; exec "$@""#)
            .says(text(if cfg!(target_os = "linux") {
                "absurl: loop: too many levels of symbolic links; give a file that can be read\n"
            } else {
                "absurl: loop: too many levels of symbolic links\n"
            }))
            .status(2)
            .skip_if(not_linux, "the message is Linux's"),
        row("a file that may not be read", "-b http://a/b -f secret g")
            .file("secret", text("h\n"))
            .shell(r#"chmod 0 secret; exec "$@""#)
            .writes(text("http://a/g\n"))
            .says(text("absurl: secret: permission denied; give a file that can be read\n"))
            .status(2)
            .skip_if(is_root(), "root may read everything"),
        row("a FIFO whose writer stops in a record", "-b http://a/b -f fifo")
            .shell(r#"mkfifo fifo; printf 'g\nh' >fifo & exec "$@""#)
            .writes(text("http://a/g\nhttp://a/h\n")),
        row("a FIFO as a document whose writer stops in a tag", "-b http://a/b --links -d fifo")
            .shell(r#"mkfifo fifo; printf '<a href=g><a href=h' >fifo & exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a FIFO whose writer writes nothing", "-b http://a/b -f fifo g")
            .shell(r#"mkfifo fifo; : >fifo & exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a closed standard input is empty", B).shell(r#"exec "$@" <&-"#),
        row("a closed standard input is an empty document", "-b http://a/b -d - --links").shell(r#"exec "$@" <&-"#),
        row("a closed standard error keeps the answers and status 1", "g x:y")
            .shell(r#"exec "$@" 2>&-"#)
            .writes(text("\nx:y\n"))
            .status(1),
        row("a closed standard error keeps the answers and status 2", "-b http://a/b -f none g")
            .shell(r#"exec "$@" 2>&-"#)
            .writes(text("http://a/g\n"))
            .status(2),
        row("a full standard error keeps the answers and status 1", "g x:y")
            .shell(r#"exec "$@" 2>/dev/full"#)
            .writes(text("\nx:y\n"))
            .status(1)
            .skip_if(not_linux, no_full),
        // Rust opens /dev/null in its place before the program begins, so that no file of it becomes standard output
        row("a closed standard output is /dev/null", "-b http://a/b g").shell(r#"exec "$@" >&-"#),
        row("a closed standard output keeps status 1 and the message", "g")
            .shell(r#"exec "$@" >&-"#)
            .says(text(format!("absurl: argument 1: {NO_BASE}\n")))
            .status(1),
        row("all three closed keep status 2", "-f none").shell(r#"exec "$@" <&- >&- 2>&-"#).status(2),
        row("a standard output opened for reading", "-b http://a/b g")
            .shell(r#"exec "$@" 1</dev/null"#)
            .says(text("absurl: standard output: bad file descriptor; the answers from here on are lost\n"))
            .status(2),
        row("a standard input opened for writing", B)
            .shell(r#"exec "$@" <&1"#)
            .says(text("absurl: -: bad file descriptor; give a file that can be read\n"))
            .status(2),
        row("a reader of the output that has gone is no error", "-b http://a/b")
            .shell(r#"{ "$@"; echo "status $?" >&2; } | :"#)
            .reads(times("g\n", 1_000_000))
            .says(text("status 0\n")),
        row("a file that gives an error when it is read", "-b http://a/b -f /proc/self/mem g")
            .writes(text("http://a/g\n"))
            .says(text("absurl: /proc/self/mem: input/output error; give a file that can be read\n"))
            .status(2)
            .skip_if(not_linux, "only Linux has /proc/self/mem"),
        row("a document that gives an error when it is read", "-b http://a/b --links -d /proc/self/mem -d x.html")
            .file("x.html", text("<a href=g>"))
            .writes(text("http://a/g\n"))
            .says(text("absurl: /proc/self/mem: input/output error; give a file that can be read\n"))
            .status(2)
            .skip_if(not_linux, "only Linux has /proc/self/mem"),
        row("a working directory that is gone", "-b http://a/b g")
            .shell(r#"mkdir gone; cd gone; rmdir ../gone; exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a working directory that nobody can write to", "-b http://a/b g -f self/cmdline -0")
            .shell(r#"cd /proc; exec "$@" | head -n 1 | cut -c 1-11"#)
            .writes(text("http://a/g\0\n"))
            .skip_if(not_linux, "only Linux has /proc"),
        row("the man page to a full disk", "--generate man")
            .shell(r#"exec "$@" >/dev/full"#)
            .says(text(FULL))
            .status(2)
            .skip_if(not_linux, no_full),
        row("pairs to a full disk", "--pairs")
            .shell(r#"exec "$@" >/dev/full"#)
            .reads(times("http://a/\tg\n", 1_000_000))
            .says(text(FULL))
            .status(2)
            .skip_if(not_linux, no_full),
        row("--help to a full disk", "--help")
            .shell(r#"exec "$@" >/dev/full"#)
            .says(text(FULL))
            .status(2)
            .skip_if(not_linux, no_full),
    ];
    let modes = [
        "g",
        "-k g",
        "-0 g",
        "-j g",
        "-e g",
        "--check ~",
        "-j --check g",
        "--print-base",
        "--version",
        "-d x.html --print-base",
        "-d x.html --links",
        "-d x.html --links -j",
        "-f list",
    ];
    #[cfg(feature = "spec")]
    let modes =
        modes.into_iter().chain(["--spec rfc3986 g", "--spec whatwg g", "--compare ../../g", "-j --compare ../../g"]);
    rows.extend(modes.into_iter().map(|mode| {
        row("a full disk", &format!("{mode} -b http://a/b"))
            .file("x.html", text("<a href=g>"))
            .file("list", text("g\n"))
            .shell(r#"exec "$@" >/dev/full"#)
            .says(text(FULL))
            .status(2)
            .skip_if(not_linux, no_full)
    }));
    run(rows);
}

#[test]
fn limits_of_the_system() {
    let not_linux = cfg!(not(target_os = "linux"));
    let why = "the limit is Linux's, or its message";
    run(vec![
        row("a stack of 256 KiB is enough for a million \"../\"", "-b http://a/b/c/d")
            .shell(r#"ulimit -s 256; exec "$@""#)
            .reads(times("../", 1_000_000))
            .writes(join([text("http://a/"), times("../", 999_998), text("\n")]))
            .within(48),
        row("a stack of 256 KiB is enough for 10 000 messages in messages", "-b http://a/b --links -d -")
            .shell(r#"ulimit -s 256; exec "$@""#)
            .reads(join([times("Content-Type: message/rfc822\n\n", 10_000), text(HTML)]))
            .writes(text("http://a/g\n")),
        row("a stack of 256 KiB is enough for a million nested elements", "-b http://a/b --links -d -")
            .shell(r#"ulimit -s 256; exec "$@""#)
            .reads(join([times("<svg><math><template>", 300_000), text("<a href=g>")]))
            .writes(text("http://a/g\n"))
            .within(48),
        row(
            "a stack of 256 KiB is enough for half a million brackets in comments of a header",
            "-b http://a/b --links -d -",
        )
        .shell(r#"ulimit -s 256; exec "$@""#)
        .reads(join([text("Content-Type: text/html;"), times("(", 8000), text(";x=\"\n\n<a href=g>")]))
        .writes(text("http://a/g\n")),
        row("no file descriptor left for a file of a list", "--links --pairs -f list")
            .file("list", text("http://a/\tx.html\nhttp://a/\tx.html\n"))
            .file("x.html", text("<a href=g>"))
            .shell(r#"ulimit -n 4; exec "$@""#)
            .says(text(
                "absurl: list:1: x.html: too many open files; give a file that can be read\n\
                 absurl: list:2: x.html: too many open files; give a file that can be read\n",
            ))
            .status(2)
            .skip_if(not_linux, why),
        row("a file that may not grow keeps what is written before", "-b http://a/b")
            .shell(r#"trap 'cat out' EXIT; ulimit -f 1; "$@" >out; exit $?"#)
            .reads(times("g\n", 100_000))
            .writes(text(&"http://a/g\n".repeat(200)[..512]))
            .says(text("absurl: standard output: file too large; the answers from here on are lost\n"))
            .status(2)
            .skip_if(not_linux, why),
    ]);
}

/// A row for each limit of memory under which a run must end by itself, with all other records answered.
#[test]
#[cfg(target_os = "linux")]
fn no_limit_of_memory_makes_a_signal() {
    let long = || join([text("g:\n"), times("x%41é. ", 1_000_000), text("\nh:\n")]);
    let nested = || {
        join([
            text("Content-Type: multipart/mixed; boundary=b0\n"),
            times("Base: x\n", 30_000),
            text("\n"),
            each(30_000, |n| format!("--b{}\nContent-Type: multipart/mixed; boundary=b{n}\n\n", n - 1)),
        ])
    };
    let mut rows = Vec::new();
    for mebibytes in (12..200).step_by(12) {
        let quiet = r#""$@" >out 2>/dev/null; echo $? | tr 2 0 | tr 1 0; grep -c -e '^g:$' -e '^h:$' out"#;
        let every = [
            "-b http://a/b/c/d",
            #[cfg(feature = "spec")]
            "-b http://a/b/c/d --spec rfc3986",
            #[cfg(feature = "spec")]
            "-b http://a/b/c/d --spec whatwg",
        ];
        for arguments in every {
            rows.push(
                row("plain answers under a limit", arguments)
                    .shell(quiet)
                    .reads(long())
                    .writes(text("0\n2\n"))
                    .within(mebibytes),
            );
        }
        let silent = r#""$@" >/dev/null 2>&1; echo $? | tr 2 0 | tr 1 0"#;
        for arguments in [
            "-b http://a/b/c/d -e",
            "-b http://a/b/c/d -j",
            "-b http://a/b/c/d -je",
            "-b http://a/b/c/d -k",
            "-b http://a/b/c/d --links --media-type text/html -d -",
            #[cfg(feature = "spec")]
            "-b http://a/b/c/d --compare",
        ] {
            rows.push(
                row("other answers under a limit", arguments)
                    .shell(silent)
                    .reads(long())
                    .writes(text("0\n"))
                    .within(mebibytes),
            );
        }
        rows.push(
            row("a message under a limit", "-d - --links")
                .shell(silent)
                .reads(nested())
                .writes(text("0\n"))
                .within(mebibytes),
        );
    }
    run(rows);
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_memory_holds_for_a_program_that_needs_more() {
    // what all rows rely on: a program that needs 40 MB has them or fails
    let needs = r"x=$(head -c 40000000 /dev/zero | tr '\0' x) && echo ${#x}";
    run(vec![row("enough", "").shell(needs).writes(text("40000000\n")).within(1024)]);
    let told = std::panic::catch_unwind(|| {
        run(vec![row("too little", "").shell(needs).writes(text("40000000\n")).within(24)]);
    });
    assert!(told.is_err(), "40 MB fit in 24 MiB");
}
