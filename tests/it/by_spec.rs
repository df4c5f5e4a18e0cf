//! `--check --spec`: RFC 3986 against a matcher made from its ABNF, and what is said by the other standards.

use serde_json::Value;

use crate::bnf::Grammar;
use crate::generate::{Random, as_records, every, random_texts};
use crate::grammar::{column_of, each_violation};
use crate::harness::{absurl, parse_objects};

#[test]
fn the_matcher_is_the_grammar() {
    let grammar = Grammar::rfc_3986();
    assert_eq!(grammar.len(), 39);
    for (production, text, expected) in [
        ("URI-reference", "http://a/b/c/d;p?q#f", true),
        ("URI-reference", "", true),
        ("URI-reference", "1a:b", false),
        ("URI-reference", "./1a:b", true),
        ("URI-reference", "//u:p@h:80//x", true),
        ("URI-reference", "//h:8x", false),
        ("URI-reference", "?a[", false),
        ("URI", "x:", true),
        ("URI", "//h", false),
        ("absolute-URI", "x:a#", false),
        ("path-empty", "", true),
        ("path-empty", "a", false),
        ("pct-encoded", "%4f", true),
        ("pct-encoded", "%4g", false),
        ("IP-literal", "[::1]", true),
        ("IP-literal", "[1:2:3:4:5:6:7:255.0.0.1]", false),
        ("IP-literal", "[1:2:3:4:5:6:255.0.0.1]", true),
        ("IP-literal", "[1::2::3]", false),
        ("IP-literal", "[00001::]", false),
        ("IP-literal", "[VF.a:~]", true),
        ("dec-octet", "256", false),
        ("dec-octet", "00", false),
    ] {
        assert_eq!(grammar.matches(production, text.as_bytes()), expected, "{production}: {text}");
    }
}

/// What the first flaw says to write.
fn written(violation: &Value) -> Option<&str> {
    Some(violation["message"].as_str()?.split_once("; write ")?.1)
}

/// Compares what `--check --spec rfc3986` finds in texts with the matcher. A text with all its remedies is legal, and
/// so is what the message says to write, unless a port or what is in brackets is wrong. Returns how many texts were legal.
fn agree(texts: impl Iterator<Item = Vec<u8>> + Clone + Send) -> u64 {
    let grammar = Grammar::rfc_3986();
    let mut legal = 0;
    each_violation(&["-c", "-s", "rfc3986"], texts, |text, violations| {
        let shown = || format!("{}: {violations:?}", text.escape_ascii());
        let columns: Vec<_> = violations.iter().map(column_of).collect();
        assert_eq!(columns.is_empty(), grammar.matches("URI-reference", &text), "{}", shown());
        assert!(columns.is_sorted_by(|a, b| a < b), "{}", shown());
        legal += u64::from(columns.is_empty());
        let has = |name: &str| violations.iter().any(|violation| violation["production"] == name);
        if columns.is_empty() || has("IP-literal") || has("port") {
            return;
        }
        if !text.windows(2).any(|two| two == b"//") {
            // where no authority may begin, no text that matches begins as this does, and with the byte
            let dead = grammar.dead("URI-reference", &text).unwrap();
            let first = columns[0] - 1;
            assert!(first == dead || violations[0]["production"] == "pct-encoded" && dead - first <= 2, "{}", shown());
        }
        let mut fixed = Vec::new();
        let mut start = 0;
        for violation in violations {
            let at = column_of(violation) - 1;
            fixed.extend(&text[start..at]);
            start = at + 1;
            match violation["production"].as_str() {
                Some("segment-nz-nc") => {
                    fixed.splice(..0, *b"./");
                    fixed.push(b':');
                }
                // a slash may be meant, and a space at the end is removed
                _ => fixed
                    .extend(violation["remedy"].as_str().map_or(format!("%{:02X}", text[at]), str::to_owned).bytes()),
            }
        }
        fixed.extend(&text[start..]);
        if fixed.len() < 128 {
            assert!(grammar.matches("URI-reference", &fixed), "{}", shown());
        }
        let fix = written(&violations[0]).filter(|fix| fix.len() < 128 && !fix.starts_with(['"', 't']));
        assert!(fix.is_none_or(|fix| grammar.matches("URI-reference", fix.as_bytes())), "{}", shown());
    });
    legal
}

