//! Tests of the notes about `--base`.

use std::ffi::OsStr;

use super::missing_scheme_message;

#[test]
fn slips_are_noted() {
    for (base, what) in [
        ("http://a ", "ends in a space; remove it"),
        ("http://a b/", "has a space in its host; remove it"),
        ("http://a/b c", "contains a space; write %20"),
        ("http://a\r", "contains a control character; remove it"),
        ("http://a\"", "ends with a quote or a bracket; remove it"),
        ("http://a>", "ends with a quote or a bracket; remove it"),
        ("C:\\x\\y", "has a drive for a scheme; did you mean file:///C:/x/y?"),
        ("URL:http://a/b", "begins with URL:; did you mean http://a/b?"),
        ("http:/a.b/c", "has no host after \"//\"; did you mean http://a.b/c?"),
        ("HTTPS:/a", "has no host after \"//\"; did you mean HTTPS://a?"),
        ("http:\\\\x\\y", "has no host after \"//\"; did you mean http://x/y?"),
        ("https:\\x", "has no host after \"//\"; did you mean https://x?"),
        ("http:x", "has no host after \"//\"; did you mean http://x?"),
        ("http:///x", "has no host after \"//\"; did you mean http://x?"),
        ("ftp:////x/y", "has no host after \"//\"; did you mean ftp://x/y?"),
        ("http://", "has no host; write http://HOST/"),
        ("http:", "has no host; write http://HOST/"),
        ("HTTP:/", "has no host; write HTTP://HOST/"),
        ("http://?q", "has no host; write http://HOST/"),
        ("file://C:/x", "has a drive for a host; did you mean file:///C:/x?"),
        ("file://c:\\x", "has a drive for a host; did you mean file:///c:/x?"),
        ("http://a/”", "ends with a quote or a bracket; remove it"),
        ("", "is empty; is a variable not set?"),
        ("C:/x", "has a drive for a scheme; did you mean file:///C:/x?"),
        ("c:/x", "has a drive for a scheme; did you mean file:///c:/x?"),
        ("localhost:8080/x", "has a host for a scheme; did you mean http://localhost:8080/x?"),
        ("example.com:80", "has a host for a scheme; did you mean http://example.com:80?"),
    ] {
        let escaped = base.replace('\r', "\\x0D");
        assert_eq!(super::base_slip(OsStr::new(base)), Some(format!("--base: \"{escaped}\" {what}")));
    }
    for base in [
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
        ("“http://a/”", "did you mean http://a/?"),
        ("\\\\host\\share", "did you mean file://host/share?"),
        ("ase", "use an absolute URL such as http://host/path"),
        ("../no-such-page", "use an absolute URL such as http://host/path"),
        ("//", "use an absolute URL such as http://host/path"),
        ("a..b/c", "use an absolute URL such as http://host/path"),
    ] {
        let message = format!("--base: \"{base}\" has no scheme; {fix}");
        assert_eq!(missing_scheme_message(OsStr::new(base)), message);
    }
    assert_eq!(missing_scheme_message(OsStr::new("Cargo.toml")), "--base: \"Cargo.toml\" is a file, not a URL");
}
