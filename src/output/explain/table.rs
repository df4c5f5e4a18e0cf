//! The table of an explanation: the components of base, reference and answer.

use std::array;
use std::borrow::Cow;
use std::ops::Range;

use super::Explanation;
use super::colors::Colored;
use super::line::Screen;
use crate::output::buffer::Buffer;
use crate::resolver::{Parts, Resolved, parse};
use crate::rfc1738::login::Login;

/// The names of the components (§2.1).
const NAMES: &[&str] = &["scheme", "net_loc", "path", "params", "query", "fragment"];

/// The names of the parts of a net_loc (RFC 1738 §3.1), which are under it if one has several.
const LOGIN: &[&str] = &["user", "password", "host", "port"];

/// The parts of a net_loc as [`components`] has it. An absent one is empty, an empty one is its
/// delimiter.
fn login(net_loc: &[u8]) -> [&[u8]; 4] {
    let Login { user, password, host, port } = Login::divide(net_loc.strip_prefix(b"//").unwrap_or(net_loc));
    [(user, &b"@"[..]), (password, b":"), (Some(host), b""), (port, b":")].map(|(part, delimiter)| match part {
        Some([]) => delimiter,
        part => part.unwrap_or_default(),
    })
}

/// The components in the order of their names; an absent one is empty, an empty net_loc is `//`.
fn components(parts: Parts<'_>) -> [&[u8]; 6] {
    let net_loc = match parts.net_loc {
        Some(b"") => b"//",
        net_loc => net_loc.unwrap_or_default(),
    };
    [parts.scheme.unwrap_or_default(), net_loc, parts.path, parts.params, parts.query, parts.fragment]
}

/// A component, or a part of a net_loc.
struct Row<'a> {
    name: &'static str,
    /// What it is in base, reference and answer.
    cells: [Colored<'a>; 3],
    /// How wide they are.
    widths: [usize; 3],
    /// Where the answer's came from: whose it is, and the steps that changed it.
    from: Cow<'static, str>,
}

impl<'a> Row<'a> {
    fn new(name: &'static str, cells: [Colored<'a>; 3], from: Cow<'static, str>) -> Self {
        Row { name, cells, widths: cells.map(Colored::width), from }
    }
}

/// The titles of the cells.
const TITLES: &[&str] = &["base", "reference", "answer"];

/// The width of the names, with the spaces around them.
const NAME: usize = 12;

/// Where the values start after the titles, if each has a line of its own.
const VALUE: usize = NAME + "reference".len() + 2;

