//! fluent BASE, fluent --pairs: fluent-uri, the fastest peer in Rust (RFC 3986, which takes no base with a fragment).
use fluent_uri::{Uri, UriRef, resolve::Resolver};
use yardsticks::*;
fn nofrag(b: &str) -> &str {
    b.split('#').next().unwrap()
}
fn main() {
    let (base, pairs) = args();
    if !pairs {
        let base = base.unwrap();
        let b = Uri::parse(nofrag(&base)).unwrap();
        let rs = Resolver::with_base(b);
        each_line(|l, w| match UriRef::parse(l).ok().and_then(|r| rs.resolve(&r).ok()) {
            Some(u) => w(u.as_str().as_bytes()),
            None => w(b"!"),
        });
    } else {
        each_line(|l, w| {
            let (b, r) = l.split_once('\t').unwrap_or((l, ""));
            match Uri::parse(nofrag(b)).ok().and_then(|b| {
                UriRef::parse(r).ok().and_then(|r| Resolver::with_base(b).resolve(&r).ok())
            }) {
                Some(u) => w(u.as_str().as_bytes()),
                None => w(b"!"),
            }
        });
    }
}
