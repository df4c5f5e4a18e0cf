//! Documents of a directory: which are read, in what order, and the URL of each.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::documents::without_base;
use crate::harness::{Run, SHARED_BASE, absurl, new_directory, parse_objects, tree};

/// A run in a directory.
fn within(root: &Path, line: &str) -> Run {
    absurl(&[]).words(line).directory(root)
}

/// A page with one link.
const PAGE: &str = "<a href=g>";

#[test]
fn documents_are_read_in_the_order_of_their_bytes() {
    let root = tree(
        "order",
        &[
            ("site/b.html", PAGE),
            ("site/a/z.htm", PAGE),
            ("site/a/y.XHTML", "<html xmlns='http://www.w3.org/1999/xhtml'><a href='g'/></html>"),
            ("site/a-b.html", PAGE),
            ("site/a.html", PAGE),
            ("site/Z.css", "@import 'g';"),
            ("site/mail.eml", "Subject: x\nContent-Type: text/html\n\n<a href=g>"),
            ("site/picture.svg", "<svg xmlns='http://www.w3.org/2000/svg'><a href='g'/></svg>"),
        ],
    );
    let (stdout, stderr, status) = within(&root, "-l -j -b http://h/s site").text();
    let urls: Vec<_> =
        parse_objects(&stdout).iter().map(|object| object["base"].to_string().replace('"', "")).collect();
    let expected = ["Z.css", "a/y.XHTML", "a/z.htm", "a-b.html", "a.html", "b.html", "mail.eml", "picture.svg"];
    // "a" comes before "a-b.html", as it is shorter
    assert_eq!(urls, expected.map(|name| format!("http://h/s/{name}")));
    assert_eq!((&*stderr, status), ("absurl: site: 8 documents read\n", 0));
}

/// The bytes of a directory's or a file's name, and how each standard writes it: all like RFC 1808 if there is one.
const NAMES: [(&[u8], &[&str]); 17] = [
    (b"a b", &["a%20b"]),
    (b"a#b", &["a%23b"]),
    (b"a%41b", &["a%2541b"]),
    (b"a?b", &["a%3Fb"]),
    (b"\xC3\xA9", &["%C3%A9"]),
    (b"\xFF\x01\x7F", &["%FF%01%7F"]),
    (b"\\\"<>{}^`", &["%5C%22%3C%3E%7B%7D%5E%60"]),
    (b"http:", &["http:"]),
    (b"@h:&!,'", &["@h:&!,'"]),
    (b"\n", &["%0A"]),
    (b"+ +", &["+%20+"]),
    (b"a..", &["a.."]),
    (b"%2e", &["%252e"]),
    (b"~user", &["%7Euser", "~user", "~user"]),
    (b"[slug]", &["%5Bslug%5D", "%5Bslug%5D", "[slug]"]),
    (b"a;b=c", &["a%3Bb=c", "a%3Bb=c", "a;b=c"]),
    (b"c|", &["c%7C", "c%7C", "c|"]),
];

/// A directory `site` with a directory of each name, and in that a page `PAGE.html` of the same name.
fn named(test: &str, page: &str) -> PathBuf {
    let root = new_directory(test);
    for (name, _) in NAMES {
        let directory = root.join("site").join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(std::ffi::OsStr::from_bytes(&[name, b".html"].concat())), page).unwrap();
    }
    root
}

/// The names as a standard writes them.
fn written(standard: usize) -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(move |(_, urls)| *urls.get(standard).unwrap_or(&urls[0]))
}

const STANDARDS: [&str; 3] = ["rfc1808", "rfc3986", "whatwg"];

