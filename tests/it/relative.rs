//! `--relative`: the reference that leads from a base to a URL.

use crate::generate::{Pair, Random, as_pairs, some_pairs, string};
use crate::harness::{absurl, fields, records};
use crate::table::{assert_each, read_rows};

/// The standard, the base, a reference, the reference from the base to its URL.
const RELATIVE: &str = include_str!("../data/relative.tsv");

/// The answers to pairs, one each; empty for one that fails.
fn answers(arguments: &[&str], pairs: &[Pair]) -> Vec<Vec<u8>> {
    let run = absurl(&[arguments, &["-q", "-0", "--pairs"]].concat()).input(as_pairs(pairs, b'\0')).output();
    let answers: Vec<_> = records(&run.stdout, b'\0').into_iter().map(<[u8]>::to_vec).collect();
    assert_eq!(answers.len(), pairs.len());
    answers
}

/// Each reference of pairs, replaced by its URL.
fn with_urls(pairs: &[Pair], urls: Vec<Vec<u8>>) -> Vec<Pair> {
    pairs.iter().zip(urls).map(|((base, _), url)| (base.clone(), url)).collect()
}

#[test]
fn each_form_and_each_reason_to_pass_over_one() {
    let (rows, mut all) = (read_rows::<4>(RELATIVE), Vec::new());
    for spec in ["rfc1808", "rfc3986", "whatwg"] {
        let rows: Vec<_> = rows.iter().filter(|[name, ..]| name == spec.as_bytes()).collect();
        let pairs: Vec<Pair> = rows.iter().map(|[_, base, url, _]| (base.clone(), url.clone())).collect();
        for ([_, base, url, expected], got) in rows.iter().zip(answers(&["-s", spec, "--relative"], &pairs)) {
            let [base, url, expected, got] = [base, url, expected, &got].map(|bytes| bytes.escape_ascii().to_string());
            all.push((format!("{spec}: {base} + {url}"), got, expected));
        }
    }
    assert_eq!(all.len(), rows.len(), "a row has no standard");
    assert_each(all);
}

#[test]
fn forms_are_those_of_a_second_hand() {
    compare_with_second_hand(3_000);
}

#[test]
#[ignore = "a million pairs in each standard: a minute"]
fn forms_are_those_of_a_second_hand_a_million_times() {
    for seed in 0..20 {
        compare_with_second_hand(50_000 + seed);
    }
}

/// Has absurl resolve the forms that [`forms`] makes of random pairs: the first that gives the URL is the answer.
fn compare_with_second_hand(count: usize) {
    let mut pairs = some_pairs(count as u64, count, b"\0");
    // URLs near their base: some of its text, and something after it
    let mut random = Random(count as u64);
    for (base, reference) in pairs.iter_mut().step_by(2) {
        let cut = random.below(base.len() + 1);
        *reference = [&base[..cut], &string(&mut random, 12, b"\0")].concat();
    }
    for spec in ["rfc1808", "rfc3986", "whatwg"] {
        let urls = with_urls(&pairs, answers(&["-s", spec], &pairs));
        let got = answers(&["-s", spec, "--relative"], &pairs);
        let back = answers(&["-s", spec], &with_urls(&pairs, got.clone()));
        let same: Vec<_> = pairs.iter().map(|(base, _)| (base.clone(), b"#".to_vec())).collect();
        let written = answers(&["-s", spec], &same);
        let all = urls
            .iter()
            .zip(&written)
            .map(|((base, url), written)| forms(spec, if written.is_empty() { base } else { written }, url));
        let all: Vec<Vec<Vec<u8>>> = all.collect();
        let candidates: Vec<Pair> = all
            .iter()
            .zip(&pairs)
            .flat_map(|(forms, (base, _))| forms.iter().map(|form| (base.clone(), form.clone())))
            .collect();
        let mut resolved = answers(&["-s", spec], &candidates).into_iter();
        let mut relative = 0;
        for ((((base, url), forms), got), back) in urls.iter().zip(&all).zip(&got).zip(&back) {
            let resolved: Vec<_> = resolved.by_ref().take(forms.len()).collect();
            let none = Vec::new();
            let first = forms.iter().zip(&resolved).find(|(_, answer)| *answer == url).map_or(&none, |(form, _)| form);
            let expected = if base.is_empty() || url.is_empty() { &b""[..] } else { first };
            let [shown_base, shown_url] = [base, url].map(|bytes| bytes.escape_ascii().to_string());
            let case = format!("{spec}: {shown_base} + {shown_url}");
            assert_eq!(got.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{case}");
            if !got.is_empty() {
                assert_eq!(back.escape_ascii().to_string(), shown_url, "{case}");
                relative += usize::from(got != url);
            }
        }
        assert!(relative > count / 10, "{spec}: {relative} of {count}");
    }
}

/// The forms, made by their words in the man page, and not by the program's way.
fn forms(spec: &str, base: &[u8], url: &[u8]) -> Vec<Vec<u8>> {
    let ([host, base, ..], [_, path, query, fragment]) = (divide(spec, base), divide(spec, url));
    let is_after_path = |byte: &u8| b"?#".contains(byte) || spec == "rfc1808" && *byte == b';';
    let path_only: Vec<u8> = path.iter().copied().take_while(|byte| !is_after_path(byte)).collect();
    let base_only: Vec<u8> = base.iter().copied().take_while(|byte| !is_after_path(byte)).collect();
    let base_only = if base_only.is_empty() && host.contains(&b'/') { b"/".to_vec() } else { base_only };
    let segments = |text: &[u8]| text.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (from, to) = (segments(&base_only), segments(&path_only));
    let (from, to_directory) = (&from[..from.len() - 1], &to[..to.len() - 1]);
    let shared = from.iter().zip(to_directory).take_while(|(from, to)| from == to).count();
    let rest = [&to[shared..].join(&b'/'), &path[path_only.len()..], &query, &fragment].concat();
    let mut relative = b"../".repeat(from.len() - shared);
    let colon = rest.iter().find(|byte| b":/?#".contains(byte)) == Some(&b':');
    let odd = rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"._~-%".contains(byte));
    let is_pathless = to[shared..].iter().all(Vec::is_empty) && to[shared..].len() == 1;
    if relative.is_empty() && (colon || odd || is_pathless) {
        relative.extend(b"./");
    }
    relative.extend(&rest);
    let rooted = if path.starts_with(b"/") { [&path[..], &query, &fragment].concat() } else { Vec::new() };
    let with_query = if query.is_empty() { Vec::new() } else { [&query[..], &fragment].concat() };
    let forms = [fragment, with_query, relative, rooted, url.to_vec()];
    forms.into_iter().filter(|form| !form.is_empty() && !form.starts_with(b"//")).collect()
}

