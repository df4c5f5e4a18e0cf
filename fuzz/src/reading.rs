//! Documents, read at once and in pieces, and everything that is read in them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

use crate::document::{Candidate, Document, Item, Items, Link, MediaType, Options, Part, Place, Problem};
use crate::generate::Random;
use crate::limits::MAX_RESOLVED_BASE;
use crate::resolver::{Base, parse, resolve};

/// URLs that a document may have been retrieved from.
pub const RETRIEVALS: [&[u8]; 5] = [b"", b"http://a/b/c/d;p?q#f", b"x:/a", b"mailto:a@b", b"http://a"];

/// A text that is read in pieces.
pub struct Pieces<'a> {
    /// The rest of it.
    rest: &'a [u8],
    /// The sizes of the pieces, over and over.
    sizes: [usize; 2],
    /// The number of pieces so far.
    reads: usize,
}

impl<'a> Pieces<'a> {
    /// A text in pieces of random sizes.
    pub fn new(text: &'a [u8], random: &mut Random) -> Self {
        const LIMITS: [usize; 5] = [1, 2, 16, 300, 5000];
        let mut size = || {
            let limit = random.pick(&LIMITS);
            1 + random.below(limit)
        };
        Pieces { rest: text, sizes: [size(), size()], reads: 0 }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        let length = self.sizes[self.reads % 2].min(self.rest.len()).min(block.len());
        let (piece, rest) = self.rest.split_at(length);
        block[..length].copy_from_slice(piece);
        self.rest = rest;
        Ok(length)
    }
}

/// A place, owned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The number of the part; `None` outside all parts.
    pub part: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

impl Spot {
    /// A place in a part.
    fn new(part: Option<&Part>, line: u64, column: u64) -> Self {
        assert!(line > 0 && column > 0);
        Spot { part: part.map(|part| part.number.clone()), line, column }
    }
}

impl From<Place<'_>> for Spot {
    fn from(place: Place<'_>) -> Self {
        Spot::new(place.part, place.line, place.column)
    }
}

/// A base URL and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBase {
    /// The URL's hash: a long base may have many links.
    pub url: u64,
    /// Its length.
    pub length: usize,
    /// What has it; empty for the URL that the document was retrieved from.
    pub by: &'static str,
    /// Where that is.
    pub spot: Option<Spot>,
}

/// A base URL in use.
#[derive(Clone)]
struct Level {
    /// The URL.
    url: Vec<u8>,
    /// What has it, and where.
    found: FoundBase,
}

impl Level {
    /// A base.
    fn new(url: Vec<u8>, by: &'static str, spot: Option<Spot>) -> Self {
        assert!(Base::new(&url).is_ok(), "a base is empty or has a scheme");
        let mut hasher = DefaultHasher::new();
        url.hash(&mut hasher);
        let found = FoundBase { url: hasher.finish(), length: url.len(), by, spot };
        Level { url, found }
    }

    /// The URL that a candidate is by RFC 1808.
    fn resolve(&self, candidate: &Candidate) -> Option<Vec<u8>> {
        let url = candidate.url.as_ref().ok()?;
        if parse(url).scheme.is_some() {
            return Some(url.clone());
        }
        assert!(!url.is_empty());
        let base = Base::new(&self.url).ok().filter(|_| self.url.len() + url.len() <= MAX_RESOLVED_BASE)?;
        let (mut path, mut absolute) = (Vec::new(), Vec::new());
        resolve(&base, url, &mut path, |_| ()).ok()?.write(|piece| absolute.extend_from_slice(piece));
        Some(absolute)
    }
}

/// A link, owned.
#[derive(PartialEq, Eq, Debug)]
pub struct Reference {
    /// The reference.
    pub text: Vec<u8>,
    /// The element that it is in.
    pub element: Vec<u8>,
    /// The attribute that it is in.
    pub attribute: String,
    /// Where that is.
    pub spot: Spot,
    /// Its base.
    pub base: FoundBase,
}

/// Everything that is read in a document.
#[derive(PartialEq, Eq, Debug)]
pub struct Contents {
    /// What is skipped.
    pub problems: Vec<(Spot, Problem)>,
    /// The links.
    pub links: Vec<Reference>,
    /// The last base.
    pub base: FoundBase,
}

