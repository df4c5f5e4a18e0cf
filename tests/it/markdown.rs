//! Markdown against another implementation, on the examples of CommonMark and on the documents of all dependencies.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{fs, thread};

use markdown::mdast::Node;
use markdown::{CompileOptions, Constructs, Options, ParseOptions};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::harness::{absurl, new_directory, parse_objects, skip};

/// The base of all documents.
const BASE: &str = "http://h.example/d/e/f.md";

/// Examples of CommonMark whose links are more than those of their HTML: definitions that nothing uses.
const UNUSED: &[(usize, &[&str])] = &[
    (207, &["/url"]),
    (208, &["/url"]),
    (210, &["/url"]),
    (317, &["/url"]),
    (536, &["/uri"]),
    (537, &["/uri"]),
    (538, &["/uri"]),
    (545, &["/url"]),
    (563, &["/url"]),
    (565, &["/url1"]),
    (567, &["/url1"]),
    (571, &["/url2"]),
    (592, &["/url"]),
];

/// Examples of CommonMark with a URL in a tag that goes over two lines: `--rewrite` keeps it, and says so.
const KEPT: &[&str] = &["<a href=\"foo  \nbar\">\n", "<a href=\"foo\\\nbar\">\n"];

/// The directories of the sources of all packages, and the name of each.
fn find_packages() -> Vec<(String, PathBuf)> {
    let run = Command::new(env!("CARGO")).args(["metadata", "--format-version=1", "--locked", "--offline"]).output();
    // under wine it does not run
    let metadata: Value = run.ok().and_then(|run| serde_json::from_slice(&run.stdout).ok()).unwrap_or_default();
    let package = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some((package["name"].as_str()?.to_owned(), manifest.parent()?.to_owned()))
    };
    metadata["packages"].as_array().into_iter().flatten().filter_map(package).collect()
}

/// The examples of CommonMark, Markdown and HTML, as the sources of pulldown-cmark have them: they have another license
/// than absurl.
fn read_examples() -> Vec<(String, String)> {
    let is_parser = |(name, _): &&(String, PathBuf)| name == "pulldown-cmark";
    let packages = find_packages();
    let Some((_, directory)) = packages.iter().find(is_parser) else { return Vec::new() };
    let suite = fs::read_to_string(directory.join("tests/suite/spec.rs")).unwrap_or_default();
    let texts: Vec<_> =
        suite.split("r##\"").skip(1).filter_map(|text| Some(text.split_once("\"##")?.0.to_owned())).collect();
    texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// What the other implementation reads: all that GitHub has, but bare URLs.
fn options() -> Options {
    let constructs =
        Constructs { frontmatter: true, gfm_autolink_literal: false, gfm_strikethrough: false, ..Constructs::gfm() };
    Options {
        parse: ParseOptions { constructs, ..ParseOptions::gfm() },
        compile: CompileOptions {
            allow_dangerous_html: true,
            allow_dangerous_protocol: true,
            gfm_tagfilter: false,
            ..CompileOptions::gfm()
        },
    }
}

/// A text without percent-encoding, which HTML has where Markdown has none.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The references of a document, sorted.
fn references(media_type: &str, document: &str) -> Vec<String> {
    let run = absurl(&["-q", "-l", "-j", "-b", BASE, "-", "--media-type", media_type]).input(document);
    let mut found: Vec<_> = parse_objects(run.bytes().0)
        .iter()
        .map(|link| decoded(link["reference"].as_str().unwrap_or_default()))
        .collect();
    found.sort();
    found
}

/// The links and the HTML in a tree; each label is defined once.
fn collect<'a>(node: &'a Node, links: &mut Vec<String>, labels: &mut Vec<&'a str>, html: &mut String) {
    let url = match node {
        Node::Link(link) => Some(&link.url),
        Node::Image(image) => Some(&image.url),
        Node::Definition(definition) if !labels.contains(&&*definition.identifier) => {
            labels.push(&definition.identifier);
            Some(&definition.url)
        }
        Node::Html(text) => {
            html.push_str(&text.value);
            html.push('\n');
            None
        }
        _ => None,
    };
    links.extend(url.map(|url| decoded(url.trim_ascii())));
    for child in node.children().into_iter().flatten() {
        collect(child, links, labels, html);
    }
}

/// The references that the other implementation finds, sorted; those of HTML are found by absurl.
fn expected_links(document: &str) -> Vec<String> {
    let tree = markdown::to_mdast(document, &options().parse).expect("Markdown is always right");
    let (mut links, mut html) = (Vec::new(), "<p>".to_owned());
    collect(&tree, &mut links, &mut Vec::new(), &mut html);
    links.extend(references("text/html", &html));
    links.sort();
    links
}

/// What `--rewrite` prints, and the status.
fn rewritten(media_type: &str, document: &str) -> (String, i32) {
    let run = absurl(&["-q", "--rewrite", "-b", BASE, "-", "--media-type", media_type]).input(document);
    let (stdout, _, status) = run.text();
    (stdout, status)
}

