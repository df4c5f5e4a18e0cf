//! `--check=host`: which references are not certain to stay on the host of the URL that the user gave.

use std::collections::BTreeMap;
use std::fs;

use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use serde_json::Value;
use url::Host;

use crate::generate::{Pair, Random};
use crate::harness::{absurl, new_directory, parse_objects};
use crate::messages::undecodable;
use crate::oracle;
use crate::resolve::json;
use crate::table::{assert_each, read_rows};

/// Base, reference, what WHATWG reads, what is said.
const LEAVES: &str = include_str!("../data/leaves.tsv");

const BASE: &str = "https://example.com/docs/";

/// The rows of the table, each with the line that is printed without its location; empty if the reference stays.
fn rows() -> Vec<(Pair, String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let row = |[base, reference, whatwg, said]: [Vec<u8>; 4]| {
        let said = text(&said);
        ((base, reference), text(&whatwg), if said == "stays" { String::new() } else { said })
    };
    read_rows(LEAVES).into_iter().map(row).collect()
}

/// What is printed, one line for each record, without its location and the record itself; empty lines for those of which
/// nothing is printed.
fn said_of(output: &str, location: impl Fn(usize) -> String, records: usize) -> Vec<String> {
    let mut lines = output.lines().peekable();
    let said = (1..=records).map(|number| {
        let line = lines.next_if(|line| line.starts_with(&location(number))).unwrap_or_default();
        let start =
            ["reaches ", "not a link ", "no answer by "].iter().filter_map(|word| line.rfind(&format!(": {word}")));
        line[start.min().map_or(0, |start| start + 2)..].to_owned()
    });
    let said = said.collect();
    assert_eq!(lines.next(), None);
    said
}

#[test]
fn the_table_has_its_verdicts_as_pairs_lists_and_arguments() {
    let rows = rows();
    let stays = rows.iter().filter(|row| row.2.is_empty()).count();
    assert!(0 < stays && stays < rows.len(), "rows of both kinds");
    let (mut all, mut statuses) = (Vec::new(), Vec::new());
    let mut add = |how: &str, rows: &[(&[u8], &[u8], &str)], said: Vec<String>| {
        let case = |base: &[u8], text: &[u8]| format!("{how}: {} {}", base.escape_ascii(), text.escape_ascii());
        let own = rows.iter().zip(said);
        all.extend(own.map(|((base, text, expected), said)| (case(base, text), said, (*expected).to_owned())));
    };
    let line = |number| format!("-:{number}: ");
    let of_pairs: Vec<u8> =
        rows.iter().flat_map(|((base, text), ..)| [base, &b"\t"[..], text, b"\0"].concat()).collect();
    let (stdout, stderr, status) = absurl(&["-0", "-p", "--check=host"]).input(of_pairs.clone()).text();
    let rows: Vec<(&[u8], &[u8], _)> = rows.iter().map(|((base, text), _, said)| (&**base, &**text, &**said)).collect();
    add("pairs", &rows, said_of(&stdout, line, rows.len()));
    let leaving = rows.iter().filter(|row| !row.2.is_empty()).count();
    let is_undecodable = |row: &(&[u8], &[u8], _)| str::from_utf8(row.1).is_err();
    let first = rows.iter().position(is_undecodable).expect("a row with a byte that is not UTF-8") + 1;
    let note = undecodable(&format!("-:{first}"), "\\xE9");
    assert_eq!(stderr, format!("{note}absurl: {leaving} of {} references may leave their host\n", rows.len()));
    assert_eq!(status, 1);
    absurl(&["-0", "-p", "-q", "--check=host"]).input(of_pairs).gives("", "", 1);

    let mut bases: BTreeMap<&[u8], Vec<_>> = BTreeMap::new();
    for row in rows {
        bases.entry(row.0).or_default().push(row);
    }
    for (base, rows) in bases {
        let base = str::from_utf8(base).unwrap();
        let list =
            |rows: &[(_, &[u8], _)], end: &[u8]| rows.iter().flat_map(|row| [row.1, end].concat()).collect::<Vec<_>>();
        let (stdout, _, status) = absurl(&["-0", "--check=host", "-b", base]).input(list(&rows, b"\0")).text();
        add("list", &rows, said_of(&stdout, line, rows.len()));
        statuses.push((base, status, i32::from(rows.iter().any(|row| !row.2.is_empty()))));
        let is_line = |row: &&(_, &[u8], _)| !row.1.iter().any(|byte| b"\r\n".contains(byte));
        for end in [&b"\n"[..], b"\r\n"] {
            let lines: Vec<_> = rows.iter().filter(is_line).copied().collect();
            let (stdout, ..) = absurl(&["--check=host", "-b", base]).input(list(&lines, end)).text();
            add("lines", &lines, said_of(&stdout, line, lines.len()));
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let run = absurl(&["--check=host", "-b", base, "--"]);
            let run = rows.iter().fold(run, |run, row| run.argument(std::ffi::OsStr::from_bytes(row.1)));
            let (stdout, ..) = run.text();
            add("arguments", &rows, said_of(&stdout, |number| format!("argument {number}: "), rows.len()));
        }
    }
    assert_each(all);
    assert_each(statuses);
}

