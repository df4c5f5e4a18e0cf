//! regex: how many lines match the grammar of RFC 1808 §2.2, by the regex crate.
use std::io::Read;

use regex::bytes::Regex;
use yardsticks::Done;

fn main() -> Done {
    let uchar = r"[A-Za-z0-9$_.+!*'(),-]|%[0-9A-Fa-f]{2}";
    let (segment, any) = (format!("(?:{uchar}|[:@&=])"), format!("(?:{uchar}|[;/?:@&=])"));
    let relative =
        format!(r"(?://(?:{segment}|[;?])*)?/?(?:{segment}+(?:/{segment}*)*)?(?:;(?:{segment}|[;/])*)?(?:\?{any}*)?");
    let url = Regex::new(&format!(r"^(?:[A-Za-z0-9+.-]+:{any}*|{relative})(?:#{any}*)?$"))?;
    let (mut text, mut legal) = (Vec::new(), 0);
    std::io::stdin().lock().read_to_end(&mut text)?;
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', &text) {
        legal += usize::from(url.is_match(&text[start..end]));
        start = end + 1;
    }
    println!("{legal}");
    Ok(())
}
