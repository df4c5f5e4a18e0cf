//! `--rewrite`: the document itself with its links resolved, and the laws that each output obeys.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, thread};

use serde_json::Value;

use crate::harness::{Run, absurl, new_directory, records, shell, skip};
use crate::table::read_rows;

/// The base of the laws.
const BASE: &str = "http://r.example/d/p?q&r='s'";

/// The table's rows: options, document, output, message.
fn table() -> Vec<[Vec<u8>; 4]> {
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
    let mut wrong = Vec::new();
    for [options, document, output, message] in table() {
        let run = with_options(absurl(&["--rewrite"]), &options).input(document.clone());
        let (stdout, stderr, status) = run.bytes();
        let message = String::from_utf8(message).expect("messages are UTF-8");
        let is_note = message.starts_with("ignoring");
        let (expected, expected_status) = match &*output {
            b"-" => (&b""[..], 2),
            output => (output, i32::from(!message.is_empty() && !is_note)),
        };
        let is_right = stdout == expected && status == expected_status;
        if !is_right || !stderr.contains(&message) || stderr.is_empty() != message.is_empty() {
            let [options, document, stdout, expected] =
                [&options, &document, &*stdout, expected].map(|bytes| bytes.escape_ascii());
            wrong
                .push(format!("{options} {document}\n  is       {stdout}\n  not      {expected}\n  {status} {stderr}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows\n{}", wrong.len(), wrong.join("\n"));
}

/// The reference and the URL of a link.
type Listed = (Vec<u8>, Vec<u8>);

/// What `--links` prints for a document.
fn list_links(options: &[&str], document: &[u8]) -> Vec<Listed> {
    let (stdout, ..) = absurl(&[&["--links", "-q", "-k"], options].concat()).input(document.to_vec()).bytes();
    let split = |line: &[u8]| {
        let tab = line.iter().position(|byte| *byte == b'\t').expect("a TAB");
        (line[..tab].to_vec(), line[tab + 1..].to_vec())
    };
    records(&stdout, b'\n').into_iter().map(split).collect()
}

/// What `--rewrite` prints for a document, and the exit status.
fn rewritten(options: &[&str], document: &[u8]) -> (Vec<u8>, i32) {
    let (stdout, _, status) = absurl(&[&["--rewrite", "-q"], options].concat()).input(document.to_vec()).bytes();
    (stdout, status)
}

/// Where the values start that have links, or a base: offsets in a document.
fn value_offsets(options: &[&str], document: &[u8]) -> BTreeSet<usize> {
    let mut starts = vec![if document.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }];
    let ends = |at: &usize| document[*at] == b'\n' || document[*at] == b'\r' && document.get(at + 1) != Some(&b'\n');
    starts.extend((0..document.len()).filter(ends).map(|at| at + 1));
    let mut values = BTreeSet::new();
    for flag in ["--links", "--print-base"] {
        let (stdout, ..) = absurl(&[&[flag, "-q", "-j"], options].concat()).input(document.to_vec()).bytes();
        for record in records(&stdout, b'\n') {
            let record: Value = serde_json::from_slice(record).expect("JSON");
            let number = |name: &str| record[name].as_u64().map(|number| usize::try_from(number).unwrap());
            for (line, column) in [("line", "column"), ("base_line", "base_column")] {
                values.extend(number(line).zip(number(column)).map(|(line, column)| starts[line - 1] + column - 1));
            }
        }
    }
    values
}

/// A document without the attributes whose values start at some offsets: with its name, up to its quote, or without
/// quotes up to white space or `>`. An attribute without a value starts there itself.
fn without(values: &BTreeSet<usize>, document: &[u8]) -> Vec<u8> {
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

/// What is wrong with the rewriting of a document; nothing if it is refused.
fn broken(options: &[&str], document: &[u8]) -> Option<String> {
    let with_base = [&["-b", BASE], options].concat();
    let (output, status) = rewritten(&with_base, document);
    if status == 2 {
        return (!output.is_empty()).then(|| "an output, and the status 2".into());
    }
    let before = list_links(&with_base, document);
    let urls = |links: &[Listed]| links.iter().map(|(_, url)| url.clone()).collect::<Vec<_>>();
    // law (a): the links are the same, and need no base but for those that start with "#"
    let after = list_links(&with_base, &output);
    if let Some(at) =
        (0..before.len().max(after.len())).find(|at| before.get(*at).map(|l| &l.1) != after.get(*at).map(|l| &l.1))
    {
        let shown = |link: Option<&Listed>| link.map(|(_, url)| url.escape_ascii().to_string());
        return Some(format!("link {at}: {:?} is {:?}", shown(before.get(at)), shown(after.get(at))));
    }
    let alone = list_links(options, &output);
    let is_same = |(before, after): (&Listed, &Listed)| before.1 == after.1 || after.0.starts_with(b"#");
    if status == 0 && !before.iter().zip(&alone).all(is_same) {
        return Some("the output needs a base".into());
    }
    // law (b): nothing but values is changed
    let (rest, output_rest) = (
        without(&value_offsets(&with_base, document), document),
        without(&value_offsets(&with_base, &output), &output),
    );
    if rest != output_rest {
        let at = rest.iter().zip(&output_rest).take_while(|(a, b)| a == b).count();
        let shown = |rest: &[u8]| rest[at.saturating_sub(40)..rest.len().min(at + 40)].escape_ascii().to_string();
        return Some(format!("outside of links: {} is {}", shown(&rest), shown(&output_rest)));
    }
    // law (c): the output needs no rewriting
    if rewritten(&with_base, &output).0 != output {
        return Some("the second output differs".into());
    }
    // law (d): what needs no base stays
    let needs_base = urls(&list_links(options, document)) != urls(&before);
    if !needs_base
        && value_offsets(&with_base, document).len() == before.len()
        && output != document
        && !has_base(document)
    {
        return Some("the output differs without need".into());
    }
    None
}

/// Whether a document may have a base, whose URL is replaced although no link may need it.
fn has_base(document: &[u8]) -> bool {
    document.windows(5).any(|window| window.eq_ignore_ascii_case(b"<base") || window == b":base")
}

/// Asserts the laws on files, several at a time, by each standard.
fn assert_laws(files: &[PathBuf], standards: &[&str]) {
    let next = Mutex::new(files.iter());
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let Some(file) = next.lock().expect("nobody panics with it").next() else { return wrong };
            let document = fs::read(file).expect("a file is read");
            for spec in standards {
                let media_type = match file.extension().and_then(OsStr::to_str) {
                    Some("htm" | "html") => &["--media-type", "text/html"][..],
                    Some("css") => &["--media-type", "text/css"],
                    _ => &[],
                };
                let how = broken(&[&["--spec", spec], media_type].concat(), &document);
                wrong.extend(how.map(|how| format!("{} by {spec}: {how}", file.display())));
            }
        }
    };
    let wrong = thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a file is tried")).collect::<Vec<_>>()
    });
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

