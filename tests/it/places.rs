//! The place before each URL: `--with-place`.

use std::fs;
use std::path::PathBuf;

use crate::harness::{absurl, new_directory};

/// A directory with a list, a page, and lists of pairs. One link of each has no URL by WHATWG.
fn files() -> PathBuf {
    let directory = new_directory("places");
    for (name, text) in [
        ("list", "a\nhttp://[x\nb\n"),
        ("ended", "a\0http://[x\0"),
        ("p.html", "<a href=a>\n<a href='http://[x'><a href=b>"),
        ("pairs", "http://h/\tq\nno\n"),
        ("documents", "http://h/\tp.html\nno\n"),
    ] {
        fs::write(directory.join(name), text).unwrap();
    }
    directory
}

const REFUSED: &str = "the host begins with \"[\", but does not end with \"]\"\n";

#[test]
fn each_url_has_its_place_and_one_that_fails_keeps_it() {
    let directory = files();
    let (of_list, of_page) = (format!("absurl: list:2: {REFUSED}"), format!("absurl: p.html:2:10: {REFUSED}"));
    let of_nul = format!("absurl: ended:2: {REFUSED}");
    let of_pair = |of, what| format!("absurl: {of}:2: no TAB; write BASE TAB {what}\n");
    let list = "list:1\thttp://h/a\nlist:2\t\nlist:3\thttp://h/b\n";
    let kept_of_list = "list:1\ta\thttp://h/a\nlist:2\thttp://[x\t\nlist:3\tb\thttp://h/b\n";
    let page = "p.html:1:9\thttp://h/a\np.html:2:10\t\np.html:2:29\thttp://h/b\n";
    let kept_of_page = "p.html:1:9\ta\thttp://h/a\np.html:2:10\thttp://[x\t\np.html:2:29\tb\thttp://h/b\n";
    for (flags, output, messages, status) in [
        ("-H -s whatwg -b http://h/ -f list", list, &*of_list, 1),
        ("-Hq -s whatwg -b http://h/ -f list", list, "", 1),
        ("-Hk -s whatwg -b http://h/ -f list", kept_of_list, &of_list, 1),
        ("-H -s whatwg -b http://h/ -f list --fail-fast", "list:1\thttp://h/a\nlist:2\t\n", &of_list, 1),
        ("-H0 -s whatwg -b http://h/ -f ended", "ended:1\thttp://h/a\0ended:2\t\0", &of_nul, 1),
        ("-H -b http://h/ -f list", "list:1\thttp://h/a\nlist:2\thttp://[x\nlist:3\thttp://h/b\n", "", 0),
        ("-H -s rfc3986 -b http://h/ a", "argument 1\thttp://h/a\n", "", 0),
        (
            "-H -b http://h/ a b -f ended -0",
            "argument 1\thttp://h/a\0argument 2\thttp://h/b\0ended:1\thttp://h/a\0ended:2\thttp://[x\0",
            "",
            0,
        ),
        ("-Hp -f pairs", "pairs:1\thttp://h/q\npairs:2\t\n", &of_pair("pairs", "REFERENCE"), 1),
        ("-H -b http://h/ --relative http://h/q http://i/", "argument 1\tq\nargument 2\thttp://i/\n", "", 0),
        ("-Hl -s whatwg -b http://h/ p.html", page, &of_page, 1),
        ("-Hlq -s whatwg -b http://h/ p.html", page, "", 1),
        ("-Hlk -s whatwg -b http://h/ p.html", kept_of_page, &of_page, 1),
        ("-Hl0 -s whatwg -b http://h/ p.html", &page.replace('\n', "\0"), &of_page, 1),
        ("-Hl --root . -b http://h/ -s whatwg p.html", page, &of_page, 1),
        ("-Hl --relative -b http://h/ p.html", "p.html:1:9\ta\np.html:2:10\thttp://[x\np.html:2:29\tb\n", "", 0),
        (
            "-Hlp -f documents",
            "p.html:1:9\thttp://h/a\np.html:2:10\thttp://[x\np.html:2:29\thttp://h/b\ndocuments:2\t\n",
            &of_pair("documents", "DOCUMENT"),
            1,
        ),
        ("-H -d p.html q", "argument 1\t\n", "absurl: argument 1: p.html has no base URL; use --base URL\n", 1),
    ] {
        absurl(&[]).words(flags).directory(&directory).gives(output.to_owned(), messages.to_owned(), status);
    }
    absurl(&["-H", "-b", "http://h/"]).input("a\n").gives("-:1\thttp://h/a\n", "", 0);
    let message = "absurl: argument 1: it contains a newline; use --null\n";
    absurl(&["-H", "-b", "http://h/"]).argument("a\nb").gives("argument 1\t\n", message, 1);
    absurl(&["-H0", "-b", "http://h/"]).argument("a\nb").gives("argument 1\thttp://h/a\nb\0", "", 0);
}

/// A place is one field of one line, whatever the name of its file.
#[cfg(unix)]
#[test]
fn names_stay_in_their_lines() {
    use std::os::unix::ffi::OsStrExt;
    let directory = files();
    for (name, shown) in [(&b"t\tb"[..], "t\\x09b"), (b"l\nf", "l\\x0Af"), (b"n\xFF", "n\\xFF")] {
        if cfg!(target_os = "macos") && str::from_utf8(name).is_err() {
            continue;
        }
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(directory.join(name), "<a href=q>").unwrap();
        let run = absurl(&["-Hl", "-b", "http://h/", "--media-type=text/html"]).directory(&directory);
        run.argument(name).gives(format!("{shown}:1:9\thttp://h/q\n"), "", 0);
        fs::write(directory.join(name), "q\n").unwrap();
        let run = absurl(&["-H", "-b", "http://h/", "-f"]).directory(&directory);
        run.argument(name).gives(format!("{shown}:1\thttp://h/q\n"), "", 0);
    }
}

#[test]
fn what_has_places_of_its_own_refuses_it() {
    let directory = files();
    for (flags, sentence) in [
        ("-j", "--with-place cannot be used with --json"),
        ("-e", "--with-place cannot be used with --explain"),
        ("-c", "--with-place cannot be used with --check"),
        ("--check=host", "--with-place cannot be used with --check"),
        ("--check=files", "--with-place cannot be used with --check"),
        ("--compare", "--with-place cannot be used with --compare"),
        ("--rewrite", "--rewrite cannot be used with --with-place"),
        ("--print-base", "--print-base cannot be used with --with-place"),
        ("--generate man", "--with-place cannot be used with --generate"),
    ] {
        for links in ["", "-l p.html"] {
            let is_refused_first = matches!(flags, "--rewrite" | "--print-base" | "--generate man");
            if links.is_empty() || !is_refused_first {
                let run = absurl(&["-H"]).words(flags).words(links).directory(&directory);
                run.gives("", format!("absurl: {sentence}\n"), 2);
            }
        }
    }
}
