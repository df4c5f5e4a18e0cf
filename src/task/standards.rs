//! What the standards answer to records.

use std::mem;

use encoding_rs::Encoding;

use crate::fast::sieve::{Law, Sieve};
use crate::output::location::Quoted;
use crate::record::{BaseId, Bases, Complaint, Failure, Record};
use crate::resolver::resolve;
use crate::spec::prepared::{PreparedBase, is_normal};
use crate::spec::{NoAnswer, Spec};

/// Resolves references by one standard, one after the other.
pub struct OneStandard {
    spec: Spec,
    /// The base that it parsed last, and the place of that.
    base: Option<(BaseId, PreparedBase)>,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// What finds references that RFC 1808 answers alike, as it is faster.
    pub alike: Option<Alike>,
}

/// The longest base for which links of a document are sieved: it may be in turns with many others.
pub const MAX_SIEVED: usize = 1024;

/// Finds references that all standards surely answer alike.
pub struct Alike {
    /// That of the last base, and which base that is.
    last: Box<(Option<BaseId>, Sieve)>,
    /// That of the base before it, as links of a page may have two in turns.
    other: Option<Box<(Option<BaseId>, Sieve)>>,
    /// Whether it has passed the records in their blocks.
    is_of_list: bool,
}

impl OneStandard {
    pub fn new(spec: Spec) -> Self {
        OneStandard { spec, base: None, path: Vec::new(), alike: None }
    }

    /// A resolver for references most of which all standards answer alike.
    pub fn with_sieve(spec: Spec) -> Self {
        let alike = (spec != Spec::Rfc1808).then(|| Alike::new(b'\n', false, false));
        OneStandard { alike, ..OneStandard::new(spec) }
    }

    /// The base, as the standard has parsed it.
    pub fn base<'a>(&'a mut self, bases: &Bases<'a>) -> &'a PreparedBase {
        let base = bases.of(self.spec);
        if let Some(prepared) = base.prepared {
            return prepared;
        }
        self.base.take_if(|(id, _)| *id != bases.id);
        &self.base.get_or_insert_with(|| (bases.id, PreparedBase::new(self.spec, base.text))).1
    }

    /// Resolves a reference, in whose document browsers encode queries in a charset, and appends the answer to `url`.
    ///
    /// # Errors
    /// The standard has no answer. Nothing is appended then.
    pub fn resolve(
        &mut self,
        bases: &Bases<'_>,
        encoding: &'static Encoding,
        reference: &[u8],
        url: &mut Vec<u8>,
    ) -> Result<(), NoAnswer> {
        let is_alike = self.alike.as_mut().is_some_and(|alike| alike.is_certain(bases, reference));
        if (is_alike || self.spec == Spec::Rfc1808)
            && let Ok(base) = &bases.of(Spec::Rfc1808).parsed
        {
            let resolved = resolve(base, reference, &mut self.path, |_| ())?;
            resolved.write(|piece| url.extend_from_slice(piece));
            return Ok(());
        }
        self.base(bases).resolve_in(encoding, reference, url)
    }

    /// Resolves the reference of a record and appends the answer to `url`.
    ///
    /// # Errors
    /// The base cannot be used, or the standard has no answer.
    pub fn ask(&mut self, record: &Record<'_>, bases: &Bases<'_>, url: &mut Vec<u8>) -> Result<(), Complaint> {
        let base = bases.of(self.spec);
        base.parsed.map_err(|failure| failure.describe(record, base))?;
        let answered = self.resolve(bases, record.encoding(), record.reference, url);
        answered.map_err(|why| complaint_of(why, record, bases, self))
    }
}

impl Alike {
    /// The values are those of [`Sieve::new`].
    pub fn new(terminator: u8, pairs: bool, keep: bool) -> Self {
        let last = Box::new((None, Sieve::new(Law::Same, terminator, pairs, keep)));
        Alike { last, other: None, is_of_list: false }
    }

