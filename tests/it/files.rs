//! Whether links lead to files: `--check=files`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Run, absurl, new_directory, parse_objects, with_slashes};
use crate::table::{assert_each, read_rows};

const TABLE: &str = include_str!("../data/files.tsv");

/// Makes files in a directory `site` of a new directory, and in the latter. `None` if this system has no such names.
fn site(files: &[u8]) -> Option<PathBuf> {
    let root = new_directory("files");
    let site = root.join("site");
    fs::create_dir(&site).unwrap();
    for file in files.split(|byte| *byte == b'|').filter(|file| !file.is_empty()) {
        let text = str::from_utf8(file).ok();
        if !cfg!(unix) && text.is_none_or(|text| text.contains("->") || text.contains('?')) {
            return None;
        }
        #[cfg(target_os = "macos")]
        text?;
        #[cfg(unix)]
        if let Some((link, target)) = text.and_then(|text| text.split_once("->")) {
            fs::create_dir_all(site.join(link).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, site.join(link)).unwrap();
            continue;
        }
        let path = site.join(os(file));
        let directory = if file.ends_with(b"/") { &path } else { path.parent().unwrap() };
        fs::create_dir_all(directory).unwrap();
        if !file.ends_with(b"/") {
            fs::write(path, "").unwrap();
        }
    }
    Some(root)
}

/// A name of any bytes.
fn os(name: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(name.to_vec());
    #[cfg(not(unix))]
    return str::from_utf8(name).expect("a name for this system").into();
}

/// A run in a directory that has `site`.
fn check(root: &Path, options: &str) -> Run {
    absurl(&["--check=files", "--links"]).words(options).directory(root)
}

#[test]
fn each_link_leads_to_a_file_or_not() {
    let utf_8 = |field: &[u8]| String::from_utf8(field.to_vec()).expect("a field is UTF-8");
    let mut count = 0;
    let rows = read_rows(TABLE).into_iter().filter_map(|row: [_; 10]| {
        let [files, page, content, options, code, .., message, why] = row;
        let root = site(&files)?;
        fs::write(root.join("site").join(utf_8(&page)), content).unwrap();
        let options = format!("-j -b https://example.com/repo {} --root site site/{}", utf_8(&options), utf_8(&page));
        let (stdout, stderr, status) = check(&root, &options).text();
        count += 1;
        let mut found = Vec::new();
        for object in parse_objects(stdout) {
            if object.get("error").is_some() {
                found.push(("error".to_owned(), String::new()));
            }
            for violation in object["violations"].as_array().into_iter().flatten() {
                let field = |name: &str| violation[name].as_str().unwrap().to_owned();
                found.push((field("code"), field("message")));
            }
        }
        let expected = match &*utf_8(&code) {
            "ok" | "elsewhere" => vec![],
            code => vec![(code.to_owned(), utf_8(&message))],
        };
        let expected_status = i32::from(*code != *b"ok");
        assert_eq!(stderr.contains("; if that is its host, use --base "), *code == *b"elsewhere", "{stderr}");
        Some((format!("{}\n{stderr}", utf_8(&why)), (found, status), (expected, expected_status)))
    });
    assert_each(rows.collect::<Vec<_>>());
    assert!(count > if cfg!(unix) { 90 } else { 70 }, "{count}");
}

/// What comes out, with the slashes of Unix in names.
fn outcome(run: Run) -> (String, String, i32) {
    let (stdout, stderr, status) = run.text();
    (with_slashes(stdout), with_slashes(stderr), status)
}

/// A directory `site` with pages.
fn pages(pages: &[(&str, &str)]) -> PathBuf {
    let names: Vec<_> = pages.iter().map(|(name, _)| *name).collect();
    let root = site(names.join("|").as_bytes()).expect("plain names");
    for (name, text) in pages {
        fs::write(root.join("site").join(name), text).unwrap();
    }
    root
}

