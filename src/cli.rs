//! The flags and their help.

pub mod allow;
mod man;
mod media_type;
mod names;
mod other_tools;
pub mod parse;
#[cfg(windows)]
mod patterns;
pub mod slips;
mod usage;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Parser, ValueEnum, ValueHint};

use crate::compare::Differences;
use crate::document::types::{MediaType, TYPES, Type};
use crate::spec::Spec;
use media_type::{NamedType, TypeParser};

/// The command lines shown by help and man page; `-h` shows the first four.
const EXAMPLES: &[(&str, &str)] = &[
    ("one reference", "absurl -b https://example.com/docs/ ../img/logo.png"),
    ("a list, each reference next to its URL", "absurl -k -b https://example.com/docs/ -f references.txt"),
    ("every link of a web page", "curl -s https://a.test/ | absurl -s whatwg -b https://a.test/ --links"),
    ("the links of a site to files that are missing", "absurl --check=files --links site"),
    ("where the pages of a site lead to a host", "absurl -s whatwg -b https://a.test/ -Hl site | grep -F evil.com"),
    ("every link of saved pages, each file with its own URL", "absurl --links -b http://a/ --root . *.html"),
    (
        "a page with all its links made absolute",
        "curl -s https://example.com/ | absurl -b https://example.com/ --rewrite",
    ),
    (
        "a directory written back with relative links, for a site that moves under a path",
        "absurl -s whatwg -b http://a/ --rewrite -i --relative site",
    ),
    ("crawl data: each line has its own base", "absurl --pairs <base-tab-reference.tsv"),
    (
        "file names as references, percent-encoded",
        r#"find . -type f | jq -Rr '@uri | gsub("%2F"; "/")' | absurl -b http://a/"#,
    ),
    (
        "the next page of an API (pagination); nothing on the last one",
        r#"curl -si "$u" | absurl -ljb "$u" | jq -r 'select(.rel//""|test("\\bnext\\b";"i")).url//empty'"#,
    ),
    ("the answer as JSON, for jq", "absurl -j -b http://a/b/c/d ../g | jq -r .components.path"),
    ("why the answer is what it is", "absurl -e -b http://a/b/c/d ../g"),
    ("in CI: fail if a page links to another host", "absurl --check=host -b http://a/ --links site"),
    (
        "in CI: fail if the standards give a reference different meanings",
        "absurl --compare=meaning -b http://a/b/c/d -f references.txt",
    ),
];

/// The exit statuses and their meanings.
const STATUSES: &[(&str, &str)] = &[
    ("0", "everything was resolved (--check, --compare: nothing was found), or the reader closed the output pipe"),
    (
        "1",
        "a reference or link failed (its output is empty and a message says why), --check or --compare found something, \
         --dry-run found what would change, or --print-base found no base URL",
    ),
    ("2", "wrong usage, a --base without a scheme (--check=host: without a host), or an input or output error"),
];

/// The command line.
#[derive(Parser)]
#[command(
    name = "absurl",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    override_usage = "absurl [OPTIONS] [--] [REFERENCE]...
       absurl --links [OPTIONS] [DOCUMENT]...
       absurl --rewrite [-i|-n] [OPTIONS] [DOCUMENT]...
       absurl --print-base [OPTIONS] [DOCUMENT]...",
    max_term_width = 100,
    hide_possible_values = true,
    args_override_self = true,
    disable_help_flag = true,
    disable_version_flag = true,
)]
pub struct Cli {
    /// References to resolve [default: each line of standard input]
    ///
    /// With --links, --rewrite and --print-base these are DOCUMENTs: files or directories, and - is standard input.
    /// With --pairs they are lines of BASE TAB REFERENCE or BASE TAB DOCUMENT. Use -- before an argument that starts
    /// with a hyphen. Without arguments and --file, standard input is read.
    #[arg(value_name = "REFERENCE", value_hint = ValueHint::Other, help_heading = "Arguments")]
    pub references: Vec<OsString>,

