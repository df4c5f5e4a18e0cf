//! `--rewrite --in-place`: what becomes of the files.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use predicates::prelude::PredicateBooleanExt;

use crate::harness::{Run, SHARED_BASE, absurl, tree};

/// A page with a link, and the same rewritten with the base `http://h/`.
const PAGE: &str = "<p>\r\n<a href=g>\u{E9}</a>";
const REWRITTEN: &str = "<p>\r\n<a href=http://h/g>\u{E9}</a>";

/// What a run of `--rewrite --in-place` in a directory gives.
fn rewrite(root: &Path, line: &str) -> Run {
    absurl(&["--rewrite", "-i"]).words(line).directory(root)
}

/// The content of a file.
fn content(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

/// The names in a directory, hidden ones too.
fn list_names(root: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn documents_are_written_back() {
    let root = tree("documents", &[("a.html", PAGE), ("b b.html", PAGE), ("site/c.html", PAGE)]);
    let a = "absurl: 1 of 1 document changed\n";
    rewrite(&root, "-b http://h/ a.html").gives("", a, 0);
    assert_eq!((content(&root, "a.html"), content(&root, "b b.html")), (REWRITTEN.into(), PAGE.into()));
    // several share the base, and it is the URL of each
    rewrite(&root, "-b http://h/").argument("b b.html").argument("a.html").gives(
        "",
        format!("{SHARED_BASE}absurl: 1 of 2 documents changed\n"),
        0,
    );
    assert_eq!(content(&root, "b b.html"), REWRITTEN);
    rewrite(&root, "-q -b http://h site").gives("", "", 0);
    assert_eq!(content(&root, "site/c.html"), REWRITTEN);
    assert_eq!(list_names(&root), ["a.html", "b b.html", "site"]);
}

#[test]
fn a_document_that_two_records_name_with_other_bases_has_a_note() {
    let files = [("a.html", PAGE), ("site/c.html", PAGE), ("site/d.html", PAGE)];
    let root = tree("named-twice", &files);
    let list =
        "http://h/\ta.html\nhttp://h/\t./a.html\nhttp://x/\tsite/../a.html\nhttp://h/\tsite/c.html\nhttp://x/\tsite\n";
    fs::write(root.join("list"), list).unwrap();
    let again = "already rewritten with the base \"http://h/\"; name each document once";
    let notes = format!(
        "absurl: site/../a.html: {again}\nabsurl: site/c.html: {again}\nabsurl: site: 2 documents read\n\
         absurl: 3 of 6 documents changed\n"
    );
    rewrite(&root, "-p -f list").gives("", notes, 0);
    assert_eq!(content(&root, "a.html"), REWRITTEN);
    assert_eq!(content(&root, "site/c.html"), REWRITTEN);
    fs::write(root.join("list"), "http://y/\ta.html\nhttp://z/\ta.html\n").unwrap();
    rewrite(&root, "-q -p -f list").gives("", "", 0);
}

#[test]
fn each_record_of_a_list_has_its_base() {
    let files = [("a.html", PAGE), ("b.html", PAGE), ("site/c.html", PAGE), ("d.html", PAGE)];
    let root = tree("records", &files);
    fs::write(root.join("list"), "http://h/\ta.html\nhttp://h/x/\tsite\nno tab\n\tb.html\nrelative\td.html\n").unwrap();
    let messages = "absurl: site: 1 document read\n\
                    absurl: list:3: no TAB; write BASE TAB DOCUMENT\n\
                    absurl: b.html:2:9: relative URL with an empty base; write the document's URL before the TAB\n\
                    absurl: list:5: the base URL \"relative\" has no scheme; use an absolute URL such as \
                    http://host/path\n\
                    absurl: 2 of 3 documents changed\n";
    rewrite(&root, "-p -f list").gives("", messages, 1);
    assert_eq!(content(&root, "a.html"), REWRITTEN);
    assert_eq!(content(&root, "site/c.html"), REWRITTEN.replace("h/g", "h/x/g"));
    assert_eq!((content(&root, "b.html"), content(&root, "d.html")), (PAGE.into(), PAGE.into()));
    // records that end in NUL, arguments, standard input
    rewrite(&root, "-p -0").input("http://h/\td.html\0http://h/\t-\0").gives(
        "",
        "absurl: -:2: -: standard input is already used for the list of documents\nabsurl: 1 of 1 document changed\n",
        1,
    );
    assert_eq!(content(&root, "d.html"), REWRITTEN);
    rewrite(&root, "-p").argument("http://h/\tb.html").argument("http://h/\t-").gives(
        "",
        "absurl: argument 2: -: standard input has no file to write to; pass the name of a file\n\
         absurl: 1 of 2 documents changed, 1 failed\n",
        1,
    );
    assert_eq!(content(&root, "b.html"), REWRITTEN);
}

#[test]
fn the_command_line_is_checked_first() {
    let root = tree("usage", &[("a.html", PAGE), ("list", "http://h/\ta.html\n")]);
    for (arguments, message) in [
        ("-i a.html", "--in-place needs --rewrite"),
        ("-i -l a.html", "--in-place needs --rewrite"),
        ("--rewrite -i", "--in-place needs a DOCUMENT"),
        ("--rewrite -i -", "--in-place cannot write to standard input; omit --in-place"),
        ("--rewrite -i a.html -", "--in-place cannot write to standard input; omit --in-place"),
        ("--rewrite a.html a.html", "--rewrite prints one document; to rewrite several, use --in-place"),
        ("--rewrite -p -f list", "--rewrite cannot be used with --file; pass documents as arguments"),
        ("--rewrite -p", "--rewrite with --pairs needs --in-place or --dry-run"),
        ("--rewrite -i -f list", "--rewrite cannot be used with --file; pass documents as arguments"),
        ("--rewrite -i -0 a.html", "--rewrite cannot be used with --null"),
        ("--rewrite -i -p -b http://h/", "--pairs cannot be used with --base; each line has its own base URL"),
        ("--rewrite -i -j a.html", "--rewrite with --json needs --dry-run"),
    ] {
        absurl(&[]).words(arguments).directory(&root).gives("", format!("absurl: {message}\n"), 2);
    }
    assert_eq!(content(&root, "a.html"), PAGE);
}

#[test]
fn a_document_that_does_not_change_is_not_touched() {
    let root = tree("same", &[("a.html", REWRITTEN), ("b.html", PAGE), ("empty.html", "")]);
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in ["a.html", "b.html"] {
        let file = fs::File::options().write(true).open(root.join(name)).unwrap();
        file.set_permissions(fs::Permissions::from_mode(0o640)).unwrap();
        file.set_modified(old).unwrap();
    }
    let before = fs::metadata(root.join("a.html")).unwrap();
    rewrite(&root, "-b http://h/ .").gives("", "absurl: .: 3 documents read\nabsurl: 1 of 3 documents changed\n", 0);
    let metadata = |name| fs::metadata(root.join(name)).unwrap();
    assert_eq!((metadata("a.html").ino(), metadata("a.html").modified().unwrap()), (before.ino(), old));
    // one that changes keeps its permissions, and is as old as it is
    assert_eq!(metadata("b.html").permissions().mode() & 0o7777, 0o640);
    assert!(metadata("b.html").modified().unwrap() > old);
    // nothing is written to see whether there is a change
    let run = rewrite(&root, "-b http://h/ a.html b.html").shell(&format!("chmod 555 .; {AS_USER}"));
    run.gives("", format!("{SHARED_BASE}absurl: 0 of 2 documents changed\n"), 0);
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs absurl without the rights of root.
const AS_USER: &str = r#"[ ! -w . ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"; exec "$@""#;

#[test]
fn a_document_that_cannot_be_written_stays_as_it_was() {
    // long enough to be written before its end is read
    let long = format!("{PAGE}{}", "<p>text".repeat(30_000));
    let (root, link) = (tree("unwritable", &[("d/a.html", &long), ("b.html", PAGE)]), "-b http://h/ d/a.html b.html");
    let message = |why| {
        format!(
            "{SHARED_BASE}absurl: d/a.html: the document was not written: {why}\nabsurl: 1 of 2 documents changed, 1 failed\n"
        )
    };
    let run = rewrite(&root, link).shell(&format!("chmod 555 d; cd d; {}", AS_USER.replace("exec", "cd ..; exec")));
    run.gives("", message("permission denied"), 2);
    fs::set_permissions(root.join("d"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(root.join("b.html"), PAGE).unwrap();
    // a disk that is full, as far as one file is concerned
    let full = r#"trap "" XFSZ; ulimit -f 8; exec "$@""#;
    rewrite(&root, link).shell(full).gives("", message("file too large"), 2);
    assert_eq!((content(&root, "d/a.html") == long, &*content(&root, "b.html")), (true, REWRITTEN));
    assert_eq!(
        (list_names(&root), list_names(&root.join("d"))),
        (vec!["b.html".into(), "d".into()], vec!["a.html".into()])
    );
    // a directory's documents were read nevertheless
    let (_, stderr, status) = rewrite(&root, "-b http://h/ d").shell(full).text();
    let sums = "absurl: d: 1 document read\nabsurl: 0 of 1 document changed, 1 failed\n";
    assert!(stderr.ends_with(sums) && status == 2, "{stderr}");
}

#[test]
fn a_read_only_document_stays_as_it_was() {
    let root = tree("read_only", &[("a.html", PAGE), ("b.html", PAGE), ("c.html", REWRITTEN)]);
    let message = "absurl: a.html: the document was not written: permission denied\n\
                   absurl: 1 of 3 documents changed, 1 failed\n";
    rewrite(&root, "-b http://h/ --root . a.html b.html c.html")
        .shell(r#"chmod 444 a.html c.html; exec "$@""#)
        .gives("", message, 2);
    assert_eq!((content(&root, "a.html"), content(&root, "b.html")), (PAGE.into(), REWRITTEN.into()));
}

#[test]
fn the_sums_of_a_directory_agree() {
    let feed = "<rss version='2.0'><channel><link>g</link><link></channel>";
    let root =
        tree("sums", &[("a.html", PAGE), ("b.rss", feed), ("c.html", REWRITTEN), ("d.html", "no tag"), ("e.txt", "")]);
    let sums = "absurl: .: 3 documents read, 1 failed, 1 file skipped (1 .txt)\n";
    let (_, stderr, status) = rewrite(&root, "-b http://h/ .").text();
    let all = format!("{sums}absurl: 1 of 4 documents changed, 1 failed\n");
    assert!(stderr.ends_with(&all) && status == 2, "{stderr}");
    let (_, stderr, _) = absurl(&["-l", "-b", "http://h/", "."]).directory(&root).text();
    assert!(stderr.ends_with(sums), "{stderr}");
}

#[test]
fn the_number_of_changed_documents_comes_last() {
    let names: Vec<_> = (10..30).map(|number| format!("many/{number}.html")).collect();
    let root = tree("many", &names.iter().map(|name| (&**name, PAGE)).collect::<Vec<_>>());
    let (_, stderr, status) = rewrite(&root, "many").text();
    let rest = "absurl: 10 more like these in 10 sources\n\
                absurl: 0 of 20 documents changed\n";
    assert!(stderr.ends_with(rest) && status == 1, "{stderr}");
}

#[test]
fn a_document_that_cannot_be_read_stays_as_it_was() {
    let feed = "<rss version='2.0'><channel><link>g</link><link></channel>";
    let mail = "Subject: x\nContent-Type: text/html\n\n<a href=g>";
    let utf16: String = "<a href=g>".repeat(9).chars().flat_map(|char| [char, '\0']).collect();
    let files = [("a.rss", feed), ("b.eml", mail), ("c.html", &*utf16), ("d.svg", "<x/>"), ("e.html", PAGE)];
    let root = tree("unreadable_in_place", &files);
    let (stdout, stderr, status) =
        rewrite(&root, "-b http://h/ --root . a.rss b.eml c.html d.svg gone.html e.html").text();
    let wrong: Vec<_> = stderr.lines().map(|line| line.split(": ").nth(1).unwrap_or_default()).collect();
    let expected = ["a.rss:1:49", "b.eml", "c.html", "d.svg", "gone.html", "1 of 6 documents changed, 5 failed"];
    assert_eq!((stdout, wrong, status), (String::new(), expected.to_vec(), 2), "{stderr}");
    for (name, text) in &files[..4] {
        assert_eq!(content(&root, name), *text);
    }
    // in a directory, emails are skipped, and what has no tag has no links
    rewrite(&root, "-q -b http://h/ .").gives(
        "",
        predicates::str::contains("a.rss:1:49").and(predicates::str::contains("c.html:").not()),
        2,
    );
    fs::create_dir(root.join("none")).expect("a directory");
    rewrite(&root, "-b http://h/ none").gives("", "absurl: none: no documents\n", 2);
    let no_file = "absurl: fifo.html: it is not a regular file; pass it on standard input, without --in-place\nabsurl: 0 of 1 document changed, 1 failed\n";
    rewrite(&root, "-b http://h/ fifo.html").shell(r#"mkfifo fifo.html; exec "$@""#).gives("", no_file, 2);
}

#[test]
fn each_type_is_written_back() {
    let files = [
        (
            "a.md",
            "[a](g 't') <http://x/>\n\n[b]: g\n[b]\n",
            "[a](http://h/g 't') <http://x/>\n\n[b]: http://h/g\n[b]\n",
        ),
        ("b.css", "\u{FEFF}a { background: url(g) }", "\u{FEFF}a { background: url(http://h/g) }"),
        (
            "c.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'><a href='g'/></svg>\r\n",
            "<svg xmlns='http://www.w3.org/2000/svg'><a href='http://h/g'/></svg>\r\n",
        ),
    ];
    let root = tree("types", &files.map(|(name, old, _)| (name, old)));
    let sum = "absurl: .: 3 documents read\nabsurl: 3 of 3 documents changed\n";
    rewrite(&root, "-b http://h/ .").gives("", sum, 0);
    for (name, _, new) in files {
        assert_eq!(content(&root, name), new);
    }
}

#[test]
fn links_that_fail_are_kept() {
    let page = "<a href=g><a srcset='h'><img srcset='i'>";
    let root = tree("kept", &[("a.html", page)]);
    let (_, stderr, status) = rewrite(&root, "--spec whatwg -b http://h/x,/ a.html").text();
    assert_eq!((stderr.lines().count(), status), (1, 0), "{stderr}");
    let root = tree("kept", &[("a.html", "<a href=g><applet archive=h>")]);
    let (_, stderr, status) = rewrite(&root, "-b http://h/x,/ a.html").text();
    assert!(stderr.starts_with("absurl: a.html:1:27: the answer has a comma"), "{stderr}");
    assert_eq!((content(&root, "a.html"), status), ("<a href=http://h/x,/g><applet archive=h>".into(), 1));
}

#[test]
fn links_of_the_file_system_stay() {
    let root = tree("links", &[("site/a.html", PAGE), ("site/d/b.html", PAGE), ("c.html", PAGE)]);
    symlink("../c.html", root.join("site/c.html")).unwrap();
    symlink("d", root.join("site/e")).unwrap();
    fs::hard_link(root.join("site/d/b.html"), root.join("site/b.html")).unwrap();
    let sum = "absurl: site: 1 document read, 3 files skipped (2 with several names, 1 linked)\n\
               absurl: 1 of 1 document changed\n";
    rewrite(&root, "-b http://h/ site").gives("", sum, 0);
    assert_eq!((content(&root, "c.html"), content(&root, "site/b.html")), (PAGE.into(), PAGE.into()));
    // a link that is named stays one
    rewrite(&root, "-q -b http://h/ site/c.html site/e/b.html").gives("", SHARED_BASE, 0);
    assert_eq!(fs::read_link(root.join("site/c.html")).unwrap(), Path::new("../c.html"));
    assert_eq!(content(&root, "c.html"), REWRITTEN);
    // the other name of a file keeps the old text
    assert_eq!((content(&root, "site/d/b.html"), content(&root, "site/b.html")), (REWRITTEN.into(), PAGE.into()));
}

#[test]
fn a_document_that_is_replaced_meanwhile_is_not_overwritten() {
    // on a busy machine a run may end before this thread goes on
    for _ in 0..20 {
        let root = tree("replaced", &[("a.html", &format!("{PAGE}{}", "<p>text".repeat(2_000_000))), ("new", "new")]);
        let mut running = rewrite(&root, "-b http://h/ a.html").start(Stdio::null(), Stdio::null(), Stdio::null());
        // the new text is begun, and most of the old one is not yet read
        while list_names(&root).len() < 3 && running.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        fs::rename(root.join("new"), root.join("a.html")).unwrap();
        let status = running.wait().unwrap().code();
        assert_eq!((content(&root, "a.html"), list_names(&root)), ("new".into(), vec!["a.html".into()]));
        if status == Some(2) {
            return;
        }
    }
    panic!("each run ended before its document was replaced");
}

/// Replaces a page with a script while absurl, which has read it and begun the new text, waits for room for a message.
/// Returns the exit status.
#[cfg(target_os = "linux")]
fn status_if_replaced(root: &Path, by: &str) -> Option<i32> {
    let page = format!("{PAGE}<applet archive=h>{}", "<a href=g>".repeat(20_000));
    fs::write(root.join("a.html"), page).unwrap();
    // a pipe holds 64 KiB, and one link has a message
    let full = r#"head -c 65536 /dev/zero >&2; exec "$@""#;
    let run = rewrite(root, "-b http://h/x,/ a.html").shell(full);
    let mut running = run.start(Stdio::null(), Stdio::null(), Stdio::piped());
    while !list_names(root).iter().any(|name| name.starts_with(".absurl-")) {
        thread::yield_now();
    }
    absurl(&[]).directory(root).shell(by).gives("", "", 0);
    running.stderr.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
    running.wait().unwrap().code()
}

#[test]
#[cfg(target_os = "linux")]
fn a_document_that_is_replaced_by_one_of_its_size_and_time_is_not_overwritten() {
    let root = tree("same_size", &[]);
    let by = "tr g i <a.html >b; touch -r a.html b; mv b a.html";
    assert_eq!((status_if_replaced(&root, by), list_names(&root)), (Some(2), vec!["a.html".into()]));
    assert!(content(&root, "a.html").contains("<a href=i>"));
    // nor is a symbolic link to the same file
    let by = "mv a.html c.html; ln -s c.html a.html";
    assert_eq!(status_if_replaced(&root, by), Some(2));
    assert!(content(&root, "c.html").contains("<a href=g>") && root.join("a.html").is_symlink());
    // in the end there is always one document
    assert_eq!(status_if_replaced(&root, ":"), Some(1));
    assert!(content(&root, "c.html").contains("<a href=http://h/x,/g>"));
}

#[test]
fn a_new_text_gives_nobody_more() {
    // only root gives files away
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let root = tree("owners", &[("a.html", PAGE)]);
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    let path = root.join("a.html");
    let after = |owner, group, mode, user: &str| {
        fs::write(&path, PAGE).unwrap();
        chown(&path, Some(owner), Some(group)).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        rewrite(&root, "-q -b http://h/ a.html").shell(&format!("{user} exec \"$@\"")).gives("", "", 0);
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(content(&root, "a.html"), REWRITTEN);
        (metadata.uid(), metadata.gid(), format!("{:o}", metadata.mode() & 0o7777))
    };
    // root keeps the owner and the group
    assert_eq!(after(1234, 1235, 0o6777, ""), (1234, 1235, "777".into()));
    assert_eq!(after(1234, 1235, 0o1640, ""), (1234, 1235, "640".into()));
    // somebody else keeps a group that is his own, and of another one no more than what all others may do
    let user = r#"set -- setpriv --reuid=1236 --regid=1236 --groups=1235 "$@";"#;
    assert_eq!(after(1234, 1235, 0o664, user), (1236, 1235, "664".into()));
    assert_eq!(after(1236, 1, 0o664, user), (1236, 1236, "644".into()));
    assert_eq!(after(1236, 1, 0o640, user), (1236, 1236, "600".into()));
    assert_eq!(after(1236, 1, 0o604, user), (1236, 1236, "600".into()));
    assert_eq!(after(1236, 1, 0o6755, user), (1236, 1236, "755".into()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_group_that_a_fault_takes_has_a_note() {
    let root = tree("lost_group", &[("a.html", PAGE)]);
    if !std::process::Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success()) {
        return; // nothing else makes the fault
    }
    let path = root.join("a.html");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let fault = "exec strace -o log -e inject=fchown:error=EIO:when=1 \"$@\"";
    rewrite(&root, "-q -b http://h/ a.html").shell(fault).gives("", "", 0);
    fs::write(&path, PAGE).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let note = "absurl: a.html: its owner or group was not kept: input/output error; check who may read it\n";
    let (_, stderr, status) = rewrite(&root, "-b http://h/ a.html").shell(fault).text();
    assert_eq!((stderr.lines().next(), status), (note.lines().next(), 0), "{stderr}");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
}

#[test]
#[cfg(target_os = "linux")]
fn an_access_control_list_is_kept_and_none_is_added() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};

    // the owner, user 1234, the group, the most of both, all others
    let list = |user: u16, group: u16| -> Vec<u8> {
        let rows = [(1, 6, u32::MAX), (2, user, 1234), (4, group, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
        let row = |(tag, bits, id): (u16, u16, u32)| {
            [&tag.to_le_bytes()[..], &bits.to_le_bytes(), &id.to_le_bytes()].concat()
        };
        [&2_u32.to_le_bytes()[..], &rows.map(row).concat()].concat()
    };
    let (own, default) = ("system.posix_acl_access", "system.posix_acl_default");
    let root = tree("lists", &[("a.html", PAGE), ("b.html", PAGE)]);
    let (a, b) = (root.join("a.html"), root.join("b.html"));
    // not every file system has them
    if setxattr(&a, own, &list(4, 0), XattrFlags::empty()).is_err() {
        return;
    }
    fs::set_permissions(&b, fs::Permissions::from_mode(0o660)).unwrap();
    setxattr(&root, default, &list(6, 6), XattrFlags::empty()).unwrap();
    rewrite(&root, "-q -b http://h/ .").gives("", "", 0);
    let mut bytes = [0; 100];
    assert_eq!(getxattr(&a, own, &mut bytes[..]).map(|length| bytes[..length].to_vec()), Ok(list(4, 0)));
    assert_eq!(getxattr(&b, own, &mut bytes[..]), Err(rustix::io::Errno::NODATA));
    let modes = [a, b].map(|path| fs::metadata(path).unwrap().mode() & 0o7777);
    assert_eq!(modes, [0o660, 0o660]);
}

#[test]
fn a_kill_leaves_each_document_old_or_new() {
    let page = format!("{PAGE}{}", "<p>text".repeat(1_000));
    let new = page.replace("href=g", "href=http://h/g");
    let names: Vec<_> = (0..200).map(|number| format!("site/{number:03}.html")).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, &*page)).collect();
    let root = tree("killed", &files);
    for number in 0..20 {
        let run = rewrite(&root, "-b http://h/ site");
        let mut running = run.start(Stdio::null(), Stdio::null(), Stdio::null());
        let is_new = |name: &String| fs::metadata(root.join(name)).unwrap().len() == new.len() as u64;
        while !is_new(&names[number]) && running.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        running.kill().unwrap();
        running.wait().unwrap();
        for (at, name) in names.iter().enumerate() {
            let text = content(&root, name);
            assert!(text == new || text == page && at > number, "{number} {name}: {}", text.len());
            if text == new {
                fs::write(root.join(name), &page).unwrap();
            }
        }
    }
    // what a killed run leaves is hidden
    rewrite(&root, "-q -b http://h site").gives("", "", 0);
    assert!(names.iter().all(|name| content(&root, name) == new));
}
