//! `--check`: what is legal by RFC 1808 §2.2, and what is said of the rest.

use predicates::prelude::*;

use crate::harness::{absurl, new_file, parse_objects};

/// Runs `--check` over a list: standard output and the exit status. Standard error has the summary, and perhaps what later
/// standards allow.
fn check(arguments: &[&str], input: impl Into<Vec<u8>>) -> (String, i32) {
    let (stdout, stderr, status) = absurl(&[&["--check"], arguments].concat()).input(input).text();
    let (summary, allowed) = stderr.split_once('\n').unwrap();
    assert!(allowed.is_empty() || allowed.ends_with(" legal by RFC 3986; -s rfc3986 checks by it\n"), "{stderr}");
    assert!(summary.contains(" in ") || summary == "absurl: no references to check", "{stderr}");
    (stdout, status)
}

#[test]
fn each_illegal_record_is_a_line_with_its_first_violation_and_its_fix() {
    let list = b"a~b\n\n//a//b%4\x80#x#y z\nok\n/%%zz%%41\"<\ng;a b?\xff\x1b|#%\n//~?\\";
    let stdout = r#"-:1:2: a~b: "~" is not allowed in a path; write a%7Eb
-:3:5: //a//b%4\x80#x#y z: the path begins with "//", and 4 more; write one "/"
-:5:2: /%%zz%%41"<: "%" in a path is not followed by two hex digits, and 4 more; write /%25%25zz%25%41%22%3C
-:6:4: g;a b?\xFF\x1B|#%: a space is not allowed in params, and 4 more; write g;a%20b?%FF%1B%7C#%25
-:7:3: //~?\: "~" is not allowed in a host (net_loc), and 1 more ("\")
"#;
    absurl(&["-c"]).input(list).gives(
        stdout,
        predicate::str::starts_with("absurl: 18 violations in 5 of 7 references\n"),
        1,
    );
}

