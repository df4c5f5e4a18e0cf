//! Prints the reference that leads from the base to each URL: the inverse of resolving.
//!
//! With the base `http://a/b/c/d`, `http://a/b/g?y` is `../g?y`. Each form is made from the texts of base and URL, then
//! resolved, so a reference that is printed surely gives back the bytes of the URL.

use std::io;

use encoding_rs::Encoding;
use memchr::{memchr_iter, memrchr};

use super::Task;
use super::format::{Format, RecordFormat};
use super::spec::{CachedBase, complaint_of};
use crate::output::{Writer, json};
use crate::record::{BaseId, Bases, Complaint, Record};
use crate::resolver::parse;
use crate::spec::Spec;
use crate::spec::rfc3986::divide;

/// Makes references to URLs by one standard.
pub struct Inverse {
    spec: Spec,
    base: CachedBase,
    /// The place of the base, and the base as the standard writes it.
    written: Option<(BaseId, Vec<u8>)>,
    /// The reference that was made last.
    form: Vec<u8>,
    /// Scratch space for its answer.
    answer: Vec<u8>,
}

impl Inverse {
    pub fn new(spec: Spec) -> Self {
        Inverse { spec, base: CachedBase::default(), written: None, form: Vec::new(), answer: Vec::new() }
    }

    /// The first reference that leads from the base to `url`, an answer of the standard: the fragment, the query, the path from the
    /// base's directory, the path from the root, the URL itself. Linear in the URL and the base's path. `None` if only the empty
    /// reference gives the URL, because the base has dots that RFC 3986 removes from any other one's path.
    pub fn reference(&mut self, bases: &Bases<'_>, encoding: &'static Encoding, url: &[u8]) -> Option<&[u8]> {
        let prepared = self.base.of(self.spec, bases.id, bases.of(self.spec));
        self.written.take_if(|(id, _)| *id != bases.id);
        let (_, base) = self.written.get_or_insert_with(|| {
            let mut base = Vec::new();
            // the empty reference has no answer where the base's path is opaque
            if prepared.resolve(b"#", &mut base).is_err() {
                base.extend_from_slice(bases.of(self.spec).text);
            }
            (bases.id, base)
        });
        let (base, form, answer) = (&*base, &mut self.form, &mut self.answer);
        let [start, end, ..] = places(self.spec, base);
        let [path, path_end, query, fragment] = places(self.spec, url);
        // silent: reading 5
        let own_path = if start == end && base[..end].contains(&b'/') { b"/" } else { &base[start..end] };
        // but for the URL itself, no form has a scheme or a net_loc
        let first = if base[..start] == url[..path] { 0 } else { 4 };
        for number in first..5 {
            form.clear();
            match number {
                0 => form.extend_from_slice(&url[fragment..]),
                1 => form.extend_from_slice(&url[query..]),
                2 => from_directory(own_path, &url[path..], path_end - path, form),
                3 if url[path..].starts_with(b"/") => form.extend_from_slice(&url[path..]),
                3 => {}
                _ => form.extend_from_slice(url),
            }
            answer.clear();
            let is_form = !form.is_empty() && !form.starts_with(b"//");
            if is_form && prepared.resolve_in(encoding, form, answer).is_ok() && *answer == url {
                return Some(form);
            }
        }
        None
    }
}

/// Where the path of a URL starts and ends, and where its query and its fragment start, each with its delimiter.
fn places(spec: Spec, url: &[u8]) -> [usize; 4] {
    if spec == Spec::Rfc1808 {
        let [_, start, end, params, query, _] = parse(url).ends(url);
        return [start, end, params, query];
    }
    let uri = divide(url);
    let start = uri.scheme.map_or(0, |scheme| scheme.len() + 1) + uri.authority.map_or(0, |host| host.len() + 2);
    let end = start + uri.path.len();
    [start, end, end, end + uri.query.map_or(0, |query| query.len() + 1)]
}

/// Writes the path from the directory of the base's path: `../` for each of its segments that the URL's directory does not share,
/// then the rest of the URL, which begins with a path of `path_len` bytes.
fn from_directory(base: &[u8], url: &[u8], path_len: usize, form: &mut Vec<u8>) {
    let directory = |path: &[u8]| memrchr(b'/', path).map_or(0, |slash| slash + 1);
    let (base, own) = (&base[..directory(base)], &url[..directory(&url[..path_len])]);
    let same = base.iter().zip(own).take_while(|(base, own)| base == own).count();
    let shared = directory(&base[..same]);
    let rest = &url[shared..];
    let parents = memchr_iter(b'/', &base[shared..]).count();
    if parents > 0 {
        form.extend(b"../".iter().cycle().take(3 * parents));
    } else if needs_dot(rest, path_len - shared) {
        form.extend_from_slice(b"./");
    }
    form.extend_from_slice(rest);
}

/// Whether a reference needs `./`: its path is empty, it begins with a byte that may mean something, or it seems to have a scheme.
fn needs_dot(reference: &[u8], path_len: usize) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._~-%".contains(byte);
    let special = reference.iter().find(|byte| b":/?#".contains(byte));
    path_len == 0 || !reference.first().is_some_and(is_plain) || special == Some(&b':')
}

/// Prints the reference that leads to each URL.
pub struct Relative {
    spec: [Spec; 1],
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    inverse: Inverse,
    url: Vec<u8>,
}

impl Relative {
    /// A task that resolves by `spec`.
    pub fn new(spec: Spec, format: Format, records: RecordFormat) -> Self {
        Relative { spec: [spec], format, pairs: records.pairs, inverse: Inverse::new(spec), url: Vec::new() }
    }

    /// Resolves a record.
    fn resolve(&mut self, record: &Record<'_>, bases: &Bases<'_>) -> Result<(), Complaint> {
        let base = bases.of(self.spec[0]);
        base.parsed.map_err(|failure| failure.describe(record, self.pairs))?;
        if base.text.is_empty() {
            let fix = if self.pairs { "write one before the TAB" } else { "use --base URL" };
            return Err(Complaint { code: "no-base", what: "no base".into(), fix: fix.into() });
        }
        let prepared = self.inverse.base.of(self.spec[0], bases.id, base);
        let answered = prepared.resolve_in(record.encoding(), record.reference, &mut self.url);
        answered.map_err(|why| complaint_of(why, record, self.pairs))
    }
}

impl Task for Relative {
    fn standards(&self) -> &[Spec] {
        &self.spec
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.url.clear();
        let answer = self.resolve(record, bases).and_then(|()| {
            let reference = self.inverse.reference(bases, record.encoding(), &self.url);
            reference.ok_or(Complaint {
                code: "no-reference",
                what: "only the empty reference gives this URL".into(),
                fix: "remove the dots from the base".into(),
            })
        });
        let answers = &mut out.answers;
        match self.format {
            Format::Lines(lines) => {
                lines.begin(record, answers);
                answers.add([*answer.as_ref().unwrap_or(&&b""[..])]);
                lines.end(answers);
            }
            // explanations are those of RFC 1808, a task of its own
            Format::Json { .. } | Format::Explain(_) => {
                json::write_record(record, bases.of(self.spec[0]), &self.url, answers, |object| {
                    if self.spec[0] != Spec::Rfc1808 {
                        object.text("spec", self.spec[0].name().as_bytes());
                    }
                    object.answer(answer.as_ref().map(|_| &*self.url));
                    if let Ok(reference) = answer {
                        object.text("relative", reference);
                        object.components_of(&parse(&self.url));
                    }
                });
            }
        }
        if let Err(complaint) = &answer {
            out.fail(record, complaint);
        }
        Ok(answer.is_ok())
    }
}
