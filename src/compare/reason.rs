//! The reasons why answers differ, and sets of them.

use crate::resolver::Unresolvable;
use crate::spec::{NoAnswer, Production};

/// Makes the enum of the reasons and what is said of each from one list: variant, code, text, note.
macro_rules! reasons {
    ($($reason:ident $code:literal $text:literal $note:literal)+) => {
        /// A reason why answers differ.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the texts describe them")]
        pub enum Reason {
            $($reason),+
        }

        impl Reason {
            /// All reasons, in the order in which they are declared.
            pub const ALL: &[Reason] = &[$(Reason::$reason),+];

            pub fn code(self) -> &'static str {
                match self {
                    $(Reason::$reason => $code),+
                }
            }

            /// What it says to people.
            pub fn text(self) -> &'static str {
                match self {
                    $(Reason::$reason => $text),+
                }
            }

            /// What the other standard does, for a note that names it.
            pub fn note(self) -> &'static str {
                match self {
                    $(Reason::$reason => $note),+
                }
            }
        }
    };
}

// In the order of RFC 1808; the last ones, from `slash-after-host` on, are normalization by WHATWG.
reasons! {
    RawSpace "raw-space" "RFC 3986 does not allow spaces"
        "spaces are not allowed"
    RawNonAscii "raw-non-ascii" "RFC 3986 allows only ASCII"
        "only ASCII is allowed"
    RawCharacter "raw-character" "RFC 3986 does not allow one of the characters"
        "a character is not allowed"
    BadPercent "bad-percent" "RFC 3986 requires two hex digits after \"%\""
        "two hex digits must follow \"%\""
    ColonSegment "colon-segment" "RFC 3986 does not allow \":\" in the first segment of a relative path"
        "\":\" is not allowed in the first segment of a relative path"
    BadAuthority "bad-authority" "RFC 3986 does not accept the host or the port"
        "the host or the port is not accepted"
    OpaqueBase "opaque-base" "WHATWG resolves nothing relative to a base whose path does not start with \"/\""
        "no reference can be resolved with a base whose path does not start with \"/\""
    BadBase "bad-base" "WHATWG does not accept the base's host or port"
        "the base's host or port is not accepted"
    BadHost "bad-host" "WHATWG does not accept the host"
        "the host is not accepted"
    BadPort "bad-port" "WHATWG does not accept the port"
        "the port is not accepted"
    Base "base" "the standards find different base URLs in the document"
        "the document has another base URL"
    Charset "charset" "RFC 1808 keeps the bytes of Latin-1, and WHATWG encodes a query in the document's charset"
        "a query is encoded in the document's charset"
    UnsuitableBase "unsuitable-base" "RFC 1808 never uses relative URLs with the base's scheme"
        "this base scheme is allowed"
    LoneDelimiter "lone-delimiter" "RFC 1808 drops a lone \"?\", \"#\" or \";\""
        "a lone \"?\", \"#\" or \";\" is kept"
    SchemeName "scheme-name" "RFC 1808 lets a scheme begin with a digit, \"+\", \"-\" or \".\""
        "a scheme begins with a letter"
    NetLocQuestion "net-loc-question" "RFC 1808 ends a net_loc at the next \"/\" only, not at a \"?\""
        "a \"?\" ends the host"
    ParamsFirstSemicolon "params-first-semicolon" "RFC 1808 starts params at the first \";\", and they are not part of the path"
        "params are part of the path"
    FragmentInherited "fragment-inherited" "RFC 1808 has an empty reference inherit the base's fragment (step 2a)"
        "the base's fragment is dropped"
    SameScheme "same-scheme" "RFC 1808 takes a reference with the base's scheme as absolute (step 2b)"
        "a scheme that is the base's is ignored"
    SchemeSlashes "scheme-slashes" "RFC 1808 leaves the slashes after a scheme as they are, two or not (step 2b)"
        "two slashes follow the scheme"
    DotsKept "dots-kept" "RFC 1808 removes dot segments from a merged path only (step 6)"
        "dot segments are removed from every path"
    EmptyNetLoc "empty-net-loc" "RFC 1808 has a \"//\" with an empty net_loc inherit the base's (step 3)"
        "an empty host does not inherit the base's"
    ParamsReplaced "params-replaced" "RFC 1808 replaces the base's params and keeps its path (step 5a)"
        "a text that starts with \";\" is taken for a file name"
    SurplusDots "surplus-dots" "RFC 1808 keeps surplus \"..\" (step 6)"
        "surplus \"..\" is dropped"
    EncodedDots "encoded-dots" "WHATWG takes \"%2e\" for a dot, RFC 1808 does not (step 6)"
        "\"%2e\" is a dot"
    RootlessBase "rootless-base" "RFC 1808 merges a base path without a leading slash as text (step 6)"
        "paths without a leading slash are merged by segments"
    SlashPutIn "slash-put-in" "RFC 1808 separates a net_loc from what follows with a slash"
        "no slash is inserted after the host"
    File "file" "WHATWG has its own rules for file URLs: hosts and drive letters"
        "file URLs have their own rules: hosts and drive letters"
    HostNumber "host-number" "WHATWG takes a host of numbers as an IPv4 address"
        "a host of numbers is an IPv4 address"
    LongBase "long-base" "the base is longer than 8 KiB, too long to search for reasons"
        "the base is longer than 8 KiB, too long to search for reasons"
    LongHost "long-host" "user, host and port are longer than 2 KiB, too long for absurl to follow WHATWG"
        "too long for absurl to follow"
    Other "other" "unknown reason; please report it"
        "unknown reason; please report it"
    SlashAfterHost "slash-after-host" "WHATWG adds a slash after the host"
        "a slash is added after the host"
    Case "case" "WHATWG changes scheme and host to lower case"
        "scheme and host are changed to lower case"
    PercentEncoding "percent-encoding" "WHATWG percent-encodes more"
        "spaces and similar become %20 and so on"
    DefaultPort "default-port" "WHATWG omits a default or empty port, and leading zeros"
        "a default or empty port and leading zeros are omitted"
    HostSpelling "host-spelling" "WHATWG writes the host or the user another way"
        "the host or the user is written another way"
    Backslash "backslash" "WHATWG takes a backslash as a slash"
        "a backslash is a slash"
    WhiteSpace "white-space" "WHATWG removes white space and control characters"
        "white space and control characters are removed"
}

