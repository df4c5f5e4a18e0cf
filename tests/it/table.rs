//! Reads the tables of `tests/data`: rows of fields separated by TAB. A line that is empty or starts with `# ` is a
//! comment. In a field `\xNN` is the byte NN, and `\\` is a backslash
//! like any other `\`.

/// The rows of a table, each of `N` fields.
pub fn read_rows<const N: usize>(table: &str) -> Vec<[Vec<u8>; N]> {
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').map(unescape).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not {N} fields: {line}"))
    };
    table.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).map(row).collect()
}

/// The bytes of a field.
fn unescape(field: &str) -> Vec<u8> {
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
