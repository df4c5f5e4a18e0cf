//! Records that are long or many.

#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader, Write};
#[cfg(target_os = "linux")]
use std::process::Stdio;

use super::JSON_G;
use super::row::{FULL, MUCH, PLAIN, QUICK, Size, each, join, row, run_all, text, times};
use crate::cli::no_base;
use crate::harness::Bytes;
#[cfg(target_os = "linux")]
use crate::harness::absurl;

fn many_records(Size { many, .. }: Size) {
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
        row("many \"../\" stay, as RFC 1808 says", "-b http://a/b/c/d")
            .reads(times("../", many))
            .writes(join([text("http://a/"), times("../", many - 2), text("\n")]))
            .within(PLAIN),
        row("many segments and many \"../\" are removed in one pass", "-b http://a/b/c/d")
            .reads(join([times("x/", many), times("../", many), text("g")]))
            .writes(text("http://a/b/c/g\n"))
            .within(PLAIN),
        row("--check has nothing against many \"../\"", "--check -b http://a/b").reads(times("../", many)).says(text("absurl: no illegal characters in 1 reference\n")).within(PLAIN),
        row("many empty lines are the base", "-b http://a/b").reads(times("\n", 10 * many)).writes(times("http://a/b\n", 10 * many)),
        row("many empty records with -0 are the base", "-0 -b http://a/b")
            .reads(times("\0", 10 * many))
            .writes(times("http://a/b\0", 10 * many)),
        row("many empty lines without a base are ten messages and their number", "")
            .reads(times("\n", many))
            .writes(times("\n", many))
            .says(join([
                each(10, |line| no_base(&format!("-:{line}"))),
                text(format!("absurl: -: {} more like these\n", many - 10)),
            ]))
            .status(1),
        row("many pairs, every third of them wrong, the first have their places", "--pairs")
            .reads(each(2 * many, |line| {
                if line % 3 == 0 { String::from("no tab\n") } else { format!("http://a/{line}/\tg\n") }
            }))
            .writes(each(2 * many, |line| if line % 3 == 0 { String::from("\n") } else { format!("http://a/{line}/g\n") }))
            .says(join([
                each(10, |failure| format!("absurl: -:{}: no TAB; write BASE TAB REFERENCE\n", 3 * failure)),
                text(format!("absurl: -: {} more like these\n", 2 * many / 3 - 10)),
            ]))
            .status(1),
        row("many objects, every third of them an error", "--json --pairs")
            .reads(each(3 * many / 10, |line| String::from(if line % 3 == 0 { "mailto:x\tg\n" } else { "http://a/b/c/d\tg\n" })))
            .writes(each(3 * many / 10, |line| {
                if line % 3 == 0 {
                    format!(
                        "{{\"source\":\"-\",\"record\":{line},\"spec\":\"rfc1808\",\"reference\":\"g\",\"base\":\"mailto:x\",\
                         \"error\":{{\"code\":\"unsuitable-base\",\"message\":\"the base URL's scheme does not allow relative URLs; \
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
                        "absurl: -:{line}: the base URL's scheme does not allow relative URLs; write an absolute URL\n"
                    )
                }),
                text(format!("absurl: -: {} more like these\n", many / 10 - 10)),
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
                    100_000 => "absurl: -: 90 more like these\n".into(),
                    _ => String::new(),
                }
            }))
            .status(1),
    ]);
}

#[test]
fn records_that_are_long_or_many() {
    many_records(QUICK);
}

#[test]
#[ignore = "millions of records: 3 seconds"]
fn records_that_are_long_or_many_in_full_size() {
    many_records(FULL);
}

/// A list with a record one byte too long, and one that is much longer, each before another one.
fn too_long(start: &'static str, end: &'static str) -> Bytes {
    let record = |length: usize| join([text(start), times("x", length - start.len()), text(end)]);
    join([text(start), text("g"), text(end), record(LONGEST + 1), text(start), text("h"), text(end), record(17 << 20)])
}

/// The most bytes that a record may have.
const LONGEST: usize = 16 << 20;

/// What all see of a record that is too long.
const TOO_LONG: &str = "longer than 16 MiB; split it";

/// Prints the number of objects, and the numbers of the records that are too long.
const OBJECTS: &str = r#""$@" >all; status=$?; grep -c '^{"source":"-","record":' all
        sed -n 's/.*"record":\([0-9]*\),.*"reference":"","base":null,.*"code":"too-long".*/\1/p' all; exit $status"#;

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
        lines("-c", "-c").says(join([messages(), text("absurl: no illegal characters in 4 references, 2 failed\n")])),
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
        let summary = if mode == "-c -j" { "absurl: no illegal characters in 4 references, 2 failed\n" } else { "" };
        rows.push(lines(mode, mode).says(join([messages(), text(summary)])).shell(OBJECTS).writes(text("4\n2\n4\n")));
    }
    for mode in ["--spec rfc3986", "--spec whatwg"] {
        rows.push(lines(mode, mode).writes(text("http://a/g\n\nhttp://a/h\n\n")));
        rows.push(lines(mode, &format!("{mode} -j")).shell(OBJECTS).writes(text("4\n2\n4\n")));
    }
    for (mode, script, output) in [("--compare", r#"exec "$@""#, ""), ("--compare -j", OBJECTS, "2\n2\n4\n")] {
        let summary = text("absurl: no differences in 4 references, 2 failed\n");
        rows.push(lines(mode, mode).says(join([messages(), summary])).shell(script).writes(text(output)));
    }
    run_all(rows);
}