#[test]
fn the_url_of_a_file_has_its_name_as_the_standard_writes_it() {
    let root = named("names", PAGE);
    for (index, standard) in STANDARDS.iter().enumerate() {
        let mut expected: Vec<_> = written(index).map(|name| format!("http://h/x/{name}/{name}.html")).collect();
        expected.sort_unstable();
        let sums = "absurl: site: 17 documents read\n";
        for of_root in ["", " --root ."] {
            let base = if of_root.is_empty() { "http://h/x" } else { "http://h" };
            let run = format!("--print-base -0 -s {standard} -b {base}{of_root} site");
            let (stdout, stderr, status) = within(&root, &run).text();
            let lines = stdout.split_terminator('\0').map(|line| line.trim_end_matches("\t3.3"));
            let mut urls: Vec<_> = lines.map(|url| url.replace("http://h/site/", "http://h/x/")).collect();
            urls.sort_unstable();
            assert_eq!((urls, &*stderr, status), (expected.clone(), sums, 0), "{run}");
        }
        let (stdout, ..) = within(&root, &format!("-lj -s {standard} -b http://h/x site")).text();
        let mut urls: Vec<_> =
            parse_objects(stdout).iter().map(|object| object["base"].as_str().unwrap().to_owned()).collect();
        urls.sort_unstable();
        assert_eq!(urls, expected, "{standard}");
        // a browser keeps each URL, and a server decodes it to the name
        let (opened, _, _) = absurl(&["-s", "whatwg"]).input(expected.join("\n") + "\n").text();
        assert!(standard != &"whatwg" || opened.lines().eq(&expected), "{opened}");
        for url in opened.lines() {
            let path = decoded(url.strip_prefix("http://h/x/").expect("it stays there"));
            assert!(root.join("site").join(std::ffi::OsStr::from_bytes(&path)).is_file(), "{url}");
        }
    }
}

/// A path as a server decodes it.
fn decoded(path: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [byte, after @ ..] = rest {
        rest = after;
        let escaped = after.get(..2).filter(|_| *byte == b'%').and_then(|digits| str::from_utf8(digits).ok());
        let escaped = escaped.map(|digits| u8::from_str_radix(digits, 16).expect("an escape"));
        rest = &rest[if escaped.is_some() { 2 } else { 0 }..];
        bytes.push(escaped.unwrap_or(*byte));
    }
    bytes
}

#[test]
fn a_page_is_known_by_its_url() {
    let root = new_directory("known_names");
    // a page, and how people write its URL
    for (name, typed, known_by) in [
        ("~user", "~user", &["rfc3986", "whatwg"][..]),
        ("[slug]", "[slug]", &["whatwg"]),
        ("a;b", "a;b", &["whatwg"]),
        ("a b", "a%20b", &STANDARDS),
        ("a b", "a b", &["whatwg"]),
        ("%41", "%2541", &STANDARDS),
        ("\u{e9}", "%C3%A9", &STANDARDS),
        ("\u{e9}", "\u{e9}", &["whatwg"]),
        ("a#b", "a%23b", &STANDARDS),
        ("a?b", "a%3Fb", &STANDARDS),
        ("a\\b", "a%5Cb", &STANDARDS),
        ("x|y", "x|y", &["whatwg"]),
        ("a^b", "a^b", &["whatwg"]),
    ] {
        let page = root.join("site").join(name).join("p.html");
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        fs::write(&page, format!("<a href='/{typed}/x.html'><a href='/{typed}/p.html#y'>")).unwrap();
        for standard in known_by {
            for document in ["site".to_owned(), format!("--root=site site/{name}/p.html")] {
                let (flags, path) = document.split_at(document.find(' ').map_or(0, |at| at + 1));
                let flags: Vec<_> = flags.split_whitespace().collect();
                let arguments = ["--rewrite", "--relative", "-n", "-b", "http://h/", "-s", standard];
                let run = absurl(&[&arguments[..], &flags, &[path]].concat()).directory(&root);
                let (stdout, ..) = run.text();
                assert!(stdout.contains("x.html") && stdout.contains("#y"), "{stdout}");
                let links: Vec<_> = stdout.lines().filter_map(|line| line.split(" -> ").nth(1)).collect();
                assert_eq!(links, ["x.html", "#y"], "{name} {typed} {standard}: {stdout}");
            }
        }
        fs::remove_dir_all(root.join("site")).unwrap();
    }
}