/// What a standard reads: the scheme, and the host as it is written. `None` if it has no answer.
type Reading = Option<(String, Option<Vec<u8>>)>;

/// RFC 1808 word for word, and RFC 1738, section 3.1: the host is after the last `@` and before the next `:`.
fn read_by_rfc1808(base: &[u8], reference: &[u8]) -> Reading {
    let parts = oracle::parse(&oracle::resolve(base, reference).ok()?.url);
    let host = parts.net_loc.map(|net_loc| {
        let host = net_loc.rsplit(|byte| *byte == b'@').next().unwrap();
        let end = match host {
            [b'[', ..] => host.iter().position(|byte| *byte == b']').map_or(0, |at| at + 1),
            _ => 0,
        };
        let colon = host[end..].iter().position(|byte| *byte == b':').map_or(host.len(), |at| end + at);
        host[..colon].to_vec()
    });
    Some((String::from_utf8(parts.scheme.unwrap()).unwrap(), host))
}

/// RFC 3986 by iri-string.
fn read_by_rfc3986(base: &[u8], reference: &[u8]) -> Reading {
    let base = str::from_utf8(base).ok()?.split('#').next()?;
    let reference: &UriReferenceStr = str::from_utf8(reference).ok()?.try_into().ok()?;
    let url = match reference.scheme_str() {
        Some(_) => reference.to_string(),
        None => reference.resolve_against(<&UriAbsoluteStr>::try_from(base).ok()?).to_string(),
    };
    let url = <&UriReferenceStr>::try_from(&*url).unwrap();
    let host = url.authority_components().map(|authority| authority.host().as_bytes().to_vec());
    Some((url.scheme_str().unwrap().to_owned(), host))
}

/// What programs read that trim a reference, take any number of slashes of either kind for two, and find the user before
/// the path, or also in a query or fragment before that.
fn read_trimmed(base: &[u8], reference: &[u8]) -> Vec<Reading> {
    let kept: Vec<u8> = reference.iter().copied().filter(|byte| !b"\t\r\n".contains(byte)).collect();
    let blank = |byte: &&u8| **byte <= b' ';
    let start = kept.iter().take_while(blank).count();
    let end = kept.len() - kept[start..].iter().rev().take_while(blank).count();
    let (text, lower) = (&kept[start..end], kept[start..end].to_ascii_lowercase());
    let web = ["http", "https", "ws", "wss", "ftp"];
    let scheme = web.iter().copied().find(|scheme| lower.starts_with(format!("{scheme}:").as_bytes()));
    let rest = scheme.map_or(text, |scheme| &text[scheme.len() + 1..]);
    let slashes = rest.iter().take_while(|byte| b"/\\".contains(byte)).count();
    if slashes + usize::from(scheme.is_some()) < 2 {
        return Vec::new();
    }
    let scheme = scheme.unwrap_or_else(|| own_of(base)[0]);
    let ends: [fn(&u8) -> bool; 2] = [|byte| b"/?#".contains(byte), |byte| *byte == b'/'];
    let hosts = ends.map(|is_end| {
        let net_loc = rest[slashes..].split(is_end).next().unwrap();
        let hostport = net_loc.rsplit(|byte| *byte == b'@').next().unwrap();
        let hostport = hostport.split(|byte| b"?#".contains(byte)).next().unwrap();
        let host = read_by_rfc1808(b"x://h/", &[b"x://", hostport].concat())?.1?;
        let host = if hostport[host.len()..].contains(&b'\\') { hostport.to_vec() } else { host };
        Some((scheme.to_owned(), Some(host)))
    });
    hosts.into()
}

