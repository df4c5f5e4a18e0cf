//! `--explain --spec rfc3986`: its moves are those of the RFC's text, which is done here a second time, and its last line ends
//! in the answer.

use serde_json::Value;

use super::literal::{Move, literal_moves};
use super::{assert_colors, explained, is_narrow, lossy, random_pairs, run_pairs};
use crate::generate::{Pair, Random, some_pairs};
use crate::harness::{absurl, parse_objects};
use crate::table::read_rows;

/// A text in an element of `steps`.
fn text<'v>(item: &'v Value, name: &str) -> &'v str {
    item[name].as_str().unwrap_or_default()
}

/// The elements of `steps` with this step.
fn steps<'v>(object: &'v Value, step: &str) -> Vec<&'v Value> {
    object["steps"].as_array().expect("steps").iter().filter(|item| item["step"] == step).collect()
}

/// The moves of an explanation, each with the path after it; empty if that is not drawn.
fn drawn_moves(object: &Value) -> Vec<(char, String)> {
    let moves = steps(object, "5.2.4").into_iter().filter(|item| item.get("rule").is_some());
    moves.map(|item| (text(item, "rule").chars().next().unwrap(), text(item, "path").into())).collect()
}

/// The moves of the RFC's algorithm, but those of rule E, each with what is then in both buffers.
fn expected_moves(moves: &[Move]) -> Vec<(char, String)> {
    let others = moves.iter().filter(|(rule, ..)| *rule != 'E');
    others.map(|(rule, output, input)| (*rule, output.clone() + input)).collect()
}

/// The path that is cleaned, by §5.2.2 and §5.2.3; `None` if the base's path stays as it is.
fn path_to_clean(base: &str, reference: &str) -> Option<String> {
    let path = |uri: &Uri<'_>| uri.path.to_owned();
    let (base, reference) = (split(base), split(reference));
    match () {
        () if reference.scheme.is_some() || reference.authority.is_some() => Some(path(&reference)),
        () if reference.path.is_empty() => None,
        () if reference.path.starts_with('/') => Some(path(&reference)),
        () if base.authority.is_some() && base.path.is_empty() => Some("/".to_owned() + reference.path),
        () => Some(base.path.rfind('/').map_or("", |slash| &base.path[..=slash]).to_owned() + reference.path),
    }
}

/// The components of a URI.
struct Uri<'u> {
    scheme: Option<&'u str>,
    authority: Option<&'u str>,
    path: &'u str,
    query: Option<&'u str>,
    fragment: Option<&'u str>,
}

/// What is before a delimiter, and what is after it.
fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    text.split_once(delimiter).map_or((text, None), |(text, rest)| (text, Some(rest)))
}

/// Divides a URI reference as the regular expression of RFC 3986 appendix B does.
fn split(uri: &str) -> Uri<'_> {
    let (rest, fragment) = cut(uri, '#');
    let (rest, query) = cut(rest, '?');
    let colon = rest.find(':').filter(|colon| !rest[..*colon].contains('/') && *colon > 0);
    let (scheme, rest) = colon.map_or((None, rest), |colon| (Some(&rest[..colon]), &rest[colon + 1..]));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Uri { scheme, authority, path, query, fragment }
}