    /// The number of arguments after `--`.
    #[arg(skip)]
    after_hyphens: usize,

    /// The base URL; write the slash at the end of a directory
    ///
    /// The absolute URL of the document that contains the references. What follows the last slash of its path is
    /// dropped: with http://a/b the reference g gives http://a/g. With a trailing slash, http://a/b/, it gives
    /// http://a/b/g. For a document it is the URL from which the document was retrieved; a base URL in the document
    /// overrides it. Without a base URL, or with an empty one, only references with a scheme can be resolved.
    #[arg(short, long, alias = "base-url", value_name = "URL", value_hint = ValueHint::Url, help_heading = "Resolving")]
    pub base: Option<OsString>,

    /// The standard: rfc1808 (default), rfc3986, whatwg (browsers)
    ///
    /// rfc3986 is the successor of RFC 1808, and whatwg the URL Standard that browsers follow. These two decode
    /// documents as browsers do. --check goes by SPEC, too, but --check=files by whatwg, and --check=host and --compare
    /// ask all three.
    #[arg(short, long, value_enum, ignore_case = true, value_name = "SPEC", help_heading = "Resolving")]
    pub spec: Option<Spec>,

    /// Read references from FILE, one a line; a blank line is one
    ///
    /// A blank line is the empty reference, and #x a fragment (anchor), not a comment. A line ends in LF or CRLF;
    /// nothing else is trimmed. The FILE - is standard input (stdin). Can be repeated. Files are read in the given
    /// order, after any REFERENCE arguments.
    #[arg(short, long = "file", value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Resolving")]
    pub files: Vec<PathBuf>,

    /// Read lines of BASE TAB REFERENCE
    ///
    /// Each line has its own base URL, as in crawl data. The first TAB separates base and reference. A line without
    /// a TAB, or with a base that is not empty and has no scheme, fails on its own. With --links, and with --rewrite
    /// and -i or -n, the lines are BASE TAB DOCUMENT: each document has the URL from which it was retrieved.
    #[arg(short, long, conflicts_with_all = ["document", "print_base"], help_heading = "Resolving")]
    pub pairs: bool,

    /// Separate references with NUL, in input and output
    ///
    /// For references that contain newlines. Nothing is trimmed. With --json, --explain, --check
    /// and --compare, affects input only.
    #[arg(short = '0', long, help_heading = "Resolving")]
    pub null: bool,

    /// Print the links of each DOCUMENT
    ///
    /// Prints every URL in HTML, CSS, XML and Markdown, in document order, resolved with the base of its
    /// document. The arguments are DOCUMENTs: files or directories, or - for standard input.
    #[arg(short, long, conflicts_with_all = ["part", "rewrite", "print_base"], help_heading = DOCUMENTS)]
    pub links: bool,

    /// The directory that has the URL of --base
    ///
    /// Each DOCUMENT, a file or a directory, must be in DIR. Its URL is that of --base and its path below DIR: with
    /// --root site -b https://e/, site/a/b.html is https://e/a/b.html. Without --root, all files that are named have
    /// the URL of --base; a directory that is named has it, too, and its files have that and their path.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = DOCUMENTS)]
    pub root: Option<PathBuf>,

    /// The type of documents; needed for piped Markdown
    ///
    /// TYPE is the type of all documents, such as text/markdown. Without it, the first bytes of a document decide, then
    /// its name. 'text/html; charset=NAME' also names the charset, as HTTP does; a byte order mark takes precedence
    /// over it.
    #[arg(long, value_parser = TypeParser, value_name = "TYPE", help_heading = DOCUMENTS)]
    pub media_type: Option<NamedType>,

    /// Print the base URL and where it comes from
    ///
    /// Prints the base URL, TAB and the section of RFC 1808 that gives it: 3.1 (the document), 3.2 (the email around
    /// it), 3.3 (--base or a redirect) or 3.4 (there is no base URL, and the exit status is 1). --json and --explain
    /// also give its line and column. The arguments are DOCUMENTs. With --document, prints the base URL of that
    /// document, or of the part that --part names.
    #[arg(long, conflicts_with_all = ["files", "check", "compare", "relative"], help_heading = DOCUMENTS)]
    pub print_base: bool,

