//! The bases of a document, resolved by each standard that a task asks.

use std::cell::OnceCell;
use std::rc::Rc;

use super::redirects::{are_relative, note_last};
use super::urls::escape;
use crate::document::{BaseReason, BaseSource, Candidate, Item, Part, Place, Problem, Rule, Weight};
use crate::limits::MAX_RESOLVED_BASE;
use crate::output::Writer;
use crate::record::{BaseId, Bases, Complaint, Failure, Origin, StandardBase};
use crate::resolver::{Base, Parts, Unresolvable, parse};
use crate::source::Source;
use crate::spec::prepared::PreparedBase;
use crate::spec::{NoAnswer, Spec};

/// A base URL as one standard has it, which lends a [`StandardBase`].
struct OwnedBase {
    spec: Spec,
    /// The URL; empty if there is no base.
    url: Vec<u8>,
    /// Where its components end, or why nothing is relative to it.
    ends: Result<[usize; 6], Unresolvable>,
    /// The base that the standard parsed, once that is needed.
    prepared: OnceCell<PreparedBase>,
    /// Why it applies to the part that has it.
    found: BaseReason<'static>,
    /// The part that has it.
    part: Option<Part>,
}

impl OwnedBase {
    fn new(spec: Spec, url: Vec<u8>, found: BaseReason<'static>, part: Option<Part>) -> Rc<Self> {
        let ends = Base::new(&url).map(|base| base.parts.ends(&url));
        Rc::new(OwnedBase { spec, url, ends, prepared: OnceCell::new(), found, part })
    }

    /// The base, parsed by its standard.
    fn prepared(&self) -> &PreparedBase {
        self.prepared.get_or_init(|| PreparedBase::new(self.spec, &self.url))
    }

    /// The base as tasks know it, for a part of a document, which has a number.
    fn base<'a>(&'a self, document: Source<'a>, number: &str) -> StandardBase<'a> {
        let parsed = self.ends.map(|ends| Base { text: &self.url, parts: Parts::from_ends(&self.url, ends) });
        let prepared = (self.spec != Spec::Rfc1808).then(|| self.prepared());
        let origin = Some(Origin { document, found: self.found(number) });
        StandardBase {
            text: &self.url,
            parsed: parsed.map_err(Failure::Unresolvable),
            prepared,
            origin,
            in_record: false,
        }
    }

    /// The URL that a candidate is, relative to the last of those before it, which begin at this base.
    ///
    /// # Errors
    /// One of them cannot be used: its line, and why.
    fn resolve(&self, candidate: &Candidate) -> Result<Vec<u8>, (u64, Problem)> {
        let &Candidate { rule, by, line, .. } = candidate;
        let mut base: Option<Rc<Self>> = None;
        for (url, line) in &candidate.before {
            let step = Candidate::in_header(rule, by, Ok(url.clone()), *line);
            let url = base.as_deref().unwrap_or(self).resolve_step(&step).map_err(|problem| (*line, problem))?;
            base = Some(OwnedBase::new(self.spec, url, BaseReason::retrieval(b""), None));
        }
        base.as_deref().unwrap_or(self).resolve_step(candidate).map_err(|problem| (line, problem))
    }

