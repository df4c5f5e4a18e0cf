//! How deep quotes and lists are nested: for each line in them pulldown-cmark takes time for each level.

use std::io;

use memchr::memmem;

use crate::limits::MAX_DEPTH;

/// Refuses Markdown in which quotes, lists and footnotes are nested deeper than [`MAX_DEPTH`].
pub fn check(text: &str) -> io::Result<()> {
    let mut deepest = 0;
    for line in text.as_bytes().split(|byte| matches!(byte, b'\n' | b'\r')) {
        deepest = depth_of(line, deepest).max(deepest);
        if deepest > MAX_DEPTH {
            let what = format!("quotes and lists are nested deeper than {MAX_DEPTH} levels in the Markdown");
            return Err(io::Error::other(what));
        }
    }
    Ok(())
}

/// The largest number of levels that a line can have: its own marks, and the lists before it that its indentation
/// continues.
fn depth_of(line: &[u8], deepest: usize) -> usize {
    let rule = rule_start(line);
    let (mut depth, mut marks, mut columns, mut at) = (0, 0, 0, 0);
    loop {
        let rest = &line[at..];
        let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        at += match &rest[digits..] {
            [space @ (b' ' | b'\t'), ..] if digits == 0 => {
                columns += if *space == b' ' { 1 } else { 4 };
                at += 1;
                continue;
            }
            [b'>', after @ ..] if digits == 0 => 1 + usize::from(after.starts_with(b" ")),
            [b'-' | b'*' | b'+', b' ' | b'\t', ..] if digits == 0 && at < rule => 2,
            [b'.' | b')', b' ' | b'\t', ..] if (1..10).contains(&digits) => digits + 2,
            // footnotes are not nested in each other
            [b'[', b'^', label @ ..] if digits == 0 => match memmem::find(label, b"]:") {
                Some(length) => {
                    at += length + "[^]:".len();
                    continue;
                }
                None => return depth,
            },
            _ => return depth,
        };
        marks += 1;
        depth = marks + deepest.min(columns / 2);
    }
}

/// Where a rule such as `* * *` may start in a line: it is no list.
fn rule_start(line: &[u8]) -> usize {
    let line = line.trim_ascii_end();
    let is_other = |byte: &u8| (*byte == b'+' || Some(byte) != line.last()) && !matches!(byte, b' ' | b'\t');
    line.iter().rposition(is_other).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::depth_of;

    #[test]
    fn each_mark_is_a_level() {
        for (line, levels) in [
            ("", 0),
            ("a > b - c", 0),
            ("> a", 1),
            (">> > a", 3),
            ("- * + 1. 2) a", 5),
            ("-a", 0),
            ("1234567890. a", 0),
            ("* * * *", 0),
            ("+ + + +", 3),
            ("> - - -", 1),
            ("- - - a", 3),
            ("- - - *", 3),
            ("[^a]: > [^b]: - a", 3),
            ("[^a] > b", 0),
            ("    - a", 3),
            ("\t- a", 3),
            ("                - a", 6),
            ("    a", 0),
        ] {
            assert_eq!(depth_of(line.as_bytes(), 5), levels, "{line}");
        }
    }
}