    /// Take the base URL for references from a document
    ///
    /// The references are resolved with the base URL of this document; - is standard input. The base URL is the first
    /// of these that exists: a BASE element, an xml:base or a Base field of the document (RFC 1808, section 3.1); the
    /// base URL of the part or email around it (3.2); the URL of --base (3.3).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = DOCUMENTS)]
    pub document: Option<PathBuf>,

    /// With -d: take it from this part of an email
    ///
    /// The parts of a multipart are 1, 2 and so on, those of part 2 are 2.1, 2.2
    /// and so on. If part 3 is an attached message, the message in it is 3.1.
    #[arg(
        long,
        value_name = "N[.N]...",
        value_parser = OsStringValueParser::new().try_map(|text| parse_part(&text)),
        value_hint = ValueHint::Other,
        help_heading = DOCUMENTS
    )]
    pub part: Option<PartNumber>,

    /// Print a document with absolute links
    ///
    /// Each link that --links lists is replaced by its absolute URL, and the URL of
    /// the BASE that applies, or of each xml:base, by the base URL. All other bytes stay, and so do
    /// links that need no base. The argument is one DOCUMENT in UTF-8 or a charset of single bytes,
    /// but no email and no HTTP response.
    #[arg(long, conflicts_with_all = ["print_base", "keep_input", "explain", "compare", "fail_fast"], help_heading = "Rewriting (every byte but those of links stays)")]
    pub rewrite: bool,

    /// With --rewrite: write each DOCUMENT back to its file
    ///
    /// The arguments are any number of files and directories. A document without a link to resolve
    /// is not touched. With --pairs, lines of BASE TAB DOCUMENT give each document its own base.
    /// Standard error says how many documents changed.
    #[arg(short, long, help_heading = "Rewriting (every byte but those of links stays)")]
    pub in_place: bool,

    /// With --rewrite: print what would change (status 1)
    ///
    /// A dry run: takes what --in-place takes, and standard input, and writes nothing, even with --in-place. Prints
    /// FILE:LINE:COL: OLD -> NEW for each link and BASE that would change, or an object with --json. The status is 1
    /// if something would change, as with a failure, and 0 if nothing would.
    #[arg(short = 'n', long, help_heading = "Rewriting (every byte but those of links stays)")]
    pub dry_run: bool,

    /// Have links follow a move of paths in DOCUMENT or URLs
    ///
    /// With --rewrite: run it once, before files or directories are moved or renamed. A URL at or below OLD will be at
    /// NEW, and links that would not lead there are rewritten. OLD and NEW are URLs, or paths relative to the directory
    /// that is read: for site/guide, guide. Of several OLDs, the longest counts.
    #[arg(long = "move", num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["pairs", "relative", "moved"], value_hint = ValueHint::AnyPath, help_heading = "Rewriting (every byte but those of links stays)")]
    pub moves: Vec<OsString>,

    /// As --move, after the files moved; run it once
    ///
    /// For example after git mv: documents at or below NEW were at or below OLD. A second run takes them for moved ones
    /// again, and can break links.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["pairs", "relative"], value_hint = ValueHint::AnyPath, help_heading = "Rewriting (every byte but those of links stays)")]
    pub moved: Vec<OsString>,

    /// Print URLs, or rewrite links, relative to the base
    ///
    /// Resolves each reference, then prints a reference that leads from the base to the same URL, byte for byte. It is
    /// the first that does, of: the fragment (#s), the query (?y), a path from the base's directory (../g), a path from
    /// the root (/b/./g), the URL. Works with --links, --pairs and --spec. With --rewrite, links to the host of the
    /// document's base become relative if they have a scheme or start with a slash.
    #[arg(long, conflicts_with_all = ["compare"], help_heading = "Output")]
    pub relative: bool,

    /// Print the line or link, and TAB, before each URL
    ///
    /// A line is copied as read, without its line ending; with --pairs, it has the base, too. A link is decoded and
    /// trimmed. With --print-base, prints the document's name and TAB.
    #[arg(short, long, conflicts_with_all = ["json", "explain", "check", "compare"], help_heading = "Output")]
    pub keep_input: bool,

    /// Print FILE:LINE:COL and TAB before each URL
    ///
    /// The place is that of messages: in a list it is FILE:LINE, for an argument 'argument 3'; with --null, LINE counts
    /// references. With --keep-input it comes first. It stays where no URL follows, as the reference failed.
    #[arg(short = 'H', long, conflicts_with_all = ["json", "explain", "check", "compare", "rewrite", "print_base"], help_heading = "Output")]
    pub with_place: bool,

    /// Print a JSON object for each reference or link
    ///
    /// JSON Lines: one object on each line, also for what fails, and with --check also where nothing is found. The man
    /// page (absurl --generate man | man -l -) lists the fields.
    #[arg(short, long, help_heading = "Output")]
    pub json: bool,

    /// Explain every step (whatwg: only what differs)
    ///
    /// Prints a block for each reference: a sentence, the components, the steps of RFC 1808, section 4, and how other
    /// standards answer. Labels such as 2a and 6c are those of the RFC. With --spec rfc3986 the steps are those of RFC
    /// 3986, section 5. With --spec whatwg there are no steps: the block has the validation errors of the URL Standard,
    /// and why RFC 1808 answers otherwise. The last line ends in the URL or the error.
    #[arg(short, long, conflicts_with_all = ["check", "compare", "relative"], help_heading = "Output")]
    pub explain: bool,

    /// Use colors: auto (default), always or never
    ///
    /// In the output of --explain and --compare, colors show what came from the base and what from the
    /// reference. With auto, they are used if standard output is a terminal, unless NO_COLOR is set
    /// and not empty.
    #[arg(long, value_enum, ignore_case = true, value_name = "WHEN", help_heading = "Output")]
    pub color: Option<clap::ColorChoice>,

    /// Show a progress bar on standard error
    ///
    /// Shows bytes read (and the total, if known), rate, references, failures and time left. Only
    /// shown if standard error is a terminal and standard output is not.
    #[arg(long, help_heading = "Output")]
    pub progress: bool,

    /// Check characters, files or hosts
    ///
    /// There are four kinds.
    ///
    /// generic (default): each reference that its standard does not allow, such as one with a space.
    ///
    /// scheme: also each that RFC 1738 does not allow, in http, https, ftp, file, gopher, mailto, news, nntp, telnet,
    /// wais and prospero URLs. It needs RFC 1808.
    ///
    /// host: each reference that may leave the host of --base, in a browser or another program, by any of the three
    /// standards, whatever --spec says.
    ///
    /// files: with --links, each dead or broken link (404), by the files in the directory. Add --base, or links that
    /// name a host are not checked.
    ///
    /// Prints a line FILE:LINE:COL: REFERENCE: message for each finding, and the exit status is 1 if there is one. COL
    /// counts bytes from 1. The grammar of generic is that of RFC 1808, section 2.2; with --spec rfc3986 it is that of
    /// RFC 3986, and with --spec whatwg each validation error of the URL Standard is a violation. generic and scheme
    /// check the base, too.
    #[arg(
        short,
        long,
        value_enum,
        ignore_case = true,
        value_name = "generic|files|host|scheme",
        require_equals = true,
        conflicts_with_all = ["compare", "relative"],
        help_heading = CHECKING
    )]
    #[allow(clippy::option_option, reason = "a value that is missing may have been passed as an argument")]
    pub check: Option<Option<CheckKind>>,

    /// Pass [*.]HOST, SCHEME:, /PATH, .EXT
    ///
    /// WHAT is a host, such as a CDN; *.HOST, each subdomain of HOST but not itself; or a scheme with its colon,
    /// such as mailto:. A reference passes if each standard that answers has that scheme, or each reaches that host.
    /// With --check=files, WHAT is an ending that the server adds, such as .html, or the start of a path or URL, such
    /// as /api/, below which links pass. Can be repeated.
    #[arg(long, value_name = "WHAT", value_hint = ValueHint::Hostname, help_heading = CHECKING)]
    pub allow: Vec<OsString>,

    /// Print only where standards differ
    ///
    /// Asks all three standards, whatever --spec says, and prints a block for each reference on which they differ: its
    /// location, the reference, the three answers and the reasons in the terms of RFC 1808. all, the default, prints
    /// all that differ, and no other. meaning ignores differences that are only WHATWG normalization. host prints
    /// references for which the standards give different hosts; --check=host finds those that leave a host. At the
    /// end, standard error gets a count of each reason. The exit status is 1 if any differs.
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        value_name = "all|meaning|host",
        require_equals = true,
        help_heading = CHECKING
    )]
    #[allow(clippy::option_option, reason = "a value that is missing may have been passed as an argument")]
    compare: Option<Option<Differences>>,

    /// Stop at the first failure
    ///
    /// It prints an empty line for it. With --check and --compare, it stops at the first finding, and counts what it
    /// has read.
    #[arg(long, help_heading = "Failures (an empty line, a message, status 1)")]
    pub fail_fast: bool,

    /// Print no messages about failures
    ///
    /// The exit status is unchanged, and messages with status 2 are still printed. Most notes and all sums are
    /// suppressed, and findings of --check, --compare and --dry-run, too, except in JSON.
    #[arg(short, long, help_heading = "Failures (an empty line, a message, status 1)")]
    pub quiet: bool,

    /// Print the man page or a completion script
    ///
    /// KIND is man, man-documents, complete-bash, complete-zsh, complete-fish, complete-powershell or
    /// complete-elvish.
    #[arg(long, value_enum, ignore_case = true, value_name = "KIND", conflicts_with_all = ["references", "base", "files", "pairs", "null", "document", "part", "media_type", "links", "rewrite", "in_place", "dry_run", "root", "moves", "moved", "print_base", "relative", "keep_input", "with_place", "json", "explain", "check", "allow", "compare", "fail_fast"], help_heading = "Other")]
    generate: Option<Generated>,

    /// Print help (-h: a summary)
    #[arg(short, long, help_heading = "Other")]
    help: bool,

    /// Print the version
    #[arg(short = 'V', long, help_heading = "Other")]
    version: bool,
}

