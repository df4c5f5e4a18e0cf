//! `--rewrite --dry-run`: what it prints is what `--rewrite --in-place` changes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Run, absurl, new_directory, parse_objects, tree};
use crate::moved::ENDINGS as RELATIVE_ENDINGS;
use crate::resolve::exact;
use crate::rewrite::{ENDINGS, table, test_documents, write_files};

/// A run of `--rewrite --dry-run` in a directory.
fn preview(root: &Path, line: &str) -> Run {
    absurl(&["--rewrite", "-n"]).words(line).directory(root)
}

/// A page with two links that change, one that stays, and one that fails.
const PAGE: &str = "<base href=/d/><a href=g>\n<a href=http://x/><img src='i&amp;j'><applet archive=h>";

#[test]
fn each_link_that_would_change_is_printed() {
    let root =
        tree("preview", &[("a.html", PAGE), ("site/b.html", "<a href=/g>"), ("site/c.css", ""), ("site/d.x", "")]);
    let lines = "a.html:1:12: /d/ -> http://h/d/\na.html:1:24: g -> http://h/d/g\na.html:2:29: i&j -> http://h/d/i&j\n\
                 a.html:2:54: h -> http://h/d/h\n";
    let sum = "absurl: 1 of 1 document would change\n";
    preview(&root, "-b http://h/ a.html").gives(lines, sum, 1);
    preview(&root, "-i -b http://h/ a.html").gives(lines, sum, 1);
    preview(&root, "-q -b http://h/ a.html").gives("", "", 1);
    // standard input, with a name or without one
    for line in ["-b http://h/", "-b http://h/ -"] {
        preview(&root, line).input(PAGE).gives(lines.replace("a.html", "-"), sum, 1);
    }
    let sums = "absurl: site: 2 documents read, 1 file skipped (1 .x)\nabsurl: 1 of 2 documents would change\n";
    preview(&root, "-b http://h/ site").gives("site/b.html:1:9: /g -> http://h/g\n", sums, 1);
    preview(&root, "-b http://h/ --relative site").gives("site/b.html:1:9: /g -> g\n", sums, 1);
    preview(&root, "-b http://h/ site/c.css").gives("", "absurl: 0 of 1 document would change\n", 0);
    let list = "http://h/\tsite/b.html\nhttp://h/\tsite/./b.html\nhttp://h/x/\tsite/c.css\n";
    let sum = "absurl: 1 of 3 documents would change\n";
    preview(&root, "-p").input(list).gives("site/b.html:1:9: /g -> http://h/g\n", sum, 1);
    assert_eq!(fs::read_to_string(root.join("a.html")).unwrap(), PAGE);
    assert_eq!(fs::read_dir(root.join("site")).unwrap().count(), 3);
}

#[test]
fn what_fails_and_what_is_refused_is_counted_alike() {
    let mail = "Content-Type: text/html\n\n<a href=g>";
    let feed = "<rss version='2.0'><channel><link>g</link><link></channel>";
    let files = [("a.html", "<a href=g><applet archive=h><a href='{{ x }}'>"), ("b.eml", mail), ("c.rss", feed)];
    let (one, two) = (tree("alike_preview", &files), tree("alike", &files));
    let (stdout, stderr, status) = preview(&one, "-b http://h/x,/ .").text();
    let (_, messages, status_in_place) = absurl(&["--rewrite", "-i", "-b", "http://h/x,/", "."]).directory(&two).text();
    assert_eq!(stdout, "a.html:1:9: g -> http://h/x,/g\n".replace("a.html", "./a.html"));
    assert_eq!(stderr, messages.replace(" changed", " would change"));
    assert_eq!((status, status_in_place), (2, 2));
    // messages and JSON
    let (stdout, _, status) = preview(&one, "-j -q -b http://h/x,/ a.html").text();
    let objects = parse_objects(stdout);
    let fields = |name: &str| objects.iter().map(|object| object[name].clone()).collect::<Vec<_>>();
    assert_eq!(fields("new"), [Value::from("http://h/x,/g"), Value::Null, Value::Null]);
    assert_eq!(fields("reference"), ["g", "h", "{{ x }}"]);
    assert_eq!(
        (fields("element"), fields("column")),
        (vec!["a".into(), "applet".into(), "a".into()], vec![9.into(), 27.into(), 38.into()])
    );
    let codes: Vec<_> = objects.iter().map(|object| object["error"]["code"].clone()).collect();
    assert_eq!((codes, status), (vec![Value::Null, "unwritable".into(), "template".into()], 1));
}

