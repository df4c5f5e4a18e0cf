//! The flags and their help, and what is generated from them.

pub mod generate;

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

/// The one-liners of `--help` and the man page, each with what it is for.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("one reference", "absurl -b http://a/b/c/d ../g"),
    ("a list, one reference a line", "absurl -b http://a/b/c/d <references.txt"),
    ("references with any bytes in them", "printf '%s\\0' ../g 'x y' | absurl -0 -b http://a/b/c/d | xargs -0 -n1"),
    ("crawl data, a base for each record", "absurl --pairs <base-tab-reference.tsv"),
    ("which reference became which URL", "absurl -k -b http://a/b/c/d -f references.txt"),
    ("all that is known, for jq", "absurl -j -b http://a/b/c/d ../g | jq -r .components.path"),
    ("why an answer is what it is", "absurl -e -b http://a/b/c/d ../g"),
    ("every link of a page", "absurl -b http://a/b/c/d -d page.html --links"),
    ("which base applies, and by which rule of section 3", "absurl -d mail.eml --print-base"),
    ("in CI, where every reference must resolve", "absurl --fail-fast -b http://a/b/c/d -f references.txt >/dev/null"),
    ("is a list legal by the grammar of RFC 1808?", "absurl -c -b http://a/b/c/d -f references.txt"),
    #[cfg(feature = "spec")]
    ("in CI: does every reader read them alike?", "absurl --compare=meaning -b http://a/b/c/d -f references.txt"),
];

/// What the exit statuses mean.
pub const STATUSES: [(&str, &str); 4] = [
    ("0", "every record was resolved (--check, --compare: nothing was found), or the reader of the output closed it"),
    (
        "1",
        "a record failed: its answer is an empty record, the message says why; --check, --compare: something was found; --print-base: there is none",
    ),
    ("2", "wrong usage, a --base without a scheme, or input or output that failed"),
    ("130", "SIGINT (Ctrl-C) ended it: as shells give it, for it is that signal that ends the program"),
];

/// The command line.
#[derive(Parser)]
#[command(
    name = "absurl",
    version,
    about = "Turns relative URLs into absolute ones, exactly as RFC 1808 says",
    long_about = LONG_ABOUT,
    max_term_width = 100,
    disable_help_flag = true,
    disable_version_flag = true,
)]
pub struct Cli {
    /// References to resolve; none: standard input
    ///
    /// Write -- before one that begins with a hyphen. Without REFERENCE and --file, references are
    /// read from standard input, one a line.
    #[arg(value_name = "REFERENCE", help_heading = "Arguments")]
    pub references: Vec<OsString>,

    /// The base URL
    ///
    /// The absolute URL of the document in which the references stand. What follows the last slash
    /// of its path is not kept: with http://a/b the reference g gives http://a/g, with http://a/b/
    /// it gives http://a/b/g. Without a base URL, or with an empty one, only references that have
    /// a scheme can be resolved.
    #[arg(short, long, alias = "base-url", value_name = "URL", conflicts_with = "pairs", help_heading = "Input")]
    pub base: Option<OsString>,

    /// Read references from FILE; - is standard input
    ///
    /// One reference a line. A line ends in LF or CRLF; nothing else is trimmed, an empty line is
    /// the empty reference, and #x is a fragment. May be given many times: the files are read in
    /// that order, after the REFERENCEs.
    #[arg(short, long = "file", value_name = "FILE", help_heading = "Input")]
    pub files: Vec<PathBuf>,

    /// Every record is BASE TAB REFERENCE
    ///
    /// A base URL of its own for each record, as crawls give it. The first TAB parts them. A record
    /// without TAB, or whose base is neither empty nor has a scheme, fails alone. With --links it is
    /// BASE TAB FILE: documents, each with the URL it was retrieved from.
    #[arg(short, long, help_heading = "Input")]
    pub pairs: bool,

    /// Records end in NUL, in and out
    ///
    /// For references that have line ends in them. Nothing at all is trimmed then. With --json and
    /// --explain it is about input only.
    #[arg(short = '0', long, help_heading = "Input")]
    pub null: bool,