    /// Prepares the sieve for a base, unless it is. That is a plain one if all standards have it as it is.
    #[inline]
    fn prepare(&mut self, bases: &Bases<'_>) {
        if self.last.0 != Some(bases.id) {
            self.change(bases);
        }
    }

    #[cold]
    fn change(&mut self, bases: &Bases<'_>) {
        if self.last.0.is_some() {
            let new = || Box::new((None, Sieve::new(Law::Same, b'\n', false, false)));
            mem::swap(&mut self.last, self.other.get_or_insert_with(new));
        }
        let (id, sieve) = &mut *self.last;
        if id.replace(bases.id) != Some(bases.id) {
            let base = bases.of(Spec::Rfc1808);
            let parsed = base.parsed.unwrap_or_default();
            let is_same = Spec::ALL.iter().all(|spec| bases.of(*spec).text == base.text);
            sieve.set_base(&parsed, is_same && is_normal(&parsed));
        }
    }

    /// The sieve for the blocks of a list.
    pub fn of_list(&mut self, bases: &Bases<'_>) -> &mut Sieve {
        self.is_of_list = true;
        self.prepare(bases);
        &mut self.last.1
    }

    /// Whether it is certain that all answer a reference alike, which has not been in a block.
    pub fn is_certain(&mut self, bases: &Bases<'_>, reference: &[u8]) -> bool {
        if self.is_of_list || bases.of(Spec::Rfc1808).text.len() > MAX_SIEVED {
            return false;
        }
        self.prepare(bases);
        self.last.1.skips(reference)
    }
}

/// Asks all standards for their answers, one record after the other.
pub struct AllStandards {
    /// In the order of [`Spec::ALL`], each with room for its answer.
    resolvers: [(OneStandard, Vec<u8>); 3],
}

impl Default for AllStandards {
    fn default() -> Self {
        AllStandards { resolvers: Spec::ALL.map(|spec| (OneStandard::new(spec), Vec::new())) }
    }
}

impl AllStandards {
    /// The answers to a record, in the order of [`Spec::ALL`]. RFC 1808 is asked for the bytes of a link, the others
    /// for what they mean in the charset of its document.
    pub fn ask(&mut self, record: &Record<'_>, bases: &Bases<'_>) -> [Result<&[u8], NoAnswer>; 3] {
        let decoded = record.decoded();
        self.resolvers.each_mut().map(|(resolver, url)| {
            url.clear();
            let reference = if resolver.spec == Spec::Rfc1808 { record.reference } else { &decoded };
            resolver.resolve(bases, record.encoding(), reference, url).map(|()| &**url)
        })
    }
}

/// Why no reference can be resolved with a base by a standard other than RFC 1808, if the base itself is the reason.
pub fn refusal(spec: Spec, base: &[u8]) -> Option<Complaint> {
    let prepared = PreparedBase::new(spec, base);
    match prepared.resolve(b"x", &mut Vec::new()) {
        Err(why @ (NoAnswer::BaseNotUri(_) | NoAnswer::BaseNotUrl | NoAnswer::TooLong)) => {
            Some(prepared.describe(why, base, b"x").into())
        }
        _ => None,
    }
}

/// A standard's refusal of a record as a problem. `resolver`: one by WHATWG, if that refuses it, which keeps the base.
pub fn complaint_of(why: NoAnswer, record: &Record<'_>, bases: &Bases<'_>, resolver: &mut OneStandard) -> Complaint {
    if let NoAnswer::Rfc1808(why) = why {
        return Failure::Unresolvable(why).describe(record, bases.of(Spec::Rfc1808));
    }
    let spec = if matches!(why, NoAnswer::NotUri(_) | NoAnswer::BaseNotUri(_)) { Spec::Rfc3986 } else { Spec::Whatwg };
    let base = bases.of(spec);
    let mut complaint = Complaint::from(resolver.base(bases).describe(why, base.text, &record.decoded()));
    if let NoAnswer::BaseNotUri(_) | NoAnswer::BaseNotUrl = why {
        complaint.what = format!("the base {}: {}", Quoted(base.text), complaint.what).into();
    }
    complaint
}
