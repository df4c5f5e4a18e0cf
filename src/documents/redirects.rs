//! The URL that a document was retrieved from, after redirects.

use crate::document::{Candidate, Document, Rule};
use crate::output::Writer;
use crate::output::location::{Quoted, Shortened};
use crate::resolver::parse;
use crate::resolver::parts::cut;
use crate::source::Source;
use crate::spec::prepared::PreparedBase;
use crate::spec::{Spec, dot_segment};

/// Drops the redirects that led to a document if all are relative and can have led to `url`, its base, by a standard:
/// the program that followed them has one of its own. It is then the last URL. Drops them without a base, too.
pub fn drop_followed(document: &mut Document<'_>, source: Source<'_>, url: &[u8], out: &mut Writer) {
    let Some(followed) = document.redirects() else { return };
    let Some((location, _)) = followed.last().filter(|_| followed.iter().all(|(url, _)| is_relative(url))) else {
        return;
    };
    let is_last = Spec::ALL.iter().any(|spec| can_lead_to(*spec, location, url));
    if url.is_empty() && !is_last {
        let (location, fix) = (Quoted(location), "pass the last URL as the base");
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
    if around.is_empty() || normal(around) == normal(to) {
        return;
    }
    if are_relative(redirects) {
        let (base, to) = (if in_record { "the record's URL" } else { "--base" }, Shortened(to));
        let note = format_args!("{source}: {base} is taken as the first URL; the last one is {to}");
        return out.note_of(source, "redirected", note);
    }
    let (to, url) = (Quoted(to), Quoted(around));
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

/// Whether a relative Location can have led to `url` by a standard: whether it is `url`, relative to some other URL.
fn can_lead_to(spec: Spec, location: &[u8], url: &[u8]) -> bool {
    let path = match spec {
        Spec::Rfc1808 => parse(location).path,
        _ => location.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default(),
    };
    let segments: Vec<_> = path.split(|&byte| byte == b'/' || byte == b'\\' && spec == Spec::Whatwg).collect();
    // the directories that it goes up, and then down
    let (mut up, mut down) = (0, 0_usize);
    for (index, segment) in segments.iter().enumerate() {
        let dots = if spec == Spec::Whatwg { dot_segment(segment) } else { None };
        match dots.unwrap_or(segment) {
            b"." => {}
            b".." if down == 0 => up += 1,
            b".." => down -= 1,
            _ => down += usize::from(index + 1 < segments.len()),
        }
    }
    // one such URL: above `url` what it goes down, and below that what it goes up
    let way = "../".repeat(down) + &"-/".repeat(up);
    let (mut before, mut last) = (Vec::new(), Vec::new());
    PreparedBase::new(spec, url).resolve(way.as_bytes(), &mut before).is_ok()
        && PreparedBase::new(spec, &before).resolve(location, &mut last).is_ok()
        && normal(&last) == normal(url)
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