#[test]
fn names_are_no_difference_between_standards_and_no_violation() {
    let root = named("quiet_names", "<a href=g><a href=../h/><a href=#i>");
    let read = "absurl: site: 17 documents read\n";
    for standard in STANDARDS {
        for (flags, sum) in [
            ("--compare", "no differences in 51 links"),
            ("--check=host", "all 51 links stay on their host"),
            ("--check", "no illegal characters in 51 links"),
        ] {
            let run = within(&root, &format!("-l {flags} -s {standard} -b http://h/ site"));
            run.gives("", format!("{read}absurl: {sum}\n"), 0);
        }
    }
}

#[test]
fn a_name_is_never_a_host() {
    let root = tree("no_hosts", &[("site/evil.test/a.html", PAGE)]);
    for base in ["file://", "file:", "file:/", "file:///"] {
        for standard in STANDARDS {
            let slashes = if base == "file:" || base == "file:/" { "/" } else { "///" };
            let slashes = if standard == "whatwg" { "///" } else { slashes };
            let expected = format!("file:{slashes}evil.test/g\n");
            for of_root in ["site", "--root site site"] {
                let run = within(&root, &format!("-l -s {standard} -b {base} {of_root}"));
                run.gives(expected.clone(), "absurl: site: 1 document read\n", 0);
            }
        }
    }
}

#[test]
fn a_base_is_the_url_of_the_directory() {
    let root = tree("bases", &[("site/d/x.html", PAGE), ("other/y.html", PAGE), ("pairs", "http://h/p\tsite\n")]);
    let read = "absurl: site: 1 document read\n";
    for (url, answer) in [
        ("http://h", "http://h/d/g\n"),
        ("http://h/", "http://h/d/g\n"),
        ("http://h/a/b", "http://h/a/b/d/g\n"),
        ("http://h/a/b/", "http://h/a/b/d/g\n"),
        ("http://h/a?q/r", "http://h/a/d/g\n"),
        ("http://h/a#f?q", "http://h/a/d/g\n"),
    ] {
        absurl(&["-l", "-b", url, "site"]).directory(&root).gives(answer, read, 0);
        absurl(&["-l", "-b", url, "site/"]).directory(&root).gives(answer, read.replace("site", "site/"), 0);
    }
    // of the working directory itself
    within(&root.join("site"), "-l -b http://h .").gives("http://h/d/g\n", "absurl: .: 1 document read\n", 0);
    // each record of a list has its own
    within(&root, "-l -p -f pairs").gives("http://h/p/d/g\n", read, 0);
    let note = "absurl: --base: \"http://h/index.HTML\" ends like the URL of a document; \
                here it is that of the directory site\n";
    let expected = (format!("{note}{read}"), "http://h/index.HTML/d/g\n");
    within(&root, "-l -b http://h/index.HTML site").gives(expected.1, expected.0, 0);
    let note = "absurl: --base: \"http://h/d;x/\" has params, which end the path of a directory; omit them\n";
    within(&root, "-l -b http://h/d;x/ site").gives("http://h/g\n", format!("{note}{read}"), 0);
    let typed = "absurl: argument 1: site is a directory, whose documents may have several types; omit --media-type\n";
    let arguments = ["-lp", "--media-type", "text/html", "http://h/\tsite"];
    absurl(&arguments).directory(&root).gives("\n", typed, 1);
    // no base: a page's own, or none
    within(&root, "--print-base site other").gives(
        "\t3.4\n\t3.4\n",
        [
            without_base("site/d/x.html"),
            read.into(),
            without_base("other/y.html"),
            "absurl: other: 1 document read\n".into(),
        ]
        .concat(),
        1,
    );
}

#[test]
fn a_base_belongs_to_one_directory() {
    let root = tree("one", &[("site/x.html", PAGE), ("y.html", PAGE)]);
    let one = "absurl: with --base, the directory site must be the only DOCUMENT; or use --root DIR\n";
    for arguments in ["-l -b http://h site y.html", "--print-base -b http://h y.html site", "-l -b http://h site site"]
    {
        within(&root, arguments).gives("", one, 2);
    }
    within(&root, "--rewrite -i -b http://h y.html site").gives("", one, 2);
    let types = "absurl: site is a directory, whose documents may have several types; omit --media-type\n";
    within(&root, "-l --media-type text/html site").gives("", types, 2);
    let place = "absurl: site is a directory; to rewrite its documents, use --in-place\n";
    within(&root, "--rewrite site").gives("", place, 2);
    within(&root, "-d site g").gives("", "absurl: site: a directory; -d takes one document\n", 2);
}

