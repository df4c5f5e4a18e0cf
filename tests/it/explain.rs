//! `--explain`: every byte of it is built a second time, from its JSON, from the oracle, and from a step 6 that rewrites
//! text as the RFC does; and compared.

use serde_json::{Value, json};

use crate::generate::{Pair, Random, as_pairs};
use crate::harness::{absurl, objects, records};
use crate::oracle::{self, Components};
use crate::resolve::{NAMES, named};

/// A path, byte by byte, each with whether it came from the base.
type Path = Vec<(u8, bool)>;

// ------------------------------------------------------------------------------------------------------------ chance

/// Random pairs of what is of interest to §2.4 and §4. Some paths are too long to be drawn, or have other bytes.
fn pairs(seed: u64, count: usize) -> Vec<Pair> {
    const BASES: [&str; 16] = [
        "http://a",
        "http://a/",
        "http://a/b/c",
        "http://a/b/",
        "x:",
        "x:a/b",
        "urn:a",
        "file://",
        "x:/",
        "http://h;p",
        "http://a//",
        "http://a/b/c;p?q#f",
        "mailto:",
        "",
        "",
        "b",
    ];
    const STARTS: [&str; 13] = ["", "", "", "", "../", "./", "/", "//", "//h", "?", ";", "#", "g:"];
    const PIECES: [&str; 26] = [
        "/", "/", "/", "..", "../", "../", "../", ".", "./", "./", "g", "h/", "b/", "//", ".g", "g.", "...", ";", "?",
        "#", ":", "-", "segment/", "\u{E9}", "%2e", "@",
    ];
    const ODD: [&[u8]; 5] = [b"\n", b"\x1B[m", b"\xFF", "\u{202E}".as_bytes(), b" "];
    let mut random = Random(seed);
    let mut text = |starts: &[&str]| {
        let most = [3, 6, 12, 40][random.below(4)];
        let mut text = random.pick(starts).as_bytes().to_vec();
        for _ in 0..random.below(most) {
            text.extend_from_slice(random.pick(&PIECES).as_bytes());
        }
        if random.below(20) == 0 {
            text.extend_from_slice(random.pick(&ODD));
        }
        text
    };
    (0..count).map(|_| (text(&BASES), text(&STARTS))).collect()
}

/// What the program writes for the pairs.
fn run(arguments: &[&str], pairs: &[Pair]) -> Vec<u8> {
    absurl(&["-q", "-0", "--pairs"]).arguments(arguments).input(as_pairs(pairs, b'\0')).output().stdout
}

// ---------------------------------------------------------------------------------------------------- step 6, literally

/// A removal: the step, where it begins in the path before it, what is removed, and the path after it.
struct Removal {
    step: &'static str,
    start: usize,
    removed: Vec<u8>,
    after: Path,
}

/// The bytes of a path.
fn bytes(path: &Path) -> Vec<u8> {
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
fn step_6(base: &[u8], reference: &[u8]) -> (Path, Vec<Removal>) {
    let end = base.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let joined: Path =
        base[..end].iter().map(|byte| (*byte, true)).chain(reference.iter().map(|byte| (*byte, false))).collect();
    let (mut path, mut removals) = (joined.clone(), Vec::new());
    for step in ["6a", "6b", "6c", "6d"] {
        while let Some(place) = pattern(step, &bytes(&path)) {
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

// --------------------------------------------------------------------------------------------------------- rendering

/// Bytes as a person sees them.
fn escaped(bytes: &[u8]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |hex, byte| hex + &format!("\\x{byte:02X}"));
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            let same = char.escape_debug().eq([char]) || "'\"\\".contains(char);
            shown += &if same { char.to_string() } else { hex(char.to_string().as_bytes()) };
        }
        shown += &hex(chunk.invalid());
    }
    shown
}

/// Bytes as JSON has them.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A component or a path as a person sees it.
fn value(bytes: &[u8]) -> String {
    match bytes {
        b"" => "-".to_owned(),
        b"-" => "\\x2D".to_owned(),
        bytes => escaped(bytes),
    }
}

/// Text and spaces, at least so many characters.
fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.chars().count()))
}

/// The six components of a URL; an empty net_loc is `//`.
fn components(url: &[u8]) -> [Vec<u8>; 6] {
    let Components { scheme, net_loc, path, params, query, fragment } = oracle::parse(url);
    let net_loc = net_loc.map(|net_loc| if net_loc.is_empty() { b"//".to_vec() } else { net_loc });
    [scheme.unwrap_or_default(), net_loc.unwrap_or_default(), path, params, query, fragment]
}

