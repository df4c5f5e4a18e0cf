//! Commands that messages advise: each is run, and does what it is for.

use std::fs;
use std::path::PathBuf;

use crate::harness::{absurl, has, new_directory, shell};

/// Files that the commands read.
fn files(test: &str) -> PathBuf {
    let directory = new_directory(test);
    fs::create_dir(directory.join("site")).unwrap();
    for (name, text) in [
        ("page.html", "<img src=i><a href=g>x</a><a href=//c/h>"),
        ("site/page.html", "<a href=g>"),
        ("table.csv", "base,reference\nhttp://a/b/,../g\n"),
        ("list.jsonl", "{\"FIELD\":\"g\"}\n"),
        ("list.txt", "g\nh\n"),
        ("list.tsv", "http://a/b/\tg\n"),
        ("feed.json", "{\"items\":[{\"url\":\"g\",\"content_html\":\"<a href=h>\"}]}\n"),
    ] {
        fs::write(directory.join(name), text).unwrap();
    }
    directory
}

/// Runs a command in a shell in which curl prints a page.
fn run(command: &str, test: &str) -> (String, i32) {
    let directory = files(test);
    let script = format!("curl() {{ cat page.html; }}\n{command}");
    let (stdout, _, status) = shell(&script).directory(&directory).text();
    (stdout, status)
}

#[test]
fn what_to_type_instead_of_an_option_works() {
    for (option, command, with, tools, printed) in [
        ("-r", "absurl --links -b URL DIRECTORY", "site", "", "http://a/b/g\n"),
        ("--csv", "cut -d, -f2 FILE | absurl -b URL", "table.csv", "", "http://a/b/reference\nhttp://a/g\n"),
        ("--csv", r"tail -n +2 FILE | tr , '\t' | absurl --pairs", "table.csv", "", "http://a/g\n"),
        ("--jsonl", "jq -r .FIELD FILE | absurl -b URL", "list.jsonl", "jq", "http://a/b/g\n"),
        ("--errors", "absurl -b URL <FILE >URLS 2>MESSAGES", "list.txt", "", ""),
        ("--is-absolute", "absurl -q URL", "", "", "http://a/b/\n"),
        (
            "--same-host",
            "absurl --links --json -b URL FILE | jq -r 'select(.login.host == \"HOST\").url'",
            "page.html",
            "jq",
            "http://a/b/i\nhttp://a/b/g\n",
        ),
        (
            "--external",
            "absurl --links --json -b URL FILE | jq -r 'select(.login.host and .login.host != \"HOST\").url'",
            "page.html",
            "jq",
            "http://c/h\n",
        ),
        (
            "--images",
            "absurl --links --json -b URL FILE | jq -r 'select(.element == \"img\").url'",
            "page.html",
            "jq",
            "http://a/b/i\n",
        ),
        ("--link-text", "absurl -b URL --rewrite FILE | htmlq a", "page.html", "", ""),
        (
            "--relative-to",
            "perl -MURI -E 'say URI->new($ARGV[0])->rel($ARGV[1])' URL BASE",
            "http://a/b/c/d",
            "perl",
            "../\n",
        ),
        ("-L", "curl -sL URL | absurl -b URL --links", "", "", "http://a/b/i\nhttp://a/b/g\nhttp://c/h\n"),
    ] {
        let (_, message, status) = absurl(&[option]).text();
        assert_eq!(status, 2);
        assert!(message.contains(command), "{option}: {message}");
        let is_there = match tools {
            "" => !command.contains("htmlq"),
            "perl" => shell("perl -MURI -e 1 2>/dev/null").output().status.success(),
            tool => has(tool),
        };
        if is_there {
            let filled = command.replace("-b URL", "-b http://a/b/").replace("HOST", "a");
            let filled = filled.replace(" URL", " http://a/b/").replace("DIRECTORY", with);
            let filled = filled
                .replace(" FILE", &format!(" {with}"))
                .replace("<FILE", &format!("<{with}"))
                .replace("BASE", with);
            assert_eq!(run(&filled, "instead"), (printed.to_owned(), 0), "{filled}");
        }
    }
}
