//! `--explain`: every byte of it is built a second time, from its JSON, from the oracle, and from a step 6 that rewrites
//! text as the RFC does; and compared.

mod literal;
mod record;
mod sentence;
mod uri;
mod url;

#[cfg(unix)]
use std::process::Stdio;

use serde_json::Value;

use self::literal::literal_step_6;
use self::record::Record;
use crate::generate::{Pair, Random, as_pairs};
use crate::harness::{absurl, parse_objects, records};
use crate::oracle;
#[cfg(unix)]
use crate::progress::{open_terminal, read_screen};

// ------------------------------------------------------------------------------------------------------------ chance

/// Random pairs of what is of interest to §2.4 and §4. Some paths are too long to be drawn, or have other bytes.
fn random_pairs(seed: u64, count: usize) -> Vec<Pair> {
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
    const PIECES: [&str; 27] = [
        "/", "/", "/", "..", "../", "../", "../", ".", "./", "./", "g", "h/", "b/", "//", ".g", "g.", "...", ";", "?",
        "#", ":", "-", "segment/", "\u{E9}", "%2e", "@", "(empty)",
    ];
    const ODD: [&[u8]; 5] = [b"\n", b"\x1B[m", b"\xFF", "\u{202E}".as_bytes(), b"\x7F"];
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
fn run_pairs(arguments: &[&str], pairs: &[Pair]) -> Vec<u8> {
    absurl(&["-q", "-0", "--pairs"]).arguments(arguments).input(as_pairs(pairs, b'\0')).output().stdout
}

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

/// The indent of what is too wide for 80 columns with a longer one is two.
fn indent_of(width: usize, indent: usize) -> usize {
    if indent + width > 80 { indent.min(2) } else { indent }
}

/// Words in lines of 80 columns at most, unless a word alone is wider. The lines after the first one are indented.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let (line, width) = (lines.last_mut().expect("a line"), word.chars().count());
        if line.chars().count() + 1 + width > 80 && line.trim() != "" {
            lines.push(" ".repeat(indent_of(width, indent)) + word);
        } else {
            *line += &(if line.is_empty() { String::new() } else { " ".to_owned() } + word);
        }
    }
    lines.join("\n") + "\n"
}

/// Whether a line is no wider than that, or one value.
fn is_narrow(line: &str, columns: usize) -> bool {
    line.chars().count() <= columns || line.strip_prefix("  ").unwrap_or(line).split(' ').count() == 1
}

/// A text as one line, so that it does not matter where lines are broken.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An explanation with each text in one line.
pub fn unwrapped(text: &str) -> String {
    text.replace("\n         ", " ")
}

/// The explanations of pairs by another standard, as text and as JSON, each with its answer, in which it ends.
fn explained(spec: &str, pairs: &[Pair]) -> Vec<(String, Value, String)> {
    let by = |more: &[&str]| run_pairs(&[&["-s", spec], more].concat(), pairs);
    let (plain, objects) = (by(&[]), parse_objects(by(&["-e", "-j"])));
    let text = String::from_utf8(by(&["-e"])).expect("an explanation is text");
    let (plain, mut rest) = (records(&plain, b'\0'), &*text);
    assert_eq!((plain.len(), objects.len()), (pairs.len(), pairs.len()));
    let answer = if spec == "whatwg" { "answer" } else { "5.3" };
    let one = |(index, (url, object)): (usize, (&[u8], Value))| {
        let next = format!("\n\n-:{}:", index + 2);
        let block = rest.split(&next).next().unwrap_or_default();
        rest = rest.get(block.len() + 2..).unwrap_or_default();
        let last = object["steps"].as_array().expect("steps").last().expect("a step");
        let url = str::from_utf8(url).expect("an answer is ASCII");
        let ends = |step: &str, text: &str| last["step"] == step && last["text"] == text && last.get("name").is_none();
        if url.is_empty() {
            let error = object["error"]["message"].as_str().expect("a message");
            assert!(ends("error", error), "{object}");
            assert!(in_one_line(block).ends_with(&in_one_line(&format!(" error: {error}"))), "{block}");
        } else {
            assert!(ends(answer, url), "{object}");
            assert!(block.trim_end().ends_with(&format!(" {url}")), "{url}: {block}");
        }
        (block.to_owned(), object, url.to_owned())
    };
    plain.into_iter().zip(objects).enumerate().map(one).collect()
}

