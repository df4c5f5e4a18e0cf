//! The table and the steps of an explanation, built from its JSON, the oracle, and the literal step 6.

use serde_json::{Value, json};

use super::literal::{Path, Removal, path_bytes};
use super::{escaped, indent_of, lossy, wrapped};
use crate::oracle::{self, Components};
use crate::resolve::{NAMES, name_components};

/// A component that is there and empty. No record has a NUL.
const EMPTY: &[u8] = b"\0";

/// A component or a path as a person sees it.
fn json_value(bytes: &[u8]) -> String {
    match bytes {
        b"" => "-".to_owned(),
        b"-" => "\\x2D".to_owned(),
        b"(empty)" => "\\x28empty)".to_owned(),
        EMPTY => "(empty)".to_owned(),
        bytes => escaped(bytes),
    }
}

/// Text and spaces, at least so many characters.
fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.chars().count()))
}

/// The six components of a URL; an empty net_loc is [`EMPTY`].
fn components(url: &[u8]) -> [Vec<u8>; 6] {
    let Components { scheme, net_loc, path, params, query, fragment } = oracle::parse(url);
    let net_loc = net_loc.map(|net_loc| if net_loc.is_empty() { EMPTY.to_vec() } else { net_loc });
    [scheme.unwrap_or_default(), net_loc.unwrap_or_default(), path, params, query, fragment]
}

/// User, password, host and port of a net_loc (RFC 1738 §3.1); an empty one is its delimiter.
fn split_login(net_loc: &[u8]) -> [Vec<u8>; 4] {
    let net_loc = if net_loc == EMPTY { b"" } else { net_loc };
    let (login, hostport) = match net_loc.iter().rposition(|byte| *byte == b'@') {
        Some(at) => (Some(&net_loc[..at]), &net_loc[at + 1..]),
        None => (None, net_loc),
    };
    let colon = |text: &[u8]| text.iter().position(|byte| *byte == b':');
    let before = |text: &[u8]| text[..colon(text).unwrap_or(text.len())].to_vec();
    let after = |text: &[u8]| colon(text).map(|colon| text[colon + 1..].to_vec());
    let shown = |part: Option<Vec<u8>>, delimiter: &[u8]| {
        part.map_or_else(Vec::new, |part| if part.is_empty() { delimiter.to_vec() } else { part })
    };
    [shown(login.map(before), b"@"), shown(login.and_then(after), b":"), before(hostport), shown(after(hostport), b":")]
}

/// A record that is explained.
pub struct Record<'a> {
    pub base: &'a [u8],
    pub reference: &'a [u8],
    /// The plain answer; empty if there is no answer.
    pub plain: &'a [u8],
    /// The names of the inherited components.
    pub inherited: Vec<&'static str>,
    pub object: &'a Value,
    /// What step 6 starts from, and what it removes; nothing if it was not done.
    pub joined: Path,
    pub removals: Vec<Removal>,
}

