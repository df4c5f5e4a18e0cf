//! What pulldown-cmark reads in Markdown, in time that is linear in the text.

use std::io;
use std::ops::Range;

use pulldown_cmark::{Event, OffsetIter, Options, Parser, RefDefs, Tag};

use super::titles;

/// GitHub's additions to CommonMark that decide what a link is.
const GITHUB: Options = Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_TASKLISTS);

/// The events of a text.
pub struct Events<'a> {
    text: &'a str,
    parser: OffsetIter<'a>,
    /// Where the titles have been checked to.
    checked: usize,
    /// The steps that they take.
    steps: u64,
}

impl<'a> Events<'a> {
    pub fn of(text: &'a str) -> Self {
        Events { text, parser: Parser::new_ext(text, GITHUB).into_offset_iter(), checked: 0, steps: 0 }
    }

    /// The next event, and where it is.
    ///
    /// # Errors
    /// Titles have too many lines.
    pub fn advance(&mut self) -> io::Result<Option<(Event<'a>, Range<usize>)>> {
        let Some((event, range)) = self.parser.next() else { return Ok(None) };
        // the parser looks for the links of a block after this event; code and blocks of HTML have no titles
        if let Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item) = event
            && range.start >= self.checked
        {
            titles::check(self.text.get(range.clone()).unwrap_or(self.text), &mut self.steps, self.text.len())?;
            self.checked = range.end; // an item has blocks in it
        }
        Ok(Some((event, range)))
    }

    pub fn definitions(&self) -> &RefDefs<'_> {
        self.parser.reference_definitions()
    }
}
