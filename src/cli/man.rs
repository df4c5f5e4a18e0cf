//! The man pages, from the flags and the prose of `man/sections.txt` and `man/documents.txt`, and the completion
//! scripts.

use std::collections::{BTreeMap, BTreeSet};

use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::{Cli, EXAMPLES, Generated, STATUSES};
use crate::compare::Reason;
use crate::document::attributes::{CAMEL_CASE, FOREIGN, GLOBAL, HTML, KnownAttribute, Row, SVG, VML};
use crate::document::holds::Holds;

/// The date of the release.
const DATE: &str = "2026-11-21";

/// The sections of absurl(1) after the synopsis. `# ` starts a section, `## ` a subsection, `= --flag` what is added
/// to the text of a flag, and `* ` an item of a list, whose text is indented by two spaces; items without an empty line
/// between them stay together. Lines indented by four are not filled. What is between backquotes is bold, and `!name`
/// inserts a list of the program.
const SECTIONS: &str = include_str!("../../man/sections.txt");

/// The sections of absurl-documents(7) after its name.
const DOCUMENTS: &str = include_str!("../../man/documents.txt");

/// What starts each page: no word is hyphenated, so that each can be found, and so no line is justified.
const NO_HYPHENS: &str = ".nh\n.ad l\n";

/// Generates the man page or a completion script.
pub fn generate(kind: Generated) -> Vec<u8> {
    match kind {
        Generated::Man => man_page(),
        Generated::ManDocuments => man_page_of_documents(),
        Generated::CompleteBash => patched(Shell::Bash, BASH),
        Generated::CompleteZsh => patched(Shell::Zsh, ZSH),
        Generated::CompleteFish => fish(),
        Generated::CompletePowershell => clap_script(Shell::PowerShell),
        Generated::CompleteElvish => clap_script(Shell::Elvish),
    }
    .into_bytes()
}

