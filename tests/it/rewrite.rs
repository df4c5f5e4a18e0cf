//! `--rewrite`: the document itself with its links resolved, and the laws that each output obeys.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::harness::{Run, absurl, new_directory, parse_objects, shell, skip};
use crate::resolve::exact;
use crate::table::{assert_each, message_of, read_rows};

/// The base of the laws.
const BASE: &str = "http://r.example/d/p?q&r='s'";

/// The table's rows: options, document, output, message.
pub fn table() -> Vec<[Vec<u8>; 4]> {
    read_rows(include_str!("../data/rewrite.tsv"))
}

/// A run with options that all have values, which may have spaces in them.
fn with_options(run: Run, options: &[u8]) -> Run {
    let options = format!(" {}", str::from_utf8(options).expect("options are UTF-8"));
    options.split(" -").skip(1).fold(run, |run, option| {
        let (name, value) = option.split_once(' ').expect("a value");
        run.argument(format!("-{name}")).argument(value)
    })
}

#[test]
fn each_document_is_rewritten() {
    assert_rows(&["--rewrite"], table());
}

/// Asserts what is printed with some flags for each row of a table.
pub fn assert_rows(flags: &[&str], table: Vec<[Vec<u8>; 4]>) {
    let is_note = |line: &str| {
        line.contains(": ignoring ") || line.contains(": no links") || line.starts_with("absurl: --base: ")
    };
    assert_each(table.into_iter().map(|[options, document, output, message]| {
        let (stdout, stderr, status) = with_options(absurl(flags), &options).input(document.clone()).bytes();
        let expected = message_of(&message, "");
        let (output, expected_status) = match &*output {
            b"-" => (&b""[..], 2),
            output => (output, i32::from(!expected.lines().all(is_note))),
        };
        let [options, document, stdout, output] =
            [&options, &document, &*stdout, output].map(|bytes| bytes.escape_ascii().to_string());
        (format!("{options} {document}"), (stdout, stderr, status), (output, expected, expected_status))
    }));
}

/// The reference and the URL of a link.
pub type Link = (Vec<u8>, Vec<u8>);

/// What is listed of a document.
#[derive(Clone, Default)]
pub struct Listed {
    pub links: Vec<Link>,
    /// The lines and columns where the values start that have links, or a base.
    places: BTreeSet<(usize, usize)>,
}

impl Listed {
    pub fn urls(&self) -> Vec<&[u8]> {
        self.links.iter().map(|(_, url)| &url[..]).collect()
    }

    /// Where the values start: offsets in the document.
    pub fn offsets(&self, document: &[u8]) -> BTreeSet<usize> {
        let mut starts = vec![if document.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }];
        let ends =
            |at: &usize| document[*at] == b'\n' || document[*at] == b'\r' && document.get(at + 1) != Some(&b'\n');
        starts.extend((0..document.len()).filter(ends).map(|at| at + 1));
        self.places.iter().map(|(line, column)| starts[line - 1] + column - 1).collect()
    }
}

/// What `--links` and `--print-base` print for each file.
pub fn list(options: &[&str], files: &[String]) -> Vec<Listed> {
    let mut all = vec![Listed::default(); files.len()];
    for flag in ["--links", "--print-base"] {
        let run = files.iter().fold(absurl(&[flag, "-qj"]).arguments(options), Run::argument);
        for object in parse_objects(run.bytes().0) {
            let index = files.iter().position(|file| object["source"] == **file).expect("the name of a file");
            let number = |name: &str| object[name].as_u64().map(|number| usize::try_from(number).unwrap());
            for (line, column) in [("line", "column"), ("base_line", "base_column")] {
                all[index].places.extend(number(line).zip(number(column)));
            }
            let reference = exact(&object, "reference");
            all[index].links.extend(reference.map(|it| (it, exact(&object, "url").unwrap_or_default())));
        }
    }
    all
}

/// Rewrites files in place. Returns what they are then, and whether something of each could not be done.
pub fn rewrite(options: &[&str], files: &[String]) -> Vec<(Vec<u8>, bool)> {
    let run = files.iter().fold(absurl(&["--rewrite", "-i"]).arguments(options), Run::argument);
    let (_, messages, _) = run.text();
    let has_failed = |file: &String| {
        let start = format!("absurl: {file}:");
        messages.lines().any(|line| line.starts_with(&start) && !line.contains(": ignoring "))
    };
    files.iter().map(|file| (fs::read(file).expect("a file is read"), has_failed(file))).collect()
}