impl Record<'_> {
    /// Whether step 6 was done.
    pub fn is_merged(&self) -> bool {
        self.object["step"] == "6"
    }

    /// Whether the base has a net_loc and no path: reading 5.
    pub fn has_no_path(&self) -> bool {
        let base = oracle::parse(self.base);
        base.net_loc.is_some() && base.path.is_empty()
    }

    /// The base path that is merged.
    pub fn base_path(&self) -> Vec<u8> {
        if self.has_no_path() { b"/".to_vec() } else { oracle::parse(self.base).path }
    }

    /// Whether step 6 is drawn.
    fn is_drawn(&self) -> bool {
        let is_short = |path: &[u8]| path.len() <= 60 && path.iter().all(|byte| (0x21..0x7F).contains(byte));
        self.is_merged()
            && is_short(&self.base_path())
            && is_short(&path_bytes(&self.joined))
            && self.removals.len() <= 10
    }

    /// Where the answer's path came from.
    fn origin_of_path(&self, path: &[u8]) -> String {
        let own = if self.inherited.contains(&"path") { self.base } else { self.reference };
        let (before, step) = match self.removals.last().map_or(&self.joined, |removal| &removal.after) {
            merged if self.is_merged() => (merged.clone(), true),
            _ => (components(own)[2].iter().map(|byte| (*byte, own == self.base)).collect(), false),
        };
        let came_from = |from_base| before.iter().any(|(_, base)| *base == from_base);
        let whose = match (came_from(true), came_from(false)) {
            (true, true) => "both",
            (true, false) => "base",
            (false, true) => "reference",
            (false, false) => return "step 7".to_owned(),
        };
        let steps = match (step, path_bytes(&before) != path) {
            (false, false) => "",
            (true, false) => ", step 6",
            (false, true) => ", step 7",
            (true, true) => ", steps 6 and 7",
        };
        format!("{whose}{steps}")
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut columns =
            vec![("reference", components(self.reference).to_vec()), ("answer", components(self.plain).to_vec())];
        if !self.base.is_empty() {
            columns.insert(0, ("base", components(self.base).to_vec()));
        }
        let mut names = NAMES.to_vec();
        if columns.iter().any(|(_, cells)| cells[1].iter().any(|byte| b"@:".contains(byte))) {
            names.splice(2..2, ["user", "password", "host", "port"]);
            for (_, cells) in &mut columns {
                let parts = split_login(&cells[1]);
                cells.splice(2..2, parts);
            }
        }
        let origin = |name, part: &[u8]| {
            let component = if NAMES.contains(&name) { name } else { "net_loc" };
            match name {
                _ if part.is_empty() => "-".to_owned(),
                "path" => self.origin_of_path(part),
                _ => if self.inherited.contains(&component) { "base" } else { "reference" }.to_owned(),
            }
        };
        let (_, answer) = columns.last().expect("the answer");
        let origins: Vec<_> = names.iter().zip(answer).map(|(name, part)| origin(name, part)).collect();
        columns.push(("from", origins.iter().map(|origin| origin.as_bytes().to_vec()).collect()));
        let shown = |column: &(_, Vec<Vec<u8>>), row: usize| {
            if column.0 == "from" { origins[row].clone() } else { json_value(&column.1[row]) }
        };
        // rows in which all is absent are left out
        let rows: Vec<_> = (0..names.len()).filter(|row| columns.iter().any(|one| shown(one, *row) != "-")).collect();
        if rows.is_empty() {
            return String::new();
        }

        let mut lines = vec![" ".repeat(12)];
        lines.extend(rows.iter().map(|row| format!("  {:10}", names[*row])));
        for column in &columns {
            let cells: Vec<_> = rows.iter().map(|row| shown(column, *row)).collect();
            let width = cells.iter().map(|cell| cell.chars().count()).max().expect("cells").max(column.0.len());
            for (line, cell) in lines.iter_mut().zip([column.0].into_iter().chain(cells.iter().map(String::as_str))) {
                *line += &(padded(cell, width) + "  ");
            }
        }
        let lines: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
        if lines.iter().all(|line| line.chars().count() <= 80) {
            return lines.join("\n") + "\n\n";
        }
        let mut stacked = String::new();
        for row in rows {
            let mut label = format!("  {:10}", names[row]);
            for column in &columns {
                let value = shown(column, row);
                let is_alone = 23 + value.chars().count() > 80;
                let title = if is_alone { column.0.to_owned() + "\n  " } else { padded(column.0, 11) };
                stacked += &[&*label, &title, &value, "\n"].concat();
                label = " ".repeat(12);
            }
        }
        stacked + "\n"
    }

    /// The steps, each with the texts of its JSON and the paths of the literal step 6.
    pub fn steps(&self) -> String {
        let object = self.object;
        let field = |item: &Value, name: &str| item[name].as_str().map(str::to_owned);
        let (is_drawn, joined) = (self.is_drawn(), path_bytes(&self.joined));
        let width = json_value(&self.base_path()).len().max(json_value(&joined).len());
        let mut is_base_path = is_drawn || self.has_no_path();
        let (mut text, mut before, mut left) = (String::new(), String::new(), self.removals.iter());
        for item in object["steps"].as_array().expect("steps") {
            let (step, words) = (field(item, "step").expect("a step"), field(item, "text").expect("a text"));
            let removal = item.get("removed").map(|_| left.next().expect("no more removals than the RFC's"));
            let mut label = match &*step {
                "note" => "Note     ".to_owned(),
                "error" => "error: ".to_owned(),
                _ if step == before && removal.is_none() => " ".repeat(9),
                _ if step.len() == 1 => format!("Step {step}   "),
                _ => format!("     {step}  "),
            };
            // what is drawn before the words, and the path in the line after them
            let (mut column, mut path) = (String::new(), None);
            if let Some(Removal { step: own, start, removed, after }) = removal {
                assert_eq!((&*step, &*words), (*own, &*format!("\"{}\" removed", escaped(removed))), "{object}");
                assert_eq!(item["removed"], lossy(removed), "{object}");
                column = " ".repeat(*start) + &"^".repeat(removed.len());
                path = (is_drawn || left.len() == 0).then(|| path_bytes(after));
                assert_eq!(field(item, "path"), path.as_deref().map(lossy), "{object}");
            } else if self.is_merged() && step == "6" {
                let is_shown = is_drawn || !is_base_path && self.removals.is_empty();
                path = is_shown.then(|| if is_base_path { self.base_path() } else { joined.clone() });
                is_base_path = false;
                assert_eq!(field(item, "path"), path.as_deref().map(lossy), "{object}");
                if is_drawn {
                    column = json_value(&path.take().expect("a path"));
                }
            } else {
                assert_eq!(item.get("path"), None, "{object}");
            }
            if is_drawn && step.starts_with('6') && 9 + width + 5 + words.chars().count() <= 80 {
                text += &[&*label, &padded(&column, width + 5), &words, "\n"].concat();
            } else {
                if is_drawn && !column.is_empty() {
                    text += &[&*label, &column, "\n"].concat();
                    label = " ".repeat(9);
                }
                let words = words.replace("(§3.3, the record)", "(§3.3,\u{A0}the\u{A0}record)");
                let first = words.split(' ').next().expect("a word").chars().count();
                if step != "error" && 9 + first > 80 {
                    let label_line = label.trim_end().to_owned() + "\n";
                    text += label_line.trim_start_matches('\n');
                    label = " ".repeat(2);
                }
                // the label is no word
                let label = label.replace(' ', "\u{A0}");
                text += &wrapped(&format!("{label}{words}"), 9).replace('\u{A0}', " ");
            }
            if let Some(path) = path {
                text += &(" ".repeat(indent_of(json_value(&path).chars().count(), 9)) + &json_value(&path) + "\n");
            }
            before = step;
        }
        assert!(left.next().is_none(), "a removal is missing: {object}");
        text
    }

    /// Checks what is parsed, and that each step is there.
    pub fn assert_complete(&self) {
        let object = self.object;
        let steps = object["steps"].as_array().expect("steps");
        let mut numbers: Vec<_> = steps.iter().map(|item| item["step"].as_str().expect("a step")).collect();
        numbers.retain(|step| !["note", "error"].contains(step));
        assert!(numbers.is_sorted(), "{object}");
        numbers.dedup();
        numbers.retain(|step| step.len() == 1);
        assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7"], "{object}");

        let named = |url: &[u8]| name_components(&oracle::parse(url));
        let is_parsed = oracle::parse(self.base).scheme.is_some();
        let expected = is_parsed.then(|| json!({ "base": named(self.base), "reference": named(self.reference) }));
        let parsed: Vec<_> =
            steps.iter().filter_map(|item| Some((item["step"].as_str()?, item.get("parsed")?))).collect();
        assert_eq!(parsed, Vec::from_iter(expected.as_ref().map(|parsed| ("2", parsed))), "{object}");
    }
}
