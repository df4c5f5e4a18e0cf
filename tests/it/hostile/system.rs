//! Files, descriptors and limits of the system that fail.

use super::HTML;
use super::row::{MUCH, PLAIN, join, row, run_all, text, times};
use crate::cli::no_base;
use crate::harness::{SHARED_BASE, has};

/// Whether this is Linux, whose devices or messages a row is about.
const LINUX: bool = cfg!(target_os = "linux");

/// Forbids a file to be read, and root to read it all the same.
const DROP_AND_RUN: &str = r#"chmod 0 secret; [ ! -r secret ] || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"; exec "$@""#;

/// What all see of an output that cannot be written.
const FULL: &str = "absurl: standard output: no space left on device\n";

#[test]
fn files_and_descriptors_that_fail() {
    const B: &str = "-b http://a/b";
    let mut rows = vec![
        row("a directory as references, and the other sources are answered", "-b http://a/b g -f . -f list")
            .file("list", text("h\n"))
            .writes(text("http://a/g\nhttp://a/h\n"))
            .says(text("absurl: .: a directory, not a list; --links reads its documents\n"))
            .status(2),
        row("a directory as standard input", B)
            .shell(r#"exec "$@" <."#)
            .says(text("absurl: -: a directory, not a list; --links reads its documents\n"))
            .status(2),
        row("a directory as a document", "-b http://a/b -d . g").says(text("absurl: .: a directory; -d takes one document\n")).status(2),
        row("a directory without documents, and the others are answered", "--links empty x.html")
            .file("x.html", text("<base href=http://a/><a href=g>"))
            .shell(r#"mkdir empty; exec "$@""#)
            .writes(text("http://a/g\n"))
            .says(text("absurl: empty: no documents\n"))
            .status(2),
        row("a file that is gone, and the other sources are answered", "-b http://a/b -f gone -f list")
            .file("list", text("h\n"))
            .shell(r#"ln -s nowhere gone; exec "$@""#)
            .writes(text("http://a/h\n"))
            .says(text("absurl: gone: no such file or directory\n"))
            .status(2),
        row("a file that is deleted while it is open is read to its end", "-b http://a/b")
            .file("list", text("g\nh"))
            .shell(r#"exec <list; rm list; exec "$@""#)
            .writes(text("http://a/g\nhttp://a/h\n")),
        row("a symbolic link to itself", "-b http://a/b -d loop --print-base")
            .shell(r#"ln -s loop loop; exec "$@""#)
            .says(text("absurl: loop: too many levels of symbolic links\n"))
            .status(2)
            .only_if(LINUX),
        row("a file that may not be read", "-b http://a/b -f secret g")
            .file("secret", text("h\n"))
            .shell(DROP_AND_RUN)
            .writes(text("http://a/g\n"))
            .says(text("absurl: secret: permission denied\n"))
            .status(2),
        row("a FIFO whose writer stops in a record", "-b http://a/b -f fifo")
            .shell(r#"mkfifo fifo; printf 'g\nh' >fifo & exec "$@""#)
            .writes(text("http://a/g\nhttp://a/h\n")),
        row("a FIFO as a document whose writer stops in a tag", "-b http://a/b --links fifo")
            .shell(r#"mkfifo fifo; printf '<a href=g><a href=h' >fifo & exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a FIFO whose writer writes nothing", "-b http://a/b -f fifo g")
            .shell(r#"mkfifo fifo; : >fifo & exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a closed standard input is empty", B).shell(r#"exec "$@" <&-"#),
        row("a closed standard input is an empty document", "-b http://a/b - --links")
            .shell(r#"exec "$@" <&-"#)
            .says(text("absurl: -: empty\n"))
            .status(2),
        row("a closed standard error keeps the answers and status 1", "g x:y")
            .shell(r#"exec "$@" 2>&-"#)
            .writes(text("\nx:y\n"))
            .status(1),
        row("a closed standard error keeps the answers and status 2", "-b http://a/b -f missing g")
            .shell(r#"exec "$@" 2>&-"#)
            .writes(text("http://a/g\n"))
            .status(2),
        row("a full standard error keeps the answers and status 1", "g x:y")
            .shell(r#"exec "$@" 2>/dev/full"#)
            .writes(text("\nx:y\n"))
            .status(1)
            .only_if(LINUX),
        // Rust opens /dev/null in its place before the program begins, so that no file of it becomes standard output
        row("a closed standard output is /dev/null", "-b http://a/b g").shell(r#"exec "$@" >&-"#),
        row("a closed standard output keeps status 1 and the message", "g")
            .shell(r#"exec "$@" >&-"#)
            .says(text(no_base("argument 1")))
            .status(1),
        row("all three closed keep status 2", "-f missing").shell(r#"exec "$@" <&- >&- 2>&-"#).status(2),
        row("a standard output of which the system reports nothing", "-b http://a/b g")
            .shell(r#"strace -f -o calls -P "$PWD/out" -e inject=fstat,newfstatat,statx:error=ESTALE "$@" >out; status=$?; cat out; exit $status"#)
            .says(text("absurl: standard output: stale file handle\n"))
            .status(2)
            .within(MUCH)
            .only_if(LINUX && has("strace")),
        // nor does it report that nothing can be written there
        row("a standard output opened for reading is /dev/null", "-b http://a/b g").shell(r#"exec "$@" 1</dev/null"#),
        row("a standard input opened for writing", B)
            .shell(r#"exec "$@" <&1"#)
            .says(text("absurl: -: bad file descriptor\n"))
            .status(2),
        row("a reader of the output that has gone is no error", "-b http://a/b")
            .shell(r#"{ "$@"; echo "status $?" >&2; } | :"#)
            .reads(times("g\n", 1_000_000))
            .says(text("status 0\n")),
        row("a file that gives an error when it is read", "-b http://a/b -f /proc/self/mem g")
            .writes(text("http://a/g\n"))
            .says(text("absurl: /proc/self/mem: input/output error\n"))
            .status(2)
            .only_if(LINUX),
        row("a document that gives an error when it is read", "-b http://a/b --links /proc/self/mem x.html")
            .file("x.html", text("<a href=g>"))
            .writes(text("http://a/g\n"))
            .says(text(format!("{SHARED_BASE}absurl: /proc/self/mem: input/output error\n")))
            .status(2)
            .only_if(LINUX),
        row("a working directory that is gone", "-b http://a/b g")
            .shell(r#"mkdir gone; cd gone; rmdir ../gone; exec "$@""#)
            .writes(text("http://a/g\n")),
        row("a working directory that nobody can write to", "-b http://a/b g -f self/cmdline -0")
            .shell(r#"cd /proc; exec "$@" | head -n 1 | cut -c 1-11"#)
            .writes(text("http://a/g\0\n"))
            .only_if(LINUX),
        row("pairs to a full disk", "--pairs")
            .shell(r#"exec "$@" >/dev/full"#)
            .reads(times("http://a/\tg\n", 1_000_000))
            .says(text(FULL))
            .status(2)
            .only_if(LINUX),
        row("an answer and a message to a full disk", "x")
            .shell(r#"exec "$@" >/dev/full"#)
            .says(text(no_base("argument 1") + FULL))
            .status(2)
            .only_if(LINUX),
    ];
    let modes = [
        "g",
        "-k g",
        "-0 g",
        "-j g",
        "-e g",
        "--check ~",
        "-j --check g",
        "--print-base x.html",
        "--version",
        "--help",
        "-h",
        "-d x.html --print-base",
        "x.html --links",
        "x.html --links -j",
        "-f list",
    ];
    let modes =
        modes.into_iter().chain(["--spec rfc3986 g", "--spec whatwg g", "--compare ../../g", "-j --compare ../../g"]);
    let modes = modes.into_iter().map(|mode| format!("{mode} -b http://a/b")).chain(["--generate man".into()]);
    rows.extend(modes.map(|mode| {
        row("a full disk", &mode)
            .file("x.html", text("<a href=g>"))
            .file("list", text("g\n"))
            .shell(r#"exec "$@" >/dev/full"#)
            .says(text(FULL))
            .status(2)
            .only_if(LINUX)
    }));
    run_all(rows);
}

/// Runs absurl with a standard output that is also its input, and prints what the file has then.
const INTO_ITSELF: &str = r#"ln x y; ln -s x z; "$@" <x >>x; status=$?; cat x; exit $status"#;

#[test]
fn the_output_is_not_an_input() {
    const SAME: &str = "input and output are the same file";
    const PAGE: &str = "<base href=http://a/><a href=g>\n";
    let into_itself =
        |arguments| row(arguments, arguments).file("x", text(PAGE)).file("list", text("g\n")).shell(INTO_ITSELF);
    let mut rows = Vec::new();
    for (arguments, name) in [
        ("-b http://a/", "-"),
        ("-b http://a/ -f -", "-"),
        ("-b http://a/ -f x", "x"),
        ("-b http://a/ -f ./x", "./x"),
        ("-b http://a/ -f y", "y"),
        ("-b http://a/ -f z", "z"),
        // before anything is read or written
        ("-b http://a/ g -f list -f missing -f x", "x"),
        ("-j -f x", "x"),
        ("-e -f x", "x"),
        ("-c -f x", "x"),
        ("-0 -p -f x", "x"),
        ("-d x g", "x"),
        ("-d x", "x"),
        ("-d list -f x", "x"),
        ("--links", "-"),
        ("--links missing x", "x"),
        ("--links -p", "-"),
        ("--links -p -f x", "x"),
        ("--print-base x", "x"),
        ("--print-base -d x", "x"),
    ] {
        rows.push(into_itself(arguments).writes(text(PAGE)).says(text(format!("absurl: {name}: {SAME}\n"))).status(2));
    }
    rows.extend([
        into_itself("-b http://a/ g -f list").writes(text(format!("{PAGE}http://a/g\nhttp://a/g\n"))),
        into_itself("--links -p -f pairs")
            .file("pairs", text("\tother\n\tx\n\tother\n"))
            .file("other", text(PAGE))
            .writes(text(format!("{PAGE}http://a/g\n\nhttp://a/g\n")))
            .says(text("absurl: pairs:2: x: input and output are the same file\n"))
            .status(1),
    ]);
    // what is no regular file may be both, and a FIFO is opened once
    rows.extend([
        into_itself("-b http://a/ -f /dev/null").shell(r#"exec "$@" >/dev/null"#),
        into_itself("-b http://a/ -f fifo")
            .shell(r#"mkfifo fifo; echo g >fifo & "$@" >out; cat out"#)
            .writes(text("http://a/g\n")),
    ]);
    run_all(rows);
}

#[test]
fn limits_of_the_system() {
    run_all(vec![
        row("a stack of 512 KiB is enough for a million \"../\"", "-b http://a/b/c/d")
            .shell(r#"ulimit -s 512; exec "$@""#)
            .reads(times("../", 1_000_000))
            .writes(join([text("http://a/"), times("../", 999_998), text("\n")]))
            .within(PLAIN),
        row("a stack of 512 KiB is enough for 10 000 messages in messages", "-b http://a/b --links -")
            .shell(r#"ulimit -s 512; exec "$@""#)
            .reads(join([times("Content-Type: message/rfc822\n\n", 10_000), text(HTML)]))
            .says(text("absurl: -:203:1: not searching parts nested more than 100 levels deep; extract them first\n"))
            .status(1),
        row("a stack of 512 KiB is enough for a million nested elements", "-b http://a/b --links -")
            .shell(r#"ulimit -s 512; exec "$@""#)
            .reads(join([times("<svg><math><template>", 300_000), text("<a href=g>")]))
            .writes(text("http://a/g\n"))
            .within(PLAIN),
        row(
            "a stack of 512 KiB is enough for half a million brackets in comments of a header",
            "-b http://a/b --links -",
        )
        .shell(r#"ulimit -s 512; exec "$@""#)
        .reads(join([text("Content-Type: text/html;"), times("(", 8000), text(";x=\"\n\n<a href=g>")]))
        .writes(text("http://a/g\n")),
        row("no file descriptor left for a file of a list", "--links --pairs -f list")
            .file("list", text("http://a/\tx.html\nhttp://a/\tx.html\n"))
            .file("x.html", text("<a href=g>"))
            .shell(r#"ulimit -n 4; exec "$@""#)
            .says(text(
                "absurl: list:1: x.html: too many open files\n\
                 absurl: list:2: x.html: too many open files\n",
            ))
            .writes(text("\n\n"))
            .status(1)
            .only_if(LINUX),
    ]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_memory_holds_for_a_program_that_needs_more() {
    // what all rows rely on: a program that needs 40 MB has them or fails
    let needs = r"x=$(head -c 40000000 /dev/zero | tr '\0' x) && echo ${#x}";
    run_all(vec![row("enough", "").shell(needs).writes(text("40000000\n")).within(1024)]);
    let outcome = std::panic::catch_unwind(|| {
        run_all(vec![row("too little", "").shell(needs).writes(text("40000000\n")).within(24)]);
    });
    assert!(outcome.is_err(), "40 MB fit in 24 MiB");
}
