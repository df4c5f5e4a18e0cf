//! Reports each link to a URL of a directory that leads to no file in it, and each to its host that is outside of it.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::{io, slice};

use super::Task;
use super::format::Format;
use super::standards::OneStandard;
use crate::document::types::{MediaType, Type};
use crate::escaped::Escaped;
use crate::input::SourceError;
use crate::output::location::{Location, Shortened};
use crate::output::words::counted;
use crate::output::{Writer, json};
use crate::record::{Bases, Record, StandardBase};
use crate::resolver::parse;
use crate::resolver::parts::cut;
use crate::rfc1738::login::Login;
use crate::site::{self, Missing, Site, UNKNOWN_HOST, shown};
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::divide;
use crate::strip::without_breaks;

/// What is wrong with a link.
enum Fault {
    Missing(Missing),
    /// It has no host in its text, and is not below the URL of the directory.
    Outside,
}

/// Reports links that lead to no file.
pub struct Files {
    format: Format,
    site: Site,
    /// The name of the directory.
    name: Vec<u8>,
    /// The host of its URL, with the port.
    host: Vec<u8>,
    /// That, and its path, without the slash at its end.
    own: Vec<u8>,
    /// The hosts and paths of links that pass, without the slash at their end.
    passed: Vec<Vec<u8>>,
    resolver: OneStandard,
    url: Vec<u8>,
    count: LinkCounts,
    /// The directories that cannot be read.
    unread: HashSet<PathBuf>,
}

/// How many links there were of each kind.
#[derive(Default)]
struct LinkCounts {
    asked: u64,
    /// Those asked that name more than a query or a fragment.
    with_path: u64,
    missing: u64,
    outside: u64,
    elsewhere: u64,
    /// Whether one of them names a host of the web.
    names_host: bool,
    failed: u64,
    /// The links with a path to each other host: those without a host in their text, which have it from a BASE, and the
    /// others, until one leads to the directory.
    hosts: BTreeMap<Vec<u8>, [u64; 2]>,
    /// The paths that are missing, each as a number.
    paths: HashSet<u64>,
    hasher: RandomState,
}

impl LinkCounts {
    fn add(&mut self, fault: &Fault) {
        let Fault::Missing(missing) = fault else {
            self.outside += 1;
            return;
        };
        let (Missing::Name(path, _) | Missing::Index(path) | Missing::Slash(path) | Missing::Slashes(path)) = missing;
        self.missing += 1;
        self.paths.insert(self.hasher.hash_one(path));
    }
}

impl Files {
    /// A task for the links of a directory, which has the URL `base`. `allowed`: endings that the server adds to names,
    /// each with its dot, and the URLs and paths of links that pass.
    pub fn new(format: Format, root: &Path, base: &[u8], allowed: &[OsString]) -> Self {
        let base = [cut(cut(base, b'#').0, b'?').0, b"/"].concat();
        let base =
            PreparedBase::new(Spec::Whatwg, base.strip_suffix(b"/").filter(|url| url.ends_with(b"/")).unwrap_or(&base));
        let start = |reference: &[u8]| {
            let mut url = Vec::new();
            let _ = base.resolve(reference, &mut url); // --base and --allow have been checked
            let mut place = place(&url);
            place.pop_if(|byte| *byte == b'/');
            place
        };
        let (endings, passed): (Vec<_>, Vec<_>) =
            allowed.iter().map(|text| text.as_encoded_bytes()).partition(|text| text.starts_with(b"."));
        Files {
            format,
            site: Site::new(root, endings.into_iter().map(<[u8]>::to_vec).collect()),
            name: root.as_os_str().as_encoded_bytes().to_vec(),
            own: start(b"."),
            host: start(b"/"),
            passed: passed.into_iter().map(start).collect(),
            resolver: OneStandard::with_sieve(Spec::Whatwg),
            url: Vec::new(),
            count: LinkCounts::default(),
            unread: HashSet::new(),
        }
    }

