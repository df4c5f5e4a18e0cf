//! ada BASE, ada --pairs: ada, the URL parser of Node.js in C++ (WHATWG), which parses the base for each reference.
use ada_url::Url;
use yardsticks::*;

fn main() {
    let base = args().0;
    each_line(|line, out| {
        let (base, reference) = match &base {
            Some(base) => (&**base, line),
            None => line.split_once('\t').unwrap_or((line, "")),
        };
        match Url::parse(reference, Some(base)) {
            Ok(url) => out(url.href().as_bytes()),
            Err(_) => out(b"!"),
        }
    });
}
