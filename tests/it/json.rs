//! The fields of JSON that depend on the standard.

use crate::harness::absurl;
use crate::resolve::json;
use crate::table::read_rows;

/// Where one standard answers, it has its name after the source and the number of the record.
#[test]
fn json_names_the_standard_that_answers() {
    let page = b"<base href='//h/'><a href=' g'><a href=http:>";
    let runs: &[(&[&str], &[u8])] = &[
        (&["-b", "http://a/"], b"g\n"),
        (&[], b"g\n"),
        (&["-e", "-b", "http://a/"], b"g\n"),
        (&["-p"], b"no tab\nmailto:a\tg\nx:\tg\n"),
        (&["-l", "-b", "http://a/"], page),
        (&["-l"], page),
        (&["--print-base", "-b", "http://a/"], page),
        (&["--print-base"], b"<p>"),
        (&["--relative", "-b", "http://a/"], b"http://a/g\nhttp://[\n"),
        (&["--relative"], b"http://a/g\n"),
        (&["-c", "-b", "http://a/~"], b"g\ng h\n"),
        (&["-c", "-p"], b"no tab\n"),
        (&["--compare", "-p"], b"no tab\nhttp://a/\t..\n"),
        (&["-c=host", "-p"], b"no tab\nhttp://a/\tg\nhttp://a/\t//b\n"),
    ];
    let mut objects = 0;
    for (arguments, input) in runs {
        for spec in ["rfc1808", "rfc3986", "whatwg"] {
            // an explanation and a check may be RFC 1808's alone
            let is_obeyed = !["-e", "-c"].contains(&arguments.first().copied().unwrap_or_default());
            let asks_all = arguments.iter().any(|flag| ["--compare", "-c=host"].contains(flag));
            let (stdout, ..) = absurl(&["-j", "-s", spec]).arguments(arguments).input(*input).text();
            for line in stdout.lines() {
                let rest = line.split_once(r#""source":""#).and_then(|(_, rest)| rest.split_once("\",")).unwrap().1;
                let rest = rest.strip_prefix(r#""record":"#).map_or(rest, |rest| rest.split_once(',').unwrap().1);
                let named = rest.strip_prefix(r#""spec":""#).and_then(|rest| rest.split('"').next());
                let is_right = |named: &str| named == spec || !is_obeyed && named == "rfc1808";
                assert!(if asks_all { named.is_none() } else { named.is_some_and(is_right) }, "{line}");
                assert!(line.matches(r#""spec":"#).count() < 2, "{line}");
                objects += 1;
            }
        }
    }
    assert!(objects >= 3 * 23, "{objects}");
}

/// The components of a WHATWG answer are those of its text, each with its own delimiter.
#[test]
fn the_components_of_whatwg_give_the_url_again() {
    let rows = read_rows::<3>(include_str!("../data/whatwg.tsv"));
    let pairs: Vec<_> = rows.into_iter().map(|[base, reference, _]| (base, reference)).collect();
    let mut urls = 0;
    for object in json(&["-s", "whatwg"], &pairs).iter().filter(|object| object["error"].is_null()) {
        let text = |before: &str, name: &str, after: &str| {
            object["components"][name].as_str().map_or(String::new(), |part| format!("{before}{part}{after}"))
        };
        let slashes = if object["host"].is_null() { "" } else { "//" };
        let at = if object["user"].is_null() { "" } else { "@" };
        let login = [slashes, &text("", "user", ""), &text(":", "password", ""), at, &text("", "host", "")].concat();
        let end = [text(":", "port", ""), text("", "path", ""), text("?", "query", ""), text("#", "fragment", "")];
        assert_eq!(object["url"], text("", "scheme", ":") + &login + &end.concat(), "{object}");
        urls += 1;
    }
    assert!(urls > 90, "{urls}");
    for (url, components) in [
        (
            "http://u:p@h:81/p;r?q#f",
            r#""user":"u","password":"p","host":"h","port":"81","path":"/p;r","query":"q","fragment":"f""#,
        ),
        ("http://h/?#", r#""user":null,"password":null,"host":"h","port":null,"path":"/","query":"","fragment":"""#),
        ("x:o", r#""user":null,"password":null,"host":null,"port":null,"path":"o","query":null,"fragment":null"#),
        ("x://u@h", r#""user":"u","password":null,"host":"h","port":null,"path":"","query":null,"fragment":null"#),
        ("file:///x", r#""user":null,"password":null,"host":"","port":null,"path":"/x","query":null,"fragment":null"#),
    ] {
        let (stdout, ..) = absurl(&["-j", "-s", "whatwg", url]).text();
        let scheme = url.split(':').next().unwrap();
        assert!(stdout.contains(&format!(r#""components":{{"scheme":"{scheme}",{components}}},"#)), "{stdout}");
    }
}

/// A character that needs an escape gets it wherever it is in a reference, in a base and in the URL that both give.
#[test]
fn an_escape_may_be_anywhere_in_a_text() {
    let escaped = ['"', '\\', '\u{1}', '\u{7F}', '\u{85}', '\u{2028}', '\u{202E}'];
    let mut pairs = Vec::new();
    for length in 0..40 {
        for at in 0..=length {
            for char in escaped.into_iter().chain(['~', 'é']) {
                let text = format!("{}{char}{}", "a".repeat(at), "b".repeat(length - at));
                pairs.push((format!("x://h/{text}"), text));
            }
        }
    }
    let list: String = pairs.iter().map(|(base, reference)| format!("{base}\t{reference}\n")).collect();
    let (stdout, ..) = absurl(&["-j", "-p"]).input(list).text();
    assert!(!stdout.contains(|char| char != '\n' && (char < ' ' || escaped[3..].contains(&char))));
    assert_eq!(stdout.lines().count(), pairs.len());
    for (line, (base, reference)) in stdout.lines().zip(&pairs) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        let (path, url) = (format!("/{reference}"), format!("x://h/{reference}"));
        let found = [&object["base"], &object["reference"], &object["components"]["path"], &object["url"]];
        assert_eq!(found, [base, reference, &path, &url], "{line}");
    }
}
