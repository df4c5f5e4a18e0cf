//! A base and a reference, and what RFC 1808 and another standard answer.

use std::collections::VecDeque;

use crate::resolver::{Base, Step, Unresolvable, resolve};
use crate::spec::prepared::PreparedBase;
use crate::spec::{NoAnswer, Spec};

/// The bases that a search for reasons keeps parsed: most edits of most records lead to the same ones.
const MAX_PARSED_BASES: usize = 4;

/// A base, empty if there is none, and a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    pub base: Vec<u8>,
    pub reference: Vec<u8>,
}

/// A search for the reasons why another standard differs from RFC 1808.
pub struct ReasonSearch {
    /// The other standard.
    pub spec: Spec,
    /// The bytes that edits may put in.
    pub fillers: Fillers,
    /// The last bases that the other standard has parsed, and their texts, the last one first.
    bases: VecDeque<(Vec<u8>, PreparedBase)>,
}

impl ReasonSearch {
    pub fn new(spec: Spec) -> Self {
        ReasonSearch { spec, fillers: Fillers::new(&[]), bases: VecDeque::new() }
    }

    /// What both answer.
    pub fn case(&mut self, texts: Texts) -> Case {
        let length = texts.base.len() + texts.reference.len();
        let index = self.bases.iter().position(|(text, _)| *text == texts.base);
        if index.is_none() {
            self.bases.truncate(MAX_PARSED_BASES - 1);
            self.bases.push_front((texts.base.clone(), PreparedBase::new(self.spec, &texts.base)));
        }
        let (_, base) = &self.bases[index.unwrap_or(0)];
        let mut other = Vec::with_capacity(length);
        let answered = base.resolve(&texts.reference, &mut other);
        self.case_of(texts, answered.map(|()| other))
    }

    /// What both answer, if that of the other standard is known.
    pub fn case_of(&self, texts: Texts, answered: Result<Vec<u8>, NoAnswer>) -> Case {
        let (mut path, mut url) = (Vec::new(), Vec::with_capacity(texts.base.len() + texts.reference.len()));
        let step = Base::new(&texts.base).and_then(|own| {
            let resolved = resolve(&own, &texts.reference, &mut path, |_| ())?;
            resolved.write(|piece| url.extend_from_slice(piece));
            Ok(resolved.step)
        });
        let ReasonSearch { spec, fillers, .. } = *self;
        let (rfc1808, other) = (step.map(|_| fillers.remove(url)), answered.map(|url| fillers.remove(url)));
        Case { spec, texts, fillers, rfc1808, step: step.ok(), other }
    }
}

/// Bytes that edits put into texts. The texts to compare do not contain them, and they mean nothing to any standard.
#[derive(Clone, Copy)]
pub struct Fillers {
    /// Written for a `;` that is to mean nothing. Answers have the `;` again.
    pub for_semicolon: u8,
    /// Written after a `?` or `#` that is not to be alone. Answers are without it.
    pub after_delimiter: u8,
}

impl Fillers {
    /// Fillers for texts; `*` and `$` if they have all bytes that could be one.
    pub fn new(texts: &[&[u8]]) -> Self {
        let unused = b"*$!()+,=&~_".iter();
        let mut unused = unused.filter(|byte| !texts.iter().any(|text| text.contains(byte)));
        Fillers { for_semicolon: *unused.next().unwrap_or(&b'*'), after_delimiter: *unused.next().unwrap_or(&b'$') }
    }

    fn remove(self, mut url: Vec<u8>) -> Vec<u8> {
        url.retain(|byte| *byte != self.after_delimiter);
        url.iter_mut().filter(|byte| **byte == self.for_semicolon).for_each(|byte| *byte = b';');
        url
    }
}

/// A base and a reference with two answers.
#[derive(Clone)]
pub struct Case {
    pub spec: Spec,
    pub texts: Texts,
    /// The bytes that an edit may put in.
    pub fillers: Fillers,
    /// RFC 1808's answer, without fillers.
    pub rfc1808: Result<Vec<u8>, Unresolvable>,
    /// The step of RFC 1808 that decided what is inherited, if it has an answer.
    pub step: Option<Step>,
    /// The other answer, without fillers.
    pub other: Result<Vec<u8>, NoAnswer>,
}

impl Case {
    /// Whether the other answer is a URL.
    pub fn answers(&self, url: &[u8]) -> bool {
        self.other.as_ref().is_ok_and(|own| *own == self.fillers.remove(url.to_vec()))
    }

    pub fn agrees(&self) -> bool {
        self.rfc1808.as_ref().ok() == self.other.as_ref().ok()
    }

    /// Whether the answers are those of another case.
    pub fn answers_like(&self, other: &Case) -> bool {
        self.rfc1808 == other.rfc1808 && self.other == other.other
    }

    /// Whether this, rewritten as `next`, may have lost a cause: one of the two answers is as before,
    /// or an error is gone.
    pub fn loses_cause(&self, next: &Case) -> bool {
        let own_kept = if self.rfc1808.is_ok() { self.rfc1808 == next.rfc1808 } else { next.rfc1808.is_ok() };
        self.other.is_err() || self.other == next.other || own_kept && next.other.is_ok()
    }

    pub fn with_base(&self, base: Vec<u8>) -> Texts {
        Texts { base, reference: self.texts.reference.clone() }
    }

    pub fn with_reference(&self, reference: Vec<u8>) -> Texts {
        Texts { base: self.texts.base.clone(), reference }
    }
}
