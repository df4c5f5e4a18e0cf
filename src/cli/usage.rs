//! What is wrong with a command line, in one line.

use std::env;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error, ValueEnum};

use super::names::name_for_reference;
use super::other_tools::instead_of;
use super::{CheckKind, Cli, Differences};
use crate::document::types::Type;
use crate::output::location::{Quoted, Shortened};
use crate::spec::Spec;

/// Returns the first contradiction in a command line that clap does not find.
pub fn contradiction(cli: &Cli) -> Option<String> {
    // --rewrite reads a list only of documents to write back
    let rewrites_one = cli.rewrite && !(cli.takes_many() && cli.pairs);
    let in_place_stdin = cli.in_place && !cli.dry_run && cli.documents().any(|document| document.as_os_str() == "-");
    let names_type = cli.media_type.is_some() && cli.document.is_none() && !cli.reads_documents();
    let is_by_other = !matches!(cli.spec, None | Some(Spec::Rfc1808));
    let scheme_by_other = cli.check() == Some(CheckKind::Scheme) && is_by_other;
    let table = [
        (cli.pairs && cli.base.is_some(), "--pairs cannot be used with --base; each line has its own base URL"),
        (cli.in_place && !cli.rewrite, "--in-place needs --rewrite"),
        (cli.dry_run && !cli.rewrite, "--dry-run needs --rewrite"),
        (cli.rewrite && cli.check.is_some(), "--rewrite cannot be used with --check; use --dry-run"),
        (
            !cli.allow.is_empty() && !matches!(cli.check(), Some(CheckKind::Host | CheckKind::Files)),
            "--allow needs --check=host or --check=files",
        ),
        (cli.rewrite && cli.json && !cli.dry_run, "--rewrite with --json needs --dry-run"),
        (cli.part.is_some() && cli.document.is_none(), "--part needs --document"),
        (names_type, "--media-type needs --links, --rewrite, --print-base or --document"),
        (cli.links && cli.document.is_some(), "--links cannot be used with --document; pass documents as arguments"),
        (cli.rewrite && cli.document.is_some(), "--rewrite cannot be used with --document; pass it as an argument"),
        (rewrites_one && !cli.files.is_empty(), "--rewrite cannot be used with --file; pass documents as arguments"),
        (rewrites_one && cli.pairs, "--rewrite with --pairs needs --in-place or --dry-run"),
        (rewrites_one && cli.null, "--rewrite cannot be used with --null"),
        (in_place_stdin, "--in-place cannot write to standard input; omit --in-place"),
        (cli.in_place && !cli.dry_run && !cli.pairs && cli.references.is_empty(), "--in-place needs a DOCUMENT"),
        (cli.links && !cli.pairs && !cli.files.is_empty(), "--links takes documents as arguments; omit --file"),
        (
            cli.rewrite && !cli.takes_many() && cli.references.len() > 1,
            "--rewrite prints one document; to rewrite several, use --in-place",
        ),
        (
            cli.print_base && cli.document.is_some() && !cli.references.is_empty(),
            "--print-base reads --document or arguments, not both",
        ),
        (scheme_by_other, "--check=scheme checks by RFC 1738 and needs -s rfc1808; for other schemes use --check=host"),
    ];
    let what = table.iter().find(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned());
    let checks = [
        separate_value,
        unnamed_document,
        newline_in_base,
        second_stdin,
        name_for_reference,
        nothing_to_guard,
        root_without_url,
        no_files,
    ];
    misplaced_moves(cli).or(what).or_else(|| checks.iter().find_map(|check| check(cli)))
}

/// Finds a value of `--compare` or `--check` that was passed as an argument of its own.
fn separate_value(cli: &Cli) -> Option<String> {
    let (flag, values) = optional_values(cli)?;
    let is_value = |text: &&str| values.iter().any(|value| value.eq_ignore_ascii_case(text));
    let value = cli.before_hyphens().iter().filter_map(|text| text.to_str()).find(is_value)?;
    Some(format!("{flag} {value} is two arguments; use {flag}={value}, or ./{value} for a reference"))
}

/// The flag that has been given without its optional value, and its values.
pub fn optional_values(cli: &Cli) -> Option<(&'static str, Vec<String>)> {
    fn names<V: ValueEnum>() -> Vec<String> {
        let values = V::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        values.map(|value| value.get_name().to_owned()).collect()
    }
    match (cli.compare, cli.check) {
        (Some(None), _) => Some(("--compare", names::<Differences>())),
        (_, Some(None)) => Some(("--check", names::<CheckKind>())),
        _ => None,
    }
}

/// Finds a document without a name.
fn unnamed_document(cli: &Cli) -> Option<String> {
    let index = cli.documents().position(|document| document.as_os_str().is_empty())?;
    Some(format!("argument {}: the document's name is empty", index + 1))
}