    /// What is wrong with a link, in a code and a sentence, and the name that would do.
    fn describe<'f>(&self, fault: &'f Fault) -> (&'static str, String, Option<&'f [u8]>) {
        let at = |path: &[u8]| {
            let slash: &[u8] = if self.name.ends_with(b"/") { b"" } else { b"/" };
            Shortened(&[&self.name, slash, path].concat()).to_string()
        };
        match fault {
            Fault::Missing(Missing::Name(path, Some(near))) => {
                let is_page = near.strip_suffix(b".html").is_some_and(|name| path.ends_with(name));
                let has_slash = divide(&self.url).path.ends_with(b"/"); // no server adds an ending before it
                let host = if is_page && !has_slash { ", or --allow .html" } else { "" };
                ("no-file", format!("no file {}; write {}{host}", at(path), Escaped(near)), Some(near))
            }
            Fault::Missing(Missing::Name(path, None)) => ("no-file", format!("no file {}", at(path)), None),
            Fault::Missing(Missing::Index(path)) => ("no-index", format!("no file {}index.html", at(path)), None),
            Fault::Missing(Missing::Slash(path)) => ("slash", format!("{} is a file; omit the slash", at(path)), None),
            Fault::Missing(Missing::Slashes(path)) => {
                ("slash", format!("{} has two slashes; write one", at(path)), None)
            }
            Fault::Outside => ("outside", format!("leads to {}, outside of --base", Shortened(&self.url)), None),
        }
    }

    /// What is wrong with the current URL, which is that of a reference.
    fn fault(&mut self, reference: &[u8]) -> Result<Option<Fault>, (PathBuf, io::Error)> {
        let parts = divide(&self.url);
        let (host, path) = (without_user(parts.authority), site::decode(parts.path));
        let place = [host, path.as_deref().unwrap_or(parts.path)].concat();
        let is_web = matches!(parts.scheme, Some(b"http" | b"https"));
        let below = below(&place, &self.own).filter(|_| is_web);
        let passes = |start: &Vec<u8>| {
            let is_longer = start.len() > self.own.len();
            self::below(&place, start).is_some() && (below.is_none() || is_longer)
        };
        let passes = self.passed.iter().any(passes);
        let text = without_breaks(reference.trim_ascii());
        let has_path = !matches!(*text, [] | [b'#' | b'?', ..]);
        let names_host = || parse(&text).scheme.is_some() || matches!(*text, [b'/' | b'\\', b'/' | b'\\', ..]);
        let names_host = below.is_none() && names_host();
        let is_outside = below.is_none() && !names_host && if is_web { host == self.host } else { has_path };
        if passes || below.is_none() && !is_outside {
            self.count.elsewhere += 1;
            self.count.names_host |= is_web && !passes;
            if is_web && has_path && !passes && (!names_host || self.count.with_path == 0) {
                self.count.hosts.entry(host.to_vec()).or_default()[usize::from(names_host)] += 1;
            }
            return Ok(None);
        }
        self.count.with_path += u64::from(has_path);
        let fault = match below {
            Some(below) if path.is_some() => self.site.miss(below)?.map(Fault::Missing),
            Some(below) => Some(Fault::Missing(Missing::Name(below.to_vec(), None))),
            None => Some(Fault::Outside),
        };
        self.count.asked += 1;
        Ok(fault)
    }
}

/// The host of a URL and its path, decoded: what is compared.
fn place(url: &[u8]) -> Vec<u8> {
    let url = divide(url);
    let path = site::decode(url.path).unwrap_or_else(|| url.path.to_vec());
    [without_user(url.authority), &path].concat()
}

/// The host and port of an authority.
fn without_user(authority: Option<&[u8]>) -> &[u8] {
    authority.and_then(|authority| authority.rsplit(|byte| *byte == b'@').next()).unwrap_or_default()
}

/// What follows `start` and a slash in a place; `None` if it is not at or below it.
fn below<'p>(place: &'p [u8], start: &[u8]) -> Option<&'p [u8]> {
    match place.strip_prefix(start)? {
        [] => Some(&[]),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    }
}