/// `--root` gives each document the URL that a walk gives it.
#[test]
fn a_root_says_which_directory_the_base_is_of() {
    let page = "<base target=x><a href='../../g'><a href=''><a href='#f'><a href='?q'><a href=/r>";
    let names = ["a.html", "d/e/x#y.html", "d/e f.html", "d/~/%.html"];
    let files: Vec<_> = names.iter().map(|name| (format!("site/{name}"), page)).collect();
    let files: Vec<_> = files.iter().map(|(name, page)| (&**name, *page)).chain([("other.html", page)]).collect();
    let root = tree("root", &files);
    let whole = absurl(&["-lj", "-b", "http://h/s?q/", "site"]).directory(&root).text().0;
    assert_eq!(whole.lines().count(), 4 * 5);
    let run = |directory: &str, documents: &[&str]| {
        let arguments = [&["-lj", "-b", "http://h/s?q/", "--root", directory, "--"], documents].concat();
        let (stdout, stderr, status) = absurl(&arguments).directory(&root).text();
        assert_eq!((stderr.lines().all(|line| line.ends_with(" read")), status), (true, 0), "{stderr}");
        stdout
    };
    let all: Vec<_> = names.iter().map(|name| format!("site/{name}")).collect();
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    assert_eq!(run("site", &all), whole);
    assert_eq!(all.iter().map(|name| run("site/", &[name])).collect::<String>(), whole);
    assert_eq!(run("./site", &["site"]), whole);
    assert_eq!(run("site/.", &["site/a.html", "site//d/"]), whole.replace("site/d/", "site//d/"));
    let path = root.join("site/d").to_str().unwrap().to_owned();
    let absolute = whole.replace("\"site/d/", &format!("\"{path}/"));
    assert_eq!(run("site", &["site/a.html", &path]), absolute);
    assert_eq!(run(root.join("site").to_str().unwrap(), &["site"]), whole);
    // the directory above has the base, too
    let (stdout, ..) = within(&root, "--print-base -k -b http://h/ --root . site/d/e site/a.html other.html").text();
    let bases = "site/d/e/x#y.html\thttp://h/site/d/e/x%23y.html\t3.3\nsite/a.html\thttp://h/site/a.html\t3.3\n\
                 other.html\thttp://h/other.html\t3.3\n";
    assert_eq!(stdout, bases);
    // both write what one walk writes
    let rewritten = within(&root, "--rewrite -b http://h/ --root site site/d/~/%.html").text().0;
    within(&root, "--rewrite -iq -b http://h/ --root site site/d/~/%.html site/a.html").gives("", "", 0);
    assert_eq!(fs::read_to_string(root.join("site/d/~/%.html")).unwrap(), rewritten);
    within(&root, "--rewrite -iq -b http://h/ site").gives("", "", 0);
    assert_eq!(fs::read_to_string(root.join("site/d/~/%.html")).unwrap(), rewritten);
    assert!(rewritten.contains("'http://h/d/../g'") || rewritten.contains("'http://h/g'"), "{rewritten}");
}

