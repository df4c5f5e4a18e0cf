//! The man page, from the flags and the prose of `man/sections.txt`, and the completion scripts.

use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::{Cli, EXAMPLES, Generated, STATUSES};
use crate::compare::Reason;

/// The date of the release.
const DATE: &str = "2026-11-21";

/// The sections after the synopsis. `# ` starts a section, `* ` an item of a list, whose text is indented by two
/// spaces. Lines indented by four are not filled. What is between backquotes is bold, and `!name` inserts a list.
const SECTIONS: &str = include_str!("../../man/sections.txt");

/// Generates the man page or a completion script.
pub fn generate(kind: Generated) -> Vec<u8> {
    match kind {
        Generated::Man => man_page(),
        Generated::CompleteBash => patched(Shell::Bash, BASH),
        Generated::CompleteZsh => patched(Shell::Zsh, ZSH),
        Generated::CompleteFish => fish(),
        Generated::CompletePowershell => clap_script(Shell::PowerShell),
        Generated::CompleteElvish => clap_script(Shell::Elvish),
    }
    .into_bytes()
}

fn man_page() -> String {
    let about = "turns relative URLs into absolute ones, by the letter of RFC 1808";
    let man = Man::new(Cli::command().about(about))
        .title("ABSURL")
        .section("1")
        .date(DATE)
        .source(concat!("absurl ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let (before, after) = SECTIONS.split_once("!options\n").unwrap_or((SECTIONS, ""));
    let (mut page, mut options) = (Vec::new(), Vec::new());
    // a Vec takes all that is written to it
    let _ = man.render_title(&mut page);
    let _ = man.render_name_section(&mut page);
    let _ = man.render_synopsis_section(&mut page);
    let _ = man.render_options_section(&mut options);
    // the headings of --help are subsections here
    let options = String::from_utf8_lossy(&options).replace(".SH OPTIONS\n", "").replace(".SH ", ".SS ");
    String::from_utf8_lossy(&page).into_owned() + &prose(before) + &options + &prose(after)
}

fn prose(text: &str) -> String {
    let mut roff = Roff::new();
    let mut before = "";
    for line in text.lines() {
        if before.starts_with("    ") && !line.starts_with("    ") {
            roff.control("fi", []).control("RE", []);
        }
        if let Some(name) = line.strip_prefix("# ") {
            roff.control("SH", [name]);
        } else if let Some(name) = line.strip_prefix("## ") {
            roff.control("SS", [name]);
        } else if let Some(tag) = line.strip_prefix("* ") {
            roff.control("TP", []).text(inline(tag));
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
    roff.to_roff()
}

/// Renders a line in which backquotes mark what is bold.
fn inline(line: &str) -> Vec<Inline> {
    let pieces = line.split('`').zip([roman as fn(String) -> Inline, bold].into_iter().cycle());
    pieces.map(|(piece, font)| font(piece.into())).collect()
}

/// Inserts a list that the program has, too.
fn insert(roff: &mut Roff, list: &str) {
    let mut item = |tag: &str, text: &str| {
        roff.control("TP", []).text([bold(tag)]).text([roman(text)]);
    };
    match list {
        "statuses" => STATUSES.iter().for_each(|(status, what)| item(status, what)),
        "examples" => EXAMPLES.iter().for_each(|(what, line)| item(line, what)),
        "reasons" => Reason::ALL.iter().for_each(|reason| item(reason.code(), reason.text())),
        _ => {}
    }
}

/// What is wrong in the completion script of clap_complete, the text that does it, and the one that replaces it.
type Patch = (&'static str, &'static str, &'static str);

const BASH: &[Patch] = &[
    ("it does not know that bash makes a word of \"=\"", "    prev=\"$3\"\n", BASH_PREVIOUS),
    ("it takes the first word for a subcommand", " || ${COMP_CWORD} -eq 1 ]]", " ]]"),
    (
        "it offers flags for every argument, and no documents",
        "            esac\n            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n",
        BASH_ARGUMENT,
    ),
    ("it offers files where there is nothing to offer", " -o bashdefault -o default", ""),
];

/// Finds the word before the current one in bash.
const BASH_PREVIOUS: &str = r#"    prev="$3"
    [[ "${prev}" == "=" ]] && prev="${COMP_WORDS[COMP_CWORD - 2]}"
    [[ "${prev}" == --compare && "${COMP_WORDS[*]}" != *"--compare ="* ]] && prev=""
"#;

/// Completes an argument in bash.
const BASH_ARGUMENT: &str = r#"            esac
            if [[ " ${COMP_WORDS[*]} " =~ " "(-[0cejkpq]*l[a-z0]*|--links|--rewrite|--print-base)" " ]]; then
                local IFS=$'\n'
                COMPREPLY=( $(compgen -f -- "${cur}") )
                compopt -o filenames 2>/dev/null
            fi
"#;

const ZSH: &[Patch] = &[
    (
        "it offers no documents",
        "'*::references -- document:_files' \\",
        r"'*:document:{ (( $words[(I)(-[0cejkpq]#l*|--links|--rewrite|--print-base)] )) && _files }' \",
    ),
    ("it offers values of --compare as arguments", "'--compare=[", "'--compare=-["),
];

/// The patches for fish.
const FISH: &[Patch] = &[("it offers values of --compare as arguments", " -r -f -a \"all\\t", " -f -a \"all\\t")];

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
    patched(Shell::Fish, FISH)
        + "complete -c absurl -f\ncomplete -c absurl -n '__fish_contains_opt -s l links rewrite print-base' -F\n"
}

/// The last paragraph of `-h`.
pub fn after_help() -> String {
    let examples: Vec<_> = EXAMPLES.iter().take(3).map(|(_, line)| format!("\n  {line}")).collect();
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
