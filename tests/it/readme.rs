//! README: its commands and its snippet of YAML, and that of the hooks; the commands of examples/README.md.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::net::TcpListener;
use std::path::Path;
#[cfg(unix)]
use std::thread;

#[cfg(unix)]
use crate::harness::has_tools_of;
#[cfg(unix)]
use crate::harness::{absurl, new_directory};
use crate::harness::{has, shell};

#[test]
fn the_readme_has_the_two_commands() {
    let readme = fs::read_to_string("README.md").unwrap();
    for command in ["cargo install --path . --locked && absurl -b http://a/b/c/d ../g", "cargo test --locked"] {
        assert!(readme.lines().any(|line| line == command), "{command}");
    }
}

/// What the README's example of curl downloads.
#[cfg(unix)]
const DOWNLOADED: &str = "<link rel=stylesheet href=/style.css>
<a href=intro.html>Introduction</a>
<img src=../img/logo.png>
";

/// A curl that prints that.
#[cfg(unix)]
const CURL: &str = "curl() { cat downloaded; }";

/// A curl that follows three redirects and prints their headers.
#[cfg(unix)]
const CURL_OF_REDIRECTS: &str = r"curl() {
    printf 'HTTP/1.1 301 x\r\nLocation: %s\r\n\r\n' https://www.example.com/ /en/ start
    printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
}";

#[cfg(unix)]
#[test]
fn what_the_readme_shows_is_what_happens() {
    let directory = new_directory("readme");
    fs::write(directory.join("downloaded"), DOWNLOADED).unwrap();
    assert!(run_examples("README.md", &directory, CURL) > 20);
}

#[cfg(unix)]
#[test]
fn what_the_examples_show_is_what_happens() {
    assert!(run_examples("examples/README.md", &new_directory("readme_of_examples"), CURL_OF_REDIRECTS) > 30);
}

/// Runs the first argument in bash.
#[cfg(unix)]
const IN_BASH: &str = r#"exec bash --norc -c "$2""#;

/// Runs the commands that a page shows with their output, in a directory and after a script. Returns their number. Their
/// further lines start with `> `.
#[cfg(unix)]
fn run_examples(page: &str, directory: &Path, before: &str) -> usize {
    let page = fs::read_to_string(page).unwrap();
    let mut commands = 0;
    for block in page.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (first, mut output) = example.split_once('\n').unwrap_or((example, ""));
            let mut command = first.to_owned();
            while let Some(line) = output.strip_prefix("> ") {
                let (line, rest) = line.split_once('\n').unwrap_or((line, ""));
                command += "\n";
                command += line;
                output = rest;
            }
            if !has_tools_of(&command) || command.contains("<(") && !has("bash") {
                continue;
            }
            // readers type all of them in one shell
            assert!(!command.starts_with("cd "), "{command}");
            let script = format!("{before}\n{{ {command}\n}} 2>&1");
            // not each sh has <(...)
            let run = if command.contains("<(") { absurl(&[&script]).shell(IN_BASH) } else { shell(&script) };
            let done = run.directory(directory).output();
            let printed = String::from_utf8(done.stdout).unwrap();
            assert_eq!(printed.trim_end(), output.trim_end(), "{command}");
            commands += 1;
        }
    }
    commands
}

/// The name that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|&it| it.is_alphanumeric() || it == '-' || it == '_').collect()
}

#[test]
fn the_documentation_links_to_files_and_headings_that_exist() {
    let in_folders = ["benches/examples.md", "examples/README.md", "examples/engines/README.md"];
    for page in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].into_iter().chain(in_folders) {
        let text = fs::read_to_string(page).unwrap();
        // code has links of its own
        let prose: String = text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (target, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = Path::new(page).with_file_name(target);
            assert!(target.is_empty() || target.contains("://") || path.exists(), "{page}: {target}");
            if heading.is_empty() || target.contains("://") {
                continue;
            }
            let text = if target.is_empty() { text.clone() } else { fs::read_to_string(&path).unwrap() };
            let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
            assert!(headings.any(|anchor| anchor == heading), "{page}: {link}");
        }
    }
}

