//! The table of an explanation: the components of base, reference and answer.

use std::array;

use super::Explanation;
use crate::output::buffer::Buffer;
use crate::resolver::{Parts, Resolved, parse};
use crate::rfc1738::login::Login;

/// The widest column, in characters. A longer value pushes its row.
const MAX_COLUMN: usize = 40;

/// The names of the components (§2.1).
const NAMES: [&str; 6] = ["scheme", "net_loc", "path", "params", "query", "fragment"];

/// The names of the parts of a net_loc (RFC 1738 §3.1), which are under it if one has several.
const LOGIN: [&str; 4] = ["user", "password", "host", "port"];

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

impl Explanation<'_> {
    /// Writes the table.
    pub(super) fn table(&self, out: &mut Buffer) {
        let [base, reference, answer] = [self.base, self.reference, parse(self.outcome.url)].map(components);
        let mut rows = Vec::with_capacity(NAMES.len() + LOGIN.len());
        for (index, name) in NAMES.into_iter().enumerate() {
            let (from_base, origin) = self.origin(index, answer[index]);
            let answer = self.colors.mixed(answer[index], from_base);
            let cells = [self.colors.base(base[index]), self.colors.reference(reference[index]), answer];
            rows.push((name, cells, origin));
            if name == "net_loc" && cells.iter().any(|cell| cell.bytes.iter().any(|byte| b"@:".contains(byte))) {
                let logins = cells.map(|cell| login(cell.bytes));
                rows.extend(LOGIN.into_iter().enumerate().map(|(index, name)| {
                    let cell = |column: usize| {
                        let part = logins[column][index];
                        self.colors.mixed(part, cells[column].from_base.min(part.len()))
                    };
                    (name, array::from_fn(cell), if logins[2][index].is_empty() { ["-", ""] } else { origin })
                }));
            }
        }
        let mut columns = vec![("base", 0), ("reference", 1), ("answer", 2)];
        if self.outcome.base.text.is_empty() {
            columns.remove(0);
        }
        out.fill(12);
        let mut widths = [0; 3];
        for (title, column) in &columns {
            let widest = rows.iter().map(|(_, cells, _)| cells[*column].width()).max().unwrap_or(0);
            let width = widest.clamp(title.len(), MAX_COLUMN);
            out.add([title.as_bytes()]);
            out.fill(width - title.len() + 2);
            widths[*column] = width;
        }
        out.add([b"from\n"]);
        for (name, cells, [whose, steps]) in rows {
            out.add([b"  ", name.as_bytes()]);
            out.fill(10 - name.len());
            for (_, column) in &columns {
                let shown = cells[*column].write(out);
                out.fill(widths[*column].saturating_sub(shown) + 2);
            }
            out.add([whose.as_bytes(), steps.as_bytes(), b"\n"]);
        }
    }

    /// How many of the first bytes of a component of the answer came from the base, and how the table says that.
    fn origin(&self, index: usize, part: &[u8]) -> (usize, [&'static str; 2]) {
        match self.outcome.result {
            Ok(_) if part.is_empty() => (0, ["-", ""]),
            Err(_) => (0, ["-", ""]),
            Ok(resolved) if NAMES[index] == "path" => (self.path_from_base(resolved), self.origin_of_path(resolved)),
            Ok(resolved) if index < resolved.step.inherits() => (part.len(), ["base", ""]),
            Ok(_) => (0, ["reference", ""]),
        }
    }

    /// Where the answer's path came from, and the steps that changed it.
    fn origin_of_path(&self, resolved: &Resolved<'_>) -> [&'static str; 2] {
        let whose = match (self.kept_of_path(resolved), resolved.parts.path.len()) {
            (_, 0) => return ["step 7", ""],
            (0, _) => "reference",
            (kept, all) if kept == all => "base",
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