/// What a reading is reported as: code, and host or scheme. `None` if it stays.
fn report((scheme, host): (String, Option<Vec<u8>>), own: [&str; 2]) -> Option<(&'static str, Value)> {
    let scheme = scheme.to_ascii_lowercase();
    let is_special = ["http", "https", "ws", "wss", "ftp", "file"].contains(&&*scheme);
    let written = |host: Vec<u8>| {
        let parsed = str::from_utf8(&host)
            .ok()
            .map(|host| if is_special { Host::parse(host) } else { Host::parse_opaque(host) });
        match parsed {
            Some(Ok(host)) => host.to_string(),
            _ => String::from_utf8_lossy(&host).into_owned(),
        }
    };
    let host = host.map(written).filter(|host| !(host.is_empty() || scheme == "file" && host == "localhost"));
    if scheme != own[0] && !["http", "https", "ws", "wss", "ftp"].contains(&&*scheme) {
        Some(("scheme", scheme.into()))
    } else if host.as_deref() == Some(own[1]) {
        None
    } else {
        Some(("host", host.into()))
    }
}

/// The code, and the host or the scheme. `None` if it stays.
type Reported = Option<(String, Value)>;

/// What JSON reports for a standard.
fn reported(object: &Value, standard: &str) -> Reported {
    let by = |violation: &&Value| violation["standards"].as_array().unwrap().iter().any(|name| name == standard);
    let mut violations = object["violations"].as_array().unwrap().iter().filter(by);
    let violation = violations.next()?;
    assert!(violations.next().is_none() && violation["production"] == "host", "{object}");
    let code = violation["code"].as_str().unwrap();
    Some((code.into(), violation[if code == "scheme" { "scheme" } else { "host" }].clone()))
}

/// The scheme and the host that WHATWG reads, as a table has it: `https://h`, `mailto:`, or `!` without an answer.
fn recorded(text: &str) -> Reading {
    let (scheme, rest) = text.split_once(':')?;
    Some((scheme.into(), rest.strip_prefix("//").map(|host| host.as_bytes().to_vec())))
}

#[test]
fn json_says_which_standard_leads_where_as_other_programs_do() {
    let rows = rows();
    let pairs: Vec<_> = rows.iter().map(|row| row.0.clone()).collect();
    let objects = json(&["--check=host"], &pairs);
    assert_each(rows.iter().zip(&objects).map(|((pair, whatwg, said), object)| {
        let violations = object["violations"].as_array().unwrap();
        let messages: Vec<_> = violations.iter().map(|one| one["message"].as_str().unwrap()).collect();
        let expected = match recorded(whatwg) {
            None => Some(("no-answer", Value::Null)),
            Some(reading) => report(reading, own_of(&pair.0)),
        };
        let given = (violations.is_empty(), messages.join("; "), reported(object, "whatwg"));
        (object, given, (said.is_empty(), said.clone(), expected.map(|(code, to)| (code.into(), to))))
    }));
    assert_each(pairs.iter().zip(&objects).flat_map(|(pair, object)| agreement(pair, object)));
}

/// The scheme and the host of a base of the tests.
fn own_of(base: &[u8]) -> [&str; 2] {
    let base = str::from_utf8(base).unwrap();
    let (scheme, rest) = base.split_once("://").unwrap();
    let host = match rest.split('/').next().unwrap().rsplit('@').next().unwrap() {
        "exämple.com" => "xn--exmple-cua.com",
        "[::1]:3000" => "[::1]",
        host if host.starts_with('[') => host,
        host => host.split(':').next().unwrap(),
    };
    [scheme, host]
}