fn man_page() -> String {
    let about = "turns relative URLs into absolute ones";
    let man = Man::new(Cli::command().about(about))
        .title("ABSURL")
        .section("1")
        .date(DATE)
        .source(concat!("absurl ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let (before, rest) = SECTIONS.split_once("!options\n").unwrap_or((SECTIONS, ""));
    let (flags, after) = rest.find("\n# ").and_then(|end| rest.split_at_checked(end)).unwrap_or_default();
    let (mut page, mut options) = (Vec::new(), Vec::new());
    // a Vec takes all that is written to it
    let _ = man.render_title(&mut page);
    page.extend_from_slice(NO_HYPHENS.as_bytes());
    let _ = man.render_name_section(&mut page);
    let _ = man.render_synopsis_section(&mut page);
    let _ = man.render_options_section(&mut options);
    // the headings of --help are subsections here
    let options = String::from_utf8_lossy(&options)
        .replace(".SH OPTIONS\n", "")
        .replace(".SH ", ".SS ")
        .replace(".\n\n", ".\n.br\n") // the kinds of --check have a line each
        .replace("\n\n", ". ")
        .replace(".TP\n", ".TP 4\n");
    let options = flags.split("\n= ").skip(1).fold(options, |options, flag| add_to_flag(&options, flag));
    String::from_utf8_lossy(&page).into_owned() + &prose(before) + &options + &prose(after)
}

/// The options in which a flag has more text: `more` is its name, and the text from the next line on.
fn add_to_flag(options: &str, more: &str) -> String {
    let (flag, text) = more.split_once('\n').unwrap_or((more, ""));
    let name = format!("\\fB{}\\fR", flag.replace('-', "\\-"));
    let has_name = |item: &&str| item.lines().next().is_some_and(|tag| tag.contains(&name));
    let items: Vec<_> = options.split_inclusive("\n.TP 4\n").collect();
    let Some(place) = items.iter().position(has_name) else { return options.into() };
    // what follows the item's own text: the next item, or the next heading
    let (own, next) = items[place]
        .find("\n.SS ")
        .or_else(|| items[place].rfind("\n.TP 4\n"))
        .map_or((items[place], ""), |end| items[place].split_at(end));
    [&items[..place].concat(), own, "\n.RS 4\n", prose(text).trim_end(), "\n.RE", next, &items[place + 1..].concat()]
        .concat()
}

fn man_page_of_documents() -> String {
    let title = format!(
        ".TH ABSURL-DOCUMENTS 7 {DATE} \"absurl {}\" \"Miscellaneous Information\"\n",
        env!("CARGO_PKG_VERSION")
    );
    let name = ".SH NAME\nabsurl\\-documents \\- the documents that absurl reads, and how it reads RFC 1808\n";
    title + NO_HYPHENS + name + &prose(&DOCUMENTS.replace("!attributes\n", &attributes()))
}

/// The attributes of HTML that have links, as items of a list in the form of [`SECTIONS`].
fn attributes() -> String {
    let html = rows(HTML).into_iter().map(|(names, links)| format!("* {names}\n  {links}\n"));
    let svg = rows(SVG).into_iter().map(|(names, links)| format!("* elements of SVG\n  {links} of {names}\n"));
    let vml = rows(VML).into_iter().map(|(names, links)| format!("* {names} of VML\n  {links}\n"));
    let of_all = [("HTML", GLOBAL), ("SVG and MathML", FOREIGN)]
        .map(|(language, all)| format!("* any element of {language}\n  {}\n", links_of(all)));
    html.chain(svg).chain(vml).chain(of_all).collect()
}

/// The elements that have the same links, and these; in alphabetical order.
fn rows(table: &[Row]) -> Vec<(String, String)> {
    let mut elements = BTreeMap::<_, BTreeSet<_>>::new();
    for (names, attributes) in table {
        let row = elements.entry(links_of(attributes)).or_default();
        row.extend(names.iter().map(|name| {
            let camel = CAMEL_CASE.iter().find(|camel| camel.as_bytes().eq_ignore_ascii_case(name));
            camel.map_or_else(|| String::from_utf8_lossy(name), |camel| (*camel).into())
        }));
    }
    elements.remove(""); // what has no links is known for another reason
    let mut rows: Vec<_> = elements.into_iter().map(|(links, names)| (names, links)).collect();
    rows.sort();
    let bold = |names: BTreeSet<_>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    rows.into_iter().map(|(names, links)| (bold(names), links)).collect()
}

/// The attributes that have links, in alphabetical order.
fn links_of(attributes: &[KnownAttribute]) -> String {
    let link = |(name, holds): &KnownAttribute| {
        let more = match holds {
            Holds::Base | Holds::Comment | Holds::AnyRefresh | Holds::Suspected | Holds::Imports | Holds::Nothing => {
                return None;
            }
            Holds::Refresh => " (if it is a refresh, or of Open Graph and the like)",
            Holds::Html | Holds::Fragment => " (the links of its HTML, which may have its own BASE)",
            Holds::Css | Holds::Style => " (the URLs in its CSS)",
            Holds::Url
            | Holds::NonEmpty
            | Holds::Fetched
            | Holds::Hashed
            | Holds::SvgUrl
            | Holds::Canonical
            | Holds::Spaced
            | Holds::Commas
            | Holds::Animated
            | Holds::AnimatedOnce
            | Holds::Candidates
            | Holds::LazyCandidates => "",
        };
        Some(format!("{name}{more}"))
    };
    let mut links: Vec<String> = attributes.iter().filter_map(link).collect();
    links.sort();
    links.join(", ")
}

fn prose(text: &str) -> String {
    let mut roff = Roff::new();
    let (mut before, mut is_compact) = ("", false);
    for line in text.lines() {
        let (is_item, is_end) = (line.starts_with("* ") && !before.is_empty(), line.is_empty());
        if is_item && !is_compact {
            roff.control("PD", ["0"]);
        } else if is_end && is_compact {
            roff.control("PD", []);
        }
        is_compact = is_item || is_compact && !is_end;
        if before.starts_with("    ") && !line.starts_with("    ") {
            roff.control("fi", []).control("RE", []);
        }
        if let Some(name) = line.strip_prefix("# ") {
            roff.control("SH", [name]);
        } else if let Some(name) = line.strip_prefix("## ") {
            roff.control("SS", [name]);
        } else if let Some(tag) = line.strip_prefix("* ") {
            roff.control("TP", ["4"]).text(inline(tag));
        } else if let Some(list) = line.strip_prefix('!') {
            insert(&mut roff, list);
        } else if let Some(literal) = line.strip_prefix("    ") {
            if !before.starts_with("    ") {
                roff.control("PP", []).control("RS", ["4"]).control("nf", []);
            }
            roff.text([roman(literal)]);
        } else if !line.is_empty() {
            if before.is_empty() {
                roff.control("PP", []);
            }
            roff.text(inline(line.trim_start()));
        }
        before = line;
    }
    if is_compact {
        roff.control("PD", []);
    }
    roff.to_roff().replace('\'', r"\(aq") // groff has a curly quote for ', which no shell takes
}

/// Renders a line in which backquotes mark what is bold.
fn inline(line: &str) -> Vec<Inline> {
    let pieces = line.split('`').zip([roman as fn(String) -> Inline, bold].into_iter().cycle());
    pieces.map(|(piece, font)| font(piece.into())).collect()
}

/// Inserts a list that the program has, too.
fn insert(roff: &mut Roff, list: &str) {
    let mut items = |indent: &str, items: &mut dyn Iterator<Item = (&str, &str)>| {
        for (number, (tag, text)) in items.enumerate() {
            if number == 1 {
                roff.control("PD", ["0"]);
            }
            roff.control("TP", [indent]).text([bold(tag)]).text([roman(text)]);
        }
        roff.control("PD", []);
    };
    match list {
        "statuses" => items("4", &mut STATUSES.iter().copied()),
        "examples" => items("4", &mut EXAMPLES.iter().map(|(what, line)| (*line, *what))),
        "reasons" => items("24", &mut Reason::ALL.iter().map(|reason| (reason.code(), reason.text()))),
        _ => {}
    }
}

/// What is wrong in the completion script of clap_complete, the text that does it, and the one that replaces it.
type Patch = (&'static str, &'static str, &'static str);

const BASH: &[Patch] = &[
    ("it does not know that bash makes a word of \"=\", nor what -- means", "    prev=\"$3\"\n", BASH_PREVIOUS),
    (
        "it takes the first word for a subcommand, and arguments for flags",
        " || ${COMP_CWORD} -eq 1 ]]",
        " && \"${prev}\" != \"--\" ]]",
    ),
    (
        "it offers flags for every argument, and no documents",
        "            esac\n            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n",
        BASH_ARGUMENT,
    ),
    ("it offers files where there is nothing to offer", " -o bashdefault -o default", ""),
];

/// Finds the word in bash that says what the current one is: the flag whose value it is, or `--` anywhere before it.
const BASH_PREVIOUS: &str = r#"    prev="$3"
    local before=" ${COMP_WORDS[*]:0:COMP_CWORD} "
    if [[ "${before}" == *" -- "* ]]; then
        prev="--"
    elif [[ "${prev}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD - 2]}"
    elif [[ "${prev}" =~ ^(-c|--check|--compare)$ && "${COMP_WORDS[COMP_CWORD]}" != "=" ]]; then
        prev=""
    fi
"#;

/// Completes an argument in bash.
const BASH_ARGUMENT: &str = r#"            esac
            local words=" ${COMP_WORDS[*]} "
            if [[ "${words%% -- *} " =~ " "(-[0cejkpq]*l[a-z0]*|--links|--rewrite|--print-base)" " ]]; then
                local IFS=$'\n'
                COMPREPLY=( $(compgen -f -- "${cur}") )
                compopt -o filenames 2>/dev/null
            fi
"#;

const ZSH: &[Patch] = &[
    (
        "it offers no documents",
        "'*::references -- document:_files' \\",
        r"'*:document:{ (( ${${(@)words[1,(i)--]}[(I)(-[0cejkpq]#l*|--links|--rewrite|--print-base)]} )) && _files }' \",
    ),
    ("it offers values of --compare as arguments", "'--compare=[", "'--compare=-["),
    ("it offers values of --check as arguments", "--check=[", "--check=-["),
    ("it offers values of -c as arguments, and without =", "-c+[", "-c=-["),
];

/// The patches for fish.
const FISH: &[Patch] = &[
    ("it offers values of --compare as arguments", " -r -f -a \"all\\t", " -f -a \"all\\t"),
    ("it offers values of --check as arguments", " -r -f -a \"generic\\t", " -f -a \"generic\\t"),
];

/// The completion script of clap for a shell.
fn clap_script(shell: Shell) -> String {
    let mut command = Cli::command();
    command = match shell {
        // it offers files for URLs
        Shell::Bash => command.mut_arg("base", |base| base.value_hint(ValueHint::Other)),
        Shell::Zsh => {
            command.mut_arg("references", |argument| argument.help("document").value_hint(ValueHint::FilePath))
        }
        _ => command,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "absurl", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// A completion script in which patches have replaced what clap's does wrong.
fn patched(shell: Shell, patches: &[Patch]) -> String {
    patches.iter().fold(clap_script(shell), |script, (_, old, new)| script.replace(old, new))
}

/// The completion script for fish. clap's offers files for every argument.
fn fish() -> String {
    patched(Shell::Fish, FISH) + FISH_ARGUMENT
}

/// Completes an argument in fish.
const FISH_ARGUMENT: &str = r#"complete -c absurl -f
complete -c absurl -F -n 'string match -qr " (-[0cejkpq]*l|--links|--rewrite|--print-base)" (commandline -cpo | string join " " | string split -m1 -- " -- ")[1]'
"#;

/// The last paragraph of `-h`.
pub fn after_help() -> String {
    let examples: Vec<_> = EXAMPLES.iter().take(4).map(|(_, line)| format!("\n  {line}")).collect();
    format!("Examples:{}", examples.concat())
}

/// The last paragraphs of `--help`.
pub fn after_long_help() -> String {
    let examples: Vec<_> = EXAMPLES.iter().map(|(what, line)| format!("  {what}:\n    {line}\n")).collect();
    let statuses: Vec<_> = STATUSES.iter().map(|(status, what)| format!("  {status}  {what}\n")).collect();
    format!("Examples:\n{}\nExit status:\n{}", examples.concat(), statuses.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_patch_finds_what_it_replaces() {
        for (shell, patches) in [(Shell::Bash, BASH), (Shell::Zsh, ZSH), (Shell::Fish, FISH)] {
            let script = clap_script(shell);
            for (why, old, _) in patches {
                let changed = "a patch in cli/man.rs no longer applies to what clap_complete writes";
                assert!(
                    script.contains(old),
                    "{changed} for {shell}: {old:?} is not there; it was replaced because {why}"
                );
            }
        }
    }
}
