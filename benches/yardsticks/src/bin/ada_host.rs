//! ada_host BASE: the references that ada, the parser of Node.js, leads to another host than that of BASE (WHATWG).
use ada_url::Url;
use yardsticks::*;

fn main() -> Done {
    let base = base().ok_or("no BASE")?;
    let own = Url::parse(&*base, None).map_err(|_| "no URL")?.hostname().to_owned();
    each_line(|line, out| {
        let leaves = Url::parse(line, Some(&base)).map_or(true, |url| url.hostname() != own);
        if leaves { out.write_all(line.as_bytes()).ok() } else { Some(()) }
    })
}