/// A name, what absurl reports, and what the second hand does.
type Agreement = (String, Vec<(String, Value)>, Vec<(String, Value)>);

/// Where RFC 1808, RFC 3986 and programs that trim lead.
fn agreement((base, reference): &Pair, object: &Value) -> Vec<Agreement> {
    let readings = [("rfc1808", read_by_rfc1808(base, reference)), ("rfc3986", read_by_rfc3986(base, reference))];
    let case = |name| format!("{} {} {name}: {object}", base.escape_ascii(), reference.escape_ascii());
    let expect = |reading| report(reading, own_of(base)).map(|(code, to)| (code.to_owned(), to));
    let mut all: Vec<_> = readings
        .into_iter()
        .map(|(name, reading)| {
            (case(name), Vec::from_iter(reported(object, name)), Vec::from_iter(reading.and_then(expect)))
        })
        .collect();
    // it speaks only of hosts of which no standard does
    let (trimmed, others): (Vec<_>, Vec<_>) =
        object["violations"].as_array().unwrap().iter().partition(|violation| violation["reading"] == "trimmed");
    let is_new = |(code, to): &(String, Value)| {
        !to.is_null() && others.iter().all(|other| [&other["code"], &other["host"]] != [&Value::from(&**code), to])
    };
    let mut expected: Vec<_> =
        read_trimmed(base, reference).into_iter().flatten().filter_map(expect).filter(is_new).collect();
    expected.dedup();
    let given = trimmed.iter().map(|one| {
        assert!(one["standards"] == serde_json::json!([]) && one["production"] == "host", "{one}");
        (one["code"].as_str().unwrap().to_owned(), one["host"].clone())
    });
    all.push((case("trimmed"), given.collect(), expected));
    all
}

/// Bases, and what hostile references are made of.
const BASES: &[&str] = &[
    BASE,
    "http://user@example.com:8080/a;b?c#d",
    "http://127.0.0.1/x",
    "http://[::1]/",
    "x://example.com/a",
    "file://example.com/a",
];
const STARTS: &[&[u8]] = &[b"//", b"//", b"/\\", b"http://", b"https://", b"//user@", b"\t//", b"x://", b"file://"];
const PIECES: &[&[u8]] = &[
    b"//",
    b"//",
    b"/",
    b"\\",
    b"http:",
    b"https:",
    b"HTTPS:",
    b"x:",
    b"javascript:",
    b"file:",
    b"evil.com",
    b"evil.com",
    b"example.com",
    b"example.com",
    b"EXAMPLE.com",
    b"ex%61mple.com",
    b"ex\xC2\xADample.com",
    b"ev\xC3\xAFl",
    b"localhost",
    b"127.0.0.1",
    b"0x7f.1",
    b"1",
    b"[::1]",
    b"[0::1]",
    b"[",
    b"]",
    b"::",
    b".",
    b"..",
    b"%2e",
    b"\xEF\xBC\x8E",
    b"\xE3\x80\x82",
    b"\xEF\xBC\x8F",
    b"@",
    b"@",
    b":",
    b":80",
    b":99999",
    b":x",
    b"user",
    b"?",
    b"#",
    b";",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\x0C",
    b"\xFF",
    b"\xC2\xA0",
    b"%",
    b"%00",
    b"%40",
    b"%5c",
    b"%2f",
    b"|",
    b"C|",
    b"<",
    b"^",
    b"g",
    b"-",
];

/// Random references of these pieces.
pub fn some_pairs(seed: u64, count: usize) -> Vec<Pair> {
    let mut random = Random(seed);
    let pair = |_| {
        let base = random.pick(BASES).as_bytes().to_vec();
        let start = if random.below(4) > 0 { random.pick(STARTS) } else { b"" };
        let pieces = random.below(7);
        let rest: Vec<u8> = (0..pieces).flat_map(|_| random.pick(PIECES).to_vec()).collect();
        (base, [start, &rest].concat())
    };
    (0..count).map(pair).collect()
}

