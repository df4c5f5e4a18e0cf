//! Vertical tabs and form feeds. For pulldown-cmark 0.13 they are white space everywhere, for CommonMark they are not where
//! blocks begin and end: from `<div>`, FF and `    <a href=g>`, each in a line of its own, pulldown-cmark reads code.

use std::io;

use memchr::memchr2_iter;
use pulldown_cmark::{Event, Tag};

use super::events::Events;

/// How often a text is read: what follows is read in another way once they are text.
const ROUNDS: usize = 4;

/// Makes text of each VT and FF that is not in a link, a tag or a table: `%`, which means nothing.
///
/// # Errors
/// Titles have too many lines.
pub fn fill(text: &mut String) -> io::Result<()> {
    for _ in 0..ROUNDS {
        let places = in_text(text)?;
        if places.is_empty() {
            break;
        }
        for at in places {
            text.replace_range(at..=at, "%");
        }
    }
    Ok(())
}

/// Where they are in none of these.
fn in_text(text: &str) -> io::Result<Vec<usize>> {
    let mut places: Vec<_> = memchr2_iter(b'\x0B', b'\x0C', text.as_bytes()).collect();
    if places.is_empty() {
        return Ok(places);
    }
    // where they are white space between other characters, or in a table
    let (mut events, mut spaced) = (Events::of(text), Vec::new());
    while let Some((event, range)) = events.advance()? {
        if matches!(
            event,
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Table(_)) | Event::InlineHtml(_) | Event::Html(_)
        ) {
            spaced.push(range);
        }
    }
    spaced.extend(events.definitions().iter().map(|(_, definition)| definition.span.clone()));
    spaced.sort_by_key(|range| range.start);
    let (mut spaced, mut end) = (spaced.into_iter().peekable(), 0);
    places.retain(|at| {
        while let Some(range) = spaced.next_if(|range| range.start <= *at) {
            end = end.max(range.end);
        }
        *at >= end
    });
    Ok(places)
}
