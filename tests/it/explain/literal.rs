//! Step 6, and §5.2.4 of RFC 3986, by the words of the RFCs: text that is rewritten.

/// A path, byte by byte, each with whether it came from the base.
pub type Path = Vec<(u8, bool)>;

/// A removal: the step, where it begins in the path before it, what is removed, and the path after it.
pub struct Removal {
    pub step: &'static str,
    pub start: usize,
    pub removed: Vec<u8>,
    pub after: Path,
}

/// The bytes of a path.
pub fn path_bytes(path: &Path) -> Vec<u8> {
    path.iter().map(|(byte, _)| *byte).collect()
}

/// The starts of the path's segments. A slash at its start is in no segment: reading 10.
fn starts(path: &[u8]) -> Vec<usize> {
    let first = usize::from(path.first() == Some(&b'/'));
    let after = path.iter().enumerate().skip(first).filter(|(_, byte)| **byte == b'/').map(|(slash, _)| slash + 1);
    [first].into_iter().chain(after).collect()
}

/// The first pattern of a step in the path, by the words of the RFC.
fn pattern(step: &str, path: &[u8]) -> Option<std::ops::Range<usize>> {
    let segment = |start: usize| path[start..].split(|byte| *byte == b'/').next().expect("a first piece");
    starts(path).into_iter().find_map(|start| {
        let (segment, end) = (segment(start), start + segment(start).len());
        let rest = &path[end..];
        let length = match (step, segment, rest) {
            // "All occurrences of "./", where "." is a complete path segment"
            ("6a", b".", [b'/', ..]) => 2,
            // "If the path ends with "." as a complete path segment"
            ("6b", b".", b"") => 1,
            // "<segment>/../", where <segment> is a complete path segment not equal to ".."
            ("6c", segment, rest) if segment != b".." && rest.starts_with(b"/../") => segment.len() + 4,
            // "If the path ends with "<segment>/..""
            ("6d", segment, b"/..") if segment != b".." => segment.len() + 3,
            _ => return None,
        };
        Some(start..start + length)
    })
}

/// The base path with the reference's path in place of its last segment, and what is removed from that.
pub fn literal_step_6(base: &[u8], reference: &[u8]) -> (Path, Vec<Removal>) {
    let end = base.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let joined: Path =
        base[..end].iter().map(|byte| (*byte, true)).chain(reference.iter().map(|byte| (*byte, false))).collect();
    let (mut path, mut removals) = (joined.clone(), Vec::new());
    for step in ["6a", "6b", "6c", "6d"] {
        while let Some(place) = pattern(step, &path_bytes(&path)) {
            let start = place.start;
            let removed = path.drain(place).map(|(byte, _)| byte).collect();
            removals.push(Removal { step, start, removed, after: path.clone() });
            if step == "6d" {
                break; // once: reading 11
            }
        }
    }
    (joined, removals)
}

/// A move: its rule, then output and input after it.
pub type Move = (char, String, String);

/// The moves of RFC 3986 §5.2.4, done as its text says, 2A to 2E; several of E, one after the other, are one.
pub fn literal_moves(path: &str) -> Vec<Move> {
    let (mut output, mut input) = (String::new(), path.to_owned());
    let mut moves: Vec<Move> = Vec::new();
    while !input.is_empty() {
        let starts = |prefix: &str| input.strip_prefix(prefix).map(str::to_owned);
        let (rule, rest) = if let Some(rest) = starts("../").or_else(|| starts("./")) {
            ('A', rest)
        } else if let Some(rest) = starts("/./").or_else(|| starts("/.").filter(String::is_empty)) {
            ('B', "/".to_owned() + &rest)
        } else if let Some(rest) = starts("/../").or_else(|| starts("/..").filter(String::is_empty)) {
            output.truncate(output.rfind('/').unwrap_or(0));
            ('C', "/".to_owned() + &rest)
        } else if input == "." || input == ".." {
            ('D', String::new())
        } else {
            let end = input.bytes().skip(1).position(|byte| byte == b'/').map_or(input.len(), |end| end + 1);
            output += input.get(..end).expect("ASCII");
            ('E', input.get(end..).expect("ASCII").to_owned())
        };
        input = rest;
        moves.pop_if(|last| last.0 == 'E' && rule == 'E');
        moves.push((rule, output.clone(), input.clone()));
    }
    moves
}
