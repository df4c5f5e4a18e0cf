//! The story of one resolution, step by step, in the words of §4: told once, for people and JSON.

use std::fmt;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::{Buffer, Facts, Failure, Origin, Removal, Shown, Spot, is_plain};
use crate::resolver::merge::directory;
use crate::resolver::parts::lone_delimiters;
use crate::resolver::{Parts, Resolved, Step, parse};

/// The widest base column of step 2, in bytes.
const WIDEST: usize = 40;

/// How bytes look by where they came from. The default is no colour at all.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Colors {
    /// From the base.
    pub base: Style,
    /// From the reference.
    pub reference: Style,
}

impl Colors {
    /// Two colours, or none.
    pub fn new(colored: bool) -> Self {
        if colored {
            Colors { base: AnsiColor::Cyan.on_default(), reference: AnsiColor::Green.on_default() }
        } else {
            Colors::default()
        }
    }
}

/// One line of the story.
pub struct Line<'a> {
    /// The step of §4 it belongs to, such as `3` or `6c`.
    pub step: &'static str,
    /// What happens there: no control characters but those of colours.
    pub text: &'a str,
    /// What a rule of step 6 removes.
    pub removed: Option<&'a [u8]>,
}

/// Appends the story as a person reads it.
pub fn write(facts: &Facts<'_>, colors: Colors, out: &mut Buffer) -> io::Result<()> {
    let mut before = "";
    tell(facts, colors, &mut |line: Line<'_>| {
        let Line { step, text, .. } = line;
        let again = step == std::mem::replace(&mut before, step);
        match step.len() {
            _ if again => writeln!(out, "          {text}"),
            1 => writeln!(out, "Step {step}  {text}"),
            _ => writeln!(out, "     {step}   {text}"),
        }
    })
}

/// Appends step 1 alone.
pub fn write_base(origin: Origin<'_>, colors: Colors, out: &mut Buffer) -> io::Result<()> {
    let base = Marked(colors.base, &origin.found.url);
    match &*origin.found.url {
        [] => writeln!(out, "Step 1  there is no base URL (§3.4)"),
        _ => writeln!(out, "Step 1  the base URL is {base} ({})", Whence { origin: Some(origin), pairs: false }),
    }
}

/// The rule that gives a base URL, and the place where it stands.
struct Whence<'a> {
    /// Where it comes from.
    origin: Option<Origin<'a>>,
    /// Whether each record brings its own URL of §3.3.
    pairs: bool,
}

impl fmt::Display for Whence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin.and_then(|origin| Some((origin.found, origin.found.place?, origin.document?))) {
            None if self.pairs => f.write_str("§3.3, its record"),
            None => f.write_str("§3.3, --base"),
            Some((found, place, document)) => {
                write!(f, "§{}, {} in {}", found.rule.section(), found.by, Spot(document, place))?;
                match place.part {
                    Some(part) if !part.is_decoded => write!(f, ", part {part}"),
                    _ => Ok(()),
                }
            }
        }
    }
}

/// Tells the story, line by line; the last line ends in the answer or the error.
///
/// # Errors
/// What `each` returns, and that there is no memory for a line.
pub fn tell<'t>(
    facts: &'t Facts<'_>,
    colors: Colors,
    each: &'t mut dyn FnMut(Line<'_>) -> io::Result<()>,
) -> io::Result<()> {
    Teller { facts, colors, each, text: Buffer::default() }.tell()
}

/// Bytes in a colour; a dash where there are none.
struct Marked<'a>(Style, &'a [u8]);

impl fmt::Display for Marked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            [] => f.write_str("-"),
            bytes => write!(f, "{}{}{:#}", self.0, Shown(bytes), self.0),
        }
    }
}

/// Somebody who tells the story of one record.
struct Teller<'t> {
    /// What the story is about.
    facts: &'t Facts<'t>,
    /// How bytes look.
    colors: Colors,
    /// Who listens.
    each: &'t mut dyn FnMut(Line<'_>) -> io::Result<()>,
    /// Room for a line.
    text: Buffer,
}

