//! url BASE, url --pairs: Rust's url (WHATWG). A base is parsed again only if it is not that of the line before.
use url::Url;
use yardsticks::*;

fn main() -> Done {
    let resolve =
        |base: &Url, reference: &str, out: &mut Out| out.write_all(base.join(reference).ok()?.as_str().as_bytes()).ok();
    match base() {
        Some(base) => {
            let base = Url::parse(&base)?;
            each_line(|line, out| resolve(&base, line, out))
        }
        None => {
            let (mut text, mut parsed) = (String::new(), None);
            each_line(|line, out| {
                let (base, reference) = pair(line);
                if base != text {
                    parsed = Url::parse(base).ok();
                    base.clone_into(&mut text);
                }
                resolve(parsed.as_ref()?, reference, out)
            })
        }
    }
}