    /// Take the base URL from a page or a message
    ///
    /// FILE is an HTML document or a message; - is standard input. The innermost base counts, as section 3 of RFC 1808 says: a BASE element or a Base field in
    /// the document, that of an entity around it, the URL of --base, none. May be given many times
    /// with --links.
    #[arg(short, long = "document", value_name = "FILE", conflicts_with = "pairs", help_heading = "Documents")]
    pub documents: Vec<PathBuf>,

    /// Take the base URL of this part of the message
    ///
    /// The parts of a multipart are 1, 2 and so on, those of part 2 are 2.1, 2.2 and so on, and a
    /// message that is part 3 has the message in it as 3.1.
    #[arg(
        long,
        value_name = "N[.N]...",
        value_parser = part,
        requires = "documents",
        conflicts_with = "links",
        help_heading = "Documents"
    )]
    pub part: Option<Part>,

    /// What the documents are: text/html or message/rfc822
    ///
    /// Without it, a document that begins with a header field or a status line of HTTP is a
    /// message, any other is HTML.
    #[arg(long, value_enum, value_name = "TYPE", hide_possible_values = true, help_heading = "Documents")]
    pub media_type: Option<MediaType>,

    /// Print the base URL, TAB, and the rule that gives it
    ///
    /// The rule is 3.1, 3.2, 3.3 or 3.4, as the sections of RFC 1808. With 3.4 there is no base URL,
    /// and the exit status is 1. Nothing is resolved. With --json or --explain also where it stands.
    #[arg(
        long,
        conflicts_with_all = ["references", "files", "pairs", "links", "keep_input"],
        help_heading = "Documents"
    )]
    pub print_base: bool,

    /// Resolve the links of the documents
    ///
    /// All URLs in attributes of HTML, in their order, each with the base of its document.
    #[arg(short, long, conflicts_with = "references", help_heading = "Documents")]
    pub links: bool,

    /// Write the input record and TAB before each URL
    ///
    /// The record stands there as it was read, without its line end.
    #[arg(short, long, conflicts_with_all = ["json", "explain"], help_heading = "Output")]
    pub keep_input: bool,

    /// Write a JSON object for each record
    ///
    /// JSON Lines, records that fail included. The man page (--generate man) lists the fields.
    #[arg(short, long, help_heading = "Output")]
    pub json: bool,

    /// Tell every step of RFC 1808 section 4
    ///
    /// The last line of each explanation ends in the URL or the error. With --json the steps are
    /// an array of the object.
    #[arg(short, long, help_heading = "Output")]
    pub explain: bool,

    /// When --explain is coloured
    ///
    /// Colours mark what came from the base and what from the reference: auto (the default: if
    /// standard output is a terminal, and NO_COLOR is not set or empty), always or never.
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true, help_heading = "Output")]
    pub color: Option<When>,

    /// Show on standard error how far the run is
    ///
    /// A bar with the bytes of the input where their number is known, the rate, the records, those
    /// that failed, and the time left: where standard error is a terminal and standard output is
    /// not, otherwise nothing.
    #[arg(long, help_heading = "Output")]
    pub progress: bool,

    /// Judge references by the grammar of section 2.2
    ///
    /// The base too, once; nothing is resolved. Each offence is a line FILE:LINE:COL: what and which production, COL in
    /// bytes from 1; the place of the base is base:COL. Exit status 1 if there is any.
    #[arg(short, long, conflicts_with_all = ["keep_input", "explain", "print_base"], help_heading = "Judgement")]
    pub check: bool,

    /// Resolve by SPEC: rfc1808, rfc3986 or whatwg
    ///
    /// rfc1808 is the default; rfc3986 is its successor, and whatwg the URL Standard that browsers
    /// follow. These two read UTF-8 only.
    #[cfg(feature = "spec")]
    #[arg(
        short,
        long,
        value_enum,
        value_name = "SPEC",
        conflicts_with = "print_base",
        hide_possible_values = true,
        help_heading = "Judgement"
    )]
    pub spec: Option<Standard>,

    /// Write records on which the specs differ, and why
    ///
    /// A block for each: its place, the reference, the three answers and the reasons, in the terms
    /// of RFC 1808; at the end, on standard error, how often each reason came. Exit status 1 if
    /// any differs. WHICH is all (the default) or meaning, which passes over what WHATWG only
    /// normalises.
    #[cfg(feature = "spec")]
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        hide_possible_values = true,
        conflicts_with_all = ["keep_input", "explain", "check", "spec", "print_base"],
        help_heading = "Judgement"
    )]
    pub compare: Option<Differences>,

    /// Stop at the first record that fails
    ///
    /// Its empty answer is still written.
    #[arg(long, help_heading = "Failures")]
    pub fail_fast: bool,

    /// Say nothing of records that fail
    ///
    /// The exit status stays, and messages about files and usage. What --check and --compare find
    /// is not written either, but in JSON.
    #[arg(short, long, help_heading = "Failures")]
    pub quiet: bool,

    /// Print the man page or a completion script
    ///
    /// KIND is man, complete-bash, complete-zsh, complete-fish, complete-powershell or
    /// complete-elvish.
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        exclusive = true,
        hide_possible_values = true,
        help_heading = "Other"
    )]
    pub generate: Option<Kind>,

    /// Print help; --help tells more than -h
    ///
    /// -h prints a line for each flag.
    #[arg(short, long, action = clap::ArgAction::Help, help_heading = "Other")]
    help: Option<bool>,

    /// Print the version
    #[arg(short = 'V', long, action = clap::ArgAction::Version, help_heading = "Other")]
    version: Option<bool>,
}

