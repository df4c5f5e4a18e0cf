//! Front matter: lines of YAML or TOML before Markdown.
//!
//! pulldown-cmark finds it, too, but reads all of a text for that, and for each item such as `- +++` it searches the
//! text to its end (`scan_metadata_block` in 0.13).

/// What a blank line has.
const WHITE_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The length of the front matter at the start of a text, with the blank lines before it; 0 if there is none. Lines end
/// at LF or CRLF.
///
/// As in pulldown-cmark it goes from a line `---` or `+++` to the next one, after `---` also to a line `...`. The line
/// after the first neither is blank nor ends it.
pub fn length(text: &str) -> usize {
    let front = text.trim_start_matches(WHITE_SPACE);
    let mut length = text.len() - front.len();
    let ends: &[&str] = match front.as_bytes() {
        [b'-', b'-', b'-', ..] => &["---", "..."],
        [b'+', b'+', b'+', ..] => &["+++"],
        _ => return 0,
    };
    let is_indented = length > 0 && text.as_bytes()[length - 1] != b'\n';
    for (index, line) in front.split_inclusive('\n').enumerate() {
        length += line.len();
        let line = line.trim_end_matches(WHITE_SPACE);
        match index {
            0 if is_indented || line != ends[0] => return 0,
            0 => {}
            1 if line.is_empty() || ends.contains(&line) => return 0,
            _ if ends.contains(&line) => return length,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::length;

    /// Where pulldown-cmark has the end of the last line of front matter.
    fn length_by_parser(text: &str) -> usize {
        let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        match Parser::new_ext(text, options).into_offset_iter().next() {
            Some((Event::Start(Tag::MetadataBlock(_)), range)) => {
                let rest = &text.as_bytes()[range.end..];
                range.end + rest.iter().position(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1)
            }
            _ => 0,
        }
    }

    #[test]
    fn front_matter_is_what_the_parser_takes_for_it() {
        let lines = ["---\n", "+++\n", "...\n", "\n", " \r\n", "a\n", " ---\n", "--- \n", "----\n", "- +++\n", "+++"];
        let mut texts = vec![String::new()];
        let mut found = 0;
        for _ in 0..4 {
            texts = texts.iter().flat_map(|text| lines.map(|line| format!("{text}{line}"))).collect();
            for text in &texts {
                assert_eq!(length(text), length_by_parser(text), "{text:?}");
                found += usize::from(length(text) > 0);
            }
        }
        assert!(found > 500, "{found}");
    }
}