/// A document without the attributes whose values start at some offsets: with its name, up to its quote, or without
/// quotes up to white space or `>`. An attribute without a value starts there itself.
pub fn without(values: &BTreeSet<usize>, document: &[u8]) -> Vec<u8> {
    let mut rest = Vec::new();
    let mut at = 0;
    for &start in values {
        if start < at {
            continue; // in another value, such as that of srcdoc
        }
        let quotes = [&b"\""[..], b"'", b"&quot;", b"&#39;", b"&#34;", b"&apos;"];
        let quote = quotes.into_iter().find(|quote| document[..start].ends_with(quote));
        let value = &document[start..];
        let end = match quote {
            None if document[..start].ends_with(b"(") => value.iter().position(|byte| *byte == b')'), // CSS
            Some(quote) => value.windows(quote.len()).position(|window| window == quote).map(|end| end + quote.len()),
            None => value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>'),
        };
        let before = &document[at..start - quote.map_or(0, <[u8]>::len)];
        let before = match before.trim_ascii_end().strip_suffix(b"=") {
            Some(name) => {
                let name = name.trim_ascii_end();
                let length =
                    name.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':').count();
                &name[..name.len() - length]
            }
            None => before,
        };
        rest.extend_from_slice(before);
        rest.push(b'|');
        at = start + end.unwrap_or(value.len());
    }
    rest.extend_from_slice(&document[at..]);
    rest
}

/// Writes documents to files in a directory, whose names are returned.
pub fn write_files(documents: &[(String, Vec<u8>)], directory: &Path) -> Vec<String> {
    let file = |(number, (_, document)): (usize, &(String, Vec<u8>))| {
        let file = directory.join(number.to_string());
        fs::write(&file, document).expect("a file is written");
        file.to_str().expect("a name in UTF-8").to_owned()
    };
    documents.iter().enumerate().map(file).collect()
}

/// What is wrong with the rewriting of documents, each of which has a name: few processes read all of them.
fn broken(options: &[&str], documents: &[(String, Vec<u8>)], directory: &Path) -> Vec<String> {
    let files = write_files(documents, directory);
    let with_base = [&["-b", BASE], options].concat();
    let (before, alone_before) = (list(&with_base, &files), list(options, &files));
    let outputs = rewrite(&with_base, &files);
    let (after, alone) = (list(&with_base, &files), list(options, &files));
    let again = rewrite(&with_base, &files);
    let how = |at: usize| {
        let ((_, document), (output, has_failed)) = (&documents[at], &outputs[at]);
        let (before, after) = (&before[at], &after[at]);
        // law (a): the links are the same, and need no base but for those that start with "#"
        if before.urls() != after.urls() {
            let shown =
                |links: &Listed| links.urls().iter().map(|url| url.escape_ascii().to_string()).collect::<Vec<_>>();
            return Some(format!("the links {:?} are {:?}", shown(before), shown(after)));
        }
        let is_same = |(before, after): (&Link, &Link)| before.1 == after.1 || after.0.starts_with(b"#");
        if !has_failed && !before.links.iter().zip(&alone[at].links).all(is_same) {
            return Some("the output needs a base".into());
        }
        // law (b): nothing but values is changed
        let rest = without(&before.offsets(document), document);
        let output_rest = without(&after.offsets(output), output);
        if rest != output_rest {
            let at = rest.iter().zip(&output_rest).take_while(|(a, b)| a == b).count();
            let shown = |rest: &[u8]| rest[at.saturating_sub(40)..rest.len().min(at + 40)].escape_ascii().to_string();
            return Some(format!("outside of links: {} is {}", shown(&rest), shown(&output_rest)));
        }
        // law (c): the output needs no rewriting
        if again[at].0 != *output {
            return Some("the second output differs".into());
        }
        // law (d): what needs no base stays
        let needs_base = alone_before[at].urls() != before.urls();
        let is_plain = before.places.len() == before.links.len() && !has_base(document);
        (!needs_base && is_plain && output != document).then(|| "the output differs without need".into())
    };
    (0..files.len()).filter_map(|at| Some(format!("{} {options:?}: {}", documents[at].0, how(at)?))).collect()
}

/// Whether a document may have a base, whose URL is replaced although no link may need it.
fn has_base(document: &[u8]) -> bool {
    document.windows(5).any(|window| window.eq_ignore_ascii_case(b"<base") || window == b":base")
}

/// What finds out what is wrong with documents that have names, in a directory, with some options.
pub type FindBroken = fn(&[&str], &[(String, Vec<u8>)], &Path) -> Vec<String>;

