//! Standard output: bytes as they are, but for a console of Windows, which takes text only.

use std::io::{self, IsTerminal, Write};

/// What Windows reports for a pipe whose reader is gone; std knows the other two numbers of it.
const ERROR_PIPE_NOT_CONNECTED: i32 = 233;

/// Writes all bytes. A pipe that is closed is [`io::ErrorKind::BrokenPipe`] on every system.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = if cfg!(windows) && stdout.is_terminal() {
        stdout.write_all(console_text(bytes).as_bytes())
    } else {
        stdout.write_all(bytes)
    };
    written.and_then(|()| stdout.flush()).map_err(|error| match error.raw_os_error() {
        Some(ERROR_PIPE_NOT_CONNECTED) if cfg!(windows) => io::ErrorKind::BrokenPipe.into(),
        _ => error,
    })
}

/// Bytes as text: those that are not UTF-8 become `\xNN`.
fn console_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::console_text;

    #[test]
    fn a_console_shows_every_byte() {
        assert_eq!(console_text("http://a/é\n".as_bytes()), "http://a/é\n");
        assert_eq!(console_text(b"a\xFFb\xC3\n\xE2\x82"), "a\\xFFb\\xC3\n\\xE2\\x82");
        assert_eq!(console_text(b""), "");
    }
}