/// The number of a part, after those of the parts around it.
#[derive(Clone)]
pub struct PartNumber(pub Vec<u32>);

/// Parses the number of a part.
fn parse_part(text: &OsStr) -> Result<PartNumber, &'static str> {
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0 && !text.starts_with('+'));
    let numbers = text.to_str().and_then(|text| text.split('.').map(number).collect());
    numbers.map(PartNumber).ok_or("is not a part number; use numbers from 1 with dots between them, such as 2.1")
}

impl ValueEnum for Type {
    fn value_variants<'a>() -> &'a [Self] {
        TYPES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let short = self.name.rsplit('/').next().and_then(|name| name.split('+').next()); // html, atom
        let mail = (self.read_as == MediaType::Message).then_some("mail");
        let aliases = short.into_iter().chain(mail).chain(self.endings.iter().copied());
        Some(PossibleValue::new(self.name).help(self.help).aliases(aliases))
    }
}

impl ValueEnum for Spec {
    fn value_variants<'a>() -> &'a [Self] {
        &Spec::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = if *self == Spec::Whatwg { "The URL Standard of the WHATWG" } else { self.title() };
        let aliases: &[&str] = match self {
            Spec::Rfc1808 => &["1808"],
            Spec::Rfc3986 => &["3986"],
            Spec::Whatwg => &["browser", "browsers"],
        };
        Some(PossibleValue::new(self.name()).help(help).aliases(aliases.iter().copied()))
    }
}

