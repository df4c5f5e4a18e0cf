//! §4 step 6: the base path and the reference path become one, without dot segments.
//!
//! The RFC rewrites a string four times, in the order a, b, c, d. One pass over the segments does
//! the same (law 5), with the output as its stack: everything before the current segment is clean,
//! so a `..` can only remove the last segment written. Each removal is passed to an observer;
//! sorted by their rules, stably, the removals are the RFC's own, in the RFC's order.

use memchr::{memchr, memrchr};

/// One removal of step 6, as it happens.
pub struct Removed<'a> {
    /// The segment that a `..` removes, with its slash; empty for rules a and b.
    pub parent: &'a [u8],
    /// The dot segment, which names the rule: `./` a, `.` b, `../` c, `..` d.
    pub dots: &'a [u8],
    /// Where `dots` starts in the text that step 6 starts from, `directory(base)` then the
    /// reference path: bytes from 0.
    pub at: usize,
}

/// A path without its last segment, which is everything after the right-most slash, or the entire
/// path if it has no slash.
pub fn directory(path: &[u8]) -> &[u8] {
    &path[..memrchr(b'/', path).map_or(0, |slash| slash + 1)] // silent: reading 12
}

/// Sets `path` to the path of step 6, in one linear pass. At most as long as both paths together.
///
/// `base` is [`Parts::path_to_merge`](super::Parts::path_to_merge).
pub fn merge(base: &[u8], reference: &[u8], path: &mut Vec<u8>, mut removed: impl FnMut(Removed<'_>)) {
    let above = directory(base);
    // without dots it is clean as it is
    let clean = if memchr(b'.', above).is_none() { above.len() } else { 0 };
    path.clear();
    path.extend_from_slice(&above[..clean]);
    let mut at = clean;
    let segments = |path| <[u8]>::split_inclusive(path, |&byte| byte == b'/');
    for segment in segments(&above[clean..]).chain(segments(reference)) {
        let end = match segment {
            b"./" | b"." => Some(path.len()), // §4 step 6a, 6b
            b"../" | b".." => parent(path),   // §4 step 6c, 6d
            _ => None,
        };
        match end {
            Some(end) => {
                removed(Removed { parent: &path[end..], dots: segment, at });
                path.truncate(end);
            }
            None => path.extend_from_slice(segment),
        }
        at += segment.len();
    }
}

/// Where the last segment of a clean path starts, if a `..` after it removes it: not if it is `..`
/// itself, nor if the path is only its leading slash, which belongs to no segment.
pub fn parent(path: &[u8]) -> Option<usize> {
    let above = path.strip_suffix(b"/")?;
    let start = directory(above).len();
    (!above.is_empty() && &above[start..] != b"..").then_some(start) // silent: readings 10 and 11
}

/// Whether a path has a segment `.` or `..`.
pub fn has_dot_segments(path: &[u8]) -> bool {
    has_segment(path, b".") || has_segment(path, b"..")
}

/// Whether `segment` is one of a path's segments.
pub fn has_segment(path: &[u8], segment: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|one| one == segment)
}
