//! Turns the flags into a [`Mode`]: what the run does, with all that it needs.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anyhow::{anyhow, bail};

use crate::cli::{CheckKind, Cli, allow, slips};
use crate::compare::leaving::Allowed;
use crate::document::Options;
use crate::documents::{self, Documents, ReadOptions};
use crate::input;
use crate::moves::MovePlan;
use crate::output::{
    Writer,
    explain::{Colors, Screen},
    location::Quoted,
};
use crate::record::{BaseId, Bases, StandardBase};
use crate::records::List;
use crate::site::UNKNOWN_HOST;
use crate::source::Source;
use crate::spec::Spec;
use crate::task::{
    self, Task,
    check::{Check, by_spec::CheckBySpec},
    compare::Compare,
    files::Files,
    format::{Format, InputFormat, LineFormat},
    leaves::{Leaves, own_host},
    relative::Relative,
    resolve::Absolute,
};

/// What a run does.
#[expect(clippy::large_enum_variant, reason = "there is one `Mode` in a run")]
pub enum Mode<'a> {
    /// Does a task with each record of a list, with the base of the command line or of the record.
    Records { list: List<'a>, bases: Bases<'a>, task: Box<dyn Task> },
    /// Does a task with each record of a list, with the base of a document.
    RecordsOf { list: List<'a>, document: Source<'a>, reading: ReadOptions<'a>, task: Box<dyn Task> },
    /// Does a task with each link of documents.
    Links { documents: Documents<'a>, task: Box<dyn Task> },
    /// Prints a document with its links resolved by a standard, and perhaps made relative.
    Rewrite(Documents<'a>),
    /// Writes documents back to their files with their links resolved by a standard, and perhaps made relative, or
    /// prints what would change.
    RewriteInPlace { documents: Documents<'a>, preview: Option<Format> },
    /// Prints the base of each document. The standard resolves relative ones.
    PrintBase { documents: Documents<'a>, format: Format },
}

impl Mode<'_> {
    /// The word for records that fail.
    pub fn failed(&self) -> &'static str {
        match self {
            Mode::Records { task, .. } | Mode::RecordsOf { task, .. } | Mode::Links { task, .. } => task.failed(),
            Mode::Rewrite(_) | Mode::RewriteInPlace { .. } | Mode::PrintBase { .. } => "failed",
        }
    }
}

/// What the command line asks for. It fails if `--base` is no base URL; a slip in it is noted.
pub fn mode<'a>(cli: &'a Cli, out: &mut Writer) -> anyhow::Result<Mode<'a>> {
    let standard = choose_standard(cli);
    let base = check_base(cli, standard, out)?;
    let allowed = read_allowed(cli, base.text)?;
    // only the modes that read documents call this, which fails or notes a slip if they are misused
    let mut documents = |standards: &[Spec]| {
        let sources = all_sources(cli);
        let checks = cli.check() == Some(CheckKind::Generic);
        // nobody wrote the URL of a file, so all standards allow what is checked
        let names = if checks { Spec::Rfc1808 } else { standards[0] };
        let urls = cli.root.as_deref().map(|root| documents::urls_below(root, base.text, &sources, names)).transpose();
        let documents = Documents {
            sources,
            urls: urls.map_err(anyhow::Error::msg)?.unwrap_or_default(),
            root: cli.root.as_deref(),
            pairs: cli.pairs.then_some(choose_terminator(cli)),
            reading: choose_reading(cli, base.text, standards),
            standard: standards[0],
            names,
            relative: cli.relative,
            moves: read_moves(cli, standard, base.text)?,
            checks,
        };
        if let Some(why) = documents::misuse(&documents, cli.rewrite && !cli.takes_many()) {
            bail!(why);
        }
        if let Some(note) = documents::slip(&documents) {
            out.note(note);
        }
        Ok(documents)
    };
    if cli.links {
        let task = choose_task(cli, base.text, allowed);
        return Ok(Mode::Links { documents: documents(task.standards())?, task });
    }
    if cli.rewrite && cli.takes_many() {
        let preview = cli.dry_run.then(|| choose_format(cli));
        return Ok(Mode::RewriteInPlace { documents: documents(&[standard])?, preview });
    }
    if cli.rewrite {
        return Ok(Mode::Rewrite(documents(&[standard])?));
    }
    if cli.print_base {
        return Ok(Mode::PrintBase { documents: documents(&[standard])?, format: choose_format(cli) });
    }
    let task = choose_task(cli, base.text, allowed);
    let list = List {
        sources: record_sources(cli),
        terminator: choose_terminator(cli),
        pairs: cli.pairs,
        answers_are_lines: cli.answers_are_lines(),
    };
    Ok(match cli.document.as_deref() {
        None => Mode::Records { list, bases: Bases::same(BaseId::default(), base), task },
        Some(path) => {
            let reading = choose_reading(cli, base.text, task.standards());
            Mode::RecordsOf { list, document: Source::of(path), reading, task }
        }
    })
}

