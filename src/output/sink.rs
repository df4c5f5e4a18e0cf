//! Writes that begin and end where records do, whatever ends the program.
//!
//! Every signal keeps what it does by default, or is ignored where it came ignored: SIGINT ends the
//! program wherever it is, in a blocked read or a long computation too, without a handler, a flag to
//! look at or a thread, and whoever waits for it sees that it was the signal. Only a write can be cut
//! by that, so only writes are seen to:
//!
//! - To a pipe at most [`PIPE_BUF`] bytes are written at once, of whole records, unless there is room
//!   for more: the system never cuts such a write, and even SIGKILL comes before or after it.
//! - To anything else, and for a record that is longer than that, signals wait until the write is
//!   done. SIGKILL does not.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use memchr::memmem;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, raise};
use rustix::event::PollFlags;
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;

use super::LARGE;
use crate::input::is_ready;

/// How many bytes a pipe holds that much is written to.
#[cfg(target_os = "linux")]
const PIPE: usize = 1024 * 1024;

/// How many bytes are written to a pipe as one, or not at all; POSIX has 512 at least.
#[cfg(target_os = "linux")]
const PIPE_BUF: usize = rustix::pipe::PIPE_BUF;
#[cfg(not(target_os = "linux"))]
const PIPE_BUF: usize = 512;

/// Held by whoever writes what must not be cut.
static WRITING: Mutex<()> = Mutex::new(());

/// The signals by which people end a program.
const ENDING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Keeps the signals that end the program waiting, until it is dropped. There is never a second one in
/// a thread: it would wait for the first.
pub struct Hold {
    /// Which signals waited before.
    before: Option<SigSet>,
    /// Keeps out those who end the program in another thread.
    _writing: MutexGuard<'static, ()>,
}

impl Hold {
    /// Lets the signals wait from now on.
    pub fn new() -> Self {
        let before = ENDING.into_iter().collect::<SigSet>().thread_swap_mask(SigmaskHow::SIG_BLOCK).ok();
        Hold { before, _writing: WRITING.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            let _ = before.thread_set_mask();
        }
    }
}

/// From now on has `last` done, in a thread of its own, before a signal ends the program; where that
/// is ignored, as often as it comes.
pub fn before_the_end(last: impl Fn() + Send + 'static) {
    let signals: SigSet = ENDING.into_iter().collect();
    let watch = move || {
        while let Ok(signal) = signals.wait() {
            let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            last();
            let _ = SigSet::from(signal).thread_unblock().and_then(|()| raise(signal));
            let _ = signals.thread_block();
        }
    };
    // threads begin with what waits in the one that starts them
    if signals.thread_block().is_ok() && thread::Builder::new().spawn(watch).is_err() {
        let _ = signals.thread_unblock();
    }
}

/// Standard output or standard error, for whole records.
#[derive(Default)]
pub struct Sink {
    /// What kind of file it is, once that has mattered.
    kind: Option<FileType>,
    /// How many bytes it holds, if it is a pipe that has been widened.
    #[cfg(target_os = "linux")]
    capacity: Option<usize>,
}

impl Sink {
    /// Writes whole records to `file`, each with `end` behind it. Waits where the file is full.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, file: &(impl AsFd + IsTerminal), mut records: &[u8], end: &[u8]) -> io::Result<()> {
        while !records.is_empty() {
            let (is_atomic, most) = self.room(file, records.len());
            let length = whole(records, most, end);
            let (piece, rest) = records.split_at(length);
            let _held = (!is_atomic || length > PIPE_BUF).then(Hold::new);
            write_all(file, piece)?;
            records = rest;
        }
        Ok(())
    }

    /// Whether few bytes are written as one or not at all, and how many of `length` bytes should be
    /// written at once.
    fn room(&mut self, file: &(impl AsFd + IsTerminal), length: usize) -> (bool, usize) {
        let kind = *self.kind.get_or_insert_with(|| {
            fstat(file).map_or(FileType::Unknown, |status| FileType::from_raw_mode(status.st_mode))
        });
        match kind {
            #[cfg(target_os = "linux")]
            FileType::Fifo => {
                (true, if length > PIPE_BUF { self.room_of_pipe(file, length).max(PIPE_BUF) } else { length })
            }
            // whoever has seen enough shall not have to see much more
            FileType::CharacterDevice if length > PIPE_BUF && file.is_terminal() => (false, PIPE_BUF),
            _ => (false, length),
        }
    }

    /// How many bytes a pipe has certainly room for, in which `length` bytes are to be written.
    ///
    /// It holds a number of pages. Two that follow each other have more than one page's bytes, but
    /// for the first, of which some may have been read, and the last.
    #[cfg(target_os = "linux")]
    fn room_of_pipe(&mut self, file: &impl AsFd, length: usize) -> usize {
        let capacity = match self.capacity {
            Some(capacity) => capacity,
            // a wider pipe needs fewer turns between writer and reader; if not, then not
            None if length >= LARGE => {
                let widened = rustix::pipe::fcntl_setpipe_size(file, PIPE);
                *self.capacity.insert(widened.or_else(|_| rustix::pipe::fcntl_getpipe_size(file)).unwrap_or_default())
            }
            None => rustix::pipe::fcntl_getpipe_size(file).unwrap_or_default(),
        };
        let unread = rustix::io::ioctl_fionread(file).ok().and_then(|unread| usize::try_from(unread).ok());
        let taken = match unread {
            Some(0) => 0,
            Some(unread) => unread.saturating_mul(2).saturating_add(4 * rustix::param::page_size()),
            None => usize::MAX,
        };
        capacity.saturating_sub(taken)
    }
}

/// How many of the bytes are whole records, each with `end` behind it, and not more than `most`; of a
/// longer record, its length.
fn whole(records: &[u8], most: usize, end: &[u8]) -> usize {
    if records.len() <= most {
        return records.len();
    }
    if let Some(at) = memmem::rfind(records.split_at(most).0, end) {
        return at.saturating_add(end.len());
    }
    // it may begin before and end behind
    let searched = most.saturating_add(1).saturating_sub(end.len());
    let found = memmem::find(records.split_at(searched).1, end);
    found.map_or(records.len(), |at| searched.saturating_add(at).saturating_add(end.len()))
}

/// Writes all of `bytes`, waiting where a non-blocking file is full; a signal may end the program in
/// between, unless there is a [`Hold`].
///
/// # Errors
/// What the system says.
pub fn write_all(file: &impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.split_at(written).1,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                is_ready(file, PollFlags::OUT, None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn pieces_end_where_records_do() {
        assert_eq!(whole(b"ab\ncd\n", 6, b"\n"), 6);
        assert_eq!(whole(b"ab\ncd\n", 5, b"\n"), 3);
        assert_eq!(whole(b"ab\ncd\n", 3, b"\n"), 3);
        assert_eq!(whole(b"a\nb\n\nc\nd\n\ne\n", 11, b"\n\n"), 10);
        assert_eq!(whole(b"a\nb\n\nc\nd\n\ne\n", 9, b"\n\n"), 5);
    }

    #[test]
    fn a_long_record_is_a_piece_by_itself() {
        assert_eq!(whole(b"ab\ncd\n", 2, b"\n"), 3);
        assert_eq!(whole(b"a\nb\n\nc\n", 4, b"\n\n"), 5);
        assert_eq!(whole(b"ab", 1, b"\n"), 2);
        assert_eq!(whole(b"ab", 0, b"\n\n"), 2);
    }
}
