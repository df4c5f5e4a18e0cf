//! What `--check=scheme` finds by RFC 1738, in words.

use super::finding::{character, quoted};
use crate::output::location::{Escaped, Quoted};
use crate::resolver::{Parts, parse};
use crate::rfc1738::schemes::{SchemeFinding, SchemeRule};

/// The problem in a sentence, and how to fix it. `url` is the URL it is in.
pub fn describe(finding: &SchemeFinding, url: &[u8]) -> (String, String) {
    let SchemeFinding { at, length, production, rule } = *finding;
    let name = parse(url).scheme.unwrap_or_default();
    let (scheme, noun) = (Escaped(name), noun(production));
    let (wrong, byte) = (Quoted(&url[at..at + length]), quoted(character(url, at)));
    let no_slashes = format!("no \"//\" after \"{scheme}:\"");
    let escape = || format!("write %{:02X}", url[at]);
    let (what, fix) = match rule {
        SchemeRule::NoSlashes if production == "fileurl" => (no_slashes, "write it"),
        SchemeRule::NoSlashes => (no_slashes, "write it and a host"),
        SchemeRule::RepeatedScheme => (no_slashes, &*format!("write it and a host, or omit \"{scheme}:\" (§5.2)")),
        SchemeRule::Slashes => {
            (format!("\"//\" after \"{scheme}:\""), "write \"nntp:\", or remove everything before the group")
        }
        SchemeRule::Login => {
            (format!("{wrong} is a login, and {scheme} has no user name or password"), "write the host alone")
        }
        SchemeRule::Delimiter => (format!("{byte} in the user name or password"), &*escape()),
        SchemeRule::Port => (format!("{wrong} is a port, and {scheme} has none"), "remove it"),
        SchemeRule::Path => (format!("{wrong} is a path, and {scheme} has none"), "remove it"),
        SchemeRule::Empty => match production {
            "port" => match parse(&url[name.len() + 3..]) {
                // the port of "http://http://h/"
                Parts { scheme: Some(_), net_loc: Some(_), .. } => {
                    (format!("{noun} is empty"), &*format!("remove the first \"{scheme}://\""))
                }
                _ => (format!("{noun} is empty"), "remove the \":\""),
            },
            "domainlabel" | "toplabel" => (format!("{noun} is empty"), "remove the \".\""),
            "ftptype" => (format!("{noun} is empty"), "write a, i or d"),
            _ => (format!("{noun} is empty"), "write one"),
        },
        SchemeRule::Byte => match production {
            "port" | "digits" => (format!("{byte} is not a digit, not allowed in {noun}"), "write a number"),
            "domainlabel" => (format!("{byte} is not allowed in a host"), "write letters, digits and \"-\""),
            "group" => {
                (format!("{byte} is not allowed in {noun}"), "write letters, digits, \"-\", \".\", \"+\" and \"_\"")
            }
            "grouppart" => (format!("{byte} is not allowed in {noun}"), "write \"*\" alone"),
            _ => (format!("{byte} is not allowed in {noun}"), &*escape()),
        },
        SchemeRule::Begin if production == "domainlabel" => {
            (format!("{byte} begins {noun}"), "write a letter or digit there")
        }
        SchemeRule::Begin => (format!("{byte} begins {noun}"), "write a letter there"),
        SchemeRule::End => (format!("{byte} ends {noun}"), "write a letter or digit there"),
        SchemeRule::HostNumber => (format!("{wrong} is neither a domain name nor four numbers"), "write one of them"),
        SchemeRule::NoSlash => match production {
            "fileurl" | "prosperourl" => ("no \"/\" after the host".into(), "write it"),
            "nntpurl" => ("no \"/\" after the host".into(), "write it and a group"),
            "waisurl" => ("no \"/\" after the host".into(), "write it and a database"),
            _ => ("no \"/\" after the document's type".into(), "write it and a path"),
        },
        SchemeRule::NoType => ("no \"type=\" after \";\"".into(), "write \";type=\" and a, i or d, or %3B"),
        SchemeRule::Type => (format!("{wrong} is not an ftp type"), "write a, i or d"),
        SchemeRule::NoEquals => ("a field has no \"=\"".into(), "write \";name=value\""),
        SchemeRule::EmptyUser => {
            ("the user name is empty, which is not the same as absent".into(), &*format!("remove {wrong}"))
        }
        SchemeRule::Secret => {
            return (format!("everyone who sees the URL can read {wrong} (§6)"), format!("remove {wrong}"));
        }
        SchemeRule::Directory => {
            let what = format!("{wrong} should not be used with relative URLs (§5.3)");
            return (what, "end the path in \"/\"".into());
        }
        SchemeRule::QuestionMark => return (format!("\"?\" is not used in {scheme} (§2.3)"), escape()),
        SchemeRule::Wider if url[at] == b';' => {
            (format!("{wrong} is params (§2.4.5), and {scheme} has none"), &*escape())
        }
        SchemeRule::Wider => (format!("{wrong} is a query (§2.4.4), and {scheme} has none"), &*escape()),
        SchemeRule::Search => (format!("{wrong} is allowed in a query (§2.2), not in a search"), &*escape()),
    };
    let section = match (rule, production) {
        (SchemeRule::Delimiter | SchemeRule::EmptyUser, _) | (SchemeRule::Empty, "port") => "§3.1",
        (SchemeRule::Login, "httpurl") => "§3.3",
        _ => "§5",
    };
    (format!("{what} (RFC 1738 {section} {production})"), fix.into())
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