/// User, password, host and port of a net_loc (RFC 1738 §3.1); an empty one is its delimiter.
fn login(net_loc: &[u8]) -> [Vec<u8>; 4] {
    let net_loc = if net_loc == b"//" { b"" } else { net_loc };
    let (login, hostport) = match net_loc.iter().rposition(|byte| *byte == b'@') {
        Some(at) => (Some(&net_loc[..at]), &net_loc[at + 1..]),
        None => (None, net_loc),
    };
    let colon = |text: &[u8]| text.iter().position(|byte| *byte == b':');
    let before = |text: &[u8]| text[..colon(text).unwrap_or(text.len())].to_vec();
    let after = |text: &[u8]| colon(text).map(|colon| text[colon + 1..].to_vec());
    let shown = |part: Option<Vec<u8>>, delimiter: &[u8]| {
        part.map_or_else(Vec::new, |part| if part.is_empty() { delimiter.to_vec() } else { part })
    };
    [shown(login.map(before), b"@"), shown(login.and_then(after), b":"), before(hostport), shown(after(hostport), b":")]
}

/// A record that is explained.
struct Record<'a> {
    base: &'a [u8],
    reference: &'a [u8],
    /// The plain answer; empty if there is no answer.
    plain: &'a [u8],
    /// The names of the inherited components.
    inherited: Vec<&'static str>,
    object: &'a Value,
    /// What step 6 starts from, and what it removes; nothing if it was not done.
    joined: Path,
    removals: Vec<Removal>,
}

