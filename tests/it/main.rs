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

mod harness;
// what the program is measured against
mod bnf;
mod generate;
mod oracle;
mod table;
// the tests
mod check;
mod clauses;
mod cli;
mod documents;
mod explain;
mod formats;
mod grammar;
mod help;
#[cfg(unix)]
mod hostile;
mod laws;
mod messages;
#[cfg(feature = "spec")]
mod pairs;
#[cfg(unix)]
mod progress;
#[cfg(feature = "spec")]
mod reasons;
mod refuse;
mod resolve;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod spark;
#[cfg(feature = "spec")]
mod spec;