/// Asserts laws on files, by each standard. `test` names their directory.
pub fn assert_laws(test: &str, files: &[PathBuf], standards: &[&str], find_broken: FindBroken) {
    let directory = new_directory(test);
    let mut wrong = Vec::new();
    for (endings, media_type) in [
        (&["htm", "html"][..], "text/html"),
        (&["css"], "text/css"),
        (&["md"], "text/markdown"),
        (&["xhtml", "xml", "svg", "atom", "rss"], ""),
    ] {
        let is_of =
            |file: &&PathBuf| file.extension().and_then(OsStr::to_str).is_some_and(|ending| endings.contains(&ending));
        let files: Vec<_> = files.iter().filter(is_of).collect();
        for some in files.chunks(500) {
            let read = |file: &&PathBuf| (file.display().to_string(), fs::read(file).expect("a file is read"));
            let documents: Vec<_> = some.iter().map(read).collect();
            for spec in standards {
                let typed = &["--spec", spec, "--media-type", media_type];
                wrong.extend(find_broken(
                    if media_type.is_empty() { &typed[..2] } else { typed },
                    &documents,
                    &directory,
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

/// The endings of the documents that the laws are asserted on.
pub const ENDINGS: &[&str] = &["html", "htm", "xhtml", "xml", "svg", "css", "atom", "rss"];

/// The documents below a directory whose names have some endings.
fn documents(directory: &Path, endings: &[&str], all: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_document = endings.iter().any(|name| path.extension().is_some_and(|extension| extension == *name));
        if path.is_dir() && !path.is_symlink() {
            documents(&path, endings, all);
        } else if is_document && path.is_file() {
            all.push(path);
        }
    }
}

/// The documents of the tests whose names have some endings, in the order of their names.
pub fn test_documents(endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    documents(Path::new("tests/data"), endings, &mut files);
    assert!(!files.is_empty(), "no files end in {endings:?}");
    files.sort();
    files
}

#[test]
fn the_laws_hold_on_the_documents_of_the_tests() {
    let files = test_documents(ENDINGS);
    assert_laws("laws_of_files", &files, &["rfc1808", "whatwg"], broken);
}

#[test]
fn the_laws_hold_on_the_rows_of_the_table() {
    let directory = new_directory("laws_of_rows");
    let rows = table().into_iter().map(|[options, document, ..]| (options.ends_with(b"text/css"), document));
    let (sheets, others): (Vec<_>, Vec<_>) = rows.partition(|(is_sheet, _)| *is_sheet);
    for (options, rows) in [(&["--media-type", "text/css"][..], sheets), (&[], others)] {
        let named = |(_, document): (bool, Vec<u8>)| (document.escape_ascii().to_string(), document);
        let documents: Vec<_> = rows.into_iter().map(named).collect();
        assert_eq!(broken(options, &documents, &directory), [""; 0]);
    }
}

/// The documents below directories that `ABSURL_DOCUMENTS` names, with colons between them; without it, Debian's.
pub fn real_documents(endings: &[&str]) -> Vec<PathBuf> {
    let directories = env::var("ABSURL_DOCUMENTS").unwrap_or_else(|_| "/usr/share/doc:/usr/share/icons".into());
    let mut files = Vec::new();
    directories.split(':').for_each(|directory| documents(Path::new(directory), endings, &mut files));
    files.sort();
    if files.is_empty() {
        skip(&format!("no documents in {directories}"));
    }
    files
}

#[test]
#[ignore = "it reads all documents of the machine"]
fn the_laws_hold_on_real_documents() {
    let files = real_documents(ENDINGS);
    assert_laws("laws_of_real_files", &files, &["rfc1808", "whatwg"], broken);
}

#[test]
fn a_file_and_a_pipe_are_rewritten_alike() {
    let directory = new_directory("rewrite-twice");
    let page = format!("<a href=g>{}<base href=/d/><a href='h'>", "<p>text\r\n".repeat(50_000));
    fs::write(directory.join("page.html"), &page).unwrap();
    let expected = page.replace("=g>", "=http://a/d/g>").replace("/d/", "http://a/d/").replace("'h'", "'http://a/d/h'");
    let expected = expected.replacen("http://ahttp://a/d/", "http://a/d/", 1);
    for arguments in [&["page.html"][..], &["-"], &[]] {
        let run = absurl(&[&["--rewrite", "-b", "http://a/b"], arguments].concat()).directory(&directory);
        run.input(page.clone()).gives(expected.clone(), "", 0);
    }
    if cfg!(windows) {
        return; // there is no sh
    }
    let run = shell(r#""$@" --rewrite -b http://a/b <page.html"#).directory(&directory);
    run.gives(expected.clone(), "", 0);
    // a file that is read from its middle
    let run = shell(r#"(dd bs=1 count=10 2>/dev/null; "$@" --rewrite -b http://a/b) <page.html"#).directory(&directory);
    run.gives(format!("<a href=g>{}", &expected["<a href=http://a/d/g>".len()..]), "", 0);
}

#[test]
fn what_cannot_be_rewritten_is_refused() {
    let message = "Content-Type: text/html\n\n<a href=g>";
    absurl(&["--rewrite", "-b", "http://a/"]).input(message).gives(
        "",
        "absurl: -: emails and HTTP responses cannot be rewritten; pass only the HTML in them (curl: without -i)\n",
        2,
    );
    absurl(&["--rewrite", "no/such.html"]).gives("", "absurl: no/such.html: no such file or directory\n", 2);
    absurl(&["--rewrite"]).input("").gives("", "absurl: -: empty\n", 2);
}

#[test]
fn xml_is_rewritten_up_to_its_fault() {
    let feed = |url: &str| format!("<feed xmlns='http://www.w3.org/2005/Atom'><link href='{url}'/></feed>");
    absurl(&["--rewrite", "-b", "http://a/"]).input(feed("g") + "tail").gives(
        feed("http://a/g"),
        "absurl: -:1:66: the XML is not well-formed: there is text outside the root element; the output is incomplete\n",
        2,
    );
    absurl(&["--rewrite", "-b", "http://a/"]).input(format!("\u{FEFF}{}tail", feed("g"))).gives(
        format!("\u{FEFF}{}", feed("http://a/g")),
        "absurl: -:1:66: the XML is not well-formed: there is text outside the root element; the output is incomplete\n",
        2,
    );
}
