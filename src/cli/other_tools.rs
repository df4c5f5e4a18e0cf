//! Options that other tools have, and what to type instead.

/// All names of an option, with spaces between them, and what to type instead of it.
const OPTIONS: &[(&str, &str)] = &[
    (
        "--browser --browsers --whatwg --encode --rfc3986 --strict",
        "use --spec whatwg (as browsers do, encoded) or --spec rfc3986",
    ),
    ("--url --base-uri --base-href", "use --base"),
    (
        "--unique --uniq --dedup -u --exclude --include --filter --match --grep --scheme --no-fragment --strip-fragment",
        "pipe the URLs into sort -u, grep, or sed 's/#.*//'",
    ),
    ("-r -R --recursive", "a directory is read whole: absurl --links -b URL DIRECTORY"),
    ("--tsv", "--pairs reads BASE TAB REFERENCE, --keep-input prints REFERENCE TAB URL"),
    (
        "--csv --column --field --delimiter",
        "cut -d, -f2 FILE | absurl -b URL reads a column, tail -n +2 FILE | tr , '\\t' | absurl --pairs base and reference",
    ),
    ("--jsonl --ndjson --json-lines", "--json prints JSON Lines, jq -r .FIELD FILE | absurl -b URL reads them"),
    ("--format --output-format", "use --json, --explain or --keep-input"),
    ("-o --output --out --input --errors --skip-errors", "redirect: absurl -b URL <FILE >URLS 2>MESSAGES"),
    ("-z --zero --print0 --null-data", "use --null"),
    (
        "--parse --components --host --is-absolute",
        "--json and --explain show the components, absurl -q URL ends with status 0 if URL is absolute",
    ),
    (
        "--same-host --same-origin --internal --domain",
        "select by host: absurl --links --json -b URL FILE | jq -r 'select(.login.host == \"HOST\").url'",
    ),
    (
        "--external",
        "select by host: absurl --links --json -b URL FILE | jq -r 'select(.login.host and .login.host != \"HOST\").url'",
    ),
    (
        "--images --scripts --enclosures --element --attribute --tag",
        "select by element: absurl --links --json -b URL FILE | jq -r 'select(.element == \"img\").url'",
    ),
    (
        "--text --title --link-text --anchor-text",
        "absurl prints URLs only: absurl -b URL --rewrite FILE | htmlq a prints the links with their texts",
    ),
    (
        "--relativize --relative-to --to-relative --make-relative --reverse --inverse",
        "absurl makes URLs absolute, never relative: perl -MURI -E 'say URI->new($ARGV[0])->rel($ARGV[1])' URL BASE",
    ),
    (
        "-H --with-filename --filename --source -n --line-number --github --annotations --quickfix",
        "--links --json shows the source and line of each link, --check prints FILE:LINE:COL: MESSAGE",
    ),
    ("-L --location --follow --fetch", "absurl does not fetch: curl -sL URL | absurl -b URL --links"),
    (
        "--exists --dead-links --broken --check-links --check-files --fragments --anchors",
        "absurl does not test whether links work: lychee --offline --include-fragments DIRECTORY",
    ),
    (
        "--gzip --gunzip --warc --parquet",
        "pass the file to absurl --links or --file, and a message has the command that reads it",
    ),
];

/// What to type instead of an option that absurl does not have.
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
        let flags = command.get_arguments().flat_map(|flag| {
            let long = flag
                .get_long_and_visible_aliases()
                .unwrap_or_default()
                .into_iter()
                .chain(flag.get_all_aliases().unwrap_or_default());
            long.map(|long| format!("--{long}")).chain(flag.get_short().map(|short| format!("-{short}")))
        });
        let names: Vec<_> = OPTIONS.iter().flat_map(|(names, _)| names.split(' ')).collect();
        assert_eq!(flags.filter(|flag| names.contains(&&**flag)).collect::<Vec<_>>(), [""; 0]);
        assert!(OPTIONS.len() <= 20);
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
    }
}
