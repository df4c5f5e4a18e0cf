//! A base and a reference, and what RFC 1808 and another standard answer.

use std::rc::Rc;

use crate::resolver::{Base, Step, Unresolvable, resolve};
use crate::spec::{NoAnswer, PreparedBase, Spec};

/// A base, empty if there is none, and a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The base.
    pub base: Vec<u8>,
    /// The reference.
    pub reference: Vec<u8>,
}

/// A base and a reference with two answers.
///
/// In an answer `*` is written as `;`. So a rewrite can take the meaning from a `;` by writing it as
/// `*`, which means nothing to any of the standards.
#[derive(Clone)]
pub struct Case {
    /// The other standard.
    pub spec: Spec,
    /// What is resolved.
    pub texts: Texts,
    /// RFC 1808's answer.
    pub rfc1808: Result<Vec<u8>, Unresolvable>,
    /// The step of RFC 1808 that decided what is inherited, if it has an answer.
    pub step: Option<Step>,
    /// The other answer.
    pub other: Result<Vec<u8>, NoAnswer>,
    /// The base as the other standard has it.
    prepared: Rc<PreparedBase>,
}

impl Case {
    /// Asks both standards.
    pub fn new(spec: Spec, texts: Texts) -> Self {
        let prepared = Rc::new(PreparedBase::new(spec, &texts.base));
        Case::resolved(spec, texts, prepared)
    }

    /// The same with other texts.
    pub fn with(&self, texts: Texts) -> Self {
        let same = texts.base == self.texts.base;
        let prepared =
            if same { Rc::clone(&self.prepared) } else { Rc::new(PreparedBase::new(self.spec, &texts.base)) };
        Case::resolved(self.spec, texts, prepared)
    }

    /// Asks both standards.
    fn resolved(spec: Spec, texts: Texts, prepared: Rc<PreparedBase>) -> Self {
        let (mut path, mut url, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let step = Base::new(&texts.base).and_then(|base| {
            let resolved = resolve(&base, &texts.reference, &mut path, |_| ())?;
            resolved.write(|piece| url.extend_from_slice(piece));
            Ok(resolved.step)
        });
        let answered = prepared.resolve(&texts.reference, &mut other);
        for star in url.iter_mut().chain(&mut other).filter(|byte| **byte == b'*') {
            *star = b';';
        }
        Case { spec, texts, rfc1808: step.map(|_| url), step: step.ok(), other: answered.map(|()| other), prepared }
    }

    /// Whether the two agree.
    pub fn agrees(&self) -> bool {
        match (&self.rfc1808, &self.other) {
            (Ok(own), Ok(other)) => own == other,
            (own, other) => own.is_err() && other.is_err(),
        }
    }

    /// Whether the answers are those of another case.
    pub fn answers_like(&self, other: &Case) -> bool {
        self.rfc1808 == other.rfc1808 && self.other == other.other
    }

    /// Whether this, rewritten as `next`, may have lost a cause: one of the two answers is as before,
    /// or an error is gone.
    pub fn loses_cause(&self, next: &Case) -> bool {
        let other_same = self.other == next.other;
        match (&self.rfc1808, &self.other) {
            (Ok(own), Ok(_)) => other_same || Ok(own) == next.rfc1808.as_ref() && next.other.is_ok(),
            (Err(_), Ok(_)) => other_same || next.rfc1808.is_ok() && next.other.is_ok(),
            (_, Err(_)) => true,
        }
    }

    /// The texts with another base.
    pub fn with_base(&self, base: Vec<u8>) -> Texts {
        Texts { base, reference: self.texts.reference.clone() }
    }

    /// The texts with another reference.
    pub fn with_reference(&self, reference: Vec<u8>) -> Texts {
        Texts { base: self.texts.base.clone(), reference }
    }
}
