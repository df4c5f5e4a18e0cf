//! fluent BASE, fluent --pairs: fluent-uri, the fastest peer in Rust (RFC 3986, which takes no base with a fragment).
use fluent_uri::{Uri, UriRef, resolve::Resolver};
use yardsticks::*;

fn resolver(base: &str) -> Option<Resolver<Uri<&str>>> {
    Uri::parse(base.split('#').next()?).ok().map(Resolver::with_base)
}

fn main() -> Done {
    let resolve = |resolver: &Resolver<Uri<&str>>, reference: &str, out: &mut Out| {
        let url = resolver.resolve(&UriRef::parse(reference).ok()?).ok()?;
        out.write_all(url.as_str().as_bytes()).ok()
    };
    match base() {
        Some(base) => {
            let resolver = resolver(&base).ok_or("BASE is not a URI")?;
            each_line(|line, out| resolve(&resolver, line, out))
        }
        None => each_line(|line, out| {
            let (base, reference) = pair(line);
            resolve(&resolver(base)?, reference, out)
        }),
    }
}
