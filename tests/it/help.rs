//! Help, and what is generated from the flags.

use std::fs;

use predicates::prelude::*;

#[cfg(unix)]
use crate::harness::has_tools_of;
use crate::harness::{absurl, has, new_directory, shell};

pub fn output_of(args: &[&str]) -> String {
    let done = absurl(args).output();
    assert_eq!((done.status.code(), &done.stderr[..]), (Some(0), &b""[..]));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn short_help_has_a_line_for_each_flag_and_fits_80_columns() {
    let help = output_of(&["-h"]);
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    let (help, examples) = help.split_once("Examples:\n").unwrap();
    assert_eq!(examples.lines().filter(|line| line.starts_with("  ") && line.contains("absurl ")).count(), 4);
    assert!(help.contains("[default: "), "{help}");
    let flags = help.lines().filter(|line| line.starts_with("  ") && !line.contains(" absurl ")).count();
    let described = help.lines().filter(|line| line.trim_start().starts_with(['-', '['])).count();
    assert_eq!(flags, described, "{help}");
    assert!(flags >= 14, "{help}");
    assert!(output_of(&["-h"]).lines().count() <= 62, "{help}");
    assert!(!help.contains("possible values") && !help.contains("complete-bash"), "{help}");
}

#[test]
fn long_help_lists_what_flags_take() {
    let help = output_of(&["--help"]);
    for value in ["auto", "always", "never", "man", "complete-bash", "complete-zsh", "complete-fish"] {
        assert!(help.contains(value), "{value}");
    }
    for section in ["Examples:", "Exit status:", "complete-powershell", "complete-elvish"] {
        assert!(help.contains(section), "{section}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn the_first_screen_of_long_help_says_that_the_default_is_rfc_1808_not_what_browsers_do() {
    let help = absurl(&["--help"]).env("COLUMNS", "80").output().stdout;
    let help = String::from_utf8(help).unwrap();
    let screen: Vec<_> = help.lines().take(24).collect();
    let screen = screen.join("\n");
    for text in [
        "The default is the letter of RFC 1808, not what browsers do",
        "-s whatwg",
        "  ../../../g   http://a/../g   (browsers: http://a/g)",
        "  /./g         http://a/./g    (browsers: http://a/g)",
    ] {
        assert!(screen.contains(text), "{screen}");
    }
    absurl(&["-b", "http://a/b/c/d", "../../../g", "/./g"]).gives("http://a/../g\nhttp://a/./g\n", "", 0);
}

#[test]
fn the_version_is_that_of_the_package() {
    absurl(&["-V"]).gives(concat!("absurl ", env!("CARGO_PKG_VERSION"), "\n"), "", 0);
    absurl(&["--version"]).gives(concat!("absurl ", env!("CARGO_PKG_VERSION"), "\n"), "", 0);
}

#[test]
fn man_page_and_completions_are_those_of_the_flags() {
    for (kind, path) in [
        ("man", "man/absurl.1"),
        ("man-documents", "man/absurl-documents.7"),
        ("complete-bash", "completions/absurl.bash"),
        ("complete-zsh", "completions/_absurl"),
        ("complete-fish", "completions/absurl.fish"),
        ("complete-powershell", "completions/_absurl.ps1"),
        ("complete-elvish", "completions/absurl.elv"),
    ] {
        let kept = fs::read_to_string(path).unwrap_or_default();
        assert!(kept == output_of(&["--generate", kind]), "{path} is out of date; renew it: .ci/renew");
    }
}

#[cfg(unix)]
#[test]
fn the_man_pages_are_clean() {
    const SECTIONS: &str =
        "EXIT STATUS|EXAMPLES|RECORDS|DOCUMENTS|JSON|MESSAGES|LIMITS|ENVIRONMENT|CAVEATS|BUGS|AUTHORS|SEE ALSO";
    const OF_DOCUMENTS: &str =
        "WHAT A DOCUMENT IS|BASE URLS|LINKS|REWRITING|CHARSETS|REASONS|READINGS|LIMITS|QUIRKS|SEE ALSO";
    for (path, sections) in [("man/absurl.1", SECTIONS), ("man/absurl-documents.7", OF_DOCUMENTS)] {
        let page = fs::read_to_string(path).unwrap();
        for section in sections.split('|') {
            let is_there =
                [format!("\n.SH {section}\n"), format!("\n.SH \"{section}\"\n")].iter().any(|line| page.contains(line));
            assert!(is_there, "{section}");
        }
        // words that people search for are not broken
        assert!(page.contains("\n.nh\n"));
        if has("mandoc") {
            shell(&format!("mandoc -T lint -W warning {path}")).gives("", "", 0);
            let page = rendered(path);
            let wide: Vec<_> = page.lines().filter(|line| line.chars().count() > 78).collect();
            assert_eq!(wide, [""; 0]);
            assert!(page.lines().count() <= 850, "{path}: {}", page.lines().count());
        }
    }
}

/// A man page as text. What is bold is written twice, with a backspace between, and is here once.
#[cfg(unix)]
fn rendered(path: &str) -> String {
    let mut page = String::new();
    for letter in shell(&format!("mandoc -T utf8 -O width=78 {path}")).text().0.chars() {
        match letter {
            '\x08' => _ = page.pop(),
            _ => page.push(letter),
        }
    }
    page
}

/// What newcomers search for in the pages, in lower case where case does not matter, as in less.
#[cfg(unix)]
#[rustfmt::skip]
const SEARCHED: &[&str] = &[
    "404", "API", "BOM", "CDN", "CI", "CSV", "JSON", "Markdown", "Outlook", "README", "Windows", "[::1]", "WARC",
    "alias", "anchor", "blank", "blank line", "broken", "canonical", "comment", "conditional comment", "config",
    "cron", "curl", "data-src", "dead", "default standard", "domain", "dry run", "duplicate", "each file",
    "empty line", "exist", "exit code", "exit status", "file name", "find .", "gzip", "jq", "lazy", "llms.txt",
    "mailto", "merge tag", "missing", "move", "newsletter", "next page", "og:image", "own url", "pagination",
    "parallel", "playlist", "protocol-relative", "recursive", "relative url", "rename", "several files", "sort -u",
    "status 1", "stdin", "subdomain", "symlink", "template", "trailing slash", "wget", "xargs",
];

#[cfg(unix)]
#[test]
fn what_people_search_for_is_in_a_line_of_a_man_page() {
    if has("mandoc") {
        let pages = ["man/absurl.1", "man/absurl-documents.7"].map(rendered).concat();
        let in_any_case = pages.to_lowercase();
        let is_there =
            |word: &&&str| if word.contains(char::is_uppercase) { &pages } else { &in_any_case }.contains(**word);
        let missing: Vec<_> = SEARCHED.iter().filter(|word| !is_there(word)).collect();
        assert_eq!(missing, [&""; 0]);
    }
}

/// What is added to the text of a flag stands under it, and before the next one.
#[test]
fn the_text_of_a_flag_stands_under_it() {
    let page = fs::read_to_string("man/absurl.1").unwrap();
    let prose = fs::read_to_string("man/sections.txt").unwrap();
    let (_, flags) = prose.split_once("\n!options\n").unwrap();
    let (flags, _) = flags.split_once("\n# ").unwrap();
    for text in flags.split("\n= ").skip(1) {
        let (flag, text) = text.split_once('\n').unwrap();
        let tag = format!("\\fB{}\\fR", flag.replace('-', "\\-"));
        let item = page.split("\n.TP 4\n").find(|item| item.lines().next().is_some_and(|first| first.contains(&tag)));
        let item = item.unwrap_or_else(|| panic!("{flag} is no flag"));
        let first: String = text.chars().take_while(|c| c.is_ascii_alphanumeric() || " ,".contains(*c)).collect();
        assert!(item.contains("\n.RS 4\n") && item.contains(&first), "{flag}: {item}");
    }
}

#[cfg(unix)]
#[test]
fn the_examples_of_help_and_man_page_work() {
    let directory = new_directory("examples");
    fs::write(directory.join("references.txt"), "../g\n").unwrap();
    fs::create_dir(directory.join("site")).unwrap();
    fs::write(directory.join("site/page.html"), "<a href=/page.html>").unwrap();
    fs::write(directory.join("base-tab-reference.tsv"), "http://a/b\tg\n").unwrap();
    fs::write(directory.join("page.html"), "<base href=http://a/b/><a href=g>").unwrap();
    fs::write(directory.join("mail.eml"), "Base: <URL:http://a/b>\n").unwrap();
    fs::write(directory.join("a#b"), "").unwrap();
    let response = "HTTP/1.1 200 OK\nLink: <?page=2>; rel=\"next\"\nContent-Type: application/json\n\n[1]";
    fs::write(directory.join("response.http"), response).unwrap();
    let help = output_of(&["--help"]);
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let examples: Vec<_> =
        examples.into_iter().filter(|line| line.contains("absurl ") && !line.starts_with(' ')).collect();
    // nothing is fetched here either
    let curl = "u=http://a/; curl() { if [ \"$1\" = -si ]; then cat response.http; else cat page.html; fi; }\n";
    assert!(examples.len() >= 8, "{examples:?}");
    for example in examples {
        if has_tools_of(example) {
            let answer = match example {
                _ if example.contains("find") => "http://a/a%23b\n",
                _ if example.contains("next") => "http://a/?page=2\n",
                _ => "",
            };
            let counts = match example {
                _ if example.contains("next") => {
                    "absurl: -:5:1: not searching the content, which is application/json\n"
                }
                _ if example.contains("--compare") => "absurl: no differences in 1 reference\n",
                _ if example.contains("-i --relative site") => {
                    "absurl: site: 1 document read\nabsurl: 1 of 1 document changed\n"
                }
                _ if example.contains("--check=host") => {
                    "absurl: site: 1 document read\nabsurl: 1 link stays on its host\n"
                }
                _ if example.contains("--check=files") => {
                    "absurl: site: 1 document read\nabsurl: 1 link to site leads to a file\n"
                }
                _ if example.ends_with(" site") || example.contains(" site |") => "absurl: site: 1 document read\n",
                _ => "",
            };
            shell(&format!("{curl}{}", example.replace("evil.com", "page.html"))).directory(&directory).gives(
                predicate::str::contains(answer),
                counts,
                0,
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_flags_values_and_documents_but_no_urls() {
    if has("bash") {
        let directory = new_directory("bash");
        fs::write(directory.join("a page.html"), "").unwrap();
        fs::write(directory.join("-a.md"), "").unwrap();
        let script = format!("source {}/completions/absurl.bash", env!("CARGO_MANIFEST_DIR"))
            + r#"
            compopt() { :; }
            complete() {
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); local word="${@: -1}"
                _absurl absurl "${word#=}" "${@: -2:1}"; (IFS="|"; echo "${COMPREPLY[*]}")
            }
            complete absurl --ex
            complete absurl --color a
            complete absurl --color = a
            complete absurl --compare =
            complete absurl --compare = m
            complete absurl --compare m
            complete absurl --check =
            complete absurl --check ""
            complete absurl -c = h
            complete absurl -c ""
            complete absurl -b ""
            complete absurl -b x: a
            complete absurl ""
            complete absurl -d a
            complete absurl -b x: -jl a
            complete absurl --print-base a
            complete absurl -- --ex
            complete absurl -- --links a
            complete absurl -- -s ""
            complete absurl --links -- -s a
            complete absurl --links -- -"#;
        let expected = "--explain\nauto|always\nauto|always\nall|meaning|host\nmeaning\n\n\
                        generic|scheme|host|files\n\nhost\n\n\n\n\n\
                        a page.html\na page.html\na page.html\n\n\n\na page.html\n-a.md\n";
        absurl(&[&script]).shell(r#"exec bash --norc -c "$2""#).directory(&directory).gives(expected, "", 0);
    }
}

#[cfg(unix)]
#[test]
fn zsh_loads_its_completion() {
    if has("zsh") {
        // _arguments would need a terminal: see what it is given, and where it would ask for documents
        let script = "zsh -n completions/_absurl && zsh -f -c '
            fpath=($PWD/completions $fpath); autoload -U compinit; compinit -u -D; echo $_comps[absurl]
            _files() { echo documents }
            _arguments() {
                setopt localoptions extendedglob
                print -l -- $@ | grep -e \"^--json\" -e \"^-b\" -e \"^--compare\" -e \"-c=\" -e \"--check=-\"
                eval ${${@[(r)[*]:*]}#*:document:}
            }
            words=(absurl -b x); _absurl; words=(absurl -jl x); _absurl | tail -n 1
            words=(absurl --print-base x); _absurl | tail -n 1
            words=(absurl --links -- x); _absurl | tail -n 1
            words=(absurl -- --links x); _absurl | tail -n 1'";
        let given = "_absurl
-b+[The base URL; write the slash at the end of a directory]:URL:_urls
(--compare --relative)-c=-[Check characters, files or hosts]::generic|files|host|scheme:((generic:\"The grammar of RFC 1808, or of --spec\"
(--compare --relative)--check=-[Check characters, files or hosts]::generic|files|host|scheme:((generic:\"The grammar of RFC 1808, or of --spec\"
--compare=-[Print only where standards differ]::all|meaning|host:((all:\"All of them\"
--json[Print a JSON object for each reference or link]
documents
documents
documents
--json[Print a JSON object for each reference or link]
";
        shell(script).gives(given, "", 0);
    }
}

#[cfg(unix)]
#[test]
fn fish_completes_flags_and_documents_but_no_urls() {
    if has("fish") {
        let script = "HOME=$PWD fish --no-config -c 'source completions/absurl.fish
            for line in \"--exp\" \"-b man/\" \"-b x: man/\" \"--compare=m\" \"--compare m\" \"-jl man/s\" \"--print-base man/s\" \
                \"--check \" \"--check=h\" \"--links -- man/se\" \"-- --links man/se\" \"-- --\"
                complete -C \"absurl $line\"
            end'";
        let expected = "--explain\tExplain every step (whatwg: only what differs)
--compare=meaning\tThose that are more than WHATWG normalization
man/sections.txt
man/sections.txt
--check=host\tOnly whether they leave the host of --base
man/sections.txt
";
        shell(script).gives(expected, predicate::str::contains(""), 0);
    }
}

#[cfg(unix)]
#[test]
#[ignore = "needs PowerShell, which Debian does not package"]
fn powershell_loads_its_completion() {
    if has("pwsh") {
        let script = "pwsh -NoProfile -Command '. ./completions/_absurl.ps1'";
        shell(script).gives("", "", 0);
    }
}