/// How a record should be explained.
fn explanation(number: usize, (base, reference): &Pair, plain: &[u8], object: &Value) -> String {
    let answer = oracle::resolve(base, reference);
    let inherited = answer.as_ref().map(|answer| answer.inherited.clone()).unwrap_or_default();
    let (joined, removals) = (Vec::new(), Vec::new());
    let mut record = Record { base, reference, plain, inherited, object, joined, removals };
    if record.is_merged() {
        (record.joined, record.removals) = literal_step_6(&record.base_path(), &oracle::parse(reference).path);
    }
    record.assert_complete();
    let header = if reference.is_empty() { String::new() } else { format!(" {}", escaped(reference)) };
    let (header, sentence) = (wrapped(&format!("-:{number}:{header}"), 2), wrapped(&record.sentence(), 0));
    let text = format!("{header}{sentence}\n{}By RFC 1808, section 4:\n{}", record.table(), record.steps());
    let last = text.lines().next_back().expect("a line");
    match &answer {
        Ok(answer) => {
            assert_eq!(answer.url, plain);
            assert!(last.ends_with(&format!(" {}", escaped(plain))), "{last}");
            let own: Vec<_> = record.removals.iter().map(|removal| (removal.step, removal.removed.clone())).collect();
            let theirs: Vec<_> = answer.removals.iter().map(|(rule, removed)| (format!("6{rule}"), removed)).collect();
            assert!(own.iter().map(|(step, removed)| (step.to_string(), removed)).eq(theirs), "{object}");
        }
        Err(_) => {
            let error = format!("error: {}", object["error"]["message"].as_str().expect("a message"));
            assert!(text.ends_with(&format!("\n{}", wrapped(&error, 9))), "{text}");
        }
    }
    text
}

/// Checks that the notes give the answers of RFC 3986 and WHATWG, which are empty if there is no answer; and that they
/// name the hosts that `--compare` finds in one text. `compared` is what it says of the record if the standards differ.
fn assert_noted(object: &Value, plain: &[u8], answers: [&[u8]; 2], compared: &Value) {
    let notes = object["steps"].as_array().expect("steps").iter().filter(|item| item["step"] == "note");
    let notes: Vec<_> = notes.map(|item| item["text"].as_str().expect("a text")).collect();
    if object["error"]["code"] == "base-without-scheme" {
        return assert!(notes.is_empty(), "{object}");
    }
    let hosts = ["rfc1808", "rfc3986", "whatwg"].map(|spec| &compared[spec]["host"]);
    let says = |who: &str, index: usize| {
        let s = if who.contains(" and ") { "" } else { "s" };
        match answers[index] {
            b"" => format!("{who} ha{} no answer: ", if s.is_empty() { "ve" } else { s }),
            url if url == plain => {
                let host = hosts[index + 1].as_str().unwrap_or("-");
                format!("{who} give{s} the same URL, but with host {host}: a \"?\" ends the host")
            }
            url => format!("{who} give{s} {}: ", escaped(url)),
        }
    };
    let both = "RFC 3986 and WHATWG";
    let differs = |index: usize| answers[index] != plain || hosts[index + 1] != hosts[0];
    let apart = [says("RFC 3986", 0), says("WHATWG", 1)];
    let expected = match (differs(0), differs(1)) {
        (false, false) if plain.is_empty() => vec![format!("{both} have no answer either")],
        (false, false) => vec![format!("{both} give the same")],
        _ if answers[0] == answers[1] => vec![says(both, 1)],
        _ => (0..2).filter(|index| differs(*index)).map(|index| apart[index].clone()).collect(),
    };
    let is_same = |notes: &[&str], expected: &[String]| {
        notes.len() == expected.len() && notes.iter().zip(expected).all(|(note, says)| note.starts_with(says.as_str()))
    };
    // two standards may refuse a reference for different reasons
    assert!(is_same(&notes, &expected) || answers[1].is_empty() && is_same(&notes, &apart), "{expected:?}: {object}");
    if !answers.contains(&&b""[..]) && !plain.is_empty() {
        let why = compared["why"].as_array().is_some_and(|why| why.iter().any(|why| why["code"] == "net-loc-question"));
        assert_eq!(notes.iter().any(|note| note.contains("a \"?\" ends the host")), why, "{object}");
    }
}

