//! The loop over documents: their links, the document itself with its links resolved, or its base.

mod base;
mod bases;
mod file;
mod in_place;
mod job;
mod links;
mod pairs;
mod redirects;
mod rewrite;
mod run;
mod sums;
mod urls;
mod walk;

pub use base::{find_base, print_bases};
pub use in_place::rewrite_in_place;
pub use job::{Documents, ReadOptions};
pub use links::links;
pub use rewrite::rewrite;
pub use urls::{escape_path, url_below, urls_below};
pub use walk::{misuse, slip};