/// What is wrong with the links of Markdown, and with what is rewritten.
fn broken(document: &str) -> Option<String> {
    let (found, expected) = (references("text/markdown", document), expected_links(document));
    if found != expected {
        return Some(format!("the links are {found:?}, and not {expected:?}"));
    }
    let (output, status) = rewritten("text/markdown", document);
    if KEPT.contains(&document) {
        return (output != document || status != 1).then(|| "a URL over two lines is not kept".into());
    }
    if status != 0 {
        return Some(format!("the status of --rewrite is {status}"));
    }
    if rewritten("text/markdown", &output).0 != output {
        return Some("the second output differs".into());
    }
    // what is rewritten and rendered is what is rendered and rewritten
    let render = |text: &str| markdown::to_html_with_options(text, &options()).expect("Markdown is always right");
    let (html, status) = rewritten("text/html", &format!("<p>{}", render(document)));
    let after = format!("<p>{}", render(&output));
    if status == 0 && decoded(&html) != decoded(&after) {
        let differs = |pair: &(&str, &str)| decoded(pair.0) != decoded(pair.1);
        return Some(format!("rendered: {:?}", html.lines().zip(after.lines()).find(differs)));
    }
    None
}

#[test]
fn the_links_of_the_examples_of_commonmark_are_those_of_their_html() {
    let examples = read_examples();
    if examples.is_empty() {
        return skip("the sources of pulldown-cmark have no examples of CommonMark");
    }
    let directory = new_directory("commonmark");
    let found = |ending: &str, media_type: &str, text: fn(&(String, String)) -> String| {
        let name = |index: usize| format!("{index}.{ending}");
        for (index, example) in examples.iter().enumerate() {
            fs::write(directory.join(name(index + 1)), text(example)).expect("a file is written");
        }
        let run = absurl(&["-q", "-l", "-j", "-b", BASE, "--media-type", media_type]).directory(&directory);
        let run = (1..=examples.len()).fold(run, |run, index| run.argument(name(index)));
        let mut found = vec![Vec::new(); examples.len() + 1];
        for link in parse_objects(run.bytes().0) {
            let number = link["source"].as_str().and_then(|name| name.split('.').next()?.parse::<usize>().ok());
            found[number.expect("a name")].push(decoded(link["reference"].as_str().unwrap_or_default()));
        }
        found
    };
    let in_markdown = found("md", "text/markdown", |example| example.0.clone());
    let in_html = found("html", "text/html", |example| format!("<p>{}", example.1));
    assert_eq!(examples.len(), 652);
    let mut unused = Vec::new();
    for (number, (markdown, html)) in in_markdown.iter().zip(&in_html).enumerate() {
        let missing: Vec<_> = html.iter().filter(|link| !markdown.contains(link)).collect();
        assert!(missing.is_empty(), "{number}: {missing:?} is missing");
        let extra: Vec<_> = markdown.iter().filter(|link| !html.contains(link)).map(String::as_str).collect();
        unused.extend((!extra.is_empty()).then_some((number, extra)));
    }
    let unused: Vec<_> = unused.iter().map(|(number, extra)| (*number, &**extra)).collect();
    assert_eq!(unused, UNUSED);
}

#[test]
#[ignore = "it reads all Markdown of the dependencies, and takes minutes"]
fn real_documents_have_the_links_that_another_implementation_finds() {
    let mut documents: Vec<_> =
        read_examples().into_iter().map(|(markdown, _)| ("an example".into(), markdown)).collect();
    for (_, directory) in find_packages() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "md" || ending == "markdown") {
                documents.push((path.display().to_string(), fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    assert!(documents.len() > 750, "{}", documents.len());
    let next = Mutex::new(documents.iter());
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let Some((name, document)) = next.lock().expect("nobody panics with it").next() else { return wrong };
            wrong.extend(broken(document).map(|how| format!("{name}: {how}\n{document:?}")));
        }
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a document is tried")).collect()
    });
    assert!(wrong.is_empty(), "{} of {} documents:\n{}", wrong.len(), documents.len(), wrong.join("\n"));
}

#[test]
fn code_and_html_have_no_titles() {
    let lines = "t\n".repeat(9000);
    for (block, end) in [
        ("```\n[a](b \"\n", "```\n"),
        ("~~~ x\n[a](b \"\n", "~~~\n"),
        ("> ```\n> [a](b \"\n", "> ```\n"),
        ("    [a](b \"\n", ""),
        ("<pre>\n[a](b \"\n", "</pre>\n"),
        ("<div>\n[a](b \"\n", "</div>\n"),
        ("<!--\n[a](b \"\n", "-->\n"),
    ] {
        let prefix = if block.starts_with('>') { "> " } else { &block[..block.len() - block.trim_start().len()] };
        let text = format!("{block}{}{end}\n[c](d)\n", lines.replace("t\n", &format!("{prefix}t\n")));
        absurl(&["-l", "-b", "http://h/", "--media-type", "text/markdown"]).input(text).gives("http://h/d\n", "", 0);
    }
    let refused = "absurl: -: the Markdown has titles of links with too many lines; shorten or close them\n";
    for start in ["```\n```\n[a](b \"\n", "<!-- -->\n\n[a](b \"\n", "- [a](b \"\n", "> [a](b \"\n", "[a](b \"\n"] {
        let text = format!("{start}{lines}{}", if start.contains('-') { "===\n" } else { "" });
        absurl(&["-l", "-b", "http://h/", "--media-type", "text/markdown"]).input(text).gives("", refused, 2);
    }
}
