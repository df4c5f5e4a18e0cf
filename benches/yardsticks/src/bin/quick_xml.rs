//! quick_xml FILE...: quick-xml's events of each file, with the attributes of each tag; prints how many there are.
use quick_xml::Reader;
use quick_xml::events::Event;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut count = 0;
    for file in std::env::args_os().skip(1) {
        let (mut reader, mut buffer) = (Reader::from_file(&file)?, Vec::new());
        loop {
            count += 1;
            match reader.read_event_into(&mut buffer)? {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    for attribute in tag.attributes() {
                        count += usize::from(!attribute?.value.is_empty());
                    }
                }
                _ => {}
            }
            buffer.clear();
        }
    }
    println!("{count}");
    Ok(())
}