#[test]
fn a_root_is_a_directory_with_a_url_and_named_documents_in_it() {
    let root = tree("roots", &[("site/a.html", PAGE), ("site2/b.html", PAGE), ("y.html", PAGE)]);
    for (line, what) in [
        ("-l -b http://h/ --root site y.html", "y.html is outside site, the directory of --root"),
        ("-l -b http://h/ --root site site site2", "site2 is outside site, the directory of --root"),
        (
            "-l -b http://h/ --root site site/../y.html",
            "--root site and site/../y.html: write both names without \"..\"",
        ),
        ("-l -b http://h/ --root site/.. site", "--root site/.. and site: write both names without \"..\""),
        ("-l -b http://h/ --root y.html y.html", "--root: y.html is not a directory"),
        ("-l -b http://h/ --root gone gone/a.html", "--root: gone is not a directory"),
        ("-l -b http://h/ --root site", "--root needs the names of documents, and standard input has no name"),
        ("-l -b http://h/ --root . y.html -", "--root needs the names of documents, and standard input has no name"),
        ("-l --root site site", "--root needs --base, the URL of the directory"),
        ("-l -b= --root site site", "--root needs --base, the URL of the directory"),
        ("-b http://h/ --root site g", "--root needs --links, --rewrite or --print-base"),
        ("-d y.html --root site g", "--root needs --links, --rewrite or --print-base"),
        (
            "--print-base -b http://h/ -d y.html --root .",
            "--root cannot be used with --document; pass the document as an argument",
        ),
        ("-lp --root . y.html", "--root cannot be used with --pairs; each line has its own base URL"),
        (
            "-l -b http://h/ --root . --media-type html site",
            "site is a directory, whose documents may have several types; omit --media-type",
        ),
        ("--rewrite -b http://h/ --root . site", "site is a directory; to rewrite its documents, use --in-place"),
    ] {
        within(&root, line).gives("", format!("absurl: {what}\n"), 2);
    }
    // a file that is not there is a failure of its own, and the base may have a slip
    let gone = "absurl: site/gone.html: no such file or directory\n";
    within(&root, "-l -b http://h/ --root site site/gone.html site/a.html").gives("http://h/g\n", gone, 2);
    let note = "absurl: --base: \"http://h/i.htm\" ends like the URL of a document; here it is that of the directory of --root\n";
    within(&root, "-l -b http://h/i.htm --root site site/a.html").gives("http://h/i.htm/g\n", note, 0);
}

#[test]
fn a_base_that_documents_share_has_a_note() {
    let root = tree("shared", &[("a.html", PAGE), ("d/b.html", PAGE)]);
    for (flags, status) in [
        ("-l", 0),
        ("-l -q", 0),
        ("-l --check", 0),
        ("-l --relative", 0),
        ("--print-base", 0),
        ("--rewrite -i", 0),
        ("-l --compare", 0),
        ("-l --check=host", 0),
    ] {
        let (_, stderr, given) = within(&root, &format!("{flags} -b http://h/ a.html d/b.html")).text();
        assert!(stderr.starts_with(SHARED_BASE) && given == status, "{flags}: {stderr}");
        for alone in
            ["-b http://h/ a.html", "-b http://h/ --root . a.html d/b.html", "a.html d/b.html", "-b http://h/ ."]
        {
            let (_, stderr, _) = within(&root, &format!("{flags} {alone}")).text();
            assert!(!stderr.contains("of each document"), "{flags} {alone}: {stderr}");
        }
    }
}

