//! What `--check=scheme` finds by RFC 1738, in words.

use crate::escaped::{Escaped, character_at, quoted};
use crate::output::location::Quoted;
use crate::resolver::{Parts, parse};
use crate::rfc1738::production::SchemeProduction;
use crate::rfc1738::schemes::{SchemeFinding, SchemeRule};

/// The problem in a sentence, and how to fix it. `url` is the URL it is in.
#[expect(clippy::too_many_lines, reason = "a match of words")]
pub fn describe(finding: &SchemeFinding, url: &[u8]) -> (String, String) {
    let SchemeFinding { at, length, production, rule } = *finding;
    let name = parse(url).scheme.unwrap_or_default();
    let (scheme, noun) = (Escaped(name), production.map_or("", noun_of));
    let (wrong, byte) = (Quoted(&url[at..at + length]), quoted(character_at(url, at)));
    let no_slashes = format!("no \"//\" after \"{scheme}:\"");
    let escape = || format!("write %{:02X}", url[at]);
    let (what, fix) = match rule {
        SchemeRule::NoSlashes if production == Some(SchemeProduction::FileUrl) => (no_slashes, "write it"),
        SchemeRule::NoSlashes => (no_slashes, "write it and a host"),
        SchemeRule::RepeatedScheme => (no_slashes, &*format!("omit \"{scheme}:\"")),
        SchemeRule::Slashes => (format!("\"//\" after \"{scheme}:\""), "write \"nntp:\""),
        SchemeRule::Login => {
            (format!("{wrong} is a login, and {scheme} has no user name or password"), "write the host alone")
        }
        SchemeRule::Delimiter => (format!("{byte} in the user name or password"), &*escape()),
        SchemeRule::Port => (format!("{wrong} is a port, and {scheme} has none"), "remove it"),
        SchemeRule::Path => (format!("{wrong} is a path, and {scheme} has none"), "remove it"),
        SchemeRule::Empty => match production {
            Some(SchemeProduction::Port) => match parse(&url[name.len() + 3..]) {
                // the port of "http://http://h/"
                Parts { scheme: Some(_), net_loc: Some(_), .. } => {
                    (format!("{noun} is empty"), &*format!("remove the first \"{scheme}://\""))
                }
                _ => (format!("{noun} is empty"), "remove the \":\""),
            },
            Some(SchemeProduction::DomainLabel | SchemeProduction::TopLabel) => {
                (format!("{noun} is empty"), "remove the \".\"")
            }
            Some(SchemeProduction::FtpType) => (format!("{noun} is empty"), "write a, i or d"),
            _ => (format!("{noun} is empty"), "write one"),
        },
        SchemeRule::Byte => match production {
            Some(SchemeProduction::Port | SchemeProduction::Digits) => {
                (format!("{byte} is not allowed in {noun}"), "write a number")
            }
            Some(SchemeProduction::DomainLabel) => {
                (format!("{byte} is not allowed in a host"), "write letters, digits and \"-\"")
            }
            Some(SchemeProduction::Group) => {
                (format!("{byte} is not allowed in {noun}"), "write letters, digits, \"-\", \".\", \"+\" and \"_\"")
            }
            Some(SchemeProduction::GroupPart) => (format!("{byte} is not allowed in {noun}"), "write \"*\" alone"),
            _ => (format!("{byte} is not allowed in {noun}"), &*escape()),
        },
        SchemeRule::Begin if production == Some(SchemeProduction::DomainLabel) => {
            (format!("{byte} begins {noun}"), "write a letter or digit there")
        }
        SchemeRule::Begin => (format!("{byte} begins {noun}"), "write a letter there"),
        SchemeRule::End => (format!("{byte} ends {noun}"), "write a letter or digit there"),
        SchemeRule::HostNumber => (format!("{wrong} is neither a domain name nor four numbers"), "write one of them"),
        SchemeRule::NoSlash => match production {
            Some(SchemeProduction::FileUrl | SchemeProduction::ProsperoUrl) => {
                ("no \"/\" after the host".into(), "write it")
            }
            Some(SchemeProduction::NntpUrl) => ("no \"/\" after the host".into(), "write it and a group"),
            Some(SchemeProduction::WaisUrl) => ("no \"/\" after the host".into(), "write it and a database"),
            _ => ("no \"/\" after the document's type".into(), "write it and a path"),
        },
        SchemeRule::NoType => ("no \"type=\" after \";\"".into(), "write \";type=\" and a, i or d"),
        SchemeRule::Type => (format!("{wrong} is not an ftp type"), "write a, i or d"),
        SchemeRule::NoEquals => ("a field has no \"=\"".into(), "write \";name=value\""),
        SchemeRule::EmptyUser => {
            ("the user name is empty, which is not the same as absent".into(), &*format!("remove {wrong}"))
        }
        SchemeRule::Secret => (format!("everyone who sees the URL can read {wrong}"), &*format!("remove {wrong}")),
        SchemeRule::Directory => (format!("{wrong} should not be used with relative URLs"), "end the path in \"/\""),
        SchemeRule::QuestionMark => (format!("\"?\" is not used in {scheme}"), &*escape()),
        SchemeRule::Wider if url[at] == b';' => (format!("{wrong} is params, and {scheme} has none"), &*escape()),
        SchemeRule::Wider => (format!("{wrong} is a query, and {scheme} has none"), &*escape()),
        SchemeRule::LineEnd if name.eq_ignore_ascii_case(b"mailto") => {
            (format!("{wrong} ends a line, and what follows may be read as a header field"), "")
        }
        SchemeRule::LineEnd => {
            (format!("{wrong} ends a line, and what follows may be read as a command"), &*format!("remove {wrong}"))
        }
        SchemeRule::Search => (format!("RFC 1738 does not allow {wrong} in a query"), &*escape()),
    };
    (what, fix.into())
}

/// A production of RFC 1738 in the middle of a sentence.
fn noun_of(production: SchemeProduction) -> &'static str {
    match production {
        SchemeProduction::HostPort => "the host",
        SchemeProduction::Port => "the port",
        SchemeProduction::DomainLabel => "a domain label",
        SchemeProduction::TopLabel => "the last domain label",
        SchemeProduction::FtpType => "the ftp type",
        SchemeProduction::Address => "the address",
        SchemeProduction::GroupPart | SchemeProduction::Group => "the group",
        SchemeProduction::Article => "the article before \"@\"",
        SchemeProduction::Digits => "the article number",
        SchemeProduction::Database => "the database",
        SchemeProduction::WaisType => "the document's type",
        SchemeProduction::WaisPath => "the document's path",
        SchemeProduction::FieldName => "a field's name",
        SchemeProduction::FieldValue => "a field's value",
        _ => "the URL",
    }
}
