//! RFC 3986 §5, by iri-string. Here `§` means RFC 3986.

use std::io::Write;

use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use memchr::memmem;

use super::NoAnswer;
use crate::resolver::Base;

/// A base for references that need none.
const NO_BASE: &str = "none:";

/// Resolves a reference by §5.2, strictly (§5.2.2), and appends the answer to `url`.
///
/// The base is looked at only if the reference has no scheme (§5.2.2); its fragment never (§5.1).
/// A path that would begin with `//` where there is no authority, which §3.3 forbids, gets `/.`
/// before it.
///
/// # Errors
/// The reference is no `URI-reference`, or it is relative and the base is no `absolute-URI`.
pub fn resolve(base: &Base<'_>, text: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
    let text = std::str::from_utf8(text).map_err(|_| NoAnswer::NotUtf8)?;
    let reference: &UriReferenceStr = text.try_into().map_err(|_| NoAnswer::NotUri)?;
    let base_text = match base.text.splitn(2, |&byte| byte == b'#').next() {
        _ if reference.scheme_str().is_some() => NO_BASE,
        None | Some([]) => return Err(NoAnswer::NoBase),
        Some(base) => std::str::from_utf8(base).map_err(|_| NoAnswer::NotUtf8)?,
    };
    let base: &UriAbsoluteStr = base_text.try_into().map_err(|_| NoAnswer::BaseNotUri)?;

    // a Vec takes all that is written to it
    if !has_encoded_dot(base_text) && !has_encoded_dot(text) {
        let _ = write!(url, "{}", reference.resolve_against(base));
        return Ok(());
    }
    // iri-string takes %2E for a dot, as the equivalence of §6.2.2.2 would; §5.2.4 does not. With
    // each % written as %25 it cannot, and nothing else is changed
    let (base, text) = (base_text.replace('%', "%25"), text.replace('%', "%25"));
    let base: &UriAbsoluteStr = base.as_str().try_into().map_err(|_| NoAnswer::BaseNotUri)?;
    let reference: &UriReferenceStr = text.as_str().try_into().map_err(|_| NoAnswer::NotUri)?;
    let resolved = reference.resolve_against(base).to_string();
    url.extend_from_slice(resolved.replace("%25", "%").as_bytes());
    Ok(())
}

/// Whether a text has a percent-encoded dot.
fn has_encoded_dot(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"%2e").is_some() || memmem::find(text.as_bytes(), b"%2E").is_some()
}