#[test]
fn what_is_no_document_is_counted() {
    let files = [
        ("site/a.html", PAGE),
        ("site/empty.html", ""),
        ("site/text.html", "no tag"),
        ("site/a.php", PAGE),
        ("site/b.PHP", PAGE),
        ("site/c.txt", PAGE),
        ("site/Makefile", ""),
        ("site/README", ""),
        ("site/dot.", ""),
        ("site/unknown.xml", "<?xml version='1.0'?><note xmlns='x'><a href='g'/></note>"),
        // not counted
        ("site/a.png", ""),
        ("site/a.WOFF2", ""),
        ("site/a.js", ""),
        // hidden
        ("site/.a.html", PAGE),
        ("site/.git/a.html", PAGE),
    ];
    let root = tree("counted", &files);
    let sum = "absurl: site: 3 documents read, 7 files skipped (3 without an ending, 2 .php, 1 .txt, ...)\n";
    within(&root, "-l -b http://h site").gives("http://h/g\n", sum, 0);
    within(&root, "-l -q -b http://h site").gives("http://h/g\n", "", 0);
    within(&root, "-l -c -b http://h site").gives("", format!("{sum}absurl: no illegal characters in 1 link\n"), 0);
    within(&root, "--rewrite -i -b http://h site").gives("", format!("{sum}absurl: 1 of 3 documents changed\n"), 0);
    // three kinds are all of them
    fs::remove_file(root.join("site/unknown.xml")).expect("a file");
    let sum = "absurl: site: 3 documents read, 6 files skipped (3 without an ending, 2 .php, 1 .txt)\n";
    within(&root, "-l -b http://h site").gives("http://h/g\n", sum, 0);
    // a file is read all the same if it is named
    within(&root, "-l -b http://h site/a.php").gives("http://h/g\n", "", 0);
    within(&root, "-l -b http://h site/.git").gives("http://h/g\n", "absurl: site/.git: 1 document read\n", 0);
    // nothing to read
    let root = tree("none", &[("site/d/a.png", ""), ("site/d/b.php", ""), ("pairs", "http://h/\tsite/d\n")]);
    within(&root, "-l site site/d/b.php").gives(
        "",
        predicates::str::starts_with(
            "absurl: site: no documents, 1 file skipped (1 .php); name a file to have it read\n",
        ),
        2,
    );
    within(&root, "-l -p -f pairs").gives(
        "\n",
        "absurl: pairs:1: site/d: no documents, 1 file skipped (1 .php); name a file to have it read\n",
        1,
    );
}

