//! Titles of links over many lines, for which pulldown-cmark 0.13 takes more than linear time: for each line it goes
//! through the nodes of the title up to there again (`scan_link_title`).

use std::io;

use memchr::memchr_iter;

use crate::limits::{MAX_TITLE_STEPS, MAX_TITLE_STEPS_PER_BYTE};

/// Where titles may have begun, by their mark: the nodes before the line of the last `"`, `'` or `(` that is not
/// closed.
type Open = [Option<u64>; 3];

const NOT_OPEN: Open = [None; 3];

/// Adds the steps that the titles in a block of Markdown take to those of the text, which has `length` bytes.
///
/// # Errors
/// They are more than [`MAX_TITLE_STEPS`] and [`MAX_TITLE_STEPS_PER_BYTE`] allow.
pub fn check(block: &str, steps: &mut u64, length: usize) -> io::Result<()> {
    *steps += steps_of(block);
    if *steps > MAX_TITLE_STEPS + MAX_TITLE_STEPS_PER_BYTE * length as u64 {
        let what = "the Markdown has titles of links with too many lines; shorten or close them";
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// The steps that what may be titles in a block takes at most: one for each node that is gone through again.
fn steps_of(block: &str) -> u64 {
    if !has_link(block.as_bytes()) {
        return 0;
    }
    let (mut open, mut link, mut nodes, mut steps) = (NOT_OPEN, None, 0, 0);
    for (index, line) in block.lines().enumerate() {
        if is_blank(line) || is_item(line) {
            (open, link) = (NOT_OPEN, None); // a paragraph ends
        }
        let bytes = line.as_bytes();
        let may_start = link.is_some_and(|link| index - link <= 2) || has_link(bytes);
        if may_start || open != NOT_OPEN {
            read_line(bytes, index, nodes, &mut open, &mut link);
        }
        if open != NOT_OPEN {
            // a text and its end, and for each byte that may mean something two more
            nodes += 2 + 2 * bytes.iter().filter(|byte| is_mark(**byte)).count() as u64;
            steps += open.iter().flatten().map(|start| nodes - start).sum::<u64>();
        }
    }
    steps
}

/// Whether the destination of a link starts in a text.
fn has_link(text: &[u8]) -> bool {
    memchr_iter(b'(', text).any(|at| text[..at].ends_with(b"]"))
}

/// Whether a byte may mean something in the text of a paragraph.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\r' | b'*' | b'_' | b'&' | b'\\' | b'[' | b']' | b'<' | b'!' | b'`' | b'|')
}

/// Whether a line surely ends a paragraph. A `>` after four spaces may be text.
fn is_blank(line: &str) -> bool {
    let marks = line.trim_end();
    marks.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>')) && !marks.contains("    ") && !marks.contains('\t')
}

/// Whether a line surely starts an item of a list with a text, which ends a paragraph. After four spaces it may be
/// text.
fn is_item(line: &str) -> bool {
    let item = line.trim_start_matches(' ');
    line.len() - item.len() < 4 && matches!(item.trim_end().as_bytes(), [b'-' | b'*' | b'+', b' ', ..])
}

/// Follows the titles in a line. A title starts in the line of its `](`, or in one of the two after that; `link` is the
/// last line with one.
fn read_line(text: &[u8], index: usize, nodes: u64, open: &mut Open, link: &mut Option<usize>) {
    let mut before = b' ';
    for &byte in text {
        match byte {
            b'(' if before == b']' => *link = Some(index),
            b'"' | b'\'' | b'(' | b')' if before != b'\\' => {
                let mark = match byte {
                    b'"' => 0,
                    b'\'' => 1,
                    _ => 2,
                };
                let starts = byte != b')' && (before <= b' ' || before == b'>');
                open[mark] = (starts && link.is_some_and(|link| index - link <= 2)).then_some(nodes);
            }
            _ => {}
        }
        before = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::steps_of;

    #[test]
    fn only_an_open_title_takes_steps_for_each_line_after_it() {
        let (lines, few) = (1000, 2000);
        let (long, many) = ("t\n".repeat(lines), 1_000_000);
        let quoted = "> t\n".repeat(lines);
        for start in
            ["[a](b \"", "[a](b '", "[a](b (", "[a](\nb\n\"", "[a](<b>'", "[a](b \"t\" 'u\" \\'", "x\n[a](b \""]
        {
            assert!(steps_of(&format!("{start}{long}")) >= many, "{start}");
            assert!(steps_of(&format!("{start}\n{quoted}").replace('\n', "\r\n")) >= many, "{start}");
            assert!(steps_of(&format!("{start}\n{}", "     >\n".repeat(lines))) >= many, "{start}");
            for end in ["\n\n", "\r\n\r\n", "\n>\n", "\n> >\n", "\n  \n"] {
                assert!(steps_of(&format!("{start}{end}{long}")) < few, "{start}{end:?}");
            }
        }
        for text in ["[a](b \"t\")\n", "[a](b)\n\"x", "[a](b)\nx\nx\nx \"y", "x \"y", "[a](b 't')\n", "[a](b (t))\n"] {
            for text in [format!("x\n{text}\n\n{long}"), format!("{long}{text}\n")] {
                assert!(steps_of(&text) < few, "{text}");
            }
        }
        // an item of a list ends a paragraph, if it has a text
        for (item, is_end) in
            [("- x", true), ("   * x", true), ("+ x", true), ("    - x", false), ("- ", false), ("-x", false)]
        {
            let list = format!("{item}\n").repeat(lines);
            assert_eq!(steps_of(&format!("- [a](b) 'tis\n{list}")) < few, is_end, "{item}");
        }
        for text in ["[a](b \"t\")\n", "[a](b 't')\n", "[a](b (t))\n", "x \"y\n", "[a](b)\nx\nx\nx \"y\n"] {
            assert!(steps_of(&format!("{text}{long}")) < few, "{text}");
        }
    }
}