fn check_random(seed: u64, count: usize) {
    let pairs = some_pairs(seed, count);
    let objects = json(&["--check=host"], &pairs);
    assert_each(pairs.iter().zip(&objects).flat_map(|(pair, object)| agreement(pair, object)));
    let staying = objects.iter().filter(|object| object["violations"].as_array().unwrap().is_empty()).count();
    assert!((count / 10..count / 2).contains(&staying), "{staying}");
}

#[test]
fn random_references_of_hostile_parts_lead_where_a_second_hand_says() {
    check_random(42, 3000);
}

#[test]
#[ignore = "takes 10 s"]
fn many_random_references_of_hostile_parts_lead_where_a_second_hand_says() {
    check_random(43, 100_000);
}

#[test]
fn it_guards_a_redirect_as_one_quoted_argument() {
    let guard = |base: &str, next: &str| absurl(&["-q", "--check=host", "-b", base, "--", next]).text();
    for next in ["/", "", "-", "--", "-h", "--help", "docs?x=y", "//example.com/", "https://EXAMPLE.com:8443/a"] {
        let (stdout, _, status) = guard(BASE, next);
        assert_eq!((stdout.as_str(), status), ("", 0), "{next}");
    }
    for next in [
        "/\n/evil.com",
        "\n//evil.com",
        "/\r\n/evil.com",
        "ok\n//evil.com\n:",
        "/\\evil.com",
        "java\nscript:x",
        "\u{1}//evil.com",
    ] {
        let (stdout, stderr, status) = guard(BASE, next);
        let stays = next.starts_with("ok"); // the line feeds are removed: a path
        assert_eq!((stdout.as_str(), stderr.as_str(), status), ("", "", i32::from(!stays)), "{next:?}");
    }
    // without a usable base nothing is certain
    for (base, status) in [("", 1), ("example.com", 2), ("https:///example.com/", 2), ("about:blank", 2)] {
        assert_eq!(guard(base, "/").2, status, "{base}");
    }
    assert_eq!(absurl(&["-q", "--check=host", "--", "/"]).text().2, 1);
    // no file that lies here changes what is said
    let directory = new_directory("guard");
    fs::write(directory.join("next.txt"), "x").unwrap();
    fs::write(directory.join("page.html"), "x").unwrap();
    for next in ["next.txt", "page.html", ".", "-", "*.html"] {
        let run = absurl(&["--check=host", "-b", BASE, "--", next]).directory(&directory);
        run.gives("", "absurl: 1 reference stays on its host\n", 0);
    }
    absurl(&["--check=host", "--", "page.html"]).directory(&directory).gives(
        "",
        "absurl: argument 1: no host to stay on; use --base URL\nabsurl: 1 of 1 reference was not checked\n",
        1,
    );
}

#[test]
fn a_base_must_have_one_host() {
    for (base, why) in [
        ("file:///a/b", "the base has no host; use a URL such as http://host/path"),
        ("x:/a", "the base has no host; use a URL such as http://host/path"),
        ("about:blank", "the base has no host; use a URL such as http://host/path"),
        ("mailto:a@b", "the base has no host; use a URL such as http://host/path"),
        ("https:///example.com/", "the base has several hosts: RFC 1808 no host, RFC 3986 no host, WHATWG example.com"),
        ("https:example.com", "the base has several hosts: RFC 1808 no host, RFC 3986 no host, WHATWG example.com"),
        (
            "https://example.com\\@evil.com/",
            "the base has several hosts: RFC 1808 evil.com, RFC 3986 no host, WHATWG example.com",
        ),
        (
            "https://example.com?@evil.com/",
            "the base has several hosts: RFC 1808 evil.com, RFC 3986 example.com, WHATWG example.com",
        ),
        ("https://example.com:x/", "\"x\" is not allowed in a port; write digits"),
    ] {
        let (stdout, stderr, status) = absurl(&["--check=host", "-b", base, "g"]).text();
        let message = stderr.lines().last().unwrap();
        let named = format!("absurl: --base: \"{base}\": {why}").replace(": the base ", " ");
        assert_eq!((stdout.as_str(), message, status), ("", &*named, 2));
        // in pairs it is an error of that record
        let list = format!("{base}\tg\nhttp://a/\tg\n");
        let (stdout, stderr, status) = absurl(&["--check=host", "-p"]).input(list).text();
        let sum = "absurl: 1 of 2 references was not checked\n";
        assert_eq!((stdout.as_str(), stderr, status), ("", format!("absurl: -:1: {why}\n{sum}"), 1));
    }
    let (json, _, status) = absurl(&["-q", "-j", "--check=host", "-p"]).input("\tg\n\thttp://a/\nx:/\tg\n").text();
    let codes: Vec<_> =
        parse_objects(&json).iter().map(|object| object["error"]["code"].as_str().unwrap().to_owned()).collect();
    assert_eq!((codes.join(" "), status), ("no-own-host no-own-host base-without-host".into(), 1));
}

