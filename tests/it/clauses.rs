//! Each clause of RFC 1808, and of the parts of RFC 1738 that it rests on, is cited where it is implemented, and tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::table::{assert_each, read_rows};

/// The files below a directory, with their contents.
fn files(directory: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                return files(&path);
            }
            vec![(path.display().to_string().replace('\\', "/"), fs::read_to_string(&path).unwrap())]
        })
        .collect()
}

#[test]
fn each_clause_is_cited_where_the_table_says_and_has_a_test() {
    let rows = read_rows(include_str!("../data/clauses.tsv"));
    assert_each(rows.into_iter().map(|row: [_; 5]| {
        let [section, clause, file, citation, test] = row.map(|field| String::from_utf8(field).unwrap());
        let fields = section.contains('§') && !clause.is_empty() && !citation.is_empty();
        let case = format!("{section}: {clause}: {file} has {citation}, and a test {test}");
        if file == "-" {
            return (case, (fields, true, test.is_empty()), (true, true, true));
        }
        let read =
            |directory: &str, path: &str| fs::read_to_string(Path::new(directory).join(path)).unwrap_or_default();
        let (path, name) = test.split_once(' ').unwrap_or_default();
        let tests = read("tests", path);
        let has_it = if path.starts_with("it/") {
            tests.contains(&format!("\nfn {name}() {{"))
        } else {
            tests.lines().any(|line| line.split('\t').next() == Some(name))
        };
        (case, (fields, read("src", &file).contains(&citation), has_it), (true, true, true))
    }));
}

#[test]
fn each_section_that_the_code_cites_is_in_the_table() {
    let table: BTreeSet<_> = read_rows::<5>(include_str!("../data/clauses.tsv"))
        .into_iter()
        .map(|[section, ..]| String::from_utf8(section).unwrap())
        .collect();
    // src/spec cites other standards
    for (file, source) in files(Path::new("src")).into_iter().filter(|(file, _)| !file.starts_with("src/spec/")) {
        for line in source.lines() {
            let mut cited = line.split('§');
            let (mut before, mut rfc) = (cited.next().unwrap(), "");
            for after in cited {
                let end = after.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(after.len());
                let number = after[..end].trim_end_matches('.');
                // "RFC 1738 §3.1, §3.3 and §5" are three of one RFC
                let between = std::mem::replace(&mut before, &after[end..]);
                if ![", ", " and ", ", and "].contains(&between) {
                    rfc = between.rsplit_once("RFC ").map_or("", |(_, number)| number.trim_end());
                }
                let section = match rfc {
                    "1738" => format!("RFC 1738 §{number}"),
                    other if other.len() == 4 && other.bytes().all(|byte| byte.is_ascii_digit()) => continue,
                    _ => format!("§{number}"),
                };
                assert!(number.is_empty() || table.contains(&section), "{file}: {section} in {line}");
            }
        }
    }
}