#[test]
fn findings_and_sums_are_sentences() {
    let page = "<a href=b.html>x</a>";
    for (text, options, findings, sum, status) in [
        ("", "", "", "no links to site", 0),
        ("<a href='mailto:x'>", "", "", "no links to site; 1 leads elsewhere", 0),
        ("<a href=''>", "", "", "1 link to site leads to a file", 0),
        ("<a href=/%7Eme/p.html>", "-b http://h/~m%65", "", "1 link to site leads to a file", 0),
        (
            "<a href=''><a href=#x><a href=tel:1><a href=tel:2>",
            "",
            "",
            "all 2 links to site lead to a file; 2 more lead elsewhere",
            0,
        ),
        (page, "", "1:9: b.html: no file site/b.html\n", "1 of 1 link of site is wrong: 1 leads to 1 missing file", 1),
        (
            "<a href=b.html><a href=b.html#x><a href=c><a href=p.html><a href=//x/>",
            "",
            "1:9: b.html: no file site/b.html\nsite/p.html:1:24: b.html#x: no file site/b.html\n\
             site/p.html:1:41: c: no file site/c\n",
            "3 of 4 links of site are wrong: 3 lead to 2 missing files; 1 more leads elsewhere (--base URL checks those of its host)",
            1,
        ),
        (
            "<a href=/x>",
            "-b http://h/r",
            "1:9: /x: leads to http://h/x, outside of --base\n",
            "1 of 1 link of site is wrong: 1 leads outside of --base (to pass: --allow /)",
            1,
        ),
        (
            "<a href=x><a href=../x><a href=../p.html>",
            "-b http://h/r",
            "1:9: x: no file site/x\nsite/p.html:1:19: ../x: leads to http://h/x, outside of --base\n\
             site/p.html:1:32: ../p.html: leads to http://h/p.html, outside of --base\n",
            "3 of 3 links of site are wrong: 1 leads to 1 missing file, 2 lead outside of --base (to pass: --allow /)",
            1,
        ),
        (
            "<a href=http://e.example/a><a href=http://e.example/b><a href=http://f.example/><a href=#x>",
            "",
            "",
            "site: 2 links lead to e.example; if that is its host, use --base https://e.example/\n\
             absurl: 1 link to site leads to a file; 3 more lead elsewhere",
            1,
        ),
        (
            "<base href=https://e.example/x/><a href=p.html>",
            "",
            "",
            "site: 1 link without a host leads to e.example; if that is its host, use --base https://e.example/\n\
             absurl: no links to site; 1 leads elsewhere",
            1,
        ),
        (
            "<a href=https://e.example:8080/p.html>",
            "-b http://wrong.example/",
            "",
            "site: 1 link leads to e.example:8080; if that is its host, use --base https://e.example:8080/\n\
             absurl: no links to site; 1 leads elsewhere",
            1,
        ),
        (
            "<base href=ftp://h/x/><a href=p.html>",
            "-b http://h/",
            "1:31: p.html: leads to ftp://h/x/p.html, outside of --base\n",
            "1 of 1 link of site is wrong: 1 leads outside of --base (to pass: --allow /)",
            1,
        ),
        ("<a href=http://u:p@h/p.html>", "-b http://v@h/", "", "1 link to site leads to a file", 0),
    ] {
        let root = pages(&[("p.html", text)]);
        let findings = if findings.is_empty() { String::new() } else { format!("site/p.html:{findings}") };
        let sums = format!("absurl: site: 1 document read\nabsurl: {sum}\n");
        assert_eq!(outcome(check(&root, &format!("{options} site"))), (findings, sums, status));
        check(&root, &format!("-q {options} site")).gives("", "", status);
    }
    // one link of the site is no proof that the others of it are
    let root = pages(&[
        ("a.css", "a { background: url(a.css) }"),
        ("p.html", "<base href=http://a.example/><a href=gone><a href=http://b.example/><a href=http://b.example/>"),
    ]);
    let (_, stderr, status) = check(&root, "site").text();
    assert!(stderr.contains("site: 1 link without a host leads to a.example; ") && status == 1, "{stderr}");
    check(&root, "-q site").gives("", "", 1);
    let (.., status) = check(&root, "--allow http://a.example site").text();
    assert_eq!(status, 0);
    // a link without a URL
    let root = pages(&[("p.html", "<a href='http://[x'><a href=b><a href=c>")]);
    let (stdout, stderr, status) = outcome(check(&root, "site"));
    let sum = "absurl: 2 of 2 links of site are wrong: 2 lead to 2 missing files, 1 failed\n";
    assert_eq!((stdout.lines().count(), stderr.ends_with(sum), status), (2, true, 1), "{stderr}");
    // the first finding ends the run
    let sum = "absurl: 1 of 1 link of site is wrong: 1 leads to 1 missing file; stopped there\n";
    let root = pages(&[("p.html", "<a href=b><a href=c>")]);
    let finding = "site/p.html:1:9: b: no file site/b\n";
    assert_eq!(outcome(check(&root, "--fail-fast site")), (finding.to_owned(), sum.to_owned(), 1));
}

