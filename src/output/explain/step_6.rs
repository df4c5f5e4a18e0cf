//! Step 6 of an explanation: the paths are joined, then the rules a to d remove dot segments.

use super::colors::Colors;
use super::line::{Drawing, StepLine, unbroken};
use super::removals::Merge;
use super::steps::Steps;
use crate::resolver::merge::has_segment;

/// The longest path that is drawn, in bytes.
const MAX_DRAWN: usize = 60;

/// The most removals that are drawn.
const MAX_REMOVALS: usize = 10;

/// The steps of the rules, and what is said where they remove nothing.
const RULES: &[(&str, &str)] = &[
    ("6a", "no \"./\""),
    ("6b", "no \".\" at the end"),
    ("6c", "no \"<segment>/../\""),
    ("6d", "no \"<segment>/..\" at the end"),
];

/// Whether a path can be drawn: it is short, and each byte is a column wide and visible.
fn is_drawable(path: &[u8]) -> bool {
    path.len() <= MAX_DRAWN && path.iter().all(|byte| matches!(byte, 0x21..=0x7E))
}

/// What the base path is.
fn base_path(merge: &Merge) -> &'static str {
    if merge.is_base_empty { "\"/\", because the base has no path" } else { "the base path" } // reading 5
}

/// How the base path and the reference's path are joined. `whose` introduces what is replaced.
fn how_joined(merge: &Merge, whose: &str, colors: Colors) -> String {
    if merge.replaced().is_empty() {
        return "the reference's path appended".to_owned();
    }
    let last = unbroken(merge.replaced());
    format!("{whose}\"{style}{last}{style:#}\" replaced by the reference's path", style = colors.base)
}

/// The line of a removal.
fn removal_line<'a>(step: &'static str, removed: &'a [u8], colors: Colors) -> StepLine<'a> {
    let shown = unbroken(removed);
    let text = format!("\"{style}{shown}{style:#}\" removed", style = colors.removed);
    StepLine { removed: Some(removed), ..StepLine::new(step, text) }
}

/// The line of a rule that removes nothing.
fn nothing_line<'a>(step: &'static str, nothing: &str, text: &[u8]) -> StepLine<'a> {
    // a dot that is there, but is not a segment, needs a word more
    let has_dot = match step {
        "6a" => text.windows(3).any(|three| matches!(three, [before, b'.', b'/'] if !b"./".contains(before))),
        "6b" => matches!(text, [.., before, b'.'] if !b"./".contains(before)),
        _ => false,
    };
    let where_complete = if has_dot { " where \".\" is a complete segment" } else { "" };
    StepLine::new(step, format!("{nothing}{where_complete}"))
}

/// The line of a ".." that stays.
fn surplus_line<'a>() -> StepLine<'a> {
    StepLine::new("6d", "a \"..\" with no <segment> before it stays")
}

impl Steps<'_> {
    /// Step 6. `path` is what is left.
    pub(super) fn step_6(&mut self, merge: &Merge, path: &[u8]) {
        if merge.removals.len() <= MAX_REMOVALS && is_drawable(merge.base) && is_drawable(&merge.text) {
            self.draw_step_6(merge);
        } else {
            self.list_step_6(merge, path);
        }
    }

    /// Step 6 with the path before and after each removal.
    fn draw_step_6(&mut self, merge: &Merge) {
        let colors = self.of.colors;
        let (base, joined) = (colors.base(merge.base), colors.mixed(&merge.text, merge.base_len));
        let width = base.width().max(joined.width());
        let drawing = |marks| Some(Drawing { width, marks });

        (self.each)(StepLine { path: Some(base), drawing: drawing(0..0), ..StepLine::new("6", base_path(merge)) });
        let how = how_joined(merge, "", colors);
        (self.each)(StepLine { path: Some(joined), drawing: drawing(0..0), ..StepLine::new("6", how) });

        let mut now = merge.text.clone();
        for &(step, nothing) in RULES {
            for (number, removal) in merge.removals_of(step) {
                let removed = merge.removed(removal);
                let start = merge.left(removal.parent.start, number);
                let marks = start..start + removed.len();
                now.drain(marks.clone());
                let path = Some(colors.mixed(&now, merge.left(merge.base_len, number + 1)));
                (self.each)(StepLine { path, drawing: drawing(marks), ..removal_line(step, &removed, colors) });
            }
            if merge.removals_of(step).next().is_none() {
                let line = nothing_line(step, nothing, &merge.text);
                (self.each)(StepLine { drawing: drawing(0..0), ..line });
            }
        }
        if has_segment(&now, b"..") {
            (self.each)(StepLine { drawing: drawing(0..0), ..surplus_line() });
        }
    }

    /// Step 6 with the removals alone, and `path`, which is left, after the last of them.
    fn list_step_6(&mut self, merge: &Merge, path: &[u8]) {
        let colors = self.of.colors;
        if merge.is_base_empty {
            (self.each)(StepLine::new("6", base_path(merge)));
        }
        let how = how_joined(merge, "the base path's last segment ", colors);
        let joined = merge.removals.is_empty().then(|| colors.mixed(&merge.text, merge.base_len));
        (self.each)(StepLine { path: joined, ..StepLine::new("6", how) });

        let last = merge.removals.len();
        for &(step, nothing) in RULES {
            for (number, removal) in merge.removals_of(step) {
                let left = (number + 1 == last).then(|| colors.mixed(path, merge.left(merge.base_len, last)));
                (self.each)(StepLine { path: left, ..removal_line(step, &merge.removed(removal), colors) });
            }
            if merge.removals_of(step).next().is_none() {
                (self.each)(nothing_line(step, nothing, &merge.text));
            }
        }
        if has_segment(path, b"..") {
            (self.each)(surplus_line());
        }
    }
}
