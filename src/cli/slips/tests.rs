//! Tests of the notes about `--base`.

use std::ffi::OsStr;

use super::missing_scheme_message;

#[test]
fn slips_are_noted() {
    for (base, what) in [
        ("http://a ", "contains a space"),
        ("http://a b/", "contains a space"),
        ("http://a\r", "contains a control character"),
        ("http://a\"", "ends with a quote or a bracket"),
        ("http://a>", "ends with a quote or a bracket"),
        ("C:\\x\\y", "has the scheme C; did you mean file:///C:/x/y?"),
        ("URL:http://a/b", "begins with URL:; did you mean http://a/b?"),
        ("http:/a.b/c", "does not name a host after \"//\"; did you mean http://a.b/c?"),
        ("HTTPS:/a", "does not name a host after \"//\"; did you mean HTTPS://a?"),
        ("http:\\\\x\\y", "does not name a host after \"//\"; did you mean http://x/y?"),
        ("https:\\x", "does not name a host after \"//\"; did you mean https://x?"),
        ("http:x", "does not name a host after \"//\"; did you mean http://x?"),
        ("http:///x", "does not name a host after \"//\"; did you mean http://x?"),
        ("ftp:////x/y", "does not name a host after \"//\"; did you mean ftp://x/y?"),
        ("http://", "has no host; write http://HOST/"),
        ("http:", "has no host; write http://HOST/"),
        ("HTTP:/", "has no host; write HTTP://HOST/"),
        ("http://?q", "has no host; write http://HOST/"),
        ("C:/x", "has the scheme C; did you mean file:///C:/x?"),
        ("c:/x", "has the scheme c; did you mean file:///c:/x?"),
        ("localhost:8080/x", "has the scheme localhost; did you mean http://localhost:8080/x?"),
        ("example.com:80", "has the scheme example.com; did you mean http://example.com:80?"),
    ] {
        let escaped = base.replace('\r', "\\x0D");
        assert_eq!(super::base_slip(OsStr::new(base)), Some(format!("--base: \"{escaped}\" {what}")));
    }
    for base in [
        "",
        "http://a/b",
        "x:/a",
        "x:",
        "a.b:c",
        "g:8080",
        "localhost:",
        "urn:a:b",
        "mailto:a@b",
        "http://é/",
        "file:///x",
        "file:x",
        "xx:\\y",
        "http://a/\\",
    ] {
        assert_eq!(super::base_slip(OsStr::new(base)), None, "{base}");
    }
}

#[test]
fn a_missing_scheme_is_proposed() {
    for (base, fix) in [
        ("example.com/x", "did you mean http://example.com/x?"),
        ("localhost", "did you mean http://localhost?"),
        ("//a/b", "did you mean http://a/b?"),
        ("<URL:http://a/>", "did you mean http://a/?"),
        ("\"http://a/\"", "did you mean http://a/?"),
        (" http://a/", "did you mean http://a/?"),
        ("Cargo.toml", "it is a file: pass it with --document, or write its file: URL"),
        ("ase", "use an absolute URL such as http://host/path"),
        ("../no-such-page", "use an absolute URL such as http://host/path"),
        ("//", "use an absolute URL such as http://host/path"),
        ("a..b/c", "use an absolute URL such as http://host/path"),
    ] {
        let message = format!("--base: \"{base}\" has no scheme (§2.2); {fix}");
        assert_eq!(missing_scheme_message(OsStr::new(base), false), message);
    }
}