#[test]
fn documents_have_the_urls_of_their_names_below_the_root() {
    let root = pages(&[("p.html", "<a href=d/q.html><a href=/q.html>"), ("d/q.html", "<a href=../p.html><a href=r>")]);
    let findings = "site/d/q.html:1:27: r: no file site/d/r\nsite/p.html:1:26: /q.html: no file site/q.html\n";
    let sum = "absurl: 2 of 4 links of site are wrong: 2 lead to 2 missing files\n";
    check(&root, "--root site site/d/q.html site/p.html").gives(findings, sum, 1);
    check(&root, "--root site site/p.html -b http://h/ --allow /q.html").gives(
        "",
        "absurl: 1 link to site leads to a file; 1 more not checked\n",
        0,
    );
    let here = "p.html:1:26: /q.html: no file ./q.html\n";
    let sum = "absurl: 1 of 2 links of . is wrong: 1 leads to 1 missing file\n";
    check(&root.join("site"), "--root . p.html").gives(here, sum, 1);
    // the name of a directory may end with a slash
    let (stdout, ..) = check(&root, "site/").text();
    assert!(stdout.contains(": no file site/d/r\n"), "{stdout}");
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let root = pages(&[("a.html", "<a href=b>")]);
    fs::write(root.join("o.html"), "").unwrap();
    let one = "--check=files needs one directory; for documents, add --root DIR";
    let stdin = "--check=files needs a directory";
    let spec = "--check=files resolves as browsers do; omit --spec";
    let allow = "is not an ending such as .html, a path such as /api/, or a URL";
    let part = "has a query or a fragment; omit it";
    let base = "is not an http or https URL; pass one, or omit --base";
    let rows = [
        ("-l site/a.html", one.to_owned()),
        ("-l site site", one.into()),
        ("-l site/a.html site", one.into()),
        ("-l", stdin.into()),
        ("-l -", stdin.into()),
        ("-l --root site -", "--root needs the names of documents, and standard input has no name".into()),
        ("b", "--check=files needs --links".into()),
        ("site", "site is a directory; use --links, or write -- before a reference".into()),
        ("-l -s rfc1808 site", spec.into()),
        ("-l -s rfc3986 site", spec.into()),
        ("-l --pairs site", "--check=files cannot be used with --pairs; use --root DIR".into()),
        ("-l --root site o.html", "o.html is outside site, the directory of --root".into()),
        ("-l --root site site/../o.html", "--root site and site/../o.html: write both names without \"..\"".into()),
        ("-l --root o.html o.html", "--root: o.html is not a directory".into()),
        ("-l --allow example.com site", format!("--allow: \"example.com\" {allow}")),
        ("-l --allow *.html site", format!("--allow: \"*.html\" {allow}")),
        ("-l --allow mailto: site", format!("--allow: \"mailto:\" {allow}")),
        ("-l --allow //x/ site", format!("--allow: \"//x/\" {allow}")),
        ("-l --allow /\\x/ site", format!("--allow: \"/\\x/\" {allow}")),
        ("-l --allow http:/x site", format!("--allow: \"http:/x\" {allow}")),
        ("-l --allow ftp://x/ site", format!("--allow: \"ftp://x/\" {allow}")),
        ("-l --allow . site", format!("--allow: \".\" {allow}")),
        ("-l --allow ./a site", format!("--allow: \"./a\" {allow}")),
        ("-l --allow .html,.htm site", "--allow: \".html,.htm\" has a comma; write --allow before each".into()),
        ("-l --allow /a?b site", format!("--allow: \"/a?b\" {part}")),
        ("-l --allow http://h/#b site", format!("--allow: \"http://h/#b\" {part}")),
        ("-l -b mailto:x site", format!("--base: \"mailto:x\" {base}")),
        ("-l -b file:///x/ site", format!("--base: \"file:///x/\" {base}")),
        ("-l -b http://[x site", format!("--base: \"http://[x\" {base}")),
        ("-l -e site", "--explain cannot be used with --check".into()),
        ("-l -k site", "--keep-input cannot be used with --check".into()),
        ("-l -H site", "--with-place cannot be used with --check".into()),
        ("-l --relative site", "--relative cannot be used with --check".into()),
        ("-l --compare site", "--check cannot be used with --compare".into()),
        ("--rewrite site", "--rewrite cannot be used with --check; use --dry-run".into()),
        ("--print-base site", "--print-base cannot be used with --check".into()),
        (
            "-l --media-type text/html site",
            "site is a directory, whose documents may have several types; omit --media-type".into(),
        ),
    ];
    let run = |line: &str| absurl(&["--check=files"]).words(line).directory(&root).text();
    let expected = |sentence| (String::new(), format!("absurl: {sentence}\n"), 2);
    assert_each(rows.map(|(line, sentence)| (line, run(line), expected(sentence))));
    let sum = "no links to none; not everything was read\n";
    let (_, stderr, status) = check(&root, "none").text();
    assert!(stderr.ends_with(sum) && status == 2, "{stderr}");
    // a site that is not all read
    fs::write(root.join("site/a.html"), "<a href=//e.example/>").unwrap();
    let sum = "absurl: site: 1 link leads to e.example; if that is its host, use --base https://e.example/\n\
        absurl: no links to site, 1 leads elsewhere; not everything was read\n";
    let (_, stderr, status) = check(&root, "--root site site/a.html site/none.html").text();
    assert!(stderr.ends_with(sum) && status == 2, "{stderr}");
}