#[test]
fn a_fix_does_not_break_the_url() {
    for (reference, shown, finding) in [
        // a character of UTF-8 is one, and the fix is the complete text
        ("café.html", "", r#"4: "é" is not allowed in a path; write caf%C3%A9.html"#),
        ("a|b{c}", "", r#"2: "|" is not allowed in a path, and 2 more ("{", "}"); write a%7Cb%7Bc%7D"#),
        ("x?€€", "", r#"3: "€" is not allowed in a query, and 1 more; write x?%E2%82%AC%E2%82%AC"#),
        // what a terminal obeys is not shown
        ("\u{202e}", r"\xE2\x80\xAE", r"1: \xE2\x80\xAE is not allowed in a path; write %E2%80%AE"),
        ("a\tb", r"a\x09b", r"2: \x09 is not allowed in a path; write a%09b"),
        // a slash may be meant
        (r"..\x y", "", r#"3: "\" is not allowed in a path, and 1 more (a space); write %5C"#),
        (r" \", "", r#"1: a space is not allowed in a path, and 1 more ("\"); write %20"#),
        // a slip
        (" http://a/", "", "1: a space is not allowed in a path; remove the space"),
        ("http://a/ ", "", "10: a space is not allowed in a path; remove the space"),
        ("\"//a/\"", "", "1: \"\"\" is not allowed in a path, and 1 more; remove the quotes"),
        ("<x:y>", "", r#"1: "<" is not allowed in a path, and 1 more (">"); remove the brackets"#),
        ("//a\r", r"//a\x0D", r"4: \x0D is not allowed in a host (net_loc); remove the CR"),
        ("new\r", r"new\x0D", r"4: \x0D is not allowed in a path; remove the CR"),
        ("\rx\r", r"\x0Dx\x0D", r"1: \x0D is not allowed in a path, and 1 more; write %0D"),
        // the text would still be illegal
        ("//é:b@h/", "", r#"3: "é" is not allowed in a host (net_loc)"#),
        ("~\\\u{1b}", r"~\\x1B", r#"1: "~" is not allowed in a path, and 2 more ("\", \x1B); write %7E"#),
        // an escape would be another host
        ("http://é/é", "", r#"8: "é" is not allowed in a host (net_loc), and 1 more; write the host in its xn-- form"#),
        ("http://é:80/", "", r#"8: "é" is not allowed in a host (net_loc); write the host in its xn-- form"#),
        ("http://h:é/", "", r#"10: "é" is not allowed in a host (net_loc)"#),
        (
            "//[::1]",
            "",
            r#"3: "[" is not allowed in a host (net_loc), and 1 more ("]"); RFC 1808 has no IPv6 addresses"#,
        ),
        ("//u[x@h/", "", r#"4: "[" is not allowed in a host (net_loc)"#),
        ("//a b", "", "4: a space is not allowed in a host (net_loc)"),
        ("//a%/%", "", r#"4: "%" in a host (net_loc) is not followed by two hex digits, and 1 more"#),
        ("//h/[%]", "", r#"5: "[" is not allowed in a path, and 2 more; write //h/%5B%25%5D"#),
    ] {
        let shown = if shown.is_empty() { reference } else { shown };
        let (stdout, ..) = absurl(&["-c", reference]).text();
        assert_eq!(stdout, format!("argument 1:{}\n", finding.replacen(": ", &format!(": {shown}: "), 1)));
    }
}

#[test]
fn a_line_names_the_component_and_json_the_production() {
    for (text, production, message) in [
        ("//a^", "net_loc", r#""^" is not allowed in a host (net_loc)"#),
        ("^", "pchar", r#""^" is not allowed in a path; write %5E"#),
        (r"\", "pchar", r#""\" is not allowed in a path; write %5C"#),
        (";^", "param", r#""^" is not allowed in params; write ;%5E"#),
        ("?^", "query", r#""^" is not allowed in a query; write ?%5E"#),
        ("#^", "fragment", r#""^" is not allowed in a fragment; write #%5E"#),
        ("#%", "escape", r#""%" in a fragment is not followed by two hex digits; write #%25"#),
        ("//a//b", "fsegment", r#"the path begins with "//"; write one "/""#),
    ] {
        let (stdout, ..) = absurl(&["-c"]).input(text).text();
        assert!(stdout.ends_with(&format!(": {text}: {message}\n")), "{stdout}");
        let (json, ..) = absurl(&["-cj"]).input(text).text();
        let found = &parse_objects(json)[0]["violations"][0];
        assert_eq!((found["production"].as_str(), found["message"].as_str()), (Some(production), Some(message)));
    }
}

#[test]
fn the_advice_about_a_host_is_given_once_for_a_character() {
    let (json, stderr, _) = absurl(&["-cj", "//é/"]).text();
    assert_eq!((json.matches(r#""production""#).count(), json.matches("xn--").count()), (2, 1), "{json}");
    assert_eq!(stderr, "absurl: 1 violation in 1 reference\n");
}

#[test]
fn a_long_text_is_shortened_and_only_its_character_is_escaped() {
    let long = "x".repeat(200);
    let expected = format!("-:1:201: {long}...: \"é\" is not allowed in a path, and 1 more (\"~\"); write %C3%A9\n");
    assert_eq!(check(&[], format!("{long}é~")), (expected, 1));
    // the longest text that is shown whole has a whole fix
    let longest = "x".repeat(199);
    let expected = format!("-:1:200: {longest}~: \"~\" is not allowed in a path; write {longest}%7E\n");
    assert_eq!(check(&[], format!("{longest}~")), (expected, 1));
}

#[test]
fn a_list_without_a_violation_prints_nothing() {
    let list = "g\n./g\n/g\n//g\n?y\ng?y\n#s\n;x\ng;x=1/../y\nhttp://a//b\n\n../../../g\n%7Eg\na_b:c\n";
    let summary = "absurl: no illegal characters in 14 references\n";
    absurl(&["-cb", "http://a/b/c/d;p?q#f"]).input(list).gives("", summary, 0);
    absurl(&["-c"]).gives("", "absurl: no references to check\n", 0);
}

#[test]
fn the_base_is_checked_once_at_its_own_location() {
    let stdout = "\
base:1: Mailto:a|b: relative URLs are never used with a base of scheme \"Mailto\", and 1 more; write the references with their schemes
argument 1:1: note: x:y: \"x\" is parsed as a scheme; for a relative path, write \"./\" before it
";
    let summary = "absurl: 2 violations in 1 base URL\n";
    absurl(&["-c", "-b", "Mailto:a|b", "x:y"]).gives(stdout, summary, 1);
    let (stdout, status) = check(&["-b", "http://a/~b"], "g\ng\ng\n");
    assert_eq!(stdout.lines().count(), 1);
    assert!(stdout.starts_with("base:10: http://a/~b: \"~\""), "{stdout}");
    assert_eq!(status, 1);
    for scheme in ["news:a", "telnet://a"] {
        assert_eq!(check(&["-b", scheme], "g").1, 1);
    }
    absurl(&["--check", "-b", "no-scheme"]).input("g\n").gives("", predicate::str::starts_with("absurl: --base: "), 2);
}

#[test]
fn a_base_must_match_generic_rl() {
    let violation =
        "base:10: http://a//b: the path begins with \"//\", so relative URLs cannot be used with it; write one \"/\"\n";
    assert_eq!(check(&["-b", "http://a//b"], "g\nhttp://a//b\n"), (violation.to_owned(), 1));
    assert_eq!(check(&["-b", "http:////b"], "").1, 1);
    let (json, ..) = absurl(&["-cjb", "http://a//b"]).text();
    assert!(json.contains(r#"[{"in":"base","production":"generic-RL","column":10,"byte":47,"message""#), "{json}");
    assert_eq!(check(&["-b", "http://a/b//c"], ""), (String::new(), 0));
}

#[test]
fn the_gopher_type_of_a_base_is_a_note() {
    let note = "base:12: note: gopher://h/1x: gopher type \"1\": relative paths reach this type only\n";
    assert_eq!(check(&["-b", "gopher://h/1x"], "g"), (note.to_owned(), 0));
    assert_eq!(check(&["-b", "gopher://h/"], "g"), (String::new(), 0));
    let (json, ..) = absurl(&["-cjb", "gopher://h/1x"]).text();
    assert!(json.contains(r#""violations":[],"notes":[{"in":"base","column":12,"byte":49,"#), "{json}");
}

/// §10: BASE is in HEAD, and its HREF is absolute.
#[test]
fn a_base_element_that_is_relative_or_in_body_is_a_note() {
    let relative = "note: http://a/r: BASE has a relative URL; write the absolute one";
    let in_body = "BASE is not in HEAD; move it there";
    let head = "<!doctype html><html><head><title><p></title><script>'<p>'</script><template><p></template><meta>";
    for (page, notes) in [
        (format!("{head}<base href=http://a/r>"), String::new()),
        ("<head></head><base href=http://a/r>".into(), String::new()),
        (format!("{head}<BASE HREF=r>"), format!("-:1:{}: {relative}\n", head.len() + 12)),
        ("<body><base href=http://a/r>".into(), format!("-:1:18: note: http://a/r: {in_body}\n")),
        ("<svg></svg><base href=/r>".into(), format!("-:1:23: {relative}\n-:1:23: note: http://a/r: {in_body}\n")),
        // no element, and not the BASE that applies
        ("<base href=http://a/r><p><base href=x>".into(), String::new()),
        ("Base: r\nContent-Type: text/html\n\n".into(), String::new()),
    ] {
        let (stdout, _, status) = absurl(&["-lc", "-b", "http://a/", "-"]).input(format!("{page}<a href=y>")).text();
        assert_eq!((stdout, status), (notes, 0), "{page}");
    }
    let (json, ..) = absurl(&["-lcj", "-b", "http://a/", "-"]).input("<base href=r><a href=y>").text();
    let note = r#""violations":[],"notes":[{"in":"base","column":1,"byte":104,"message":"BASE has a relative URL"#;
    assert!(json.contains(note), "{json}");
}

#[test]
fn a_scheme_that_may_be_a_path_is_a_note_and_not_a_violation() {
    let list = "this:that\nhttps://a/\nHTTP:g\nurn:x\nfile:x\nprospero:x\nx+y://\n./this:that\nthis%3Athat\n\
                javascript:x\nDATA:,x\ntel:1\nsms:1\nabout:blank\nblob:x\nhttps:g\n";
    let note = "-:1:1: note: this:that: \"this\" is parsed as a scheme; for a relative path, write \"./\" before it\n";
    assert_eq!(check(&["-b", "URN:a"], list), (note.to_owned(), 0));
}

#[test]
fn the_scheme_of_the_base_is_a_loophole() {
    let note = "note: HTTP:g: some parsers ignore \"HTTP:\", because it is the base's scheme; omit it\n";
    let list = "HTTP:g\nhttp://a/g\nhttps:g\n";
    assert_eq!(check(&["-b", "http://a/"], list), (format!("-:1:1: {note}"), 0));
    // without a net_loc of the base, no parser inherits one
    assert_eq!(check(&["-b", "http:a"], "http:g"), (String::new(), 0));
    // RFC 1738 does not allow it at all
    let violation = "-:1:6: HTTP:g: no \"//\" after \"HTTP:\"; omit \"HTTP:\"\n";
    let (stdout, ..) = absurl(&["-c=scheme", "-b", "http://a/"]).input("HTTP:g").text();
    assert_eq!(stdout, violation);
}

#[test]
fn the_answer_is_checked_by_its_scheme_at_the_references_column() {
    for (base, reference, finding) in [
        (
            "http://h/a",
            "//u:p@h/x",
            r#"3: //u:p@h/x: "u:p@" is a login, and http has no user name or password; write the host alone"#,
        ),
        ("http://h/a", "//g:/x", r#"5: //g:/x: the port is empty; remove the ":""#),
        ("http://h/a", "?q/r", r#"3: note: ?q/r: RFC 1738 does not allow "/" in a query; write %2F"#),
        ("ftp://h/a/b", "../c;x", r#"6: ../c;x: no "type=" after ";"; write ";type=" and a, i or d"#),
        ("ftp://h/a/b", "//u@k/", r#"3: note: //u@k/: everyone who sees the URL can read "u@"; remove "u@""#),
        ("nntp://h/g/1", "x", r#"1: x: "x" is not allowed in the article number; write a number"#),
        ("nntp://h/g/1", "/g/x", r#"4: /g/x: "x" is not allowed in the article number; write a number"#),
        // step 6 makes the path, so that no byte of the reference is the one
        ("nntp://h/g/1", "./a/b", r#"1: ./a/b: "a" is not allowed in the article number; write a number"#),
        // what RFC 1738 does not allow comes before what §2.2 does not, if it is before it
        (
            "http://h/a",
            "//u@h b",
            r#"3: //u@h b: "u@" is a login, and http has no user name or password, and 1 more; write the host alone"#,
        ),
        ("ftp://h/a", "a?b", r#"2: note: a?b: "?" is not used in ftp; write %3F"#),
        ("wais://h/d/t/p", "?x", r#"1: ?x: "?" is not allowed in the document's path; write %3F"#),
    ] {
        let (stdout, stderr, _) = absurl(&["-c=scheme", "-b", base]).input(reference).text();
        assert_eq!(stdout, format!("-:1:{finding}\n"), "{base} {reference} {stderr}");
    }
    // in JSON it is in the URL
    let (json, ..) = absurl(&["-jc=scheme", "-b", "http://h/a", "//u:p@h/x"]).text();
    let element = r#"{"in":"url","grammar":"rfc1738","production":"httpurl","column":3,"byte":117,"message":""#;
    assert!(json.contains(element), "{json}");
    let (json, ..) = absurl(&["-jc=scheme", "file://h"]).text();
    assert!(json.contains(r#""production":"fileurl","column":9,"byte":null,"#), "{json}");
}

#[test]
fn what_a_base_or_a_reference_has_alone_is_not_found_in_the_answer() {
    let places = |arguments: &[&str], input: &str| {
        let (stdout, ..) = absurl(&[&["-c=scheme"], arguments].concat()).input(input).text();
        stdout.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(places(&["-b", "ftp://u@h_/a;x"], "g\n\n#s\n?q\n;type=a\n"), ["base:10", "base:7", "-:4:1"]);
    assert_eq!(places(&["-b", "http://u@h/"], "//v@k/"), ["base:8", "-:1:3"]);
    assert_eq!(places(&["-b", "nntp://h/1/g"], "x\n"), ["base:10"]);
    assert_eq!(places(&["-p"], "ftp://h/\tx;y\nhttp://h/\thttp://u@h/\n"), ["-:1:12", "-:2:18"]);
    // without a base there is no answer
    assert_eq!(places(&[], "//u@h/\n?a/b\n"), [""; 0]);
}

#[test]
fn of_two_findings_at_one_column_only_the_first_is_listed() {
    let (json, stderr, status) = absurl(&["--check=scheme", "-j", "http://a^b/"]).text();
    assert!(json.contains(r#""violations":[{"in":"reference","production":"net_loc","column":9,"byte":94,"#), "{json}");
    assert_eq!(json.matches(r#""in":"#).count(), 1, "{json}");
    assert_eq!((&*stderr, status), ("absurl: 1 violation in 1 reference\n", 1));
    // one at the same column of the answer, and one after it
    let (json, stderr, _) = absurl(&["--check=scheme", "-j", "-b", "http://a/b", "//~:x/"]).text();
    assert_eq!(json.matches(r#""in":"#).count(), 2, "{json}");
    assert_eq!(&*stderr, "absurl: 2 violations in 1 reference\n");
}

#[test]
fn other_schemes_pass_and_generic_is_the_default() {
    for arguments in [&["-c"][..], &["--check"], &["-c=generic"], &["--check=generic"]] {
        let summary = "absurl: no illegal characters in 1 reference\n";
        absurl(&[arguments, &["http://u@h:/"]].concat()).gives("", summary, 0);
    }
    let list = "svn://h_:x/\nx://u:p:w@h/;a?b/c\n";
    let (stdout, _, status) = absurl(&["--check=scheme"]).input(list).text();
    assert_eq!((stdout.lines().count(), status), (1, 0), "{stdout}");
    assert!(stdout.starts_with("-:2:5: note: "), "{stdout}");
}

#[test]
fn the_value_of_check_needs_an_equals_sign() {
    for (flag, value) in [("-c", "scheme"), ("--check", "generic")] {
        let expected = format!("--check {value} is two arguments; use --check={value}, or ./{value} for a reference");
        for arguments in [&[flag, value][..], &[flag, "g", value]] {
            absurl(arguments).gives("", predicate::str::contains(&*expected), 2);
        }
    }
    assert_eq!(absurl(&["-c", "./scheme"]).text().2, 0);
    assert_eq!(absurl(&["-c", "--", "scheme"]).text().2, 0);
    assert_eq!(absurl(&["-c=scheme", "scheme"]).text().2, 0);
    assert_eq!(absurl(&["-c=other"]).text().2, 2);
}

#[test]
fn in_pairs_columns_are_those_of_the_record() {
    let list = "http://a~/\ta~b\nx\tg\nt:x\tt:y\nt:x\tu:z~\n\tg\nt:x\ta~\n";
    let (stdout, stderr, status) = absurl(&["-c", "-p"]).input(list).text();
    let places: Vec<_> = stdout.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["-:1:9", "-:2:1", "-:4:8", "-:4:5", "-:6:6"]);
    assert_eq!((stderr.lines().next(), status), (Some("absurl: 5 violations in 4 of 6 references"), 1));
    assert!(stdout.contains("-:2:1: x: the base URL has no scheme; use an absolute URL"), "{stdout}");
    absurl(&["-c", "-p"]).input("no tab\n").gives(
        "",
        predicate::str::starts_with("absurl: -:1: no TAB; write BASE TAB REFERENCE\n"),
        1,
    );
}

#[test]
fn json_has_an_object_for_a_pair_without_tab() {
    let (stdout, _, status) = absurl(&["-c", "-j", "-p"]).input("no tab\n").text();
    assert!(stdout.contains(r#""error":{"code":"no-tab""#), "{stdout}");
    assert_eq!(status, 1);
}

#[test]
fn quiet_leaves_the_status_and_fail_fast_the_first_record() {
    absurl(&["-cq"]).input("ok\na~\n").gives("", "", 1);
    absurl(&["-cq"]).input("ok\nx:y\n").gives("", "", 0);
    let (stdout, status) = check(&["--fail-fast"], "ok\n~a~\n~\n");
    assert_eq!(stdout.lines().count(), 1);
    assert_eq!(status, 1);
}

#[test]
fn records_are_those_of_every_other_mode() {
    let file = &new_file("check_list", "\u{FEFF}ok~\r\n\r\n~");
    let (stdout, status) = check(&["-f", file, "-f", "-", "~arg"], "x\n~\r");
    let places: Vec<_> = stdout.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
    let expected = ["argument 1:1".to_owned(), format!("{file}:1:3"), format!("{file}:3:1"), "-:2:1".into()];
    assert_eq!((places, status), (expected.to_vec(), 1));
    let (stdout, _) = check(&["-0"], "a\nb\0\r\0");
    assert_eq!(stdout.lines().count(), 2);
    assert!(stdout.starts_with("-:1:2: a\\x0Ab: \\x0A is not allowed in a path"), "{stdout}");
}

#[test]
fn check_resolves_nothing() {
    for flag in ["-k", "-e"] {
        absurl(&["--check", flag, "g"]).gives("", predicate::str::contains("cannot be used with"), 2);
    }
}

#[test]
fn a_base_that_is_none_has_a_production() {
    for (base, production, byte) in [("mailto:x", "scheme", 109), ("x", "absoluteURL", 120)] {
        let (json, ..) = absurl(&["-c", "-j", "-p"]).input(format!("{base}\tg")).text();
        let expected = format!(r#""violations":[{{"in":"base","production":"{production}","column":1,"byte":{byte},"#);
        assert!(json.contains(&expected), "{json}");
    }
}

#[test]
fn of_a_long_record_a_thousand_violations_are_listed_and_the_rest_is_counted() {
    let (json, stderr, _) = absurl(&["-c", "-j"]).input("~".repeat(10_000)).text();
    assert_eq!((json.lines().count(), json.matches(r#""remedy":"%7E""#).count()), (1, 1000));
    assert!(json.contains(r#""violations_omitted":9000"#), "{json}");
    assert_eq!(stderr, "absurl: 10000 violations in 1 reference\n");
}

#[test]
fn messages_come_between_objects_that_are_streamed() {
    let page = new_file("check_page", "<a href=\"x y\">\n".repeat(400));
    let list = format!("http://a/\t{page}\n{}", "http://a/\t/no/such/page\n".repeat(1200));
    let (stdout, stderr, status) = absurl(&["-l", "-p", "-c", "-j"]).input(list).text();
    assert_eq!((stdout.lines().count(), stderr.lines().count(), status), (1600, 12, 1));
    assert!(stdout.lines().all(|line| line.starts_with('{') && line.ends_with('}')));
}

#[test]
fn a_note_about_the_base_is_not_repeated_unless_its_place_is_another() {
    let note = |place: &str, shown: &str| {
        format!("{place}: note: {shown}: RFC 1738 does not allow \"/\" in a query; write %2F\n")
    };
    let zero = "absurl: no violations in 3 references\n";
    for (base, column, again) in [("http://a/b?x/y", 13, ""), ("http://a/b;?x/y", 14, "#f")] {
        let mut stdout = note(&format!("base:{column}"), base);
        if !again.is_empty() {
            stdout += &note("-:2:1", again); // without the lone delimiter the query is elsewhere
        }
        absurl(&["--check=scheme", "-b", base]).input("g/h\n#f\n/i\n").gives(stdout, zero, 0);
    }
}

#[test]
fn an_encoded_line_end_is_where_the_reference_has_it() {
    for (base, reference, column) in [
        ("ftp://h/a", "xyz%0D", 4),
        ("ftp://h/a", "x/./y%0d%0A", 6),
        ("ftp://h/a/b", "../%0D/./%0A/c", 4),
        ("ftp://h/a/b", "%0A/../%0A", 8),
        ("gopher://h/1a", "/%0A", 2),
        ("gopher://h/1a", "?%0A", 2),
        ("ftp://h/./%0D/b", "c", 1), // the base's, at another place
    ] {
        let (json, ..) = absurl(&["-j", "--check=scheme", "-b", base, reference]).text();
        let notes = parse_objects(json).pop().unwrap()["notes"].clone();
        let found: Vec<_> = notes.as_array().unwrap().iter().map(|note| (&note["in"], &note["column"])).collect();
        assert_eq!(found, [(&"url".into(), &column.into())], "{reference}: {notes}");
    }
}

/// Reading 19: the wrapper of a Base field is not recognized around references.
#[test]
fn a_reference_in_a_wrapper_is_a_note() {
    let text = "note: <uRL:x:y>: \"<uRL:\" and \">\" are part of it; remove them";
    let found = "\"<\" is not allowed in a path, and 1 more (\">\"); remove \"<uRL:\" and \">\"";
    assert_eq!(check(&[], "<uRL:x:y>\n"), (format!("-:1:1: <uRL:x:y>: {found}\n-:1:1: {text}\n"), 1));
    // with white space around it
    let (json, ..) = check(&["-j"], " <URL:x:y>\t\n");
    for finding in ["a space is not allowed in a path; remove the space", "\\\"<URL:\\\" and \\\">\\\" are part of"] {
        assert_eq!(json.matches(finding).count(), 1, "{json}");
    }
    assert_eq!(json.matches("in a path; remove \\\"<URL:\\\" and \\\">\\\"\"").count(), 2, "{json}");
    for other in ["<URL:g", "URL:g>", "<URN:g>", "<URL:", "<>"] {
        assert!(!check(&[], other).0.contains("note: <"), "{other}");
    }
}
