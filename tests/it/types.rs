//! Each type of documents has rows in the tables of documents, hostile ones, and a line in the manual.

use crate::hostile;
use crate::table::read_rows;

/// The types: their names, and the endings of their files.
fn types() -> Vec<(&'static str, Vec<&'static str>)> {
    let source = include_str!("../../src/document/types.rs");
    let quoted = |text: &'static str| text.split('"').skip(1).step_by(2);
    let read = |row: &'static str| {
        let (name, endings) = row.split_once("&[").expect("endings");
        let (endings, _) = endings.split_once(']').expect("the last ending");
        (quoted(name).next().expect("a name"), quoted(endings).collect())
    };
    source.split("\n    row(").skip(1).map(read).collect()
}

#[test]
fn each_type_has_a_row_in_each_table() {
    let links = read_rows::<4>(include_str!("../data/links.tsv"));
    let rewrite = read_rows::<4>(include_str!("../data/rewrite.tsv"));
    let sniffed = read_rows::<4>(include_str!("../data/sniffed.tsv"));
    let is_answered = |row: &&[Vec<u8>; 4]| !row[2].is_empty() && row[2] != b"refused";
    let manual =
        [("documents", include_str!("../../man/documents.txt")), ("sections", include_str!("../../man/sections.txt"))];
    let (types, mut missing) = (types(), Vec::new());
    for (name, endings) in &types {
        let is_named = |[options, ..]: &[Vec<u8>; 4]| {
            let mut words = str::from_utf8(options).expect("UTF-8").split([' ', ';']);
            words.any(|word| word == *name)
        };
        let mut need = |is_there: bool, what: String| missing.extend((!is_there).then_some(what));
        need(links.iter().filter(is_answered).any(is_named), format!("links.tsv: --media-type {name}"));
        need(rewrite.iter().any(is_named), format!("rewrite.tsv: --media-type {name}"));
        for ending in endings {
            let has_ending = |row: &[Vec<u8>; 4]| row[0].ends_with(format!(".{ending}").as_bytes());
            need(sniffed.iter().filter(is_answered).any(has_ending), format!("sniffed.tsv: a.{ending} with a link"));
            let is_whole = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            for (page, text) in manual {
                let is_named = text.split(&format!(".{ending}")).skip(1).any(is_whole);
                need(is_named, format!("man/{page}.txt: .{ending}"));
            }
        }
        need(hostile::types::TYPES.iter().any(|(own, _)| own == name), format!("hostile/types.rs: {name}"));
    }
    assert!(missing.is_empty(), "these rows are missing:\n{}", missing.join("\n"));
    assert_eq!(types.len(), hostile::types::TYPES.len());
}
