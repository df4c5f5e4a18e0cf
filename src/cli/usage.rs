//! What is wrong with a command line, in one line.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error, ValueEnum};

use super::advice::{Advice, ShellWord};
use super::other_tools::instead_of;
use super::{Cli, Differences, Grammar, slips};
use crate::limits::MAX_ADVISED;
use crate::output::location::{Quoted, Shortened};
use crate::resolver::parse;
use crate::source::Source;
use crate::spec::Spec;

/// Flags that cannot be used together, and why or what to use instead.
const CONFLICTS: &[(&str, &str, &str)] = &[
    ("--pairs", "--base", "each record has its own base URL"),
    ("--pairs", "--document", "each record has its own base URL"),
    ("--links", "--part", "select a part: absurl --links --json FILE | jq -r 'select(.part == \"2\").url'"),
    ("--links", "--print-base", "--links --json shows the base URL of each link"),
    ("--rewrite", "--links", "--rewrite prints the document, --links its links"),
    ("--rewrite", "--print-base", "run absurl twice"),
    ("--rewrite", "--file", "pass the document as an argument"),
    ("--rewrite", "--pairs", "pass one document, and its URL with --base, or add --in-place"),
    ("--rewrite", "--null", "--rewrite prints no records"),
    ("--rewrite", "--keep-input", "--rewrite prints no records"),
    ("--rewrite", "--json", "--links --json lists the links"),
    ("--rewrite", "--explain", "--links --explain explains the links"),
    ("--rewrite", "--check", "--links --check checks the links"),
    ("--rewrite", "--compare", "--links --compare compares the links"),
    ("--rewrite", "--fail-fast", "the rest of the document would be missing"),
    ("--print-base", "--file", "pass documents as arguments"),
    ("--print-base", "--pairs", "pass documents as arguments, and the URL of one with --base"),
    ("--keep-input", "--json", "--json has the reference in each object"),
    ("--keep-input", "--explain", "each explanation starts with its record"),
    ("--keep-input", "--check", "--check has the reference in each line"),
    ("--keep-input", "--compare", "--compare has the reference in each block"),
    ("--explain", "--check", "--check resolves nothing"),
    ("--explain", "--compare", "--explain shows where other standards differ"),
    ("--check", "--compare", "run absurl twice"),
    ("--relative", "--rewrite", "--rewrite makes links absolute"),
    ("--relative", "--check", "--check resolves nothing"),
    ("--relative", "--compare", "--compare prints differences"),
    ("--relative", "--explain", "--explain prints steps"),
    ("--relative", "--print-base", "--print-base prints no links"),
    ("--print-base", "--check", "--links --check also checks base URLs"),
    ("--print-base", "--compare", "--links --compare compares the links"),
];

/// Flags that `--rewrite` takes with `--in-place --pairs`: the records are of a list of documents.
const WITH_PAIRS_IN_PLACE: &[&str] = &["--pairs", "--file", "--null"];

/// Flags that change no output of `--generate`, and are often part of an alias.
const WITH_GENERATE: &[&str] = &["--generate", "--spec", "--color", "--progress", "--quiet"];