impl Task for Files {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&Spec::Whatwg)
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.url.clear();
        let base = bases.of(Spec::Whatwg);
        let own = shown(base.text);
        let base = StandardBase { text: &own, ..*base };
        let fault = match self.resolver.ask(record, bases, &mut self.url) {
            Ok(()) => self.fault(record.reference).map_err(|(directory, error)| {
                let source = Source::File(&directory);
                if self.unread.insert(directory.clone()) {
                    out.error(SourceError { source, answered: None, error });
                }
                ("unread-directory", format!("it leads below {source}, which cannot be read"), "").into()
            }),
            Err(complaint) => Err(complaint),
        };
        let mut fault = match fault {
            Ok(fault) => fault,
            Err(complaint) => {
                self.count.failed += 1;
                self.format.fail(record, Some(Spec::Whatwg), &base, &complaint, out);
                return Ok(false);
            }
        };
        // hosts of sources list the files of a directory
        let is_markdown = || Type::of_name(record.source.name()).is_some_and(|row| row.read_as == MediaType::Markdown);
        fault.take_if(|fault| matches!(fault, Fault::Missing(Missing::Index(_))) && is_markdown());
        if let Some(fault) = &fault {
            out.set_found();
            self.count.add(fault);
        }
        if self.format.is_json() {
            let url = shown(&self.url);
            json::write_record(record, Some(Spec::Whatwg), &base, &url, &mut out.answers, |object| {
                object.answer(Ok(&url));
                object.nullable("host", divide(&url).authority.map(|authority| Login::divide(authority).host));
                object.array("violations", |list| {
                    if let Some(fault) = &fault {
                        let (code, message, near) = self.describe(fault);
                        list.object(|object| {
                            object.text("in", b"reference");
                            object.text("production", b"file");
                            object.text("code", code.as_bytes());
                            object.nullable("near", near);
                            object.base64("near_base64", near.unwrap_or_default());
                            object.text("message", message.as_bytes());
                        });
                    }
                });
            });
        } else if let Some(fault) = fault.as_ref().filter(|_| !out.is_quiet()) {
            let (location, reference) = (Location::of(record), Shortened(record.reference));
            writeln!(out.answers, "{location}: {reference}: {}", self.describe(fault).1);
        }
        Ok(fault.is_none())
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        let LinkCounts { asked, with_path, missing, outside, elsewhere, names_host, failed, .. } = self.count;
        let site = Escaped(&self.name);
        let is_all = with_path + missing == 0;
        let most = self.count.hosts.iter().max_by_key(|(_, counts)| **counts);
        let most = most.filter(|(_, [without_host, _])| is_all || *without_host > 0);
        if most.is_some() {
            out.set_found();
        }
        if out.is_quiet() {
            return Ok(());
        }
        let lead = |count| if count == 1 { "leads" } else { "lead" };
        if let Some((host, [without_host, with_host])) = most {
            let (count, how) = if *without_host > 0 { (*without_host, " without a host") } else { (*with_host, "") };
            let (links, host) = (counted(count, "link"), Shortened(host));
            let fix = format_args!("if that is its host, use --base https://{host}/");
            out.note(format_args!("{site}: {links}{how} {} to {host}; {fix}", lead(count)));
        }
        let (separator, all) = if out.unread().is_empty() { ("; ", "all ") } else { (", ", "") };
        let summary = match (missing + outside, asked) {
            (0, 0) => format!("no links to {site}"),
            (0, 1) => format!("1 link to {site} leads to a file"),
            (0, ..) => format!("{all}{asked} links to {site} lead to a file"),
            (wrong, ..) => {
                let urls = counted(self.count.paths.len() as u64, "missing file");
                let missing = Some(format!("{missing} {} to {urls}", lead(missing))).filter(|_| missing > 0);
                let outside = Some(format!("{outside} {} outside of --base (to pass: --allow /)", lead(outside)))
                    .filter(|_| outside > 0);
                let reasons: Vec<_> = missing.into_iter().chain(outside).collect();
                let are = if wrong == 1 { "is" } else { "are" };
                format!("{wrong} of {} of {site} {are} wrong: {}", counted(asked, "link"), reasons.join(", "))
            }
        };
        let more = if asked > 0 { " more" } else { "" };
        let has_url = [b"http://", &*self.host, b"/"].concat() != UNKNOWN_HOST.as_bytes();
        let fix = if names_host && most.is_none() && !has_url { " (--base URL checks those of its host)" } else { "" };
        let others = match elsewhere {
            0 => String::new(),
            _ if !self.passed.is_empty() => format!("{separator}{elsewhere}{more} not checked"),
            _ => format!("{separator}{elsewhere}{more} {} elsewhere{fix}", lead(elsewhere)),
        };
        out.summary(summary + &others, failed, out.unread());
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "wrong"
    }
}