/// Checks the object of a record with an answer, and returns whether its moves are drawn or listed.
fn assert_moves(base: &str, reference: &str, url: &str, object: &Value) -> (bool, bool) {
    let parts = split(url);
    let components = serde_json::json!({
        "scheme": parts.scheme, "authority": parts.authority, "path": parts.path, "query": parts.query, "fragment": parts.fragment,
    });
    assert_eq!((&object["url"], &object["components"]), (&Value::from(url), &components), "{object}");
    let items = steps(object, "5.2.4");
    let Some(path) = path_to_clean(base, reference) else {
        assert_eq!(text(items[0], "text"), "not needed: the base's path stays as it is", "{object}");
        return (false, false);
    };
    let moves = literal_moves(&path);
    let cleaned = moves.last().map_or("", |(_, output, _)| output);
    let is_inserted = items.iter().any(|item| text(item, "text").starts_with("\"/.\" is inserted"));
    assert_eq!(parts.path, if is_inserted { "/.".to_owned() + cleaned } else { cleaned.to_owned() }, "{object}");
    if moves.iter().all(|(rule, ..)| *rule == 'E') {
        let expected = match &*path {
            "" => "no path, so no dot segments".to_owned(),
            path => format!("no dot segments in {}: it stays", shown(path)),
        };
        assert_eq!((items.len(), text(items[0], "text")), (1, &*expected), "{object}");
        return (false, false);
    }
    let expected = expected_moves(&moves);
    let drawn = drawn_moves(object);
    let is_merged = !steps(object, "5.2.3").is_empty();
    let longest = if is_merged { split(base).path.len() } else { 0 }.max(path.len());
    let is_drawn = longest <= 60 && expected.len() <= 10;
    if is_drawn {
        assert_eq!(drawn, expected, "{object}");
    } else {
        let rules = |moves: &[(char, String)]| moves.iter().map(|(rule, _)| *rule).collect::<String>();
        assert_eq!(rules(&drawn), rules(&expected), "{object}");
        let (last, others) = drawn.split_last().expect("a move");
        assert!(last.1 == cleaned && others.iter().all(|(_, path)| path.is_empty()), "{object}");
    }
    (is_drawn, !is_drawn)
}

/// A path as a person sees it, which is never taken for one that is absent or empty.
fn shown(path: &str) -> String {
    match path {
        "-" => "\\x2D".to_owned(),
        "(empty)" => "\\x28empty)".to_owned(),
        path => path.to_owned(),
    }
}

/// Checks the explanations of pairs, as text and as JSON. Returns how many have drawn moves, and how many have listed ones.
fn check(pairs: &[Pair]) -> [usize; 2] {
    let mut counts = [0, 0];
    for ((base, reference), (block, object, url)) in pairs.iter().zip(explained("rfc3986", pairs)) {
        if !url.is_empty() {
            let (is_drawn, is_listed) = assert_moves(&lossy(base), &lossy(reference), &url, &object);
            counts = [counts[0] + usize::from(is_drawn), counts[1] + usize::from(is_listed)];
        }
        // of a value with spaces it cannot be seen that it is one
        let has_spaces = [base, reference].into_iter().any(|text| text.contains(&b' '));
        assert!(has_spaces || block.lines().all(|line| is_narrow(line, 80)), "{block}");
    }
    counts
}

/// Random pairs with many dot segments, which all have answers.
fn dotted_pairs(seed: u64, count: usize) -> Vec<Pair> {
    const PIECES: [&str; 11] = ["/", "../", "../", "./", "g/", "g/", "a-long-name/", "..", ".", "g", "..."];
    let mut random = Random(seed);
    let mut path = |start: &str| {
        let most = [3, 6, 12, 40][random.below(4)];
        let pieces = (0..random.below(most)).map(|_| random.pick(&PIECES));
        pieces.fold(start.as_bytes().to_vec(), |path, piece| [&path, piece.as_bytes()].concat())
    };
    let bases = ["http://a/", "http://a/b/c/", "s:", "s:/b/", "http://a"].into_iter().cycle().take(count);
    bases.map(|base| (path(base), path(""))).collect()
}

#[test]
fn explanations_by_rfc_3986_are_the_rfc_s_own_and_end_in_the_answer() {
    check(&random_pairs(3986, 2_000));
    check(&some_pairs(3986, 1_000, b"\0"));
    let [drawn, listed] = check(&dotted_pairs(3986, 2_000));
    assert!(drawn > 600 && listed > 300, "drawn {drawn}, listed {listed}");
}

#[test]
#[ignore = "100,000 explanations: 7 seconds"]
fn many_explanations_by_rfc_3986_are_the_rfc_s_own() {
    for seed in 0..20 {
        check(&random_pairs(seed, 2_000));
        check(&some_pairs(seed, 1_000, b"\0"));
        check(&dotted_pairs(seed, 2_000));
    }
}

