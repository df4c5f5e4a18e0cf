//! Reads the tables of `tests/data`: rows of fields separated by TAB. A line that is empty or starts with `# ` is a
//! comment. In a field `\xNN` is the byte NN, and `\\` is a backslash
//! like any other `\`.

use std::fmt::{Debug, Display};

/// The rows of a table, each of `N` fields. No row is lost: there is one at least, and a comment below
/// the first has no TAB.
#[track_caller]
pub fn read_rows<const N: usize>(table: &str) -> Vec<[Vec<u8>; N]> {
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').map(unescape).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not {N} fields: {line}"))
    };
    let is_comment = |line: &str| line.starts_with("# ");
    let is_row = |line: &&str| {
        assert!(!is_comment(line) || !line.contains('\t'), "a comment between rows has a TAB: {line}");
        !line.is_empty() && !is_comment(line)
    };
    let rows: Vec<_> = table.lines().skip_while(|line| is_comment(line)).filter(is_row).map(row).collect();
    assert!(!rows.is_empty(), "the table has no rows");
    rows
}

/// Asserts that each row gives what is expected of it, and reports all rows that do not. A row has a name, what it gives,
/// and what is expected.
#[track_caller]
pub fn assert_each<T: PartialEq + Debug>(rows: impl IntoIterator<Item = (impl Display, T, T)>) {
    let differs = |(name, given, expected): (_, T, T)| {
        (given != expected).then(|| format!("{name}\n  is       {given:?}\n  must be  {expected:?}"))
    };
    let wrong: Vec<_> = rows.into_iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "wrong rows: {}\n{}", wrong.len(), wrong.join("\n"));
}

/// What is on standard error if a row has this message; nothing if it has an empty one. `start` comes before it.
pub fn message_of(field: &[u8], start: &str) -> String {
    let message = str::from_utf8(field).expect("messages are UTF-8");
    if message.is_empty() { String::new() } else { format!("absurl: {start}{message}\n") }
}

/// The bytes of a field.
pub fn unescape(field: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let hex = escape.strip_prefix('x').and_then(|hex| hex.split_at_checked(2));
        let byte = hex.map_or(b'\\', |(hex, _)| u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
        bytes.push(byte);
        rest = hex.map_or_else(|| escape.strip_prefix('\\').unwrap_or(escape), |(_, after)| after);
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