impl Record<'_> {
    /// Whether step 6 was done.
    fn is_merged(&self) -> bool {
        self.object["step"] == "6"
    }

    /// Whether the base has a net_loc and no path: reading 5.
    fn has_no_path(&self) -> bool {
        let base = oracle::parse(self.base);
        base.net_loc.is_some() && base.path.is_empty()
    }

    /// The base path that is merged.
    fn base_path(&self) -> Vec<u8> {
        if self.has_no_path() { b"/".to_vec() } else { oracle::parse(self.base).path }
    }

    /// Whether step 6 is drawn.
    fn is_drawn(&self) -> bool {
        let is_short = |path: &[u8]| path.len() <= 60 && path.iter().all(|byte| (0x21..0x7F).contains(byte));
        self.is_merged() && is_short(&self.base_path()) && is_short(&bytes(&self.joined)) && self.removals.len() <= 10
    }

    /// Where the answer's path came from.
    fn origin_of_path(&self, path: &[u8]) -> String {
        let own = if self.inherited.contains(&"path") { self.base } else { self.reference };
        let (before, step) = match self.removals.last().map_or(&self.joined, |removal| &removal.after) {
            merged if self.is_merged() => (merged.clone(), true),
            _ => (components(own)[2].iter().map(|byte| (*byte, own == self.base)).collect(), false),
        };
        let came_from = |from_base| before.iter().any(|(_, base)| *base == from_base);
        let whose = match (came_from(true), came_from(false)) {
            (true, true) => "both",
            (true, false) => "base",
            (false, true) => "reference",
            (false, false) => return "step 7".to_owned(),
        };
        let steps = match (step, bytes(&before) != path) {
            (false, false) => "",
            (true, false) => ", step 6",
            (false, true) => ", step 7",
            (true, true) => ", steps 6 and 7",
        };
        format!("{whose}{steps}")
    }

    /// The table.
    fn table(&self) -> String {
        let mut columns =
            vec![("reference", components(self.reference).to_vec()), ("answer", components(self.plain).to_vec())];
        if !self.base.is_empty() {
            columns.insert(0, ("base", components(self.base).to_vec()));
        }
        let mut names = NAMES.to_vec();
        if columns.iter().any(|(_, cells)| cells[1].iter().any(|byte| b"@:".contains(byte))) {
            names.splice(2..2, ["user", "password", "host", "port"]);
            for (_, cells) in &mut columns {
                let parts = login(&cells[1]);
                cells.splice(2..2, parts);
            }
        }
        let mut lines = vec![" ".repeat(12)];
        lines.extend(names.iter().map(|name| format!("  {name:10}")));
        for (title, cells) in &columns {
            let shown: Vec<_> = cells.iter().map(|cell| value(cell)).collect();
            let widest = shown.iter().map(|cell| cell.chars().count()).max().expect("cells");
            let width = widest.min(40).max(title.len());
            for (line, cell) in lines.iter_mut().zip([*title].into_iter().chain(shown.iter().map(String::as_str))) {
                *line += &(padded(cell, width) + "  ");
            }
        }
        lines[0] += "from";
        let (_, answer) = columns.last().expect("the answer");
        for ((line, name), part) in lines[1..].iter_mut().zip(names).zip(answer) {
            let component = if NAMES.contains(&name) { name } else { "net_loc" };
            *line += &match name {
                _ if part.is_empty() => "-".to_owned(),
                "path" => self.origin_of_path(part),
                _ => if self.inherited.contains(&component) { "base" } else { "reference" }.to_owned(),
            };
        }
        lines.join("\n") + "\n"
    }

    /// The steps, each with the texts of its JSON and the paths of the literal step 6.
    fn steps(&self) -> String {
        let object = self.object;
        let field = |item: &Value, name: &str| item[name].as_str().map(str::to_owned);
        let (is_drawn, joined) = (self.is_drawn(), bytes(&self.joined));
        let width = value(&self.base_path()).len().max(value(&joined).len());
        let mut is_base_path = is_drawn || self.has_no_path();
        let (mut text, mut before, mut left) = (String::new(), String::new(), self.removals.iter());
        for item in object["steps"].as_array().expect("steps") {
            let (step, words) = (field(item, "step").expect("a step"), field(item, "text").expect("a text"));
            let removal = item.get("removed").map(|_| left.next().expect("no more removals than the RFC's"));
            let label = match &*step {
                "note" => "Note     ".to_owned(),
                "error" => "error: ".to_owned(),
                _ if step == before && removal.is_none() => " ".repeat(9),
                _ if step.len() == 1 => format!("Step {step}   "),
                _ => format!("     {step}  "),
            };
            // what is drawn before the words, and the path in the line after them
            let (mut column, mut path) = (String::new(), None);
            if let Some(Removal { step: own, start, removed, after }) = removal {
                assert_eq!((&*step, &*words), (*own, &*format!("\"{}\" removed", escaped(removed))), "{object}");
                assert_eq!(item["removed"], lossy(removed), "{object}");
                column = " ".repeat(*start) + &"^".repeat(removed.len());
                path = (is_drawn || left.len() == 0).then(|| bytes(after));
                assert_eq!(field(item, "path"), path.as_deref().map(lossy), "{object}");
            } else if self.is_merged() && step == "6" {
                let is_shown = is_drawn || !is_base_path && self.removals.is_empty();
                path = is_shown.then(|| if is_base_path { self.base_path() } else { joined.clone() });
                is_base_path = false;
                assert_eq!(field(item, "path"), path.as_deref().map(lossy), "{object}");
                if is_drawn {
                    column = value(&path.take().expect("a path"));
                }
            } else {
                assert_eq!(item.get("path"), None, "{object}");
            }
            text += &label;
            if is_drawn && step.starts_with('6') {
                text += &padded(&column, width + 5);
            }
            text += &(words + "\n");
            if let Some(path) = path {
                text += &(" ".repeat(9) + &value(&path) + "\n");
            }
            before = step;
        }
        assert!(left.next().is_none(), "a removal is missing: {object}");
        text
    }

    /// Checks what is parsed, and that each step is there.
    fn assert_complete(&self) {
        let object = self.object;
        let steps = object["steps"].as_array().expect("steps");
        let mut numbers: Vec<_> = steps.iter().map(|item| item["step"].as_str().expect("a step")).collect();
        numbers.retain(|step| !["note", "error"].contains(step));
        assert!(numbers.is_sorted(), "{object}");
        numbers.dedup();
        numbers.retain(|step| step.len() == 1);
        assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7"], "{object}");

        let named = |url: &[u8]| named(&oracle::parse(url));
        let is_parsed = oracle::parse(self.base).scheme.is_some();
        let expected = is_parsed.then(|| json!({ "base": named(self.base), "reference": named(self.reference) }));
        let parsed: Vec<_> =
            steps.iter().filter_map(|item| Some((item["step"].as_str()?, item.get("parsed")?))).collect();
        assert_eq!(parsed, Vec::from_iter(expected.as_ref().map(|parsed| ("2", parsed))), "{object}");
    }
}

/// How a record should be explained.
fn explanation(number: usize, (base, reference): &Pair, plain: &[u8], object: &Value) -> String {
    let answer = oracle::resolve(base, reference);
    let inherited = answer.as_ref().map(|answer| answer.inherited.clone()).unwrap_or_default();
    let (joined, removals) = (Vec::new(), Vec::new());
    let mut record = Record { base, reference, plain, inherited, object, joined, removals };
    if record.is_merged() {
        (record.joined, record.removals) = step_6(&record.base_path(), &oracle::parse(reference).path);
    }
    record.assert_complete();
    let header = if reference.is_empty() { String::new() } else { format!(" {}", escaped(reference)) };
    let text = format!("-:{number}:{header}\n\n{}\n{}", record.table(), record.steps());
    let last = text.lines().next_back().expect("a line");
    match &answer {
        Ok(answer) => {
            assert_eq!(answer.url, plain);
            assert!(last.ends_with(&format!(" {}", escaped(plain))), "{last}");
            let own: Vec<_> = record.removals.iter().map(|removal| (removal.step, removal.removed.clone())).collect();
            let theirs: Vec<_> = answer.removals.iter().map(|(rule, removed)| (format!("6{rule}"), removed)).collect();
            assert!(own.iter().map(|(step, removed)| (step.to_string(), removed)).eq(theirs), "{object}");
        }
        Err(_) => assert_eq!(last, format!("error: {}", object["error"]["message"].as_str().expect("a message"))),
    }
    text
}

