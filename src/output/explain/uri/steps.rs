//! The steps of an explanation by RFC 3986: its sections, in the order in which they are used.

use std::fmt::Arguments;

use anstyle::Style;

use super::moves::{Move, Moves};
use super::{UriExplanation, step_5_1};
use crate::output::explain::colors::Colored;
use crate::output::explain::has_steps;
use crate::output::explain::line::{Drawing, StepLine};
use crate::output::explain::unbroken::unbroken;
use crate::spec::rfc3986::Uri;

/// The longest path that is drawn, in bytes.
const MAX_DRAWN: usize = 60;

/// The most moves that are drawn.
const MAX_MOVES: usize = 10;

impl UriExplanation<'_> {
    /// Passes each line of the steps to `each`; the last one ends in the answer or the error.
    pub fn steps(&self, each: &mut dyn FnMut(StepLine<'_>)) {
        let mut steps = UriSteps { of: self, each };
        if has_steps(self.outcome.base) {
            steps.say("5.1", format_args!("{}", step_5_1(self.outcome.base, self.colors)));
        }
        match self.outcome.answer {
            Ok(url) => {
                steps.inherit();
                steps.path();
                steps.insert();
                steps.notes();
                steps.recompose(url);
            }
            Err(complaint) => {
                steps.notes();
                steps.say("error", format_args!("{complaint}"));
            }
        }
    }

    /// What a move does, in words.
    fn words(&self, moves: &Moves<'_>, one: &Move) -> String {
        let (style, taken) = (self.colors.removed, unbroken(moves.taken(one)));
        match one.rule {
            "A" => format!("\"{style}{taken}{style:#}\" at the start is dropped"),
            "B" => format!("\"{style}/.{style:#}\" is dropped"),
            "C" if taken.is_empty() => "\"/..\" finds nothing to take away".into(),
            "C" => format!("\"/..\" takes \"{style}{taken}{style:#}\" away"),
            _ => format!("\"{style}{taken}{style:#}\" alone is dropped"),
        }
    }
}

/// The steps of one explanation, each passed on as soon as it has words.
struct UriSteps<'e> {
    of: &'e UriExplanation<'e>,
    each: &'e mut dyn FnMut(StepLine<'_>),
}

