//! The law of the same requests: what a page requests in a browser, it requests after `--rewrite` elsewhere, and after
//! `--rewrite --relative` where its host moved to. `tests/browser/requests` holds it on all pages.

use crate::harness::{has, shell};
use crate::pictures::browser;

/// A page of each kind, by their names.
const PAGES: &str = "/(link|form)-(empty-base-first|charset-late)|/link-value-base-last";

#[test]
fn a_rewritten_page_makes_the_same_requests() {
    let Some(browser) = browser().filter(|_| has("python3")) else { return };
    let command = "tests/browser/requests --absurl \"$(command -v absurl)\"";
    let (stdout, stderr, status) = shell(&format!("{command} --chromium {browser} --only '{PAGES}'")).text();
    assert_eq!((status, &*stderr), (0, ""), "{stdout}");
}
