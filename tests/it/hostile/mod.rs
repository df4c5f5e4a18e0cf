//! Hostile input: tables, each row with all that must come out, the status and the most memory.
//!
//! All input is made while the rows run. A clear message on standard error, status 1 or 2, and nothing lost; never a
//! signal, a panic, memory without bound or a raw control character in a message. Work that grows faster than its input
//! makes a row hang.

mod bytes;
mod feeds;
mod mails;
mod pages;
mod records;
mod row;
mod system;

/// What all see of a relative reference without a base.
pub const NO_BASE: &str =
    "the reference has no scheme and there is no base URL (§3.4); pass the document's URL with --base";

/// The end of the JSON object of the reference `g`.
pub const JSON_G: &str = r#""reference":"g","base":"http://a/b/c/d","url":"http://a/b/c/g","components":{"scheme":"http","net_loc":"a","path":"/b/c/g","params":"","query":"","fragment":""},"login":{"user":null,"password":null,"host":"a","port":null},"inherited":["scheme","net_loc"],"step":"6"}"#;

/// A message of HTML with one link.
pub const HTML: &str = "Content-Type: text/html\n\n<a href=g>";