/// Scheme and host, path with params, query and fragment, each with its delimiter.
fn divide(spec: &str, url: &[u8]) -> [Vec<u8>; 4] {
    let at = |text: &[u8], byte: u8| text.iter().position(|other| *other == byte).unwrap_or(text.len());
    let (body, fragment) = url.split_at(at(url, b'#'));
    let colon = at(body, b':');
    let name = &body[..colon];
    let is_name = !name.is_empty()
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        && (spec == "rfc1808" || name[0].is_ascii_alphabetic());
    let mut path = if is_name && colon < body.len() { colon + 1 } else { 0 };
    // RFC 1808 cuts the net_loc before the query, the others the query first
    if body[path..].starts_with(b"//") {
        let host = &body[path + 2..];
        let end = if spec == "rfc1808" { at(host, b'/') } else { at(host, b'/').min(at(host, b'?')) };
        path += 2 + end;
    }
    let query = path + at(&body[path..], b'?');
    [&body[..path], &body[path..query], &body[query..], fragment].map(<[u8]>::to_vec)
}

#[test]
fn records_arguments_pairs_and_null() {
    let run = |arguments: &[&str]| absurl(&[&["--relative"], arguments].concat());
    run(&["-b", "http://a/b/c", "/b/d", "http://h/"]).gives("d\nhttp://h/\n", "", 0);
    run(&["-b", "http://a/b/c"]).input("/b/d\n\n/x\n").gives("d\nc\n../x\n", "", 0);
    run(&["-b", "http://a/b/c", "-k"]).input("/b/d\n").gives("/b/d\td\n", "", 0);
    run(&["-p", "-k"]).input("http://a/b\t/d\n").gives("http://a/b\t/d\td\n", "", 0);
    run(&["-0", "-b", "http://a/b/c"]).input("/b/d\n\0/x\0").gives("d\n\0../x\0", "", 0);
    run(&["-b", "http://a/b/c", "-s", "whatwg", "/b/\u{e9}"]).gives("%C3%A9\n", "", 0);
}

#[test]
fn a_record_without_a_base_fails_with_a_scheme_too() {
    absurl(&["--relative"]).input("http://a/b\n").gives("\n", "absurl: -:1: no base; use --base URL\n", 1);
    absurl(&["--relative", "-b", ""]).input("http://a/b\n").gives("\n", predicates::str::contains("no base"), 1);
    let said = "absurl: -:1: no base; write one before the TAB\n";
    absurl(&["--relative", "-p"]).input("\thttp://a/b\nhttp://a/b\tc\n").gives("\nc\n", said, 1);
}

#[test]
fn a_url_that_only_the_empty_reference_gives_fails() {
    // RFC 3986 removes the dots of the base from any other reference's path
    let run = |reference| absurl(&["--relative", "-s", "rfc3986", "-b", "http://a/b/../c/.", reference]);
    let said = "absurl: argument 1: only the empty reference gives this URL; use the URL itself\n";
    run("").gives("\n", said, 1);
    run("?y").gives("?y\n", "", 0);
}

#[test]
fn an_object_has_the_url_and_the_reference() {
    let run = |arguments: &[&str]| absurl(&[&["--relative", "-j", "-b", "http://a/b/c"], arguments].concat()).text();
    let (stdout, _, status) = run(&["../d"]);
    assert_eq!(
        (fields(&stdout, "reference url relative spec"), status),
        (vec!["../d http://a/d ../d rfc1808".into()], 0)
    );
    let (stdout, ..) = run(&["-s", "whatwg", "/\\h"]);
    assert_eq!(fields(&stdout, "url relative spec"), ["http://h/ http://h/ whatwg"]);
    let (stdout, ..) = run(&["-s", "whatwg", "http://[/"]);
    assert_eq!(fields(&stdout, "url relative"), ["null null"]);
    let (stdout, ..) = absurl(&["--relative", "-j", "-b", "http://a/b/c"]).input(b"\xFF\n".to_vec()).text();
    assert_eq!(fields(&stdout, "relative relative_base64"), ["./\u{FFFD} Li//"]);
}

#[test]
fn links_of_a_page_relative_to_its_base() {
    let page = "<a href=/b/d><img src='//h/x'><base href=http://a/b/x/>";
    absurl(&["--links", "--relative", "-b", "http://r/"]).input(page).gives("../d\nhttp://h/x\n", "", 0);
}
