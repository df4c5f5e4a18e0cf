//! cssparser FILE...: cssparser's tokens of each style sheet, in blocks too; prints how many there are.
use cssparser::{ParseError, Parser, Token};

/// The number of tokens up to the end of a block.
fn count(parser: &mut Parser<'_>) -> u64 {
    let mut tokens = 0;
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        tokens += 1;
        let has_block = matches!(
            token,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
        );
        if has_block {
            tokens += parser.parse_nested_block(|block| Ok::<_, ParseError<()>>(count(block))).unwrap_or_default();
        }
    }
    tokens
}

fn main() -> std::io::Result<()> {
    let mut tokens = 0;
    for file in std::env::args_os().skip(1) {
        let sheet = std::fs::read(&file)?;
        let sheet = String::from_utf8_lossy(&sheet);
        tokens += count(&mut Parser::new(&sheet));
    }
    println!("{tokens}");
    Ok(())
}
