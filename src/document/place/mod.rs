//! Where a text inside texts is in the file, and how an answer is written there.
//!
//! A page has this link, at byte 0. Its URL is in CSS, which is in an attribute of HTML:
//!
//! ```text
//! <p style="a:url(x&amp;\26 y)">
//! ^0        ^10   ^16
//! ```
//!
//! | text | bytes | its [`layer`](layer::Layer): start, pieces that are written differently, escape |
//! |---|---|---|
//! | the value of `style` | `a:url(x&\26 y)` | 10; `&` at 7 is 5 bytes long; as HTML in `"` |
//! | the content of `url()` | `x&&y` | 6; the second `&` is 4 bytes long; as CSS |
//!
//! The link is the range 0..4 of `x&&y`. From the inside out it is 6..13 of the value: `x&\26 y`, and 16..27 of the
//! file. An answer goes the same way: `http://h/x&y` has no byte that CSS writes differently, and the value of an
//! attribute writes it as `http://h/x&amp;y`.
//!
//! | file | what it knows |
//! |---|---|
//! | [`layer`] | one text in another one, and the way out through all of them |
//! | [`pieces`] | how a layer is made where a text is read piece by piece |
//! | [`markdown`] | what Markdown is around a URL or HTML, and how that is written there |
//! | [`decoding`] | the charset of a text: what its bytes mean |
//! | [`lines`] | lines and columns |

pub mod decoding;
pub mod layer;
pub mod lines;
pub mod markdown;
pub mod pieces;
