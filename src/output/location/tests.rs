//! Tests of text that is shown.

use super::Quoted;
use crate::limits::MAX_QUOTED;

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