/// Asserts that a standard finds one thing in a reference: its name in JSON, and `COLUMN: WORDS` in the message.
fn assert_found(spec: &str, reference: &str, production: &str, finding: &str) {
    let run = |flag| absurl(&["-s", spec, flag, reference]).text();
    let (stdout, _, status) = run("-c");
    assert_eq!(stdout, format!("argument 1:{}\n", finding.replacen(": ", &format!(": {reference}: "), 1)));
    assert_eq!(status, 1);
    let found = &parse_objects(run("-cj").0)[0]["violations"][0];
    assert_eq!((found["in"].as_str(), found["production"].as_str()), (Some("reference"), Some(production)));
}

/// Texts that the ABNF derives, most with some bytes changed.
fn changed_texts(seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let grammar: std::sync::Arc<Grammar> = Grammar::rfc_3986().into();
    let mut random = Random(seed);
    (0..count).map(move |_| {
        let mut text = grammar.derive("URI-reference", &mut |limit| random.below(limit));
        for _ in 0..random.below(4) {
            let at = random.below(text.len() + 1);
            let pieces = ["", ":", "/", "//", "[", "]", "@", "?", "#", "%", " ", "~", "\\", "\u{e9}", "%41", "1", "::"];
            let end = text.len().min(at + random.below(3));
            text.splice(at..end, random.pick(&pieces).bytes());
        }
        text.truncate(100);
        text
    })
}

/// One byte of each class of the grammar.
const CLASSES: [&str; 13] = ["a", "1", "g", "~", ":", "@", "/", "?", "#", "[", "]", "%", "^"];

#[test]
fn every_text_up_to_3_bytes_is_checked_by_the_grammar() {
    assert!(agree(every(&CLASSES, 3)) > 600);
    assert!(agree(every(&["//", "[", "]", "::", "1", "v1.", ":", "@"], 4)) > 400);
}

#[test]
#[ignore = "700,000 texts: 3 seconds"]
fn every_text_up_to_5_bytes_is_checked_by_the_grammar() {
    assert!(agree(every(&CLASSES, 5)) > 40_000);
    assert!(agree(every(&["//", "[", "]", "::", "1", "v1.", ":", "@"], 6)) > 10_000);
}

#[test]
fn random_texts_are_checked_by_the_grammar() {
    assert!(agree(random_texts(0x3986_2005, 5_000, 24)) > 500);
    assert!(agree(changed_texts(0x3986, 5_000)) > 1_000);
}

#[test]
#[ignore = "200,000 texts: 5 seconds"]
fn many_random_texts_are_checked_by_the_grammar() {
    assert!(agree(random_texts(0x2005_3986, 100_000, 24)) > 10_000);
    assert!(agree(changed_texts(0x6893, 100_000)) > 20_000);
}

#[test]
fn every_base_is_checked_as_a_uri() {
    let grammar = Grammar::rfc_3986();
    let texts = every(&["g", "1", "/", ":", "?", "#", "^"], 4).filter(|text| !text.is_empty());
    let records = texts.flat_map(|text| [b"".as_slice(), b"x:"].map(|before| [before, &text, b"\t"].concat()));
    each_violation(&["-cp", "-s", "rfc3986"], records, |record, violations| {
        let base = record.strip_suffix(b"\t").unwrap();
        assert_eq!(violations.is_empty(), grammar.matches("URI", base), "{}", base.escape_ascii());
    });
}

