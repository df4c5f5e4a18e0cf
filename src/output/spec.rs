//! Answers by another standard than RFC 1808, and where they differ from its own.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::json::{self, Base64, Failed, Text};
use super::{Failure, Format, LARGE, Output, Record, Shown, Whereabouts};
use crate::memory;
use crate::resolver::{Base, resolve};
use crate::spec::{NoAnswer, Spec, Specs, Why, Whys, why};

/// What comparing needs and finds.
#[derive(Default)]
pub struct Comparison {
    /// The other standards.
    specs: Specs,
    /// How many records there were, those included that failed.
    records: u64,
    /// How many of them differed.
    differing: u64,
    /// How many of those for which reason, in the order of [`Why::ALL`].
    counts: [u64; Why::ALL.len()],
    /// What is told of them before an explanation's last line.
    others: Vec<String>,
    /// Room for the answer of the one that is asked alone.
    answer: Vec<u8>,
    /// Room for the answer of RFC 3986.
    rfc3986: Vec<u8>,
    /// Room for the answer of WHATWG.
    whatwg: Vec<u8>,
}

/// Asks for the memory that the other standards take for a long record, as their crates do not ask.
/// They write each byte up to three times as long, and take a host apart at its dots.
///
/// # Errors
/// There is none.
fn has_room(base: &Base<'_>, reference: &[u8]) -> io::Result<()> {
    let length = base.text.len().saturating_add(reference.len());
    if length < LARGE {
        return Ok(());
    }
    let is_costly = |byte: &&u8| !byte.is_ascii_alphanumeric() && **byte != b'/';
    let costly = [base.text, reference].map(|text| text.iter().filter(is_costly).count()).iter().sum::<usize>();
    memory::ask(length.saturating_mul(8).saturating_add(costly.saturating_mul(16)))
}

/// What another standard says of a record.
struct Theirs<'a> {
    /// Which one.
    spec: Spec,
    /// Its answer.
    answer: Result<&'a [u8], NoAnswer>,
    /// Why it is not RFC 1808's; empty if it is, or if neither has any.
    whys: Whys,
}

impl Comparison {
    /// What the other standards say of a record.
    ///
    /// # Errors
    /// There is no memory.
    fn ask(&mut self, base: &Base<'_>, reference: &[u8]) -> io::Result<[Theirs<'_>; 2]> {
        has_room(base, reference)?;
        let Comparison { specs, rfc3986, whatwg, .. } = self;
        Ok([(Spec::Rfc3986, rfc3986), (Spec::Whatwg, whatwg)].map(|(spec, url)| {
            url.clear();
            let answered = specs.resolve(spec, base, reference, url);
            let answer = answered.map(|()| url.as_slice());
            Theirs { spec, answer, whys: why(spec, base, reference, answer) }
        }))
    }

    /// Counts a record's reasons, and the record if it differs.
    fn count(&mut self, whys: Whys) {
        self.differing = self.differing.saturating_add(u64::from(!whys.is_empty()));
        for (count, why) in self.counts.iter_mut().zip(Why::ALL) {
            *count = count.saturating_add(u64::from(whys.has(why)));
        }
    }

    /// Asks the other standards for what [`Comparison::others`] gives. Apart, lest plain answers be
    /// slowed.
    ///
    /// # Errors
    /// There is no memory.
    #[cold]
    #[inline(never)]
    pub(super) fn ask_others(&mut self, base: &Base<'_>, reference: &[u8]) -> io::Result<()> {
        self.others.clear();
        let [first, second] = self.ask(base, reference)?;
        let told = |titles: &str, theirs: &Theirs<'_>, whys: Whys| {
            let reasons: Vec<_> = whys.iter().map(|why| why.describe().1).collect();
            match theirs.answer {
                Ok(url) => format!("{titles} would answer {}; {}", Shown(url), reasons.join("; ")),
                Err(error) => format!("{titles} would have no answer: {}", error.describe().1),
            }
        };
        self.others = if first.answer == second.answer && !first.whys.is_empty() {
            let titles = format!("{} and {}", first.spec.title(), second.spec.title());
            vec![told(&titles, &first, first.whys.and(second.whys))]
        } else {
            let differing = [&first, &second].into_iter().filter(|theirs| !theirs.whys.is_empty());
            differing.map(|theirs| told(theirs.spec.title(), theirs, theirs.whys)).collect()
        };
        Ok(())
    }

    /// What an explanation says of the other standards: a line for each answer that differs.
    pub(super) fn others(&self) -> &[String] {
        &self.others
    }
}

/// Why a record has no answer, in the words of [`Failure::describe`].
type Described = (&'static str, &'static str, &'static str);

/// One of the three answers, in JSON.
struct Answer<'a>(Result<&'a [u8], Described>);

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The answer as an object: one of these.
        #[derive(Serialize)]
        struct Object<'a> {
            /// The URL.
            #[serde(skip_serializing_if = "Option::is_none")]
            url: Option<Text<'a>>,
            /// Why there is none.
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<Failed<'a>>,
            /// The exact bytes of a URL that is not UTF-8.
            #[serde(skip_serializing_if = "Option::is_none")]
            url_base64: Option<Base64<'a>>,
        }
        let Answer(answer) = *self;
        let url = answer.ok();
        let error = answer.err().map(Failed::new);
        Object { url: url.map(Text::new), error, url_base64: url.and_then(Base64::needed) }.serialize(serializer)
    }
}