/// The number of a part: those of the parts around it, and its own.
#[derive(Clone)]
pub struct Part(pub Vec<u32>);

/// Parses the number of a part.
///
/// # Errors
/// It is not made of numbers from 1 with dots between them.
fn part(text: &str) -> Result<Part, String> {
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0 && !text.starts_with('+'));
    let numbers = text.split('.').map(number).collect::<Option<Vec<_>>>();
    numbers.map(Part).ok_or_else(|| "write numbers from 1 with dots between them, such as 2.1".into())
}

/// What a document can be said to be.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MediaType {
    /// HTML.
    #[value(name = "text/html")]
    Html,
    /// A message: RFC 822, MIME or HTTP.
    #[value(name = "message/rfc822")]
    Message,
}

/// When there are colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Wherever the output goes.
    Always,
    /// Never.
    Never,
}

/// By what a reference is resolved.
#[cfg(feature = "spec")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Standard {
    /// RFC 1808.
    Rfc1808,
    /// RFC 3986.
    Rfc3986,
    /// The URL Standard of the WHATWG.
    Whatwg,
}

/// Which differences count.
#[cfg(feature = "spec")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Differences {
    /// All of them.
    All,
    /// Not those of WHATWG's normalisation alone.
    Meaning,
}

/// What can be generated from the flags.
#[derive(Clone, Copy, ValueEnum)]
pub enum Kind {
    /// The man page, in roff.
    Man,
    /// For bash.
    CompleteBash,
    /// For zsh.
    CompleteZsh,
    /// For fish.
    CompleteFish,
    /// For PowerShell.
    CompletePowershell,
    /// For elvish.
    CompleteElvish,
}

/// Why there is nothing to do.
pub enum Told {
    /// A text that was asked for.
    Text(Vec<u8>),
    /// Wrong usage.
    Wrong(String),
}

