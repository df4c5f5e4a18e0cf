//! `--check` against matchers made from the BNF: RFC 1808 §2.2 and RFC 1738 §5.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::{iter, str};

use serde_json::Value;

use crate::bnf::Grammar;
use crate::generate::{Random, every, random_texts, some_pairs};
use crate::harness::{absurl, parse_objects};
use crate::table::{assert_each, read_rows};

/// Passes each record and its violations in JSON to `each`. The records end in NUL.
pub fn each_violation<R: AsRef<[u8]>>(
    arguments: &[&str],
    records: impl Iterator<Item = R> + Clone + Send,
    mut each: impl FnMut(R, &[Value]),
) {
    let mut running = absurl(&["-0j"]).arguments(arguments).start(Stdio::piped(), Stdio::piped(), Stdio::null());
    let (mut stdin, stdout) = (running.stdin.take().unwrap(), running.stdout.take().unwrap());
    std::thread::scope(|scope| {
        let mut input = records.clone();
        scope.spawn(move || {
            let mut block = Vec::new();
            for record in &mut input {
                block.extend_from_slice(record.as_ref());
                block.push(0);
                if block.len() > 1 << 16 {
                    stdin.write_all(&block)?;
                    block.clear();
                }
            }
            stdin.write_all(&block)
        });
        let mut lines = BufReader::with_capacity(1 << 16, stdout).split(b'\n');
        for record in records {
            let object: Value = serde_json::from_slice(&lines.next().unwrap().unwrap()).unwrap();
            let Some(found) = object["violations"].as_array() else { panic!("{object}") };
            each(record, found);
        }
        assert!(lines.next().is_none());
    });
    running.wait().unwrap();
}

/// The column of a violation.
pub fn column_of(violation: &Value) -> usize {
    usize::try_from(violation["column"].as_u64().unwrap()).unwrap()
}

/// Compares what `--check` finds in texts with the matcher. A text whose wrong bytes are written
/// as escapes must be legal too, if its path has a first segment. Returns how many texts were legal.
fn agree(texts: impl Iterator<Item = Vec<u8>> + Clone + Send) -> u64 {
    let grammar = Grammar::rfc_1808();
    let mut legal = 0;
    each_violation(&["-c"], texts, |text, violations| {
        let columns: Vec<_> = violations.iter().map(column_of).collect();
        assert_eq!(columns.is_empty(), grammar.matches("URL", &text), "{}: {columns:?}", text.escape_ascii());
        assert!(columns.is_sorted_by(|a, b| a < b), "{}: {columns:?}", text.escape_ascii());
        let mut fixed = text.clone();
        for column in columns.iter().rev() {
            let byte = fixed[column - 1];
            let escaped = if byte == b'/' { "/.".to_owned() } else { format!("%{byte:02X}") };
            fixed.splice(column - 1..*column, escaped.into_bytes());
            if byte == b'/' {
                fixed.swap(column - 1, *column); // "/" becomes "./"
            }
        }
        if !columns.is_empty() && fixed.len() < 128 {
            assert!(grammar.matches("URL", &fixed), "{}: {columns:?}", text.escape_ascii());
        }
        legal += u64::from(columns.is_empty());
    });
    legal
}

