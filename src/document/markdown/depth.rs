//! How deep quotes and lists are nested: for each line in them pulldown-cmark takes time for each level.

use std::io;
use std::mem;

use memchr::memchr2_iter;
use memchr::memmem::Finder;

use crate::limits::MAX_DEPTH;

/// Refuses Markdown in which quotes, lists and footnotes are nested deeper than [`MAX_DEPTH`].
pub fn check(text: &str) -> io::Result<()> {
    let (mut deepest, end_of_label) = (0, Finder::new("]:"));
    let (text, mut line_start) = (text.as_bytes(), 0);
    for line_end in memchr2_iter(b'\n', b'\r', text).chain([text.len()]) {
        let line = &text[mem::replace(&mut line_start, line_end + 1)..line_end];
        if is_rule(line) {
            continue;
        }
        // after the label of a footnote, a line starts again
        let (ends, mut start) = (end_of_label.find_iter(line).chain([line.len()]), 0);
        let parts = ends.map(|end| &line[mem::replace(&mut start, end + 2)..end]);
        deepest = parts.map(|part| depth_of(part, deepest)).sum::<usize>().max(deepest);
        if deepest > MAX_DEPTH {
            let what =
                format!("the Markdown has quotes or lists nested more than {MAX_DEPTH} levels deep; use fewer levels");
            return Err(io::Error::other(what));
        }
    }
    Ok(())
}

/// Whether a line is a rule, such as `* * *`, or has a single mark.
fn is_rule(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !matches!(byte, b' ' | b'\t'));
    marks.next().is_some_and(|first| matches!(first, b'-' | b'*') && marks.all(|mark| mark == first))
}

/// The largest number of levels that a line can have: its own marks, and the lists before it that its indentation
/// continues.
fn depth_of(line: &[u8], deepest: usize) -> usize {
    let (mut marks, mut columns, mut rest) = (0, 0_usize, line);
    while let [byte, after @ ..] = rest {
        match (byte, after) {
            (b'>', _) | (b'-' | b'*' | b'+' | b'.' | b')', [] | [b' ' | b'\t', ..]) => marks += 1,
            (b' ', _) => columns += 1,
            (b'\t', _) => columns += 4,
            (b'0'..=b'9', _) => {}
            _ => break,
        }
        rest = after;
    }
    marks + deepest.min(columns.saturating_sub(marks) / 2)
}

#[cfg(test)]
mod tests {
    use super::{check, depth_of};

    #[test]
    fn a_part_of_a_line_ends_at_a_label() {
        for (part, is_refused) in [("-]:", true), ("1.]:", true), ("-x]:", false), ("[^a]:", false)] {
            assert_eq!(check(&part.repeat(150)).is_err(), is_refused, "{part}");
        }
    }

    #[test]
    fn each_mark_is_a_level() {
        for (line, levels) in [
            ("", 0),
            ("a > b - c", 0),
            ("> a", 1),
            (">> > a", 3),
            ("- * + 1. 2) a", 5),
            ("-a", 0),
            ("1234567890. a", 1),
            ("* * * *", 4),
            ("+ + + +", 4),
            ("> - - -", 4),
            ("- - - a", 3),
            ("- - - *", 4),
            ("[^a] > b", 0),
            ("    - a", 3),
            ("\t- a", 3),
            ("                - a", 6),
            ("    a", 2),
        ] {
            assert_eq!(depth_of(line.as_bytes(), 5), levels, "{line}");
        }
    }
}