impl Reason {
    /// Why a standard other than RFC 1808 has no answer.
    pub fn of_error(error: NoAnswer) -> Self {
        match error {
            NoAnswer::NotUri(flaw) | NoAnswer::BaseNotUri(flaw) => match (flaw.production, flaw.byte) {
                (Production::PctEncoded, _) => Reason::BadPercent,
                (Production::SegmentNzNc, _) => Reason::ColonSegment,
                (Production::IpLiteral | Production::Port, _)
                | (Production::RegName | Production::Userinfo, b':' | b'@' | b'[' | b']') => Reason::BadAuthority,
                (_, b' ') => Reason::RawSpace,
                (_, byte) if byte.is_ascii() => Reason::RawCharacter,
                _ => Reason::RawNonAscii,
            },
            NoAnswer::OpaqueBase => Reason::OpaqueBase,
            NoAnswer::BaseNotUrl => Reason::BadBase,
            NoAnswer::NoHost | NoAnswer::BadHost | NoAnswer::BadAddress => Reason::BadHost,
            NoAnswer::BadPort => Reason::BadPort,
            NoAnswer::TooLong => Reason::LongHost,
            NoAnswer::Rfc1808(Unresolvable::UnsuitableBase) => Reason::UnsuitableBase,
            NoAnswer::Rfc1808(Unresolvable::NoBase | Unresolvable::BaseWithoutScheme) => Reason::Other,
        }
    }
}

/// What a reason changes, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The scheme, the host, or what else a net_loc has.
    Host,
    /// Whether there is an answer.
    Answer,
    Path,
    Query,
    Fragment,
    /// Nothing but how the answer is written.
    Spelling,
}

impl Effect {
    /// All of them, in order.
    const ALL: [Effect; 6] =
        [Effect::Host, Effect::Answer, Effect::Path, Effect::Query, Effect::Fragment, Effect::Spelling];
}

/// A set of reasons: for each [`Effect`] a bit for each reason that makes it, in the order of [`Reason::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons([u64; 6]);

const _: () = assert!(Reason::ALL.len() <= u64::BITS as usize, "`Reasons` has fewer bits than there are reasons");

impl Reasons {
    /// Adds a reason, and what it changes.
    pub fn add(&mut self, reason: Reason, effect: Effect) {
        self.0[effect as usize] |= 1 << reason as usize;
    }

    /// Those of both.
    pub fn union(mut self, other: Reasons) -> Reasons {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        self
    }

    /// Those that change more than the spelling.
    pub fn of_meaning(mut self) -> Reasons {
        self.0[Effect::Spelling as usize] = 0;
        self
    }

    pub fn is_empty(self) -> bool {
        self == Reasons::default()
    }

    /// What they change, the most of it; `None` if there are no reasons.
    pub fn greatest(self) -> Option<Effect> {
        Effect::ALL.into_iter().zip(self.0).find(|(_, reasons)| *reasons != 0).map(|(effect, _)| effect)
    }

    /// All of them, each once: first those that change most.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        let mut seen = 0;
        self.0.into_iter().flat_map(move |reasons| {
            let new = reasons & !seen;
            seen |= reasons;
            Reason::ALL.iter().copied().filter(move |&reason| new >> reason as usize & 1 == 1)
        })
    }
}
