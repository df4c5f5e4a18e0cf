//! Memory for those who do not ask whether there is any.

use std::hint::black_box;
use std::io;

/// Asks whether `bytes` more are to be had, for what will be needed by a crate that would abort if
/// there were none.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`].
pub fn ask(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes)?;
    black_box(&room); // or it would not be asked for at all
    Ok(())
}

/// Makes room for one more in a list that may become as long as its text has lines, and asks for
/// what else will be needed as the list grows.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`].
pub fn grow<T>(list: &mut Vec<T>) -> io::Result<()> {
    if list.len() == list.capacity() {
        list.try_reserve(1)?;
        ask(list.capacity().saturating_mul(size_of::<T>()).saturating_mul(2))?;
    }
    Ok(())
}
