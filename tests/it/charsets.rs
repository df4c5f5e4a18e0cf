//! The charsets of documents, and HTML in attributes.

use crate::harness::{absurl, fields, parse_objects};
use crate::{
    harness::{Document, read_documents},
    table::{assert_each, read_rows},
};

/// The lines that `--links` prints for a page, whose URL is `http://h/d/p`.
fn links(page: &[u8], options: &[&str]) -> String {
    let (stdout, stderr, status) = absurl(&[&["-l", "-b", "http://h/d/p", "-"], options].concat()).input(page).bytes();
    assert_eq!((&*stderr, status), ("", 0), "{}", page.escape_ascii());
    stdout.escape_ascii().to_string().replace("\\n", "\n")
}

#[test]
fn rfc_1808_keeps_the_bytes_of_utf_8_and_latin_1_only() {
    for (charset, kept) in [
        ("utf-8", true),
        ("iso-8859-1", true),
        ("us-ascii", true),
        ("x-user-defined", true),
        ("windows-1252", true),
        ("no-such-charset", true),
        ("koi8-r", false),
        ("shift_jis", false),
    ] {
        let page = [b"<meta charset=", charset.as_bytes(), b"><a href='/\xD0&eacute;'>"].concat();
        let printed = links(&page, &[]);
        assert_eq!(printed == "http://h/\\xd0\\xc3\\xa9\n", kept, "{charset}: {printed}");
    }
    assert_eq!(links(b"<a href='/\xD0&eacute;'>", &[]), "http://h/\\xd0\\xc3\\xa9\n");
    assert_eq!(links(b"<meta charset=koi8-r><a href='/\xD0&eacute;'>", &[]), "http://h/\\xd0\\xbf\\xc3\\xa9\n");
    // what is nested is converted if the charset may lack a part of it
    let page = b"<meta charset=latin1><iframe srcdoc='<a href=\xE9>'></iframe><iframe srcdoc='<a href=\xE9&eacute;>'>";
    assert_eq!(links(page, &[]), "http://h/d/\\xe9\nhttp://h/d/\\xc3\\xa9\\xc3\\xa9\n");
}

#[test]
fn a_charset_that_is_not_named_is_guessed_for_other_standards() {
    let whatwg = ["-s", "whatwg"];
    let filler = vec![b'x'; 100_000];
    let page = |end: &[u8]| [b"<a href='?\xC3\xA9'>", &*filler, end].concat();
    assert_eq!(links(&page(b""), &whatwg), "http://h/d/p?%C3%A9\n");
    assert_eq!(links(&page(b"\xC3"), &whatwg), "http://h/d/p?%C3%A9\n"); // as in Latin-1
    assert_eq!(
        links(&page(b"\xE9"), &["--media-type", "text/html;charset=utf-8", "-s", "whatwg"]),
        "http://h/d/p?%C3%A9\n"
    );
    let path = |end: &[u8]| [b"<a href='\xC3\xA9'>", &*filler, end].concat();
    assert_eq!(links(&path(b""), &whatwg), "http://h/d/%C3%A9\n");
    assert_eq!(links(&path(b"\xC3"), &whatwg), "http://h/d/%C3%83%C2%A9\n");
    assert_eq!(
        links(&path(b"\xE9"), &["--media-type", "text/html; Charset=\"UTF-8\"", "-s", "whatwg"]),
        "http://h/d/%C3%A9\n"
    );
    for named in ["text/html;x=y; charset=utf-8; z", "Text/Html ; charset=Utf-8;", "text/html; charset=utf-8 (x)"] {
        assert_eq!(links(&path(b"\xE9"), &["--media-type", named, "-s", "whatwg"]), "http://h/d/%C3%A9\n", "{named}");
    }
}