#[test]
fn a_page_reports_its_outside_links_whatever_its_own_base_is() {
    let page = "<base href=//evil.com>\n<a href=login>\n<a href=https://example.com/x>\n<img src='/\\evil.com'>\n";
    let html =
        |more: &[&str]| absurl(&[&["-l", "--media-type", "text/html", "--check=host"], more].concat()).input(page);
    let printed = "\
-:1:12: //evil.com: reaches evil.com, not example.com
-:2:9: login: reaches evil.com, not example.com
-:4:11: /\\evil.com: reaches evil.com, not example.com
";
    html(&["-b", BASE]).gives(printed, "absurl: 3 of 4 links may leave their host\n", 1);
    html(&["-q", "-b", BASE]).gives("", "", 1);
    let first = "-:1:12: //evil.com: reaches evil.com, not example.com\n";
    html(&["--fail-fast", "-b", BASE]).gives(first, "absurl: 1 link may leave its host; stopped there\n", 1);
    let why = "absurl: -:1:12: ignoring the BASE \"//evil.com\": it is relative and there is no base URL; use --base URL\n\
               absurl: -:1:12: no host to stay on; use --base URL\nabsurl: -:2:9: no host to stay on; use --base URL\n\
               absurl: -:3:9: no host to stay on; use --base URL\nabsurl: -:4:11: no host to stay on; use --base URL\n\
               absurl: 4 of 4 links were not checked\n";
    html(&[]).gives("", why, 1);
    // references with the base of a page, too
    let directory = new_directory("leaves_of_pages");
    fs::write(directory.join("page.html"), page).unwrap();
    let run = absurl(&["--check=host", "-b", BASE, "-d", "page.html", "g", "//example.com"]).directory(&directory);
    run.gives(
        "argument 1: g: reaches evil.com, not example.com\n",
        "absurl: 1 of 2 references may leave their host\n",
        1,
    );
}

#[test]
fn a_directory_and_pairs_of_documents_have_the_hosts_of_their_urls() {
    let directory = new_directory("leaves_of_a_site");
    fs::create_dir_all(directory.join("site/docs")).unwrap();
    fs::write(directory.join("site/a.html"), "<a href=//cdn.example.com/x.js><a href=docs/b.html>").unwrap();
    fs::write(directory.join("site/docs/b.html"), "<a href=//EXAMPLE.com><a href=mailto:a@b>").unwrap();
    let run = absurl(&["--check=host", "-b", "https://example.com/", "-l", "site"]).directory(&directory);
    let sep = std::path::MAIN_SEPARATOR;
    let found = format!(
        "site{sep}a.html:1:9: //cdn.example.com/x.js: reaches cdn.example.com, not example.com\n\
         site{sep}docs{sep}b.html:1:31: mailto:a@b: not a link to a web host (scheme mailto)\n"
    );
    let end = "absurl: site: 2 documents read\nabsurl: 2 of 4 links may leave their host\n";
    run.gives(found, end, 1);
    let list = "https://cdn.example.com/\tsite/a.html\nfile:///x\tsite/a.html\n\tsite/a.html\nhttps://example.com/\tsite/docs/b.html\n";
    let (stdout, stderr, status) = absurl(&["--check=host", "-l", "-p"]).input(list).directory(&directory).text();
    assert_eq!(stdout, "site/docs/b.html:1:31: mailto:a@b: not a link to a web host (scheme mailto)\n");
    assert_eq!(
        stderr,
        "absurl: -:2: the base has no host; use a URL such as http://host/path\n\
         absurl: -:3: no host to stay on; write the document's URL before the TAB\n\
         absurl: 1 of 6 links may leave their host, 2 failed\n"
    );
    assert_eq!(status, 1);
}