    /// The URL that a candidate is, relative to this base, whatever is before it.
    fn resolve_step(&self, candidate: &Candidate) -> Result<Vec<u8>, Problem> {
        let (by, kept) = (candidate.by, candidate.url.as_ref().map_err(Problem::clone)?);
        let url = if self.spec == Spec::Rfc1808 { kept } else { &candidate.decoded };
        let is_relative = parse(url).scheme.is_none();
        // browsers use it
        let too_long = |url, why| Problem { weight: Weight::Skipped, ..Problem::base(by, url, "long-base", why) };
        if is_relative && self.url.len() + url.len() > MAX_RESOLVED_BASE {
            return Err(too_long(url, "it may be longer than 8 KiB once it is resolved; write an absolute URL"));
        }
        // browsers escape the bytes of a Location, whatever charset they are in
        let mut escaped = Vec::new();
        let url = if self.spec == Spec::Whatwg && candidate.rule == Rule::Retrieval {
            escape(url, |byte| byte.is_ascii(), &mut escaped);
            &escaped
        } else {
            url
        };
        let mut resolved = Vec::new();
        if is_relative || self.spec != Spec::Rfc1808 {
            let answer = self.prepared().resolve_in(candidate.encoding, url, &mut resolved);
            // one that is absolute needs no base that can be used
            let alone = |why| {
                let no_base = PreparedBase::new(self.spec, b"");
                no_base.resolve_in(candidate.encoding, url, &mut resolved).map_err(|_| why)
            };
            answer.or_else(alone).map_err(|why| {
                let mut complaint = Complaint::from(self.prepared().describe(why, &self.url, url));
                if why == NoAnswer::Rfc1808(Unresolvable::NoBase) {
                    complaint.what = "it is relative and there is no base URL".into();
                }
                let kind = if is_relative { "relative-base" } else { "invalid-base" };
                Problem::base(by, url, kind, &complaint.to_string())
            })?;
        }
        if !is_relative && self.spec != Spec::Whatwg {
            resolved.clone_from(url); // the RFCs keep an absolute base as it is
        }
        let is_forbidden = |scheme: &[u8]| [&b"data"[..], b"javascript"].iter().any(|s| scheme.eq_ignore_ascii_case(s));
        if by == BaseSource::Element && parse(&resolved).scheme.is_some_and(is_forbidden) {
            let why = "HTML does not allow a data: or javascript: URL; write the document's own URL";
            return Err(Problem::base(by, url, "forbidden-base", why));
        }
        if !is_relative && resolved.len() > MAX_RESOLVED_BASE {
            return Err(too_long(url, "it is longer than 8 KiB; shorten it"));
        }
        Ok(resolved)
    }

    /// Why the base applies to a part, which has a number.
    fn found(&self, number: &str) -> BaseReason<'_> {
        let (found, part) = (self.found, self.part.as_ref());
        let Some(place) = found.place else { return found };
        let is_own = part.map_or("", |part| &part.number) == number;
        let rule = match found.rule {
            Rule::Embedded if !is_own => Rule::Encapsulating, // §3.1, §3.2
            rule => rule,
        };
        BaseReason { rule, place: Some(Place { part, ..place }), ..found }
    }
}

/// The base at a place of a document, by each standard.
#[derive(Clone)]
pub struct BaseLevel {
    id: BaseId,
    /// The number of the URL that the document was retrieved from.
    given_id: BaseId,
    /// The base as each standard has it that is asked.
    defined: Vec<Rc<OwnedBase>>,
    /// Whether a record names the document, after its URL and a TAB.
    in_record: bool,
}

impl BaseLevel {
    /// The base as tasks know it, for a part of a document, which has a number. A standard that is not asked has it as
    /// the first one that is. The document was retrieved from `url`.
    pub fn bases<'a>(&'a self, document: Source<'a>, number: &str, url: &'a [u8]) -> Bases<'a> {
        let base =
            |defined: &'a OwnedBase| StandardBase { in_record: self.in_record, ..defined.base(document, number) };
        let mut bases = Bases { given: url, given_id: self.given_id, ..Bases::same(self.id, base(&self.defined[0])) };
        for defined in &self.defined[1..] {
            bases.by_spec[defined.spec as usize] = base(defined);
        }
        bases
    }
}

/// The bases at a place of a document, the outermost first.
pub struct BaseStack {
    /// The standards that are asked. Problems are reported for the first one only.
    standards: Vec<Spec>,
    /// Whether records name the documents.
    in_record: bool,
    /// The bases; the first is the URL that the document was retrieved from.
    levels: Vec<BaseLevel>,
    /// The base of the last page that is a part of a message.
    page: Option<BaseLevel>,
    /// The number that the next base gets.
    next_id: u64,
}

impl BaseStack {
    pub fn new(standards: &[Spec], in_record: bool) -> Self {
        BaseStack { standards: standards.to_vec(), in_record, levels: Vec::new(), page: None, next_id: 0 }
    }

    /// Starts with a document that was retrieved from `url`, which is empty if that is not known.
    pub fn start(&mut self, url: &[u8]) {
        self.levels.truncate(1);
        self.page = None;
        if self.levels.first().is_none_or(|level| level.defined[0].url != url) {
            let defined = |&spec: &Spec| OwnedBase::new(spec, url.to_vec(), BaseReason::retrieval(url), None);
            let defined = self.standards.iter().map(defined).collect();
            let id = BaseId(self.next_id);
            self.levels = vec![BaseLevel { id, given_id: id, defined, in_record: self.in_record }];
            self.next_id += 1;
        }
    }

    /// Ends the bases above the one with an index.
    pub fn end_above(&mut self, index: usize) {
        self.levels.truncate(index + 1);
    }

