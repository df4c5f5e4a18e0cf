//! The URL that a document was retrieved from, after redirects.

use std::mem;

use crate::document::{Candidate, Document, Rule};
use crate::limits::MAX_RESOLVED_BASE;
use crate::output::Writer;
use crate::output::location::{Quoted, Shortened};
use crate::resolver::parse;
use crate::resolver::parts::cut;
use crate::site::shown;
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;

/// How many redirects curl follows.
const MAX_FOLLOWED: usize = 50;

/// A directory and a page that no URL has.
const DIRECTORY: &[u8] = b"-from-/";
const PAGE: &[u8] = b"-page-";

/// Drops the redirects that led to a document if all are relative and can have led to `url`, its base, by a standard:
/// the program that followed them has one of its own. It is then the last URL. Drops them without a base, too.
pub fn drop_followed(document: &mut Document<'_>, source: Source<'_>, url: &[u8], out: &mut Writer) {
    let Some(followed) = document.redirects() else { return };
    let Some((location, _)) = followed.last().filter(|_| followed.iter().all(|(url, _)| is_relative(url))) else {
        return;
    };
    let is_last = Spec::ALL.iter().any(|spec| can_lead_to(*spec, followed, url));
    if url.is_empty() && !is_last {
        let (location, fix) = (Quoted(location), "pass the first URL as the base");
        out.note_of(source, "redirected", format_args!("{source}: redirected to {location}, which is relative; {fix}"));
    }
    if url.is_empty() || is_last {
        followed.clear();
    }
}

/// Notes that a document was retrieved from the URL `to`, to which redirects led, if that is not the base around it.
/// `in_record`: that is the URL of a record.
pub fn note_last(
    redirects: &Candidate,
    (around, in_record): (&[u8], bool),
    to: &[u8],
    source: Source<'_>,
    out: &mut Writer,
) {
    // without a host nobody has given a first URL
    if around.is_empty() || normal(around) == normal(to) || *shown(around) != *around && are_relative(redirects) {
        return;
    }
    if are_relative(redirects) {
        let (base, to) = (if in_record { "the record's URL" } else { "--base" }, Shortened(to));
        let note = format_args!("{source}: {base} is taken as the first URL; the last one is {to}");
        return out.note_of(source, "redirected", note);
    }
    let (to, shown) = (Quoted(to), shown(around));
    let url = Quoted(&shown);
    let note = format_args!("{source}: redirected to {to}, so it was retrieved from there, not from {url}");
    out.note_of(source, "redirected", note);
}

/// Whether redirects lead on from the base around them.
pub fn are_relative(redirects: &Candidate) -> bool {
    let mut followed = redirects.before.iter().map(|(url, _)| url).chain(&redirects.url);
    redirects.rule == Rule::Retrieval && followed.next().is_some_and(|first| is_relative(first))
}

fn is_relative(location: &[u8]) -> bool {
    parse(location).scheme.is_none()
}

/// Whether Locations, all of them relative, can have led to `url` by a standard, from some URL before them.
fn can_lead_to(spec: Spec, locations: &[(Vec<u8>, u64)], url: &[u8]) -> bool {
    // from so far below the root of a host that no `..` reaches it
    let url = normal(url);
    let (scheme, authority) = spec.scheme_and_authority(&url);
    let own = url.get(scheme.map_or(0, <[u8]>::len) + 3 + authority.map_or(0, <[u8]>::len)..).unwrap_or_default();
    let root = [scheme.unwrap_or_default(), b"://from.invalid"].concat();
    let length: usize = locations.iter().map(|(location, _)| location.len()).sum();
    if length > MAX_RESOLVED_BASE {
        return false;
    }
    let mut last = [&root, &b"/"[..], &DIRECTORY.repeat(length / 2 + 1), PAGE].concat();
    for (location, _) in locations.iter().rev().take(MAX_FOLLOWED).rev() {
        let base = PreparedBase::new(spec, &mem::take(&mut last));
        if base.resolve(location, &mut last).is_err() {
            return false;
        }
    }
    let last = normal(&last);
    let Some(path) = last.strip_prefix(&*root) else { return last == url };
    let Some(mut tail) = path.strip_prefix(b"/").and_then(|path| path.strip_prefix(DIRECTORY)) else {
        return path == own;
    };
    while let Some(rest) = tail.strip_prefix(DIRECTORY) {
        tail = rest;
    }
    match tail.strip_prefix(PAGE) {
        Some(query) => own.ends_with(query) && own.contains(&b'?') == query.contains(&b'?'),
        None => own.ends_with(&[b"/", tail].concat()),
    }
}

/// A URL as browsers write it, if they accept it, without its fragment, and with escapes in lower case, as curl writes
/// them.
fn normal(url: &[u8]) -> Vec<u8> {
    let mut written = Vec::new();
    if PreparedBase::new(Spec::Whatwg, url).resolve(b"#", &mut written).is_err() {
        written.extend_from_slice(url);
    }
    written.truncate(cut(&written, b'#').0.len());
    let mut at = 0;
    while let Some(escape) = written.get_mut(at..at + 3) {
        if escape[0] == b'%' {
            escape.make_ascii_lowercase();
        }
        at += 1;
    }
    written
}
