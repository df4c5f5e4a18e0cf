//! The links of style sheets: in documents of their own, in STYLE and in `style` attributes.

use std::fs;
use std::path::Path;

use crate::documents::without_base;
use crate::harness::{Document, absurl, fields, new_directory, read_documents};
use crate::resolve::exact;
use crate::table::{assert_each, read_rows};

/// The links of a document: URL, element, attribute, line and column of each.
fn links(document: impl Into<Vec<u8>>, options: &[&str]) -> Vec<String> {
    let (stdout, stderr, _) =
        absurl(&[&["-j", "-l", "-b", "http://h/"], options, &["-"]].concat()).input(document).text();
    assert_eq!(stderr, "");
    fields(&stdout, "url element attribute line column")
}

/// A style sheet for one test.
fn file_of(test: &str, content: &str) -> String {
    let path = new_directory(test).join("a.CSS");
    fs::write(&path, content).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_style_sheet_has_its_urls() {
    let rows = read_rows::<2>(include_str!("../data/css.tsv"));
    let documents: Vec<_> = rows.iter().map(|[sheet, _]| Document::new(b"--media-type text/css", sheet)).collect();
    let answers = read_documents(&["-l", "-b", "http://h/"], &documents);
    assert_each(rows.iter().zip(answers).map(|([sheet, urls], (links, said, status))| {
        let found: Vec<_> = links.iter().map(|link| exact(link, "reference").expect("a reference")).collect();
        let found = found.join(&b'|').escape_ascii().to_string();
        (sheet.escape_ascii(), (found, said, status), (urls.escape_ascii().to_string(), String::new(), 0))
    }));
}

#[test]
fn a_link_in_css_has_its_place() {
    let css = "a { b: url(x) }\r\n@import 'y';\n\nc { d: url( \" z\" ) }";
    let places = |element: &str, attribute: &str, places: [&str; 3]| {
        let urls = ["x", "y", "z"];
        urls.iter()
            .zip(places)
            .map(|(url, at)| format!("http://h/{url} {element} {attribute} {at}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(links(css, &["--media-type", "text/css"]), places("style", "null", ["1 12", "2 10", "4 14"]));
    let page = format!("\n<style>{css}</style>");
    assert_eq!(links(page, &[]), places("style", "null", ["2 19", "3 10", "5 14"]));
    let page = format!("\n<svg><style>{css}</style>");
    assert_eq!(links(page, &[]), places("style", "null", ["2 24", "3 10", "5 14"]));
    let page = format!("\n<p style=\"{}\">", css.replace('"', "&quot;"));
    assert_eq!(links(page, &[]), places("p", "style", ["2 22", "3 10", "5 19"]));
}

#[test]
fn css_is_where_html_has_it() {
    let cases = [
        ("<style>a{b:url(x)}</style>", "x"),
        ("<STYLE TYPE=TEXT/CSS>a{b:url(x)}</STYLE>", "x"),
        ("<style type>a{b:url(x)}</style>", "x"),
        ("<style type=''>a{b:url(x)}</style>", "x"),
        ("<style type=' text/css'>a{b:url(x)}</style>", ""),
        ("<style type='text/css;charset=utf-8'>a{b:url(x)}</style>", ""),
        ("<style type=text/less>a{b:url(x)}</style>", ""),
        ("<style>a{b:url(x)}", "x"),
        ("<style>a{b:url(x", "x"),
        ("<style><!-- a{b:url(x)} --></style>", "x"),
        ("<style>a{b:url(x&amp;y)}</style>", "x&amp;y"),
        ("<style>a{b:url(</x>)}</stylex></style >", "</x>"),
        ("<style>a{b:url(x</style>y)}", "x"),
        ("<style>a{b:url(x)}</style><a href=y>", "x y"),
        ("<a href=y><style>a{b:url(x)}</style><a href=z>", "y x z"),
        ("<style>a{b:url(x)}</style><base href=/d/>", "d/x"),
        ("<noscript><style>a{b:url(x)}</style></noscript>", "x"),
        ("<template><style>a{b:url(x)}</style><p style=b:url(y)></template>", "x y"),
        ("<title><style>a{b:url(x)}</style></title>", ""),
        ("<textarea><style>a{b:url(x)}</style></textarea>", ""),
        ("<!--<style>a{b:url(x)}</style>-->", ""),
        ("<script><style>a{b:url(x)}</style></script>", ""),
        ("<svg><style>a{b:url(x)}</style>", "x"),
        ("<svg><style type=text/less>a{b:url(x)}</style>", ""),
        ("<svg><style>a{b:url(x&amp;y)}</style>", "x&y"),
        ("<svg><style>a{b:url(&quot;x&quot;)}</style>", "x"),
        ("<svg><style><![CDATA[a{b:url(x&amp;y)}]]></style>", "x&amp;y"),
        ("<svg><style><!--x-->a{b:url(x<![CDATA[y]]>z)}<!--x--></style>", "xyz"),
        ("<svg><style>a<g>{b:url(x)}</g>{b:url(y)}</style>", "y"),
        ("<svg><style/>a{b:url(x)}", ""),
        ("<svg><style>a{b:url(x)}", "x"),
        ("<svg><style>a{b:url(x)}</svg>url(y)", "x"),
        ("<svg><style>a{b:url(x)}<p>url(y)</style>", "x"),
        ("<svg><foreignObject><style>a{b:url(x&amp;y)}</style>", "x&amp;y"),
        ("<math><style>a{b:url(x)}</style>", ""),
        ("<p style='b:url(x)'>", "x"),
        ("<p STYLE=b:url(x)>", "x"),
        ("<svg style=b:url(x)><a style=b:url(y)></svg><math style=b:url(z)>", "x y z"),
        ("<p style='b:url(\"x\");c:url(&#39;y&#39;)' title=url(z)>", "x y"),
        ("<p style='b:url(x\\26 y)'>", "x&y"),
        ("<p style='b:url(x\n)'>", "x"),
        ("<p style='b:url(x' style='b:url(y)'>", "x"),
        ("<p style><p style=''><p style='a:b'><p style='b:url(#x)'><p style='b:url()'>", ""),
        ("<iframe srcdoc='<style>a{b:url(x)}</style><p style=b:url(y)>'></iframe>", "x y"),
    ];
    let documents = cases.map(|(page, _)| Document::new(b"--media-type text/html", page.as_bytes()));
    let answers = read_documents(&["-l", "-b", "http://h/"], &documents);
    assert_each(cases.iter().zip(answers).map(|((page, urls), (links, said, _))| {
        let found = links.iter().map(|link| link["url"].as_str().unwrap_or_default().replacen("http://h/", "", 1));
        let is_noted = !said.is_empty(); // no links
        (page, (found.collect::<Vec<_>>().join(" "), is_noted), ((*urls).to_owned(), urls.is_empty()))
    }));
}

#[test]
fn a_style_sheet_is_a_document() {
    let sheet = file_of("a_style_sheet_is_a_document", "From: a\n\na{b:url(../x)}");
    for (arguments, expected) in [
        (&["-l", &sheet][..], "http://h/x\n"),
        (&["--print-base", &sheet], "http://h/d/\t3.3\n"),
        (&["-d", &sheet, "y"], "http://h/d/y\n"),
        (&["-c", "-l", &sheet], ""),
        (&["-l", "--media-type", "text/html", &sheet], ""),
    ] {
        let (stdout, _, status) = absurl(&[&["-b", "http://h/d/"], arguments].concat()).text();
        assert_eq!((&*stdout, status), (expected, 0), "{arguments:?}");
    }
    // by a short name, which leaves room on the first line
    let directory = Path::new(&sheet).parent().unwrap();
    let (stdout, _, status) = absurl(&["-e", "-l", "-b", "http://h/d/", "a.CSS"]).directory(directory).text();
    assert_eq!(status, 0);
    assert!(stdout.starts_with("a.CSS:3:9 <style>: ../x\nThe reference is a path: "), "{stdout}");
    absurl(&["--print-base", &sheet]).gives("\t3.4\n", without_base(&sheet), 1);
    let (_, stderr, status) = absurl(&["--part", "1", "-d", &sheet, "x"]).text();
    assert!(status == 2 && stderr.contains("has no parts"), "{stderr}");
    let bad = file_of("a_style_sheet_is_checked", "\na{b:url('a b')}");
    let (stdout, _, status) = absurl(&["-c", "-l", "-b", "http://h/d/", &bad]).text();
    assert!(status == 1 && stdout.starts_with(&format!("{bad}:2:10: a b: ")), "{stdout}");
}

#[test]
fn a_style_sheet_may_be_empty() {
    for sheet in ["", " ", "/* nothing */"] {
        absurl(&["-l", "-", "--media-type", "text/css"]).input(sheet).gives("", "", 0);
    }
}

#[test]
fn a_style_sheet_has_a_charset() {
    let css: &[(&[u8], &str)] = &[
        ("url(\u{E9})".as_bytes(), "http://h/%C3%A9"),
        (b"@charset \"latin1\";url(\xE9)", "http://h/%C3%A9"),
        (b"@charset \"koi8-r\";url(\xC1)", "http://h/%D0%B0"),
        (b"@charset \"utf-16\";url(\xC3\xA9)", "http://h/%C3%A9"),
        (b"@charset 'koi8-r';url(\xC3\xA9)", "http://h/%C3%A9"),
        (b"@charset \"koi8-r\" ;url(\xC3\xA9)", "http://h/%C3%A9"),
        (b"\xEF\xBB\xBF@charset \"koi8-r\";url(\xC3\xA9)", "http://h/%C3%A9"),
        (b"\xEF\xBB\xBFurl(x)", "http://h/x"),
        (b"\xFF\xFEu\0r\0l\0(\0\xE9\0)\0", "http://h/%C3%A9"),
        // the second byte of a character of two bytes is no backslash
        (b"@charset \"shift_jis\";url(\"\x83\x5C\")url(\x83\x5C)", "http://h/%E3%82%BD\nhttp://h/%E3%82%BD"),
    ];
    for (sheet, expected) in css {
        let options = ["-l", "-", "--media-type", "text/css", "-b", "http://h/", "-s", "whatwg"];
        let (stdout, ..) = absurl(&options).input(*sheet).text();
        assert_eq!(stdout.trim_end(), *expected, "{}", sheet.escape_ascii());
    }
    for (sheet, expected) in [
        (&b"@charset \"latin1\";url(\xC1)"[..], "http://h/%D0%B0\n"),
        (b"\xEF\xBB\xBFurl(\xC3\xA9)", "http://h/%C3%A9\n"),
    ] {
        let options = ["-l", "-", "--media-type", "text/css; charset=koi8-r", "-b", "http://h/", "-s", "whatwg"];
        assert_eq!(absurl(&options).input(sheet).text().0, expected, "{}", sheet.escape_ascii());
    }
    for page in [
        &b"<meta charset=shift_jis><style>url(\"\x83\x5C\")</style>"[..],
        b"<meta charset=shift_jis><p style='url(\"\x83\x5C\")'>",
        b"<meta charset=shift_jis><p style='url(\"\x83\\30BD \")'>",
        b"<meta charset=utf-8><p style='url(\"\xE3\x82\xBD\")'>",
    ] {
        let (stdout, ..) = absurl(&["-l", "-", "-b", "http://h/", "-s", "whatwg"]).input(page).text();
        let expected = if page.contains(&b'3') { "http://h/" } else { "http://h/%E3%82%BD" };
        assert!(stdout.starts_with(expected), "{}: {stdout}", page.escape_ascii());
    }
}

#[test]
fn css_that_is_too_long_is_an_error() {
    const MAX: usize = 16 * 1024 * 1024;
    let sheet = format!("url(x){}", " ".repeat(MAX - 6));
    let run = |document: String, options: &[&str]| {
        absurl(&[&["-l", "-b", "http://h/"], options, &["-"]].concat()).input(document).text()
    };
    let css = ["--media-type", "text/css"];
    assert_eq!(run(sheet.clone(), &css), ("http://h/x\n".into(), String::new(), 0));
    let (stdout, stderr, status) = run(format!("{sheet} "), &css);
    assert_eq!((&*stdout, status), ("", 2));
    assert!(stderr.contains("longer than 16 MiB"), "{stderr}");
    let (stdout, stderr, status) = run(format!("<style>{sheet}</style><a href=y>"), &[]);
    assert_eq!((&*stdout, &*stderr, status), ("http://h/x\nhttp://h/y\n", "", 0));
    let (stdout, stderr, status) = run(format!("<style>{sheet} </style><a href=y>"), &[]);
    assert_eq!((&*stdout, status), ("http://h/y\n", 2));
    assert!(stderr.contains(":1:8: ") && stderr.contains("longer than 16 MiB"), "{stderr}");
    let xmlns = "http://www.w3.org/2000/svg";
    let (stdout, stderr, status) =
        run(format!("<svg xmlns='{xmlns}'>\n<style>{sheet} </style><a href='y'/></svg>"), &[]);
    assert_eq!((&*stdout, status), ("http://h/y\n", 2));
    assert!(stderr.contains(":2:8: ") && stderr.contains("longer than 16 MiB"), "{stderr}");
}