impl Cli {
    /// Parses the process's command line. `shown` makes an argument fit for a message.
    ///
    /// # Errors
    /// Wrong usage. A text that was asked for (help, version, man page, completions) comes as an
    /// error too: there is nothing else to do.
    pub fn from_command_line(shown: impl Fn(&OsStr) -> String) -> Result<Self, Told> {
        let cli = Cli::parsed().and_then(Cli::checked).map_err(|error| match error.use_stderr() {
            true => {
                // clap repeats line ends of a wrong argument and drops what looks like a colour, so
                // that a message could be forged: let it judge what may be shown
                let again = Cli::try_parse_from(env::args_os().map(|argument| shown(&argument)));
                let error = again.and_then(Cli::checked).err().filter(clap::Error::use_stderr).unwrap_or(error);
                Told::Wrong(error.render().to_string())
            }
            false if error.kind() == ErrorKind::DisplayHelp => {
                // it takes time to write, which only those need who ask for it
                let long = Cli::command().after_long_help(after_long_help());
                Told::Text(styled(&long.try_get_matches_from(env::args_os()).err().unwrap_or(error)))
            }
            false => Told::Text(styled(&error)),
        })?;
        match cli.generate {
            Some(kind) => Err(Told::Text(generate::text(kind))),
            None => Ok(cli),
        }
    }

    /// [`Parser::try_parse`], but what clap needed is not given back piece by piece: that takes as
    /// long as a twentieth of a start.
    fn parsed() -> Result<Self, clap::Error> {
        let mut command = ManuallyDrop::new(Self::command());
        let mut matches = ManuallyDrop::new(command.try_get_matches_from_mut(env::args_os())?);
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }

    /// Checks what clap cannot.
    fn checked(self) -> Result<Self, clap::Error> {
        let stdin = |files: &[PathBuf]| files.iter().filter(|file| file.as_os_str() == "-").count();
        let (references, documents) = (stdin(&self.files), stdin(&self.documents));
        let reads_references = self.references.is_empty() && self.files.is_empty();
        let what = if references > 1 {
            "standard input can be read only once, but --file - was given twice"
        } else if documents > 1 {
            "standard input can be read only once, but --document - was given twice"
        } else if references > 0 && documents > 0 {
            "standard input can be read only once, but --file - and --document - were given"
        } else if documents > 0 && reads_references && !self.links && !self.print_base {
            "standard input can be read only once, and --document - reads it; give the references as arguments or with --file"
        } else if self.documents.len() > 1 && !self.links {
            "--document can be given many times only with --links"
        } else if self.links && !self.pairs && self.documents.is_empty() {
            "--links needs --document, or --pairs with records BASE TAB FILE; --document - is standard input"
        } else if self.links && !self.pairs && !self.files.is_empty() {
            "the links of --links are the references, and --file gives others; with --pairs it gives BASE TAB FILE"
        } else if self.media_type.is_some() && self.documents.is_empty() && !self.links {
            "--media-type needs --document or --links"
        } else {
            #[cfg(feature = "spec")]
            if !matches!(self.spec, None | Some(Standard::Rfc1808)) && (self.explain || self.check) {
                let what = if self.explain {
                    "--explain tells the steps of RFC 1808, and where another spec differs; leave --spec out"
                } else {
                    "--check judges by the grammar of RFC 1808; leave --spec out"
                };
                return Err(Cli::command().error(ErrorKind::ArgumentConflict, what));
            }
            return Ok(self);
        };
        Err(Cli::command().error(ErrorKind::ArgumentConflict, what))
    }
}

/// The first paragraphs of `--help`.
const LONG_ABOUT: &str = "\
Turns relative URLs into absolute ones, exactly as RFC 1808 says: one reference in, one absolute URL \
out, in order.

The default is the letter of RFC 1808, not what browsers do. Two references on which browsers differ, \
with the base http://a/b/c/d:

  ../../../g   http://a/../g   (browsers: http://a/g)
  /./g         http://a/./g    (browsers: http://a/g)";

/// A text of clap's for standard output, in colours if that has them.
fn styled(told: &clap::Error) -> Vec<u8> {
    let text = told.render();
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => text.to_string(),
        _ => text.ansi().to_string(),
    }
    .into_bytes()
}

/// The last paragraphs of `--help`.
fn after_long_help() -> String {
    let examples: Vec<_> = EXAMPLES.iter().map(|(what, line)| format!("  {what}:\n    {line}\n")).collect();
    let examples = examples.concat();
    let statuses = STATUSES.map(|(status, what)| format!("  {status}  {what}\n")).concat();
    format!("Examples:\n{examples}\nExit status:\n{statuses}")
}