#[test]
fn each_module_and_table_of_the_tests_has_a_place_in_contributing() {
    let page = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let modules = include_str!("main.rs").lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let is_named = |name: &&str| page.contains(&format!("`{name}.rs`")) || page.contains(&format!("`tests/it/{name}"));
    let missing: Vec<_> = modules.filter(|name| !is_named(name)).collect();
    assert_eq!(missing, [""; 0]);
    for entry in fs::read_dir("tests/data").unwrap().chain(fs::read_dir("tests/data/base").unwrap()) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(path.extension().is_none_or(|ending| ending != "tsv") || page.contains(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_readme_is_short_and_its_code_narrow() {
    let readme = fs::read_to_string("README.md").unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 1_200, "{words} words");
    let examples = fs::read_to_string("examples/README.md").unwrap().split_whitespace().count();
    assert!(examples <= 2_000, "{examples} words");
    let code = readme.split("```").skip(1).step_by(2).flat_map(str::lines);
    let wide: Vec<_> = code.filter(|line| line.chars().count() > 88).collect();
    assert_eq!(wide, [""; 0]);
}

/// What is between two texts.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("{start} is missing"));
    rest.split_once(end).unwrap().0
}

/// What is in the quotes after a name in a snippet of YAML.
#[cfg(unix)]
fn quoted<'a>(yaml: &'a str, name: &str) -> &'a str {
    between(yaml, &format!("{name} \""), "\"")
}

#[cfg(unix)]
#[test]
fn the_snippets_of_yaml_run() {
    let readme = fs::read_to_string("README.md").unwrap();
    let yaml = between(&readme, "```yaml\n", "```");
    let directory = new_directory("yaml");
    fs::create_dir_all(directory.join("site/d")).unwrap();
    fs::create_dir_all(directory.join("temp/absurl/bin")).unwrap();
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!(), directory.join("temp/absurl/bin/absurl")).unwrap();
    fs::create_dir(directory.join("public")).unwrap();
    for name in ["site/a.html", "site/d/b.html", "public/a.html", "-V.html"] {
        fs::write(directory.join(name), "<a href='a b'>").unwrap();
    }
    // the step of a workflow: action.yml passes its inputs to this script
    let action = fs::read_to_string("action.yml").unwrap();
    let run = fs::canonicalize(".github/run-absurl").unwrap();
    let is_new = has("bash") && shell("bash -c 'shopt -s globstar 2>/dev/null'").output().status.success();
    for input in ["files", "mode", "spec", "allow", "base", "root"] {
        assert!(action.contains(&format!("\n  {input}:\n")) && action.contains(&format!("${{{{ inputs.{input} }}}}")));
    }
    // by all standards
    let found = |name| format!("{name}:1:10: a b: a space is not allowed");
    let starts = |stdout: &str| -> Vec<_> {
        stdout.lines().map(|line| line.split(" in a ").next().unwrap_or_default().to_owned()).collect()
    };
    if is_new {
        let script = format!("cd temp/.. && bash {} | grep ^site/", run.display());
        let step = shell(&script).directory(&directory).env("ABSURL_FILES", between(yaml, "files: ", ","));
        let step = step.env("ABSURL_ROOT", between(yaml, "root: ", ","));
        let step =
            step.env("ABSURL_BASE", quoted(yaml, "base:")).env("ABSURL_MODE", between(&action, "default: check", "\n"));
        let step = step.env("ABSURL_MODE", "check").env("RUNNER_TEMP", "temp").env("GITHUB_ACTION_PATH", "/x");
        let (stdout, stderr, status) = step.text();
        let sums = "absurl: site: 2 documents read\nabsurl: 2 violations in 2 of 2 links\n";
        assert_eq!((&*stderr, status), (sums, 0));
        assert_eq!(starts(&stdout), [found("site/a.html"), found("site/d/b.html")]);
    }
    // the same for hosts, which reports outbound links
    if is_new {
        fs::write(directory.join("site/c.html"), "<a href=g><a href='/\\evil.com'>").unwrap();
        let run = shell(&format!("cd temp/.. && bash {} | grep ^site/", run.display())).directory(&directory);
        let run = run.env("ABSURL_FILES", "site").env("ABSURL_BASE", "https://example.com/").env("ABSURL_MODE", "host");
        let found = "site/c.html:1:20: /\\evil.com: reaches evil.com (WHATWG), not example.com\n";
        let sums = "absurl: site: 3 documents read\nabsurl: 1 of 4 links may leave their host\n";
        run.env("RUNNER_TEMP", "temp").env("GITHUB_ACTION_PATH", "/x").gives(found, sums, 0);
    }
    let refused = "absurl: root: no base; write base: URL, the URL of site\n";
    let run = shell(&format!("bash {}", run.display())).env("ABSURL_ROOT", "site").env("ABSURL_BASE", "");
    run.env("ABSURL_FILES", "site").env("ABSURL_MODE", "check").gives("", refused, 2);
    // the hook: pre-commit runs its entry with the args and the names of files
    let hooks = fs::read_to_string(".pre-commit-hooks.yaml").unwrap();
    let hook = between(&hooks, &format!("\n- id: {}\n", between(&hooks, "{id: ", ",")), "\n- id");
    let args = between(&hooks, "args: [", "]").replace(',', "");
    let entry = between(hook, "entry: ", "\n");
    for spec in ["", "--spec rfc1808"] {
        let run = shell(&format!("{entry} {spec} {args} public/a.html")).directory(&directory);
        let (stdout, stderr, status) = run.text();
        assert_eq!((&*stderr, status), ("absurl: 1 violation in 1 link\n", 1));
        assert_eq!(starts(&stdout), [found("public/a.html")]);
    }
    let (stdout, stderr, status) = shell(&format!("{entry} -- site/a.html -V.html")).directory(&directory).text();
    let sum = "absurl: 2 violations in 2 of 2 links\n";
    assert_eq!((stdout.lines().count(), &*stderr, status), (2, sum, 1), "{stdout}");
}

