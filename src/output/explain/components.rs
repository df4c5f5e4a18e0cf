//! The rows of the table of an explanation by RFC 1808.

use std::array;

use super::Explanation;
use super::table::{CameFrom, NOWHERE, Row, Table, columns_with};
use crate::resolver::{Parts, Resolved};
use crate::rfc1738::login::Login;

/// The names of the components (§2.1).
const NAMES: &[&str] = &["scheme", "net_loc", "path", "params", "query", "fragment"];

/// The names of the parts of a net_loc (RFC 1738 §3.1), which are under it if one has several.
const LOGIN: &[&str] = &["user", "password", "host", "port"];

/// The parts of a net_loc. An absent one is empty, an empty one is its delimiter.
fn login(net_loc: &[u8]) -> [&[u8]; 4] {
    let Login { user, password, host, port } = Login::divide(net_loc);
    [(user, &b"@"[..]), (password, b":"), (Some(host), b""), (port, b":")].map(|(part, delimiter)| match part {
        Some([]) => delimiter,
        part => part.unwrap_or_default(),
    })
}

/// The components in the order of their names. Only a net_loc can be there and empty.
fn components(parts: Parts<'_>) -> [Option<&[u8]>; 6] {
    let some = |part| Some(part).filter(|part: &&[u8]| !part.is_empty());
    [parts.scheme, parts.net_loc, some(parts.path), some(parts.params), some(parts.query), some(parts.fragment)]
}

/// The width of the names of RFC 1808, with the spaces around them.
const NAMES_WIDTH: usize = 12;

impl Explanation<'_> {
    /// The table of the components of base, reference and answer.
    pub(super) fn table(&self) -> Table<'_> {
        Table { rows: self.rows(), columns: columns_with(self.outcome.base.text), names: NAMES_WIDTH }
    }

    /// The rows: the six components, and after the net_loc its parts if one has several.
    fn rows(&self) -> Vec<Row<'_>> {
        let [base, reference, answer] = [self.base, self.reference, self.answer].map(components);
        let mut rows = Vec::with_capacity(NAMES.len() + LOGIN.len());
        for (index, name) in NAMES.iter().enumerate() {
            let (from_base, from) = self.origin(index, answer[index]);
            let cells = [
                self.colors.component(base[index], usize::MAX),
                self.colors.component(reference[index], 0),
                self.colors.component(answer[index], from_base),
            ];
            rows.push(Row::new(name, cells, from));
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
                rows.push(Row::new(name, parts, if is_absent { NOWHERE } else { from }));
            }
        }
        rows
    }

    /// How many of the first bytes of a component of the answer came from the base, and how the table says that.
    fn origin(&self, index: usize, part: Option<&[u8]>) -> (usize, CameFrom) {
        match (self.outcome.result, part) {
            (Ok(resolved), Some(part)) => match resolved.step.inherits() {
                _ if NAMES[index] == "path" => (self.path_from_base(resolved), self.origin_of_path(resolved)),
                inherits if index < inherits => (part.len(), ["base", ""]),
                _ => (0, ["reference", ""]),
            },
            _ => (0, NOWHERE),
        }
    }

    /// Where the answer's path came from, and the steps that changed it.
    fn origin_of_path(&self, resolved: &Resolved<'_>) -> CameFrom {
        let whose = match (self.kept_of_path(resolved), resolved.parts.path.len()) {
            (_, 0) => return ["step 7", ""],
            (0, _) => "reference",
            (from_base, all) if from_base == all => "base",
            _ => "both",
        };
        let steps = match (&self.merge, resolved.parts.inserted().is_empty()) {
            (None, true) => "",
            (Some(_), true) => ", step 6",
            (None, false) => ", step 7",
            (Some(_), false) => ", steps 6 and 7",
        };
        [whose, steps]
    }
}
