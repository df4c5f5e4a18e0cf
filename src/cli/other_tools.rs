//! Options that other tools have, and what to type instead.

/// All names of an option, and what to type instead of it.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["--browser", "--browsers", "--whatwg"], "use --spec whatwg"),
    (&["--rfc3986", "--strict"], "use --spec rfc3986"),
    (&["--url", "--base-uri", "--base-href"], "use --base"),
    (&["--unique", "--uniq", "--dedup", "-u"], "pipe the URLs into sort -u"),
    (&["-r", "-R", "--recursive"], "a directory is read whole: absurl --links -b URL DIRECTORY"),
    (&["--tsv"], "--pairs reads BASE TAB REFERENCE, --keep-input prints REFERENCE TAB URL"),
    (&["--csv", "--column", "--field", "--delimiter"], "pass one column: cut -d, -f2 FILE | absurl -b URL"),
    (
        &["--jsonl", "--ndjson", "--json-lines"],
        "--json prints JSON Lines, jq -r .FIELD FILE | absurl -b URL reads them",
    ),
    (&["--format", "--output-format"], "use --json, --explain or --keep-input"),
    (&["-o", "--output", "--out"], "redirect the output: absurl -b URL REFERENCE >FILE"),
    (&["-z", "--zero", "--print0", "--null-data"], "use --null"),
    (&["--parse", "--components", "--host"], "--json and --explain show the components of a URL"),
    (
        &["--same-host", "--same-origin", "--internal", "--external", "--domain"],
        "select by host: absurl --json -b URL -f FILE | jq -r 'select(.login.host == \"HOST\").url'",
    ),
    (
        &["--images", "--scripts", "--enclosures", "--element", "--attribute", "--tag"],
        "select by element: absurl --links --json FILE | jq -r 'select(.element == \"img\").url'",
    ),
    (&["--text", "--title"], "absurl prints URLs only: htmlq --text a <FILE prints the texts of links"),
    (&["--exclude", "--include", "--filter", "--match", "--grep", "--scheme"], "pipe the URLs into grep"),
    (&["--no-fragment", "--strip-fragment"], "pipe the URLs into sed 's/#.*//'"),
    (&["--relative", "--relativize"], "absurl makes URLs absolute, never relative"),
    (&["-H", "--with-filename"], "--links --json shows the source of each link"),
    (&["-L", "--location", "--follow", "--fetch"], "absurl does not fetch: curl -sL URL | absurl -b URL --links"),
];

/// What to type instead of an option that absurl does not have.
pub fn instead_of(option: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(names, _)| names.contains(&option)).map(|(_, instead)| *instead)
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
        let names: Vec<_> = OPTIONS.iter().flat_map(|(names, _)| *names).collect();
        assert_eq!(flags.filter(|flag| names.iter().any(|name| *name == flag)).collect::<Vec<_>>(), [""; 0]);
        assert!(OPTIONS.len() <= 20);
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
    }
}
