//! Standard output: bytes as they are, but for a console of Windows, which takes text only.

use std::io::{self, IsTerminal, Write};

/// What Windows reports for a pipe whose reader is gone; std knows the other two numbers of it.
const ERROR_PIPE_NOT_CONNECTED: i32 = 233;

/// Writes all bytes. A pipe that is closed is [`io::ErrorKind::BrokenPipe`] on every system.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = if cfg!(windows) && stdout.is_terminal() {
        stdout.write_all(String::from_utf8_lossy(bytes).as_bytes())
    } else {
        stdout.write_all(bytes)
    };
    written.and_then(|()| stdout.flush()).map_err(|error| match error.raw_os_error() {
        Some(ERROR_PIPE_NOT_CONNECTED) if cfg!(windows) => io::ErrorKind::BrokenPipe.into(),
        _ => error,
    })
}
