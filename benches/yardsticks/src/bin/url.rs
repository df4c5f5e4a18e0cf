//! url BASE, url --pairs: Rust's url (WHATWG).
use yardsticks::*;
use url::Url;
fn main() {
    let (base, pairs) = args();
    if !pairs {
        let b = Url::parse(&base.unwrap()).unwrap();
        each_line(|l, w| match b.join(l) {
            Ok(u) => w(u.as_str().as_bytes()),
            Err(_) => w(b"!"),
        });
    } else {
        // --pairs: base parsed again only when it differs from the line before (--pairs-nocache: always)
        let nocache = std::env::args().nth(2).is_some();
        let mut last = String::new();
        let mut cur: Option<Url> = None;
        each_line(|l, w| {
            let (b, r) = l.split_once('\t').unwrap_or((l, ""));
            if nocache || b != last || cur.is_none() {
                cur = Url::parse(b).ok();
                last.clear();
                last.push_str(b);
            }
            match cur.as_ref().and_then(|c| c.join(r).ok()) {
                Some(u) => w(u.as_str().as_bytes()),
                None => w(b"!"),
            }
        });
    }
}
