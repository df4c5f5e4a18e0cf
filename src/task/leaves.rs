//! Reports each reference of which it is not certain that it stays on the host of the URL that the user gave.

use std::io;
use std::rc::Rc;

use super::format::{Format, InputFormat};
use super::standards::{AllStandards, MAX_SIEVED};
use super::{Task, skip};
use crate::compare::leaving::{Allowed, Departure, NoOwnHost, OwnHost, Target};
use crate::document::Place;
use crate::fast::stays::Stays;
use crate::input::Block;
use crate::output::Writer;
use crate::output::json::{self, Object};
use crate::output::location::{Location, Shortened};
use crate::output::words::name_hosts;
use crate::record::{BaseId, Bases, Complaint, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;

/// The host of the URL that the user gave, on which references are to stay. `base`: that of a standard.
///
/// # Errors
/// It has none, or not the same by all standards.
pub fn own_host(given: &[u8], base: &StandardBase<'_>) -> Result<OwnHost, Complaint> {
    OwnHost::of(given).map_err(|why| match why {
        NoOwnHost::NoUrl if base.in_record => {
            ("no-own-host", "no host to stay on", "write the document's URL before the TAB").into()
        }
        NoOwnHost::NoUrl => ("no-own-host", "no host to stay on", "use --base URL").into(),
        NoOwnHost::NoHost => ("base-without-host", "the base has no host", "use a URL such as http://host/path").into(),
        NoOwnHost::Ambiguous(hosts) => {
            let hosts = name_hosts(hosts.each_ref().map(Option::as_deref));
            ("ambiguous-base", format!("the base has several hosts: {hosts}"), "").into()
        }
        NoOwnHost::NoAnswer(why) => PreparedBase::new(Spec::Whatwg, given).describe(why, given, b"").into(),
    })
}

/// Reports references that may leave the host of a URL.
pub struct Leaves {
    format: Format,
    records: InputFormat,
    /// What is no finding either.
    allowed: Vec<Allowed>,
    /// The base that the next values are of.
    id: Option<BaseId>,
    /// The URL that the user gave with it.
    given_id: Option<BaseId>,
    /// The host of that.
    own: Result<Rc<OwnHost>, Complaint>,
    /// What finds the hosts of most references, if they inherit the own host from the base.
    stays: Option<Stays>,
    standards: AllStandards,
    /// The number of records, those included that failed.
    count: u64,
    failed: u64,
    /// The number of them that may leave.
    leaving: u64,
}

impl Leaves {
    /// A task that reports references, but for those to what is allowed.
    pub fn new(format: Format, records: InputFormat, allowed: Vec<Allowed>) -> Self {
        Leaves {
            format,
            records,
            allowed,
            id: None,
            given_id: None,
            own: own_host(b"", &StandardBase::new(b"", None)).map(Rc::new),
            stays: None,
            standards: AllStandards::default(),
            count: 0,
            failed: 0,
            leaving: 0,
        }
    }

    /// Finds the own host of other bases, and what reaches it with one that is not too long.
    fn set_bases(&mut self, bases: &Bases<'_>, longest: usize) {
        if self.id.replace(bases.id) == Some(bases.id) {
            return;
        }
        if self.given_id.replace(bases.given_id) != Some(bases.given_id) {
            self.own = own_host(bases.given, bases.of(Spec::Rfc1808)).map(Rc::new);
        }
        self.stays = None;
        let is_long = bases.by_spec.iter().any(|base| base.text.len() > longest);
        let Some(own) = self.own.clone().ok().filter(|_| !is_long) else { return };
        let record = Record { source: Source::Stdin, number: 0, text: b"", reference: b"", link: None };
        let answers = self.standards.ask(&record, bases).map(Result::ok);
        // a base in the document may have another host, or another scheme
        let is_http = |url: &[u8]| url.starts_with(b"http:") || url.starts_with(b"https:");
        if answers.into_iter().flatten().all(is_http) && own.departures([b""; 2], answers, &[]).is_empty() {
            self.stays = Some(Stays::new(self.records.terminator, &own.host));
        }
    }

    /// Why it is not certain that a record stays; nothing if it is. In words it does not matter which of the standards
    /// say so if all do.
    fn departures(&mut self, own: &OwnHost, record: &Record<'_>, bases: &Bases<'_>) -> Vec<Departure> {
        match self.stays.as_ref().and_then(|stays| stays.certain_host(record.reference)) {
            Some(host) if host == own.host => Vec::new(),
            Some(host) if !self.format.is_json() => {
                let to = Target::Host(Some(host.to_vec()));
                let is_allowed = self.allowed.iter().any(|allowed| allowed.admits(&to));
                let departure = Departure { to, standards: Vec::new(), is_agreed: true };
                if is_allowed { Vec::new() } else { vec![departure] }
            }
            _ => {
                let answers = self.standards.ask(record, bases).map(Result::ok);
                let mut departures = own.departures([record.reference, &record.decoded()], answers, &self.allowed);
                if record.link.and_then(|link| link.place.part).is_some_and(|part| !part.number.is_empty()) {
                    departures.retain(|departure| departure.to != Target::Scheme(b"cid".to_vec())); // another part
                }
                departures
            }
        }
    }
}

impl Task for Leaves {
    fn standards(&self) -> &[Spec] {
        &Spec::ALL
    }

    fn block(&mut self, block: &mut Block<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        if self.records.pairs {
            return Ok(());
        }
        self.set_bases(bases, usize::MAX);
        if let Some(stays) = self.stays.as_ref().filter(|_| !self.format.is_json()) {
            self.count += skip(stays.pass(block.text(), block.rest().len()), block, out);
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.count += 1;
        let base = bases.of(Spec::Rfc1808);
        let parsed = base.parsed.map_err(|failure| failure.describe(record, base));
        let own = parsed.and_then(|_| {
            self.set_bases(bases, MAX_SIEVED);
            self.own.clone()
        });
        let own = match own {
            Ok(own) => own,
            Err(complaint) => {
                self.failed += 1;
                self.format.fail(record, None, base, &complaint, out);
                return Ok(false);
            }
        };
        let mut departures = self.departures(&own, record, bases);
        if let Some(early) = bases.early.filter(|_| departures.is_empty()) {
            self.set_bases(early, MAX_SIEVED);
            departures = self.departures(&own, record, early);
        }
        if !departures.is_empty() {
            out.set_found();
            self.leaving += 1;
        }
        if self.format.is_json() {
            json::write_record(record, None, base, b"", &mut out.answers, |object| {
                object.array("violations", |list| {
                    for departure in &departures {
                        list.object(|object| write_json(departure, &own, object));
                    }
                });
            });
        } else if !departures.is_empty() && !out.is_quiet() {
            let reasons: Vec<_> = departures.iter().map(|departure| describe(departure, &own)).collect();
            let (location, reference) = (Location::of(record), Shortened(record.reference));
            writeln!(out.answers, "{location}: {reference}: {}", reasons.join("; "));
        }
        Ok(departures.is_empty())
    }

    fn not_read(&mut self, file: Source<'_>, url: &[u8], what: &str, out: &mut Writer) -> io::Result<()> {
        out.set_unread();
        let message = format!("not read, so it may have links that leave: {what}");
        let place = Place { part: None, line: 1, column: 1 };
        if self.format.is_json() {
            json::write_file(file, url, place, &mut out.answers, |object| {
                object.array("violations", |list| {
                    list.object(|object| {
                        object.text("in", b"document");
                        object.text("production", b"host");
                        object.text("code", b"not-read");
                        object.text("message", message.as_bytes());
                    });
                });
            });
        } else if !out.is_quiet() {
            writeln!(out.answers, "{}: {message}", Location::Document(file, place));
        }
        out.flush_if_large()
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        let Leaves { count, failed, leaving, .. } = *self;
        let unread = out.unread();
        let all = if unread.is_empty() { "all " } else { "" };
        let (or, leave) = if self.allowed.is_empty() {
            ([""; 2], ["leave its host", "leave their host"])
        } else {
            ([" or is allowed", " or are allowed"], ["reach what is not allowed"; 2])
        };
        let of = out.counted(count);
        let summary = match (leaving + failed, count) {
            _ if out.is_quiet() || count == 0 && out.has_failed() => return Ok(()),
            (_, 0) => format!("{of} to check"),
            (0, 1) => format!("{of} stays on its host{}", or[0]),
            (0, _) => format!("{all}{of} stay on their host{}", or[1]),
            _ if leaving == 0 => format!("{failed} of {of} {} not checked", if failed == 1 { "was" } else { "were" }),
            (1, 1) => format!("{of} may {}", leave[0]),
            _ => format!("{leaving} of {of} may {}", leave[1]),
        };
        out.summary(summary, if leaving == 0 { 0 } else { failed }, unread);
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "leaving"
    }
}

/// Why it is not certain that a reference stays, in a sentence.
fn describe(departure: &Departure, own: &OwnHost) -> String {
    let standards = match &departure.standards[..] {
        [] => "programs that trim or collapse slashes".into(),
        standards => standards.iter().map(|spec| spec.title()).collect::<Vec<_>>().join(", "),
    };
    let by = if departure.is_agreed { String::new() } else { format!(" ({standards})") };
    match &departure.to {
        Target::Host(Some(host)) => {
            format!("reaches {}{by}, not {}", Shortened(host), Shortened(&own.host))
        }
        Target::Host(None) => format!("reaches no host{by}, not {}", Shortened(&own.host)),
        Target::Scheme(scheme) => {
            let by = if departure.is_agreed { String::new() } else { format!(" by {standards}") };
            format!("not a link to a web host (scheme {}{by})", Shortened(scheme))
        }
        Target::Unknown => format!("no answer by {standards}"),
    }
}

/// Writes why it is not certain that a reference stays.
fn write_json(departure: &Departure, own: &OwnHost, object: &mut Object<'_>) {
    object.text("in", b"reference");
    object.text("production", b"host");
    object.text("code", departure.to.code().as_bytes());
    let (host, scheme) = match &departure.to {
        Target::Host(host) => (host.as_deref(), None),
        Target::Scheme(scheme) => (None, Some(scheme)),
        Target::Unknown => (None, None),
    };
    object.nullable("host", host);
    if let Some(scheme) = scheme {
        object.text("scheme", scheme);
    }
    object.array("standards", |list| departure.standards.iter().for_each(|spec| list.text(spec.name())));
    if departure.standards.is_empty() {
        object.text("reading", b"trimmed");
    }
    object.text("message", describe(departure, own).as_bytes());
}

#[cfg(test)]
mod tests;
