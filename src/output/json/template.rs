//! The objects of most records, as [`write_record`] writes them, in a third of the time.
//!
//! Objects of one base that are decided by one step of §4 differ in a few values only. So one of them is
//! written with marks as values, control characters that JSON escapes, and cut at the marks. For the base
//! `http://a/b`, step 6 and marks from `\u0010` on that is:
//!
//! ```text
//! {"source":"\u0010","record":\u0011,"reference":"\u0012","base":"http://a/b","url":"http://a\u0015\u001a",...
//! ```
//!
//! To write an object, the values of its record go where the marks were. An object with a value that needs an escape
//! is written the general way.

use std::path::Path;

use memchr::memchr3;

use super::{Object, digits, is_plain, write_record};
use crate::output::buffer::Buffer;
use crate::record::{BaseId, Bases, KnownBase, Record};
use crate::resolver::{Parts, Resolved, Step};
use crate::source::Source;
use crate::spec::Spec;

/// A value that differs. Its mark is the control character 0x10 and its number.
#[derive(Clone, Copy)]
enum Slot {
    Source,
    Number,
    Reference,
    Scheme,
    NetLoc,
    Path,
    Params,
    Query,
    Fragment,
    /// The URL, in pieces.
    Url,
    /// What the URL has after its path, in pieces.
    AfterPath,
}

/// The marks of all slots.
const MARKS: &[u8] = b"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A";

/// An object without the values that differ.
struct Template {
    /// What it begins with.
    start: String,
    /// The slot of each value, and what comes after it.
    rest: Vec<(usize, String)>,
}

impl Template {
    /// The template of records that a step decides. `has_net_loc`: the URL has one. What is inherited is
    /// that of the base; everything else gets a mark.
    fn new(base: &KnownBase<'_>, step: Step, has_net_loc: bool) -> Self {
        let mark = |slot: Slot| &MARKS[slot as usize..=slot as usize];
        let inherited = base.parsed.unwrap_or_default().parts;
        let inherits = |number| step.inherits() >= number;
        let own_net_loc = has_net_loc.then_some(mark(Slot::NetLoc));
        let parts = Parts {
            scheme: if inherits(1) { inherited.scheme } else { Some(mark(Slot::Scheme)) },
            net_loc: if inherits(2) { inherited.net_loc } else { own_net_loc },
            path: if inherits(3) { inherited.path } else { mark(Slot::Path) },
            params: if inherits(4) { inherited.params } else { mark(Slot::Params) },
            query: if inherits(5) { inherited.query } else { mark(Slot::Query) },
            fragment: if inherits(6) { inherited.fragment } else { mark(Slot::Fragment) },
        };
        let mut url = Vec::new();
        match step.inherits() {
            0 | 1 | 6 => url.extend(mark(Slot::Url)),
            _ => {
                let Parts { scheme, net_loc, .. } = parts;
                Parts { scheme, net_loc, ..Parts::default() }.recombine(|piece| url.extend(piece));
                url.extend([parts.path, mark(Slot::AfterPath)].concat());
            }
        }
        let source = Source::File(Path::new(str::from_utf8(mark(Slot::Source)).unwrap_or_default()));
        let sample = Record { source, number: u64::MAX, text: b"", reference: mark(Slot::Reference), link: None };
        let mut object = Buffer::default();
        write_record(&sample, base, &url, &mut object, |object: &mut Object<'_>| object.resolved(&url, &parts, step));

        let text = String::from_utf8_lossy(object.bytes());
        let (before, after) = text.split_once(&u64::MAX.to_string()).unwrap_or_default();
        let text = format!("{before}\\u001{}{after}", Slot::Number as usize);
        let mut pieces = text.split("\\u001").map(String::from);
        let start = pieces.next().unwrap_or_default();
        let rest = pieces.filter_map(|mut piece| Some((piece.remove(0).to_digit(16)? as usize, piece)));
        Template { start, rest: rest.collect() }
    }

    /// Writes an object. Its values need no escapes.
    fn write(&self, record: &Record<'_>, resolved: &Resolved<'_>, out: &mut Buffer) {
        let Parts { scheme, net_loc, path, params, query, fragment } = resolved.parts;
        let (scheme, net_loc) = (scheme.unwrap_or_default(), net_loc.unwrap_or_default());
        let (source, reference, mut number) = (record.source.name(), record.reference, [0; 20]);
        let number = digits(record.number, &mut number);
        // in the order of the slots, but for the last two
        let values = [source, number, reference, scheme, net_loc, path, params, query, fragment];
        out.add([self.start.as_bytes()]);
        for (slot, after) in &self.rest {
            match values.get(*slot) {
                Some(value) => out.add([value, after.as_bytes()]),
                None => {
                    if *slot == Slot::Url as usize {
                        resolved.write(|piece| out.add([piece]));
                    } else {
                        resolved.parts.recombine_after_path(|piece| out.add([piece]));
                    }
                    out.add([after.as_bytes()]);
                }
            }
        }
    }
}

/// The templates of one base, each made when it is needed.
#[derive(Default)]
pub struct Templates {
    /// The place of the base.
    id: Option<BaseId>,
    /// Whether neither the base nor its document's name needs an escape.
    is_base_plain: bool,
    /// The templates of each step, without and with a net_loc.
    of_steps: Vec<Option<Template>>,
}

impl Templates {
    /// Writes the object of a record that is resolved, unless it is a link, or something in it needs an
    /// escape, or its own net_loc is more than a host.
    pub fn write(&mut self, record: &Record<'_>, bases: &Bases<'_>, resolved: &Resolved<'_>, out: &mut Buffer) -> bool {
        let base = bases.of(Spec::Rfc1808);
        if self.id != Some(bases.id) {
            let document = base.origin.map_or(&b""[..], |origin| origin.document.name());
            *self = Templates {
                id: Some(bases.id),
                is_base_plain: is_plain(base.text) && is_plain(document),
                of_steps: Vec::new(),
            };
        }
        let (parts, step) = (resolved.parts, resolved.step);
        let is_own = step.inherits() < 2;
        let is_host = |net_loc| memchr3(b'@', b':', b']', net_loc).is_none();
        let needs_no_escape = self.is_base_plain && is_plain(record.source.name()) && is_plain(record.reference);
        let fits =
            record.link.is_none() && parts.inserted().is_empty() && (!is_own || parts.net_loc.is_none_or(is_host));
        if !needs_no_escape || !fits {
            return false;
        }
        let has_net_loc = parts.net_loc.is_some();
        let index = 2 * step as usize + usize::from(has_net_loc);
        if self.of_steps.len() <= index {
            self.of_steps.resize_with(index + 1, || None);
        }
        let template = self.of_steps[index].get_or_insert_with(|| Template::new(base, step, has_net_loc));
        template.write(record, resolved, out);
        true
    }
}
