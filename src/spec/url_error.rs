//! The validation errors of the URL Standard, and their names.

/// A validation error in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlError {
    pub kind: UrlErrorKind,
    /// The offset in the text of what it is about, in bytes from 0.
    pub at: usize,
    /// The length of that, in bytes; 0 if something is missing there.
    pub length: usize,
    /// Whether the text is no URL because of it.
    pub is_failure: bool,
}

/// What an error is about: a row of the standard's table, but for [`Ipv6Invalid`](UrlErrorKind::Ipv6Invalid).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "spec"), expect(dead_code, reason = "only WHATWG has them"))]
pub enum UrlErrorKind {
    DomainToAscii,
    DomainPercentEncoded,
    HostInvalidCodePoint,
    Ipv4EmptyPart,
    Ipv4TooFewParts,
    Ipv4TooManyParts,
    Ipv4NonNumericPart,
    Ipv4NonDecimalPart,
    Ipv4OutOfRangePart,
    Ipv4NonAsciiInput,
    Ipv6Unclosed,
    /// Any of the nine others of an IPv6 address that fails.
    Ipv6Invalid,
    Ipv6PieceLeadingZero,
    InvalidUrlUnit,
    SpecialSchemeMissingFollowingSolidus,
    MissingSchemeNonRelativeUrl,
    InvalidReverseSolidus,
    InvalidCredentials,
    HostMissing,
    PortOutOfRange,
    PortInvalid,
    FileInvalidWindowsDriveLetter,
    FileInvalidWindowsDriveLetterHost,
}

impl UrlErrorKind {
    /// Its name in the standard; `IPv6-invalid` is absurl's.
    #[allow(dead_code, reason = "so far only tests ask for it")]
    pub fn name(self) -> &'static str {
        match self {
            UrlErrorKind::DomainToAscii => "domain-to-ASCII",
            UrlErrorKind::DomainPercentEncoded => "domain-percent-encoded",
            UrlErrorKind::HostInvalidCodePoint => "host-invalid-code-point",
            UrlErrorKind::Ipv4EmptyPart => "IPv4-empty-part",
            UrlErrorKind::Ipv4TooFewParts => "IPv4-too-few-parts",
            UrlErrorKind::Ipv4TooManyParts => "IPv4-too-many-parts",
            UrlErrorKind::Ipv4NonNumericPart => "IPv4-non-numeric-part",
            UrlErrorKind::Ipv4NonDecimalPart => "IPv4-non-decimal-part",
            UrlErrorKind::Ipv4OutOfRangePart => "IPv4-out-of-range-part",
            UrlErrorKind::Ipv4NonAsciiInput => "IPv4-non-ASCII-input",
            UrlErrorKind::Ipv6Unclosed => "IPv6-unclosed",
            UrlErrorKind::Ipv6Invalid => "IPv6-invalid",
            UrlErrorKind::Ipv6PieceLeadingZero => "IPv6-piece-leading-zero",
            UrlErrorKind::InvalidUrlUnit => "invalid-URL-unit",
            UrlErrorKind::SpecialSchemeMissingFollowingSolidus => "special-scheme-missing-following-solidus",
            UrlErrorKind::MissingSchemeNonRelativeUrl => "missing-scheme-non-relative-URL",
            UrlErrorKind::InvalidReverseSolidus => "invalid-reverse-solidus",
            UrlErrorKind::InvalidCredentials => "invalid-credentials",
            UrlErrorKind::HostMissing => "host-missing",
            UrlErrorKind::PortOutOfRange => "port-out-of-range",
            UrlErrorKind::PortInvalid => "port-invalid",
            UrlErrorKind::FileInvalidWindowsDriveLetter => "file-invalid-Windows-drive-letter",
            UrlErrorKind::FileInvalidWindowsDriveLetterHost => "file-invalid-Windows-drive-letter-host",
        }
    }
}
