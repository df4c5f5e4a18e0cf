//! The value of `--allow`: a host, `*.host` or `scheme:`.

use std::ffi::OsStr;
use std::net::Ipv4Addr;
use std::path::Path;

use crate::compare::leaving::{Allowed, WEB};
use crate::output::location::Shortened;
use crate::resolver::parse as parse_url;
use crate::rfc1738::login::Login;
use crate::rfc1738::schemes::is_common;
use crate::source::Source;
use crate::spec::Spec;
use crate::spec::prepared::{PreparedBase, spell_host};

/// Parses a value, with the base URL of the command line.
///
/// # Errors
/// It is not one host, domain or scheme, or it allows every host. The end of a sentence that begins with it.
pub fn parse(source: &OsStr, base: &[u8]) -> Result<Allowed, String> {
    let text = source.to_str().unwrap_or("\u{FFFD}");
    let (url, base_scheme) = (parse_url(text.as_bytes()), parse_url(base).scheme.unwrap_or_default());
    let name = text.split(':').next().unwrap_or_default();
    let is_name = text == name || url.scheme.is_some_and(|scheme| scheme.len() + 1 == text.len());
    let has_hosts = WEB.iter().chain([&base_scheme]).any(|scheme| name.as_bytes().eq_ignore_ascii_case(scheme));
    Err(match url.scheme {
        _ if text.is_empty() => "is empty; name a host, *.host or scheme:".into(),
        _ if text.contains(',') => "has a comma; use one --allow for each".into(),
        _ if text == "*" || is_name && has_hosts => "allows every host; name the host".into(),
        Some(_) if is_name => return Ok(Allowed::Scheme(name.to_ascii_lowercase())),
        _ if is_name && is_common(name.as_bytes()) => format!("is a scheme; write {name}:"),
        Some(scheme) if is_common(scheme) && url.net_loc.is_none() => format!("is more than a scheme; write {name}:"),
        _ => match (read_host(text), bare_host(text)) {
            (Ok(allowed), _) => return Ok(allowed),
            (_, Some(host)) => {
                let host = Shortened(host.as_bytes());
                format!("is more than a host; write {host}")
            }
            (Err(why), _) => why.into(),
        },
    })
}

/// Checks a value for `--check=files`: an ending that the server adds to names, or links that pass.
///
/// # Errors
/// It is neither. The end of a sentence that begins with it.
pub fn check_for_files(source: &OsStr) -> Result<(), &'static str> {
    let text = source.as_encoded_bytes();
    match text {
        _ if text.contains(&b',') => Err("has a comma; write --allow before each"),
        _ if text.iter().any(|byte| b"?#".contains(byte)) => Err("has a query or a fragment; omit it"),
        [b'.', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', ending @ ..]
            if !ending.iter().any(|byte| b"/ ".contains(byte)) =>
        {
            Ok(())
        }
        [b'/', rest @ ..] if !matches!(rest, [b'/' | b'\\', ..]) => Ok(()),
        _ if Source::File(Path::new(source)).is_url() && is_of_web(text) => Ok(()),
        _ => Err("is not an ending such as .html, a path such as /api/, or a URL"),
    }
}

/// Whether browsers take a text for an http or https URL.
pub fn is_of_web(text: &[u8]) -> bool {
    let mut url = Vec::new();
    let is_url = PreparedBase::new(Spec::Whatwg, text).resolve(b"/", &mut url).is_ok();
    is_url && (url.starts_with(b"http:") || url.starts_with(b"https:"))
}

/// Reads a host or `*.host`.
fn read_host(text: &str) -> Result<Allowed, &'static str> {
    let domain = text.strip_prefix("*.");
    let host = domain.unwrap_or(text);
    if host.contains('*') {
        return Err("has a * that is not the first label; write *.host");
    } else if host.starts_with('.') {
        return Err("begins with a dot; write *.host for the hosts below it");
    }
    let host = spell_host(b"http", host.as_bytes())
        .ok_or("is not a host; write a domain name, or an IP address, IPv6 in brackets")?;
    match domain {
        None => Ok(Allowed::Host(host)),
        Some(_) if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() => {
            Err("is below an IP address, where nothing is; write the address")
        }
        Some(_) => Ok(Allowed::Below(host)),
    }
}

/// The host in a URL, or before a port or a path, if it can be allowed.
fn bare_host(text: &str) -> Option<&str> {
    let rest = text.split_once("//").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = str::from_utf8(Login::divide(authority.as_bytes()).host).ok()?;
    read_host(host).is_ok_and(|_| host != text && !is_common(host.as_bytes())).then_some(host)
}
