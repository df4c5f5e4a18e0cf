//! RFC 1738: what is inside a net_loc, and the syntax of each scheme.
//!
//! Resolution needs nothing of it: §2.3 says that the differences between the schemes can be ignored.
//! `--json`, `--explain` and `--compare` divide a net_loc, and `--check=scheme` reads the grammars:
//! in `http://u@h:80x/`, [`login`] finds the user `u`, the host `h` and the port `80x`, and
//! [`schemes`] says that http has no user, and that `x` is no digit.
//!
//! | RFC 1738 | where |
//! |---|---|
//! | §3.1 user, password, host, port | [`login`] |
//! | §3.1, §3.3, §5 what a scheme does not allow | [`schemes`], [`production`] |
//! | §2.3, §5.3 and §6 of RFC 1808: what is legal, but perhaps not meant | [`notes`] |

pub mod login;
pub mod notes;
pub mod production;
pub mod schemes;