#[test]
fn the_matcher_is_the_grammar() {
    let grammar = Grammar::rfc_1808();
    assert_eq!(grammar.len(), 30);
    for (production, text, expected) in [
        ("URL", "http://a/b/c/d;p?q#f", true),
        ("URL", "", true),
        ("URL", "//a//b", false),
        ("URL", "http://a//b", true),
        ("generic-RL", "http://a//b", false),
        ("relativeURL", "//a//b", false),
        ("path", "a//b", true),
        ("path", "/b", false),
        ("fsegment", "", false),
        ("escape", "%4g", false),
        ("escape", "%4f", true),
        ("national", "\\", true),
        ("punctuation", "\"", true),
        ("scheme", "a_b", false),
    ] {
        assert_eq!(grammar.matches(production, text.as_bytes()), expected, "{production}: {text}");
    }
    let grammar = Grammar::rfc_1738("");
    assert_eq!(grammar.len(), 67);
    for (production, text, expected) in [
        ("hostname", "a.b-c.d1", true),
        ("hostname", "1.2.3.4", false),
        ("host", "1.2.3.4", true),
        ("digits", "", false),
        ("scheme", "", false),
        ("user", "", true),
        ("article", "@h", false),
        ("httpurl", "http://h", true),
        ("ftpurl", "ftp://u:@h/a/b;type=I", true),
        ("otherurl", "x-y+z://a?b;c", true),
    ] {
        assert_eq!(grammar.matches(production, text.as_bytes()), expected, "{production}: {text}");
    }
}

/// One byte of each class of the grammar: hex and other letters, uchar that no scheme has, `:` and the rest of pchar,
/// each delimiter, `%`, and a byte that is not in any of them.
const CLASSES: [&str; 11] = ["a", "g", "_", ":", "@", "/", ";", "?", "#", "%", "~"];

#[test]
fn every_text_up_to_4_bytes_is_checked_by_the_grammar() {
    assert!(agree(every(&CLASSES, 4)) > 1_000);
}

#[test]
#[ignore = "two million texts: 8 seconds"]
fn every_text_up_to_6_bytes_is_checked_by_the_grammar() {
    assert!(agree(every(&CLASSES, 6)) > 100_000);
}

#[test]
fn every_byte_is_checked_by_the_grammar() {
    // in each component: net_loc, path, params, query, fragment, after a scheme, as a scheme
    let texts = ["//", "", "a;", "a?", "#", "x:", "//a/"].into_iter();
    let texts = texts.flat_map(|before| (1..=255).map(move |byte| [before.as_bytes(), &[byte, b'b'][..]].concat()));
    assert!(agree(texts) > 500);
}

/// Compares random texts, a tenth of them longer.
fn random_texts_agree(count: usize) {
    assert!(agree(random_texts(0x1808_1995, count, 24)) > count as u64 / 20);
    assert!(agree(random_texts(0x0506_0301, count / 10, 60)) > count as u64 / 2_000);
}

#[test]
fn random_texts_are_checked_by_the_grammar() {
    random_texts_agree(40_000);
}

#[test]
#[ignore = "200,000 texts: 3 seconds"]
fn many_random_texts_are_checked_by_the_grammar() {
    random_texts_agree(200_000);
}

/// Compares what is said in text with the objects. In text, records that are certainly legal are skipped at once.
fn text_agrees_with_the_objects(count: usize) {
    let references: Vec<_> = random_texts(0x1808_0202, count, 90).filter(|text| !text.contains(&0)).collect();
    let pairs: Vec<_> = some_pairs(0x1808_0505, count, b"\0")
        .into_iter()
        .map(|(base, reference)| [base, b"\t".into(), reference].concat())
        .collect();
    let by_spec: &[(&[&str], _)] = &[
        (&["-c0", "-s", "rfc3986"], &references),
        (&["-c0p", "-s", "rfc3986"], &pairs),
        (&["-c0", "-s", "whatwg", "-b", "http://a/b/c/d;p?q#f"], &references),
        (&["-c0p", "-s", "whatwg"], &pairs),
    ];
    let by_rfc_1808: &[(&[&str], _)] = &[
        (&["-c0"], &references),
        (&["-c0", "-b", "http://a/b/c/d;p?q#f"], &references),
        (&["-c0p"], &pairs),
        (&["-c=scheme", "-0p"], &pairs),
    ];
    for &(arguments, records) in by_rfc_1808.iter().chain(by_spec) {
        let input: Vec<u8> = records.iter().flat_map(|record| [record, &b"\0"[..]].concat()).collect();
        let (text, summary, _) = absurl(arguments).input(input.clone()).bytes();
        let (json, same, _) = absurl(&[arguments, &["-j"]].concat()).input(input).bytes();
        assert!(summary.starts_with(&same), "{summary} {same}"); // and what later standards allow
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines().map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(": "));
        let mut found = 0;
        for (object, number) in parse_objects(json).into_iter().zip(1..).take(records.len()) {
            let findings = |name: &str| object[name].as_array().cloned().unwrap_or_default();
            for (name, note) in [("violations", ""), ("notes", "note")] {
                for finding in findings(name).iter().take(if note.is_empty() { 1 } else { usize::MAX }) {
                    let line = lines.next().unwrap_or_else(|| panic!("{object}"));
                    let place = format!("-:{number}:{}: {note}", column_of(finding));
                    assert!(line.starts_with(&place), "{place} {line}");
                    found += 1;
                }
            }
        }
        assert_eq!(lines.next(), None);
        assert!(found > count / 40, "{found}");
    }
}

