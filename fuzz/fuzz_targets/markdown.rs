//! Markdown whose links are replaced. Input: a document.
#![no_main]

use absurl_fuzz::document::markdown::search::prepare;
use absurl_fuzz::document::place::layer::{self, Charset, Edit};
use absurl_fuzz::document::{Document, Item, MediaType, Options};
use absurl_fuzz::same;
use libfuzzer_sys::fuzz_target;
use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

/// The start of each answer: all that has to be escaped somewhere.
const ANSWER: &str = "xy:/\"'&amp;</pre>)( `|-->\\*_[]#";

/// A document with all links replaced by answers that have their numbers.
#[derive(Default)]
struct Rewritten {
    /// The document.
    text: Vec<u8>,
    /// The references as they were, and their elements.
    references: Vec<(Vec<u8>, Vec<u8>)>,
    /// The answers.
    answers: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Replaces the links of a document; `None` if it cannot be read. Answers stay.
fn rewrite(text: &[u8]) -> Option<Rewritten> {
    let options = Options { media_type: Some(MediaType::Markdown), rewrites: true, ..Options::default() };
    let mut document = Document::new(text, options).ok()?;
    let mut items = document.links();
    let (mut done, mut copied) = (Rewritten::default(), 0);
    while let Some(item) = items.next().ok()? {
        let Item::Link(link) = item else { continue };
        let Some(value) = link.value else { continue };
        let (reference, element) = (link.kept().into_owned(), link.element.to_vec());
        let number = done.answers.len().to_string();
        // in META a URL may end at its quote, in some other attributes at white space or a comma
        let is_one = value.trim_ascii().len() == link.range.len() && link.attribute != b"srcset";
        let has_marks = reference.iter().any(|byte| b"\"'`|<>".contains(byte));
        let start = if is_one { ANSWER } else { "xy:" };
        // as in a real answer, the reference is at its end
        let rest = if is_one { &*reference } else { b"" };
        let answer = [start.as_bytes(), number.as_bytes(), b"/", rest].concat();
        // of equal marks, one written as an escape, it is not known which one is read with what is around
        let is_mixed = |edit: &Edit| {
            let raw = &text[edit.range.start as usize..edit.range.end as usize];
            has_marks && raw.iter().any(|byte| b"&\\".contains(byte))
        };
        let edit = if reference.starts_with(b"xy:") {
            None
        } else {
            let edit = layer::lift_answer(link.layers, link.range.clone(), &answer, Charset::Utf8).ok();
            edit.filter(|edit| !is_mixed(edit))
        };
        if let Some(edit) = &edit {
            let range = edit.range.start as usize..edit.range.end as usize;
            assert!(copied <= range.start && range.start <= range.end && range.end <= text.len(), "{link:?}");
            done.text.extend_from_slice(&text[copied..range.start]);
            done.text.extend_from_slice(&edit.text);
            copied = range.end;
        }
        done.answers.push((if edit.is_some() { answer } else { reference.clone() }, element.clone()));
        done.references.push((reference, element));
    }
    done.text.extend_from_slice(&text[copied..]);
    Some(done)
}

/// What pulldown-cmark reads of the text that it gets, without URLs and HTML.
fn structure(text: &[u8]) -> Vec<String> {
    let text = str::from_utf8(text).unwrap_or_default();
    let text = prepare(text);
    let github = pulldown_cmark::Options::ENABLE_TABLES
        | pulldown_cmark::Options::ENABLE_FOOTNOTES
        | pulldown_cmark::Options::ENABLE_TASKLISTS;
    let mut is_url = false;
    let mut names = Vec::new();
    for event in Parser::new_ext(&text, github) {
        let is_its_text = is_url;
        is_url = false;
        names.push(match event {
            Event::Start(Tag::Link { link_type, title, id, .. }) => {
                is_url = matches!(link_type, LinkType::Autolink);
                format!("link {title} {id}")
            }
            Event::Start(Tag::Image { title, id, .. }) => format!("image {title} {id}"),
            Event::Html(_) => continue,
            Event::InlineHtml(_) => "tag".into(),
            Event::Text(_) if is_its_text => "URL".into(),
            Event::Text(text) => text.into_string(),
            // what is not a line of HTML in its block is white space before one
            Event::End(TagEnd::HtmlBlock) => {
                while names.last().is_some_and(|name| name != "block") {
                    names.pop();
                }
                continue;
            }
            Event::Start(Tag::HtmlBlock) => "block".into(),
            event => format!("{event:?}"),
        });
    }
    names
}

fuzz_target!(|text: &[u8]| {
    // in a tag, pulldown-cmark takes TAB and FF for a part of a value without quotes; after a destination, VT for a part
    // of it
    if text.iter().any(|byte| *byte == b'\t' && text.contains(&b'=') || matches!(byte, 0x0B | 0x0C)) {
        return;
    }
    let Some(first) = rewrite(text) else { return };
    // the answers are the links of the output, in the same order
    let again = rewrite(&first.text).expect("what was read can be read");
    assert_eq!(first.answers.len(), again.references.len());
    for (answer, reference) in first.answers.iter().zip(&again.references) {
        same(&reference.0, &answer.0);
        same(&reference.1, &answer.1);
    }
    // twice is once
    same(&again.text, &first.text);
    // nothing else is changed
    assert_eq!(structure(&first.text), structure(text));
});