/// Finds a newline in the base URL, where answers are lines.
fn newline_in_base(cli: &Cli) -> Option<String> {
    let base = cli.base.as_deref()?.as_encoded_bytes();
    let is_two = base.contains(&b'\n') && cli.answers_are_lines();
    is_two.then(|| format!("--base: {} contains a newline; remove it or use --null", Quoted(base)))
}

/// Finds a second use of standard input.
fn second_stdin(cli: &Cli) -> Option<String> {
    let files = cli.document.iter().chain(&cli.files).map(PathBuf::as_path);
    let uses = files.chain(cli.documents()).filter(|path| path.as_os_str() == "-").count();
    let has_records = cli.reads_documents() || !cli.references.is_empty() || !cli.files.is_empty();
    match uses {
        2.. => Some("standard input can be read only once".into()),
        1 if !has_records => Some("standard input is the document; pass the references as arguments".into()),
        _ => None,
    }
}

/// Refuses `--check=host` of no argument after `--`: a script would take the end of standard input for a good answer.
fn nothing_to_guard(cli: &Cli) -> Option<String> {
    let is_empty = cli.references.is_empty() && cli.files.is_empty() && !cli.reads_documents();
    let is_guard = cli.check() == Some(CheckKind::Host) && is_empty;
    let is_last = || env::args_os().last().is_some_and(|last| last == "--");
    (is_guard && is_last()).then(|| "no argument after --; write a variable in quotes".into())
}

/// Refuses `--root` without a URL, or with documents that have no name below it.
fn root_without_url(cli: &Cli) -> Option<String> {
    cli.root.as_ref()?;
    let is_missing = cli.base.as_ref().is_none_or(|base| base.is_empty()) && cli.check() != Some(CheckKind::Files);
    let is_stdin = cli.references.is_empty() || cli.documents().any(|document| document.as_os_str() == "-");
    let table = [
        (!cli.reads_documents(), "--root needs --links, --rewrite or --print-base"),
        (cli.pairs, "--root cannot be used with --pairs; each line has its own base URL"),
        (cli.document.is_some(), "--root cannot be used with --document; pass the document as an argument"),
        (is_missing, "--root needs --base, the URL of the directory"),
        (is_stdin, "--root needs the names of documents, and standard input has no name"),
    ];
    table.iter().find(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned())
}

/// Refuses `--move` and `--moved` without documents that have a URL. One may have been taken as NEW.
fn misplaced_moves(cli: &Cli) -> Option<String> {
    let ((flag, texts), mut documents) = (cli.moves()?, cli.documents());
    let (new, is_empty) = (texts.last()?, cli.references.is_empty());
    let may_be_directory = |path: &Path| path.is_dir() || !path.exists() && path.as_os_str() != "-";
    let is_one = documents.next().is_some_and(may_be_directory) && documents.next().is_none();
    let has_base = is_one || cli.root.is_some() || cli.base.as_ref().is_some_and(|base| !base.is_empty());
    match () {
        () if !cli.rewrite => Some(format!("{flag} needs --rewrite")),
        () if is_empty && (cli.in_place || Path::new(new).exists()) => {
            let new = Shortened(new.as_encoded_bytes());
            Some(format!("{flag} took {new} as NEW; write {flag} OLD NEW DOCUMENT"))
        }
        () if !has_base => Some(format!("{flag} without --base needs one directory")),
        () => None,
    }
}

/// Refuses `--check=files` without a directory.
fn no_files(cli: &Cli) -> Option<String> {
    cli.check().filter(|kind| *kind == CheckKind::Files)?;
    let mut documents = cli.documents();
    let is_one = matches!((documents.next(), documents.next()), (Some(path), None) if path.is_dir() || !path.exists());
    let is_stdin = cli.references.is_empty() || cli.documents().any(|document| document.as_os_str() == "-");
    let table = [
        (!cli.links, "--check=files needs --links"),
        (cli.pairs, "--check=files cannot be used with --pairs; use --root DIR"),
        (!matches!(cli.spec, None | Some(Spec::Whatwg)), "--check=files resolves as browsers do; omit --spec"),
        (is_stdin, "--check=files needs a directory"),
        (cli.root.is_none() && !is_one, "--check=files needs one directory; for documents, add --root DIR"),
    ];
    table.iter().find(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned())
}

/// The arguments that are read as options if they begin with a hyphen.
fn arguments() -> impl Iterator<Item = String> {
    let arguments = env::args_os().skip(1).take_while(|argument| argument != "--");
    arguments.filter_map(|argument| argument.into_string().ok())
}