#[test]
fn a_flaw_of_rfc_3986_has_its_place_its_words_and_its_fix() {
    for (reference, production, finding) in [
        ("a b", "pchar", "2: a space is not allowed in a path; write a%20b"),
        ("caf\u{e9}~", "pchar", "4: \"\u{e9}\" is not allowed in a path; write caf%C3%A9~"),
        (":80", "segment-nz-nc", "1: \":\" is not allowed in the first segment of a path; write ./:80"),
        ("a b:c d", "pchar", "2: a space is not allowed in a path, and 2 more (\":\"); write ./a%20b:c%20d"),
        (
            "1a:\\",
            "segment-nz-nc",
            "3: \":\" is not allowed in the first segment of a path, and 1 more (\"\\\"); write \"./\" at its start",
        ),
        ("%zz#%", "pct-encoded", "1: \"%\" is not followed by two hex digits, and 1 more; write %25zz#%25"),
        ("//u^@h/", "userinfo", "4: \"^\" is not allowed in a user name (userinfo); write //u%5E@h/"),
        // another host
        (
            "//u@h@/ ",
            "reg-name",
            "6: \"@\" is not allowed in a host (reg-name), and 1 more (a space); write the first \"@\" as %40",
        ),
        (
            "//\u{e9}h/",
            "reg-name",
            "3: \"\u{e9}\" is not allowed in a host (reg-name); write the host in its xn-- form",
        ),
        ("//h^\u{e9}/", "reg-name", "4: \"^\" is not allowed in a host (reg-name), and 1 more (\"\u{e9}\")"),
        (
            "<URL:x:y>",
            "pchar",
            "1: \"<\" is not allowed in a path, and 2 more (\":\", \">\"); remove \"<URL:\" and \">\"",
        ),
        ("//h:8x/", "port", "6: \"x\" is not allowed in a port; write digits"),
        (
            "//[::g]/",
            "IP-literal",
            "3: the brackets do not hold an IP address; write an IPv6 address in them, or no brackets",
        ),
        ("//[::1]gh:8", "IP-literal", "8: \"g\" is not allowed in a host after an IP address in brackets"),
        ("?[", "query", "2: \"[\" is not allowed in a query; write ?%5B"),
        ("#a#", "fragment", "3: \"#\" is not allowed in a fragment; write #a%23"),
        ("..\\x y", "pchar", "3: \"\\\" is not allowed in a path, and 1 more (a space); write %5C"),
        ("http://a/ ", "pchar", "10: a space is not allowed in a path; remove the space"),
    ] {
        assert_found("rfc3986", reference, production, finding);
    }
}

#[test]
fn columns_are_bytes_of_the_record_and_a_character_is_one_violation() {
    let (json, stderr, _) = absurl(&["-cj", "-s", "rfc3986"]).input(b"\xff\xfd \xc3\xa9\n").text();
    let found = &parse_objects(json)[0]["violations"];
    let columns: Vec<_> = found.as_array().unwrap().iter().map(column_of).collect();
    assert_eq!(columns, [1, 2, 3, 4, 5]);
    assert_eq!(found[0]["remedy"], "%FF");
    assert!(stderr.ends_with("absurl: 4 violations in 1 reference\n"), "{stderr}");
}

#[test]
fn the_base_is_checked_once_and_notes_are_of_rfc_1808_alone() {
    let violation = "base:11: http://a/b c: a space is not allowed in a path; write http://a/b%20c\n";
    let run = absurl(&["-c", "-s", "rfc3986", "-b", "http://a/b c"]).input("g\ng h\n");
    let second = "-:2:2: g h: a space is not allowed in a path; write g%20h\n";
    let sum = "absurl: 2 violations in 1 of 2 references and in 1 base URL\n";
    run.gives(format!("{violation}{second}"), sum, 1);
    let summary = "absurl: no illegal characters in 1 reference\n";
    for base in ["mailto:x", "gopher://h/1x", "http://a//b", "http://[::1]/~"] {
        for reference in ["x:y", "http:g", "ftp://u@h/;type=d"] {
            absurl(&["-c", "-s", "rfc3986", "-b", base, reference]).gives("", summary, 0);
        }
    }
    // no base is no violation
    absurl(&["-c", "-s", "whatwg", "g"]).gives("", summary, 0);
}

