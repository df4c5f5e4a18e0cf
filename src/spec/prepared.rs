//! URLs as each standard parses them: a base once for all references.

use std::ops::ControlFlow;

use super::url_error::{UrlError, UrlErrorKind};
pub use super::whatwg::spell_host;
use super::{NoAnswer, Spec, flaw, rfc3986, whatwg};
use crate::resolver::{Base, Unresolvable, parse, resolve};
use encoding_rs::{Encoding, UTF_8};

impl Spec {
    /// The scheme of an answer, and its net_loc or authority, as the standard reads it.
    pub fn scheme_and_authority(self, url: &[u8]) -> (Option<&[u8]>, Option<&[u8]>) {
        match self {
            Spec::Rfc1808 => {
                let url = parse(url);
                (url.scheme, url.net_loc)
            }
            Spec::Rfc3986 | Spec::Whatwg => {
                let url = rfc3986::divide(url);
                (url.scheme, url.authority)
            }
        }
    }
}

/// A base URL as a standard parsed it, or why it cannot be used.
pub enum PreparedBase {
    /// By RFC 1808: its text.
    Rfc1808(Vec<u8>),
    Rfc3986(Result<rfc3986::BaseUri, NoAnswer>),
    /// By the URL Standard; `None` if it is empty.
    Whatwg(Result<Option<url::Url>, NoAnswer>),
}

impl PreparedBase {
    /// Parses a base URL, an empty one if there is none. Linear in `text`.
    pub fn new(spec: Spec, text: &[u8]) -> Self {
        match spec {
            Spec::Rfc3986 => PreparedBase::Rfc3986(rfc3986::BaseUri::new(text)),
            Spec::Whatwg => PreparedBase::Whatwg(whatwg::parse_base(text)),
            Spec::Rfc1808 => PreparedBase::Rfc1808(text.to_vec()),
        }
    }

    /// Whether the standard can use the base, or there is none.
    pub fn is_usable(&self) -> bool {
        match self {
            PreparedBase::Rfc1808(_) => true,
            PreparedBase::Rfc3986(base) => base.is_ok(),
            PreparedBase::Whatwg(base) => base.is_ok(),
        }
    }

    /// Resolves a reference and appends the answer to `url`. Linear in the reference and the
    /// answer, but for a few copies of the base's path.
    ///
    /// # Errors
    /// The standard has no answer. Nothing is appended then.
    pub fn resolve(&self, reference: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
        self.resolve_in(UTF_8, reference, url)
    }

    /// Resolves a reference of a document, in whose charset browsers encode its query.
    ///
    /// # Errors
    /// The standard has no answer. Nothing is appended then.
    pub fn resolve_in(&self, encoding: &'static Encoding, reference: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
        match self {
            PreparedBase::Rfc1808(base) => {
                let mut path = Vec::new();
                resolve(&Base::new(base)?, reference, &mut path, |_| ())?.write(|piece| url.extend_from_slice(piece));
                Ok(())
            }
            PreparedBase::Rfc3986(base) => rfc3986::resolve(base.as_ref(), reference, url),
            PreparedBase::Whatwg(base) => whatwg::resolve(base.as_ref(), encoding, reference, url),
        }
    }

    /// Hands each validation error that the URL Standard has in a reference to `each`, in the order of the text, until
    /// that breaks. A base that cannot be used is no base. The other standards have no such errors.
    pub fn url_errors(&self, reference: &[u8], each: &mut dyn FnMut(UrlError) -> ControlFlow<()>) -> ControlFlow<()> {
        match self {
            PreparedBase::Whatwg(base) => {
                let base = base.as_ref().ok().and_then(Option::as_ref);
                whatwg::errors::errors(reference, base.map(whatwg::errors::BaseKind::of), each)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Why a reference has no answer with this base, whose text is given: the code of the error in JSON, what is wrong,
    /// and how to fix it, which is empty if there is no sure way.
    pub fn describe(&self, why: NoAnswer, text: &[u8], reference: &[u8]) -> (&'static str, String, String) {
        let (code, (what, fix)) = match why {
            NoAnswer::Rfc1808(why) => (why.describe().0, why.words()),
            NoAnswer::NotUri(flaw) => ("not-a-uri-reference", flaw::describe(flaw, reference)),
            NoAnswer::BaseNotUri(flaw) => ("base-not-a-uri", flaw::describe(flaw, text)),
            NoAnswer::BaseNotUrl => ("base-not-a-url", PreparedBase::Whatwg(Ok(None)).describe_failure(text)),
            NoAnswer::OpaqueBase => ("opaque-base", self.describe_failure(reference)),
            NoAnswer::NoHost => ("no-host", self.describe_failure(reference)),
            NoAnswer::BadHost => ("bad-host", self.describe_failure(reference)),
            NoAnswer::BadAddress => ("bad-address", self.describe_failure(reference)),
            NoAnswer::BadPort => ("bad-port", self.describe_failure(reference)),
            NoAnswer::TooLong => ("too-long", ("user, host and port are longer than 2 KiB".into(), String::new())),
        };
        (code, what, fix)
    }

    /// The error at which the URL Standard fails, in words. Without a base, the text is a base.
    fn describe_failure(&self, text: &[u8]) -> (String, String) {
        let mut failure = None;
        let _ = self.url_errors(text, &mut |error| {
            failure = Some(error).filter(|error| error.is_failure);
            failure.map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
        });
        debug_assert!(failure.is_some(), "the url crate fails where the standard does");
        match (failure, self) {
            (
                Some(UrlError { kind: UrlErrorKind::MissingSchemeNonRelativeUrl, .. }),
                PreparedBase::Whatwg(Ok(None)),
            ) => Unresolvable::BaseWithoutScheme.words(),
            (Some(error), _) => error.describe(text),
            (None, _) => ("not a valid URL".into(), String::new()),
        }
    }
}

/// Whether the other standards have a base as it is: without its fragment, and with the `/` of an
/// empty path, it is their answer to the empty reference.
pub fn is_normal(base: &Base<'_>) -> bool {
    let [.., path, _, query, _] = base.parts.ends(base.text);
    let slash: &[u8] = if base.parts.path.is_empty() { b"/" } else { b"" };
    let text = [&base.text[..path], slash, &base.text[path..]].concat();
    let normal = &text[..slash.len() + query];
    [Spec::Rfc3986, Spec::Whatwg].iter().all(|spec| {
        let (base, mut url) = (PreparedBase::new(*spec, &text), Vec::new());
        base.resolve(b"", &mut url).is_ok() && url == normal
    })
}