#[test]
fn text_has_the_first_violation_and_each_note_of_the_objects() {
    text_agrees_with_the_objects(4_000);
}

#[test]
#[ignore = "80,000 records: 3 seconds"]
fn text_has_the_first_violation_and_each_note_of_many_objects() {
    text_agrees_with_the_objects(20_000);
}

/// Compares every base of so many bytes with the matcher: it must match generic-RL (§2). Returns how many are generic.
fn bases_agree(longest: u32) -> u64 {
    let grammar = Grammar::rfc_1808();
    let (mut legal, mut generic) = (0, 0);
    let bases = every(&["g", "/", "/", ":", "?", "#", "~"], longest).map(|text| [b"x:", &text[..], b"\t"].concat());
    each_violation(&["-cp"], bases, |record, violations| {
        let base = record.strip_suffix(b"\t").unwrap();
        let (url, fragment) = base.split_at(base.iter().position(|b| *b == b'#').unwrap_or(base.len()));
        let is_generic =
            grammar.matches("generic-RL", url) && grammar.matches("fragment", fragment.get(1..).unwrap_or_default());
        assert_eq!(violations.is_empty(), is_generic, "{}: {violations:?}", base.escape_ascii());
        legal += u64::from(grammar.matches("URL", base));
        generic += u64::from(is_generic);
    });
    assert!(legal > generic, "{generic} of {legal}");
    generic
}

#[test]
fn every_base_is_checked_by_generic_rl() {
    assert!(bases_agree(4) > 300);
}

#[test]
#[ignore = "130,000 bases: a second"]
fn every_longer_base_is_checked_by_generic_rl() {
    assert!(bases_agree(6) > 10_000);
}

/// Where RFC 1808 is wider: a search is a query, and what can always be parsed (§2.3) may have params and a query.
const WIDER: &str = r#"
search  = *[ uchar | reserved ]
params  = *[ uchar | "/" | ";" | ":" | "@" | "&" | "=" ]
ftpurl  = "ftp://" login [ "/" fpath [ ";type=" ftptype ] [ "?" search ] ]
fileurl = "file://" [ host | "localhost" ] "/" fpath [ ";" params ] [ "?" search ]
nntpurl = "nntp://" hostport "/" group [ "/" digits ] [ ";" params ] [ "?" search ]
"#;

/// An `@` ends a login or the first half of an article. Without this, the grammar takes a host for a user name until
/// the end, so that the first wrong byte of the host is not the first one that no URL has there.
const WITHOUT_AT: &str = r#"login = hostport grouppart = "*" | group"#;
const WITH_AT: &str = r#"login = user [ ":" password ] "@" hostport grouppart = article"#;

/// The grammars that a URL is checked against by its scheme.
struct Schemes {
    generic: Grammar,
    wide: Grammar,
    without_at: Grammar,
    with_at: Grammar,
}

