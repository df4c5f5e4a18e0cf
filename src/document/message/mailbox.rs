//! The messages of a file: one, or all of a mailbox, which are read one by one.

use std::io::{self, Read};
use std::mem;
use std::rc::Rc;

use memchr::{memchr_iter, memmem};

use super::begin::is_of_message;
use super::header::{line_at, split_field};
use super::text::MessageText;
use super::walk::Walker;
use crate::limits::{BLOCK, MAX_LISTED_PARTS, SNIFF_LEN};
use crate::strip::without_bom;

/// The messages of a file. Only the current one is in memory.
pub struct Mailbox {
    /// The bytes that have been read after the current message.
    ahead: Vec<u8>,
    /// Whether the file is read to its end.
    is_read: bool,
    /// Whether `From ` lines start messages.
    is_mbox: bool,
    /// The number of the current message, from 1.
    number: u32,
    /// The number of lines before `ahead`.
    lines: u64,
    message: MessageText,
}

impl Mailbox {
    /// Reads the first message of a file of which `start` has been read, and `rest` not.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn new(start: Vec<u8>, rest: &mut dyn Read) -> io::Result<Self> {
        let is_mbox = without_bom(&start).trim_ascii_start().starts_with(b"From ");
        let message = MessageText::default();
        let mut mailbox = Mailbox { ahead: start, is_read: false, is_mbox, number: 1, lines: 0, message };
        let text = mailbox.read_message(Vec::new(), rest)?;
        let number = (!mailbox.ahead.is_empty()).then_some(1);
        mailbox.parse(text, number);
        Ok(mailbox)
    }

    pub fn message(&self) -> &MessageText {
        &self.message
    }

    pub fn message_mut(&mut self) -> &mut MessageText {
        &mut self.message
    }

    /// Whether there are several messages: they are the parts of the mailbox.
    pub fn has_several(&self) -> bool {
        self.number > 1 || !self.ahead.is_empty()
    }

    /// The messages of the mailbox as parts of it, from the current one, or the parts of the only message: the numbers
    /// of the first of them; empty if there are no parts.
    ///
    /// # Errors
    /// The rest of the file cannot be read.
    pub fn parts(&mut self, rest: &mut dyn Read) -> io::Result<String> {
        if !self.has_several() {
            return Ok(self.message.list());
        }
        while self.advance(rest)? {}
        let listed = self.number.min(u32::try_from(MAX_LISTED_PARTS).unwrap_or(u32::MAX));
        let list = (1..=listed).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
        Ok(if self.number > listed { format!("{list} and {} more", self.number - listed) } else { list })
    }

    /// Goes to the part `number`, or to the only message itself. Returns the way there, whose last entity it is; `None`
    /// if there is no such part.
    ///
    /// # Errors
    /// The file cannot be read up to there.
    pub fn find(&mut self, mut number: &[u32], rest: &mut dyn Read) -> io::Result<Option<Walker>> {
        if let [message, inside @ ..] = number
            && self.has_several()
        {
            while self.number < *message && self.advance(rest)? {}
            if self.number != *message {
                return Ok(None);
            }
            number = inside;
        }
        let mut walker = self.message.walk(&Rc::default());
        Ok(walker.find(number).then_some(walker))
    }

    /// Goes to the next message of a file of which `rest` is not yet read; false at the end. Nothing else may own the
    /// message before it, so that only one is in memory.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn advance(&mut self, rest: &mut dyn Read) -> io::Result<bool> {
        if self.ahead.is_empty() {
            return Ok(false);
        }
        let buffer = mem::take(&mut self.message).into_buffer();
        self.number += 1;
        let text = self.read_message(buffer, rest)?;
        self.parse(text, Some(self.number));
        Ok(true)
    }

    /// Finds the header of a message.
    fn parse(&mut self, text: Vec<u8>, number: Option<u32>) {
        let lines = self.lines;
        self.lines += memchr_iter(b'\n', &text).count() as u64;
        self.message = MessageText::new(text, lines, number);
    }

    /// Reads up to the end of a message into a buffer, and a few bytes more. One buffer for all messages is as long as
    /// the longest of them.
    fn read_message(&mut self, mut text: Vec<u8>, rest: &mut dyn Read) -> io::Result<Vec<u8>> {
        text.append(&mut self.ahead);
        let mut searched = 0;
        while !self.is_read {
            if self.is_mbox && self.split(&mut text, &mut searched) {
                return Ok(text);
            }
            self.is_read = rest.take(BLOCK as u64).read_to_end(&mut text)? == 0;
        }
        if self.is_mbox {
            self.split(&mut text, &mut searched);
        }
        Ok(text)
    }

    /// Splits a text after its first message. The next one starts with a `From ` line and a header field, which is one
    /// of messages, or `Status`, if there is no empty line before; between them may be a `>From ` line. `searched`
    /// bytes have no such start. Returns false if there is none yet.
    fn split(&mut self, text: &mut Vec<u8>, searched: &mut usize) -> bool {
        while let Some(length) = memmem::find(&text[*searched..], b"\nFrom ") {
            *searched += length;
            let before = text[..*searched].strip_suffix(b"\r").unwrap_or(&text[..*searched]);
            let next = &text[*searched + 1..];
            // a `From ` line and the start of a header are short
            let lines = &next[..next.len().min(2 * SNIFF_LEN)];
            if !self.is_read && lines.len() < 2 * SNIFF_LEN && memchr_iter(b'\n', lines).nth(2).is_none() {
                return false;
            }
            let mut line = line_at(lines, line_at(lines, 0).1);
            if line.0.starts_with(b">From ") {
                line = line_at(lines, line.1);
            }
            // programs that read mail put Status first, which other texts have, too
            let is_header = |name: &[u8]| is_of_message(name) || name.eq_ignore_ascii_case(b"status");
            let field = split_field(line.0);
            if field.is_some_and(|(name, _)| before.ends_with(b"\n") || !before.is_empty() && is_header(name)) {
                self.ahead = text.split_off(*searched + 1);
                return true;
            }
            *searched += 1;
        }
        *searched = text.len().saturating_sub(b"\nFrom".len()).max(*searched);
        false
    }
}