/// Reads the items of a document, at most `most` links of them.
fn read(mut items: Items<'_>, retrieval: &[u8], most: usize) -> Contents {
    let mut levels = vec![Level::new(retrieval.to_vec(), "", None)];
    let (mut problems, mut links, mut page) = (Vec::new(), Vec::new(), None);
    while let Some(item) = items.next().expect("memory can be read") {
        match item {
            Item::Problem(place, problem) => {
                assert!(!problem.kind.is_empty());
                problems.push((place.into(), problem));
            }
            Item::Base { outer, part, candidates } => {
                levels.truncate(outer + 1);
                let around = &levels[outer];
                let found = candidates.iter().find_map(|candidate| {
                    let spot = Spot::new(part, candidate.line, candidate.column);
                    Some(Level::new(around.resolve(candidate)?, candidate.by.name(), Some(spot)))
                });
                let of_page = page.clone().filter(|_| candidates.is_empty());
                levels.push(found.or(of_page).unwrap_or_else(|| around.clone()));
            }
            Item::PageEnd(index) => page = levels.get(index).filter(|_| index > 0).cloned(),
            Item::Link(link) => {
                levels.truncate(link.base + 1);
                links.push(reference(&link, &levels[link.base]));
                if links.len() == most {
                    break;
                }
            }
        }
    }
    let base = levels.pop().expect("the URL that it was retrieved from").found;
    Contents { problems, links, base }
}

/// A link with its base, owned.
fn reference(link: &Link<'_>, base: &Level) -> Reference {
    let text = link.kept().into_owned();
    assert!(text == text.trim_ascii() && !text.iter().any(|byte| matches!(byte, b'\t' | b'\r' | b'\n')));
    Reference {
        text,
        element: link.element.to_vec(),
        attribute: String::from_utf8_lossy(link.attribute).into_owned(),
        spot: link.place.into(),
        base: base.found.clone(),
    }
}

/// How documents are read.
fn options(media_type: Option<MediaType>) -> Options {
    Options { media_type, ..Options::default() }
}

/// Starts to read a document, which is in memory.
pub fn document<'a>(text: impl Read + 'a, media_type: Option<MediaType>) -> Document<'a> {
    Document::new(text, options(media_type)).expect("memory can be read")
}

/// The base of a document, or of its part, and what is skipped; `None` if there is no such part.
pub fn base(mut document: Document<'_>, retrieval: &[u8], part: &[u32]) -> Option<Contents> {
    if !document.select(part).expect("memory can be read") {
        return None;
    }
    let contents = read(document.bases(), retrieval, usize::MAX);
    assert!(contents.links.is_empty());
    Some(contents)
}

/// The links of a document, at most `most`, and what is skipped.
pub fn links(mut document: Document<'_>, retrieval: &[u8], most: usize) -> Contents {
    read(document.links(), retrieval, most)
}

/// Whether a text is refused because it is surely not a document.
pub fn is_refused(text: &[u8], media_type: Option<MediaType>) -> bool {
    let Ok(mut document) = Document::new(text, options(media_type)) else { return true };
    let mut items = document.links();
    loop {
        match items.next() {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// Reads a document and forgets it, with at most `limit` bytes of memory.
pub fn forget(text: &[u8], media_type: Option<MediaType>, limit: usize) {
    crate::within(limit, || {
        let mut whole = document(text, media_type);
        let mut items = whole.links();
        while items.next().expect("memory can be read").is_some() {}
        let mut whole = document(text, media_type);
        whole.select(&[]).expect("memory can be read");
        let mut items = whole.bases();
        while items.next().expect("memory can be read").is_some() {}
    });
}

/// Asserts everything that is true of HTML and of messages, and returns the links.
///
/// The document reads the same at once and in pieces. Its references together are at most `growth`
/// times as long as the document.
pub fn check(
    text: &[u8],
    retrieval: &[u8],
    media_type: Option<MediaType>,
    growth: usize,
    random: &mut Random,
) -> Contents {
    let all = links(document(text, media_type), retrieval, usize::MAX);
    assert_eq!(links(document(Pieces::new(text, random), media_type), retrieval, usize::MAX), all);
    let found = base(document(text, media_type), retrieval, &[]);
    assert_eq!(base(document(Pieces::new(text, random), media_type), retrieval, &[]), found);

    let length: usize = all.links.iter().map(|link| link.text.len()).sum();
    assert!(length <= growth * text.len(), "{length} bytes of references");
    assert!(all.links.len() <= growth * text.len(), "{} links", all.links.len());
    if !all.links.is_empty() {
        let most = 1 + random.below(all.links.len());
        assert_eq!(links(document(text, media_type), retrieval, most).links, all.links[..most]);
    }
    all
}