#[test]
fn json_has_the_code_the_host_and_the_standards() {
    let (json, _, status) =
        absurl(&["-j", "--check=host", "-b", BASE, "--", "g", "/\\evil.com", "javascript://example.com/", "//"]).text();
    let violations: Vec<_> = parse_objects(&json).iter().map(|object| object["violations"].to_string()).collect();
    assert_eq!(
        violations,
        [
            "[]",
            r#"[{"code":"host","host":"evil.com","in":"reference","message":"reaches evil.com (WHATWG), not example.com","production":"host","standards":["whatwg"]}]"#,
            r#"[{"code":"scheme","host":null,"in":"reference","message":"not a link to a web host (scheme javascript)","production":"host","scheme":"javascript","standards":["rfc1808","rfc3986","whatwg"]}]"#,
            r#"[{"code":"host","host":null,"in":"reference","message":"reaches no host (RFC 3986), not example.com","production":"host","standards":["rfc3986"]},{"code":"no-answer","host":null,"in":"reference","message":"no answer by WHATWG","production":"host","standards":["whatwg"]}]"#,
        ]
    );
    assert_eq!(status, 1);
}

#[test]
fn the_sum_is_what_people_would_say() {
    for (references, sum) in [
        (&["g"][..], "1 reference stays on its host"),
        (&["g", "/"], "all 2 references stay on their host"),
        (&["//x"], "1 reference may leave its host"),
        (&["g", "//x"], "1 of 2 references may leave their host"),
    ] {
        let (_, stderr, status) = absurl(&["--check=host", "-b", BASE, "--"]).arguments(references).text();
        assert_eq!((stderr, status), (format!("absurl: {sum}\n"), i32::from(sum.contains("leave"))));
    }
    absurl(&["--check=host", "-b", BASE]).gives("", "absurl: no references to check\n", 0);
}

#[test]
fn programs_that_trim_or_collapse_slashes_are_a_reading_of_their_own() {
    let base = "http://own.example/start";
    let (json, _, status) =
        absurl(&["-j", "--check=host", "-b", base, "--", r"///own.example\@evil.test/", "/"]).text();
    let violations: Vec<_> = parse_objects(json).into_iter().map(|mut object| object["violations"].take()).collect();
    let trimmed = serde_json::json!([{
        "in": "reference", "production": "host", "code": "host", "host": "evil.test", "standards": [],
        "reading": "trimmed",
        "message": "reaches evil.test (programs that trim or collapse slashes), not own.example",
    }]);
    assert_eq!((&violations[..], status), (&[trimmed, serde_json::json!([])][..], 1));
    // links of documents, one that a charset makes
    let page = [
        &b"<meta charset=iso-2022-jp><base href='///own.example\\@a.test/'><a href='&#32;///own.example\\@b.test'>\n"[..],
        b"<img src='/&Tab;//\\own.example\\@c.test/'><a href='\x1B(B///own.example\\@d.test'><a href='&#32;/g'>",
    ];
    let html = absurl(&["-lb", base, "--media-type", "text/html", "--check=host"]).input(page.concat());
    let said = |place: &str, text: &str, host: &str| {
        format!("-:{place}: {text}: reaches {host} (programs that trim or collapse slashes), not own.example\n")
    };
    let printed = [
        said("1:39", r"///own.example\@a.test/", "a.test"),
        said("1:73", r"///own.example\@b.test", "b.test"),
        said("2:11", r"///\own.example\@c.test/", "c.test"),
        said("2:51", r"///own.example\@d.test", "d.test"),
    ];
    html.gives(printed.concat(), "absurl: 4 of 5 links may leave their host\n", 1);
    let markdown = absurl(&["-lb", base, "--media-type", "text/markdown", "--check=host"]);
    markdown.input(r"[a](///own.example\\@e.test/)").gives(
        said("1:5", r"///own.example\@e.test/", "e.test"),
        "absurl: 1 link may leave its host\n",
        1,
    );
}