/// What absurl gets from the action, whose spec is only for the mode check, and whose allow for host.
#[cfg(unix)]
#[test]
fn the_action_names_the_standard_of_a_check_and_what_is_allowed() {
    let directory = new_directory("action");
    fs::create_dir_all(directory.join("absurl/bin")).unwrap();
    fs::write(directory.join("absurl/bin/absurl"), "#!/bin/sh\necho \"absurl $*\"\n").unwrap();
    fs::write(directory.join("a.html"), "").unwrap();
    let run = fs::canonicalize(".github/run-absurl").unwrap();
    let script = format!("chmod +x absurl/bin/absurl; bash {}", run.display());
    let action_with = |mode: &str, spec: &str, allow: &str| {
        let run = shell(&script).directory(&directory).env("ABSURL_FILES", "a.html").env("ABSURL_BASE", "");
        let run = run.env("ABSURL_MODE", mode).env("ABSURL_SPEC", spec);
        let run = run.env("ABSURL_ALLOW", allow);
        run.env("RUNNER_TEMP", ".").env("GITHUB_ACTION_PATH", "/x").text()
    };
    let action = |mode: &str, spec: &str| action_with(mode, spec, "");
    for (mode, spec, arguments) in [
        ("check", "", "--check --spec=whatwg"),
        ("check", "rfc3986", "--check --spec=rfc3986"),
        ("host", "", "--check=host"),
        ("compare", "", "--compare=meaning"),
    ] {
        let (stdout, stderr, status) = action(mode, spec);
        assert_eq!((&*stderr, status), ("", 0), "{mode} {spec}");
        assert!(stdout.contains(&format!("\nabsurl {arguments} --links -- a.html\n")), "{stdout}");
    }
    for mode in ["host", "files", "compare"] {
        let refused = "absurl: spec: it is for the mode check; omit spec\n".to_owned();
        assert_eq!(action(mode, "whatwg"), (String::new(), refused, 2));
    }
    // what else may be reached, a line each
    let (stdout, ..) = action_with("host", "", " cdn.example.net\n*.html \n\nmailto:\n");
    let arguments = "--check=host --allow=cdn.example.net --allow=*.html --allow=mailto: --links -- a.html";
    assert!(stdout.contains(&format!("\nabsurl {arguments}\n")), "{stdout}");
    for mode in ["check", "compare"] {
        let refused = "absurl: allow: it is for the modes host and files; omit allow\n".to_owned();
        assert_eq!(action_with(mode, "", "mailto:"), (String::new(), refused, 2));
    }
    // absurl refuses what it does not know
    let (_, stderr, status) = shell("absurl --check --spec=x --links").text();
    assert_eq!((&*stderr, status), ("absurl: --spec: \"x\" is not rfc1808, rfc3986 or whatwg\n", 2));
}

