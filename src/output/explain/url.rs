//! The explanation of an answer by the URL Standard: what it reports, and how and why RFC 1808 answers otherwise. The
//! standard's own steps are not traced. Used for text and for JSON.

use std::{array, mem};

use anstyle::Style;

use super::line::{LABEL, Screen, StepLine};
use super::sentence::add_list;
use super::table::{Row, Table};
use super::unbroken::unbroken;
use super::{has_steps, place_of_base, write_start};
use crate::compare::{Effect, Reasons};
use crate::escaped::Escaped;
use crate::output::buffer::Buffer;
use crate::record::{Complaint, Record, StandardBase};
use crate::resolver::parse;
use crate::rfc1738::login::Login;
use crate::spec::rfc3986::{Uri, divide};
use crate::spec::url_error::UrlError;
use crate::strip::{after_blanks, without_breaks};

/// How many bytes a line of the same errors names.
const MAX_BYTES: usize = 10;

/// Everything known about a record once the URL Standard has resolved it.
pub struct UrlOutcome<'a> {
    pub record: &'a Record<'a>,
    /// The base as it was found.
    pub base: &'a StandardBase<'a>,
    /// The base as the standard writes it, or as it was found if that is no URL; empty if there is none.
    pub base_url: Vec<u8>,
    /// The answer, or why there is none.
    pub answer: Result<&'a [u8], &'a Complaint>,
    /// The first validation errors of the reference, or of a base that is no URL, up to the one at which the standard
    /// fails.
    pub errors: Vec<UrlError>,
    /// Whether they are those of the base.
    pub in_base: bool,
    /// The number of the others.
    pub more_errors: usize,
    /// RFC 1808's answer, or why it has none.
    pub rfc1808: Result<&'a [u8], Complaint>,
    /// The hosts that the answers of RFC 1808 and WHATWG reach; both are absent where the answers are the same.
    pub hosts: [Option<Vec<u8>>; 2],
    /// Why the two differ; empty if they do not.
    pub reasons: Reasons,
}

/// Writes the explanation of a record for a person, or why its base cannot be used.
pub(super) fn write(outcome: &UrlOutcome<'_>, screen: Screen, out: &mut Buffer) {
    let can_start = has_steps(outcome.base);
    let block =
        can_start.then(|| (outcome.sentence() + &outcome.lost(), outcome.table(screen), "By the URL Standard:"));
    write_start(outcome.record, block, screen, out);
    if can_start {
        if outcome.base.place().is_some() {
            write_base(outcome.base, screen, out);
        }
        outcome.write_errors(screen, out);
        outcome.write_difference(screen, out);
        screen.labelled("Steps", format_args!("add -s rfc1808 or -s rfc3986"), out);
    }
    match outcome.answer {
        Ok(url) => {
            let style = screen.colors.answer();
            screen.labelled("Answer", format_args!("{style}{}{style:#}", unbroken(url)), out);
        }
        Err(complaint) => screen.wrap(format_args!("error: {complaint}"), LABEL, Style::new(), out),
    }
}

/// Writes a base, and where it is.
pub(super) fn write_base(base: &StandardBase<'_>, screen: Screen, out: &mut Buffer) {
    match base.text {
        b"" => screen.labelled("Base", format_args!("there is no base URL"), out),
        text => {
            let (url, place) = (screen.colors.base(text), place_of_base(base));
            screen.labelled("Base", format_args!("{url} ({place})"), out);
        }
    }
}

