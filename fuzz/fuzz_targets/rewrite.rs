//! Documents whose links are replaced. Input: a document.
#![no_main]

use absurl_fuzz::document::holds::Holds;
use absurl_fuzz::document::place::layer::{self, Charset, Escape, Layer};
use absurl_fuzz::document::{Document, Item, MediaType, Options};
use absurl_fuzz::{reading, same};
use encoding_rs::UTF_8;
use libfuzzer_sys::fuzz_target;

/// The start of each answer: all that has to be escaped somewhere.
const ANSWER: &[u8] = b"x:\"'&amp;</style>]]>()\\`=";

/// A document with all links replaced by answers that have their numbers.
#[derive(Default)]
struct Rewritten {
    /// The document.
    text: Vec<u8>,
    /// The same without the values that had links.
    rest: Vec<u8>,
    /// Whether a value in another one may have got quotes, which are references there.
    has_nested_quotes: bool,
    /// The references as they were.
    references: Vec<Vec<u8>>,
    /// The answers.
    answers: Vec<Vec<u8>>,
}

/// Replaces the links of a document; `None` if it cannot be read or its charset is another one. Answers stay.
fn rewrite(text: &[u8]) -> Option<Rewritten> {
    let options = Options { media_type: Some(MediaType::Html), rewrites: true, ..Options::default() };
    let mut document = Document::new(text, options).ok()?;
    let mut items = document.links();
    let mut done = Rewritten::default();
    let (mut copied, mut kept) = (0, 0);
    while let Some(item) = items.next().ok()? {
        let Item::Link(link) = item else { continue };
        let (Some(value), [outermost, ..]) = (link.value, link.layers) else { continue };
        if link.decoding.document != UTF_8 {
            return None;
        }
        let reference = link.kept().into_owned();
        let answer = [ANSWER, done.answers.len().to_string().as_bytes(), b"/"].concat();
        // a URL in the content of META may end at its quote, one in an archive at a comma
        let is_quoted =
            link.attribute == b"content" && matches!(value[..link.range.start].trim_ascii_end(), [.., b'"' | b'\'']);
        let stays = reference.starts_with(ANSWER) || is_quoted || link.holds == Holds::Base;
        let start = outermost.start as usize;
        if kept <= start {
            done.rest.extend_from_slice(&text[kept..start]);
            kept = start;
        }
        // in a mix of text and CDATA some answers cannot be written
        let edit = || layer::lift_answer(link.layers, link.range.clone(), &answer, Charset::Utf8).ok();
        let edit = if stays { None } else { edit() };
        let stays = edit.is_none();
        if let Some(edit) = edit {
            let range = edit.range.start as usize..edit.range.end as usize;
            assert!(copied <= range.start && range.start <= range.end && range.end <= text.len(), "{link:?}");
            done.text.extend_from_slice(&text[copied..range.start]);
            done.text.extend_from_slice(&edit.text);
            copied = range.end;
        }
        // of a nested text at least the link itself is cut
        let end = link
            .layers
            .iter()
            .rev()
            .fold(link.range.start as u64..link.range.end as u64, |range, layer| layer.outer(range))
            .end;
        let end = if link.layers.len() == 1 { outermost.outer(0..value.len() as u64).end } else { end };
        kept = kept.max(end as usize);
        let is_unquoted = |layer: &Layer| matches!(layer.escape, Escape::HtmlUnquoted { .. } | Escape::HtmlMissing);
        done.has_nested_quotes |= link.layers.iter().skip(1).any(is_unquoted);
        done.answers.push(if stays { reference.clone() } else { answer });
        done.references.push(reference);
    }
    done.text.extend_from_slice(&text[copied..]);
    done.rest.extend_from_slice(&text[kept..]);
    Some(done)
}

fuzz_target!(|text: &[u8]| {
    if reading::is_refused(text, Some(MediaType::Html))
        || text.starts_with(b"\xFF\xFE")
        || text.starts_with(b"\xFE\xFF")
    {
        return; // no document, or UTF-16
    }
    let Some(first) = rewrite(text) else { return };
    // the answers are the links of the output, in the same order
    let Some(again) = rewrite(&first.text) else { return }; // what looked like its only tag was in a value
    assert_eq!(first.answers.len(), again.references.len());
    for (answer, reference) in first.answers.iter().zip(&again.references) {
        same(reference, answer);
    }
    // law (c): twice is once
    same(&again.text, &first.text);
    if first.has_nested_quotes {
        return;
    }
    // law (b): nothing else is changed, but for quotes around values
    let is_quote = |byte: &&u8| !b"=\"".contains(byte);
    let rest = |text: &[u8]| text.iter().filter(is_quote).copied().collect::<Vec<_>>();
    same(&rest(&again.rest), &rest(&first.rest));
});