/// Without `--base` URLs are paths, whatever a document says of its own.
#[test]
fn a_host_that_nobody_knows_is_not_shown() {
    let hop = |to: &str| {
        format!("HTTP/1.1 301 Moved\nLocation: {to}\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=q>")
    };
    let pages_of = [
        ("relative.html", "<base href=d/><a href=../q>".to_owned()),
        ("rooted.html", "<base href=/d/><a href=q>".into()),
        ("broken.html", "<base href='http://[x'><a href=q>".into()),
        ("slashes.html", "<base href='//[x'><a href=q>".into()),
        ("data.html", "<base href=data:,x><a href=q>".into()),
        ("opaque.html", "<base href=mailto:x><a href=q><a href=#x>".into()),
        ("port.html", "<base href='//:1/'><a href=q><a href='http://:80/'><a href='//'><a href='http:'>".into()),
        ("bytes.html", "<base href='\u{1}\u{FFFF}é'><a href='\u{1}é\u{FFFF}'>".into()),
        ("long.html", format!("<base href='{}'><a href=q>", "d/".repeat(5000))),
        ("moved.html", hop("/m/x.html")),
        ("gone.html", hop("http://e.example/x")),
        ("bad.html", hop("http://[x")),
        ("feed.atom", "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='data:,x'><link href='q'/></feed>".into()),
        (
            "mail.eml",
            "Content-Location: x/\nContent-Base: http:y\nContent-Type: text/html\n\n<a href=q><a href=cid:x>".into(),
        ),
        ("page.md", "[x](q \"t\") <http:q>\n".into()),
        ("style.css", "a { background: url(q) }".into()),
        ("two-slashes.html", "<a href='.//~u/x'>".into()),
    ];
    let root = pages(&pages_of.each_ref().map(|(name, text)| (*name, &**text)));
    let names: Vec<_> = pages_of.iter().map(|(name, _)| format!("site/{name}")).collect();
    for options in ["", "-j", "-0", "-q", "--fail-fast", "--allow /m", "--allow http://h/", "-s whatwg", "--progress"] {
        for documents in ["site".to_owned(), format!("--root site {}", names.join(" "))] {
            let (stdout, stderr, status) = check(&root, &format!("{options} {documents}")).text();
            assert!(!format!("{stdout}{stderr}").contains(".invalid"), "{options}: {stdout}{stderr}");
            assert_eq!(status, 1, "{options}: {stderr}");
        }
    }
    for (page, base, url) in
        [("moved.html", "/m/x.html", "/m/q"), ("two-slashes.html", "/two-slashes.html", "/.//~u/x")]
    {
        let (stdout, ..) = check(&root, &format!("-j --root site site/{page}")).text();
        let [object] = &parse_objects(stdout)[..] else { panic!("one link") };
        let names = ["base", "url", "host"].map(|name| object[name].as_str());
        assert_eq!(names, [Some(base), Some(url), None]);
    }
}

