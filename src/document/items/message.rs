//! The messages of a document and their entities, one after the other.

use std::io::{self, Cursor, Read};

use super::content::{encoded_as, is_plain, other_type, searched_as, unfit};
use super::{Items, Next, NextText};
use crate::document::message::{Arrived, Coding, MessageText, Walker};
use crate::document::problem::Problem;
use crate::document::types::MediaType;
use crate::document::xml::XmlError;
use crate::limits::PRESCAN;

impl<'a> Items<'a> {
    /// Starts with a message: with the URL that redirects led to, and what is skipped.
    pub(super) fn start_message(&mut self, message: &MessageText) {
        (self.has_text, self.has_plain, self.other) = (false, false, None);
        self.unfollowed.clone_from(&message.redirects.unfollowed);
        self.queue.extend(message.location().map(|location| Next::Base(0, vec![location])));
        self.queue.extend(message.rest().map(|(line, problem)| Next::Problem(line, 1, problem)));
    }

    /// Goes to the next entity of the current message, or to the next message. Returns false at the end.
    pub(super) fn advance_message(&mut self) -> io::Result<bool> {
        if let Some(index) = self.selected.next() {
            self.start_entity(index);
            return Ok(true);
        }
        let step = self.walker.as_mut().filter(|_| self.wants_links).and_then(Walker::advance);
        match (step, &self.walker) {
            (Some(Arrived::Entity), Some(walker)) => self.start_entity(walker.path().len() - 1),
            (Some(Arrived::Undivided(part, line)), _) => {
                (self.part, self.has_text) = (part, true);
                let problem = Problem::content("no-parts", "lacks the boundary of its Content-Type");
                self.queue.push_back(Next::Problem(line, 1, problem));
            }
            _ => {
                self.walker = None; // only one message is in memory
                let Some((mailbox, rest)) = self.messages.take() else { return Ok(false) };
                self.unsearched.messages += 1;
                let other = self.other.take().filter(|_| !self.has_text && !self.has_plain);
                if let Some((line, part, name)) = other {
                    self.part = part;
                    self.queue.push_back(Next::Problem(line, 1, other_type(&name)));
                } else if !self.has_text {
                    self.unsearched.without_text += 1;
                }
                if !mailbox.advance(rest)? {
                    return Ok(!self.queue.is_empty());
                }
                self.walker = Some(mailbox.message().walk());
                self.start_message(mailbox.message());
                self.messages = Some((mailbox, rest));
            }
        }
        Ok(true)
    }

    /// Skips the rest of the current text of a message, if it is malformed: that leaves the other parts.
    ///
    /// # Errors
    /// Any other error.
    pub(super) fn fail(&mut self, error: io::Error) -> io::Result<()> {
        let fault = error.get_ref().and_then(|error| error.downcast_ref::<XmlError>());
        let Some(fault) = fault.filter(|_| self.walker.is_some()) else { return Err(error) };
        let what = format!("{fault}; not searching the rest of the part");
        self.queue.push_back(Next::Problem(fault.line, fault.column, Problem::part("malformed", what)));
        Ok(())
    }

    /// Starts an entity of the current message.
    fn start_entity(&mut self, index: usize) {
        let Some(walker) = &self.walker else { return };
        let entity = &walker.path()[index];
        self.part = walker.part(index, false);
        let (body, is_wanted) = (walker.encoded(index), self.wants_links || self.selected.is_empty());
        let media_type = searched_as(entity, body);
        // if links are wanted, the header of an entity without links does not matter
        let matters = !self.wants_links || entity.has_parts() || media_type.is_some();
        if matters && !entity.fields.is_empty() {
            self.queue.push_back(Next::Base(entity.bases - 1, walker.candidates(index)));
        }
        self.queue.extend(entity.problems.iter().cloned().map(|(line, problem)| Next::Problem(line, 1, problem)));
        if entity.has_parts() || !is_wanted || media_type.is_none() && !entity.is_response {
            self.has_text |= !entity.problems.is_empty();
            self.has_plain |= is_plain(entity);
            if !entity.has_parts() && is_wanted && self.other.is_none() {
                self.other = Some((entity.line, self.part.clone(), entity.type_name.clone()));
            }
            return;
        }
        self.has_text = true;
        match self.open_content(walker, index, media_type) {
            Ok(text) => self.next = Some(text),
            Err(problem) => self.queue.extend(problem.map(|problem| Next::Problem(entity.line, 1, problem))),
        }
    }

    /// Opens the content of an entity, or returns why it is not searched, if there is a reason.
    fn open_content(
        &self,
        walker: &Walker,
        index: usize,
        media_type: Option<MediaType>,
    ) -> Result<NextText<'a>, Option<Problem>> {
        let (entity, body) = (&walker.path()[index], walker.encoded(index));
        let (mut content, mut start) = (walker.content(index), Vec::new());
        let is_read = content.by_ref().take(PRESCAN as u64).read_to_end(&mut start).is_ok(); // it is in memory
        let is_searched = media_type.is_some() || entity.type_name.is_empty();
        let encoded = if is_searched { encoded_as(entity, body, &start) } else { None };
        let problem = encoded.or_else(|| unfit(entity, media_type, &start).filter(|_| self.wants_links));
        match (&self.unfollowed, problem, media_type) {
            (Some(location), Some(_), _) if start.is_empty() => Err(Some(Problem::unfollowed(location))),
            (_, None, Some(media_type)) if is_read => {
                let is_encoded = entity.coding != Coding::Identity;
                Ok(NextText {
                    text: Box::new(Cursor::new(start).chain(content)),
                    media_type,
                    charset: entity.charset,
                    line: if is_encoded { 1 } else { entity.line },
                    part: walker.part(index, is_encoded),
                    base: entity.bases,
                })
            }
            (_, problem, _) => Err(problem),
        }
    }
}