#[test]
fn pairs_links_and_limits_are_those_of_rfc_1808() {
    let list = "http://a^/\ta b\nx\tg\n\tg\nx:y\t~\n";
    let stdout = "-:1:9: http://a^/: \"^\" is not allowed in a host (reg-name), and 1 more (a space)\n\
                  -:2:1: x: the base URL has no scheme; use an absolute URL such as http://host/path\n";
    absurl(&["-cp", "-s", "rfc3986"]).input(list).gives(stdout, "absurl: 3 violations in 2 of 4 references\n", 1);
    let page = "<base href='http://a/|'>\n<a href='g h'><a href=ok>";
    let stdout = "-:1:13: http://a/|: \"|\" is not allowed in a path; write http://a/%7C\n\
                  -:2:10: g h: a space is not allowed in a path; write g%20h\n";
    let sum = predicates::str::ends_with("absurl: 2 violations in 1 of 2 links and in 1 base URL\n");
    absurl(&["-lc", "-s", "rfc3986", "-"]).input(page).gives(stdout, sum, 1);
    let (json, stderr, _) = absurl(&["-cj", "-s", "rfc3986"]).input("^".repeat(10_000)).text();
    assert!(json.contains(r#""violations_omitted":9000"#), "{json}");
    assert_eq!(
        (json.matches(r#""remedy":"%5E""#).count(), &*stderr),
        (1000, "absurl: 10000 violations in 1 reference\n")
    );
    absurl(&["-cq", "-s", "rfc3986"]).input("ok\na^\n").gives("", "", 1);
    let (stdout, ..) = absurl(&["-c", "-s", "rfc3986", "--fail-fast"]).input("^\n^\n").text();
    assert_eq!(stdout.lines().count(), 1);
}

#[test]
fn an_error_of_whatwg_has_its_place_its_name_and_its_words() {
    for (reference, name, finding) in [
        ("a b", "invalid-URL-unit", "2: a space is not allowed in a URL; write %20"),
        ("..\\x y", "invalid-reverse-solidus", "3: \"\\\" counts as \"/\", and 1 more; write \"/\""),
        ("/a[b]", "invalid-URL-unit", "3: \"[\" is not allowed in a URL, and 1 more; write %5B"),
        ("//h:99999/", "port-out-of-range", "5: port \"99999\" is greater than 65535; write a smaller one or omit it"),
        ("//u@h/", "invalid-credentials", "3: user name in a URL; remove \"u@\""),
        ("//1.2.3", "IPv4-too-few-parts", "3: \"1.2.3\" has fewer parts than an IPv4 address; write four"),
        ("<url:g>", "invalid-URL-unit", "1: \"<\" is not allowed in a URL, and 1 more; remove \"<url:\" and \">\""),
        // without a base URL, none is ignored
        ("https:A", "special-scheme-missing-following-solidus", "7: no \"//\" after the scheme; write https://"),
    ] {
        assert_found("whatwg", reference, name, finding);
    }
    for legal in ["\u{e9}", "//h:/", "HTTP://H/", "?a'b", ":80", "1a:b", "~", "mailto:x", ""] {
        absurl(&["-c", "-s", "whatwg", legal]).gives("", "absurl: no illegal characters in 1 reference\n", 0);
    }
}

#[test]
fn a_remedy_by_whatwg_is_an_escape_of_one_byte() {
    let remedies = |text: &str| {
        let found = parse_objects(absurl(&["-cj", "-s", "whatwg", text]).text().0)[0]["violations"].clone();
        let found = found.as_array().unwrap().iter().map(|found| found["remedy"].as_str().unwrap_or("-").to_owned());
        found.collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("/ [%?^#\\", "%20 %5B %25 %5E %5C"),
        // removed, a slash, perhaps a drive letter, two bytes, in a host, no character
        (" a\\b\tc", "- - -"),
        ("file:///c|", "-"),
        ("\u{80}\"", "- %22"),
        ("s://a\"b", "-"),
        ("<URL:g>", "- -"),
        ("//h:x", "-"),
    ] {
        assert_eq!(remedies(text), expected, "{text}");
    }
}

#[test]
fn the_base_decides_what_whatwg_finds_in_a_reference() {
    let status = |base: &str, reference| absurl(&["-c", "-s", "whatwg", "-b", base, reference]).text().2;
    assert_eq!([status("http://a/", "http:g"), status("https://a/", "http:g"), status("", "https:g")], [1; 3]);
    // an opaque path has no relative references, not even plain ones
    assert_eq!([status("mailto:x", "g"), status("mailto:x", "#g"), status("s:/x", "g")], [1, 0, 0]);
    // a base that is no URL is a violation itself; its references are not
    let (stdout, stderr, _) = absurl(&["-c", "-s", "whatwg", "-b", "http://a b/"]).input("g\n/h\n").text();
    assert_eq!(stdout, "base:9: http://a b/: a space is not allowed in a domain name\n");
    assert_eq!(stderr, "absurl: 1 violation in 1 base URL\n");
    let pairs = "http:\tg\nmailto:x\tg\n\tg\nhttp://a/\thttp:g\n";
    let (stdout, ..) = absurl(&["-cp", "-s", "whatwg"]).input(pairs).text();
    let places: Vec<_> = stdout.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["-:1:6", "-:2:10", "-:4:11"], "{stdout}");
    // a base that cannot be used is none
    for (base, text) in [("", " ht\ttps:A"), ("http://a b/", "https:A")] {
        let (json, ..) = absurl(&["-cj", "-s", "whatwg", "-b", base, text]).text();
        assert!(
            json.trim_end().ends_with(r#""message":"no \"//\" after the scheme; write https://"}],"notes":[]}"#),
            "{json}"
        );
    }
    let (stdout, ..) = absurl(&["-cp", "-s", "whatwg"]).input("x\tg\n \tg\n").text();
    let first = "-:1:1: x: the base URL has no scheme; use an absolute URL such as http://host/path\n";
    assert!(stdout.starts_with(first) && stdout.lines().count() == 2, "{stdout}");
    let found = &parse_objects(absurl(&["-cpj", "-s", "whatwg"]).input("x\tg\n").text().0)[0]["violations"][0];
    assert_eq!(found["production"], "missing-scheme-non-relative-URL");
    // a BASE as it is written
    for base in ["http://a/ |", "/ |"] {
        let page = format!("<base href='{base}'>\n<a href=ok>");
        let (stdout, _, status) = absurl(&["-lc", "-s", "whatwg", "-b", "http://a/", "-"]).input(page).text();
        let found = format!("-:1:13: {base}: a space is not allowed in a URL, and 1 more; write %20\n");
        assert_eq!((stdout, status), (found, 1));
    }
}

#[test]
fn what_is_legal_by_rfc_3986_is_counted_at_the_end_of_rfc_1808() {
    for (list, are) in [
        ("~\n", "1 of these is"),
        ("~\na~b\n", "2 of these are"),
        ("~\n^\n", "1 of these is"),
        ("//h//x\n^\n", "1 of these is"),
        ("http://u~p@[::1]:80/~\n", "1 of these is"),
        // the first text has another violation
        ("~^\n~\n", "1 of these is"),
    ] {
        let note = format!("absurl: {are} legal by RFC 3986; -s rfc3986 checks by it\n");
        let (_, stderr, status) = absurl(&["-c"]).input(list).text();
        assert_eq!((stderr.lines().count(), stderr.ends_with(&note), status), (2, true, 1), "{stderr}");
        for flags in ["-cj", "-cq", "-c=scheme"] {
            let (_, stderr, _) = absurl(&[flags]).input(list).text();
            assert!(!stderr.contains("legal by"), "{stderr}");
        }
    }
    for (base, is_legal) in [("http://a//b~", true), ("mailto:a", true), ("mailto:^~", false)] {
        let (_, stderr, _) = absurl(&["-c", "-b", base, "g"]).text();
        assert_eq!(stderr.contains("1 of these is legal by RFC 3986"), is_legal, "{stderr}");
    }
    for (pair, note) in [
        ("~\tg\n", ""), // a base without a scheme is no URI
        ("^\t~\n", "absurl: 1 of these is legal by RFC 3986; -s rfc3986 checks by it"),
    ] {
        let (_, stderr, _) = absurl(&["-cp"]).input(pair).text();
        assert_eq!(stderr.lines().nth(1).unwrap_or_default(), note, "{pair}");
    }
}

/// Texts that violate RFC 1808, and what RFC 3986 finds in them: the columns of both.
fn columns_of_both(texts: impl Iterator<Item = Vec<u8>>) -> Vec<(Vec<u8>, [Vec<usize>; 2])> {
    let texts: Vec<_> = texts.filter(|text| !text.contains(&0)).collect();
    let columns = |flags: &[&str]| {
        let objects = parse_objects(absurl(flags).input(as_records(&texts, 0)).text().0).into_iter();
        objects.map(|object| object["violations"].as_array().unwrap().iter().map(column_of).collect::<Vec<_>>())
    };
    let both = columns(&["-0cj"]).zip(columns(&["-0cj", "-s", "rfc3986"])).map(|(old, new)| [old, new]);
    texts.iter().cloned().zip(both).filter(|(_, [old, _])| !old.is_empty()).collect()
}

#[test]
fn what_is_counted_as_legal_has_no_flaw() {
    let texts = columns_of_both(changed_texts(0x1808_3986, 4_000));
    let legal = texts.iter().filter(|(_, [_, flaws])| flaws.is_empty()).count();
    let input: Vec<_> = texts.iter().map(|(text, _)| text).collect();
    let (_, stderr, _) = absurl(&["-0c"]).input(as_records(&input, 0)).text();
    assert!(legal > 100 && stderr.contains(&format!(" {legal} of these are")), "{legal}: {stderr}");
}

/// A BASE is checked as it is written, like a reference, whether the standard can use it or not.
#[test]
fn a_base_in_a_document_is_checked_as_it_is_written() {
    for (spec, base, href, expected) in [
        ("rfc3986", "http://z/", ":80/", ":80/: \":\" is not allowed in the first segment of a path; write ./:80/"),
        ("rfc3986", "", "x {", "x {: a space is not allowed in a path, and 1 more (\"{\"); write x%20%7B"),
        ("rfc3986", "http://z/", "1a/", ""),
        ("rfc3986", "", "/", ""),
        ("whatwg", "http://z/", "1a:b/", ""),
        (
            "whatwg",
            "",
            "//h:99999/",
            "//h:99999/: port \"99999\" is greater than 65535; write a smaller one or omit it",
        ),
        (
            "whatwg",
            "http://z/",
            "http:x/",
            "http:x/: \"http:\" without \"//\" is ignored, because it is the base's scheme; omit it",
        ),
        ("whatwg", "", "/x", ""),
    ] {
        let page = format!("<!doctype html><base href='{href}'><a href=g>1</a><a href=h>2</a>");
        let base = if base.is_empty() { String::new() } else { format!("-b {base}") };
        let expected = if expected.is_empty() { String::new() } else { format!("-:1:28: {expected}\n") };
        let status = i32::from(!expected.is_empty());
        let run = |words: &str| {
            let (stdout, _, status) =
                absurl(&["-c", "-s", spec]).words(&format!("{base} {words}")).input(&*page).text();
            (stdout, status)
        };
        assert_eq!(run("-l"), (expected.clone(), status), "{spec} {href}");
        assert_eq!(run("-d - g"), (expected.clone(), status), "{spec} {href}");
        assert_eq!(run("-q -l"), (String::new(), status), "{spec} {href}");
        // JSON has it as it is written, too
        let bases = parse_objects(run("-j -l").0).into_iter().filter(|object| object["record"].is_null());
        let bases: Vec<_> = bases.map(|object| object["base"].as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(bases, if status == 1 { vec![href] } else { vec![] }, "{spec} {href}");
    }
    let feed =
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://a/{/'><link xml:base='x y/' href='g'/></feed>";
    let (stdout, _, status) = absurl(&["-c", "-s", "rfc3986", "-b", "http://z/", "-l"]).input(feed).text();
    let expected = "-:1:53: http://a/{/: \"{\" is not allowed in a path; write http://a/%7B/\n-:1:82: x y/: a space is not allowed in a path; write x%20y/\n";
    assert_eq!((&*stdout, status), (expected, 1));
}

#[test]
fn a_text_is_legal_by_rfc_3986_exactly_if_that_finds_nothing() {
    let texts = changed_texts(0x3986_1808, 1_000).chain(every(&["~", "[", "]", "::", "//", ":"], 3));
    let mut count = 0;
    for (text, [_, flaws]) in columns_of_both(texts) {
        let (_, stderr, status) = absurl(&["-0c"]).input(as_records(&[&text], 0)).text();
        let is_all = stderr.contains("1 of these is legal");
        assert_eq!((is_all, status), (flaws.is_empty(), 1), "{}: {stderr}", text.escape_ascii());
        count += usize::from(is_all);
    }
    assert!(count > 50, "{count}");
}

/// A base that the user gave is checked where a relative BASE is resolved with it, though no link has it as its own base.
#[test]
fn a_given_base_is_checked_where_a_relative_base_needs_it() {
    let page = "<base href=b/><a href=ok>";
    let violation = "http://a/{/d: \"{\" is not allowed in a URL; write %7B\n";
    for words in ["-l -b http://a/{/d", "-d - -b http://a/{/d ok"] {
        let (stdout, _, status) = absurl(&["-c", "-s", "whatwg"]).words(words).input(page).text();
        assert_eq!((stdout, status), (format!("base:10: {violation}"), 1), "{words}");
    }
    let absolute = "<base href=http://h/><a href=ok>";
    absurl(&["-q", "-c", "-s", "whatwg", "-l", "-b", "http://a/{/d"]).input(absolute).gives("", "", 0);
    // an absolute one needs none, whatever is wrong with that
    let run = absurl(&["-c", "-s", "whatwg", "-l", "-b", "http://a b/"]).input(absolute);
    run.gives("", "absurl: no illegal characters in 1 link\n", 0);
}

/// The links of a document are checked, whatever is wrong with the URL that its pair has.
#[test]
fn a_pair_whose_base_is_refused_is_checked() {
    let page = "tests/data/base/no_base.html";
    for (spec, base, place) in [("rfc3986", "http://h/{", "base:10: "), ("whatwg", "http://x y/", "base:9: ")] {
        let run = absurl(&["-c", "-l", "-p", "-s", spec]).input(format!("{base}\t{page}\n"));
        let (stdout, stderr, status) = run.text();
        assert!(stdout.starts_with(&format!("{page}:{place}{base}: ")), "{stdout}");
        assert!(status == 1 && !stderr.contains("failed"), "{stderr}");
    }
}

#[test]
fn each_location_of_a_chain_is_checked() {
    let hop = |location: &str| format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n");
    let dump = hop("http://h/re{dir/") + &hop("x/z") + "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=ok>";
    for (spec, fix) in [("whatwg", "a URL; write %7B"), ("rfc3986", "a path; write http://h/re%7Bdir/")] {
        let (stdout, _, status) = absurl(&["-c", "-l", "-s", spec]).input(&*dump).text();
        assert_eq!((stdout, status), (format!("-:2:1: http://h/re{{dir/: \"{{\" is not allowed in {fix}\n"), 1));
    }
}

/// With an escape, a domain name would be one that few resolve.
#[test]
fn hosts_have_the_fixes_of_their_schemes() {
    for (text, fix) in [
        ("http://\u{e9}/", "; write the host in its xn-- form"),
        ("//\u{e9}/", "; write the host in its xn-- form"),
        ("x://\u{e9}-/^", ", and 1 more (\"^\"); write x://%C3%A9-/%5E"),
        ("http://a\u{80}/", ""),
        ("http://a{/", ""),
        ("http://a b/{", ", and 1 more (\"{\")"),
        ("x://a{/", "; write x://a%7B/"),
    ] {
        let (stdout, ..) = absurl(&["-c", "-s", "rfc3986", text]).text();
        let end = stdout.trim_end().rsplit("(reg-name)").next().unwrap();
        assert_eq!(end, fix, "{stdout}");
    }
}
