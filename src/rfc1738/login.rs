//! RFC 1738 §3.1: the user name, password, host and port in a net_loc. Nothing else reads a net_loc.

use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::resolver::{parse, parts::cut};

/// The parts of a net_loc. A part without its delimiter is `None`, which is not the same as an empty
/// one: `//@h/` has an empty user name, `//h/` has none, and `//u:@h/` has an empty password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Login<'a> {
    /// Everything before the last `@`, up to the first `:` in it.
    pub user: Option<&'a [u8]>,
    /// Everything after that `:`. There is no password without a user name.
    pub password: Option<&'a [u8]>,
    /// Everything after the last `@`, up to the next `:`.
    pub host: &'a [u8],
    /// Everything after that `:`.
    pub port: Option<&'a [u8]>,
}

impl<'a> Login<'a> {
    /// Divides a net_loc. Never fails.
    pub fn divide(net_loc: &'a [u8]) -> Self {
        let (login, hostport) = match memrchr(b'@', net_loc) {
            Some(at) => (Some(&net_loc[..at]), &net_loc[at + 1..]),
            None => (None, net_loc),
        };
        let (user, password) = login.map(|login| cut(login, b':')).unzip();
        // an IPv6 address in brackets, which RFC 2732 added later, is full of colons
        let address = hostport.strip_prefix(b"[").and_then(|address| memchr(b']', address)).map_or(0, |at| at + 2);
        let (name, port) = cut(&hostport[address..], b':');
        Login { user, password: password.flatten(), host: &hostport[..address + name.len()], port }
    }
}

/// Where the host of a URL is in its text; empty if it has none.
pub fn host_range(url: &[u8]) -> Range<usize> {
    let parts = parse(url);
    let [_, end, ..] = parts.ends(url);
    let Login { host, port, .. } = Login::divide(parts.net_loc.unwrap_or_default());
    let end = end - port.map_or(0, |port| port.len() + 1);
    end - host.len()..end
}
