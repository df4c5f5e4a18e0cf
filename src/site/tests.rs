use super::*;

#[test]
fn a_path_is_decoded_once() {
    for (path, decoded) in [("a%20b", Some("a b")), ("%2541", Some("%41")), ("a%2Fb", None), ("%00", None), ("%", None)]
    {
        assert_eq!(decode(path.as_bytes()).as_deref(), decoded.map(str::as_bytes), "{path}");
    }
}