    /// The base with an index.
    pub fn at(&self, index: usize) -> &BaseLevel {
        &self.levels[index]
    }

    pub fn into_innermost(mut self) -> Option<BaseLevel> {
        self.levels.pop()
    }

    /// Passes each base URL of an item on, as it is written, with the bases around it, in a document that was retrieved
    /// from `url`.
    pub fn each_written(
        &mut self,
        item: &Item<'_>,
        source: Source<'_>,
        url: &[u8],
        mut each: impl FnMut(&StandardBase<'_>, &Bases<'_>),
    ) {
        let &Item::Base { outer, part, ref candidates } = item else { return };
        let is_kept = self.standards[0] == Spec::Rfc1808;
        self.end_above(outer);
        let around = self.at(outer).bases(source, part.map_or("", |part| &part.number), url);
        for candidate in candidates.iter().filter(|candidate| is_base(candidate, self.standards[0])) {
            let mut written = |url: &[u8], line, column| {
                let found = BaseReason { place: Some(Place { part, line, column }), ..embedded(candidate) };
                each(&StandardBase::new(url, Some(Origin { document: source, found })), &around);
            };
            for (url, line) in &candidate.before {
                written(url, *line, 1);
            }
            if let Ok(kept) = &candidate.url {
                written(if is_kept { kept } else { &candidate.decoded }, candidate.line, candidate.column);
            }
        }
    }

    /// Adds a base that a document has: that of the first candidate that can be used, or else the base around it.
    /// Reports a problem. Without candidates, the part is a STYLE of the page before it.
    pub fn add(&mut self, item: Item<'_>, source: Source<'_>, out: &mut Writer) {
        let (outer, part, candidates) = match item {
            Item::Link(_) => return,
            Item::Problem(place, problem) => return out.skipped(source, place, &problem),
            Item::Base { outer, part, candidates } => (outer, part, candidates),
            Item::PageEnd(index) => return self.page = self.levels.get(index).filter(|_| index > 0).cloned(),
        };
        self.end_above(outer);
        if candidates.is_empty()
            && let Some(page) = self.page.clone()
        {
            return self.levels.push(page);
        }
        let around = self.at(outer);
        let BaseLevel { mut id, given_id, defined, in_record } = around.clone();
        let new_id = BaseId(self.next_id);
        self.next_id += 1;
        let (mut level, mut is_reported) = (Vec::with_capacity(defined.len()), false);
        for (index, around) in defined.into_iter().enumerate() {
            let mut own = None;
            for candidate in candidates.iter().filter(|candidate| is_base(candidate, around.spec)) {
                let is_redirect = candidate.rule == Rule::Retrieval;
                // mostly all standards find the same fault, but where browsers go to is never lost
                let reports = index == 0 || is_redirect && around.spec == Spec::Whatwg && !is_reported;
                match around.resolve(candidate) {
                    Ok(url) => {
                        if index == 0 && is_redirect {
                            note_last(candidate, (&around.url, self.in_record), &url, source, out);
                        }
                        own = Some(OwnedBase::new(around.spec, url, embedded(candidate), part.cloned()));
                        id = new_id;
                        break;
                    }
                    Err((line, mut problem)) if reports => {
                        is_reported = true;
                        if is_redirect {
                            problem.weight = Weight::Skipped; // without it the document has another base
                        }
                        let place = Place { part, line, column: candidate.column };
                        out.skipped(source, place, &problem);
                    }
                    Err(_) => {}
                }
                if are_relative(candidate) {
                    // it was not retrieved from the base around it, and nobody knows from where
                    own = Some(OwnedBase::new(around.spec, Vec::new(), BaseReason::retrieval(b""), None));
                    id = new_id;
                }
            }
            level.push(own.unwrap_or(around));
        }
        self.levels.push(BaseLevel { id, given_id, defined: level, in_record });
    }
}

/// Whether a candidate may be a base by a standard.
fn is_base(candidate: &Candidate, spec: Spec) -> bool {
    !candidate.is_of_http || spec != Spec::Whatwg
}

/// Why a base applies that a candidate gives.
fn embedded(candidate: &Candidate) -> BaseReason<'static> {
    let Candidate { rule, by, is_in_body, line, column, .. } = *candidate;
    let is_relative = by == BaseSource::Element && candidate.url.as_ref().is_ok_and(|url| parse(url).scheme.is_none());
    BaseReason { rule, by: Some(by), is_relative, is_in_body, place: Some(Place { part: None, line, column }) }
}