impl UrlOutcome<'_> {
    /// Passes each line of the explanation to `each`. The last one ends in the answer or the error.
    pub(super) fn lines(&self, each: &mut dyn FnMut(StepLine<'_>)) {
        for error in &self.errors {
            let (name, words, byte) = (error.kind.name(), error.describe(self.wrong()), error.at + 1);
            let text = self.error_text(name, &words, &[byte], "");
            each(StepLine { error: Some((name, byte)), ..StepLine::new("error", format_args!("{text}")) });
        }
        for reason in self.reasons.iter() {
            let (text, reason) = (reason.note(), Some(reason.code()));
            each(StepLine { reason, ..StepLine::new("why", format_args!("{text}")) });
        }
        match self.answer {
            Ok(url) => each(StepLine::new("answer", format_args!("{}", Escaped(url)))),
            Err(complaint) => each(StepLine::new("error", format_args!("{complaint}"))),
        }
    }

    /// How the answer differs from RFC 1808's.
    fn sentence(&self) -> String {
        let (url, own) = match (&self.answer, &self.rfc1808) {
            (Ok(_), Err(_)) => return "WHATWG has an answer, and RFC 1808 has no answer.".into(),
            (Err(_), Ok(_)) => return "WHATWG has no answer, and RFC 1808 has one.".into(),
            (Err(_), Err(_)) => return "WHATWG and RFC 1808 have no answer.".into(),
            (Ok(url), Ok(own)) => (*url, *own),
        };
        match (url == own, self.reasons.greatest()) {
            (_, None) => "WHATWG gives the same as RFC 1808.".into(),
            (true, _) => "WHATWG gives the same URL as RFC 1808, but with another host.".into(),
            (_, Some(Effect::Spelling)) => SPELLING.into(),
            _ => {
                match &self.hosts {
                    [None, Some(_)] => return "WHATWG gives a host, and RFC 1808 gives no host.".into(),
                    [Some(_), None] => return "WHATWG gives no host, and RFC 1808 gives one.".into(),
                    [own, other] if own != other => return "WHATWG gives another host than RFC 1808.".into(),
                    _ => {}
                }
                let names = self.differing(url, own);
                if names == [None; 8] {
                    return SPELLING.into();
                }
                let mut sentence = "WHATWG gives another ".to_owned();
                add_list(&names, &mut sentence);
                sentence + " than RFC 1808."
            }
        }
    }

    /// Which segment of the base a reference that begins with a relative path replaces, in a sentence.
    fn lost(&self) -> String {
        let text = without_breaks(self.record.reference);
        let Uri { scheme, path, .. } = divide(after_blanks(&text));
        let last = divide(&self.base_url).path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        // a drive of the scheme file stays
        let stays = matches!(path, [] | [b'/' | b'\\', ..] | [_, b'|', ..]) || matches!(last, [] | [_, b':']);
        let is_kept = stays || scheme.is_some() || self.answer.is_err();
        if is_kept { String::new() } else { format!(" \"{}\" of the base is replaced.", unbroken(last)) }
    }

    /// The names of the parts in which two answers differ.
    fn differing(&self, url: &[u8], own: &[u8]) -> [Option<&'static str>; 8] {
        let parts = parse(own);
        let ends = parts.ends(own);
        let path = &own[ends[1]..ends[3]];
        let query = (ends[4] > ends[3]).then_some(parts.query);
        let fragment = (ends[5] > ends[4]).then_some(parts.fragment);
        let own = components_of(parts.scheme, parts.net_loc, path, query, fragment);
        let other = components(Some(url));
        array::from_fn(|index| {
            let [own_text, other_text] = [own, other].map(|parts| parts[index].unwrap_or_default());
            let differs = match NAMES[index] {
                "scheme" => !own_text.eq_ignore_ascii_case(other_text),
                "query" | "fragment" => own[index] != other[index],
                // these may differ only in how they are written
                "user" | "password" | "host" | "port" if self.reasons.greatest() != Some(Effect::Host) => false,
                // the slash after a host
                "path" => own_text != other_text && (own_text, other_text) != (b"", b"/"),
                _ => own_text != other_text,
            };
            differs.then_some(NAMES[index])
        })
    }

    /// The text that has the errors.
    fn wrong(&self) -> &[u8] {
        if self.in_base { self.base.text } else { self.record.reference }
    }

    /// A validation error: its name, where it is, what is wrong, and the fix, which may be empty. The last two are left
    /// out if `end` ends with them.
    fn error_text(&self, name: &str, (what, fix): &(String, String), bytes: &[usize], end: &str) -> String {
        let (place, base) = (at_bytes(bytes), if self.in_base { " of the base" } else { "" });
        let separator = if fix.is_empty() { "" } else { "; " };
        let words = format!("{what}{separator}{fix}");
        if end.ends_with(&words) { format!("{name} {place}{base}") } else { format!("{name} {place}{base}: {words}") }
    }

    /// Writes a line for all errors that are the same but for their byte, in the order of the first ones.
    fn write_errors(&self, screen: Screen, out: &mut Buffer) {
        let mut groups: Vec<(&'static str, (String, String), Vec<usize>)> = Vec::new();
        for error in &self.errors {
            let (name, words, byte) = (error.kind.name(), error.describe(self.wrong()), error.at + 1);
            match groups.iter_mut().find(|group| group.0 == name && group.1 == words) {
                Some((.., bytes)) => bytes.push(byte),
                None => groups.push((name, words, vec![byte])),
            }
        }
        let end = self.answer.err().map(Complaint::to_string).unwrap_or_default();
        let mut label = "Error";
        for (name, words, bytes) in groups {
            let text = self.error_text(name, &words, &bytes, &end);
            screen.labelled(mem::take(&mut label), format_args!("{text}"), out);
        }
        if self.more_errors > 0 {
            screen.labelled("", format_args!("{} more errors", self.more_errors), out);
        }
    }

    /// Writes RFC 1808's answer and why it is another one, if it is.
    fn write_difference(&self, screen: Screen, out: &mut Buffer) {
        match (&self.rfc1808, &self.hosts[0]) {
            _ if self.reasons.is_empty() => {}
            (Err(complaint), _) => screen.labelled("RFC 1808", format_args!("has no answer: {}", complaint.what), out),
            (Ok(own), host) if self.answer == Ok(*own) => match host.as_deref() {
                None | Some(b"") => screen.labelled("RFC 1808", format_args!("gives the same without a host"), out),
                Some(host) => {
                    screen.labelled("RFC 1808", format_args!("gives the same with host {}", unbroken(host)), out);
                }
            },
            (Ok(own), _) => screen.labelled("RFC 1808", format_args!("gives {}", unbroken(own)), out),
        }
        let mut label = "Why";
        for reason in self.reasons.iter() {
            screen.labelled(mem::take(&mut label), format_args!("{}", reason.note()), out);
        }
    }

    /// The table: base and answer as the URL Standard divides them. It does not divide a reference.
    fn table(&self, screen: Screen) -> Table<'_> {
        let colors = screen.colors;
        let [base, answer] = [Some(&*self.base_url).filter(|url| !url.is_empty()), self.answer.ok()].map(components);
        let rows = NAMES.iter().zip(base).zip(answer).map(|((name, base), answer)| {
            let cells = [colors.component(base, usize::MAX), colors.component(None, 0), colors.component(answer, 0)];
            Row::new(name, cells, ["", ""])
        });
        let columns = if self.base_url.is_empty() { &[2][..] } else { &[0, 2] };
        Table { rows: rows.collect(), columns, names: "  password  ".len() }
    }
}

