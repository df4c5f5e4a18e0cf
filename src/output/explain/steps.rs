//! The steps of an explanation, in the words of §4.

use std::fmt::Arguments;

use anstyle::Style;

use super::line::StepLine;
use super::{Explanation, has_steps, step_1};
use crate::resolver::merge::has_dot_segments;
use crate::resolver::parts::lone_delimiters;
use crate::resolver::{Parts, Resolved, Step};

impl Explanation<'_> {
    /// Passes each line of the steps to `each`; the last one ends in the answer or the error.
    pub fn steps<'e>(&'e self, each: &'e mut dyn FnMut(StepLine<'_>)) {
        let mut steps = Steps { of: self, each };
        if has_steps(self.outcome.base) {
            let ended = steps.steps_1_to_6();
            for note in self.outcome.notes {
                let style = if note.differs { self.colors.differs } else { Style::new() };
                (steps.each)(StepLine { style, ..StepLine::new("note", format_args!("{}", note.text)) });
            }
            steps.step_7(ended);
        }
        if let Err(complaint) = self.outcome.result {
            steps.say("error", format_args!("{complaint}"));
        }
    }
}

/// The steps of one explanation, each passed on as soon as it has words.
pub(super) struct Steps<'e> {
    pub(super) of: &'e Explanation<'e>,
    pub(super) each: &'e mut dyn FnMut(StepLine<'_>),
}

