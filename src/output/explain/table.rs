//! The table of an explanation: the components of base, reference and answer.

use std::array;

use super::colors::Colored;
use super::line::Screen;
use crate::output::buffer::Buffer;

/// A component, or a part of one.
pub(super) struct Row<'a> {
    name: &'static str,
    /// What it is in base, reference and answer.
    cells: [Colored<'a>; 3],
    /// How wide they are.
    widths: [usize; 3],
    /// Where the answer's came from.
    from: CameFrom,
}

/// Whose the component of the answer is, and the steps that changed it.
pub(super) type CameFrom = [&'static str; 2];

/// What is said of a component that the answer does not have.
pub(super) const NOWHERE: CameFrom = ["-", ""];

impl<'a> Row<'a> {
    pub(super) fn new(name: &'static str, cells: [Colored<'a>; 3], from: CameFrom) -> Self {
        Row { name, cells, widths: cells.map(Colored::width), from }
    }
}

/// The titles of the cells.
const TITLES: &[&str] = &["base", "reference", "answer"];

/// The table of an explanation. A row in which all is absent is left out.
pub(super) struct Table<'a> {
    pub rows: Vec<Row<'a>>,
    /// The cells that are shown.
    pub columns: &'static [usize],
    /// The width of the names, with the spaces around them.
    pub names: usize,
}

/// The cells that are shown: all, or those without the base if there is no base.
pub(super) fn columns_with(base: &[u8]) -> &'static [usize] {
    if base.is_empty() { &[1, 2] } else { &[0, 1, 2] }
}

impl Table<'_> {
    /// Writes the table and an empty line: a line for each row, or several where a line would be too wide. Where no row
    /// says where it came from, there is no column for that.
    pub(super) fn write(mut self, screen: Screen, out: &mut Buffer) {
        self.rows.retain(|row| row.cells.iter().any(|cell| !cell.is_absent()));
        if self.rows.is_empty() {
            return;
        }
        let widest = |column: usize| self.rows.iter().map(|row| row.widths[column]).max().unwrap_or_default();
        let widths: [usize; 3] = array::from_fn(|column| widest(column).max(TITLES[column].len()));
        let from = self.rows.iter().map(|row| row.from[0].len() + row.from[1].len()).max().filter(|width| *width > 0);
        let from = from.map_or(0, |width| width.max("from".len()) + 2);
        let columns_width: usize = self.columns.iter().map(|column| widths[*column] + 2).sum();
        if self.names + columns_width + from <= screen.width + 2 {
            self.write_columns(widths, from > 0, out);
        } else {
            self.write_stacked(from > 0, screen, out);
        }
        out.add([b"\n"]);
    }

    /// Writes each row as a line.
    fn write_columns(&self, widths: [usize; 3], has_from: bool, out: &mut Buffer) {
        // the spaces before a cell
        let mut space = self.names;
        for column in self.columns {
            out.fill(space);
            out.add([TITLES[*column].as_bytes()]);
            space = widths[*column] - TITLES[*column].len() + 2;
        }
        if has_from {
            out.fill(space);
            out.add([b"from"]);
        }
        out.add([b"\n"]);
        for row in &self.rows {
            space = self.write_name(row, out);
            for column in self.columns {
                out.fill(space);
                row.cells[*column].write(out);
                space = widths[*column] - row.widths[*column] + 2;
            }
            if has_from {
                out.fill(space);
                out.add(row.from.map(str::as_bytes));
            }
            out.add([b"\n"]);
        }
    }

    /// Writes the cells of each row under each other, and below them where the answer's came from.
    fn write_stacked(&self, has_from: bool, screen: Screen, out: &mut Buffer) {
        // where the values start after the titles, if each has a line of its own
        let value = self.names + "reference".len() + 2;
        for row in &self.rows {
            let mut space = self.write_name(row, out);
            for column in self.columns {
                let (title, cell) = (TITLES[*column], row.cells[*column]);
                out.fill(space);
                out.add([title.as_bytes()]);
                space = self.names;
                let indent = screen.indent_of(row.widths[*column], value);
                if indent == value {
                    out.fill(value - self.names - title.len());
                } else {
                    out.add([b"\n"]);
                    out.fill(indent);
                }
                cell.write(out);
                out.add([b"\n"]);
            }
            if has_from {
                out.fill(space);
                let [whose, steps] = row.from.map(str::as_bytes);
                out.add([b"from       ", whose, steps, b"\n"]);
            }
        }
    }

    /// Writes the name of a row. Returns how many spaces are to follow.
    fn write_name(&self, row: &Row<'_>, out: &mut Buffer) -> usize {
        out.add([b"  ", row.name.as_bytes()]);
        self.names - 2 - row.name.len()
    }
}
