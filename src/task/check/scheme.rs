//! What `--check=scheme` finds by RFC 1738, in words.

use super::finding::{Escape, character, quoted};
use crate::output::location::{Escaped, Quoted};
use crate::resolver::parse;
use crate::resolver::schemes::{SchemeFinding, SchemeRule};

/// The problem in a sentence. `url` is the URL it is in.
pub fn what(finding: &SchemeFinding, url: &[u8]) -> String {
    let SchemeFinding { at, length, production, rule } = *finding;
    let (scheme, noun) = (Escaped(parse(url).scheme.unwrap_or_default()), noun(production));
    let (wrong, byte) = (Quoted(&url[at..at + length]), quoted(character(url, at)));
    let what = match rule {
        SchemeRule::NoSlashes | SchemeRule::RepeatedScheme => format!("no \"//\" after \"{scheme}:\""),
        SchemeRule::Slashes => format!("\"//\" after \"{scheme}:\""),
        SchemeRule::Login => format!("{wrong} is a login, and {scheme} has no user name or password"),
        SchemeRule::Delimiter => format!("{byte} in the user name or password"),
        SchemeRule::Port => format!("{wrong} is a port, and {scheme} has none"),
        SchemeRule::Path => format!("{wrong} is a path, and {scheme} has none"),
        SchemeRule::Empty => format!("{noun} is empty"),
        SchemeRule::Byte if matches!(production, "port" | "digits") => {
            format!("{byte} is not a digit, not allowed in {noun}")
        }
        SchemeRule::Byte if production == "domainlabel" => format!("{byte} is not allowed in a host"),
        SchemeRule::Byte => format!("{byte} is not allowed in {noun}"),
        SchemeRule::Begin => format!("{byte} begins {noun}"),
        SchemeRule::End => format!("{byte} ends {noun}"),
        SchemeRule::HostNumber => format!("{wrong} is neither a domain name nor four numbers"),
        SchemeRule::NoSlash if production == "waisdoc" => "no \"/\" after the document's type".into(),
        SchemeRule::NoSlash => "no \"/\" after the host".into(),
        SchemeRule::NoType => "no \"type=\" after \";\"".into(),
        SchemeRule::Type => format!("{wrong} is not an ftp type"),
        SchemeRule::NoEquals => "a field has no \"=\"".into(),
        SchemeRule::EmptyUser => "the user name is empty, which is not the same as absent".into(),
        SchemeRule::Secret => return format!("everyone who sees the URL can read {wrong} (§6)"),
        SchemeRule::Directory => return format!("{wrong} should not be used with relative URLs (§5.3)"),
        SchemeRule::QuestionMark => return format!("\"?\" is not used in {scheme} (§2.3)"),
        SchemeRule::Wider if url[at] == b';' => format!("{wrong} is params (§2.4.5), and {scheme} has none"),
        SchemeRule::Wider => format!("{wrong} is a query (§2.4.4), and {scheme} has none"),
        SchemeRule::Search => format!("{wrong} is allowed in a query (§2.2), not in a search"),
    };
    let section = match rule {
        SchemeRule::Delimiter | SchemeRule::EmptyUser => "§3.1",
        SchemeRule::Empty if production == "port" => "§3.1",
        SchemeRule::Login if production == "httpurl" => "§3.3",
        _ => "§5",
    };
    format!("{what} (RFC 1738 {section} {production})")
}

/// How to fix it.
pub fn fix(finding: &SchemeFinding, url: &[u8]) -> String {
    let SchemeFinding { at, length, production, rule } = *finding;
    let scheme = parse(url).scheme.unwrap_or_default();
    let fix = match (rule, production) {
        (SchemeRule::RepeatedScheme, _) => {
            return format!("write it and a host, or omit \"{}:\" (§5.2)", Escaped(scheme));
        }
        (SchemeRule::Empty, "port") => {
            // the port of "http://http://h/"
            let inner = parse(&url[scheme.len() + 3..]);
            if inner.scheme.is_some() && inner.net_loc.is_some() {
                return format!("remove the first \"{}://\"", Escaped(scheme));
            }
            "remove the \":\""
        }
        (SchemeRule::NoSlashes, "fileurl") | (SchemeRule::NoSlash, "fileurl" | "prosperourl") => "write it",
        (SchemeRule::NoSlashes, _) => "write it and a host",
        (SchemeRule::NoSlash, "nntpurl") => "write it and a group",
        (SchemeRule::NoSlash, "waisurl") => "write it and a database",
        (SchemeRule::NoSlash, _) => "write it and a path",
        (SchemeRule::Slashes, _) => "write \"nntp:\", or remove everything before the group",
        (SchemeRule::Login, _) => "write the host alone",
        (SchemeRule::Port | SchemeRule::Path, _) => "remove it",
        (SchemeRule::Empty, "domainlabel" | "toplabel") => "remove the \".\"",
        (SchemeRule::Type, _) | (SchemeRule::Empty, "ftptype") => "write a, i or d",
        (SchemeRule::NoType, _) => "write \";type=\" and a, i or d, or %3B",
        (SchemeRule::Empty, _) => "write one",
        (SchemeRule::Byte, "port" | "digits") => "write a number",
        (SchemeRule::Byte, "domainlabel") => "write letters, digits and \"-\"",
        (SchemeRule::Byte, "group") => "write letters, digits, \"-\", \".\", \"+\" and \"_\"",
        (SchemeRule::Byte, "grouppart") => "write \"*\" alone",
        (SchemeRule::EmptyUser | SchemeRule::Secret, _) => {
            return format!("remove {}", Quoted(&url[at..at + length]));
        }
        (SchemeRule::Directory, _) => "end the path in \"/\"",
        (
            SchemeRule::Byte
            | SchemeRule::Delimiter
            | SchemeRule::QuestionMark
            | SchemeRule::Wider
            | SchemeRule::Search,
            _,
        ) => return format!("write {}", Escape(url[at])),
        (SchemeRule::Begin, "domainlabel") | (SchemeRule::End, _) => "write a letter or digit there",
        (SchemeRule::Begin, _) => "write a letter there",
        (SchemeRule::HostNumber, _) => "write one of them",
        (SchemeRule::NoEquals, _) => "write \";name=value\"",
    };
    fix.into()
}

/// A production of RFC 1738 in the middle of a sentence.
fn noun(production: &str) -> &'static str {
    match production {
        "hostport" => "the host",
        "port" => "the port",
        "domainlabel" => "a domain label",
        "toplabel" => "the last domain label",
        "ftptype" => "the ftp type",
        "encoded822addr" => "the address",
        "grouppart" | "group" => "the group",
        "article" => "the article before \"@\"",
        "digits" => "the article number",
        "database" => "the database",
        "wtype" => "the document's type",
        "wpath" => "the document's path",
        "fieldname" => "a field's name",
        "fieldvalue" => "a field's value",
        _ => "the URL",
    }
}
