//! Lines of vertical tabs and form feeds. For CommonMark they are not blank, for pulldown-cmark 0.13 they are, where no
//! paragraph goes on in them: it reads code in `<div>`, FF, `    <a href=g>`, each in a line of its own.

use std::io;

use memchr::memchr2_iter;
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::events::Events;

/// How often a text is read: what follows a line is read in another way once that line is text.
const ROUNDS: usize = 4;

/// Makes text of each VT and FF in such a line: `%`, which means nothing.
///
/// # Errors
/// Titles have too many lines.
pub fn fill(text: &mut String) -> io::Result<()> {
    for _ in 0..ROUNDS {
        let blank = blank(text)?;
        if blank.is_empty() {
            break;
        }
        for at in blank {
            text.replace_range(at..=at, "%");
        }
    }
    Ok(())
}

/// Where VT and FF are in no block.
fn blank(text: &str) -> io::Result<Vec<usize>> {
    let mut blank: Vec<_> = memchr2_iter(b'\x0B', b'\x0C', text.as_bytes()).collect();
    if blank.is_empty() {
        return Ok(blank);
    }
    let (mut events, mut blocks, mut is_code) = (Events::of(text), Vec::new(), false);
    while let Some((event, range)) = events.advance()? {
        match event {
            // which may be one only because the line before it is blank
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            // what is around blocks
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_))
            | Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition) => {}
            _ if is_code => {}
            _ => blocks.push(range),
        }
    }
    blocks.extend(events.definitions().iter().map(|(_, definition)| definition.span.clone()));
    blocks.sort_by_key(|range| range.start);
    let (mut blocks, mut end) = (blocks.into_iter().peekable(), 0);
    blank.retain(|at| {
        while let Some(block) = blocks.next_if(|block| block.start <= *at) {
            end = end.max(block.end);
        }
        *at >= end
    });
    Ok(blank)
}