impl Explanation<'_> {
    /// Writes the table and an empty line: a line for each component, or several where a line would be too wide. A
    /// component that is absent everywhere has none.
    pub(super) fn table(&self, screen: Screen, out: &mut Buffer) {
        let mut rows = self.rows();
        rows.retain(|row| row.cells.iter().any(|cell| !cell.bytes.is_empty()));
        if rows.is_empty() {
            return;
        }
        // without a base there is no column for it
        let columns = usize::from(self.outcome.base.text.is_empty())..TITLES.len();
        let widest = |column: usize| rows.iter().map(|row| row.widths[column]).max().unwrap_or_default();
        let widths: [usize; 3] = array::from_fn(|column| widest(column).max(TITLES[column].len()));
        let from = rows.iter().map(|row| row.from.len()).fold("from".len(), usize::max);
        let columns_width: usize = widths[columns.clone()].iter().map(|width| width + 2).sum();
        if NAME + columns_width + from <= screen.width {
            write_columns(&rows, columns, widths, out);
        } else {
            write_stacked(&rows, columns, screen, out);
        }
        out.add([b"\n"]);
    }

    /// The rows: the six components, and after the net_loc its parts if one has several.
    fn rows(&self) -> Vec<Row<'_>> {
        let [base, reference, answer] = [self.base, self.reference, parse(self.outcome.url)].map(components);
        let mut rows = Vec::with_capacity(NAMES.len() + LOGIN.len());
        for (index, name) in NAMES.iter().enumerate() {
            let (from_base, from) = self.origin(index, answer[index]);
            let answer = self.colors.mixed(answer[index], from_base);
            let cells = [self.colors.base(base[index]), self.colors.reference(reference[index]), answer];
            rows.push(Row::new(name, cells, from.clone()));
            if *name != "net_loc" || !cells.iter().any(|cell| cell.bytes.iter().any(|byte| b"@:".contains(byte))) {
                continue;
            }
            let logins = cells.map(|net_loc| login(net_loc.bytes));
            for (index, name) in LOGIN.iter().enumerate() {
                let parts = array::from_fn(|column| {
                    let part = logins[column][index];
                    self.colors.mixed(part, cells[column].from_base.min(part.len()))
                });
                let is_absent = logins[2][index].is_empty();
                rows.push(Row::new(name, parts, if is_absent { "-".into() } else { from.clone() }));
            }
        }
        rows
    }

    /// How many of the first bytes of a component of the answer came from the base, and how the table says that.
    fn origin(&self, index: usize, part: &[u8]) -> (usize, Cow<'static, str>) {
        match self.outcome.result {
            Ok(resolved) if !part.is_empty() => match resolved.step.inherits() {
                _ if NAMES[index] == "path" => (self.path_from_base(resolved), self.origin_of_path(resolved)),
                inherits if index < inherits => (part.len(), "base".into()),
                _ => (0, "reference".into()),
            },
            _ => (0, "-".into()),
        }
    }

    /// Where the answer's path came from, and the steps that changed it.
    fn origin_of_path(&self, resolved: &Resolved<'_>) -> Cow<'static, str> {
        let whose = match (self.kept_of_path(resolved), resolved.parts.path.len()) {
            (_, 0) => return "step 7".into(),
            (0, _) => "reference",
            (from_base, all) if from_base == all => "base",
            _ => "both",
        };
        match (&self.merge, resolved.parts.inserted().is_empty()) {
            (None, true) => whose.into(),
            (Some(_), true) => format!("{whose}, step 6").into(),
            (None, false) => format!("{whose}, step 7").into(),
            (Some(_), false) => format!("{whose}, steps 6 and 7").into(),
        }
    }
}

/// Writes each row as a line.
fn write_columns(rows: &[Row<'_>], columns: Range<usize>, widths: [usize; 3], out: &mut Buffer) {
    out.fill(NAME);
    for column in columns.clone() {
        out.add([TITLES[column].as_bytes()]);
        out.fill(widths[column] - TITLES[column].len() + 2);
    }
    out.add([b"from\n"]);
    for row in rows {
        write_name(row, out);
        for column in columns.clone() {
            row.cells[column].write(out);
            out.fill(widths[column] - row.widths[column] + 2);
        }
        out.add([row.from.as_bytes(), b"\n"]);
    }
}

/// Writes base, reference and answer of each row under each other, and below them where the answer's came from.
fn write_stacked(rows: &[Row<'_>], columns: Range<usize>, screen: Screen, out: &mut Buffer) {
    for row in rows {
        write_name(row, out);
        let mut indent = 0;
        for column in columns.clone() {
            let (title, cell) = (TITLES[column], row.cells[column]);
            out.fill(indent);
            out.add([title.as_bytes()]);
            indent = NAME;
            match screen.indent_of(row.widths[column], VALUE) {
                VALUE => out.fill(VALUE - NAME - title.len()),
                indent => {
                    out.add([b"\n"]);
                    out.fill(indent);
                }
            }
            cell.write(out);
            out.add([b"\n"]);
        }
        out.fill(NAME);
        out.add([b"from       ", row.from.as_bytes(), b"\n"]);
    }
}

/// Writes the name of a row.
fn write_name(row: &Row<'_>, out: &mut Buffer) {
    out.add([b"  ", row.name.as_bytes()]);
    out.fill(NAME - 2 - row.name.len());
}
