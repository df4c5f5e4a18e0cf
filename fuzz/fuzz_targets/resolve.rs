//! The resolver against the literal oracle, and the laws. Input: BASE LF REFERENCE.
#![no_main]

use absurl_fuzz::oracle::{self, Components, Failure};
use absurl_fuzz::resolver::merge::directory;
use absurl_fuzz::resolver::parts::lone_delimiters;
use absurl_fuzz::resolver::{Base, Parts, Step, Unresolvable, parse, resolve};
use absurl_fuzz::{pair, same};
use libfuzzer_sys::fuzz_target;

/// The components in the order in which they are inherited.
const NAMES: [&str; 6] = ["scheme", "net_loc", "path", "params", "query", "fragment"];

/// The components in that order.
fn components<'a>(parts: &Parts<'a>) -> [Option<&'a [u8]>; 6] {
    [parts.scheme, parts.net_loc, Some(parts.path), Some(parts.params), Some(parts.query), Some(parts.fragment)]
}

/// Parses a text as the oracle does.
fn parsed(text: &[u8]) -> Parts<'_> {
    let parts = parse(text);
    let Components { scheme, net_loc, path, params, query, fragment } = oracle::parse(text);
    let expected = [scheme, net_loc, Some(path), Some(params), Some(query), Some(fragment)];
    assert_eq!(components(&parts), expected.each_ref().map(Option::as_deref));

    // a lone delimiter is all that is lost
    let mut length = 0;
    parts.recombine(|piece| length += piece.len());
    let (fragment, query, params) = lone_delimiters(text, parts);
    assert_eq!(length + [fragment, query, params].map(usize::from).iter().sum::<usize>(), text.len());
    parts
}

fuzz_target!(|data: &[u8]| {
    let (base_text, text) = pair(data);
    let (base_parts, parts) = (parsed(base_text), parsed(text));
    let (mut path, mut removals, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let expected = oracle::resolve(base_text, text).map_err(|failure| match failure {
        Failure::NoBase => Unresolvable::NoBase,
        Failure::UnsuitableBase => Unresolvable::UnsuitableBase,
        Failure::BaseWithoutScheme => Unresolvable::BaseWithoutScheme,
    });
    let base = Base::new(base_text);
    let resolved = base.as_ref().map_err(|why| *why).and_then(|base| {
        resolve(base, text, &mut path, |removed| {
            let rule = match removed.dots {
                b"./" => 'a',
                b"." => 'b',
                b"../" => 'c',
                _ => 'd',
            };
            removals.push((rule, [removed.parent, removed.dots].concat()));
            places.push((removed.at, removed.dots.to_vec()));
        })
    });
    let (resolved, expected) = match (resolved, expected) {
        (Ok(resolved), Ok(expected)) => (resolved, expected),
        (resolved, expected) => {
            assert_eq!(resolved.err(), expected.err());
            return;
        }
    };
    let mut url = Vec::new();
    resolved.write(|piece| url.extend_from_slice(piece));
    same(&url, &expected.url);
    assert!(url.len() <= base_text.len() + text.len() + 2);

    // law 2
    let again = components(&parsed(&url));
    let own = components(&resolved.parts);
    for (index, (again, own)) in again.iter().zip(&own).enumerate() {
        match (index, own) {
            (2, Some(path)) => assert_eq!(*again, Some(&*[resolved.parts.inserted(), path].concat())),
            _ => assert_eq!(again, own, "{}", NAMES[index]),
        }
    }
    // law 3
    if parts.scheme.is_some() {
        assert_eq!(url, text);
    }
    let base = Base::new(&url).expect("an absolute URL has a scheme");
    let (mut path, mut whole) = (Vec::new(), Vec::new());
    resolve(&base, b"", &mut path, |_| {}).expect("2a").write(|piece| whole.extend_from_slice(piece));
    assert_eq!(whole, url);
    // law 4
    let inherits = resolved.step.inherits();
    assert_eq!(NAMES[..inherits], expected.inherited);
    let (bases, references) = (components(&base_parts), components(&parts));
    for (index, own) in own.iter().enumerate() {
        let is_merged = resolved.step == Step::Merged && index == 2;
        if !is_merged {
            let origin = if index < inherits { bases[index] } else { references[index] };
            assert_eq!(*own, origin, "{}", NAMES[index]);
        }
    }
    // law 5
    let merged = [directory(base_parts.path_to_merge()), parts.path].concat();
    for (at, dots) in places {
        assert!(merged[at..].starts_with(&dots));
    }
    removals.sort_by_key(|(rule, _)| *rule);
    assert_eq!(removals, expected.removals);
    assert!(resolved.parts.path.len() <= base_parts.path.len().max(merged.len()).max(parts.path.len()));
});
