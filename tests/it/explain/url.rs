//! `--explain --spec whatwg`: what RFC 1808 answers is asked a second time, and the last line ends in the answer.

use serde_json::Value;

use super::{explained, in_one_line, random_pairs, run_pairs};
use crate::generate::{Pair, some_pairs};
use crate::harness::{absurl, parse_objects};

/// Checks the explanations of pairs, as text and as JSON. Returns how many differ from RFC 1808, and how many have errors.
fn check(pairs: &[Pair]) -> [usize; 2] {
    let run = |arguments| parse_objects(run_pairs(arguments, pairs));
    let (without, rfc1808) = (run(&["-s", "whatwg", "-j"]), run(&["-j"]));
    assert_eq!([without.len(), rfc1808.len()], [pairs.len(); 2]);
    let others = without.into_iter().zip(rfc1808);
    let mut counts = [0, 0];
    for ((block, mut object, _), (without, rfc1808)) in explained("whatwg", pairs).into_iter().zip(others) {
        let steps = object.as_object_mut().and_then(|object| object.remove("steps")).expect("steps");
        assert_eq!(object, without);
        let (_, others) = steps.as_array().and_then(|steps| steps.split_last()).expect("a step");
        let reasons = others.iter().filter(|step| step["step"] == "why").count();
        let differs = rfc1808["url"] != object["url"] || block.contains("\nRFC 1808 gives the same with");
        assert_eq!(reasons > 0, differs, "{block}");
        assert_differing(&block, &rfc1808, &object);
        // no record without a TAB, and no base without a scheme, has steps by any standard
        let has_steps = block.contains("\nBy the URL Standard:\n");
        let steps = "Steps add -s rfc1808 or -s rfc3986 ";
        assert_eq!(in_one_line(&block).contains(steps), has_steps, "{block}");
        for step in others {
            let (name, byte) = (step["name"].as_str(), step["byte"].as_u64());
            assert_eq!(step["step"] == "error", name.is_some() && byte.is_some_and(|byte| byte > 0), "{step}");
            assert_eq!(step["step"] == "why", step.get("reason").is_some(), "{step}");
            let words = step["text"].as_str().expect("a text");
            let shown = name.map_or(words, |name| name);
            assert!(in_one_line(&block).contains(&in_one_line(shown)), "{shown}: {block}");
        }
        counts = [counts[0] + usize::from(differs), counts[1] + usize::from(others.iter().any(is_error))];
    }
    counts
}

/// Checks that the parts which the sentence names differ.
fn assert_differing(block: &str, rfc1808: &Value, whatwg: &Value) {
    let block = in_one_line(block);
    let Some((_, names)) = block.split_once("WHATWG gives another ") else { return };
    let names = names.split(" than RFC 1808.").next().unwrap_or_default().replace(" and ", ", ");
    for name in names.split(", ").filter(|name| *name != "host") {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let own = &rfc1808["components"];
        let own = match name {
            "path" if text(&own["params"]).is_empty() => text(&own["path"]),
            "path" => text(&own["path"]) + ";" + &text(&own["params"]),
            "query" | "fragment" | "scheme" => text(&own[name]),
            _ => text(&rfc1808[name]),
        };
        let other = &whatwg["components"][name];
        // an empty query or fragment is absent by RFC 1808
        assert!(own != text(other) || own.is_empty() && ["query", "fragment"].contains(&name), "{name}: {block}");
    }
}

fn is_error(step: &Value) -> bool {
    step["step"] == "error"
}

#[test]
fn explanations_by_whatwg_end_in_the_answer() {
    let [differ, _] = check(&random_pairs(2026, 2_000));
    let [others, wrong] = check(&some_pairs(2026, 2_000, b"\0"));
    assert!(differ > 500 && others > 500 && wrong > 300, "{differ} {others} {wrong}");
}

#[test]
#[ignore = "100,000 explanations: 9 seconds"]
fn many_explanations_by_whatwg_end_in_the_answer() {
    for seed in 0..25 {
        check(&random_pairs(seed, 2_000));
        check(&some_pairs(seed, 2_000, b"\0"));
    }
}

/// After [`MAX_VIOLATIONS`](../../../src/limits.rs) errors the rest is counted.
#[test]
fn an_explanation_by_whatwg_counts_what_it_does_not_name() {
    let reference = "\\g ".repeat(800) + "x";
    let base = ["-b", "http://a", "--", &reference];
    let (text, ..) = absurl(&["-qe", "-s", "whatwg"]).arguments(&base).text();
    let block = in_one_line(&text);
    assert!(block.contains(" and 490 more: \"\\\" counts") && block.contains(" 600 more errors "), "{block}");
    let (json, ..) = absurl(&["-qej", "-s", "whatwg"]).arguments(&base).text();
    let object = &parse_objects(json)[0];
    let steps = object["steps"].as_array().expect("steps");
    assert_eq!(steps.iter().filter(|step| is_error(step)).count(), 1_000);
    assert_eq!(object["errors_omitted"], 600);
}

/// The base of a document is that of the standard, and what RFC 1808 answers is resolved with its own.
#[test]
fn links_are_explained_by_whatwg() {
    let page = "<base href='/x\\y/'><a href='g\u{E9}'>";
    let (text, ..) = absurl(&["-qe", "-s", "whatwg", "-l", "-b", "http://a/b", "-"]).input(page).text();
    for line in [
        "  path      /x/y/  /x/y/g%C3%A9\n",
        "\nBase     http://a/x/y/ (BASE in -:1:13)\nRFC 1808 gives http://a/x\\y/g\u{E9}\n",
        "\nAnswer   http://a/x/y/g%C3%A9\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The base is often a directory without its slash.
#[test]
fn the_segment_of_the_base_that_is_replaced_is_named() {
    for (base, reference, segment) in [
        ("https://h/docs", "x", "docs"),
        ("https://h/a/docs?q#f", "../x", "docs"),
        ("https://h/docs", "./", "docs"),
        ("https://h/docs", " \tx", "docs"),
        ("https://h/a b", "x", "a%20b"),
        ("x:/docs", "y", "docs"),
        ("file:///C:/docs", "x", "docs"),
        ("file:///C:", "x", ""),
        ("file:///docs", "C|/x", ""),
        ("https://h/docs/", "x", ""),
        ("https://h", "x", ""),
        ("https://h/docs", "/x", ""),
        ("https://h/docs", "\\x", ""),
        ("https://h/docs", "//x", ""),
        ("https://h/docs", "?x", ""),
        ("https://h/docs", " #x", ""),
        ("https://h/docs", "", ""),
        ("https://h/docs", "y:x", ""),
        ("mailto:docs", "x", ""),
    ] {
        let (block, ..) = absurl(&["-q", "-e", "-s", "whatwg", "-b", base, "--", reference]).text();
        let sentence = format!(" \"{segment}\" of the base is replaced.");
        let named = block.lines().nth(1).filter(|line| line.contains("is replaced"));
        assert_eq!(
            named.map(|line| line.ends_with(&sentence)),
            (!segment.is_empty()).then_some(true),
            "{base} {block}"
        );
    }
}