/// The task that the flags select, with its format, the base URL of the command line and what `--allow` names.
fn choose_task(cli: &Cli, base: &[u8], allowed: Vec<Allowed>) -> Box<dyn Task> {
    let (format, records) = (choose_format(cli), InputFormat { terminator: choose_terminator(cli), pairs: cli.pairs });
    match cli.check() {
        Some(CheckKind::Files) => {
            let root = cli.root.as_deref().or_else(|| cli.documents().next()).unwrap_or(Path::new("."));
            return Box::new(Files::new(format, root, base, &cli.allow));
        }
        Some(CheckKind::Host) => return Box::new(Leaves::new(format, records, allowed)),
        Some(CheckKind::Generic) if choose_standard(cli) != Spec::Rfc1808 => {
            return Box::new(CheckBySpec::new(choose_standard(cli), format, records));
        }
        Some(which) => return Box::new(Check::new(which == CheckKind::Scheme, format, records)),
        None => {}
    }
    if let Some(which) = cli.compare() {
        return Box::new(Compare::new(which, format, choose_colors(cli), records));
    }
    match choose_standard(cli) {
        standard if cli.relative => Box::new(Relative::new(standard, format)),
        standard => Box::new(Absolute::new(standard, format, records)),
    }
}

/// What links follow with `--rewrite`. OLD and NEW are references in the directory that has the URL `base`, or in the
/// document that has it.
fn read_moves(cli: &Cli, standard: Spec, base: &[u8]) -> anyhow::Result<Option<MovePlan>> {
    let Some((flag, texts)) = cli.moves() else { return Ok(None) };
    let is_directory = cli.root.is_some() || cli.documents().any(Path::is_dir);
    let base = if is_directory { documents::url_below(base, Path::new("-"), standard) } else { base.to_vec() };
    let texts: Vec<_> = texts.iter().map(|text| text.as_encoded_bytes()).collect();
    let escape = |path: &[u8]| documents::escape_path(path, standard);
    let moves = MovePlan::new(standard, &base, &texts, flag == "--moved", escape);
    moves.map(Some).map_err(anyhow::Error::msg)
}

/// The standard that gives the answers.
fn choose_standard(cli: &Cli) -> Spec {
    match cli.check() {
        Some(CheckKind::Files) => Spec::Whatwg,
        _ => cli.spec.filter(|_| !cli.asks_all()).unwrap_or_default(),
    }
}

/// How answers are written.
fn choose_format(cli: &Cli) -> Format {
    match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(Screen::new(choose_colors(cli))),
        (false, false) => Format::Lines(LineFormat {
            terminator: choose_terminator(cli),
            with_place: cli.with_place,
            keep_input: cli.keep_input,
        }),
    }
}

/// How documents that were retrieved from `url` are read for some standards.
fn choose_reading<'a>(cli: &'a Cli, url: &'a [u8], standards: &[Spec]) -> ReadOptions<'a> {
    let (media_type, charset) = cli.media_type.map(|named| (named.row.read_as, named.charset)).unzip();
    let guesses = standards.iter().any(|spec| *spec != Spec::Rfc1808);
    let wary = cli.check() == Some(CheckKind::Host);
    let (charset, relations) = (charset.flatten(), cli.json);
    let options = Options { media_type, charset, guesses, relations, wary, ..Options::default() };
    ReadOptions { url, options, part: cli.part.as_ref().map_or(&[], |part| &part.0) }
}

/// All sources that the command line names, or standard input.
pub fn all_sources(cli: &Cli) -> Vec<Source<'_>> {
    let mut sources: Vec<_> = cli.document.as_deref().into_iter().chain(cli.documents()).map(Source::of).collect();
    if !cli.reads_documents() || cli.pairs {
        sources.extend(record_sources(cli));
    } else if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// The arguments, then the files; standard input if there are neither.