/// The documents below a directory.
fn documents(directory: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_document = ["html", "htm", "xhtml", "xml", "svg", "css", "atom", "rss"]
            .iter()
            .any(|name| path.extension().is_some_and(|extension| extension == *name));
        if path.is_dir() && !path.is_symlink() {
            documents(&path, all);
        } else if is_document && path.is_file() {
            all.push(path);
        }
    }
}

#[test]
fn the_laws_hold_on_the_documents_of_the_tests() {
    let mut files = Vec::new();
    documents(Path::new("tests/data"), &mut files);
    assert!(files.len() > 100);
    files.sort();
    let standards: &[&str] = if cfg!(feature = "spec") { &["rfc1808", "whatwg"] } else { &["rfc1808"] };
    assert_laws(&files, standards);
}

#[test]
fn the_laws_hold_on_the_rows_of_the_table() {
    for [options, document, ..] in table() {
        let is_sheet = options.ends_with(b"text/css");
        let media_type = if is_sheet { &["--media-type", "text/css"][..] } else { &[] };
        assert_eq!(broken(media_type, &document), None, "{}", document.escape_ascii());
    }
}

/// `ABSURL_DOCUMENTS` names directories, with colons between them; without it, Debian's.
#[test]
#[ignore = "it reads all documents of the machine"]
fn the_laws_hold_on_real_documents() {
    let directories = env::var("ABSURL_DOCUMENTS").unwrap_or_else(|_| "/usr/share/doc:/usr/share/icons".into());
    let mut files = Vec::new();
    directories.split(':').for_each(|directory| documents(Path::new(directory), &mut files));
    files.sort();
    if files.is_empty() {
        skip(&format!("no documents in {directories}"));
    }
    assert_laws(&files, &["rfc1808", "whatwg"]);
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
        "absurl: -: the document is a message, which cannot be rewritten; use --links\n",
        2,
    );
    absurl(&["--rewrite", "no/such.html"]).gives("", "absurl: no/such.html: no such file or directory\n", 2);
    absurl(&["--rewrite"]).input("").gives("", "absurl: -: the document is empty\n", 2);
    absurl(&["--rewrite"]).input("text").gives(
        "",
        "absurl: -: the text has no HTML tag; use --media-type text/markdown for Markdown, text/css for CSS, or --file for a list\n",
        2,
    );
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
