//! Documents, read as a whole and in pieces, and all that is told of them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

use crate::Chance;
use crate::base::{Document, Found, Link, Listener, MediaType, Parsed, Place, Problem, Rule, Stop};

/// URLs that a document may have been retrieved from.
pub const RETRIEVALS: [&[u8]; 5] = [b"", b"http://a/b/c/d;p?q#f", b"x:/a", b"mailto:a@b", b"http://a"];

/// A text that is read in pieces, and now and then not at once.
pub struct Pieces<'a> {
    /// What is left of it.
    rest: &'a [u8],
    /// The sizes of the pieces, over and over.
    sizes: [usize; 2],
    /// How often there was something to read.
    reads: usize,
    /// After how many reads one is interrupted.
    interrupted: usize,
}

impl<'a> Pieces<'a> {
    /// A text in pieces by chance.
    pub fn new(text: &'a [u8], chance: &mut Chance) -> Self {
        const LIMITS: [usize; 5] = [1, 2, 16, 300, 5000];
        let mut size = || {
            let limit = chance.of_all(&LIMITS);
            1 + chance.below(limit)
        };
        let sizes = [size(), size()];
        Pieces { rest: text, sizes, reads: 0, interrupted: 2 + chance.below(20) }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        if self.reads.is_multiple_of(self.interrupted) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = self.sizes[self.reads % 2].min(self.rest.len()).min(block.len());
        let (piece, rest) = self.rest.split_at(length);
        block[..length].copy_from_slice(piece);
        self.rest = rest;
        Ok(length)
    }
}

/// The part, the line and the column of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The part's numbers as they are shown; `None` for what is no part.
    pub part: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

impl From<Place<'_>> for Spot {
    fn from(place: Place<'_>) -> Self {
        assert!(place.line > 0 && place.column > 0);
        Spot { part: place.part.map(|part| part.to_string()), line: place.line, column: place.column }
    }
}

/// A base URL, and why it is the one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    /// The URL's hash: there may be many links to a long base.
    pub url: u64,
    /// How long it is.
    pub length: usize,
    /// The rule.
    pub rule: Rule,
    /// What has it.
    pub by: &'static str,
    /// Where that is.
    pub spot: Option<Spot>,
}

impl From<&Found<'_>> for Base {
    fn from(found: &Found<'_>) -> Self {
        let base = crate::resolver::Base::new(&found.url).expect("a base is empty or has a scheme");
        assert_eq!(base.text.is_empty(), found.rule == Rule::Undefined);
        assert_eq!(found.place.is_some(), matches!(found.rule, Rule::Embedded | Rule::Encapsulating));
        let mut hasher = DefaultHasher::new();
        found.url.hash(&mut hasher);
        let (url, length, spot) = (hasher.finish(), found.url.len(), found.place.map(Spot::from));
        Base { url, length, rule: found.rule, by: found.by, spot }
    }
}

/// A link.
#[derive(PartialEq, Eq, Debug)]
pub struct Reference {
    /// The reference.
    pub text: Vec<u8>,
    /// The element that it is in.
    pub element: Vec<u8>,
    /// The attribute that it is in.
    pub attribute: &'static str,
    /// Where that is.
    pub spot: Spot,
    /// Its base.
    pub base: Base,
}

/// All that is told of a document.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Told {
    /// What is passed over.
    pub problems: Vec<(Spot, Problem)>,
    /// The links.
    pub links: Vec<Reference>,
}

impl Listener for Told {
    fn passed_over(&mut self, place: Place<'_>, problem: Problem) {
        assert!(!problem.to_string().is_empty());
        self.problems.push((place.into(), problem));
    }

    fn link(&mut self, base: &Found<'_>, _: Parsed<'_>, link: &Link<'_>) -> Result<(), Stop> {
        let clean = link.reference.trim_ascii();
        assert!(link.reference == clean && !clean.iter().any(|byte| matches!(byte, b'\t' | b'\r' | b'\n')));
        self.links.push(Reference {
            text: link.reference.to_vec(),
            element: link.element.to_vec(),
            attribute: link.attribute,
            spot: link.place.into(),
            base: base.into(),
        });
        Ok(())
    }
}

/// Who hears all and keeps nothing.
struct Deaf;

impl Listener for Deaf {
    fn passed_over(&mut self, _: Place<'_>, _: Problem) {}

    fn link(&mut self, _: &Found<'_>, _: Parsed<'_>, _: &Link<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

/// Who wants no more than so many links.
struct Few(usize);

impl Listener for Few {
    fn passed_over(&mut self, _: Place<'_>, _: Problem) {}

    fn link(&mut self, _: &Found<'_>, _: Parsed<'_>, _: &Link<'_>) -> Result<(), Stop> {
        self.0 = self.0.checked_sub(1).expect("no link after the last one");
        if self.0 == 0 { Err(Stop::Enough) } else { Ok(()) }
    }
}

/// Begins to read a document, which is in memory.
pub fn document<'a>(text: impl Read + 'a, retrieval: &'a [u8], media_type: Option<MediaType>) -> Document<'a> {
    Document::new(text, retrieval, media_type).expect("memory can be read")
}

/// The base of a document, or of its part, and what is passed over; `None` if there is no such part.
pub fn base(mut document: Document<'_>, part: &[u32]) -> Option<(Base, Told)> {
    let entity = document.find(part).ok()?;
    let mut told = Told::default();
    let base = Base::from(&document.base(entity, &mut told).expect("memory can be read"));
    assert!(told.links.is_empty());
    Some((base, told))
}

/// The links of a document, and what is passed over.
pub fn links(mut document: Document<'_>) -> Told {
    let mut told = Told::default();
    assert!(document.links(&mut told).is_ok());
    told
}

/// Reads a document and forgets it, with no more memory than `limit` bytes.
pub fn forget(text: &[u8], retrieval: &[u8], media_type: Option<MediaType>, limit: usize) {
    crate::within(limit, || {
        let mut whole = document(text, retrieval, media_type);
        assert!(whole.links(&mut Deaf).is_ok());
        let mut whole = document(text, retrieval, media_type);
        if let Ok(entity) = whole.find(&[]) {
            assert!(whole.base(entity, &mut Deaf).is_ok());
        }
    });
}

/// Asserts of a document all that is true of HTML and of messages alike, and returns its links.
///
/// The same is told of it each time, whether it is read as a whole or in pieces. Its references
/// together are at most `growth` times as long as the document.
pub fn check(text: &[u8], retrieval: &[u8], media_type: Option<MediaType>, growth: usize, chance: &mut Chance) -> Told {
    let told = links(document(text, retrieval, media_type));
    assert_eq!(links(document(Pieces::new(text, chance), retrieval, media_type)), told);
    assert_eq!(links(document(text, retrieval, media_type)), told);
    let found = base(document(text, retrieval, media_type), &[]);
    assert_eq!(base(document(Pieces::new(text, chance), retrieval, media_type), &[]), found);

    let length: usize = told.links.iter().map(|link| link.text.len()).sum();
    assert!(length <= growth * text.len(), "{length} bytes of references");
    assert!(told.links.len() <= growth * text.len(), "{} links", told.links.len());
    if !told.links.is_empty() {
        let mut few = Few(1 + chance.below(told.links.len()));
        assert!(matches!(document(text, retrieval, media_type).links(&mut few), Err(Stop::Enough)));
        assert_eq!(few.0, 0);
    }
    told
}
