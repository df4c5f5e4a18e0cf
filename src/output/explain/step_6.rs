//! Step 6 of an explanation: the paths are joined, then the rules a to d remove dot segments.

use super::colors::Colors;
use super::line::{Drawing, StepLine};
use super::removals::Merge;
use super::steps::Steps;
use super::unbroken::unbroken;
use crate::resolver::merge::has_segment;

/// The longest path that is drawn, in bytes.
const MAX_DRAWN: usize = 60;

/// The most removals that are drawn.
const MAX_REMOVALS: usize = 10;

/// The steps of the rules, and what is said where they remove nothing.
const RULES: &[(&str, &str)] = &[
    ("6a", "no \"./\""),
    ("6b", "no \".\" at the end"),
    ("6c", "no \"name/../\" to remove"),
    ("6d", "no \"name/..\" at the end"),
];

/// Whether a path can be drawn: it is short, and each byte is a column wide and visible.
fn is_drawable(path: &[u8]) -> bool {
    path.len() <= MAX_DRAWN && path.iter().all(|byte| matches!(byte, 0x21..=0x7E))
}

/// How the base path and the reference's path are joined. `whose` introduces what is replaced.
fn how_joined(merge: &Merge, whose: &str, colors: Colors) -> String {
    let style = colors.base;
    match merge.replaced() {
        b"" => "the reference's path appended to the base's".into(),
        last => format!("{whose}\"{style}{}{style:#}\" replaced by the reference's path", unbroken(last)),
    }
}

/// What is also said of a rule that removes nothing: a dot that is there, but is not a segment, needs a word more.
fn where_complete_segment(step: &str, text: &[u8]) -> &'static str {
    let has_dot = match step {
        "6a" => text.windows(3).any(|three| matches!(three, [before, b'.', b'/'] if !b"./".contains(before))),
        "6b" => matches!(text, [.., before, b'.'] if !b"./".contains(before)),
        _ => false,
    };
    if has_dot { " where \".\" is a complete segment" } else { "" }
}

impl Steps<'_> {
    /// Step 6: drawn, with the path before and after each removal; or the removals alone, and `path`, which is left,
    /// after the last of them.
    pub(super) fn step_6(&mut self, merge: &Merge, path: &[u8]) {
        let (colors, last) = (self.of.colors, merge.removals.len());
        let is_drawn = last <= MAX_REMOVALS && is_drawable(merge.base) && is_drawable(&merge.text);
        let (base, joined) = (colors.base(merge.base), colors.mixed(&merge.text, merge.base_len));
        let width = if is_drawn { base.width().max(joined.width()) } else { 0 };
        let drawing = |marks| is_drawn.then_some(Drawing { width, marks });

        if is_drawn || merge.is_base_empty {
            // reading 5
            let what = if merge.is_base_empty { "\"/\", because the base has no path" } else { "the base path" };
            let path = is_drawn.then_some(base);
            (self.each)(StepLine { path, drawing: drawing(0..0), ..StepLine::new("6", format_args!("{what}")) });
        }
        let how = how_joined(merge, if is_drawn { "" } else { "the base path's last segment " }, colors);
        let joined = Some(joined).filter(|_| is_drawn || last == 0);
        (self.each)(StepLine { path: joined, drawing: drawing(0..0), ..StepLine::new("6", format_args!("{how}")) });

        let mut now = merge.text.clone();
        for &(step, nothing) in RULES {
            for (number, removal) in merge.removals_of(step) {
                let removed = merge.removed(removal);
                let mut marks = 0..0;
                if is_drawn {
                    let start = merge.left(removal.parent.start, number);
                    marks = start..start + removed.len();
                    now.drain(marks.clone());
                }
                // where nothing is drawn, the path comes once, after the last removal
                let is_shown = is_drawn || number + 1 == last;
                let left = if is_drawn { &now } else { path };
                let path = is_shown.then(|| colors.mixed(left, merge.left(merge.base_len, number + 1)));
                let (shown, style) = (unbroken(&removed), colors.removed);
                let text = format_args!("\"{style}{shown}{style:#}\" removed");
                let removed = Some(&*removed);
                (self.each)(StepLine { removed, path, drawing: drawing(marks), ..StepLine::new(step, text) });
            }
            if merge.removals_of(step).next().is_none() {
                let where_complete = where_complete_segment(step, &merge.text);
                let text = format_args!("{nothing}{where_complete}");
                (self.each)(StepLine { drawing: drawing(0..0), ..StepLine::new(step, text) });
            }
        }
        if has_segment(path, b"..") {
            let text = format_args!("nothing is left for this \"..\" to remove: it stays");
            (self.each)(StepLine { drawing: drawing(0..0), ..StepLine::new("6d", text) });
        }
    }
}
