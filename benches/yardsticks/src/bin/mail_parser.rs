//! mail_parser FILE...: mail-parser's parts of each message of mailboxes; prints how many there are.
use mail_parser::MessageParser;
use mail_parser::mailbox::mbox::MessageIterator;

fn main() -> std::io::Result<()> {
    let mut parts = 0;
    for file in std::env::args_os().skip(1) {
        let mailbox = std::io::BufReader::new(std::fs::File::open(&file)?);
        for message in MessageIterator::new(mailbox).flatten() {
            parts += MessageParser::default().parse(message.contents()).map_or(0, |message| message.parts.len());
        }
    }
    println!("{parts}");
    Ok(())
}
