//! Messages (§3.1) and the entities that they consist of (§3.2): RFC 822, MIME, and HTTP's headers.
//!
//! mail-parser reads Content-Type fields and transfer encodings. Where parts start is decided here,
//! line by line: a boundary is a whole line (RFC 2046 §5.1.1), and nothing is recursive.

mod begin;
mod decode;
mod entity;
mod fields;
mod header;
mod http;
mod links;
mod mailbox;
mod text;
mod url;
mod walk;

pub use begin::{is_message, is_response};
pub use entity::{Coding, Entity, Kind};
pub use header::line_at;
pub use links::HeaderLinks;
pub use mailbox::Mailbox;
pub use text::MessageText;
pub use walk::{Arrived, Walker};
