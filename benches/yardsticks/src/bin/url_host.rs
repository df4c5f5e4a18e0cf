//! url_host BASE: the references that Rust's url leads to another host than that of BASE (WHATWG).
use url::Url;
use yardsticks::*;

fn main() -> Done {
    let base = Url::parse(&base().ok_or("no BASE")?)?;
    each_line(|line, out| {
        let leaves = base.join(line).map_or(true, |url| url.host_str() != base.host_str());
        if leaves { out.write_all(line.as_bytes()).ok() } else { Some(()) }
    })
}