/// Returns the first contradiction in a command line: `flags` are those that it has.
pub fn contradiction(cli: &Cli, flags: &[&Arg]) -> Option<String> {
    let names: Vec<_> = flags.iter().map(|flag| flag_name(flag)).collect();
    let has = |flag: &str| names.iter().any(|name| name == flag);
    if has("--generate") {
        let other = names.iter().find(|name| !WITH_GENERATE.contains(&name.as_str()))?;
        return Some(format!("--generate cannot be used with {other}"));
    }
    // not in the table, because this message has the command
    if let (true, Some(document)) = ((cli.links || cli.rewrite) && !cli.pairs, &cli.document) {
        let others = cli.references.iter().filter(|other| *other != document).cloned();
        let documents: Vec<_> = [document.as_os_str().to_owned()].into_iter().chain(others).collect();
        let wrong: &[_] = if file_as_base(cli).is_some() { &["base"] } else { &[] };
        let advice = Advice::typed(cli).without(&["document", "part"]).without(wrong);
        let command = advice.documents(&documents).command();
        let command = command.filter(|_| cli.files.is_empty());
        let command = command.unwrap_or_else(|| "pass it as an argument".into());
        return Some(format!("{} is a document to read: {command}", Source::of(document)));
    }
    let is_allowed = |flag: &str, other: &str| {
        flag == "--rewrite" && cli.in_place && cli.pairs && WITH_PAIRS_IN_PLACE.contains(&other)
    };
    let is_conflict = |flag: &str, other: &str| has(flag) && has(other) && !is_allowed(flag, other);
    if let Some((flag, other, why)) = CONFLICTS.iter().find(|(flag, other, _)| is_conflict(flag, other)) {
        return Some(format!("{flag} cannot be used with {other}; {why}"));
    }
    // what a pair of flags does not show: a flag that is missing, a name, the number of arguments
    let what = if cli.in_place && !cli.rewrite {
        "--in-place needs --rewrite"
    } else if cli.in_place && cli.documents().any(|document| document.as_os_str() == "-") {
        "--in-place cannot write to standard input; omit --in-place"
    } else if cli.in_place && !cli.pairs && cli.references.is_empty() {
        "--in-place needs a DOCUMENT"
    } else if cli.links && !cli.pairs && !cli.files.is_empty() {
        "--links cannot be used with --file without --pairs; pass documents as arguments"
    } else if cli.part.is_some() && cli.document.is_none() {
        "--part needs --document"
    } else if cli.media_type.is_some() && cli.document.is_none() && !cli.reads_documents() {
        "--media-type needs --links, --rewrite, --print-base or --document"
    } else if cli.rewrite && !cli.in_place && cli.references.len() > 1 {
        "--rewrite prints one document; to rewrite several, use --in-place"
    } else if cli.print_base && cli.document.is_some() && !cli.references.is_empty() {
        "--print-base reads --document or arguments, not both; pass all documents as arguments"
    } else if !cfg!(feature = "spec") && (cli.compare.is_some() || !matches!(cli.spec, None | Some(Spec::Rfc1808))) {
        "this absurl was built without other standards; build it with --features spec"
    } else {
        let checks = [
            misplaced_value,
            unnamed_document,
            newline_in_base,
            misplaced_url,
            second_stdin,
            slips::names_of_documents,
        ];
        return checks.iter().find_map(|check| check(cli));
    };
    Some(what.into())
}

/// Finds a value of `--compare` or `--check` that was passed as an argument of its own.
fn misplaced_value(cli: &Cli) -> Option<String> {
    let (flag, values) = match (cli.compare, cli.check) {
        (Some(None), _) => ("--compare", value_names::<Differences>()),
        (_, Some(None)) => ("--check", value_names::<Grammar>()),
        _ => return None,
    };
    let is_value = |text: &&str| values.iter().any(|value| value.eq_ignore_ascii_case(text));
    let value = cli.references.iter().filter_map(|text| text.to_str()).find(is_value)?;
    Some(format!("{flag} {value} is two arguments; use {flag}={value}, or ./{value} for a reference"))
}

/// The values of a flag.
fn value_names<V: ValueEnum>() -> Vec<String> {
    let values = V::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_owned()).collect()
}

/// Finds a document without a name.
fn unnamed_document(cli: &Cli) -> Option<String> {
    let index = cli.documents().position(|document| document.as_os_str().is_empty())?;
    Some(format!("argument {}: the document's name is empty", index + 1))
}

/// Finds a newline in the base URL, where answers are lines.
fn newline_in_base(cli: &Cli) -> Option<String> {
    let base = cli.base.as_deref()?.as_encoded_bytes();
    if !base.contains(&b'\n') || !cli.answers_are_lines() {
        return None;
    }
    Some(format!("--base: {} contains a newline; remove it or use --null", Quoted(base)))
}

