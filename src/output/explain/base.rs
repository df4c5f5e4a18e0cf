//! The explanation of a base alone, in the words of the standard that has it.

use super::line::{Screen, StepLine};
use super::{step_1, uri, url};
use crate::output::buffer::Buffer;
use crate::record::StandardBase;
use crate::spec::Spec;

/// Writes the explanation of a base: by RFC 1808, step 1.
pub fn write(standard: Spec, base: &StandardBase<'_>, screen: Screen, out: &mut Buffer) {
    let (step, text) = match standard {
        Spec::Rfc1808 => ("1", step_1(base, screen.colors)),
        Spec::Rfc3986 => ("5.1", uri::step_5_1(base, screen.colors)),
        Spec::Whatwg => return url::write_base(base, screen, out),
    };
    StepLine::new(step, format_args!("{text}")).write("", screen, out);
}