/// Tries records at the limit: their bytes count, but not a byte order mark before them, and not their end. `all`: with
/// each end, and below the limit.
fn longest_records(all: bool) {
    const IS_TOO_LONG: &str = r#""$@" >all; status=$?; grep -c '"code":"too-long"' all; exit $status"#;
    let mut rows = Vec::new();
    for (length, is_legal) in [(LONGEST - 1, true), (LONGEST, true), (LONGEST + 1, false)] {
        let modes = ["", "-k", "-s whatwg", "-p", "-c", "--compare", "-j"];
        for (mode, mark, end) in modes.into_iter().flat_map(|mode| {
            ["", "\n", "\r\n"].into_iter().flat_map(move |end| ["", "\u{FEFF}"].map(|mark| (mode, mark, end)))
        }) {
            let is_edge = length >= LONGEST && !mark.is_empty() && end.is_empty();
            if !(is_edge || all && mode.is_empty()) {
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
                "-c" if is_legal => "absurl: no illegal characters in 1 reference\n",
                "-c" => "absurl: no illegal characters in 1 reference, 1 failed\n",
                "--compare" if is_legal => "absurl: no differences in 1 reference\n",
                "--compare" => "absurl: no differences in 1 reference, 1 failed\n",
                _ => "",
            };
            let message = if is_legal { String::new() } else { format!("absurl: -:1: {TOO_LONG}\n") };
            rows.push(finished.says(join([text(message), text(summary)])));
        }
    }
    run_all(rows);
}

#[test]
fn the_longest_record_has_its_answer_with_a_byte_order_mark_too() {
    longest_records(false);
}

#[test]
#[ignore = "300 MB: a second"]
fn the_longest_record_has_its_answer_with_each_end() {
    longest_records(true);
}

/// The peak does not depend on how many records there are.
fn ordinary_lists(Size { many, .. }: Size) {
    let lists = [
        ("-k", "../g\n", many, ""),
        ("-p", "http://a/b/c/d\t../g\n", many, ""),
        ("-j -b x:/a", "../g\n", many / 5, ""),
        ("-e -b x:/a", "../g\n", many / 10, "^Step 7"),
        ("-e -j -b x:/a", "../g\n", many / 10, ""),
        ("-c -b x:/a", "~\n", many / 5, ""),
        ("", "fails\n", many, ""),
    ];
    let list = |(mode, record, many, lines)| {
        let script = format!(r#""$@" 2>/dev/null | grep -c '{lines}'"#);
        row(mode, mode).shell(&script).reads(times(record, many)).writes(text(format!("{many}\n")))
    };
    run_all(lists.map(list).into());
}

#[test]
fn ordinary_lists_take_little_memory() {
    ordinary_lists(QUICK);
}

#[test]
#[ignore = "5 million records: 2 seconds"]
fn ordinary_lists_take_little_memory_in_full_size() {
    ordinary_lists(FULL);
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

fn long_records_by_other_standards(Size { many, .. }: Size) {
    let dots = || text("../".repeat(many) + "\n");
    run_all(vec![
        row("RFC 3986 drops many \"../\"", "--spec rfc3986 -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(MUCH),
        row("WHATWG drops many \"../\"", "--spec whatwg -b http://a/b/c/d")
            .reads(dots())
            .writes(text("http://a/\n"))
            .within(MUCH),
        row("WHATWG has no answer with a long host", "--spec whatwg --pairs")
            .reads(join([
                text("http://h/\t//"),
                times("a", many),
                times("/..", many),
                text("\nhttp://"),
                times("a", many),
                text("\t"),
                times("../", many),
                text("\nhttp://"),
                times("a", many),
                times("/..", many),
                text("\tg\n"),
            ]))
            .writes(text("\n\n\n"))
            .says(each(3, |line| format!("absurl: -:{line}: user, host and port are longer than 2 KiB\n")))
            .status(1)
            .within(MUCH),
        row("WHATWG drops many \"../\" after the longest host", "--spec whatwg")
            .reads(join([text("http://"), times("a", 2048), times("/..", 5 * many), text("\n")]))
            .writes(join([text("http://"), times("a", 2048), text("/\n")]))
            .within(MUCH),
        row("RFC 3986 reads many segments and dots in one pass", "--spec rfc3986 -b x:/a")
            .reads(join([times("x/..//", many), text("\n"), times("./x/", many), text("\n")]))
            .writes(join([text("x:/.//"), times("/", many - 1), text("\nx:/"), times("x/", many), text("\n")]))
            .within(MUCH),
        row("--compare reads many segments and dots in one pass", "--compare -b http://a/b")
            .reads(join([times("./x/", many), text("\n"), times("x/../", many), text("\n")]))
            .says(text("absurl: no differences in 2 references\n"))
            .within(MUCH),
        row("--compare counts many empty lines", "--compare -b http://a/b")
            .reads(times("\n", many))
            .says(text(format!("absurl: no differences in {many} references\n"))),
    ]);
}

#[test]
fn records_that_are_long_by_other_standards() {
    long_records_by_other_standards(QUICK);
}

#[test]
#[ignore = "a million segments: a second"]
fn records_that_are_long_by_other_standards_in_full_size() {
    long_records_by_other_standards(FULL);
}
