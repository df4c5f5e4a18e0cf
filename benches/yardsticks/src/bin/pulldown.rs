//! pulldown FILE...: pulldown-cmark's events of each file, with the additions that absurl reads; prints how many there are.
use pulldown_cmark::{Options, Parser};

fn main() -> std::io::Result<()> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    let mut events = 0;
    for file in std::env::args_os().skip(1) {
        events += Parser::new_ext(&std::fs::read_to_string(&file)?, options).into_offset_iter().count();
    }
    println!("{events}");
    Ok(())
}
