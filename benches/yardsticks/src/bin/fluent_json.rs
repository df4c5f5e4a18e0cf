//! fluent_json BASE: fluent-uri's answer and its components as an object, by serde_json.
use fluent_uri::{Uri, UriRef, resolve::Resolver};
use serde::Serialize;
use yardsticks::*;

#[derive(Serialize)]
struct Object<'a> {
    source: &'a str,
    record: u64,
    reference: &'a str,
    base: &'a str,
    url: Option<&'a str>,
    components: Option<Components<'a>>,
}

#[derive(Serialize)]
struct Components<'a> {
    scheme: &'a str,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

fn main() -> Done {
    let base = base().ok_or("no BASE")?;
    let resolver = Resolver::with_base(Uri::parse(base.split('#').next().unwrap_or_default())?);
    let (mut record, mut text) = (0, Vec::new());
    each_line(|reference, out| {
        record += 1;
        let url = UriRef::parse(reference).ok().and_then(|reference| resolver.resolve(&reference).ok());
        let components = url.as_ref().map(|url| Components {
            scheme: url.scheme().as_str(),
            authority: url.authority().map(|authority| authority.as_str()),
            path: url.path().as_str(),
            query: url.query().map(|query| query.as_str()),
            fragment: url.fragment().map(|fragment| fragment.as_str()),
        });
        let url = url.as_ref().map(|url| url.as_str());
        text.clear();
        serde_json::to_writer(&mut text, &Object { source: "-", record, reference, base: &base, url, components })
            .ok()?;
        out.write_all(&text).ok()
    })
}