/// Commands of the documentation that say which links are of a host, and what they print for a page with `/\evil.com`.
#[cfg(unix)]
const ADVICE: &[(&str, &str, &str)] = &[(
    "examples/README.md",
    "absurl -s whatwg -b https://example.com/ --links --json public | jq -r '.host // empty' | sort | uniq -c | sort -rn",
    "      1 example.com\n      1 evil.com\n",
)];

#[cfg(unix)]
#[test]
fn advice_about_hosts_is_not_fooled_by_a_backslash() {
    if !has("jq") {
        return;
    }
    let directory = new_directory("advice");
    fs::create_dir(directory.join("public")).unwrap();
    for page in ["page.html", "public/page.html"] {
        fs::write(directory.join(page), "<a href=g>\n<img src='/\\evil.com'>\n").unwrap();
    }
    for (file, command, printed) in ADVICE {
        assert!(fs::read_to_string(file).unwrap().contains(command), "{file}: {command}");
        let command = command.replace(r"\|", "|").replace("FILE", "page.html").replace(" URL", " https://example.com/");
        let (stdout, ..) = shell(&command).directory(&directory).text();
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(sorted(&stdout), sorted(printed), "{command}");
    }
    // no other advice takes a host from absurl
    for file in ["README.md", "examples/README.md", "man/sections.txt", "src/cli.rs", "src/cli/other_tools.rs"] {
        let text = fs::read_to_string(file).unwrap();
        let takes_host =
            |line: &&str| line.contains("absurl ") && (line.contains(".host") || line.contains("https?://"));
        for line in text.lines().filter(takes_host) {
            assert!(ADVICE.iter().any(|(of, command, _)| *of == file && line.contains(command)), "{file}: {line}");
        }
    }
    // what the table of other tools' options says works
    let (_, stderr, _) = shell("absurl --external").text();
    assert!(stderr.contains("--check=host finds what leaves the host of --base"), "{stderr}");
    let found = "page.html:2:11: /\\evil.com: reaches evil.com (WHATWG), not example.com\n";
    let run = shell("absurl --check=host -b https://example.com/ -l page.html").directory(&directory);
    run.gives(found, "absurl: 1 of 2 links may leave their host\n", 1);
}

/// A server that has three pages of a list, and in the header of each where the next one is. Returns its URL.
#[cfg(unix)]
fn serve_pages() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api/items", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut request = String::new();
            let mut lines = BufReader::new(client.try_clone().unwrap());
            while lines.read_line(&mut request).unwrap() > 2 {}
            let link = match request.split(' ').nth(1).unwrap() {
                "/api/items" => "Link: </>; rel=up, <?page=2>; rel=\"Next x\"; title=\"a, b\"\r\n",
                "/api/items?page=2" => "Link: <items>; rel=first\r\nLink: <items?page=3>;\r\n\trel=next\r\n",
                _ => "Link: <items>; rel=first, <items?page=2>; rel=\"prev previous\"\r\n",
            };
            let header = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
            let _ = write!(client, "{header}{link}\r\n[]");
        }
    });
    url
}

#[cfg(unix)]
#[test]
fn the_readme_follows_the_pages_of_an_api() {
    if !has("curl") || !has("jq") {
        return;
    }
    let readme = fs::read_to_string("README.md").unwrap();
    let (_, section) = readme.split_once("the next page of an API?").unwrap();
    let command = between(section, "```sh\n", "```").replace("URL", "\"$url\"");
    assert_eq!(command.lines().count(), 2);
    let first = serve_pages();
    let all = format!("while [ \"$url\" ]; do echo \"$url\"; url=$({}); done", command.trim_end());
    let pages = format!("{first}\n{first}?page=2\n{first}?page=3\n");
    let note = "absurl: -:6:1: not searching the content, which is application/json\n";
    let notes = [note, &note.replace('6', "8"), note].concat();
    shell(&all).env("url", &first).env("no_proxy", "*").gives(pages, notes, 0);
}