impl Schemes {
    fn new() -> Self {
        let wide = |other: &str| Grammar::rfc_1738(&format!("{WIDER}{other}"));
        // each on its own, so that no production is there twice
        Schemes { generic: Grammar::rfc_1808(), wide: wide(""), without_at: wide(WITHOUT_AT), with_at: wide(WITH_AT) }
    }

    /// The offset of the first violation in a URL, where `--check=scheme` shows it.
    fn first(&self, text: &[u8]) -> Option<usize> {
        let first = |dead: usize| {
            // an escape is wrong from its "%" on
            let is_wrong = |at: &usize| {
                text.get(*at) == Some(&b'%') && !self.generic.matches("escape", text.get(*at..at + 3).unwrap_or(b"%"))
            };
            (dead.saturating_sub(2)..=dead).find(is_wrong).unwrap_or(dead)
        };
        let generic = self.generic.dead("URL", text).map(first);
        let url = text.split(|byte| *byte == b'#').next().unwrap();
        let of_scheme = self.of_scheme(url).map(first);
        [generic, of_scheme].into_iter().flatten().min()
    }

    fn of_scheme(&self, url: &[u8]) -> Option<usize> {
        let (scheme, normal, shift) = normalize(url)?;
        let production = format!("{scheme}url");
        let grammar = self.committed(&normal);
        assert_eq!(self.wide.matches(&production, &normal), grammar.matches(&production, &normal));
        Some(Self::start(&self.wide, scheme, &normal, grammar.dead(&production, &normal)?) + shift)
    }

    /// The grammar for a URL with or without `@` where that decides.
    fn committed(&self, url: &[u8]) -> &Grammar {
        let rest = &url[url.iter().position(|byte| *byte == b':').unwrap() + 1..];
        let before_path = match rest.strip_prefix(b"//") {
            Some(rest) if !url.starts_with(b"news:") => rest.split(|byte| *byte == b'/').next().unwrap(),
            _ => rest,
        };
        if before_path.contains(&b'@') { &self.with_at } else { &self.without_at }
    }

    /// Where what is wrong starts, if no URL has the byte at `dead`.
    fn start(grammar: &Grammar, scheme: &str, url: &[u8], dead: usize) -> usize {
        let is = |byte: u8| move |other: &u8| *other == byte;
        let colon = scheme.len() + 1;
        let mut host = match (scheme, url[colon..].strip_prefix(b"//")) {
            ("mailto", _) => return dead,
            ("news", _) => match url.iter().position(is(b'@')) {
                Some(at) => at + 1..url.len(),
                None => return dead,
            },
            (_, None) => return colon,
            (_, Some(rest)) => {
                let start = colon + 2;
                start..start + rest.iter().position(is(b'/')).unwrap_or(rest.len())
            }
        };
        let net_loc = &url[host.clone()];
        let has_login = matches!(scheme, "ftp" | "telnet");
        if scheme != "news"
            && let Some(at) = net_loc.iter().position(is(b'@'))
        {
            if !has_login {
                return dead.min(host.start);
            }
            if net_loc[at + 1..].contains(&b'@') {
                return dead.min(host.start + at);
            }
            host.start += at + 1;
        }
        let end_of_net_loc = host.end;
        if scheme != "news"
            && let Some(port) = url[host.clone()].iter().position(is(b':'))
        {
            host.end = host.start + port;
        }
        if host.contains(&dead) || dead == host.end && !grammar.matches("host", &url[host.clone()]) && dead > host.start
        {
            let label = url[host.start..dead].iter().rposition(is(b'.')).map_or(host.start, |dot| host.start + dot + 1);
            let is_end = dead == host.end || url[dead] == b'.';
            return match &url[label..dead] {
                [.., b'-'] if is_end => dead - 1,
                [b'0'..=b'9', ..] if dead == host.end => {
                    let is_number = url[host.clone()].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
                    if is_number { host.start } else { label }
                }
                _ => dead,
            };
        }
        if scheme == "ftp" && dead > end_of_net_loc {
            let path = url[end_of_net_loc..].split(is(b'?')).next().unwrap();
            let params = path.iter().position(is(b';')).map(|at| end_of_net_loc + at + 1);
            if let Some(params) = params.filter(|params| (*params..=end_of_net_loc + path.len()).contains(&dead)) {
                return if url[params..].starts_with(b"type=") { params + 5 } else { params };
            }
        }
        dead
    }
}

