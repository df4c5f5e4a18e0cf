//! Commands and all that they print: the files of `tests/data/texts`.
//!
//! A line after `$ ` is a command, whose words may be in single quotes, and each line after `< ` is one of its standard
//! input; `\xNN` is a byte in both. What follows is what it prints: standard output, the lines of standard error after
//! `2> `, and a status that is not 0 after `? `. A line after `# ` is a comment. With `ABSURL_RENEW=1` in the environment
//! the test writes what the commands print instead of comparing it.

use std::{env, fs, iter};

use crate::harness::{Run, absurl, say, split_words};
use crate::table::unescape;

const DIRECTORY: &str = "tests/data/texts";

#[test]
fn each_command_prints_its_text() {
    let is_renewed = env::var_os("ABSURL_RENEW").is_some();
    assert!(!is_renewed || env::var_os("CI").is_none(), "where CI is set, no text is renewed");
    let mut wrong = Vec::new();
    for file in fs::read_dir(DIRECTORY).unwrap() {
        let path = file.unwrap().path();
        let old = fs::read_to_string(&path).unwrap();
        let (new, differences) = run_commands(&old);
        if is_renewed && new != old {
            fs::write(&path, new).unwrap();
            say(&format!("renewed {}", path.display()));
        } else if new != old {
            wrong.push(format!("{}{differences}\n", path.display()));
        }
    }
    assert!(wrong.is_empty(), "other texts; if these are right, renew them: .ci/renew\n{}", wrong.concat());
}

#[test]
fn what_differs_is_shown_after_its_command() {
    let text = "# why\n$ absurl -b x:/ 'a b' '' ?\nx:/a b\nx:/\nx:/?\n\n$ absurl -k\n< g\ng\u{2409}\n? 2\n";
    let (new, differences) = run_commands(text);
    let message = "2> absurl: -:1: relative URL without a base; use --base URL\n? 1\n";
    assert_eq!(new, text.replace("x:/?\n", "x:/\n").replace("? 2\n", message));
    let [base, status] = ["\n$ absurl -b x:/ 'a b' '' ?\n-x:/?\n+x:/", "\n$ absurl -k\n-? 2\n+"];
    assert_eq!(differences, format!("{base}{status}{}", message.trim_end().replace('\n', "\n+")));
}

/// A file of commands with what they print, and how that differs from what the file has.
fn run_commands(text: &str) -> (String, String) {
    let (mut new, mut differences) = (String::new(), String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        new.extend([line, "\n"]);
        let Some(command) = line.strip_prefix("$ ") else {
            assert!(line.starts_with("# "), "no command or comment: {line}");
            continue;
        };
        let input: Vec<_> = iter::from_fn(|| lines.next_if(|line| line.starts_with('<'))).collect();
        new.extend(input.iter().flat_map(|line| [line, "\n"]));
        let is_text = |line: &&str| !line.starts_with("$ ") && !line.starts_with("# ");
        let old: Vec<_> = iter::from_fn(|| lines.next_if(is_text)).collect();
        let printed = print(command, &input) + if lines.peek().is_some() { "\n" } else { "" };
        differences += &difference(&old, &printed.lines().collect::<Vec<_>>(), line);
        new += &printed;
    }
    (new, differences)
}

/// What a command prints.
fn print(command: &str, input: &[&str]) -> String {
    let (program, words) = command.split_once(' ').unwrap_or((command, ""));
    assert_eq!(program, "absurl");
    let input = input.iter().map(|line| line.strip_prefix("< ").unwrap_or_default().to_owned() + "\n");
    let run = absurl(&[]).input(unescape(&input.collect::<String>()));
    let argument = |word: String| String::from_utf8(unescape(&word)).expect("an argument is UTF-8");
    let run = split_words(words).into_iter().map(argument).fold(run, Run::argument);
    let (stdout, stderr, status) = run.text();
    assert!(stdout.is_empty() || stdout.ends_with('\n'), "the last line has no end: {command}");
    let messages: String = stderr.lines().map(|line| format!("2> {line}\n")).collect();
    let status = if status == 0 { String::new() } else { format!("? {status}\n") };
    // the objects of an array are on lines of their own
    let stdout = stdout.replace("},{", "},\n{").replace(":[{", ":[\n{");
    (stdout + &messages + &status).chars().map(visible).collect()
}

/// A control character as the one that shows it.
fn visible(char: char) -> char {
    match char {
        '\n' => char,
        '\0'..' ' => char::from_u32(0x2400 + u32::from(char)).expect("a picture"),
        _ => char,
    }
}

/// The lines of a command that differ, or from the first one to the last if some are missing or superfluous.
fn difference(mut old: &[&str], mut new: &[&str], command: &str) -> String {
    if old == new {
        return String::new();
    }
    if old.len() == new.len() {
        let pairs = old.iter().zip(new).filter(|(old, new)| old != new);
        return format!("\n{command}{}", pairs.map(|(old, new)| format!("\n-{old}\n+{new}")).collect::<String>());
    }
    while let ([first, rest @ ..], [other, others @ ..]) = (old, new)
        && first == other
    {
        (old, new) = (rest, others);
    }
    while let ([rest @ .., last], [others @ .., other]) = (old, new)
        && last == other
    {
        (old, new) = (rest, others);
    }
    let lines = old.iter().map(|line| format!("\n-{line}")).chain(new.iter().map(|line| format!("\n+{line}")));
    format!("\n{command}{}", lines.collect::<String>())
}