/// The first block of code of a language in a section of the examples.
#[cfg(unix)]
fn example(section: &str, language: &str) -> String {
    let examples = fs::read_to_string("examples/README.md").unwrap() + "\n## ";
    let section = between(&examples, &format!("\n## {section}\n"), "\n## ");
    between(section, &format!("```{language}\n"), "```").to_owned()
}

#[cfg(unix)]
#[test]
fn the_example_for_csv_adds_a_column() {
    if !has("python3") {
        return;
    }
    let directory = new_directory("example_csv");
    fs::write(directory.join("urls.py"), example("CSV", "python")).unwrap();
    let run = |table: &str, base: &str| {
        fs::write(directory.join("table.csv"), table).unwrap();
        shell("python3 urls.py \"$base\" <table.csv").env("base", base).directory(&directory)
    };
    // a byte order mark, as Excel writes it, short and long rows, and line ends in fields
    let table = "\u{feff}href,id\r\n\"img,1.png\",7\r\na\r\n\r\n\"a\r\nb\",8,x\r\n";
    let columns = "href,id,url
\"img,1.png\",7,\"http://a/b/img,1.png\"
a,,http://a/b/a
,,http://a/b/
\"a\r\nb\",8,x,\"http://a/b/a\r\nb\"\n";
    run(table, "http://a/b/").gives(columns, "", 0);
    // a reference that fails
    let failed = "absurl: --base: \"\" is empty; is a variable not set?
absurl: -:1: relative URL without a base; use --base URL\n";
    run("href\ng\nftp://b/\n", "").gives("href,url\ng,\nftp://b/,ftp://b/\n", failed, 1);
    // half a table is worse than no table
    let (stdout, _, status) = run("href\n<p>\ng\n", "http://a/").text();
    assert_eq!((&*stdout, status), ("", 2));
}

#[cfg(unix)]
#[test]
fn the_examples_about_hosts_work() {
    let directory = new_directory("example_hosts");
    fs::create_dir(directory.join("public")).unwrap();
    // a redirect
    let guard = example("Is this redirect safe?", "sh");
    let python = example("Is this redirect safe?", "python") + "\nimport sys\nprint(is_safe(sys.argv[1]))\n";
    fs::write(directory.join("safe.py"), python).unwrap();
    let step = example("Is this redirect safe?", "yaml");
    let step = between(&step, "- run: ", "\n").to_owned();
    for (next, is_safe) in [
        ("/login?next=//evil.com", true),
        ("https://example.com/", true),
        ("/\\evil.com", false),
        ("/\n/evil.com", false),
        ("//evil.com", false),
        ("javascript:x()", false),
        ("-b", true),
    ] {
        let status = i32::from(!is_safe);
        let printed = if is_safe { format!("Location: {next}\n") } else { String::new() };
        shell(&guard).env("next", next).gives(printed, "", status);
        shell(&step).env("NEXT", next).gives("", "", status);
        if has("python3") {
            let printed = if is_safe { "True\n" } else { "False\n" };
            shell("python3 safe.py \"$next\"").env("next", next).directory(&directory).gives(printed, "", 0);
        }
    }
    // resources of a page
    if !has("jq") {
        return;
    }
    let resources = example("No third-party resources", "sh");
    let hosts = example("Two own hosts", "sh");
    let page = "<a href=//evil.com><img src=g><script src=//cdn.example.net/x></script>";
    let evil = "<img src='/\\evil.com'><script src=javascript://cdn.example.net/></script>";
    for (page, third, foreign) in [
        ("<a href=//evil.com><img src=g>", 0, 1),
        (page, 1, 1),
        ("<img src=g><script src=//cdn.example.net/x></script><a href=//www.example.com>", 1, 0),
        (evil, 2, 2),
        ("<a href=g style='background: url(//evil.com)' ping=//evil.com>", 2, 2),
    ] {
        fs::write(directory.join("public/page.html"), page).unwrap();
        for (command, count) in [(&resources, third), (&hosts, foreign)] {
            let (stdout, _, status) = shell(command).directory(&directory).text();
            assert_eq!((stdout.lines().count(), status), (count, i32::from(count > 0)), "{page} {command} {stdout}");
        }
    }
    // a failure is no pass
    fs::remove_dir_all(directory.join("public")).unwrap();
    for command in [&resources, &hosts] {
        assert_ne!(shell(command).directory(&directory).text().2, 0);
    }
}
