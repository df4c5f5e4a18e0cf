//! The bases of a document, resolved by each standard that a task asks.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::document::{BaseReason, Candidate, Item, Part, Place, Problem, Rule};
use crate::limits::MAX_RESOLVED_BASE;
use crate::output::Writer;
use crate::record::{BaseId, Bases, Failure, Origin, StandardBase};
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
    /// The same, as the standard parsed it, once that is needed.
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
        StandardBase { text: &self.url, parsed: parsed.map_err(Failure::Unresolvable), prepared, origin }
    }

    /// The URL that a candidate is, relative to this base.
    fn resolve(&self, candidate: &Candidate) -> Result<Vec<u8>, Problem> {
        let (by, kept) = (candidate.by, candidate.url.as_ref().map_err(Problem::clone)?);
        let url = if self.spec == Spec::Rfc1808 { kept } else { &candidate.decoded };
        let is_relative = parse(url).scheme.is_none();
        if is_relative && self.url.len() + url.len() > MAX_RESOLVED_BASE {
            let what = "it may be longer than 8 KiB once it is resolved";
            return Err(Problem::base(by, url, "long-base", what, "write an absolute URL"));
        }
        let mut resolved = Vec::new();
        if is_relative || self.spec != Spec::Rfc1808 {
            self.prepared().resolve_in(candidate.encoding, url, &mut resolved).map_err(|why| {
                let (_, what, fix) = why.describe();
                let has_no_base = why == NoAnswer::Rfc1808(Unresolvable::NoBase);
                let what = if has_no_base { "it is relative and there is no base URL" } else { &what };
                Problem::base(by, url, if is_relative { "relative-base" } else { "invalid-base" }, what, &fix)
            })?;
        }
        if !is_relative && self.spec != Spec::Whatwg {
            resolved.clone_from(url); // the RFCs keep an absolute base as it is
        }
        let is_forbidden = |scheme: &[u8]| [&b"data"[..], b"javascript"].iter().any(|s| scheme.eq_ignore_ascii_case(s));
        if by == "BASE" && parse(&resolved).scheme.is_some_and(is_forbidden) {
            let (what, fix) = ("HTML does not allow a data: or javascript: URL", "write the document's own URL");
            return Err(Problem::base(by, url, "forbidden-base", what, fix));
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
pub struct BaseLevel {
    id: BaseId,
    /// The base as each standard has it that is asked.
    defined: Vec<Rc<OwnedBase>>,
}

impl BaseLevel {
    /// The base as tasks know it, for a part of a document, which has a number. A standard that is not asked has it as
    /// the first one that is. The document was retrieved from `url`.
    pub fn bases<'a>(&'a self, document: Source<'a>, number: &str, url: &'a [u8]) -> Bases<'a> {
        let mut bases = Bases { given: url, ..Bases::same(self.id, self.defined[0].base(document, number)) };
        for defined in &self.defined[1..] {
            bases.by_spec[defined.spec as usize] = defined.base(document, number);
        }
        bases
    }
}

/// The bases at a place of a document, the outermost first.
pub struct BaseStack {
    /// The standards that are asked. Problems are reported for the first one only.
    standards: Vec<Spec>,
    /// The bases; the first is the URL that the document was retrieved from.
    levels: Vec<BaseLevel>,
    /// The number that the next base gets.
    next_id: u64,
}

impl BaseStack {
    pub fn new(standards: &[Spec]) -> Self {
        BaseStack { standards: standards.to_vec(), levels: Vec::new(), next_id: 0 }
    }

    /// Starts with a document that was retrieved from `url`, which is empty if that is not known.
    pub fn start(&mut self, url: &[u8]) {
        self.levels.truncate(1);
        if self.levels.first().is_none_or(|level| level.defined[0].url != url) {
            let defined = |&spec: &Spec| OwnedBase::new(spec, url.to_vec(), BaseReason::retrieval(url), None);
            let defined = self.standards.iter().map(defined).collect();
            self.levels = vec![BaseLevel { id: BaseId(self.next_id), defined }];
            self.next_id += 1;
        }
    }

    /// The base with an index; those above it have ended.
    pub fn level(&mut self, index: usize) -> &BaseLevel {
        self.levels.truncate(index + 1);
        &self.levels[index]
    }

    pub fn into_innermost(mut self) -> Option<BaseLevel> {
        self.levels.pop()
    }

    /// Adds a base that a document has, or reports a problem.
    pub fn add(&mut self, item: Item<'_>, source: Source<'_>, out: &mut Writer) {
        match item {
            Item::Link(_) => {}
            Item::Problem(place, problem) => out.skipped(source, place, &problem),
            Item::Base { outer, part, candidates } => self.define(outer, part, &candidates, source, out),
        }
    }

    /// Adds the base of the first candidate that can be used, or else the base around it, `outer`.
    fn define(
        &mut self,
        outer: usize,
        part: Option<&Part>,
        candidates: &[Candidate],
        source: Source<'_>,
        out: &mut Writer,
    ) {
        let around = self.level(outer);
        let (mut id, defined) = (around.id, around.defined.clone());
        let new_id = BaseId(self.next_id);
        self.next_id += 1;
        let mut level = Vec::with_capacity(defined.len());
        for (index, around) in defined.into_iter().enumerate() {
            let mut own = None;
            for candidate in candidates {
                match around.resolve(candidate) {
                    Ok(url) => {
                        own = Some(OwnedBase::new(around.spec, url, embedded(candidate), part.cloned()));
                        id = new_id;
                        break;
                    }
                    // mostly all standards find the same fault
                    Err(problem) if index == 0 => {
                        let place = Place { part, line: candidate.line, column: candidate.column };
                        out.skipped(source, place, &problem);
                    }
                    Err(_) => {}
                }
            }
            level.push(own.unwrap_or(around));
        }
        self.levels.push(BaseLevel { id, defined: level });
    }
}

/// Why a base applies that a candidate gives.
fn embedded(candidate: &Candidate) -> BaseReason<'static> {
    let Candidate { rule, by, is_in_body, line, column, .. } = *candidate;
    let is_relative = by == "BASE" && candidate.url.as_ref().is_ok_and(|url| parse(url).scheme.is_none());
    BaseReason { rule, by, is_relative, is_in_body, place: Some(Place { part: None, line, column }) }
}
