//! Records that are long or many.

#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader, Write};
#[cfg(target_os = "linux")]
use std::process::Stdio;

use super::JSON_G;
use super::row::{MUCH, PLAIN, each, join, row, run_all, text, times};
use crate::cli::no_base;
use crate::harness::Bytes;
#[cfg(target_os = "linux")]
use crate::harness::absurl;

#[test]
fn records_that_are_long_or_many() {
    let long = || times("x", 16_000_000);
    run_all(vec![
        row("a line of 16 MB has its answer", "-b http://a/b/c/d")
            .reads(join([text("g\n"), long(), text("\nh\n")]))
            .writes(join([text("http://a/b/c/g\nhttp://a/b/c/"), long(), text("\nhttp://a/b/c/h\n")]))
            .within(MUCH),
        row("--check checks 15 MB without keeping what it finds", "--check --quiet -b http://a/b")
            .reads(join([times("~", 15_000_000), text("\ng\n")]))
            .status(1)
            .within(MUCH),
        row("a million \"../\" stay, as RFC 1808 says", "-b http://a/b/c/d")
            .reads(times("../", 1_000_000))
            .writes(join([text("http://a/"), times("../", 999_998), text("\n")]))
            .within(PLAIN),
        row("a million segments and a million \"../\" are removed in one pass", "-b http://a/b/c/d")
            .reads(join([times("x/", 1_000_000), times("../", 1_000_000), text("g")]))
            .writes(text("http://a/b/c/g\n"))
            .within(PLAIN),
        row("--check has nothing against a million \"../\"", "--check -b http://a/b").reads(times("../", 1_000_000)).says(text("absurl: no violations in 1 record\n")).within(PLAIN),
        row("ten million empty lines are the base", "-b http://a/b").reads(times("\n", 10_000_000)).writes(times("http://a/b\n", 10_000_000)),
        row("ten million empty records with -0 are the base", "-0 -b http://a/b")
            .reads(times("\0", 10_000_000))
            .writes(times("http://a/b\0", 10_000_000)),
        row("a million empty lines without a base are ten messages and their number", "")
            .reads(times("\n", 1_000_000))
            .writes(times("\n", 1_000_000))
            .says(join([
                each(10, |line| no_base(&format!("-:{line}"))),
                text("absurl: -: 999990 more like these (no-base); pass --base, or the base of each with --pairs\n"),
            ]))
            .status(1),
        row("two million pairs, every third of them wrong, the first have their places", "--pairs")
            .reads(each(2_000_000, |line| {
                if line % 3 == 0 { String::from("no tab\n") } else { format!("http://a/{line}/\tg\n") }
            }))
            .writes(each(2_000_000, |line| if line % 3 == 0 { String::from("\n") } else { format!("http://a/{line}/g\n") }))
            .says(join([
                each(10, |failure| format!("absurl: -:{}: no TAB in the record; write BASE TAB REFERENCE\n", 3 * failure)),
                text("absurl: -: 666656 more like these (no-tab); --json lists each\n"),
            ]))
            .status(1),
        row("three hundred thousand objects, every third of them an error", "--json --pairs")
            .reads(each(300_000, |line| String::from(if line % 3 == 0 { "mailto:x\tg\n" } else { "http://a/b/c/d\tg\n" })))
            .writes(each(300_000, |line| {
                if line % 3 == 0 {
                    format!(
                        "{{\"source\":\"-\",\"record\":{line},\"reference\":\"g\",\"base\":\"mailto:x\",\"error\":{{\"code\":\
                         \"unsuitable-base\",\"message\":\"the base URL's scheme does not allow relative URLs (§2.3); \
                         write an absolute URL\"}}}}\n"
                    )
                } else {
                    format!("{{\"source\":\"-\",\"record\":{line},{JSON_G}\n")
                }
            }))
            .says(join([
                each(10, |failure| {
                    let line = 3 * failure;
                    format!(
                        "absurl: -:{line}: the base URL's scheme does not allow relative URLs (§2.3); write an absolute URL\n"
                    )
                }),
                text("absurl: -: 99990 more like these (unsuitable-base); --json lists each\n"),
            ]))
            .status(1),
        row("a base of 15 MB comes with its pair", "--pairs")
            .reads(join([text("http://a/"), times("x", 15_000_000), text("/\tg\nhttp://a/\tg\n")]))
            .writes(join([text("http://a/"), times("x", 15_000_000), text("/g\nhttp://a/g\n")]))
            .within(MUCH),
        row("a base of 15 MB of slashes goes with its last segment", "--pairs")
            .reads(join([text("http://a"), times("/", 15_000_000), text("\t../g\n")]))
            .writes(join([text("http://a"), times("/", 14_999_999), text("g\n")]))
            .within(MUCH),
        row("a hundred thousand arguments are as many records", "-b http://a/b")
            .shell(r#"set -- "$@" $(seq 100000); exec "$@""#)
            .writes(each(100_000, |number| format!("http://a/{number}\n")))
            .within(PLAIN),
        row("--links --pairs with a hundred thousand records of the same file", "--links --pairs")
            .file("x.html", text("<a href=g>"))
            .reads(each(100_000, |line| {
                if line % 1000 == 0 { format!("http://a/{line}/\tmissing\n") } else { format!("http://a/{line}/\tx.html\n") }
            }))
            .writes(each(100_000, |line| if line % 1000 == 0 { "\n".into() } else { format!("http://a/{line}/g\n") }))
            .says(each(100_000, |line| {
                match line {
                    _ if line % 1000 == 0 && line <= 10_000 => {
                        format!("absurl: -:{line}: missing: no such file or directory\n")
                    }
                    100_000 => "absurl: -: 90 more like these (unreadable); --json lists each\n".into(),
                    _ => String::new(),
                }
            }))
            .status(1),
    ]);
}

/// A list with a record one byte too long, and one that is much longer, each before another one.
fn too_long(start: &'static str, end: &'static str) -> Bytes {
    let record = |length: usize| join([text(start), times("x", length - start.len()), text(end)]);
    join([text(start), text("g"), text(end), record(LONGEST + 1), text(start), text("h"), text(end), record(17 << 20)])
}

/// The most bytes that a record may have.
const LONGEST: usize = 16 << 20;

/// What all see of a record that is too long.
const TOO_LONG: &str = "the record is longer than 16 MiB; split it";

/// Prints the number of objects, and the numbers of the records that are too long.
const OBJECTS: &str = r#""$@" >all; status=$?; grep -c '^{"source":"-","record":' all
        sed -n 's/.*"record":\([0-9]*\),"reference":"","base":null,.*"code":"too-long".*/\1/p' all; exit $status"#;

#[test]
fn records_that_are_too_long_fail_alone() {
    let messages = || text(format!("absurl: -:2: {TOO_LONG}\nabsurl: -:4: {TOO_LONG}\n"));
    let lines = |name: &'static str, arguments: &str| {
        row(name, &format!("-b http://a/b {arguments}"))
            .reads(too_long("", "\n"))
            .says(messages())
            .status(1)
            .within(PLAIN)
    };
    let mut rows = vec![
        lines("plain answers", "").writes(text("http://a/g\n\nhttp://a/h\n\n")),
        lines("-k", "-k").writes(text("g\thttp://a/g\n\t\nh\thttp://a/h\n\t\n")),
        row("-0", "-0 -b http://a/b")
            .reads(too_long("", "\0"))
            .writes(text("http://a/g\0\0http://a/h\0\0"))
            .says(messages())
            .status(1)
            .within(PLAIN),
        row("pairs", "-p")
            .reads(too_long("http://a/b\t", "\n"))
            .writes(text("http://a/g\n\nhttp://a/h\n\n"))
            .says(messages())
            .status(1)
            .within(PLAIN),
        row("pairs of documents", "-l -p")
            .file("g", text("<a href=i>"))
            .file("h", text("<a href=j>"))
            .reads(too_long("http://a/b\t", "\n"))
            .writes(text("http://a/i\n\nhttp://a/j\n\n"))
            .says(messages())
            .status(1)
            .within(PLAIN),
        lines("-c", "-c").says(join([messages(), text("absurl: no violations in 4 records, 2 failed\n")])),
        lines("-e", "-e")
            .shell(r#""$@" >all; status=$?; sed -n '/^-:2/,/^-:3/p;/^-:4/,$p' all; exit $status"#)
            .writes(text(format!("-:2:\n\nerror: {TOO_LONG}\n\n-:3: h\n-:4:\n\nerror: {TOO_LONG}\n"))),
        lines("a last record without its end", "")
            .reads(join([text("g\n"), times("x", 17 << 20)]))
            .writes(text("http://a/g\n\n"))
            .says(text(format!("absurl: -:2: {TOO_LONG}\n"))),
        lines("one of 200 MB", "")
            .reads(join([times("x", 200_000_000), text("\ng\n")]))
            .writes(text("\nhttp://a/g\n"))
            .says(text(format!("absurl: -:1: {TOO_LONG}\n"))),
        lines("one after the other", "")
            .reads(join([times("x", 17 << 20), text("\n"), times("y", 17 << 20), text("\ng")]))
            .writes(text("\n\nhttp://a/g\n"))
            .says(text(format!("absurl: -:1: {TOO_LONG}\nabsurl: -:2: {TOO_LONG}\n"))),
    ];
    for (end, ends) in [("\n", "LF"), ("\r\n", "CRLF")] {
        // its end does not count
        rows.push(
            row(ends, "-b x:")
                .reads(join([times("x", LONGEST), text(end), text("g"), text(end)]))
                .writes(join([text("x:"), times("x", LONGEST), text("\nx:g\n")]))
                .within(PLAIN),
        );
    }
    for mode in ["-j", "-e -j", "-c -j"] {
        let summary = if mode == "-c -j" { "absurl: no violations in 4 records, 2 failed\n" } else { "" };
        rows.push(lines(mode, mode).says(join([messages(), text(summary)])).shell(OBJECTS).writes(text("4\n2\n4\n")));
    }
    #[cfg(feature = "spec")]
    for mode in ["--spec rfc3986", "--spec whatwg"] {
        rows.push(lines(mode, mode).writes(text("http://a/g\n\nhttp://a/h\n\n")));
        rows.push(lines(mode, &format!("{mode} -j")).shell(OBJECTS).writes(text("4\n2\n4\n")));
    }
    #[cfg(feature = "spec")]
    for (mode, script, output) in [("--compare", r#"exec "$@""#, ""), ("--compare -j", OBJECTS, "2\n2\n4\n")] {
        let summary = text("absurl: 0 of 4 records differ, 2 failed\n");
        rows.push(lines(mode, mode).says(join([messages(), summary])).shell(script).writes(text(output)));
    }
    run_all(rows);
}

/// The bytes of a record count, but not a byte order mark before it, and not its end.
#[test]
fn the_longest_record_has_its_answer_with_a_byte_order_mark_too() {
    const IS_TOO_LONG: &str = r#""$@" >all; status=$?; grep -c '"code":"too-long"' all; exit $status"#;
    let mut rows = Vec::new();
    for (length, is_legal) in [(LONGEST - 1, true), (LONGEST, true), (LONGEST + 1, false)] {
        let modes = ["", "-k", "-s whatwg", "-p", "-c", "--compare", "-j"];
        for (mode, mark, end) in modes.into_iter().flat_map(|mode| {
            ["", "\n", "\r\n"].into_iter().flat_map(move |end| ["", "\u{FEFF}"].map(|mark| (mode, mark, end)))
        }) {
            let is_edge = length >= LONGEST && !mark.is_empty() && end.is_empty();
            if !mode.is_empty() && !is_edge || ["-s whatwg", "--compare"].contains(&mode) && !cfg!(feature = "spec") {
                continue;
            }
            let name = format!("{mode:?} {length} {mark:?} {end:?}").leak();
            let (base, pair) = if mode == "-p" { ("", "x:/\t") } else { ("-b x:/ ", "") };
            let xs = move || times("x", length - pair.len());
            let answer = |before: &str| {
                let legal = || join([text(format!("{before}x:/")), xs(), text("\n")]);
                if is_legal { legal() } else { text(format!("{before}\n")) }
            };
            let start = row(name, &format!("{base}{mode}"))
                .reads(join([text(mark), text(pair), xs(), text(end)]))
                .status(i32::from(!is_legal))
                .within(MUCH);
            let finished = match mode {
                "-k" if is_legal => start.writes(join([xs(), answer("\t")])),
                "-k" => start.writes(answer("\t")),
                "-j" => start.shell(IS_TOO_LONG).writes(text(if is_legal { "0\n" } else { "1\n" })),
                "-c" | "--compare" => start,
                _ => start.writes(answer("")),
            };
            let summary = match mode {
                "-c" if is_legal => "absurl: no violations in 1 record\n",
                "-c" => "absurl: no violations in 1 record, 1 failed\n",
                "--compare" if is_legal => "absurl: no differences in 1 record\n",
                "--compare" => "absurl: no differences in 1 record, 1 failed\n",
                _ => "",
            };
            let message = if is_legal { String::new() } else { format!("absurl: -:1: {TOO_LONG}\n") };
            rows.push(finished.says(join([text(message), text(summary)])));
        }
    }
    run_all(rows);
}

/// The peak does not depend on how many records there are.
#[test]
fn ordinary_lists_take_little_memory() {
    let lists = [
        ("-k", "../g\n", 1_000_000, ""),
        ("-p", "http://a/b/c/d\t../g\n", 1_000_000, ""),
        ("-j -b x:/a", "../g\n", 200_000, ""),
        ("-e -b x:/a", "../g\n", 100_000, "^Step 7"),
        ("-e -j -b x:/a", "../g\n", 100_000, ""),
        ("-c -b x:/a", "~\n", 200_000, ""),
        ("", "fails\n", 1_000_000, ""),
    ];
    let list = |(mode, record, many, lines)| {
        let script = format!(r#""$@" 2>/dev/null | grep -c '{lines}'"#);
        row(mode, mode).shell(&script).reads(times(record, many)).writes(text(format!("{many}\n")))
    };
    run_all(lists.map(list).into());
}

/// What a long record took is free again after it.
#[cfg(target_os = "linux")]
#[test]
fn a_long_record_takes_no_memory_after_it() {
    let mut running = absurl(&["-b", "x:/"]).start(Stdio::piped(), Stdio::piped(), Stdio::null());
    let (mut input, mut output) = (running.stdin.take().unwrap(), BufReader::new(running.stdout.take().unwrap()));
    let mut answer = |record: &str| {
        std::thread::scope(|scope| {
            scope.spawn(|| writeln!(input, "{record}").unwrap());
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert_eq!(answer.len(), "x:/\n".len() + record.len());
        });
    };
    answer(&"y".repeat(LONGEST));
    // the space goes when it is needed next
    answer("g");
    answer("h");
    let status = std::fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap();
    let used = status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB"));
    let used: usize = used.unwrap().parse().unwrap();
    // one copy may stay: the allocator keeps it
    assert!(used < 32 * 1024, "{used} KiB");
}

#[cfg(feature = "spec")]
#[test]
fn records_that_are_long_by_other_standards() {
    let dots = || text("../".repeat(1_000_000) + "\n");
    run_all(vec![
        row("RFC 3986 drops a million \"../\"", "--spec rfc3986 -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(MUCH),
        row("WHATWG drops a million \"../\"", "--spec whatwg -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(MUCH),
        row("RFC 3986 reads a million segments and dots in one pass", "--spec rfc3986 -b x:/a")
            .reads(join([times("x/..//", 1_000_000), text("\n"), times("./x/", 1_000_000), text("\n")]))
            .writes(join([
                text("x:/.//"),
                times("/", 999_999),
                text("\nx:/"),
                times("x/", 1_000_000),
                text("\n"),
            ]))
            .within(MUCH),
        row("--compare reads a million segments and dots in one pass", "--compare -b http://a/b")
            .reads(join([times("./x/", 1_000_000), text("\n"), times("x/../", 1_000_000), text("\n")]))
            .says(text("absurl: 0 of 2 records differ\n"))
            .within(MUCH),
        row("WHATWG has a host of half a million labels beyond ASCII", "--spec whatwg")
            .reads(join([text("http://"), times("é.", 500_000), text("/\n")]))
            .writes(join([text("http://"), times("xn--9ca.", 500_000), text("/\n")]))
            .within(MUCH),
        row("WHATWG has no answer to a host of millions of numbers", "--spec whatwg")
            .reads(join([text("http://"), times("1.", 1_000_000), text("/\nhttp://["), times("1:", 1_000_000), text("]/\nx:/\n")]))
            .status(1)
            .writes(text("\n\nx:/\n"))
            .says(join([
                text("absurl: -:1: \"http://"),
                times("1.", 96),
                text("1\"...: not a valid IP address (URL Standard); write four numbers, IPv6 in brackets, or a domain name\nabsurl: -:2: \"http://["),
                times("1:", 96),
                text("\"...: not a valid IP address (URL Standard); write four numbers, IPv6 in brackets, or a domain name\n"),
            ]))
            .within(MUCH),
        row("--compare counts a million empty lines", "--compare -b http://a/b")
            .reads(times("\n", 1_000_000))
            .says(text("absurl: 0 of 1000000 records differ\n")),
    ]);
}