#[test]
fn the_examples_of_section_5_4_are_explained() {
    let rows = read_rows::<3>(include_str!("../../data/rfc3986.tsv"));
    let pairs: Vec<_> =
        rows.iter().map(|[_, reference, _]| (b"http://a/b/c/d;p?q".to_vec(), reference.clone())).collect();
    check(&pairs);
    for (object, [.., expected]) in parse_objects(run_pairs(&["-s", "rfc3986", "-ej"], &pairs)).iter().zip(&rows) {
        assert_eq!(object["url"].as_str().map(str::as_bytes), Some(&expected[..]));
    }
}

/// The two examples of §5.2.4 as the RFC prints them: step and rule, output, input.
#[test]
fn the_examples_of_section_5_2_4_have_their_moves() {
    for (path, table) in [
        (
            "/a/b/c/./../../g",
            "E /a               /b/c/./../../g
             E /a/b             /c/./../../g
             E /a/b/c           /./../../g
             B /a/b/c           /../../g
             C /a/b             /../g
             C /a               /g
             E /a/g",
        ),
        (
            "mid/content=5/../6",
            "E mid              /content=5/../6
             E mid/content=5    /../6
             C mid              /6
             E mid/6",
        ),
    ] {
        let mut expected: Vec<Move> = Vec::new();
        for line in table.lines() {
            let mut words = line.split_whitespace().map(str::to_owned);
            let rule = words.next().and_then(|rule| rule.chars().next()).expect("a rule");
            let one = (rule, words.next().unwrap_or_default(), words.next().unwrap_or_default());
            expected.pop_if(|last| last.0 == 'E' && one.0 == 'E');
            expected.push(one);
        }
        let (json, ..) = absurl(&["-ej", "-s", "rfc3986", &format!("x:{path}")]).text();
        assert_eq!(drawn_moves(&parse_objects(json)[0]), expected_moves(&expected), "{path}");
        assert_eq!(literal_moves(path), expected, "{path}");
    }
}

#[test]
fn short_paths_and_few_moves_are_drawn() {
    let is_drawn = |reference: &str| {
        let run = absurl(&["-e", "-s", "rfc3986", "-b", "x:/", reference]);
        run.text().0.contains("^^")
    };
    assert!(is_drawn(&format!("./{}", "x".repeat(57))) && !is_drawn(&format!("./{}", "x".repeat(58))));
    assert!(is_drawn(&("./".repeat(10) + "g")) && !is_drawn(&("./".repeat(11) + "g")));
}

#[test]
fn colors_show_the_origin_by_rfc_3986_to_the_byte() {
    let rows = [
        ("http://a/b;p?q", "#s", "[1m[36mhttp://a/b;p?q[0m[1m[32m#s[0m"),
        ("http://a/b;p?q", "?y", "[1m[36mhttp://a/b;p[0m[1m[32m?y[0m"),
        ("http://a/b;p?q", "/g", "[1m[36mhttp://a[0m[1m[32m/g[0m"),
        ("http://a/b;p?q", "//h", "[1m[36mhttp:[0m[1m[32m//h[0m"),
        ("http://a/b/c", "../g", "[1m[36mhttp://a[0m[1m[32m/g[0m"),
        ("http://a/b/c", "..", "[1m[36mhttp://a/[0m"),
        ("http://a/b/c", ".", "[1m[36mhttp://a/b/[0m"),
        ("http://a/b/c", "../../..", "[1m[36mhttp://a[0m[1m[32m/[0m"),
        ("http://a", "g", "[1m[36mhttp://a/[0m[1m[32mg[0m"),
        ("x:/a", ".//b", "[1m[36mx:/.[0m[1m[32m//b[0m"),
        ("http://a/b", "g:h", "[1m[32mg:h[0m"),
    ];
    assert_colors("rfc3986", "5.3", &rows);
}
