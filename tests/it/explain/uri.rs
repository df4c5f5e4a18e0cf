//! `--explain --spec rfc3986`: its moves are those of the RFC's text, which is done here a second time, and its last line ends
//! in the answer.

#[cfg(unix)]
use std::process::Stdio;

use serde_json::Value;

use super::literal::{Move, literal_moves};
use super::{lossy, random_pairs, run_pairs};
use crate::generate::{Pair, Random, some_pairs};
use crate::harness::{absurl, parse_objects, records};
#[cfg(unix)]
use crate::progress::{open_terminal, read_screen};
use crate::table::read_rows;

/// A text in an element of `steps`.
fn text<'v>(item: &'v Value, name: &str) -> &'v str {
    item[name].as_str().unwrap_or_default()
}

/// The elements of `steps` with this step.
fn steps<'v>(object: &'v Value, step: &str) -> Vec<&'v Value> {
    object["steps"].as_array().expect("steps").iter().filter(|item| item["step"] == step).collect()
}

/// The moves of an explanation with their buffers.
fn drawn_moves(object: &Value) -> Vec<Move> {
    let moves = steps(object, "5.2.4").into_iter().filter(|item| item.get("rule").is_some());
    let one = |item: &Value| {
        (text(item, "rule").chars().next().unwrap(), text(item, "output").into(), text(item, "input").into())
    };
    moves.map(one).collect()
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
    let is_drawn = path.len() <= 60 && moves.len() <= 10;
    if is_drawn {
        assert_eq!(["output", "input"].map(|name| &items[0][name]), ["", &path], "{object}");
        assert_eq!(drawn_moves(object), moves, "{object}");
    } else {
        let rules: Vec<_> = drawn_moves(object).into_iter().map(|(rule, ..)| rule).collect();
        assert!(rules.iter().eq(moves.iter().map(|(rule, ..)| rule)), "{object}");
        assert!(items.iter().all(|item| item.get("output").is_none() && item.get("input").is_none()), "{object}");
        let last = items.iter().rfind(|item| item.get("rule").is_some()).expect("a move");
        assert_eq!(text(last, "path"), cleaned, "{object}");
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

/// Whether a line is no wider than that, or one value.
fn is_narrow(line: &str, columns: usize) -> bool {
    line.chars().count() <= columns || line.trim_start_matches("  ").split(' ').count() == 1
}

/// Checks the explanations of pairs, as text and as JSON. Returns how many have drawn moves, and how many have listed ones.
fn check(pairs: &[Pair]) -> [usize; 2] {
    let by = |more: &[&str]| run_pairs(&[&["-s", "rfc3986"], more].concat(), pairs);
    let (plain, objects) = (by(&[]), parse_objects(by(&["-e", "-j"])));
    let explained = String::from_utf8(by(&["-e"])).expect("an explanation is text");
    let plain = records(&plain, b'\0');
    assert_eq!((plain.len(), objects.len()), (pairs.len(), pairs.len()));
    let (mut rest, mut counts) = (&*explained, [0, 0]);
    for (index, ((base, reference), (plain, object))) in pairs.iter().zip(plain.into_iter().zip(&objects)).enumerate() {
        let next = format!("\n\n-:{}:", index + 2);
        let block = rest.split(&next).next().unwrap_or_default();
        rest = rest.get(block.len() + 2..).unwrap_or_default();
        let last = object["steps"].as_array().expect("steps").last().expect("a step");
        let line = block.lines().last().expect("a line");
        if plain.is_empty() {
            let error = object["error"]["message"].as_str().expect("a message");
            assert_eq!((text(last, "step"), text(last, "text")), ("error", error), "{object}");
            let words = block.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.ends_with(&format!(" error: {error}")), "{block}");
        } else {
            let url = str::from_utf8(plain).expect("an answer is ASCII");
            assert_eq!((text(last, "step"), text(last, "text")), ("5.3", url), "{object}");
            assert!(line.ends_with(&format!(" {url}")), "{url}: {block}");
            let (is_drawn, is_listed) = assert_moves(&lossy(base), &lossy(reference), url, object);
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
        assert_eq!(drawn_moves(&parse_objects(json)[0]), expected, "{path}");
        assert_eq!(literal_moves(path), expected, "{path}");
    }
}

// ----------------------------------------------------------------------------------------------------------- whole blocks

/// The explanation of a reference.
fn explain(base: &str, reference: &str) -> String {
    absurl(&["-e", "-s", "rfc3986", "-b", base, "--", reference]).text().0
}

#[test]
fn an_explanation_by_rfc_3986_is_drawn_as_the_rfc_draws_it() {
    assert_eq!(
        explain("http://a/b/c/d;p?q", "../../../g"),
        r#"argument 1: ../../../g
The reference is a path: scheme and host are the base's, "d;p" is replaced, two
".." remove "c" and "b", surplus ".." is dropped.

             base      reference   answer  from
  scheme     http      -           http    base
  authority  a         -           a       base
  path       /b/c/d;p  ../../../g  /g      reference, 5.2.4
  query      q         -           -       -

By RFC 3986, section 5:
5.1      the base URI is http://a/b/c/d;p?q (--base)
5.2.2    no scheme in the reference; inherited: http
         no authority in the reference; inherited: a
         the reference's path does not start with "/": it is merged
         no query in the reference; the base's is not inherited
5.2.3    /b/c/d;p            the base's path
         /b/c/../../../g     "d;p" replaced by the reference's path
5.2.4    output  input            rules A to E
                 /b/c/../../../g
     E   /b/c    /../../../g      "/b/c" moves
     C   /b      /../../g         "/.." takes "/c" away
     C           /../g            "/.." takes "/b" away
     C           /g               "/.." finds nothing to take away
     E   /g                       "/g" moves
Note     RFC 1808 gives http://a/../g; by RFC 3986, surplus ".." is dropped
5.3      http://a/g
"#
    );
    let text = explain("file:///b?#f", "?");
    for lines in [
        "The reference is an empty query: scheme, empty host and path are the base's.\n",
        "
             base     reference  answer   from
  scheme     file     -          file     base
  authority  (empty)  -          (empty)  base
  path       /b       (empty)    /b       base
  query      (empty)  (empty)    (empty)  reference
  fragment   f        -          -        -
",
        "
5.2.2    no scheme in the reference; inherited: file
         no authority in the reference; inherited: (empty)
         the reference's path is empty; inherited: /b
         the reference has a query: (empty)
         no fragment in the reference; the base's is never inherited
5.2.4    not needed: the base's path stays as it is
",
        "\n5.3      file:///b?\n",
    ] {
        assert!(text.contains(lines), "{lines}: {text}");
    }
}

#[test]
fn where_columns_do_not_fit_the_buffers_are_below_the_words() {
    let text = explain("http://a/docs/2024/reports/x", "../../img/./ch/../logo.png");
    let expected = r#"
5.2.3    /docs/2024/reports/x                              the base's path
         /docs/2024/reports/../../img/./ch/../logo.png
         "x" replaced by the reference's path
5.2.4    output|input:
         |/docs/2024/reports/../../img/./ch/../logo.png
     E   "/docs/2024/reports" moves
         /docs/2024/reports|/../../img/./ch/../logo.png
     C   "/.." takes "/reports" away
         /docs/2024|/../img/./ch/../logo.png
     C   "/.." takes "/2024" away
         /docs|/img/./ch/../logo.png
     E   "/img" moves
         /docs/img|/./ch/../logo.png
     B   "/." is dropped
         /docs/img|/ch/../logo.png
     E   "/ch" moves
         /docs/img/ch|/../logo.png
     C   "/.." takes "/ch" away
         /docs/img|/logo.png
     E   "/logo.png" moves
         /docs/img/logo.png|
Note     RFC 1808 and WHATWG give the same
5.3      http://a/docs/img/logo.png
"#;
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn long_paths_are_explained_in_words_with_the_path_once() {
    let x = "x".repeat(52);
    let text = explain("http://a/b/c", &format!("../{x}/./g"));
    let expected = format!(
        r#"
5.2.3    "c" replaced by the reference's path
5.2.4    each move from the input to the output:
     E   "/b" moves
     C   "/.." takes "/b" away
     E   "/{x}" moves
     B   "/." is dropped
     E   "/g" moves
         /{x}/g
"#
    );
    assert!(text.contains(&expected), "{text}");
    // 60 bytes are drawn, 61 are not; ten moves are drawn, eleven are not
    let is_drawn = |reference: &str| explain("x:/", reference).contains("5.2.4    output");
    assert!(is_drawn(&format!("./{}", "x".repeat(57))) && !is_drawn(&format!("./{}", "x".repeat(58))));
    assert!(is_drawn(&("./".repeat(9) + "g")) && !is_drawn(&("./".repeat(10) + "g")));
}

#[test]
fn an_explanation_says_what_is_not_written_as_rfc_3986_requires() {
    let error = "error: not a valid URI reference (RFC 3986 pchar): space at byte 2; write %20\n";
    let expected = format!(
        "argument 1: g h
The reference is not written as RFC 3986 requires, so there is no answer.

             base  reference  answer  from
  scheme     http  -          -       -
  authority  a     -          -       -
  path       /b    g h        -       -

By RFC 3986, section 5:
5.1      the base URI is http://a/b (--base)
Note     RFC 1808 gives http://a/g h; by RFC 3986, spaces are not allowed
Note     WHATWG gives http://a/g%20h
{error}"
    );
    assert_eq!(explain("http://a/b", "g h"), expected);
    let (text, ..) = absurl(&["-ep", "-s", "rfc3986"]).input("http://a b/\tg\nb\tg\nno tab\n\tg\n").text();
    for sentence in [
        "-:1: g\nThe base is not written as RFC 3986 requires, so there is no answer.\n",
        "-:2: g\nThe base URI has no scheme, so nothing can be resolved with it.\n",
        "-:3: no tab\n\nerror: no TAB in the record; write BASE TAB REFERENCE\n",
        "-:4: g\nThe reference has no scheme, and there is no base URI.\n",
        "\n5.1      the base URI is http://a b/ (the record)\n",
        "\n5.1      there is no base URI\nNote     RFC 1808 and WHATWG have no answer either\nerror: ",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
}

#[test]
fn explanations_by_rfc_3986_have_their_words() {
    for (base, reference, sentence, line) in [
        ("http://a", "g", "its path follows a \"/\".", "\"/\", because the base has no path, then the reference's"),
        ("s:", "g", "the scheme is the base's.", "the base has no path: the reference's is taken"),
        ("s:b", "g", "\"b\" is replaced.", "the base's path has no \"/\": the reference's replaces it"),
        ("s:b/", "g", "is appended to the base's.", "the reference's path appended to the base's"),
        ("s:b", "../g", "surplus \"..\" is dropped.", "\"../\" at the start is dropped"),
        ("s:b", "..", "surplus \"..\" is dropped.", "\"..\" alone is dropped"),
        ("s:b", ".", "\".\" is dropped.", "\".\" alone is dropped"),
        (
            "s:/a",
            ".//b",
            "\"/.\" is inserted.",
            "\"/.\" is inserted before the path so that its \"//\" does not start a host",
        ),
        (
            "s:/a",
            "//",
            "is an empty host: only the scheme is the base's.",
            "the reference has an authority, (empty): no more is inherited",
        ),
        (
            "s:/a",
            "//@",
            "is an authority without a host: only the scheme is the base's.",
            "no path, so no dot segments",
        ),
        (
            "s:/a",
            "/g?#",
            "an empty query and an empty fragment: the scheme is the base's.",
            "the reference's path starts with \"/\": it is not merged",
        ),
        ("s:/a", "#(empty)", "scheme and path are the base's.", "the reference has a fragment: \\x28empty)"),
        ("s:/a", "g:-/..", "nothing comes from the base, one \"..\" removes \"-\".", "\"/..\" takes \"-\" away"),
        ("s:/a#f", "", "the answer is the base URI without its fragment.", "no query in either"),
    ] {
        let text = explain(base, reference);
        let start = text.split("\n\n").next().expect("a sentence").replace('\n', " ");
        let text = text.replace("\n         ", " ");
        assert!(start.ends_with(sentence), "{sentence}: {text}");
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_terminal_of_60_columns_has_lines_of_60() {
    for reference in ["../../../g", "../../img/./ch/../logo.png", "?y", "g h", "//h/a/b/../../c"] {
        let (screen, terminal) = open_terminal(60);
        let base = "https://example.com/docs/guide/d;p?q";
        let run = absurl(&["-e", "-s", "rfc3986", "--color", "never", "-b", base, "--", reference]);
        let mut child = run.start(Stdio::null(), terminal, Stdio::null());
        let shown = read_screen(screen).replace("\r\n", "\n");
        child.wait().unwrap();
        assert!(shown.contains("\nBy RFC 3986, section 5:\n"), "{shown}");
        assert!(shown.lines().all(|line| is_narrow(line, 60)), "{shown}");
    }
}

/// By their codes: 36 base, 32 reference, 31 removed, 1 the answer.
#[test]
fn colors_show_the_origin_by_rfc_3986_to_the_byte() {
    let colored = |base: &str, reference: &str| {
        let run = absurl(&["-e", "-s", "rfc3986", "--color", "always", "-b", base, "--", reference]);
        run.text().0.replace("\x1B[", "[")
    };
    for (base, reference, last) in [
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
    ] {
        let text = colored(base, reference);
        let line = text.lines().next_back().expect("a line");
        assert_eq!(line.trim_start_matches("5.3").trim_start(), last, "{text}");
    }
    let text = colored("http://a/b/c", "../g");
    for line in [
        "                 [36m/b/[0m[32m../g[0m",
        "     C           [32m/g[0m       \"/..\" takes \"[31m/b[0m\" away",
        "     E   [32m/g[0m               \"/g\" moves",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
}
