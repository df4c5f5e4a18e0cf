//! Step 6 of an explanation: the paths are joined, then the rules a to d remove dot segments.

use super::removals::Merge;
use super::steps::Steps;
use super::{Removal, StepLine};
use crate::output::location::Escaped;
use crate::resolver::merge::has_segment;

/// The longest path that is drawn, in bytes.
const MAX_DRAWN: usize = 60;

/// The most removals that are drawn.
const MAX_REMOVALS: usize = 10;

/// The steps of the rules, and what is said where they remove nothing.
const RULES: [(&str, &str); 4] = [
    ("6a", "no \"./\""),
    ("6b", "no \".\" at the end"),
    ("6c", "no \"<segment>/../\""),
    ("6d", "no \"<segment>/..\" at the end"),
];

/// Whether a path can be drawn: it is short, and each byte is a column wide and visible.
fn is_drawable(path: &[u8]) -> bool {
    path.len() <= MAX_DRAWN && path.iter().all(|byte| matches!(byte, 0x21..=0x7E))
}

impl Steps<'_> {
    /// Step 6. Draws the path before and after each removal where it can; otherwise lists the removals,
    /// and then `path`, which is left.
    pub(super) fn step_6(&mut self, merge: &Merge, path: &[u8]) {
        let colors = self.of.colors;
        let Merge { base, text, directory, removals } = merge;
        let draws = removals.len() <= MAX_REMOVALS && is_drawable(base) && is_drawable(text);
        let (base, joined) = (colors.base(base), colors.mixed(text, *directory));
        let width = if draws { base.width().max(joined.width()) } else { 0 };

        let is_given = base.bytes == self.of.base.path; // reading 5
        if draws || !is_given {
            let what = if is_given { "the base path" } else { "\"/\", for the base has no path" };
            (self.each)(StepLine { path: draws.then_some(base), width, ..StepLine::new("6", what) });
        }
        let what = match &base.bytes[*directory..] {
            b"" => "the reference's path appended".to_owned(),
            last => {
                let whose = if draws { "" } else { "the base path's last segment " };
                let (style, last) = (colors.base, Escaped(last));
                format!("{whose}\"{style}{last}{style:#}\" replaced by the reference's path")
            }
        };
        let path_shown = (draws || removals.is_empty()).then_some(joined);
        (self.each)(StepLine { path: path_shown, width, ..StepLine::new("6", what) });

        let mut now = if draws { text.clone() } else { path.to_vec() };
        for (step, none) in RULES {
            let mut any = false;
            for (number, Removal { parent, dots, .. }) in
                removals.iter().enumerate().filter(|(_, removal)| removal.step == step)
            {
                any = true;
                let removed = [&text[parent.clone()], &text[dots.clone()]].concat();
                let mut marks = 0..0;
                if draws {
                    let start = merge.left(parent.start, number);
                    marks = start..start + removed.len();
                    now.drain(marks.clone());
                }
                let is_shown = draws || number + 1 == removals.len();
                let path = is_shown.then(|| colors.mixed(&now, merge.left(*directory, number + 1)));
                let (style, shown) = (colors.removed, Escaped(&removed));
                let line = StepLine::new(step, format!("\"{style}{shown}{style:#}\" removed"));
                (self.each)(StepLine { removed: Some(&removed), path, width, marks, ..line });
            }
            if !any {
                let has_dot = match step {
                    "6a" => {
                        text.windows(3).any(|three| matches!(three, [before, b'.', b'/'] if !b"./".contains(before)))
                    }
                    "6b" => matches!(&text[..], [.., before, b'.'] if !b"./".contains(before)),
                    _ => false,
                };
                let where_complete = if has_dot { " where \".\" is a complete segment" } else { "" };
                (self.each)(StepLine { width, ..StepLine::new(step, format!("{none}{where_complete}")) });
            }
        }
        if has_segment(path, b"..") {
            (self.each)(StepLine { width, ..StepLine::new("6d", "a \"..\" with no <segment> before it stays") });
        }
    }
}
