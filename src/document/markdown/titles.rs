//! Titles of links over many lines, for which pulldown-cmark 0.13 takes the square of their lines: for each line it goes
//! through the paragraph again (`scan_link_title`).

use std::io;

use crate::limits::MAX_TITLE_LINES;

/// Where titles may have begun, by their mark: the line of the last `"`, `'` or `(` that is not closed.
type Open = [Option<usize>; 3];

/// Refuses a block of Markdown in which the title of a link may be longer than [`MAX_TITLE_LINES`], even if it turns out
/// to be none.
pub fn check(text: &str) -> io::Result<()> {
    let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    let (mut open, mut link): (Open, _) = ([None; 3], None);
    for (index, line) in lines.enumerate() {
        if is_blank(line) || is_item(line) {
            (open, link) = ([None; 3], None); // a paragraph ends
        }
        read_line(line.as_bytes(), index, &mut open, &mut link);
        if open.iter().flatten().any(|start| index - start >= MAX_TITLE_LINES) {
            let what = format!("the Markdown has a link whose title seems to be longer than {MAX_TITLE_LINES} lines");
            return Err(io::Error::other(format!("{what}; close its quote or parenthesis")));
        }
    }
    Ok(())
}

/// Whether a line surely ends a paragraph. A `>` after four spaces may be text.
fn is_blank(line: &str) -> bool {
    let marks = line.trim_end();
    marks.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>')) && !marks.contains("    ") && !marks.contains('\t')
}

/// Whether a line surely starts an item of a list with a text, which ends a paragraph. After four spaces it may be text.
fn is_item(line: &str) -> bool {
    let item = line.trim_start_matches(' ');
    line.len() - item.len() < 4 && matches!(item.trim_end().as_bytes(), [b'-' | b'*' | b'+', b' ', ..])
}

/// Follows the titles in a line. A title starts in the line of its `](`, or in one of the two after that; `link` is the last
/// line with one.
fn read_line(text: &[u8], index: usize, open: &mut Open, link: &mut Option<usize>) {
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
                open[mark] = (starts && link.is_some_and(|link| index - link <= 2)).then_some(index);
            }
            _ => {}
        }
        before = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::limits::MAX_TITLE_LINES;

    #[test]
    fn only_a_title_that_is_open_for_too_many_lines_is_refused() {
        let long = "t\n".repeat(MAX_TITLE_LINES + 1);
        let quoted = "> t\n".repeat(MAX_TITLE_LINES);
        for start in
            ["[a](b \"", "[a](b '", "[a](b (", "[a](\nb\n\"", "[a](<b>'", "[a](b \"t\" 'u\" \\'", "x\n[a](b \""]
        {
            assert!(check(&format!("{start}{long}")).is_err(), "{start}");
            assert!(check(&format!("{start}{long}").replace('\n', "\r")).is_err(), "{start}");
            assert!(check(&format!("{start}\n{quoted}").replace('\n', "\r\n")).is_err(), "{start}");
            assert!(check(&format!("{start}\n{}", "     >\n".repeat(MAX_TITLE_LINES))).is_err(), "{start}");
            for end in ["\n\n", "\r\n\r\n", "\n>\n", "\n> >\n", "\n  \n"] {
                assert!(check(&format!("{start}{end}{long}")).is_ok(), "{start}{end:?}");
            }
        }
        for text in ["[a](b \"t\")\n", "[a](b)\n\"x", "[a](b)\nx\nx\nx \"y", "x \"y", "[a](b 't')\n", "[a](b (t))\n"] {
            assert!(
                check(&format!("x\n{text}\n\n{long}")).is_ok() && check(&format!("{long}{text}\n")).is_ok(),
                "{text}"
            );
        }
        // an item of a list ends a paragraph, if it has a text
        for (item, is_ok) in
            [("- x", true), ("   * x", true), ("+ x", true), ("    - x", false), ("- ", false), ("-x", false)]
        {
            let list = format!("{item}\n").repeat(MAX_TITLE_LINES + 1);
            assert_eq!(check(&format!("- [a](b) 'tis\n{list}")).is_ok(), is_ok, "{item}");
        }
        for text in ["[a](b \"t\")\n", "[a](b 't')\n", "[a](b (t))\n", "x \"y\n", "[a](b)\nx\nx\nx \"y\n"] {
            assert!(check(&format!("{text}{long}")).is_ok(), "{text}");
        }
    }
}
