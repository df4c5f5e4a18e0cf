//! make_relative BASE: the reference that Rust's url makes from BASE to each URL (WHATWG).
use url::Url;
use yardsticks::*;

fn main() -> Done {
    let base = Url::parse(&base().ok_or("no BASE")?)?;
    each_line(|line, out| {
        let url = base.join(line).ok()?;
        match base.make_relative(&url) {
            Some(reference) => out.write_all(reference.as_bytes()).ok(),
            None => out.write_all(url.as_str().as_bytes()).ok(),
        }
    })
}