/// The schemes of RFC 1738, and https.
const SCHEMES: [&str; 11] =
    ["http", "https", "ftp", "file", "gopher", "mailto", "news", "nntp", "telnet", "wais", "prospero"];

/// A URL's scheme in RFC 1738, the URL with that scheme as the grammar has it, and what was cut off before.
fn normalize(url: &[u8]) -> Option<(&'static str, Vec<u8>, usize)> {
    let (name, rest) = url.split_at(url.iter().position(|byte| *byte == b':')?);
    let scheme = *SCHEMES.iter().find(|scheme| scheme.as_bytes().eq_ignore_ascii_case(name))?;
    let scheme = if scheme == "https" { "http" } else { scheme };
    Some((scheme, [scheme.as_bytes(), rest].concat(), name.len() - scheme.len()))
}

/// URLs that RFC 1738 derives, most with some bytes changed.
fn random_urls(seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> + Clone + Send {
    let schemes: std::sync::Arc<Schemes> = Schemes::new().into();
    let mut random = Random(seed);
    (0..count).map(move |_| {
        let scheme = SCHEMES[random.below(SCHEMES.len())];
        let http = if scheme == "https" { "http" } else { scheme };
        let url = schemes.wide.derive(&format!("{http}url"), &mut |limit| random.below(limit));
        let mut url = [scheme.as_bytes(), &url[http.len()..]].concat();
        if random.below(8) == 0 {
            url[0] = url[0].to_ascii_uppercase();
        }
        for _ in 0..random.below(4) {
            // the scheme seldom, or it would be another
            let at = if random.below(16) == 0 { 0 } else { scheme.len().min(url.len()) };
            let at = at + random.below(url.len() + 1 - at);
            let bytes = random.pick(&[
                "", "/", ":", "@", "?", ";", "#", "-", ".", "0", "a", "=", "_", "%", "~", "//", "%41", ";type=",
                "\u{e9}",
            ]);
            let end = url.len().min(at + random.below(3));
            url.splice(at..end, bytes.bytes());
        }
        url.truncate(100);
        url
    })
}

/// Compares what `--check=scheme` finds in URLs with the matchers: whether a URL is legal, and the column of the first
/// violation. Returns how many URLs were legal.
fn agree_on_schemes(urls: impl Iterator<Item = Vec<u8>> + Clone + Send) -> u64 {
    let schemes = Schemes::new();
    let mut legal = 0;
    each_violation(&["-c=scheme"], urls, |url, violations| {
        let expected = schemes.first(&url).map(|at| at + 1);
        assert_eq!(violations.first().map(column_of), expected, "{}: {violations:?}", url.escape_ascii());
        legal += u64::from(violations.is_empty());
    });
    legal
}

#[test]
fn random_urls_are_checked_by_the_grammar_of_their_scheme() {
    assert!(agree_on_schemes(random_urls(0x1738_1994, 6_000)) > 1_000);
}

#[test]
#[ignore = "a million URLs: a minute"]
fn a_million_urls_are_checked_by_the_grammar_of_their_scheme() {
    assert!(agree_on_schemes(random_urls(0x1994_1738, 1_000_000)) > 200_000);
}

#[test]
fn short_urls_are_checked_by_the_grammar_of_their_scheme() {
    let starts =
        SCHEMES.into_iter().flat_map(|scheme| [format!("{scheme}:"), format!("{scheme}://"), format!("{scheme}://h/")]);
    let urls = starts.flat_map(|start| {
        every(&["a", "1", "-", ".", ":", "@", "/", ";", "?", "="], 3).map(move |end| [start.as_bytes(), &end].concat())
    });
    assert!(agree_on_schemes(urls) > 5_000);
}

/// Checks that the answer to a legal reference with a legal base is as legal as `--check=scheme` says.
fn answers_agree(count: usize) {
    let schemes = Schemes::new();
    let references = random_texts(0x2396, count, 12).filter(|text| {
        !text.contains(&b'\t') && schemes.generic.matches("relativeURL", text.split(|b| *b == b'#').next().unwrap())
    });
    let bases = random_urls(0x3986, usize::MAX)
        .filter(|url| schemes.first(url).is_none() && !url.starts_with(b"news") && !url.contains(&b'#'));
    let pairs: Vec<_> =
        bases.zip(references).map(|(base, reference)| [&base[..], b"\t", &reference].concat()).collect();
    let (answers, ..) =
        absurl(&["-p0"]).input(pairs.iter().flat_map(|pair| [pair, &b"\0"[..]].concat()).collect::<Vec<_>>()).bytes();
    let mut answers = answers.split(|byte| *byte == 0);
    let mut illegal = 0;
    each_violation(&["-p", "-c=scheme"], pairs.iter(), |pair, violations| {
        let answer = answers.next().unwrap();
        let expected = !answer.is_empty() && schemes.first(answer).is_some();
        let found = violations.iter().any(|violation| violation["in"] == "url");
        let of_reference = violations.iter().any(|violation| violation["in"] == "reference");
        assert!(
            found == expected || of_reference,
            "{}: {}: {violations:?}",
            pair.escape_ascii(),
            answer.escape_ascii()
        );
        illegal += u64::from(found);
    });
    assert!(illegal > count as u64 / 150, "{illegal}");
}

#[test]
fn answers_are_checked_by_the_grammar_of_their_scheme() {
    answers_agree(3_000);
}

#[test]
#[ignore = "15,000 references: a second"]
fn many_answers_are_checked_by_the_grammar_of_their_scheme() {
    answers_agree(15_000);
}

#[test]
fn each_url_of_the_table_has_its_first_wrong_byte_its_messages_and_productions() {
    let grammar = Grammar::rfc_1738("");
    let table = read_rows::<4>(include_str!("../data/schemes.tsv"));
    let urls: Vec<u8> = table.iter().flat_map(|[url, ..]| [url, &b"\n"[..]].concat()).collect();
    let (stdout, ..) = absurl(&["-c=scheme"]).input(urls.clone()).text();
    let mut lines = stdout.lines().peekable();
    let records = parse_objects(absurl(&["-jc=scheme"]).input(urls).text().0);
    assert_eq!(records.len(), table.len());
    let rows: Vec<_> = table
        .iter()
        .zip(&records)
        .enumerate()
        .map(|(index, ([url, dead, findings, productions], record))| {
            let (name, start) = (str::from_utf8(url).unwrap(), format!("-:{}:", index + 1));
            let found = normalize(url).and_then(|(scheme, normal, shift)| {
                grammar.dead(&format!("{scheme}url"), &normal).map(|dead| dead + shift + 1)
            });
            let found = found.map_or_else(String::new, |column| column.to_string());
            let own = iter::from_fn(|| lines.next_if(|line| line.starts_with(&start)));
            let printed = own.map(|line| line[start.len()..].replace(&format!("{name}: "), "")).collect::<Vec<_>>();
            let both = ["violations", "notes"].iter().flat_map(|list| record[list].as_array().expect("both lists"));
            let named: Vec<_> = both.map(|finding| finding["production"].as_str().unwrap_or("-")).collect();
            let [dead, findings, productions] =
                [dead, findings, productions].map(|field| str::from_utf8(field).unwrap());
            let findings = findings.lines().map(str::to_owned).collect();
            (name, (found, printed, named.join(" ")), (dead.to_owned(), findings, productions.to_owned()))
        })
        .collect();
    assert_each(rows);
    assert_eq!(lines.next(), None, "of no row");
}