/// Checks random pairs.
fn check(seed: u64, count: usize) {
    let pairs = random_pairs(seed, count);
    let plain = run_pairs(&[], &pairs);
    let plain = records(&plain, b'\0');
    let objects = parse_objects(run_pairs(&["-e", "-j"], &pairs));
    let mut compared = vec![Value::Null; count];
    for object in parse_objects(run_pairs(&["--compare", "-j"], &pairs)) {
        let number = object["record"].as_u64().and_then(|number| usize::try_from(number).ok()).expect("a number");
        compared[number - 1] = object;
    }
    let others = ["rfc3986", "whatwg"].map(|spec| run_pairs(&["--spec", spec], &pairs));
    let others = others.each_ref().map(|answers| records(answers, b'\0'));
    let text = String::from_utf8(run_pairs(&["-e"], &pairs)).expect("an explanation is text");
    assert_eq!((plain.len(), objects.len()), (count, count));
    let (mut rest, mut drawn, mut listed) = (text.as_str(), 0, 0);
    for (index, (pair, (plain, object))) in pairs.iter().zip(plain.into_iter().zip(&objects)).enumerate() {
        assert_noted(object, plain, [others[0][index], others[1][index]], &compared[index]);
        let blank = if index > 0 { "\n" } else { "" };
        let expected = blank.to_owned() + &explanation(index + 1, pair, plain, object);
        assert_eq!(rest.get(..expected.len()).unwrap_or(rest), expected, "{object}");
        rest = rest.split_at(expected.len()).1;
        assert!(expected.lines().all(|line| is_narrow(line, 80)), "{expected}");
        let (is_drawn, is_removed) = (expected.contains("^ "), expected.contains("\" removed\n"));
        drawn += usize::from(is_drawn);
        listed += usize::from(is_removed && !is_drawn);
    }
    assert_eq!(rest, "");
    assert!(drawn > count / 10 && listed > count / 25, "drawn {drawn}, listed {listed} of {count}");
}

// ------------------------------------------------------------------------------------------------------------- tests

#[test]
fn explanations_are_the_rfc_s_own_and_agree_with_json_and_the_answer() {
    check(1, 6_000);
}

#[test]
#[ignore = "30,000 explanations: 5 seconds"]
fn many_explanations_are_the_rfc_s_own() {
    check(1, 30_000);
}

/// Asserts the last lines of explanations, after their label and with colors by their codes: 36 base, 32 reference, 2
/// skipped, 1 the answer. A row has a base, a reference and the line.
fn assert_colors(spec: &str, label: &str, rows: &[(&str, &str, &str)]) {
    for (base, reference, last) in rows {
        let run = absurl(&["-e", "--color", "always", "-s", spec, "-b", base, "--", reference]);
        let text = run.text().0.replace("\x1B[", "[");
        let line = text.lines().next_back().expect("a line");
        assert_eq!(line.trim_start_matches(label).trim_start(), *last, "{text}");
    }
}

