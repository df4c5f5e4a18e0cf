//! ada BASE, ada --pairs: ada, the URL parser of Node.js in C++ (WHATWG), which parses the base for each reference.
use ada_url::Url;
use yardsticks::*;

fn main() -> Done {
    let base = base();
    each_line(|line, out| {
        let (base, reference) = base.as_deref().map_or_else(|| pair(line), |base| (base, line));
        out.write_all(Url::parse(reference, Some(base)).ok()?.href().as_bytes()).ok()
    })
}