#[test]
fn links_to_directories_are_not_followed() {
    let root = tree("symbolic", &[("site/d/x.html", PAGE), ("outside/y.html", PAGE), ("z.html", PAGE)]);
    for (target, link) in [
        (".", "site/loop"),
        ("../../site", "site/d/loop"),
        ("../outside", "site/outside"),
        ("../z.html", "site/z.html"),
        ("gone", "site/nowhere.html"),
        ("gone", "site/nowhere"),
        ("site", "alias"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let gone = "absurl: site/nowhere.html: no such file or directory\n";
    let sum = "2 documents read, 1 failed, 1 file skipped (1 without an ending)\n";
    let expected = "http://h/d/g\nhttp://h/g\n";
    within(&root, "-l -b http://h site").gives(expected, format!("{gone}absurl: site: {sum}"), 2);
    // a link that is named is followed
    let gone = gone.replace("site", "alias");
    within(&root, "-l -b http://h alias").gives(expected, format!("{gone}absurl: alias: {sum}"), 2);
}

#[test]
fn what_cannot_be_read_does_not_end_the_walk() {
    let files = [("site/a.html", PAGE), ("site/c.html", "%PDF-1.4"), ("site/d.html", PAGE)];
    let root = tree("unreadable", &files);
    let sum = "absurl: site: 2 documents read, 2 files skipped (1 a PDF, 1 special)\n";
    let fifo = r#"mkfifo site/fifo.html; exec "$@""#;
    within(&root, "-l -b http://h site").shell(fifo).gives("http://h/g\nhttp://h/g\n", sum, 0);
    let forbid = r#"rm site/fifo.html site/c.html; mkdir site/e; chmod 0 site/a.html site/e
        [ ! -r site/a.html ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"; "$@"
        status=$?; chmod 755 site/e; exit $status"#;
    let denied = "absurl: site/a.html: permission denied\nabsurl: site/e: permission denied\n";
    let sum = "absurl: site: 1 document read, 2 failed\n";
    within(&root, "-l -b http://h site").shell(forbid).gives("http://h/g\n", format!("{denied}{sum}"), 2);
    // a record that names it fails
    let forbid = r#"chmod 0 site
        [ ! -r site ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"; "$@"
        status=$?; chmod 755 site; exit $status"#;
    let denied = "absurl: argument 1: site: permission denied\n";
    absurl(&["-l", "-p", "http://h/\tsite"]).directory(&root).shell(forbid).gives("\n", denied, 1);
}

#[test]
fn the_output_is_no_document_of_a_directory() {
    let root = tree("output", &[("site/a.html", PAGE), ("site/out.html", "")]);
    let message =
        "absurl: site/out.html: input and output are the same file\nabsurl: site: 1 document read, 1 failed\n";
    let script = r#""$@" >site/out.html; status=$?; cat site/out.html; exit $status"#;
    within(&root, "-l -b http://h site").shell(script).gives("http://h/g\n", message, 2);
}

#[test]
fn fail_fast_ends_a_walk() {
    let root = tree("fail_fast", &[("site/a.html", "<a href=http://x/><a href=g>"), ("site/b.html", PAGE)]);
    let message =
        "absurl: site/a.html:1:27: relative URL without a base; use --base URL, such as https://example.com/\n";
    within(&root, "-l --fail-fast site").gives("http://x/\n\n", message, 1);
    within(&root, "--print-base --fail-fast site").gives("\t3.4\n", without_base("site/a.html"), 1);
    // a document that cannot be read ends the run of --print-base, too
    fs::write(root.join("site/a.html"), "%PDF-1.4").unwrap();
    let pdf = "absurl: site/a.html: a PDF; pdftohtml -stdout FILE prints its text\n";
    within(&root, "--print-base --fail-fast site/a.html site/b.html").gives("", pdf, 2);
}

#[test]
#[ignore = "writes 100,000 files"]
fn memory_does_not_grow_with_a_tree() {
    for (name, directories) in [("tree", 1000), ("flat", 1)] {
        let root = new_directory(name);
        for directory in 0..directories {
            let directory = root.join(format!("site/{directory}"));
            fs::create_dir_all(&directory).unwrap();
            for number in 0..100_000 / directories {
                fs::write(directory.join(format!("{number}.html")), PAGE).unwrap();
            }
        }
        // a program has some 20 MiB of addresses before it starts
        let (stdout, stderr, status) = within(&root, "-l -b http://h site").within(20 + 32).text();
        let sum = "absurl: site: 100000 documents read\n";
        assert_eq!((stdout.lines().count(), &*stderr, status), (100_000, sum, 0));
        fs::remove_dir_all(root).unwrap();
    }
}

#[test]
fn a_violation_in_the_url_of_a_directory_is_one() {
    let root = tree("base", &[("site/a.html", PAGE), ("site/d/b.html", PAGE), ("site/e f.html", PAGE)]);
    let violation = "base:11: http://h/a b/a.html: a space is not allowed in a path; \
                     write http://h/a%20b/a.html\n";
    let sums = "absurl: site: 3 documents read\nabsurl: 1 violation in 1 base URL\n";
    absurl(&["-l", "-c", "-b", "http://h/a b", "site"]).directory(&root).gives(violation, sums, 1);
    // a BASE of a page is its own
    fs::write(root.join("site/a.html"), "<base href='http://h/a b/'><a href=g>").unwrap();
    let (stdout, stderr, _) = absurl(&["-l", "-c", "-b", "http://h/a b", "site"]).directory(&root).text();
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert!(stderr.ends_with("absurl: 2 violations in 2 base URLs\n"), "{stderr}");
}

/// A walk knows what a file is from the listing of its directory, and opens it later.
#[test]
fn a_fifo_that_replaces_a_file_is_not_waited_for() {
    let page = r#"<a href="{{ x }}">"#.repeat(12);
    let names: Vec<_> = (0..200).map(|number| format!("site/{number:03}.html")).collect();
    let mut files: Vec<_> = names.iter().map(|name| (&**name, &*page)).collect();
    files.push(("site/z.html", PAGE));
    // the answers, or the messages, fill a pipe before the last file is opened
    let script = r#""$@" 2>&1 | { head -c 1 >/dev/null; rm site/z.html; mkfifo site/z.html; grep z.html; }"#;
    let line = format!("-b http://h/{} site", "d".repeat(1000));
    for flags in ["-l", "--print-base", "--rewrite -i"] {
        let root = tree("fifo", &files);
        let (stdout, ..) = within(&root, &format!("{flags} {line}")).shell(script).text();
        assert!(stdout.starts_with("absurl: site/z.html: it is not a regular file"), "{flags}: {stdout}");
    }
}