/// A record on which the three do not agree, in JSON.
#[derive(Serialize)]
struct Difference<'a> {
    /// What RFC 1808 answers.
    rfc1808: Answer<'a>,
    /// What RFC 3986 answers.
    rfc3986: Answer<'a>,
    /// What WHATWG answers.
    whatwg: Answer<'a>,
    /// The codes of the reasons.
    why: Vec<&'static str>,
}

impl Output {
    /// Resolves a record by another standard and writes its answer, an empty one if it fails; false
    /// if it fails.
    ///
    /// # Errors
    /// There is no memory.
    pub(super) fn resolve_by(
        &mut self,
        spec: Spec,
        record: &Record<'_>,
        base: Result<&Base<'_>, Failure>,
    ) -> io::Result<bool> {
        if let Ok(base) = base {
            has_room(base, record.reference)?;
        }
        let Comparison { specs, answer: url, .. } = &mut self.specs;
        url.clear();
        let answer = base
            .map_err(|failure| failure.describe(self.settings.pairs))
            .and_then(|base| specs.resolve(spec, base, record.reference, url).map_err(NoAnswer::describe));
        let outcome = answer.map(|()| url.as_slice());
        if let Format::Json { .. } = self.settings.format {
            json::write_answer(record, spec.name(), outcome, &mut self.answers)?;
        } else {
            if self.settings.format == Format::KeepInput {
                self.answers.write_all(record.text)?;
                self.answers.write_all(b"\t")?;
            }
            self.answers.write_all(url)?;
            self.answers.write_all(&[self.settings.terminator])?;
        }
        if let Err(failure) = answer {
            self.tell_failure(record, failure);
        }
        Ok(answer.is_ok())
    }

    /// Resolves a record by all three standards and writes it if they differ; then, or if none has
    /// an answer, it is false. `meaning`: WHATWG's normalisations are no difference.
    ///
    /// # Errors
    /// There is no memory.
    pub(super) fn compare(
        &mut self,
        meaning: bool,
        record: &Record<'_>,
        base: Result<&Base<'_>, Failure>,
    ) -> io::Result<bool> {
        self.specs.records = self.specs.records.saturating_add(1);
        let base = match base {
            Ok(base) => base,
            Err(failure) => return self.fail(record, failure),
        };
        let (json, pairs) = (self.is_json(), self.settings.pairs);
        self.url.truncate(0);
        let own = match resolve(base, record.reference, &mut self.path, |_| ()) {
            Ok(resolved) => {
                let length = record.base.len().saturating_add(record.reference.len()).saturating_add(2);
                self.url.put(&resolved, length)?;
                Ok(self.url.bytes())
            }
            Err(error) => Err(Failure::Unresolvable(error)),
        };
        let any_before = self.specs.differing > 0;
        let [rfc3986, whatwg] = self.specs.ask(base, record.reference)?;
        if let (Err(failure), Err(_), Err(_)) = (own, rfc3986.answer, whatwg.answer) {
            return self.fail(record, failure);
        }
        let mut all = rfc3986.whys.and(whatwg.whys);
        for theirs in [&rfc3986, &whatwg] {
            // also if RFC 1808 has none either: one of the three has one
            if theirs.answer.is_err() {
                all.add(Why::Error(theirs.spec));
            }
        }
        let whys = if meaning { all.of_meaning() } else { all };
        if !whys.is_empty() {
            self.status = self.status.max(1);
            let own = own.map_err(|failure| failure.describe(pairs));
            let [of_3986, of_whatwg] = [rfc3986.answer, whatwg.answer].map(|answer| answer.map_err(NoAnswer::describe));
            if json {
                let difference = Difference {
                    rfc1808: Answer(own),
                    rfc3986: Answer(of_3986),
                    whatwg: Answer(of_whatwg),
                    why: whys.iter().map(|why| why.describe().0).collect(),
                };
                json::write_fields(record, &difference, &mut self.answers)?;
            } else if !self.settings.quiet {
                let out = &mut self.answers;
                if any_before {
                    out.write_all(b"\n")?;
                }
                writeln!(out, "{}: {}", Whereabouts(record), Shown(record.reference))?;
                if pairs {
                    writeln!(out, "  base     {}", Shown(record.base))?;
                }
                for (name, answer) in [("rfc1808", own), ("rfc3986", of_3986), ("whatwg ", of_whatwg)] {
                    match answer {
                        Ok(url) => writeln!(out, "  {name}  {}", Shown(url))?,
                        Err((_, what, _)) => writeln!(out, "  {name}  error: {what}")?,
                    }
                }
                whys.iter().try_for_each(|why| writeln!(out, "  why      {}", why.describe().1))?;
            }
        }
        self.specs.count(whys);
        Ok(whys.is_empty())
    }

    /// Tells how many records differed, and how often for which reason.
    pub(super) fn tell_counts(&mut self) {
        let Comparison { records, differing, counts, .. } = self.specs;
        let were = if records == 1 { "record differs" } else { "records differ" };
        self.say(format_args!("{differing} of {records} {were}"));
        let mut rows: Vec<_> = counts.into_iter().zip(Why::ALL).filter(|(count, _)| *count > 0).collect();
        rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        for (count, why) in rows {
            let (code, what) = why.describe();
            // as with all messages: one that finds no memory is lost
            let _ = writeln!(self.messages, "{count:>8}  {code:22}  {what}");
        }
    }
}