/// Checks random pairs.
fn check(seed: u64, count: usize) {
    let pairs = pairs(seed, count);
    let plain = run(&[], &pairs);
    let plain = records(&plain, b'\0');
    let objects = objects(run(&["-e", "-j"], &pairs));
    let text = String::from_utf8(run(&["-e"], &pairs)).expect("an explanation is text");
    assert_eq!((plain.len(), objects.len()), (count, count));
    let (mut rest, mut drawn, mut listed) = (text.as_str(), 0, 0);
    for (index, (pair, (plain, object))) in pairs.iter().zip(plain.into_iter().zip(&objects)).enumerate() {
        let blank = if index > 0 { "\n" } else { "" };
        let expected = blank.to_owned() + &explanation(index + 1, pair, plain, object);
        assert_eq!(rest.get(..expected.len()).unwrap_or(rest), expected, "{object}");
        rest = rest.split_at(expected.len()).1;
        let (is_drawn, is_removed) = (expected.contains("^ "), expected.contains("\" removed\n"));
        drawn += usize::from(is_drawn);
        listed += usize::from(is_removed && !is_drawn);
    }
    assert_eq!(rest, "");
    assert!(drawn > count / 10 && listed > count / 20, "drawn {drawn}, listed {listed} of {count}");
}

// ------------------------------------------------------------------------------------------------------------- tests

#[test]
fn explanations_are_the_rfc_s_own_and_agree_with_json_and_the_answer() {
    check(1, 30_000);
}

/// An explanation with colors, by their codes: 36 base, 32 reference, 31 removed, 2 skipped.
fn colored(base: &str, reference: &str) -> String {
    let run = absurl(&["-e", "--color", "always", "-b", base, "--", reference]);
    run.text().0.replace("\x1B[", "[")
}

#[test]
fn colors_show_the_origin_to_the_byte() {
    for (base, reference, last) in [
        ("http://a/b;p?q", "#s", "[36mhttp://a/b;p?q[0m[32m#s[0m"),
        ("http://a/b;p?q", "?y", "[36mhttp://a/b;p[0m[32m?y[0m"),
        ("http://a/b;p?q", ";x", "[36mhttp://a/b[0m[32m;x[0m"),
        ("http://a/b;p?q", "/g", "[36mhttp://a[0m[32m/g[0m"),
        ("http://a/b;p?q", "//h", "[36mhttp:[0m[32m//h[0m"),
        ("http://a/b/c", "../g", "[36mhttp://a/[0m[32mg[0m"),
        ("http://a/b/c", "..", "[36mhttp://a/[0m"),
        ("http://a", "?y", "[36mhttp://a/[0m[32m?y[0m"),
        ("x:/a", ".//b", "[36mx:/./[0m[32m/b[0m"),
        ("http://a/b#f", "", "[2mskipped by 2a[0m; the answer is [36mhttp://a/b#f[0m"),
        ("http://a/b#f", "g:h", "[2mskipped by 2b[0m; the answer is [32mg:h[0m"),
        ("", "g:h", "[2mskipped by 1[0m; the answer is [32mg:h[0m"),
    ] {
        let text = colored(base, reference);
        let line = text.lines().next_back().expect("a line");
        assert_eq!(line.trim_start_matches("Step 7").trim_start(), last, "{text}");
    }
}

#[test]
fn colors_show_what_is_removed_and_what_is_skipped() {
    let text = colored("http://a/b/c", "../g");
    for line in [
        "  path      [36m/b/c[0m  [32m../g[0m       [36m/[0m[32mg[0m      both, step 6",
        "         [36m/b/[0m[32m../g[0m     \"[36mc[0m\" replaced by the reference's path",
        "     6c   [31m^^^^^[0m      \"[31mb/../[0m\" removed",
        "         [36m/[0m[32mg[0m",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    let text = colored("http://a/b/c", "g:h");
    assert!(text.contains("\n[2m     2c  skipped by 2b[0m\n[2mStep 3   skipped by 2b[0m\n"), "{text}");
}