impl UriSteps<'_> {
    fn say(&mut self, step: &'static str, text: Arguments<'_>) {
        (self.each)(StepLine::new(step, text));
    }

    /// RFC 3986 §5.2.2: what of the base is inherited.
    fn inherit(&mut self) {
        let &UriExplanation { colors, base, reference, .. } = self.of;
        let Uri { scheme, authority, path, query, fragment } = reference;
        if let Some(scheme) = scheme {
            let scheme = colors.reference(scheme);
            self.say("5.2.2", format_args!("the reference has a scheme, {scheme}: nothing is inherited"));
        } else {
            self.missing("scheme", base.scheme);
            if authority.is_some() {
                let authority = colors.component(authority, 0);
                self.say("5.2.2", format_args!("the reference has an authority, {authority}: no more is inherited"));
            } else {
                self.missing("authority", base.authority);
                self.inherit_path(path, query);
            }
        }
        match (query, base.query) {
            _ if path.is_empty() && scheme.or(authority).is_none() => {}
            (None, None) => {}
            (None, _) => self.say("5.2.2", format_args!("no query in the reference; the base's is not inherited")),
            _ => self.own("query", query),
        }
        match (fragment, base.fragment) {
            (None, None) => {}
            (None, _) => self.say("5.2.2", format_args!("no fragment in the reference; the base's is never inherited")),
            _ => self.own("fragment", fragment),
        }
    }

    /// The branches of RFC 3986 §5.2.2 for a reference without scheme and authority.
    fn inherit_path(&mut self, path: &[u8], query: Option<&[u8]>) {
        let &UriExplanation { colors, base, .. } = self.of;
        match path {
            b"" => {
                let inherited = colors.component(Some(base.path), usize::MAX);
                self.say("5.2.2", format_args!("the reference's path is empty; inherited: {inherited}"));
                match query {
                    Some(_) => self.own("query", query),
                    None => self.missing("query", base.query),
                }
            }
            [b'/', ..] => self.say("5.2.2", format_args!("the reference's path starts with \"/\": it is not merged")),
            _ => self.say("5.2.2", format_args!("the reference's path does not start with \"/\": it is merged")),
        }
    }

    /// Adds the line of a component that the reference has.
    fn own(&mut self, name: &str, own: Option<&[u8]>) {
        let own = self.of.colors.component(own, 0);
        self.say("5.2.2", format_args!("the reference has a {name}: {own}"));
    }

    /// Adds the line of a component that the reference does not have: whether the base has it.
    fn missing(&mut self, name: &str, inherited: Option<&[u8]>) {
        match inherited {
            None => self.say("5.2.2", format_args!("no {name} in either")),
            _ => {
                let inherited = self.of.colors.component(inherited, usize::MAX);
                self.say("5.2.2", format_args!("no {name} in the reference; inherited: {inherited}"));
            }
        }
    }

    /// RFC 3986 §5.2.3 and §5.2.4: the path is merged, and its dot segments are removed.
    fn path(&mut self) {
        let &UriExplanation { outcome, colors, base, .. } = self.of;
        let Some(moves) = outcome.moves else {
            let (style, text) = (colors.skipped, format_args!("not needed: the base's path stays as it is"));
            return (self.each)(StepLine { style, ..StepLine::new("5.2.4", text) });
        };
        let text = colors.mixed(moves.text, moves.base_len);
        let own = colors.component(Some(base.path), usize::MAX);
        let longest = if self.of.is_merged() { own.width() } else { 0 }.max(text.width());
        let width = (longest <= MAX_DRAWN && moves.all.len() <= MAX_MOVES).then_some(longest);
        if self.of.is_merged() {
            self.merge(own, text, width);
        }
        if moves.text.is_empty() {
            self.say("5.2.4", format_args!("no path, so no dot segments"));
        } else if !moves.has_dots() {
            self.say("5.2.4", format_args!("no dot segments in {text}: it stays"));
        } else {
            self.moves(moves, text, width);
        }
    }

    /// RFC 3986 §5.2.3: the two paths are merged to `merged`.
    fn merge(&mut self, own: Colored<'_>, merged: Colored<'_>, width: Option<usize>) {
        let &UriExplanation { colors, base, .. } = self.of;
        let (replaced, style) = (self.of.replaced(), colors.base);
        let how = match (base.directory(), replaced) {
            (b"", b"") => "the base has no path: the reference's is taken".to_owned(),
            (b"", _) => "the base's path has no \"/\": the reference's replaces it".into(),
            _ if base.path.is_empty() => "\"/\", because the base has no path, then the reference's".into(),
            (_, b"") => "the reference's path appended to the base's".into(),
            (_, last) => format!("\"{style}{}{style:#}\" replaced by the reference's path", unbroken(last)),
        };
        let Some(width) = width else { return self.say("5.2.3", format_args!("{how}")) };
        for (path, text) in [(own, format_args!("the base's path")), (merged, format_args!("{how}"))] {
            let drawing = Some(Drawing { width, marks: 0..0 });
            (self.each)(StepLine { path: Some(path), drawing, ..StepLine::new("5.2.3", text) });
        }
    }

    /// RFC 3986 §5.2.4: drawn, with the path before and after each move; or the moves alone, and the path that is left
    /// after the last of them.
    fn moves(&mut self, moves: &Moves<'_>, text: Colored<'_>, width: Option<usize>) {
        let drawing = |marks| width.map(|width| Drawing { width, marks });
        let how = format_args!("rules A to D remove dot segments; E moves the rest");
        // a merged path is drawn already
        let path = Some(text).filter(|_| width.is_some() && !self.of.is_merged());
        (self.each)(StepLine { path, drawing: path.and_then(|_| drawing(0..0)), ..StepLine::new("5.2.4", how) });
        // without the "/." that may be inserted
        let cleaned = &self.of.target.path[self.of.target.path.len() - moves.result().0..];
        let mut now = if width.is_some() { moves.text } else { cleaned }.to_vec();
        for (number, one) in moves.all.iter().enumerate() {
            let removed = moves.removed(one);
            let mut marks = 0..0;
            if width.is_some() {
                // at the end of the path its last "/" is left
                let (start, slash) = if one.leaves_slash { (now.len() - removed.len(), "/") } else { (one.output, "") };
                marks = start..start + removed.len();
                now.splice(one.output..marks.end, slash.bytes());
            }
            // where nothing is drawn, the path comes once, after the last move
            let is_shown = width.is_some() || number + 1 == moves.all.len();
            let path = is_shown.then(|| self.of.colors.mixed(&now, one.from_base));
            let words = self.of.words(moves, one);
            let (rule, removed, drawing) = (one.rule, Some(&*removed), drawing(marks));
            (self.each)(StepLine { rule, removed, path, drawing, ..StepLine::new("5.2.4", format_args!("{words}")) });
        }
    }

    /// What keeps the `//` of a path from starting a host: RFC 3986 §3.3 forbids such a path, and §5.3 writes it all
    /// the same.
    fn insert(&mut self) {
        if self.of.has_inserted() {
            let text = format_args!("\"/.\" is inserted before the path so that its \"//\" does not start a host");
            self.say("5.2.4", text);
        }
    }

    /// What other standards answer.
    fn notes(&mut self) {
        let &UriExplanation { outcome, colors, .. } = self.of;
        for note in outcome.notes {
            let style = if note.differs { colors.differs } else { Style::new() };
            (self.each)(StepLine { style, ..StepLine::new("note", format_args!("{}", note.text)) });
        }
    }

    /// RFC 3986 §5.3: the answer.
    fn recompose(&mut self, url: &[u8]) {
        let url = self.of.colors.bold().mixed(url, self.of.url_from_base());
        self.say("5.3", format_args!("{url}"));
    }
}