impl Steps<'_> {
    fn say(&mut self, step: &'static str, text: Arguments<'_>) {
        (self.each)(StepLine::new(step, text));
    }

    /// Adds the line of a step that is skipped, because step `after` has the answer or the error.
    fn skip(&mut self, step: &'static str, after: &str) {
        let style = self.of.colors.skipped;
        let text = match self.of.outcome.result {
            Ok(_) => format_args!("not needed after {after}"),
            Err(_) => format_args!("not reached"),
        };
        (self.each)(StepLine { style, ..StepLine::new(step, text) });
    }

    /// Adds the lines of the steps from `first` to 6, which are skipped.
    fn skip_from(&mut self, first: &str, after: &str) {
        let steps = ["2", "2a", "2b", "2c", "3", "4", "5", "6"].into_iter().skip_while(|step| *step != first);
        steps.for_each(|step| self.skip(step, after));
    }

    /// Steps 1 to 6. Returns the step that ends the resolution early, with an answer or an error.
    fn steps_1_to_6(&mut self) -> Option<&'static str> {
        let &Explanation { outcome, colors, base, reference, .. } = self.of;
        let (base_text, text) = (outcome.base.text, outcome.record.reference);
        let words = step_1(outcome.base, colors);
        let absolute = if base_text.is_empty() { ": the reference is interpreted as an absolute URL" } else { "" };
        self.say("1", format_args!("{words}{absolute}"));
        // without a base, or with one that is not absolute, nothing is parsed
        if base.scheme.is_none() {
            self.skip_from("2", "1");
            return Some("1");
        }
        let parsed = Some([base, reference]);
        (self.each)(StepLine { parsed, ..StepLine::new("2", format_args!("both are parsed (§2.4)")) });
        self.notes_on("base", base_text, base);
        self.notes_on("reference", text, reference);
        if text.is_empty() {
            self.say("2a", format_args!("the reference is empty: it inherits the entire base URL"));
            self.skip_from("2b", "2a");
            return Some("2a");
        }
        self.say("2a", format_args!("the reference is not empty"));
        if reference.scheme.is_some() {
            self.say("2b", format_args!("it has a scheme: it is an absolute URL"));
            self.skip_from("2c", "2b");
            return Some("2b");
        }
        self.say("2b", format_args!("it has no scheme"));
        let scheme = colors.base(base.scheme.unwrap_or_default());
        // with a scheme, a base fails only because of §2.3, and only here
        let Ok(resolved) = outcome.result else {
            self.say("2c", format_args!("the base's scheme is never used with relative URLs (§2.3): {scheme}"));
            self.skip_from("3", "2c");
            return Some("2c");
        };
        self.say("2c", format_args!("scheme inherited: {scheme}"));
        self.steps_3_to_6(resolved);
        None
    }

    /// What users of other standards may not expect of a URL's components.
    fn notes_on(&mut self, whose: &str, text: &[u8], parts: Parts<'_>) {
        let lone = lone_delimiters(text, parts);
        for (is_lone, delimiter, name, section) in
            [(lone.0, "#", "fragment", 1), (lone.1, "?", "query", 4), (lone.2, ";", "params", 5)]
        {
            if is_lone {
                self.say(
                    "2",
                    format_args!("the {whose}'s lone \"{delimiter}\" makes its {name} empty (§2.4.{section})"),
                );
            }
        }
        let net_loc = parts.net_loc.unwrap_or_default();
        if net_loc.contains(&b'?') || net_loc.contains(&b';') {
            self.say("2", format_args!("the {whose}'s host (net_loc) ends at the next \"/\" only (§2.4.3)"));
        }
        if parts.params.contains(&b'/') {
            self.say("2", format_args!("the {whose}'s params start at its first \";\" (§2.4.5)"));
        }
        if parts.scheme.is_none() && parts.net_loc.is_none() && parts.path.contains(&b':') {
            self.say("2", format_args!("the {whose} has no scheme name before its first \":\" (§2.4.2)"));
        }
    }

    /// Steps 3 to 6 of a relative reference.
    fn steps_3_to_6(&mut self, resolved: &Resolved<'_>) {
        let (url, colors) = (resolved.parts, self.of.colors);
        if resolved.step == Step::NetLoc {
            let net_loc = colors.reference(url.net_loc.unwrap_or_default());
            self.say("3", format_args!("the reference's host (net_loc) is not empty: {net_loc}"));
            self.dots_stay("3", "the path is not relative", url.path);
            return self.skip_from("4", "3");
        }
        let is_empty = self.of.reference.net_loc.is_some();
        let none = if is_empty { "an empty host (net_loc)" } else { "no host (net_loc)" };
        let inherited = match url.net_loc {
            None => "the base has none to inherit".to_owned(),
            net_loc => format!("inherited: {}", colors.component(net_loc, usize::MAX)),
        };
        self.say("3", format_args!("{none}; {inherited}"));
        if is_empty {
            self.say("3", format_args!("the reference's own \"//\" is dropped"));
        }
        if resolved.step == Step::Rooted {
            self.say("4", format_args!("the reference's path starts with \"/\""));
            self.dots_stay("4", "the path is not relative", url.path);
            return self.skip_from("5", "4");
        }
        self.say("4", format_args!("the reference's path does not start with \"/\""));
        match &self.of.merge {
            Some(merge) => {
                self.say("5", format_args!("the reference's path is not empty"));
                self.step_6(merge, url.path);
            }
            None => self.step_5(resolved),
        }
    }

    /// Says that a path keeps its dot segments, if it has any.
    fn dots_stay(&mut self, step: &'static str, why: &str, path: &[u8]) {
        if has_dot_segments(path) {
            self.say(step, format_args!("{why}: its dot segments stay"));
        }
    }

    /// Adds the line of a component that the reference does not have: whether the base has it.
    fn inherit(&mut self, step: &'static str, name: &str, inherited: &[u8]) {
        match inherited {
            b"" => self.say(step, format_args!("no {name} in either")),
            _ => {
                let inherited = self.of.colors.base(inherited);
                self.say(step, format_args!("no {name} in the reference; inherited: {inherited}"));
            }
        }
    }

    /// Step 5 of a reference without a path.
    fn step_5(&mut self, resolved: &Resolved<'_>) {
        let (url, step, colors) = (resolved.parts, resolved.step, self.of.colors);
        self.inherit("5", "path", url.path);
        self.dots_stay("5", "the path is inherited as it is", url.path);
        if step == Step::Params {
            self.say("5a", format_args!("the reference has params: {}", colors.reference(url.params)));
            self.skip("5b", "5a");
            return self.skip("6", "5a");
        }
        self.inherit("5a", "params", url.params);
        match step {
            Step::Query => self.say("5b", format_args!("the reference has a query: {}", colors.reference(url.query))),
            _ => self.inherit("5b", "query", url.query),
        }
        self.skip("6", "5b");
    }

    /// Step 7, or that it is skipped because step `ended` has the answer or the error.
    fn step_7(&mut self, ended: Option<&'static str>) {
        let &Explanation { outcome, colors, .. } = self.of;
        let Ok(resolved) = outcome.result else { return ended.into_iter().for_each(|step| self.skip("7", step)) };
        let url = colors.bold().mixed(outcome.url, self.of.url_from_base(resolved));
        if let Some(step) = ended {
            let style = colors.skipped;
            return self.say("7", format_args!("{style}not needed after {step}{style:#}; the answer is {url}"));
        }
        match resolved.parts.inserted() {
            b"/" => self
                .say("7", format_args!("\"/\" is inserted after the host so that the rest does not become part of it")),
            b"/." => self
                .say("7", format_args!("\"/.\" is inserted before the path so that its \"//\" does not start a host")),
            _ => {}
        }
        self.say("7", format_args!("{url}"));
    }
}