#[test]
fn bytes_that_become_u_fffd_are_named() {
    let sheet: &[u8] = b"a{b:url(g\xC1)} c{d:url(\xC3\xA9)}";
    let note = "absurl: -:1:9: \\xC1 is not UTF-8 and becomes U+FFFD; name the charset with --media-type\n";
    let whatwg = ["-b", "http://a/", "-s", "whatwg", "-"];
    for (mode, answer) in [
        ("--links", "http://a/g%EF%BF%BD\nhttp://a/%C3%A9\n"),
        ("--rewrite", "a{b:url(http://a/g%EF%BF%BD)} c{d:url(http://a/%C3%A9)}"),
    ] {
        let run =
            |media_type: &str| absurl(&[&[mode, "--media-type", media_type], &whatwg[..]].concat()).input(sheet).text();
        assert_eq!(run("text/css"), (answer.into(), note.into(), 0), "{mode}");
        assert_eq!(run("text/css; charset=koi8-r").1, "", "{mode}");
    }
}

#[test]
fn a_difference_that_comes_from_the_charset_says_so() {
    let reasons = |page: &[u8]| {
        let (stdout, ..) = absurl(&["-l", "--compare", "-j", "-b", "http://h/d/p", "-"]).input(page).bytes();
        let [answer] = &parse_objects(stdout)[..] else { panic!("not one line") };
        let whatwg = answer["whatwg"]["url"].as_str().map(str::to_owned);
        (whatwg.unwrap_or_default(), answer["why"].to_string().contains("\"charset\""))
    };
    for (page, whatwg, has_reason) in [
        (&b"<meta charset=latin1><a href=\xE9>"[..], "http://h/d/%C3%A9", true),
        (b"<a href=\xE9>", "http://h/d/%C3%A9", true),
        (b"<a href=\xC3\xA9>", "http://h/d/%C3%A9", false),
        (b"<meta charset=koi8-r><a href=\xD0>", "http://h/d/%D0%BF", false),
        (b"<meta charset=koi8-r><a href=?\xD0>", "http://h/d/p?%D0", true),
        (b"<meta charset=koi8-r><a href='?* \xD0'>", "http://h/d/p?*%20%D0", true),
    ] {
        assert_eq!(reasons(page), (whatwg.into(), has_reason), "{}", page.escape_ascii());
    }
}

#[test]
fn another_base_is_no_reason_if_the_answer_is_the_same() {
    let page = b"<meta charset=latin1><base href=http://h/\xE9/><a href=/./g><a href=g>";
    let (stdout, ..) = absurl(&["-l", "--compare", "-j", "-b", "http://h/d/", "-"]).input(page).text();
    let codes = parse_objects(stdout).iter().map(|object| object["why"][0]["code"].clone()).collect::<Vec<_>>();
    assert_eq!(codes, ["dots-kept", "base"]);
}

#[test]
fn the_links_of_srcdoc_have_places_in_the_file() {
    let page = "<iframe srcdoc=\"&#10;\n<a\n href=g>\r\n<a href=&quot;h&quot;><iframe srcdoc=&quot;&#10; \n <a href=j>&quot;>\"></iframe>\
                <iframe srcdoc='<base href=//i/>\r<a href=k'></iframe><a href=l>";
    let (stdout, ..) = absurl(&["-l", "-j", "-b", "http://h/", "-"]).input(page).text();
    let names = "url line column base_line base_column";
    assert_eq!(
        fields(&stdout, names),
        [
            "http://h/g 3 7 null null",
            "http://h/h 4 15 null null",
            "http://h/j 5 10 null null",
            "http://h/l 6 29 null null"
        ]
    );
    let page = "<a href=f><iframe srcdoc='&lt;base href=//i/&gt;\r<a href=k>'></iframe><a href=l>";
    let (stdout, ..) = absurl(&["-l", "-j", "-b", "http://h/", "-"]).input(page).text();
    assert_eq!(
        fields(&stdout, names),
        ["http://h/f 1 9 null null", "http://i/k 2 9 1 41", "http://h/l 2 30 null null"]
    );
}