#[test]
fn json_says_which_name_would_do() {
    let root = pages(&[("p.html", "<a href=A%20b><a href=a><a href=c>"), ("a b", ""), ("a.html", "")]);
    let (stdout, ..) = check(&root, "-j -b http://h/ site").text();
    let near = |object: &serde_json::Value| {
        let violation = &object["violations"][0];
        assert_eq!(object["host"], "h");
        (violation["production"] == "file", violation["near"].as_str().map(str::to_owned))
    };
    let objects = parse_objects(stdout);
    let given: Vec<_> = objects.iter().map(near).collect();
    let expected = [Some("a b"), Some("a.html"), None].map(|name| (true, name.map(str::to_owned)));
    assert_eq!(given, expected);
    // a name that is not UTF-8
    #[cfg(target_os = "linux")]
    {
        let root = pages(&[("p.html", "<a href=A%FF>")]);
        fs::write(root.join("site").join(os(b"a\xFF")), "").unwrap();
        let (stdout, ..) = check(&root, "-j site").text();
        assert!(stdout.contains(r#","near_base64":"Yf8=","#), "{stdout}");
    }
}

#[test]
fn many_files_are_looked_up_once() {
    let root = pages(&[("p.html", "")]);
    let links: String = (0..10_000).map(|number| format!("<a href=f/{number}.html><a href=G/{number}>\n")).collect();
    fs::create_dir(root.join("site/f")).unwrap();
    for number in 0..10_000 {
        fs::write(root.join(format!("site/f/{number}.html")), "").unwrap();
    }
    fs::write(root.join("site/p.html"), links).unwrap();
    let (stdout, stderr, _) = check(&root, "site").text();
    assert_eq!(stdout.lines().count(), 10_000);
    let (_, sum) = stderr.rsplit_once("absurl: ").unwrap();
    assert_eq!(sum, "10000 of 20000 links of site are wrong: 10000 lead to 10000 missing files\n");
}

#[cfg(unix)]
#[test]
fn a_fifo_is_no_file_and_what_cannot_be_read_is_not_everything() {
    let root = pages(&[("p.html", "<a href=fifo><a href=d/x><a href=d><a href=d/e/>"), ("d/x", ""), ("d/e/x", "")]);
    let fifo = r#"mkfifo site/fifo; exec "$@""#;
    let findings = "site/p.html:1:9: fifo: no file site/fifo\nsite/p.html:1:34: d: no file site/d/index.html\n\
        site/p.html:1:44: d/e/: no file site/d/e/index.html\n";
    let sums = "absurl: site: 1 document read, 3 files skipped (3 without an ending)\n\
        absurl: 3 of 4 links of site are wrong: 3 lead to 3 missing files\n";
    check(&root, "site").shell(fifo).gives(findings, sums, 1);
    let forbid = r#"chmod 0 site/d; [ ! -r site/d ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"
        "$@"; status=$?; chmod 755 site/d; exit $status"#;
    let (stdout, stderr, status) = check(&root, "--root site site/p.html").shell(forbid).text();
    assert_eq!((&*stdout, status), ("site/p.html:1:9: fifo: no file site/fifo\n", 2), "{stderr}");
    let unread = "it leads below site/d, which cannot be read";
    let failed = |column| format!("absurl: site/p.html:1:{column}: {unread}\n");
    let sum = "absurl: 1 of 1 link of site is wrong: 1 leads to 1 missing file, 3 failed; not everything was read\n";
    let denied = "absurl: site/d: permission denied\n";
    assert_eq!(stderr, format!("{denied}{}{}{}{sum}", failed(22), failed(34), failed(44)));
    let page = "<a href=d/x><a href=p.html><a href=tel:1>";
    fs::write(root.join("site/p.html"), page).unwrap();
    let sum = "absurl: 1 link to site leads to a file, 1 more leads elsewhere, 1 failed; not everything was read\n";
    let messages = format!("absurl: site/d: permission denied\nabsurl: site/p.html:1:9: {unread}\n{sum}");
    check(&root, "--root site site/p.html").shell(forbid).gives("", messages, 2);
    // the walk says so, too, and a link that is not asked does not matter
    let (_, _, status) = check(&root, "-q --allow /d site").shell(forbid).text();
    assert_eq!(status, 2);
}
