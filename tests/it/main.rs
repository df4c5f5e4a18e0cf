//! The program as its users see it: tables, laws, documents, hostile input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::format_collect,
    clippy::too_many_lines,
    clippy::cast_possible_truncation,
    clippy::missing_docs_in_private_items,
    reason = "a failed test panics, may be slow and long, and its name is its documentation"
)]
// what only tests for Unix or Linux use
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod harness;
// what the program is measured against
mod bnf;
mod generate;
mod oracle;
mod table;
// the tests
mod allow;
mod by_spec;
#[cfg(unix)]
mod charsets;
mod check;
mod clauses;
mod cli;
mod css;
#[cfg(unix)]
mod directories;
mod documents;
#[cfg(unix)]
mod dry_run;
mod explain;
mod files;
mod flags;
#[cfg(unix)]
mod follow;
mod formats;
mod grammar;
mod headers;
mod help;
#[cfg(unix)]
mod hostile;
mod hosts;
mod imports;
#[cfg(unix)]
mod in_place;
mod json;
mod laws;
mod leaves;
mod links;
mod mails;
mod markdown;
mod messages;
#[cfg(unix)]
mod moved;
mod moves;
mod pairs;
#[cfg(unix)]
mod pictures;
mod places;
#[cfg(unix)]
mod progress;
mod readme;
mod reasons;
mod refuse;
mod relative;
#[cfg(unix)]
mod requests;
mod resolve;
mod rewrite;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod sites;
mod spec;
mod texts;
#[cfg(unix)]
mod types;
mod wary;
mod xml;
