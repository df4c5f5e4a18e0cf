//! `--explain --spec whatwg`: what RFC 1808 answers is asked a second time, and the last line ends in the answer.

#[cfg(unix)]
use std::process::Stdio;

use serde_json::Value;

use super::{random_pairs, run_pairs};
use crate::generate::{Pair, some_pairs};
use crate::harness::{absurl, parse_objects, records};
#[cfg(unix)]
use crate::progress::{open_terminal, read_screen};

/// A block as one line, so that it does not matter where lines are broken.
fn unwrapped(block: &str) -> String {
    block.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the explanations of pairs, as text and as JSON. Returns how many differ from RFC 1808, and how many have errors.
fn check(pairs: &[Pair]) -> [usize; 2] {
    let by = |more: &[&str]| run_pairs(&[&["-s", "whatwg"], more].concat(), pairs);
    let (plain, objects) = (by(&[]), parse_objects(by(&["-e", "-j"])));
    let (without, rfc1808) = (parse_objects(by(&["-j"])), parse_objects(run_pairs(&["-j"], pairs)));
    let explained = String::from_utf8(by(&["-e"])).expect("an explanation is text");
    let plain = records(&plain, b'\0');
    assert_eq!([plain.len(), objects.len(), without.len()], [pairs.len(); 3]);
    let (mut rest, mut counts) = (&*explained, [0, 0]);
    for (index, mut object) in objects.into_iter().enumerate() {
        let next = format!("\n\n-:{}:", index + 2);
        let block = rest.split(&next).next().unwrap_or_default();
        rest = rest.get(block.len() + 2..).unwrap_or_default();
        let steps = object.as_object_mut().and_then(|object| object.remove("steps")).expect("steps");
        assert_eq!(object, without[index]);
        let steps = steps.as_array().expect("an array");
        let (last, others) = steps.split_last().expect("a step");
        let url = str::from_utf8(plain[index]).expect("an answer is ASCII");
        if url.is_empty() {
            let error = object["error"]["message"].as_str().expect("a message");
            assert_eq!((&last["step"], &last["text"]), (&"error".into(), &error.into()), "{object}");
            assert!(last.get("name").is_none(), "{last}");
            assert!(unwrapped(block).ends_with(&unwrapped(&format!(" error: {error}"))), "{block}");
        } else {
            assert_eq!((&last["step"], &last["text"]), (&"answer".into(), &url.into()), "{object}");
            assert!(block.trim_end().ends_with(&format!(" {url}")), "{url}: {block}");
        }
        let reasons = others.iter().filter(|step| step["step"] == "why").count();
        let own = &rfc1808[index]["url"];
        let differs = *own != object["url"] || block.contains("\nRFC 1808 gives the same with");
        assert_eq!(reasons > 0, differs, "{block}");
        assert_differing(block, &rfc1808[index], &object);
        // no record without a TAB, and no base without a scheme, has steps by any standard
        let has_steps = block.contains("\nBy the URL Standard:\n");
        let steps = "Steps add -s rfc1808 or -s rfc3986 ";
        assert_eq!(unwrapped(block).contains(steps), has_steps, "{block}");
        for step in others {
            let (name, byte) = (step["name"].as_str(), step["byte"].as_u64());
            assert_eq!(step["step"] == "error", name.is_some() && byte.is_some_and(|byte| byte > 0), "{step}");
            assert_eq!(step["step"] == "why", step.get("reason").is_some(), "{step}");
            let words = step["text"].as_str().expect("a text");
            let shown = name.map_or(words, |name| name);
            assert!(unwrapped(block).contains(&unwrapped(shown)), "{shown}: {block}");
        }
        counts = [counts[0] + usize::from(differs), counts[1] + usize::from(others.iter().any(is_error))];
    }
    counts
}

/// Checks that the parts which the sentence names differ.
fn assert_differing(block: &str, rfc1808: &Value, whatwg: &Value) {
    let block = unwrapped(block);
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

/// What is explained of a reference with the base `http://a/b/c/d`.
fn explain(reference: &str) -> String {
    absurl(&["-q", "-e", "-s", "whatwg", "-b", "http://a/b/c/d", "--", reference]).text().0
}

#[test]
fn an_explanation_by_whatwg_says_how_and_why_it_differs() {
    assert_eq!(
        explain(r"/\evil.com"),
        r#"argument 1: /\evil.com
WHATWG gives another host than RFC 1808.

            base    answer
  scheme    http    http
  host      a       evil.com
  path      /b/c/d  /

By the URL Standard:
Error    invalid-reverse-solidus at byte 2: "\" counts as "/"; write "/"
RFC 1808 gives http://a/\evil.com
Why      a backslash is a slash
         a slash is added after the host
Steps    add -s rfc1808 or -s rfc3986
Answer   http://evil.com/
"#
    );
    assert_eq!(
        explain("g"),
        "argument 1: g
WHATWG gives the same as RFC 1808.

            base    answer
  scheme    http    http
  host      a       a
  path      /b/c/d  /b/c/g

By the URL Standard:
Steps    add -s rfc1808 or -s rfc3986
Answer   http://a/b/c/g
"
    );
    assert_eq!(
        explain("//u:p@[::1]x/?"),
        r#"argument 1: //u:p@[::1]x/?
WHATWG has no answer, and RFC 1808 has one.

            base    answer
  scheme    http    -
  host      a       -
  path      /b/c/d  -

By the URL Standard:
Error    invalid-credentials at byte 3: user name and password in a URL; remove
         them
         IPv6-unclosed at byte 7: the IPv6 address does not end with "]"
RFC 1808 gives http://u:p@[::1]x/
Why      the host is not accepted
Steps    add -s rfc1808 or -s rfc3986
error: "//u:p@[::1]x/?": not a valid IP address (URL Standard); write four
         numbers, IPv6 in brackets, or a domain name
"#
    );
}

#[test]
fn explanations_by_whatwg_have_their_words() {
    for (reference, sentence, line) in [
        ("../../../g", "WHATWG gives another path than RFC 1808.", "Why surplus \"..\" is dropped"),
        (
            "http:g",
            "WHATWG gives a host, and RFC 1808 gives no host.",
            "Error special-scheme-missing-following-solidus",
        ),
        (
            "x://h?y",
            "WHATWG gives the same URL as RFC 1808, but with another host.",
            "RFC 1808 gives the same with host h?y",
        ),
        (
            "x://h?@",
            "WHATWG gives the same URL as RFC 1808, but with another host.",
            "RFC 1808 gives the same without a host Why",
        ),
        ("//1.2.3", "WHATWG gives another host than RFC 1808.", "IPv4-too-few-parts"),
        ("./x?#", "WHATWG gives another query and fragment than RFC 1808.", "Why a lone"),
        ("//A/", "WHATWG writes the answer of RFC 1808 another way.", "Why scheme and host are changed to lower case"),
        ("?", "WHATWG gives another query than RFC 1808.", "query - (empty)"),
        ("#", "WHATWG gives another fragment than RFC 1808.", "fragment - (empty)"),
        ("file:///g", "WHATWG gives the same as RFC 1808.", "host a (empty)"),
        (
            "a b c d e f g h i j k l m",
            "WHATWG writes the answer of RFC 1808 another way.",
            "at bytes 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 2 more: a space is not allowed",
        ),
    ] {
        let block = unwrapped(&explain(reference));
        assert!(block.contains(sentence) && block.contains(line), "{sentence} {line}: {block}");
    }
    let (text, ..) = absurl(&["-qep", "-s", "whatwg"]).input("b\tg\nno tab\n\tg\nmailto:a\tg\n").text();
    for block in [
        "-:1: g\nWHATWG and RFC 1808 have no answer.\n\n            base  answer\n  path      b     -\n\nBy the URL Standard:\nError    missing-scheme-non-relative-URL at byte 1 of the base: ",
        "-:2: no tab\n\nerror: no TAB in the record; write BASE TAB REFERENCE\n",
        "-:3: g\nWHATWG and RFC 1808 have no answer.\n\nBy the URL Standard:\nError    missing-scheme-non-relative-URL",
        "-:4: g\nWHATWG and RFC 1808 have no answer.\n\n            base    answer\n  scheme    mailto  -\n  path      a       -\n",
    ] {
        assert!(text.contains(block), "{block}: {text}");
    }
}

/// After [`MAX_VIOLATIONS`](../../../src/limits.rs) errors the rest is counted.
#[test]
fn an_explanation_by_whatwg_counts_what_it_does_not_name() {
    let reference = "\\g ".repeat(800) + "x";
    let block = unwrapped(&explain(&reference));
    assert!(block.contains(" and 490 more: \"\\\" counts") && block.contains(" 600 more errors "), "{block}");
    let (json, ..) = absurl(&["-qej", "-s", "whatwg", "-b", "http://a", "--", &reference]).text();
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

#[cfg(unix)]
#[test]
fn a_terminal_of_60_columns_has_lines_of_60_by_whatwg() {
    for reference in ["/\\evil.com", " a b ", "//[::1", "http:g", "//1.2.3"] {
        let (screen, terminal) = open_terminal(60);
        let base = "https://example.com/docs/guide/d;p?q";
        let run = absurl(&["-q", "-e", "-s", "whatwg", "--color", "never", "-b", base, "--", reference]);
        let mut child = run.start(Stdio::null(), terminal, Stdio::null());
        let shown = read_screen(screen).replace("\r\n", "\n");
        child.wait().unwrap();
        assert!(shown.contains("\nBy the URL Standard:\n"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
    }
}
