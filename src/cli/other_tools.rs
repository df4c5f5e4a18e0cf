//! Options that other tools have, and what to use instead: one fact each.

/// All names of an option, with spaces between them, and what to use instead of it.
const OPTIONS: &[(&str, &str)] = &[
    ("--browser --browsers --whatwg --encode --normalize --canonical", "use --spec whatwg"),
    ("-B --url --base-uri --base-href", "use -b or --base"),
    ("--input", "use --file"),
    ("--silent", "use --quiet"),
    ("-z --zero --print0 --null-data", "use --null"),
    ("-o --output --out", "absurl writes to standard output"),
    ("--format --output-format", "use --json, --explain or --keep-input"),
    ("--tsv --csv --column --field --delimiter", "--pairs reads BASE TAB REFERENCE"),
    ("--jsonl --ndjson --json-lines --parse --components", "--json prints JSON Lines, with the components"),
    (
        "--host --hostname --origin --external --same-host --same-origin --internal --domain --offsite --outbound",
        "--check=host finds what leaves the host of --base",
    ),
    ("-r -R --recursive --dump", "--links prints the links of documents and directories"),
    ("--images --scripts --element --attribute --tag", "--links --json names the element of each link"),
    ("--line-number --with-filename --place", "--with-place prints the place of each link"),
    ("--convert-links --relativize --relative-to --make-relative", "use --relative"),
    ("-L --location --follow --fetch", "absurl does not fetch"),
    (
        "--dead-links --dead --broken --exists --check-links --anchors --check=links --check=dead --check=broken --check=exists",
        "--check=files -l finds links to files that are missing",
    ),
    ("--from --mv --rename", "use --rewrite --move OLD NEW"),
    ("--redirect", "pass it as an argument after --"),
    ("--man --completion --completions", "use --generate man, complete-bash, complete-zsh or complete-fish"),
    ("-v", "-V prints the version"),
    ("-u --unique --uniq --dedup --dedupe", "absurl answers each line; sort -u leaves out repeated ones"),
];

/// What to use instead of an option that absurl does not have.
pub fn instead_of(option: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(names, _)| names.split(' ').any(|name| name == option)).map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Cli;
    use super::OPTIONS;

    #[test]
    fn no_option_of_absurl_is_one_of_another_tool() {
        let command = Cli::command();
        let names: Vec<_> = OPTIONS.iter().flat_map(|(names, _)| names.split(' ')).collect();
        assert!(OPTIONS.len() <= 21);
        for (index, name) in names.iter().enumerate() {
            assert!(command.clone().try_get_matches_from(["absurl", name]).is_err(), "{name}");
            assert!(!names[..index].contains(name), "{name}");
        }
    }

    #[test]
    fn each_long_option_that_an_answer_names_exists() {
        let command = Cli::command();
        let words = OPTIONS.iter().flat_map(|(_, instead)| instead.split([' ', ',', '=']));
        for name in words.filter_map(|word| word.strip_prefix("--")).filter(|name| !name.is_empty()) {
            assert!(command.get_arguments().any(|flag| flag.get_long() == Some(name)), "{name}");
        }
    }
}
