//! §4 step 6: the base path and the reference path become one, without dot segments.
//!
//! The RFC rewrites a string four times, in the order a, b, c, d. One pass over the segments does
//! the same (law 5), with the output as its stack: all that comes before a segment is clean
//! already, so what a `..` may remove is the last thing written. Each removal is told to an
//! observer; sorted by its rule, stably, the removals are the RFC's own, in the RFC's order.

use memchr::memrchr;

/// One removal of step 6, as it happens.
pub struct Removed<'a> {
    /// The segment that a `..` removes, with its slash; empty for rules a and b.
    pub parent: &'a [u8],
    /// The dot segment; it names the rule: `./` a, `.` b, `../` c, `..` d.
    pub dots: &'a [u8],
    /// Where `dots` begins in the text that step 6 starts from, `directory(base)` then the
    /// reference path: bytes from 0.
    pub at: usize,
}

/// A path without its last segment, which is what follows the right-most slash, or all of it where
/// no slash is.
pub fn directory(path: &[u8]) -> &[u8] {
    path.split_at(memrchr(b'/', path).map_or(0, |slash| slash + 1)).0 // silent: reading 12
}

/// Makes `path` the path of step 6, in one linear pass. At most as long as both paths together.
pub fn merge(base: &[u8], reference: &[u8], path: &mut Vec<u8>, mut removed: impl FnMut(Removed<'_>)) {
    path.clear();
    let mut at = 0;
    let segments = |path| <[u8]>::split_inclusive(path, |&byte| byte == b'/');
    for segment in segments(directory(base)).chain(segments(reference)) {
        let kept = match segment {
            b"./" | b"." => Some(path.len()), // §4 step 6a, 6b
            b"../" | b".." => parent(path),   // §4 step 6c, 6d
            _ => None,
        };
        match kept {
            Some(kept) => {
                let parent = path.split_at(kept).1;
                removed(Removed { parent, dots: segment, at });
                path.truncate(kept);
            }
            None => path.extend_from_slice(segment),
        }
        at += segment.len();
    }
}

/// Where the last segment of a clean path begins, if a `..` behind it removes it: not if it is `..`
/// itself, nor if only the path's own leading slash is there, which belongs to no segment.
pub fn parent(path: &[u8]) -> Option<usize> {
    let above = path.strip_suffix(b"/")?;
    let directory = directory(above);
    let segment = above.split_at(directory.len()).1;
    (!above.is_empty() && segment != b"..").then_some(directory.len()) // silent: readings 10 and 11
}