#[test]
fn srcdoc_is_not_nested_too_deep() {
    let nested = |depth: usize| {
        let page = (0..depth).fold("<a href=x>".to_owned(), |page, _| {
            let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
            format!("<a href=g><iframe srcdoc=\"{escaped}\"></iframe><a href=h>")
        });
        absurl(&["-l", "-b", "http://h/", "-"]).input(page).text()
    };
    let (stdout, stderr, status) = nested(10);
    assert_eq!((stdout.lines().count(), &*stderr, status), (21, "", 0));
    let (stdout, stderr, status) = nested(11);
    assert_eq!((stdout.lines().count(), status), (22, 1));
    assert!(stderr.contains("not searching documents nested more than 10 levels deep"), "{stderr}");
}

/// The bytes of a link that show the charset of its page.
const SHOWN: &[u8] = b"\xC3\xB1\xF1";

/// A page of the table, whose `{N}` are read, with a link at its start.
fn with_link(page: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    for (index, piece) in page.split(|byte| matches!(byte, b'{' | b'}')).enumerate() {
        if index % 2 == 0 {
            whole.extend_from_slice(piece);
        } else {
            let count: usize = str::from_utf8(piece).expect("digits").parse().expect("a number");
            whole.extend(vec![whole.last().copied().expect("a character"); count - 1]);
        }
    }
    let at = match () {
        () if page.starts_with(b"\xEF\xBB\xBF") => 3,
        () if page.starts_with(b"<?xml") => whole.windows(2).position(|end| end == b"?>").expect("an end") + 2,
        () => 0,
    };
    whole.splice(at..at, [b"<link href=/", SHOWN, b"/>"].concat());
    whole
}

#[test]
fn a_page_has_the_charset_of_its_first_meta() {
    let rows = read_rows::<2>(include_str!("../data/charsets.tsv"));
    let pages: Vec<_> = rows.iter().map(|[page, _]| with_link(page)).collect();
    let documents: Vec<_> = pages.iter().map(|page| Document::new(b"--media-type text/html", page)).collect();
    let answers = read_documents(&["-l", "-s", "whatwg", "-b", "http://h/"], &documents);
    assert_each(rows.iter().zip(answers).map(|([page, charset], (links, ..))| {
        let encoding = encoding_rs::Encoding::for_label(charset).expect("a charset");
        let (shown, _) = encoding.decode_without_bom_handling(SHOWN);
        let escaped: String = shown.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let first = links.first().map_or("", |link| link["url"].as_str().unwrap_or_default());
        (page.escape_ascii(), first.to_owned(), format!("http://h/{escaped}/"))
    }));
}

/// A page whose META comes after the first KiB.
fn with_late_meta(charset: &str, page: &[u8]) -> Vec<u8> {
    let filler = "x".repeat(2000);
    [page, format!("<!--{filler}--><meta charset={charset}>").as_bytes(), page].concat()
}

#[test]
fn a_late_meta_counts_from_the_start_of_the_page() {
    assert_eq!(links(&with_late_meta("koi8-r", b"<link href=/\xD1>"), &[]), "http://h/\\xd1\\x8f\n".repeat(2));
    let with_base = b"<base href=/\xD1/><link href=g>";
    assert_eq!(links(&with_late_meta("koi8-r", with_base), &[]), "http://h/\\xd1\\x8f/g\n".repeat(2));
    let refused = "1:1: not searching a text in a charset that browsers refuse to decode";
    for (options, charset, message) in [
        ("--links", "iso-2022-kr", refused),
        ("--rewrite", "shift_jis", "absurl: -: the charset is Shift_JIS; convert it first"),
        ("--rewrite", "iso-2022-kr", "absurl: -: the charset is one that browsers refuse; convert it first"),
    ] {
        let page = with_late_meta(charset, b"<link href=/g>");
        let (stdout, stderr, _) = absurl(&[options, "-b", "http://h/", "-"]).input(page).text();
        assert_eq!(stdout, "");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_style_attribute_has_its_queries_in_utf_8() {
    let page = b"<meta charset=koi8-r><style>a{b:url(?\xD1)}</style><p style='a:url(?\xD1)'><svg style='a:url(?\xD1)'>";
    let [koi8, utf8] = ["http://h/d/p?%D1\n", "http://h/d/p?%D1%8F\n"];
    assert_eq!(links(page, &["-s", "whatwg"]), [koi8, utf8, utf8].concat());
}