/// Where errors are: the first [`MAX_BYTES`] of `bytes`, of which there is one at least.
fn at_bytes(bytes: &[usize]) -> String {
    let shown: Vec<_> = bytes.iter().take(MAX_BYTES).map(usize::to_string).collect();
    match (shown.as_slice(), bytes.len() - shown.len()) {
        ([byte], _) => format!("at byte {byte}"),
        ([first @ .., last], 0) => format!("at bytes {} and {last}", first.join(", ")),
        (all, more) => format!("at bytes {} and {more} more", all.join(", ")),
    }
}

/// The names of the parts of a URL, in the order of [`components`].
const NAMES: [&str; 8] = ["scheme", "user", "password", "host", "port", "path", "query", "fragment"];

/// The parts of a URL as the URL Standard writes it. All are absent without a URL.
fn components(url: Option<&[u8]>) -> [Option<&[u8]>; 8] {
    let Some(Uri { scheme, authority, path, query, fragment }) = url.map(divide) else { return [None; 8] };
    components_of(scheme, authority, path, query, fragment)
}

/// The parts of a URL, with those of its authority.
fn components_of<'a>(
    scheme: Option<&'a [u8]>,
    authority: Option<&'a [u8]>,
    path: &'a [u8],
    query: Option<&'a [u8]>,
    fragment: Option<&'a [u8]>,
) -> [Option<&'a [u8]>; 8] {
    let login = authority.map(Login::divide);
    let [user, password, port] = login.map_or([None; 3], |login| [login.user, login.password, login.port]);
    [scheme, user, password, login.map(|login| login.host), port, Some(path), query, fragment]
}

/// The sentence where only the spelling differs.
const SPELLING: &str = "WHATWG writes the answer of RFC 1808 another way.";
