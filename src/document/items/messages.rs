//! The messages of a document and their entities, one after the other.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::rc::Rc;

use super::content::{Shown, is_linkless, searched_as, unsearched};
use super::upcoming::{Next, NextText, Upcoming};
use crate::document::message::{Arrived, Coding, Mailbox, MessageText, Walker};
use crate::document::problem::Problem;
use crate::document::types::MediaType;
use crate::document::values::{Options, Part};
use crate::document::xml::XmlError;
use crate::limits::PRESCAN;

/// What a document has that is searched for no links, or for few.
#[derive(Clone, Copy, Default)]
pub struct Unsearched {
    /// The number of all messages.
    pub messages: u64,
    /// The number of them without a text that could have links.
    pub without_text: u64,
    /// Whether it has XML with a root that no table has.
    pub is_other: bool,
}

/// Goes through the messages of a document.
#[derive(Default)]
pub struct MessageItems<'a> {
    /// Those after the current one, if all links are wanted.
    rest: Option<(&'a mut Mailbox, &'a mut (dyn Read + 'a))>,
    /// Goes through the entities of the current message.
    walker: Option<Walker>,
    /// Those entities around the part whose base is wanted, and it itself, that are not yet begun, by their index.
    selected: Range<usize>,
    /// How they are read.
    options: Rc<Options>,
    /// The index of the entity whose header has been read, and whose content comes next.
    content: Option<usize>,
    /// Whether that header has links.
    has_links: bool,
    /// Whether the current message has something that is searched, or is reported.
    has_text: bool,
    /// Whether it has a content that cannot have links.
    has_linkless: bool,
    /// The first other content that is not searched: its line, its part, and that it is not.
    other: Option<(u64, Option<Part>, Problem)>,
    /// The Location of a redirect that was not followed.
    unfollowed: Option<Vec<u8>>,
    /// The messages of which no text was searched, among all.
    pub unsearched: Unsearched,
}

impl<'a> MessageItems<'a> {
    /// The part of a message whose base is wanted, and the entities around it. What comes first goes to `next`.
    pub fn of_part(walker: Option<Walker>, mailbox: &Mailbox, next: &mut Upcoming<'a>) -> Self {
        let mut messages = MessageItems { walker, ..MessageItems::default() };
        if let Some(walker) = &messages.walker {
            messages.selected = 0..walker.path().len();
            messages.start(mailbox.message(), next);
        }
        messages
    }

    /// All messages from the current one on. What comes first goes to `next`.
    pub fn all(
        mailbox: &'a mut Mailbox,
        rest: &'a mut (dyn Read + 'a),
        options: &Rc<Options>,
        next: &mut Upcoming<'a>,
    ) -> Self {
        let walker = Some(mailbox.message().walk(options));
        let mut messages = MessageItems { walker, options: Rc::clone(options), ..MessageItems::default() };
        messages.start(mailbox.message(), next);
        messages.rest = Some((mailbox, rest));
        messages
    }

    /// Starts with a message: with the URL that redirects led to, and what is skipped.
    fn start(&mut self, message: &MessageText, next: &mut Upcoming<'_>) {
        (self.has_text, self.has_linkless, self.other) = (false, false, None);
        self.unfollowed.clone_from(&message.redirects.unfollowed);
        next.queue.extend(message.location().map(|location| Next::Base(0, vec![location])));
        next.queue.extend(message.skipped.clone().map(|(line, problem)| Next::Problem(line, 1, problem)));
    }

    /// Goes to the next entity of the current message, or to the next message. Returns false at the end.
    pub fn advance(&mut self, wants_links: bool, next: &mut Upcoming<'a>) -> io::Result<bool> {
        if let Some(index) = self.content.take() {
            self.start_content(index, wants_links, next);
            return Ok(true);
        }
        if let Some(index) = self.selected.next() {
            self.start_entity(index, wants_links, next);
            return Ok(true);
        }
        let step = self.walker.as_mut().filter(|_| wants_links).and_then(Walker::advance);
        match (step, &self.walker) {
            (Some(Arrived::Entity), Some(walker)) => self.start_entity(walker.path().len() - 1, wants_links, next),
            (Some(Arrived::Undivided(part, line, problem)), _) => {
                (next.part, self.has_text) = (part, true);
                next.queue.push_back(Next::Problem(line, 1, problem));
            }
            _ => {
                self.walker = None; // only one message is in memory
                let Some((mailbox, rest)) = self.rest.take() else { return Ok(false) };
                self.end(next);
                if !mailbox.advance(rest)? {
                    return Ok(!next.queue.is_empty());
                }
                self.walker = Some(mailbox.message().walk(&self.options));
                self.start(mailbox.message(), next);
                self.rest = Some((mailbox, rest));
            }
        }
        Ok(true)
    }

    /// Ends the current message, and counts or reports it if no text of it was searched.
    fn end(&mut self, next: &mut Upcoming<'_>) {
        self.unsearched.messages += 1;
        let other = self.other.take().filter(|_| !self.has_text && !self.has_linkless);
        if let Some((line, part, problem)) = other {
            next.part = part;
            next.queue.push_back(Next::Problem(line, 1, problem));
        } else if !self.has_text {
            self.unsearched.without_text += 1;
        }
    }

    /// Skips the rest of the current text of a message, if it is malformed: that leaves the other parts.
    ///
    /// # Errors
    /// Any other error.
    pub fn skip_rest(&self, error: io::Error) -> io::Result<Next> {
        let fault = error.get_ref().and_then(|error| error.downcast_ref::<XmlError>());
        let Some(fault) = fault.filter(|_| self.walker.is_some()) else { return Err(error) };
        let what = format!("{fault}; not searching the rest of the part");
        Ok(Next::Problem(fault.line, fault.column, Problem::part("malformed", what)))
    }

    /// Starts an entity of the current message: its header. In a message, the base there is that of its links,
    /// too (§3.1); in HTTP it is that of the content only.
    fn start_entity(&mut self, index: usize, wants_links: bool, next: &mut Upcoming<'a>) {
        debug_assert!(self.walker.is_some(), "a message has the entity");
        let Some(walker) = &self.walker else { return };
        let entity = &walker.path()[index];
        next.part = walker.part(index, false);
        let links = if wants_links { walker.links(index) } else { None };
        (self.content, self.has_links) = (Some(index), links.is_some());
        // if links are wanted, the header of an entity without links does not matter
        let matters = !wants_links || self.has_links || entity.has_parts();
        let has_base = !entity.fields.is_empty();
        if has_base && !entity.is_response && (matters || searched_as(entity, walker.encoded(index)).is_some()) {
            next.queue.push_back(Next::Base(entity.bases - 1, walker.candidates(index)));
        }
        next.header = links.map(|links| (links, entity.bases - usize::from(has_base && entity.is_response)));
    }

    /// Starts the content of an entity whose header has been read.
    fn start_content(&mut self, index: usize, wants_links: bool, next: &mut Upcoming<'a>) {
        debug_assert!(self.walker.is_some(), "a message has the entity");
        let Some(walker) = &self.walker else { return };
        let entity = &walker.path()[index];
        let (body, is_wanted) = (walker.encoded(index), wants_links || self.selected.is_empty());
        let media_type = searched_as(entity, body);
        let matters = !wants_links || entity.has_parts() || media_type.is_some();
        if matters && entity.is_response && !entity.fields.is_empty() {
            next.queue.push_back(Next::Base(entity.bases - 1, walker.candidates(index)));
        }
        next.queue.extend(entity.problems.iter().cloned().map(|(line, problem)| Next::Problem(line, 1, problem)));
        if entity.has_parts() || !is_wanted || media_type.is_none() && !entity.is_response {
            self.has_text |= !entity.problems.is_empty();
            self.has_linkless |= is_linkless(entity);
            if !entity.has_parts() && is_wanted && self.other.is_none() {
                self.other = Some((entity.line, next.part.clone(), unsearched(entity, None)));
            }
            return;
        }
        self.has_text = true;
        match self.open_content(walker, index, media_type, wants_links) {
            Ok(text) => next.text = Some(text),
            Err(problem) => next.queue.extend(problem.map(|problem| Next::Problem(entity.line, 1, problem))),
        }
    }

    /// Opens the content of an entity, or returns why it is not searched, if there is a reason.
    fn open_content(
        &self,
        walker: &Walker,
        index: usize,
        media_type: Option<MediaType>,
        wants_links: bool,
    ) -> Result<NextText<'a>, Option<Problem>> {
        let (entity, body) = (&walker.path()[index], walker.encoded(index));
        let (mut content, mut start) = (walker.content(index), Vec::new());
        let is_read = content.by_ref().take(PRESCAN as u64).read_to_end(&mut start).is_ok();
        debug_assert!(is_read, "it is in memory");
        let shown = Shown::of(entity, media_type, body, &start, &self.options);
        let is_opened = shown == Shown::Text || !wants_links && shown != Shown::Bytes;
        match media_type {
            Some(media_type) if is_opened => {
                let is_encoded = entity.transfer.coding != Coding::Identity;
                Ok(NextText {
                    text: Box::new(Cursor::new(start).chain(content)),
                    media_type,
                    charset: entity.transfer.charset,
                    line: if is_encoded { 1 } else { entity.line },
                    may_be_markdown: false,
                    part: walker.part(index, is_encoded),
                    base: entity.bases,
                })
            }
            None if is_opened => Err(None),
            _ => {
                let problem = match &self.unfollowed {
                    Some(location) if start.is_empty() => Problem::unfollowed(location),
                    None if start.is_empty() && (media_type.is_some() || entity.type_name.is_empty()) => {
                        Problem::content("not-searched", "is empty")
                    }
                    _ => unsearched(entity, media_type),
                };
                // what is no document has no links that may be missing; those of its header are enough
                let is_enough = entity.is_response && self.has_links && !self.options.wary;
                Err(Some(if is_enough && shown == Shown::NoDocument { problem.noted() } else { problem }))
            }
        }
    }
}