/// What references are checked for.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckKind {
    /// The grammar of RFC 1808, or of --spec
    #[default]
    Generic,
    /// Also that of the URL's scheme in RFC 1738
    Scheme,
    /// Only whether they leave the host of --base
    Host,
    /// Only whether they lead to files of the directory
    Files,
}

impl ValueEnum for Differences {
    fn value_variants<'a>() -> &'a [Self] {
        &[Differences::All, Differences::Meaning, Differences::Host]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Differences::All => ("all", "All of them"),
            Differences::Meaning => ("meaning", "Those that are more than WHATWG normalization"),
            Differences::Host => ("host", "Those of the host"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// What can be generated from the flags.
#[derive(Clone, Copy, ValueEnum)]
pub enum Generated {
    /// The man page, in roff
    Man,
    /// The man page of documents, in roff
    ManDocuments,
    /// For bash
    #[value(alias = "bash")]
    CompleteBash,
    /// For zsh
    #[value(alias = "zsh")]
    CompleteZsh,
    /// For fish
    #[value(alias = "fish")]
    CompleteFish,
    /// For PowerShell
    #[value(aliases = ["powershell", "pwsh"])]
    CompletePowershell,
    /// For elvish
    #[value(alias = "elvish")]
    CompleteElvish,
}

impl Cli {
    /// The differences that `--compare` reports, if it is given.
    pub fn compare(&self) -> Option<Differences> {
        self.compare.map(Option::unwrap_or_default)
    }

    /// What to check, if anything.
    pub fn check(&self) -> Option<CheckKind> {
        self.check.map(Option::unwrap_or_default)
    }

    /// Whether each answer is one line, so that a record with a newline would become two.
    pub fn answers_are_lines(&self) -> bool {
        !(self.null || self.json || self.explain || self.rewrite || self.check.is_some() || self.compare.is_some())
    }

    /// Whether the input is documents, not references.
    pub fn reads_documents(&self) -> bool {
        self.links || self.rewrite || self.print_base
    }

    /// Whether `--rewrite` takes any number of documents and directories, or records that name them.
    pub fn takes_many(&self) -> bool {
        self.in_place || self.dry_run
    }

    /// What links follow, OLD and NEW in turn, after the flag that names it.
    pub fn moves(&self) -> Option<(&'static str, &[OsString])> {
        let moves = [("--move", &*self.moves), ("--moved", &*self.moved)];
        moves.into_iter().find(|(_, texts)| !texts.is_empty())
    }

    /// Whether all three standards are asked, whatever `--spec` says.
    pub fn asks_all(&self) -> bool {
        self.compare.is_some() || self.check() == Some(CheckKind::Host)
    }

    /// The arguments before `--`, which may be names of files. Those after it are references, whatever files lie here.
    pub fn before_hyphens(&self) -> &[OsString] {
        &self.references[..self.references.len() - self.after_hyphens]
    }

    /// The documents among the arguments: none without `--links`, `--rewrite` or `--print-base`.
    pub fn documents(&self) -> impl Iterator<Item = &Path> {
        let are_documents = self.reads_documents() && !self.pairs;
        self.references.iter().filter(move |_| are_documents).map(Path::new)
    }
}

/// The heading of these flags, as the help of each has one line in `-h`.
const CHECKING: &str = "Checking (status 1: found; --check=host and --compare ask all three standards)";

const DOCUMENTS: &str = "Documents (HTML, Markdown, CSS, feeds, SVG, email, HTTP; or directories)";

/// The first lines of `-h`.
const ABOUT: &str = "\
Turns relative URLs into absolute ones; lists, checks and rewrites links
The default is RFC 1808 to the letter; for the answers of browsers: -s whatwg";

/// The first paragraphs of `--help`.
const LONG_ABOUT: &str = "\
Turns relative URLs into absolute ones: one output line for each input line.

The default is the letter of RFC 1808, not what browsers do: it encodes nothing, and drops an empty ?, # or ;. \
-s whatwg gives the answers of browsers. Two that differ, with the base http://a/b/c/d:

  ../../../g   http://a/../g   (browsers: http://a/g)
  /./g         http://a/./g    (browsers: http://a/g)";
