//! JSON, explanations and colors.

use std::collections::BTreeSet;
use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use crate::generate::{self, Random};
use crate::harness::{absurl, has, new_directory, parse_objects, shell};
use crate::resolve::BASE;

#[test]
fn json_is_json_where_a_standard_decodes_a_quote() {
    for arguments in [&["-j", "-s", "whatwg"][..], &["-j", "--compare"]] {
        let (json, ..) = absurl(arguments).arguments(&["http://%22/"]).text();
        let object = &parse_objects(json)[0];
        let answer = object.get("whatwg").unwrap_or(object);
        assert_eq!(answer["url"], "http://\"/");
    }
}

/// Characters that move the cursor of a terminal or turn the text around.
fn may_be_obeyed(char: char) -> bool {
    let ranges = [
        '\u{7F}'..='\u{9F}',
        '\u{61C}'..='\u{61C}',
        '\u{200E}'..='\u{200F}',
        '\u{2028}'..='\u{202E}',
        '\u{2066}'..='\u{2069}',
    ];
    ranges.iter().any(|range| range.contains(&char))
}

#[test]
fn json_writes_what_a_terminal_may_obey_as_numbers_and_keeps_the_text() {
    let text: String = ('\u{7F}'..='\u{3000}')
        .filter(|char| !('\u{2FFF}'..).contains(char))
        .chain(['\u{FEFF}', '\u{1F600}'])
        .collect();
    let (json, ..) = absurl(&["-j", "-b", "x:/"]).input(format!("{text}\n\u{7F}\nx:\u{1F600}\n")).text();
    assert!(!json.chars().any(may_be_obeyed));
    let objects = parse_objects(&json);
    for (name, expected) in [("reference", text.clone()), ("url", format!("x:/{text}"))] {
        assert_eq!(objects[0][name], expected);
    }
    // nothing else is a number
    let numbers = text.chars().filter(|char| may_be_obeyed(*char)).count();
    assert_eq!((numbers, json.lines().next().unwrap().matches("\\u").count()), (47, 47 * 3));
    assert!(json.contains(r#""reference":"\u007f""#) && json.contains(r"x:/\u007f") && json.contains("x:\u{1F600}"));
    for (number, shown) in [(0x9F, r"\u009f"), (0x61C, r"\u061c"), (0x202E, r"\u202e"), (0x2069, r"\u2069")] {
        assert!(text.contains(char::from_u32(number).unwrap()) && json.contains(shown), "{shown}");
    }
}

#[test]
fn no_json_has_what_a_terminal_may_obey() {
    let text: String = ('\u{7F}'..='\u{2100}').filter(|char| may_be_obeyed(*char)).collect();
    let directory = new_directory("json_of_terminals");
    let name = if cfg!(unix) { format!("{text}.html") } else { "page.html".into() };
    let page =
        format!("<meta charset=utf-8><base href='//h{text}/'><a href='{text}' \u{202E}><\u{9B} style='a:url({text})'>");
    fs::write(directory.join(&name), page).unwrap();
    let list = format!("{text}\n//{text}\n{text}:\n/\\{text}\n");
    let base = format!("http://a{text}/{text}");
    let of_lists = ["", "-e", "-c", "-c=scheme", "--relative", "-p"];
    let of_standards = [
        "-s whatwg",
        "-s rfc3986",
        "-e -s whatwg",
        "-e -s rfc3986",
        "-c -s whatwg",
        "-c -s rfc3986",
        "--compare",
        "-c=host",
    ];
    let mut objects = 0;
    for base in [&*base, "http://a/"] {
        for flags in of_lists.iter().chain(&of_standards) {
            let base: &[&str] = if *flags == "-p" { &[] } else { &["-b", base] };
            let list = if *flags == "-p" { format!("http://{text}/\t{list}") } else { list.clone() };
            let (json, ..) = absurl(&["-j"]).words(flags).arguments(base).input(list).text();
            assert!(!json.chars().any(may_be_obeyed), "{flags}: {json}");
            objects += parse_objects(&json).len();
        }
        for flags in ["-l", "-l -e", "-l -c", "--print-base", "--print-base -e", "--rewrite -n"] {
            let (json, ..) = absurl(&["-j", "-b", base]).words(flags).argument(&name).directory(&directory).text();
            assert!(!json.chars().any(may_be_obeyed), "{flags}: {json}");
            objects += parse_objects(&json).len();
        }
    }
    assert!(objects > 60, "{objects}");
}

#[test]
fn short_paths_and_few_removals_are_drawn() {
    let is_drawn = |base: &str, reference: &str| {
        let (text, ..) = absurl(&["-e", "-b", base, reference]).text();
        text.contains("the base path\n") || text.contains('^')
    };
    let x = "x".repeat(60);
    assert!(is_drawn("x:/b", &x[1..]) && !is_drawn("x:/b", &x));
    assert!(is_drawn("http://a", &"./".repeat(10)) && !is_drawn("http://a", &"./".repeat(11)));
    // neither is a byte that is not visible, or not one column wide
    assert!(!is_drawn("x:/b", "./\u{E9}") && !is_drawn("x:/b c/", "./g"));
}

#[test]
fn explain_shows_what_users_of_other_standards_may_not_expect() {
    for (base, reference, expected) in [
        ("x:/a;", "g?", "2 the base's lone \";\" makes its params empty (§2.4.5)"),
        ("x:/a;", "g?", "2 the reference's lone \"?\" makes its query empty (§2.4.4)"),
        ("x:/a", "g#", "2 the reference's lone \"#\" makes its fragment empty (§2.4.1)"),
        ("http://a?b/", "g", "2 the base's host (net_loc) ends at the next \"/\" only (§2.4.3)"),
        ("http://a;b/", "g", "2 the base's host (net_loc) ends at the next \"/\" only (§2.4.3)"),
        ("x:/a", "g;h/i", "2 the reference's params start at its first \";\" (§2.4.5)"),
        ("x:/a", "g_h:i", "2 the reference has no scheme name before its first \":\" (§2.4.2)"),
        ("x:/a", "///g", "3 an empty host (net_loc); the base has none to inherit"),
        ("x:/a", "///g", "3 the reference's own \"//\" is dropped"),
        ("file:///a", "///g", "3 an empty host (net_loc); inherited: (empty)"),
        ("x:/a", "//h/./g", "3 the path is not relative: its dot segments stay"),
        ("x:/a", "/..", "4 the path is not relative: its dot segments stay"),
        ("x:/a/../b", "?y", "5 the path is inherited as it is: its dot segments stay"),
        ("x:/a", "g./h.", "6a no \"./\" where \".\" is a complete segment"),
        ("x:/a", "g./h.", "6b no \".\" at the end where \".\" is a complete segment"),
        ("x:/a", "../g", "6d nothing is left for this \"..\" to remove: it stays"),
        ("http://a", "?y", "7 \"/\" is inserted after the host so that the rest does not become part of it"),
        ("x:/a", ".//g", "7 \"/.\" is inserted before the path so that its \"//\" does not start a host"),
    ] {
        let (json, ..) = absurl(&["-ej", "-b", base, reference]).text();
        let object = &parse_objects(json)[0];
        let line = |item: &Value| format!("{} {}", item["step"].as_str().unwrap(), item["text"].as_str().unwrap());
        let is_there = object["steps"].as_array().unwrap().iter().any(|item| line(item) == expected);
        assert!(is_there, "{base} {reference}: {expected}: {object}");
    }
    let (object, _, _) = absurl(&["-ej", "-b", "x:/a", "../g"]).text();
    assert!(!object.contains("complete segment") && !object.contains("lone"), "{object}");
}

#[test]
fn colors_mark_what_came_from_where_and_change_no_text() {
    let plain = absurl(&["-e", "-b", BASE, "../g", "", "?y", "../../../g"]).output().stdout;
    for args in [&["-e", "--color", "never"][..], &["-e", "--color=auto"]] {
        absurl(args).arguments(&["-b", BASE, "../g", "", "?y", "../../../g"]).gives(plain.clone(), "", 0);
    }
    let colored = absurl(&["-e", "--color", "always", "-b", BASE, "../g", "", "?y", "../../../g"]).output().stdout;
    let colored = String::from_utf8(colored).unwrap();
    assert!(colored.contains("Step 7   \x1B[1m\x1B[36mhttp://a/b/\x1B[0m\x1B[1m\x1B[32mg\x1B[0m\n"), "{colored}");
    let stripped = ["\x1B[36m", "\x1B[32m", "\x1B[31m", "\x1B[38;5;130m", "\x1B[1m", "\x1B[2m", "\x1B[0m"]
        .iter()
        .fold(colored, |text, code| text.replace(code, ""));
    assert_eq!(stripped.into_bytes(), plain);
}

#[cfg(unix)]
#[test]
fn no_color_applies_where_colors_are_automatic() {
    let colored = || predicate::str::contains("\x1B[");
    let args = ["-e", "-b", BASE, "../g"];
    absurl(&args).env("CLICOLOR_FORCE", "1").gives(colored(), "", 0);
    absurl(&args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").gives(colored().not(), "", 0);
    absurl(&args).env("NO_COLOR", "1").arguments(&["--color", "always"]).gives(colored(), "", 0);
    absurl(&args).env("CLICOLOR_FORCE", "1").arguments(&["--color", "never"]).gives(colored().not(), "", 0);
    if cfg!(target_os = "linux") && has("script") {
        let script = "TERM=xterm script -qec \"absurl -e -b http://a/b g\" /dev/null </dev/null";
        shell(script).gives(colored(), "", 0);
        shell(script).env("NO_COLOR", "1").gives(colored().not(), "", 0);
    }
}

#[test]
fn plain_answers_and_json_have_no_colors() {
    absurl(&["--color", "always", "-b", "x:", "g"]).gives("x:g\n", "", 0);
    let json = |color| absurl(&["-ej", "--color", color, "-b", "http://a/b/c", "../g"]).text();
    assert_eq!(json("always"), json("never"));
}

/// Most objects are made of what those of their base have in common, but not those with steps.
#[test]
fn an_object_is_the_same_with_steps_and_without() {
    let mut random = Random(1808);
    let some = [
        "",
        "g",
        "../g;x?y#s",
        "/g",
        "//g",
        "//g/h?",
        "?y",
        "#s",
        ";x",
        "?",
        "http://g/i;j?k#l",
        "http://u:p@g:80/",
        "//u@g",
        "//[::1]/",
        "mailto:g@h",
        "s:",
        "s:///",
        "http:g",
        "\"",
        "\\",
        "\u{E9}",
        "\u{10}",
        ".//g",
        "g?",
        "http://h?#",
    ];
    let random = (0..300).map(|_| generate::string(&mut random, 6, b"\n\r\0"));
    let list: Vec<_> = some.iter().map(|text| text.as_bytes().to_vec()).chain(random).collect();
    let list = list.join(&b'\n');
    let bases = [
        "",
        BASE,
        "http://a",
        "http://u:p@a:80/b?",
        "s:a/b",
        "s:/a",
        "file:///a/b",
        "http://a/\"",
        "http://a/\u{11}/b",
        "news:a",
        "http://18446744073709551615/",
    ];
    for base in bases {
        let with = |flag| absurl(&["-j", flag, "-b", base]).input(&*list).text().0;
        let (plain, steps) = (with("-j"), with("-e"));
        assert_eq!(plain.lines().count(), steps.lines().count(), "{base}");
        for (plain, steps) in plain.lines().zip(steps.lines()) {
            let (start, rest) = steps.split_once(r#","steps":["#).unwrap();
            let end = rest.rsplit_once("}]").unwrap().1;
            assert_eq!(plain, format!("{start}{end}"), "{base}");
        }
    }
}

/// RFC 1738 §3.1: an empty user name or password is different from no user name or password.
#[test]
fn json_divides_the_net_loc() {
    for (url, login) in [
        ("ftp://@h/", r#""user":"","password":null,"host":"h","port":null"#),
        ("ftp://h/", r#""user":null,"password":null,"host":"h","port":null"#),
        ("ftp://foo:@h/", r#""user":"foo","password":"","host":"h","port":null"#),
        ("ftp://:p@h:21/", r#""user":"","password":"p","host":"h","port":"21""#),
        ("x://u:p:q@r@h:/", r#""user":"u","password":"p:q@r","host":"h","port":"""#),
        ("x://u:p?@h?x:1:2", r#""user":"u","password":"p?","host":"h?x","port":"1:2""#),
        ("x://[::1]:80/", r#""user":null,"password":null,"host":"[::1]","port":"80""#),
        ("x://u@[::1]", r#""user":"u","password":null,"host":"[::1]","port":null"#),
        ("x:///", r#""user":null,"password":null,"host":"","port":null"#),
        ("x://:/", r#""user":null,"password":null,"host":"","port":"""#),
    ] {
        let (stdout, _, _) = absurl(&["-j", url]).text();
        assert!(stdout.contains(&format!(r#"}},{login},"inherited""#)), "{stdout}");
    }
    let (stdout, _, _) = absurl(&["-j", "x:/@:"]).text();
    assert!(stdout.contains(r#""user":null,"password":null,"host":null,"port":null"#), "{stdout}");
    // each standard reads its own answers
    let (stdout, ..) = absurl(&["-j", "-s", "whatwg", "x://h?@evil.com/"]).text();
    assert!(stdout.contains(r#""host":"h""#), "{stdout}");
    let (stdout, ..) = absurl(&["-j", "x://h?@evil.com/"]).text();
    assert!(stdout.contains(r#""host":"evil.com""#), "{stdout}");
}

/// The names of all fields in a value, and of those in it.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.insert(name.clone());
            names(value, found);
        }),
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

#[test]
fn the_man_page_lists_all_fields_of_json_and_no_others() {
    let long = "x".repeat(17 << 20);
    let mail = b"Content-Type: multipart/mixed; boundary=b\nBase: <URL:x://h/>\n\n--b\nContent-Type: text/html\n\n<base href=y><!--[if mso]><a href=g rel=next><![endif]-->";
    let runs: &[(&[&str], &[u8])] = &[
        (&["-b", "x://h/a/", "-e"], b"../g\n"),
        (&["-b", "x://h/a/", "-e", "-s", "rfc3986"], b"../g\n"),
        (&["-e", "-s", "whatwg", "-b", "http://a"], b"\\g\n"),
        (&["--relative", "-b", "x:/"], b"g\n\xE9\n"),
        (&["-b", "x:"], b"\xE9:\n"),
        (&["-b", "x:"], long.as_bytes()),
        (&["-l"], mail),
        (&["--rewrite", "-n", "-b", "x:/"], b"<a href=\xE9>"),
        (&["-c=scheme", "-b", "http://a//b"], b"~\nhttp:\n"),
        (&["-c"], &[b'~'; 1001]),
        (&["-e", "-s", "whatwg", "-b", "http://a"], &[b'^'; 1001]),
        (&["-c=host", "-b", "http://a/"], b"x:\n"),
        (&["--compare", "-b", "x:/"], b"..\n"),
        (&["--print-base"], mail),
    ];
    let mut found = BTreeSet::from(["rel_omitted".to_owned()]); // it is tested with the links
    for (arguments, input) in runs {
        let (stdout, ..) = absurl(&["-j"]).arguments(arguments).input(*input).text();
        for object in parse_objects(stdout) {
            names(&object, &mut found);
            let is_named = object["source"] == "-" || object["source"] == "base" && object["record"].is_null();
            let is_long = object["error"]["code"] == "too-long";
            assert!(is_named && (!is_long || object["base"].is_null() && object["reference"] == ""), "{object}");
        }
    }
    // those of file names, and of --check=files, are tested elsewhere, the others are in the text of the table
    found.extend(["source_base64", "base_base64", "base_file_base64", "near", "near_base64"].map(str::to_owned));
    for name in "scheme net_loc authority params query fragment text code".split(' ') {
        assert!(found.remove(name), "{name}");
    }
    let man = fs::read_to_string("man/sections.txt").unwrap();
    let table = man.split("\n# JSON\n").nth(1).unwrap().split("The codes of error:").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("* ")?.split(" (").next());
    let listed: BTreeSet<_> =
        rows.flat_map(|row| row.split(", ").map(|name| name.trim_matches('`').to_owned())).collect();
    assert_eq!(found, listed);
}