#[test]
fn the_command_line_is_checked_first() {
    for (arguments, message) in [
        ("-n a.html", "--dry-run needs --rewrite"),
        ("--rewrite -n -0 a.html", "--rewrite cannot be used with --null"),
        ("--rewrite -n -k a.html", "--rewrite cannot be used with --keep-input"),
        ("--rewrite -j a.html", "--rewrite with --json needs --dry-run"),
        ("--rewrite -c a.html", "--rewrite cannot be used with --check; use --dry-run"),
    ] {
        absurl(&[]).words(arguments).gives("", format!("absurl: {message}\n"), 2);
    }
}

/// The references of links that change, and the new ones, but for bases.
type Changes = Vec<(Vec<u8>, Vec<u8>)>;

/// The references of all links of files, one list for each, but for bases.
fn references(options: &[&str], files: &[String]) -> Vec<Vec<Vec<u8>>> {
    let run = files.iter().fold(absurl(&["--links", "-qj"]).arguments(options), Run::argument);
    let objects = parse_objects(run.bytes().0);
    let of_file = |file: &String| {
        let own = objects.iter().filter(|object| object["source"] == **file && !is_base(object));
        own.map(|object| exact(object, "reference").unwrap()).collect()
    };
    files.iter().map(of_file).collect()
}

/// Whether an object is that of a base.
fn is_base(object: &Value) -> bool {
    object["element"] == "base" || object["attribute"] == "xml:base"
}

#[test]
fn what_it_prints_is_what_changes() {
    let directory = new_directory("preview_and_change");
    let mut all = 0;
    for (relative, endings) in [(&[][..], ENDINGS), (&["--relative"][..], RELATIVE_ENDINGS)] {
        let read = |file| (String::new(), fs::read(file).unwrap());
        let files = test_documents(endings).into_iter().map(read);
        let rows = table().into_iter().map(|[_, document, ..]| (String::new(), document));
        let documents: Vec<_> = files.chain(rows).collect();
        for spec in ["rfc1808", "whatwg"] {
            let files = write_files(&documents, &directory);
            let options = ["-b", "http://r.example/d/p?q&r='s'", "-s", spec];
            let before = references(&options, &files);
            let run = |flags: &[&str]| {
                let run = absurl(&["--rewrite", "-q"]).arguments(flags).arguments(&options).arguments(relative);
                files.iter().fold(run, Run::argument).bytes()
            };
            let printed = parse_objects(run(&["-n", "-j"]).0);
            let same: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
            assert!(same.iter().zip(&documents).all(|(now, (_, document))| now == document), "nothing is written");
            let (stdout, ..) = run(&["-i"]);
            assert_eq!(stdout, b"");
            let after = references(&options, &files);
            for (at, file) in files.iter().enumerate() {
                let own: Vec<_> =
                    printed.iter().filter(|object| object["source"] == **file && !object["new"].is_null()).collect();
                let is_changed = fs::read(file).unwrap() != documents[at].1;
                let shown = || format!("{spec} {relative:?} {}", documents[at].1.escape_ascii());
                assert_eq!(own.is_empty(), !is_changed, "{}", shown());
                let links = own.iter().filter(|object| !is_base(object));
                let announced: Changes =
                    links.map(|it| (exact(it, "reference").unwrap(), exact(it, "new").unwrap())).collect();
                assert_eq!(before[at].len(), after[at].len(), "{}", shown());
                let pairs = before[at].iter().cloned().zip(after[at].iter().cloned());
                let changed: Changes = pairs.filter(|(old, new)| old != new).collect();
                assert_eq!(announced, changed, "{}", shown());
                all += changed.len();
            }
        }
    }
    assert!(all > 1_000, "{all}");
}
