//! Imports between the files of `src` go one way: no file imports from one that, perhaps through others, imports from it.
//! Comments end at column 120. The crate has what tests in `src` read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The path of a module, such as `["document", "xml"]`; empty for `main.rs`.
type Module = Vec<String>;

/// The files of Rust below a directory.
fn sources(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let files = WalkDir::new(directory).into_iter().map(|entry| entry.expect("a directory can be read").into_path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
}

/// The code of each module, without comments and tests.
fn read_modules() -> BTreeMap<Module, String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |file: PathBuf| {
        let path = file.strip_prefix(&src).unwrap().with_extension("");
        let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
        let text = fs::read_to_string(file).unwrap();
        let lines = text.split("mod tests {").next().unwrap().lines();
        let code = lines.map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
        (names.filter(|name| name != "main" && name != "mod").collect(), code)
    };
    sources(&src).map(read).filter(|(module, _): &(Module, _)| !module.contains(&"tests".to_owned())).collect()
}

/// Finds the paths that a text starts with, each after `outer`: one, or those of a group. Returns the rest of the text.
fn read_paths<'t>(text: &'t str, outer: &[&'t str], paths: &mut Vec<Vec<&'t str>>) -> &'t str {
    if let Some(group) = text.strip_prefix('{') {
        let mut rest = group.trim_start();
        while !rest.is_empty() && !rest.starts_with('}') {
            rest = read_paths(rest, outer, paths);
            let end = rest.find([',', '}']).unwrap_or(rest.len()); // after `as Name`
            rest = rest[end..].trim_start_matches([' ', '\n', ',']);
        }
        return rest.strip_prefix('}').unwrap_or_default();
    }
    let length = text.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(text.len());
    let path = [outer, &[&text[..length]]].concat();
    match text[length..].strip_prefix("::") {
        Some(rest) if length > 0 => read_paths(rest, &path, paths),
        _ => {
            paths.push(path);
            &text[length..]
        }
    }
}

/// The modules that a module imports from, by `use` or by a path.
fn imports(module: &Module, modules: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let (code, mut paths) = (&*modules[module], Vec::new());
    let is_child = |name: &str| modules.contains_key(&[module.clone(), vec![name.to_owned()]].concat());
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|char: char| !char.is_alphanumeric() && char != '_').map_or(0, |at| at + 1);
        let first = &code[start..at];
        if matches!(first, "crate" | "self" | "super") || !code[..start].ends_with("::") && is_child(first) {
            read_paths(&code[start..], &[], &mut paths);
        }
    }
    let target = |path: &Vec<&str>| {
        let mut target = if path[0] == "crate" { vec![] } else { module.clone() };
        for name in path.iter().skip_while(|name| matches!(**name, "crate" | "self")) {
            let inner = [target.clone(), vec![(*name).to_owned()]].concat();
            match *name {
                "super" => drop(target.pop()),
                _ if modules.contains_key(&inner) => target = inner,
                _ => break,
            }
        }
        target
    };
    paths.iter().map(target).filter(|target| target != module).collect()
}

#[test]
fn imports_form_no_circle() {
    let modules = read_modules();
    let mut left: BTreeMap<_, _> = modules.keys().map(|module| (module, imports(module, &modules))).collect();
    assert!(left.values().flatten().count() > 4 * left.len(), "the imports are not found");
    // a file that imports from none of those that are left is in no circle
    while let Some(module) = left.iter().find(|(_, from)| from.iter().all(|from| !left.contains_key(from))) {
        let module = *module.0;
        left.remove(module);
    }
    let names: Vec<_> = left.keys().map(|module| module.join("/")).collect();
    assert!(names.is_empty(), "a circle, and what imports from it: {names:?}");
}

#[test]
fn comments_end_at_column_120_and_name_what_they_mean() {
    let (root, mut long) = (Path::new(env!("CARGO_MANIFEST_DIR")), Vec::new());
    for file in sources(&root.join("src")) {
        for (line, number) in fs::read_to_string(&file).unwrap().lines().zip(1..) {
            // after code, too, but not the slashes of a URL in a text
            let is_comment = line.trim_start().starts_with("//") || line.contains(" // ");
            let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
            let is_vague = is_comment && text.starts_with("The same");
            if is_vague || is_comment && line.chars().count() > 120 {
                long.push(format!("{}:{number}", file.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(long.is_empty(), "comments after column 120, or that begin \"The same\": {long:?}");
}

#[test]
fn the_crate_has_each_table_that_tests_in_src_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for file in sources(&root.join("src")) {
        for table in fs::read_to_string(&file).unwrap().split("../tests/data/").skip(1) {
            let table = table.split('"').next().unwrap();
            assert!(manifest.contains(&format!("\"/tests/data/{table}\"")), "include {table} in Cargo.toml");
        }
    }
}