/// Finds a long option with one hyphen, which would be read as short ones: `-check` as `-c -h`. `-help` is `-h`.
/// So would be a value that is joined to `-c`.
pub fn single_hyphen(command: &Command) -> Option<String> {
    let is_long = |name: &str| name != "help" && command.get_arguments().any(|flag| flag.get_long() == Some(name));
    arguments().find_map(|option| {
        let (name, quoted) = (option.strip_prefix('-')?, Quoted(option.as_bytes()));
        let last = name.trim_start_matches(['0', 'e', 'i', 'j', 'k', 'l', 'n', 'p', 'q']);
        let kind = last.strip_prefix('c').and_then(|kind| CheckKind::from_str(kind, true).ok()?.to_possible_value());
        if let Some(kind) = kind {
            return Some(format!("{quoted} is not one option; use --check={}", kind.get_name()));
        }
        let long = format!("-{option}");
        let what = || format!("{quoted} has one hyphen; did you mean {}?", Shortened(long.as_bytes()));
        is_long(name.split('=').next()?).then(what)
    })
}

/// Finds the name of a file that begins with a hyphen, and so is read as short options: `-dash.md` as `-d ash.md`.
/// Not `-fdash.md` if there is the file `dash.md`.
pub fn hyphen_name() -> Option<String> {
    let is_file = |name: &str| Path::new(name).is_file();
    let name = arguments().find(|name| {
        let is_short = name.starts_with('-') && !name.starts_with("--") && name != "-";
        let has_value = name.contains([':', '=', '/'])
            || name.char_indices().skip(2).any(|(at, _)| name.get(at..).is_some_and(is_file));
        is_short && (is_file(name) || Type::of_name(name.as_bytes()).is_some() && !has_value)
    })?;
    Some(as_options(&name))
}

/// Finds a document whose name is a valid option, as `--allow=a.html` is. It would not be read, and nobody would know.
pub fn document_as_option() -> Option<String> {
    let is_document = |name: &str| Type::of_name(name.as_bytes()).is_some() && Path::new(name).is_file();
    arguments().find(|name| name.starts_with('-') && is_document(name)).map(|name| as_options(&name))
}

/// What to say of the name of a file that is read as options.
fn as_options(name: &str) -> String {
    let (quoted, name) = (Quoted(name.as_bytes()), Shortened(name.as_bytes()));
    format!("{quoted} is read as options; write -- before it, or ./{name}")
}

/// Describes an error of clap's.
pub fn describe(error: &Error, command: &Command) -> String {
    let texts = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => std::slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    };
    let text = |kind| texts(kind).first().map(String::as_str).unwrap_or_default();
    let (flag, value) = (text(ContextKind::InvalidArg), Quoted(text(ContextKind::InvalidValue).as_bytes()));
    let (name, values) = (name_of(flag), one_of(texts(ContextKind::ValidValue)));
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let near = text(ContextKind::SuggestedArg);
            let fix = match instead_of(flag) {
                Some(instead) => instead.to_owned(),
                None if near.is_empty() => "see absurl -h".to_owned(),
                None => format!("did you mean {near}?"),
            };
            format!("unknown option {}; {fix}", Quoted(flag.as_bytes()))
        }
        ErrorKind::ArgumentConflict => {
            let place = |name: &&str| command.get_arguments().position(|flag| name_of(&flag.to_string()) == *name);
            let mut names = [name, name_of(text(ContextKind::PriorArg))];
            names.sort_by_key(place);
            match names {
                ["an argument", flag] => format!("{flag} takes no arguments"),
                _ => names.join(" cannot be used with "),
            }
        }
        _ if name.starts_with("--move") && value.0.is_empty() => format!("{name} needs OLD and NEW"),
        ErrorKind::TooManyValues => format!("{name} takes no value; remove {value}"),
        ErrorKind::InvalidValue if value.0.is_empty() && (values.is_empty() || name == "--media-type") => {
            format!("{name} needs a value")
        }
        ErrorKind::InvalidValue if value.0.is_empty() => format!("{name} needs a value: {values}"),
        ErrorKind::InvalidValue if name == "--media-type" => {
            let near = if value.0.ends_with(b"xml") { "application/xml" } else { "text/html" };
            format!("{name}: {value} is not a type that absurl reads; try {near}")
        }
        ErrorKind::InvalidValue => {
            let instead = instead_of(&format!("{name}={}", text(ContextKind::InvalidValue)));
            let fix = instead.map(|instead| format!("; {instead}")).unwrap_or_default();
            format!("{name}: {value} is not {values}{fix}")
        }
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            format!("{name}: {value} {why}")
        }
        kind => kind.to_string(),
    }
}

/// The name of an argument in messages, from its usage, such as `--color <WHEN>`.
fn name_of(usage: &str) -> &str {
    if usage.starts_with('-') { usage.split([' ', '[', '=']).next().unwrap_or_default() } else { "an argument" }
}

/// Joins values for a sentence: "a, b or c".
pub fn one_of(values: &[String]) -> String {
    match values {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => values.concat(),
    }
}
