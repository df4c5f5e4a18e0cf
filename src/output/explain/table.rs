//! The table of an explanation: the components of base, reference and answer.

use std::array;
use std::borrow::Cow;

use super::{Explanation, NAMES, Value};
use crate::output::buffer::Buffer;
use crate::resolver::login::Login;
use crate::resolver::{Parts, Resolved, parse};

/// The widest column, in characters. A longer value pushes its row.
const MAX_COLUMN: usize = 40;

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
        let answer = self.answer();
        let mut columns = vec![
            ("base", components(self.base).map(|part| self.colors.base(part)).to_vec()),
            ("reference", components(self.reference).map(|part| self.colors.reference(part)).to_vec()),
            ("answer", answer.each_ref().map(|(part, _)| *part).to_vec()),
        ];
        let mut rows: Vec<_> = NAMES.into_iter().zip(answer.iter().map(|(_, origin)| &**origin)).collect();
        if columns.iter().any(|(_, cells)| cells[1].bytes.iter().any(|byte| matches!(byte, b'@' | b':'))) {
            for (_, cells) in &mut columns {
                let Value { bytes, from_base, colors } = cells[1];
                cells.splice(2..2, login(bytes).map(|part| colors.mixed(part, from_base.min(part.len()))));
            }
            let origin = |cell: &Value<'_>| if cell.bytes.is_empty() { "-" } else { rows[1].1 };
            let origins: Vec<_> = columns[2].1[2..6].iter().map(origin).collect();
            rows.splice(2..2, LOGIN.into_iter().zip(origins));
        }
        if self.outcome.base.text.is_empty() {
            columns.remove(0);
        }
        out.fill(12);
        let mut widths = Vec::new();
        for (title, cells) in &columns {
            let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
            let width = widest.clamp(title.len(), MAX_COLUMN);
            out.add([title.as_bytes()]);
            out.fill(width - title.len() + 2);
            widths.push(width);
        }
        out.add([b"from\n"]);
        for (row, (name, origin)) in rows.into_iter().enumerate() {
            out.add([b"  ", name.as_bytes()]);
            out.fill(10 - name.len());
            for ((_, cells), width) in columns.iter().zip(&widths) {
                cells[row].write(out);
                out.fill(width.saturating_sub(cells[row].width()) + 2);
            }
            out.add([origin.as_bytes(), b"\n"]);
        }
    }

    /// The components of the answer, and where each came from.
    fn answer(&self) -> [(Value<'_>, Cow<'static, str>); 6] {
        let Ok(resolved) = self.outcome.result else {
            return NAMES.map(|_| (self.colors.base(b""), "-".into()));
        };
        let inserted = !resolved.parts.inserted().is_empty();
        let parts = components(if inserted { parse(self.outcome.url) } else { resolved.parts });
        array::from_fn(|index| {
            let part = parts[index];
            let (from_base, origin) = match NAMES[index] {
                _ if part.is_empty() => (0, "-".into()),
                "path" => (self.path_from_base(resolved), self.origin_of_path(resolved, inserted).into()),
                _ if index < resolved.step.inherits() => (part.len(), "base".into()),
                _ => (0, "reference".into()),
            };
            (self.colors.mixed(part, from_base), origin)
        })
    }

    /// Where the answer's path came from.
    fn origin_of_path(&self, resolved: &Resolved<'_>, inserted: bool) -> String {
        let path = resolved.parts.path;
        let whose = match &self.merge {
            _ if path.is_empty() => return "step 7".to_owned(),
            None if resolved.step.inherits() > 2 => "base",
            None => "reference",
            Some(merge) => match merge.kept_of_base() {
                0 => "reference",
                all if all == path.len() => "base",
                _ => "both",
            },
        };
        let steps = match (&self.merge, inserted) {
            (None, false) => "",
            (Some(_), false) => ", step 6",
            (None, true) => ", step 7",
            (Some(_), true) => ", steps 6 and 7",
        };
        format!("{whose}{steps}")
    }
}
