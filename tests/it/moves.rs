//! `--move` and `--moved`: links that follow what moves.

use std::fs;
use std::path::Path;

use crate::harness::{absurl, split_words, tree, with_slashes};
use crate::table::{assert_each, read_rows};

/// What a run leaves: the documents that it changed or printed, its messages and its status.
type Left = (String, String, String);

/// Runs a command line in a directory with documents, each a name, a space and a text, with `|` between them. `-` is
/// standard input, or standard output.
fn run(documents: &str, line: &str) -> Left {
    let named = |document| str::split_once(document, ' ').expect("a name, a space and a text");
    let documents: Vec<_> = documents.split('|').map(named).collect();
    let (input, files): (Vec<_>, Vec<_>) = documents.into_iter().partition(|(name, _)| *name == "-");
    let root = tree("moves", &files);
    let run = split_words(line).iter().fold(absurl(&[]), crate::harness::Run::argument).directory(&root);
    let (output, messages, status) = run.input(input.first().map_or("", |(_, text)| text)).text();
    let (output, messages) = (with_slashes(output), with_slashes(messages));
    let mut left: Vec<_> = files.iter().filter_map(|(name, text)| changed(&root, name, text)).collect();
    if !output.is_empty() {
        left.push(format!("- {output}"));
    }
    let messages: Vec<_> = messages.lines().map(|line| line.strip_prefix("absurl: ").unwrap_or(line)).collect();
    (left.join("|"), messages.join("|"), status.to_string())
}

/// A document whose text is another one now.
fn changed(root: &Path, name: &str, before: &str) -> Option<String> {
    let now = fs::read_to_string(root.join(name)).unwrap();
    (now != before).then(|| format!("{name} {now}"))
}

#[test]
fn links_follow_what_moves() {
    let rows = read_rows(include_str!("../data/moves.tsv"));
    assert_each(rows.iter().map(|fields: &[Vec<u8>; 6]| {
        let [name, documents, line, left, messages, status] =
            fields.each_ref().map(|field| str::from_utf8(field).expect("UTF-8"));
        (name, run(documents, line), (left.to_owned(), messages.to_owned(), status.to_owned()))
    }));
}

/// Documents of each kind, for `http://a/`.
const SITE: &[(&str, &str)] = &[
    (
        "index.html",
        "<link rel=canonical href=http://a/><a href=guide/>G</a><a href=/guide/a.html#s>A</a><a href=//a/guide/b/c.md>C</a>\
         <a href=http://A:80/guide/b/>B</a><img srcset='guide/i.svg 1x, img/i.svg 2x'>",
    ),
    (
        "guide/index.html",
        "<base href=b/><a href=../a.html>A</a><a href=../../>Start</a><a href='#s'>S</a><a href=c.md>C</a>",
    ),
    (
        "guide/a.html",
        "<a href=../index.html>Start</a><a href=b/c.md?q>C</a><a href=''>A</a><a href=/guide/a.html>A</a>",
    ),
    ("guide/b/c.md", "[a](../a.html) ![i](../i.svg) <http://a/guide/> [start][s]\n\n[s]: ../../index.html\n"),
    ("guide/i.svg", "<svg xmlns='http://www.w3.org/2000/svg'><a href='../'/><use href='../img/i.svg#x'/></svg>"),
    (
        "guide/feed.atom",
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='b/'><link href='c.md'/><link href='/'/></feed>",
    ),
    ("css/a.css", "@import '../guide/a.css'; a { background: url(/guide/i.svg) }"),
    ("img/i.svg", "<svg xmlns='http://www.w3.org/2000/svg'><a href='../guide/a.html'/></svg>"),
];

/// What moves in it: the names of files or directories, from OLD to NEW.
const MOVES: &[&[(&str, &str)]] = &[
    &[("guide", "docs/manual")],
    &[("guide", "g")],
    &[("guide/a.html", "a.html")],
    &[("guide/index.html", "guide/b/index.html"), ("img", "pictures")],
    &[("guide/b", "guide/b/b")],
    &[("guide", "guide2"), ("guide/b", "c/d/e"), ("css", "guide")],
];

/// Gives the files their new names, the innermost first.
fn rename(root: &Path, moves: &[(&str, &str)]) {
    for (number, (old, _)) in moves.iter().enumerate().rev() {
        fs::rename(root.join(old), root.join(number.to_string())).unwrap();
    }
    for (number, (_, new)) in moves.iter().enumerate() {
        let new = root.join(new);
        fs::create_dir_all(new.parent().unwrap()).unwrap();
        fs::rename(root.join(number.to_string()), new).unwrap();
    }
}

/// The files of a directory, each with its text.
fn texts(root: &Path) -> Vec<(String, String)> {
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
    let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    files
        .filter(|file| file.file_type().is_file())
        .map(|file| (name(file.path()), fs::read_to_string(file.path()).unwrap()))
        .collect()
}

#[test]
fn links_follow_before_and_after_the_files_move_alike() {
    for moves in MOVES {
        let flags = |flag: &str| moves.iter().map(|(old, new)| format!(" {flag} {old} {new}")).collect::<String>();
        for options in ["", "-b http://a/", "-s whatwg -b http://A:80", "-s rfc3986 -b http://a/x/"] {
            let run = |root: &Path, flag: &str| {
                let run = absurl(&["--rewrite", "-i", "-q", "."]).words(options).words(&flags(flag)).directory(root);
                run.gives("", "", 0);
            };
            let [first, second] = ["before", "after"].map(|name| tree(&format!("moves_{name}"), SITE));
            run(&first, "--move");
            rename(&first, moves);
            rename(&second, moves);
            run(&second, "--moved");
            assert_eq!(texts(&first), texts(&second), "{options} {moves:?}");
        }
    }
}