impl Teller<'_> {
    /// Tells a line of a step.
    fn say(&mut self, step: &'static str, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.say_removed(step, None, text)
    }

    /// Tells a line of a step that removes something.
    fn say_removed(&mut self, step: &'static str, removed: Option<&[u8]>, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.text.truncate(0);
        self.text.write_fmt(text)?;
        let text = std::str::from_utf8(self.text.bytes()).unwrap_or_default();
        (self.each)(Line { step, text, removed })
    }

    /// Bytes that came from the base.
    fn base<'a>(&self, bytes: &'a [u8]) -> Marked<'a> {
        Marked(self.colors.base, bytes)
    }

    /// Bytes that came from the reference.
    fn reference<'a>(&self, bytes: &'a [u8]) -> Marked<'a> {
        Marked(self.colors.reference, bytes)
    }

    /// The whole story.
    fn tell(&mut self) -> io::Result<()> {
        let facts = self.facts;
        self.establish()?;
        match facts.base {
            Some(base) if !base.text.is_empty() => {
                self.compare(base.parts, parse(facts.record.reference))?;
                self.step_2()?;
                match facts.outcome {
                    Ok(Resolved { step: Step::Empty | Step::Scheme, .. }) => {}
                    Ok(resolved) => self.steps_3_to_7(resolved, base.parts)?,
                    Err(failure) => self.fail("2c", *failure)?,
                }
            }
            _ => match facts.outcome {
                Ok(_) => {
                    self.say("1", format_args!("it has a scheme, and we are done"))?;
                    let answer = self.reference(facts.url);
                    self.skip("1", "2", &answer)?;
                }
                Err(failure) => self.fail("1", *failure)?,
            },
        }
        Ok(())
    }

    /// Step 1.
    fn establish(&mut self) -> io::Result<()> {
        let record = self.facts.record;
        let whence = Whence { origin: record.origin, pairs: self.facts.pairs };
        match self.facts.outcome {
            Err(Failure::NoTab | Failure::NoFile) => {
                self.say("1", format_args!("the record is {}", Shown(record.text)))
            }
            _ if record.base.is_empty() => self.say(
                "1",
                format_args!("there is no base URL (§3.4), so the reference is interpreted as an absolute URL"),
            ),
            _ => self.say("1", format_args!("the base URL is {} ({whence})", self.base(record.base))),
        }
    }

    /// Tells, before the last line, which other standards answer otherwise.
    fn others(&mut self, step: &'static str) -> io::Result<()> {
        let others = self.facts.others;
        others.iter().try_for_each(|other| self.say(step, format_args!("{other}")))
    }

    /// The last line of a record that fails.
    fn fail(&mut self, step: &'static str, failure: Failure) -> io::Result<()> {
        self.others(step)?;
        let (_, what, remedy) = failure.describe(self.facts.pairs);
        self.say(step, format_args!("error: {what}; {remedy}"))
    }

    /// Tells that the steps from `first` to 6 are skipped, and 7 too: the answer is there already.
    fn skip(&mut self, by: &'static str, first: &'static str, answer: &Marked<'_>) -> io::Result<()> {
        self.skip_to_7(by, first)?;
        self.others("7")?;
        self.say("7", format_args!("skipped by {by}: the answer is {answer}"))
    }

    /// Tells that the steps from `first` to 6 are skipped.
    fn skip_to_7(&mut self, by: &'static str, first: &'static str) -> io::Result<()> {
        for step in ["2", "2a", "2b", "2c", "3", "4", "5", "5b", "6"].into_iter().skip_while(|step| *step != first) {
            // 5b is a step of its own only where 5a has been one
            if step != "5b" || first == "5b" {
                self.say(step, format_args!("skipped by {by}"))?;
            }
        }
        Ok(())
    }

    /// Step 2: base and reference as §2.4 parses them, and what is odd about them.
    fn compare(&mut self, base: Parts<'_>, reference: Parts<'_>) -> io::Result<()> {
        self.say("2", format_args!("both are parsed (§2.4)"))?;
        let rows = [
            ("scheme", base.scheme, reference.scheme),
            ("net_loc", base.net_loc, reference.net_loc),
            ("path", Some(base.path), Some(reference.path)),
            ("params", Some(base.params), Some(reference.params)),
            ("query", Some(base.query), Some(reference.query)),
            ("fragment", Some(base.fragment), Some(reference.fragment)),
        ];
        let width = |bytes: &[u8]| bytes.iter().map(|&byte| if is_plain(byte) { 1 } else { 4 }).sum::<usize>().max(1);
        let widest = rows.iter().map(|(_, base, _)| width(base.unwrap_or_default())).max().unwrap_or_default();
        let widest = widest.clamp("base".len(), WIDEST);
        self.say("2", format_args!("           {:widest$}    reference", "base"))?;
        for (name, base, reference) in rows {
            // an empty net_loc is not an absent one
            let [base, reference] = [base, reference].map(|part| match part {
                Some([]) if name == "net_loc" => b"//",
                part => part.unwrap_or_default(),
            });
            let fill = widest.saturating_sub(width(base));
            let (base, reference) = (self.base(base), self.reference(reference));
            self.say("2", format_args!("{name:11}{base}{:fill$}    {reference}", ""))?;
        }
        self.note("base", self.facts.record.base, base)?;
        self.note("reference", self.facts.record.reference, reference)
    }

    /// What somebody used to other standards may not expect of a URL's components.
    fn note(&mut self, whose: &str, text: &[u8], parts: Parts<'_>) -> io::Result<()> {
        let lone = lone_delimiters(text, parts);
        for (is_lone, delimiter, name, section) in
            [(lone.0, "#", "fragment", 1), (lone.1, "?", "query", 4), (lone.2, ";", "params", 5)]
        {
            if is_lone {
                self.say(
                    "2",
                    format_args!("the {whose}'s lone \"{delimiter}\" makes its {name} empty (§2.4.{section})"),
                )?;
            }
        }
        let net_loc = parts.net_loc.unwrap_or_default();
        if net_loc.contains(&b'?') || net_loc.contains(&b';') {
            self.say("2", format_args!("the {whose}'s net_loc ends at the next \"/\" only (§2.4.3)"))?;
        }
        if parts.params.contains(&b'/') {
            self.say("2", format_args!("the {whose}'s params start at its first \";\" (§2.4.5)"))?;
        }
        if parts.scheme.is_none() && parts.net_loc.is_none() && parts.path.contains(&b':') {
            self.say("2", format_args!("the {whose} has no scheme name before its first \":\" (§2.4.2)"))?;
        }
        Ok(())
    }

    /// Steps 2a to 2c.
    fn step_2(&mut self) -> io::Result<()> {
        let facts = self.facts;
        let step = facts.outcome.as_ref().ok().map(|resolved| resolved.step);
        if step == Some(Step::Empty) {
            self.say("2a", format_args!("the reference is empty: it inherits the entire base URL, its fragment too"))?;
            return self.skip("2a", "2b", &self.base(facts.url));
        }
        self.say("2a", format_args!("the reference is not empty"))?;
        if step == Some(Step::Scheme) {
            self.say("2b", format_args!("it starts with a scheme: it is an absolute URL"))?;
            return self.skip("2b", "2c", &self.reference(facts.url));
        }
        self.say("2b", format_args!("it does not start with a scheme"))
    }

    /// Steps 2c to 7 of a reference that is relative.
    fn steps_3_to_7(&mut self, resolved: &Resolved<'_>, base: Parts<'_>) -> io::Result<()> {
        let (url, step) = (resolved.parts, resolved.step);
        self.say("2c", format_args!("scheme inherited: {}", self.base(url.scheme.unwrap_or_default())))?;
        let net_loc = url.net_loc.unwrap_or_default();
        let mut from_base = 0;
        if step == Step::NetLoc {
            self.say("3", format_args!("its net_loc is not empty: {}", self.reference(net_loc)))?;
            self.dots_stay("3", "its path is not relative", url.path)?;
            self.skip_to_7("3", "4")?;
        } else {
            match url.net_loc {
                None => self.say("3", format_args!("its net_loc is empty; the base has none to inherit"))?,
                Some([]) => self.say("3", format_args!("its net_loc is empty; the empty net_loc inherited: //"))?,
                Some(_) => {
                    self.say("3", format_args!("its net_loc is empty; net_loc inherited: {}", self.base(net_loc)))?;
                }
            }
            if parse(self.facts.record.reference).net_loc.is_some() {
                self.say("3", format_args!("its own \"//\", with nothing behind it, is dropped"))?;
            }
            if step == Step::Rooted {
                self.say("4", format_args!("its path starts with \"/\""))?;
                self.dots_stay("4", "it is not relative", url.path)?;
                self.skip_to_7("4", "5")?;
            } else {
                self.say("4", format_args!("its path does not start with \"/\""))?;
                if step == Step::Merged {
                    self.say("5", format_args!("its path is not empty"))?;
                    from_base = self.step_6(base.path)?;
                } else {
                    self.step_5(resolved)?;
                }
            }
        }
        self.step_7(resolved, from_base)
    }

    /// Tells that a path is not cleaned of dot segments, if it has any.
    fn dots_stay(&mut self, step: &'static str, why: &str, path: &[u8]) -> io::Result<()> {
        if has_segment(path, b".") || has_segment(path, b"..") {
            self.say(step, format_args!("{why}: its dot segments stay"))?;
        }
        Ok(())
    }

    /// Step 5 of a reference without a path.
    fn step_5(&mut self, resolved: &Resolved<'_>) -> io::Result<()> {
        let (url, step) = (resolved.parts, resolved.step);
        self.say("5", format_args!("its path is empty; path inherited: {}", self.base(url.path)))?;
        self.dots_stay("5", "that is inherited as it is", url.path)?;
        if step == Step::Params {
            self.say("5a", format_args!("its params are not empty: {}", self.reference(url.params)))?;
            return self.skip_to_7("5a", "5b");
        }
        self.say("5a", format_args!("its params are empty; params inherited: {}", self.base(url.params)))?;
        if step == Step::Query {
            self.say("5b", format_args!("its query is not empty: {}", self.reference(url.query)))?;
        } else {
            self.say("5b", format_args!("its query is empty; query inherited: {}", self.base(url.query)))?;
        }
        self.skip_to_7("5b", "6")
    }

    /// Step 6: one line a removal, the last of each rule with the path that is left. Returns how
    /// many of the path's first bytes came from the base.
    fn step_6(&mut self, base: &[u8]) -> io::Result<usize> {
        let facts = self.facts;
        let directory = directory(base);
        let last = base.split_at(directory.len()).1;
        let mut joined = Buffer::default();
        joined.write_all(directory)?;
        joined.write_all(parse(facts.record.reference).path)?;
        let mut path = self.path(joined.bytes(), directory.len());
        match last {
            [] => self.say(
                "6",
                format_args!("the base path, whose last segment is empty, then the reference path: {path}"),
            )?,
            _ => {
                let last = self.base(last);
                self.say(
                    "6",
                    format_args!("the base path without its last segment \"{last}\", then the reference path: {path}"),
                )?;
            }
        }
        let mut from_base = directory.len();
        for (rule, step, none) in [
            ('a', "6a", "no \"./\""),
            ('b', "6b", "no \".\" at the end"),
            ('c', "6c", "no \"<segment>/../\""),
            ('d', "6d", "no \"<segment>/..\" at the end"),
        ] {
            let mut text: Option<Buffer> = None;
            let (left, from) = replay(facts.removals, rule, joined.bytes(), directory.len(), |removed| {
                if let Some(text) = &text {
                    self.say_removed(step, Some(text.bytes()), format_args!("\"{}\" removed", Shown(text.bytes())))?;
                }
                let next = text.get_or_insert_default();
                next.truncate(0);
                next.write_all(removed)
            })?;
            path = self.path(left.bytes(), from);
            from_base = from;
            let dots = match rule {
                'a' => left
                    .bytes()
                    .windows(3)
                    .any(|three| matches!(three, [before, b'.', b'/'] if !b"./".contains(before))),
                'b' => matches!(left.bytes(), [.., before, b'.'] if !b"./".contains(before)),
                _ => false,
            };
            match text {
                None if dots => self.say(step, format_args!("{none} where \".\" is a complete segment"))?,
                None => self.say(step, format_args!("{none}"))?,
                Some(text) => {
                    let removed = Shown(text.bytes());
                    self.say_removed(step, Some(text.bytes()), format_args!("\"{removed}\" removed: {path}"))?;
                }
            }
            if rule == 'd' && has_segment(left.bytes(), b"..") {
                self.say(step, format_args!("a \"..\" with no <segment> before it stays"))?;
            }
        }
        Ok(from_base)
    }

    /// Step 7.
    fn step_7(&mut self, resolved: &Resolved<'_>, from_base: usize) -> io::Result<()> {
        let url = resolved.parts;
        match url.put_in() {
            b"/" => {
                self.say("7", format_args!("\"/\" is put in after the net_loc, lest the rest become part of it"))?;
            }
            b"/." => {
                self.say("7", format_args!("\"/.\" is put in before the path, lest its \"//\" begin a net_loc"))?;
            }
            _ => {}
        }
        let inherits = resolved.step.inherits();
        let mut from_base = from_base;
        from_base += url.scheme.map_or(0, |scheme| scheme.len() + 1);
        if inherits > 1 {
            from_base += url.net_loc.map_or(0, |net_loc| net_loc.len() + 2) + url.put_in().len();
        }
        for component in [url.path, url.params, url.query].into_iter().take(inherits.saturating_sub(2)) {
            let delimiter = usize::from(!component.is_empty() && component.as_ptr() != url.path.as_ptr());
            from_base += component.len() + delimiter;
        }
        self.others("7")?;
        self.say("7", format_args!("recombined: {}", self.path(self.facts.url, from_base)))
    }

    /// Bytes of which the first `from_base` came from the base.
    fn path<'a>(&self, bytes: &'a [u8], from_base: usize) -> Path<'a> {
        let (base, reference) = bytes.split_at(from_base.min(bytes.len()));
        Path(self.base(base), self.reference(reference))
    }
}