#[test]
fn colors_show_the_origin_to_the_byte() {
    let rows = [
        ("http://a/b;p?q", "#s", "[1m[36mhttp://a/b;p?q[0m[1m[32m#s[0m"),
        ("http://a/b;p?q", "?y", "[1m[36mhttp://a/b;p[0m[1m[32m?y[0m"),
        ("http://a/b;p?q", ";x", "[1m[36mhttp://a/b[0m[1m[32m;x[0m"),
        ("http://a/b;p?q", "/g", "[1m[36mhttp://a[0m[1m[32m/g[0m"),
        ("http://a/b;p?q", "//h", "[1m[36mhttp:[0m[1m[32m//h[0m"),
        ("http://a/b/c", "../g", "[1m[36mhttp://a/[0m[1m[32mg[0m"),
        ("http://a/b/c", "..", "[1m[36mhttp://a/[0m"),
        ("http://a", "?y", "[1m[36mhttp://a/[0m[1m[32m?y[0m"),
        ("x:/a", ".//b", "[1m[36mx:/./[0m[1m[32m/b[0m"),
        ("http://a/b#f", "", "[2mnot needed after 2a[0m; the answer is [1m[36mhttp://a/b#f[0m"),
        ("http://a/b#f", "g:h", "[2mnot needed after 2b[0m; the answer is [1m[32mg:h[0m"),
        ("", "g:h", "[2mnot needed after 1[0m; the answer is [1m[32mg:h[0m"),
    ];
    assert_colors("rfc1808", "Step 7", &rows);
}

/// What a terminal with so many columns gets.
#[cfg(unix)]
fn on_terminal(columns: u16, arguments: &[&str]) -> String {
    let (screen, terminal) = open_terminal(columns);
    let run = absurl(&["-qe", "--color", "never"]).arguments(arguments);
    let mut child = run.start(Stdio::null(), terminal, Stdio::null());
    let shown = read_screen(screen).replace("\r\n", "\n");
    child.wait().unwrap();
    shown
}

#[cfg(unix)]
#[test]
fn a_terminal_has_lines_as_wide_as_it_is() {
    let arguments = ["-b", "https://example.com/docs/guide/intro.html?lang=en#top", "../setup.html"];
    let table = "            base                    reference      answer            from
  scheme    https                   -              https             base
  net_loc   example.com             -              example.com       base
  path      /docs/guide/intro.html  ../setup.html  /docs/setup.html  both, step 6
  query     lang=en                 -              -                 -
  fragment  top                     -              -                 -

By RFC 1808, section 4:
";
    // as many columns as the widest row has, and fewer
    let shown = on_terminal(81, &arguments);
    assert!(shown.contains(&format!("removes \"guide\".\n\n{table}")), "{shown}");
    for columns in [80, 60, 40] {
        let shown = on_terminal(columns, &arguments);
        assert!(shown.contains("\n            reference  ../setup.html\n"), "{shown}");
        assert!(shown.lines().all(|line| is_narrow(line, columns.into())), "{shown}");
        assert!(shown.ends_with("  https://example.com/docs/setup.html\n"), "{shown}");
    }
    let shown = on_terminal(200, &arguments);
    assert!(shown.contains(table) && shown.contains("is replaced, one \"..\" removes \"guide\".\n"), "{shown}");
    // a file has 80
    let (written, ..) = absurl(&["-e"]).arguments(&arguments).text();
    assert_eq!(written, on_terminal(80, &arguments));
}

#[cfg(unix)]
#[test]
fn a_terminal_of_60_columns_has_lines_of_60_by_other_standards() {
    let base = "https://example.com/docs/guide/d;p?q";
    for (spec, start, references) in [
        (
            "rfc3986",
            "\nBy RFC 3986, section 5:\n",
            ["../../../g", "../../img/./ch/../logo.png", "?y", "g h", "//h/a/b/../../c"],
        ),
        ("whatwg", "\nBy the URL Standard:\n", ["/\\evil.com", " a b ", "//[::1", "http:g", "//1.2.3"]),
    ] {
        for reference in references {
            let shown = on_terminal(60, &["-s", spec, "-b", base, "--", reference]);
            assert!(shown.contains(start) && shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
        }
    }
}