fn record_sources(cli: &Cli) -> Vec<Source<'_>> {
    let arguments = (!cli.references.is_empty()).then_some(Source::Arguments(&cli.references));
    let mut sources: Vec<_> = arguments.into_iter().chain(cli.files.iter().map(|file| Source::of(file))).collect();
    if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// The base URL of the command line, which the standard must be able to use.
fn check_base<'a>(cli: &'a Cli, standard: Spec, out: &mut Writer) -> anyhow::Result<StandardBase<'a>> {
    let is_of_files = cli.check() == Some(CheckKind::Files);
    let default = if is_of_files || cli.moves().is_some() { UNKNOWN_HOST } else { "" };
    let text = cli.base.as_deref().filter(|base| !base.is_empty()).unwrap_or(OsStr::new(default));
    let base = StandardBase::new(text.as_encoded_bytes(), None);
    if base.parsed.is_err() {
        bail!(slips::missing_scheme_message(text));
    }
    // --check reports the bytes of a base itself
    let is_noted = text.is_empty() || matches!(cli.check(), None | Some(CheckKind::Host | CheckKind::Files));
    if let Some(note) = slips::base_slip(text).filter(|_| cli.base.is_some() && is_noted) {
        out.note(note);
    }
    if (cli.asks_all() || standard != Spec::Rfc1808) && str::from_utf8(base.text).is_err() {
        out.note(format_args!("--base: {} is not UTF-8; percent-encode it", Quoted(base.text)));
    }
    if let Some(why) = task::standards::refusal(standard, base.text).filter(|_| cli.check().is_none()) {
        bail!("--base: {}: {why}", Quoted(base.text));
    }
    if is_of_files && !allow::is_of_web(base.text) {
        bail!("--base: {} is not an http or https URL; pass one, or omit --base", Quoted(base.text));
    }
    if cli.check() == Some(CheckKind::Host)
        && !base.text.is_empty()
        && let Err(why) = own_host(base.text, &base)
    {
        bail!("--base: {}{}", Quoted(base.text), format!(": {why}").replacen(": the base ", " ", 1));
    }
    Ok(base)
}

/// What `--allow` names, with the base URL of the command line.
fn read_allowed(cli: &Cli, base: &[u8]) -> anyhow::Result<Vec<Allowed>> {
    if cli.check() == Some(CheckKind::Files) {
        for source in &cli.allow {
            allow::check_for_files(source)
                .map_err(|why| anyhow!("--allow: {} {why}", Quoted(source.as_encoded_bytes())))?;
        }
        return Ok(Vec::new());
    }
    let parse = |source: &OsString| {
        allow::parse(source, base).map_err(|why| anyhow!("--allow: {} {why}", Quoted(source.as_encoded_bytes())))
    };
    cli.allow.iter().map(parse).collect()
}

/// The number of bytes to read, if that is known: a list of documents does not say how long they are.
pub fn total_size(cli: &Cli, sources: &[Source<'_>]) -> Option<u64> {
    let sizes: Option<u64> = sources.iter().map(|source| input::size(*source)).sum();
    sizes.filter(|size| *size > 0 && !(cli.reads_documents() && cli.pairs))
}

/// Describes the input that absurl waits for, if it is a terminal.
pub fn terminal_input(cli: &Cli, sources: &[Source<'_>]) -> Option<String> {
    let is_stdin = |source: &Source<'_>| matches!(source, Source::Stdin);
    if !sources.iter().any(is_stdin) || !io::stdin().is_terminal() {
        return None;
    }
    let what = match (cli.pairs, cli.reads_documents()) {
        (true, true) => "BASE TAB DOCUMENT",
        (true, false) => "BASE TAB REFERENCE",
        _ if cli.reads_documents() || cli.document.as_deref().map(Source::of).as_ref().is_some_and(is_stdin) => {
            return Some("a document from the terminal".into());
        }
        _ => "references",
    };
    Some(format!("{what} from the terminal, {}", if cli.null { "each ends in NUL" } else { "one per line" }))
}

/// What ends a record: LF or NUL.
fn choose_terminator(cli: &Cli) -> u8 {
    if cli.null { b'\0' } else { b'\n' }
}

/// The colors of explanations and differences.
fn choose_colors(cli: &Cli) -> Colors {
    Colors::new(match cli.color {
        None | Some(clap::ColorChoice::Auto) => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Some(choice) => choice == clap::ColorChoice::Always,
    })
}