/// Bytes from the base, then bytes from the reference.
struct Path<'a>(Marked<'a>, Marked<'a>);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path(base, Marked(_, [])) => base.fmt(f),
            Path(Marked(_, []), reference) => reference.fmt(f),
            Path(base, reference) => write!(f, "{base}{reference}"),
        }
    }
}

/// The path that is left of `joined` after step 6's rules up to `rule`, and how many of its bytes
/// came from the first `directory` ones; `each` gets what `rule` itself removes.
fn replay(
    removals: &[Removal],
    rule: char,
    joined: &[u8],
    directory: usize,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<(Buffer, usize)> {
    let (mut path, mut from_base, mut done) = (Buffer::default(), 0, 0);
    let end = joined.len()..joined.len();
    let earlier = removals.iter().filter(|removal| removal.rule <= rule);
    for (parent, dots, of_rule) in
        earlier.map(|removal| (removal.parent, &removal.dots, removal.rule == rule)).chain([(0, &end, false)])
    {
        path.write_all(joined.get(done..dots.start).unwrap_or_default())?;
        from_base += dots.start.min(directory).saturating_sub(done);
        done = dots.end;
        let kept = path.length.saturating_sub(parent);
        if of_rule {
            path.write_all(joined.get(dots.clone()).unwrap_or_default())?;
            each(path.bytes().split_at(kept).1)?;
        }
        path.truncate(kept);
        from_base = from_base.min(kept);
    }
    Ok((path, from_base))
}

/// Whether `segment` is one of a path's segments.
fn has_segment(path: &[u8], segment: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|one| one == segment)
}
