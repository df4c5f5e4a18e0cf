//! Hostile input: tables, each row with all that must come out, the status and the most memory.
//!
//! All input is made while the rows run. A clear message on standard error, status 1 or 2, and nothing lost; never a
//! signal, a panic, memory without bound or a raw control character in a message. Work that grows faster than its input
//! makes a row hang.

mod bytes;
mod feeds;
mod mails;
mod markdown;
mod pages;
mod records;
mod row;
mod system;
pub mod types;

/// The end of the JSON object of the reference `g`.
pub const JSON_G: &str = r#""spec":"rfc1808","reference":"g","base":"http://a/b/c/d","url":"http://a/b/c/g","components":{"scheme":"http","net_loc":"a","path":"/b/c/g","params":"","query":"","fragment":""},"user":null,"password":null,"host":"a","port":null,"inherited":["scheme","net_loc"],"step":"6"}"#;

/// The answer to the link `g`.
pub const G: &str = "http://a/b/c/g\n";

/// The answers to the links `g` and `h`.
pub const GH: &str = "http://a/b/c/g\nhttp://a/b/c/h\n";

/// A message of HTML with one link.
pub const HTML: &str = "Content-Type: text/html\n\n<a href=g>";