/// The name of a file in place of the base URL.
fn file_as_base(cli: &Cli) -> Option<&OsStr> {
    cli.base.as_deref().filter(|base| parse(base.as_encoded_bytes()).scheme.is_none() && Path::new(base).is_file())
}

/// Finds a URL where a document or a list is expected.
fn misplaced_url(cli: &Cli) -> Option<String> {
    let is_url = |path: &&Path| Source::of(path).is_url();
    let lists = cli.files.iter().map(PathBuf::as_path);
    let named = cli.document.as_deref().into_iter().chain(cli.documents()).chain(lists.clone());
    let from_curl: Vec<_> = named.filter(|path| is_url(path) || path.as_os_str() == "-").collect();
    let url = from_curl.iter().find(|path| is_url(path))?.as_os_str();
    if let (true, Some(file), [argument]) = (cli.reads_documents(), file_as_base(cli), &*cli.references)
        && argument == url
    {
        let command = Advice::typed(cli).with("base", &[url]).documents(&[file.to_owned()]).command()?;
        return Some(format!("--base: {} is a file; swap it and the URL: {command}", Quoted(file.as_encoded_bytes())));
    }
    let (advice, stdin) = (Advice::typed(cli), OsStr::new("-"));
    let advice = if cli.document.as_deref().is_some_and(|document| document == url) {
        // without references, standard input has them
        let has_references = cli.print_base || !cli.references.is_empty() || !cli.files.is_empty();
        has_references.then(|| advice.with_base(url).with("document", &[stdin]))
    } else if cli.files.is_empty() {
        // --base is the URL of one page
        (cli.references.len() == 1 && !cli.in_place).then(|| advice.with_base(url).documents(&[]))
    } else {
        let files: Vec<_> = lists.map(|path| if is_url(&path) { stdin } else { path.as_os_str() }).collect();
        Some(advice.with("file", &files))
    };
    // standard input can be read only once
    let command = advice.filter(|_| from_curl.len() == 1).and_then(|advice| advice.command());
    let url = url.as_encoded_bytes();
    let fix = match command {
        _ if url.len() > MAX_ADVISED => "save it first: curl -sLo FILE URL".into(),
        Some(command) => format!("curl -sL {} | {command}", ShellWord(url)),
        None => format!("save it first: curl -sLo FILE {}", ShellWord(url)),
    };
    Some(format!("{}: absurl does not fetch; {fix}", Shortened(url)))
}

/// Finds a second use of standard input.
fn second_stdin(cli: &Cli) -> Option<String> {
    let document = cli.document.iter().map(|path| ("--document -", path.as_path()));
    let files = cli.files.iter().map(|path| ("--file -", path.as_path()));
    let named = document.chain(files).chain(cli.documents().map(|path| ("-", path)));
    let mut uses = named.filter(|(_, path)| path.as_os_str() == "-").map(|(what, _)| what);
    let first = uses.next()?;
    let once = "standard input can be read only once";
    match uses.next() {
        Some(second) if second == first => Some(format!("{once}; {first} is used twice")),
        Some(second) => Some(format!("{once}; both {first} and {second} use it")),
        None if first == "--document -" && !cli.print_base && cli.references.is_empty() && cli.files.is_empty() => {
            Some(format!("{once}, by {first}; pass the references as arguments or with --file"))
        }
        None => None,
    }
}

/// Whether a text is the name of a long option, perhaps with a value after `=`.
pub fn is_long_option(command: &Command, text: &str) -> bool {
    command.get_arguments().any(|flag| flag.get_long() == text.split('=').next())
}

