//! Tests of text that is shown.

use super::{Escaped, Quoted};
use crate::limits::MAX_QUOTED;

#[test]
fn printable_text_is_shown_and_all_else_escaped() {
    for (bytes, shown) in [
        (&b"a \"'\\~"[..], r#"a "'\~"#),
        ("\u{E9}\u{4E2D}\u{1F600}".as_bytes(), "\u{E9}\u{4E2D}\u{1F600}"),
        (b"\0\t\n\x1B[m\x7F", r"\x00\x09\x0A\x1B[m\x7F"),
        // C1, soft hyphen, no-break space, zero width space, right-to-left override, BOM
        ("\u{9B}\u{AD}\u{A0}\u{200B}".as_bytes(), r"\xC2\x9B\xC2\xAD\xC2\xA0\xE2\x80\x8B"),
        ("\u{202E}g\u{FEFF}".as_bytes(), r"\xE2\x80\xAEg\xEF\xBB\xBF"),
        (b"\xFFg\xC3", r"\xFFg\xC3"),
        (b"", ""),
    ] {
        assert_eq!(Escaped(bytes).to_string(), shown);
    }
}

#[test]
fn long_text_is_cut_between_characters() {
    let quoted = |text: &[u8]| Quoted(text).to_string();
    let x = "x".repeat(MAX_QUOTED - 1);
    assert_eq!(quoted(b"g\n"), r#""g\x0A""#);
    assert_eq!(quoted(format!("{x}x").as_bytes()), format!("\"{x}x\""));
    assert_eq!(quoted(format!("{x}xy").as_bytes()), format!("\"{x}x\"..."));
    assert_eq!(quoted(format!("{x}\u{E9}").as_bytes()), format!("\"{x}\"..."));
    assert_eq!(quoted(&[0x80; MAX_QUOTED + 1]), format!("\"{}\"...", r"\x80".repeat(MAX_QUOTED)));
}