/// Finds a long option with one hyphen, which is read as short ones: `-check` as `-c -h`.
pub fn single_hyphen(command: &Command) -> Option<String> {
    // the value of a short one may be attached to it: -document is --document ocument
    let takes_value = |flag: &Arg| flag.get_action().takes_values() && !flag.is_require_equals_set();
    let is_meant = |name: &String| {
        let is_first = |flag: &Arg| flag.get_short() == name.chars().next();
        let has_value = command.get_arguments().any(|flag| is_first(flag) && takes_value(flag));
        name.split('=').next() != Some("help") && is_long_option(command, name) && !has_value
    };
    let options = env::args_os().skip(1).take_while(|argument| argument != "--");
    let mut names = options.filter_map(|option| Some(option.to_str()?.strip_prefix('-')?.to_owned()));
    let name = names.find(is_meant)?;
    let name = Shortened(name.as_bytes());
    Some(format!("-{name} has one hyphen, and is read as short options; did you mean --{name}?"))
}

/// Describes an error of clap's.
pub fn describe(error: &Error, command: &Command) -> String {
    if let Some(what) = single_hyphen(command) {
        return what;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let (flag, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let (flag_bytes, value_bytes) = (as_typed(flag), as_typed(value));
    let (quoted_flag, quoted) = (Quoted(&flag_bytes), Quoted(&value_bytes));
    let name = flag.split([' ', '[', '=']).next().unwrap_or_default(); // of "--color <WHEN>"
    let values = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => one_of(values).replace("whatwg", "whatwg (browsers)"),
        _ => String::new(),
    };
    match error.kind() {
        ErrorKind::UnknownArgument => match (instead_of(flag), nearest(flag, command)) {
            (Some(instead), _) => format!("unknown option {quoted_flag}; {instead}"),
            (None, Some(near)) => format!("unknown option {quoted_flag}; did you mean --{near}?"),
            (None, None) => {
                format!(
                    "unknown option {quoted_flag}; see absurl --help, or write -- before a reference that starts with a hyphen"
                )
            }
        },
        ErrorKind::TooManyValues => format!("{name} takes no value; remove \"={}\"", Shortened(&value_bytes)),
        ErrorKind::InvalidValue if value.is_empty() && values.is_empty() => format!("{name} needs a value"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{name} needs a value: {values}"),
        ErrorKind::InvalidValue => format!("{name}: {quoted} is not a valid value; use {values}"),
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            format!("{name}: {quoted} {why}")
        }
        kind => kind.to_string(),
    }
}

/// The bytes of the argument, or of the value in it, that clap has as text; of the text itself if there is none.
fn as_typed(text: &str) -> Vec<u8> {
    let pieces = |argument: OsString| {
        let bytes = argument.into_encoded_bytes();
        let value = bytes.splitn(2, |byte| *byte == b'=').nth(1).map(<[u8]>::to_vec);
        let attached = bytes.get(2..).map(<[u8]>::to_vec); // of -sVALUE
        [Some(bytes), value, attached].into_iter().flatten()
    };
    let mut pieces = env::args_os().skip(1).flat_map(pieces);
    pieces.find(|bytes| String::from_utf8_lossy(bytes) == text).unwrap_or_else(|| text.into())
}

/// Joins values for a sentence: "a, b or c".
fn one_of(values: &[String]) -> String {
    match values {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => values.concat(),
    }
}

/// The option that is most like a wrong one: at most two edits away, and not mostly edits.
fn nearest<'a>(wrong: &str, command: &'a Command) -> Option<&'a str> {
    let wrong = wrong.strip_prefix("--")?;
    let edits = |flag: &&str| strsim::osa_distance(wrong, flag);
    let near = command.get_arguments().filter_map(Arg::get_long).min_by_key(edits)?;
    (edits(&near) <= 2 && edits(&near) * 2 < wrong.chars().count()).then_some(near)
}

/// The name of an argument in messages.
fn flag_name(flag: &Arg) -> String {
    flag.get_long().map_or_else(|| "an argument".into(), |long| format!("--{long}"))
}
