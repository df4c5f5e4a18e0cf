//! The man page and the completion scripts, from the flags.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::{Cli, EXAMPLES, Kind, STATUSES};

/// The date of the man page: that of the release.
const DATE: &str = "2026-11-21";

/// How RFC 1808 is read where it is silent or contradicts itself.
const READINGS: [&str; 19] = [
    "A reference of no bytes is the base URL as it stands, its fragment included (step 2a).",
    "A reference with a scheme is the answer as it stands, byte for byte (step 2b): http:g stays http:g.",
    "An empty component is an absent one, so a lone #, ? or ; is dropped: g? gives .../g; ? alone inherits params and query; # alone gives the base URL without its fragment.",
    "A // with an empty net_loc is remembered in the base URL: file:///etc/hosts and passwd give file:///etc/passwd. In a reference it counts as no net_loc, and the base URL's is inherited: http://a/b and ///g give http://a/g; x:/a and ///g give x:/g.",
    "After a net_loc, a rest that is not empty and does not start with / gets one: http://a and g give http://a/g, http://a and ?y give http://a/?y; http://a and #s give http://a#s.",
    "Without a net_loc, /. is written before a path that starts with //: x:/a and .//b give x:/.//b.",
    "A net_loc ends at the next / only: http://a?x/y has the net_loc a?x.",
    "Params start at the first ; left after the query is gone: /a;b/c has the path /a and the params b/c.",
    "A scheme is one or more letters, digits, +, - or . before the first colon: :g and a_b:c are paths. Its case is kept.",
    "In step 6 an empty segment is a segment: a//../g gives a/g. A slash at the start of the path, as it stands at that moment, belongs to none: /../g stays.",
    "Step 6 rewrites text, and rule d is applied once, after c: http://a and .//x give http://a/x; urn:a/b and ..//../c give urn:/../c; http://a and . give http://a.",
    "Only . and .. are dot segments, not %2e. A reference with a net_loc or a leading / is not cleaned of them, nor is a path inherited whole; those of the base path go when step 6 runs.",
    "With a mailto, news or telnet base URL every relative reference but the empty one is an error (section 2.3).",
    "With a base URL of any other scheme, known or not, references are resolved alike: g:h and x give g:x.",
    "A base without a scheme that is not empty is an error: of usage for --base, of the record for --pairs.",
    "Without a base URL, or with an empty one, a reference with a scheme is the answer; any other, the empty one too, is an error.",
    "Input is bytes, never decoded: non-ASCII bytes and invalid UTF-8 pass unchanged.",
    "A line ends at LF or CRLF, and nothing else is trimmed. An empty line is the empty reference; the last line may lack its LF; a CR at the end of input is kept; a UTF-8 byte order mark at the start of a file or of standard input is dropped. With --null records end at NUL and nothing is trimmed.",
    "The wrapper <URL:...> belongs to the Base header field and is not recognised around references.",
];

/// The fields of a JSON object.
const FIELDS: [(&str, &str); 17] = [
    ("source", "What the record was read from: a file's name, - for standard input, argument for the command line."),
    ("record", "Its number there, from 1."),
    ("reference", "The reference."),
    ("base", "The base URL; null if there is none."),
    (
        "base_rule",
        "Only with --document, --links or --print-base: 3.1, 3.2, 3.3 or 3.4, the section of RFC 1808 that gives the base URL.",
    ),
    (
        "base_by, base_file, base_part, base_line, base_column",
        "Only where a document has the base URL (3.1 and 3.2): BASE or the name of the header field, and where that stands; base_part only in a part of a message.",
    ),
    (
        "element, attribute",
        "Only with --links: their names, in lower case. Source is the document then, and record the number of the link there.",
    ),
    (
        "line, column",
        "Only with --links: where the attribute's value begins, the column in bytes. They count in the file, or in the text of the part if that had to be decoded; columns of HTML in UTF-16 or in a charset that is made UTF-8 count the bytes of that.",
    ),
    ("part", "Only with --links, in a part of a message: its number."),
    ("url", "The absolute URL."),
    (
        "components",
        "An object of scheme, net_loc, path, params, query and fragment of url. A scheme or net_loc that is not there is null; the others are empty then.",
    ),
    ("inherited", "An array: the names of those components that came from the base URL, always the first ones."),
    (
        "step",
        "The step of section 4 that decided what is inherited: 2a, 2b, 3, 4, 5a, 5b or 6; 1 if there is no base URL.",
    ),
    (
        "steps",
        "Only with --explain: an array of objects with step, text and, where a rule of step 6 removes something, removed.",
    ),
    (
        "error",
        "Only if the record fails, instead of url, components, inherited and step: an object of code and message.",
    ),
    (
        "code",
        "In error: no-base, unsuitable-base, base-without-scheme, no-tab (then reference is the whole record), or no-memory (then there are only source, record and error); with --spec also not-utf-8, not-a-uri-reference, base-not-a-uri, base-not-a-url, opaque-base, no-host, bad-host, bad-address, bad-port, too-long.",
    ),
    (
        "reference_base64, base_base64, url_base64",
        "Only if the bytes are not UTF-8: exactly those bytes. In the other fields what is not UTF-8 stands as U+FFFD.",
    ),
];

/// The man page's other sections, paragraph by paragraph.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "RECORDS AND MESSAGES",
        &[
            "One record in, one record out, in order. A record that fails gives an empty record, a message on standard error and exit status 1; all others still get their answers.",
            "A message is absurl: FILE:LINE: what is wrong; how to mend it. FILE is - for standard input; an argument is named by its number, and with --null LINE is the record's number. In messages and explanations all bytes but the printable ones of ASCII stand as \\xNN; plain output and JSON carry the bytes.",
            "A file that cannot be read has a message and exit status 2; the other files are still answered. So has a record that is too long for memory, and its answer is empty. With --links and --pairs the message about a FILE begins with the place of its record; a FILE of - is standard input, which it cannot be where the list is. If the reader of the output closes it, absurl ends quietly. A standard output that was closed when absurl started is /dev/null to it, and a closed standard input is empty.",
            "Output is written in large pieces, but whatever is ready is written before absurl waits for input. Memory does not grow with the number of records; a record may be as long as memory allows.",
            "SIGINT ends absurl at once, in a blocked read or write too, and never inside a record; so do SIGTERM and SIGHUP. Only a record of more than 4096 bytes that a pipe has no room for, or a write to something that is neither a file nor a pipe and takes nothing more, is waited for. On Linux SIGKILL leaves no part of a record of up to 4096 bytes in a pipe to which only absurl writes; in a file the last record may be cut by it, and everywhere a longer one. So may the last record in a file be where the disk is full or the file may not grow: absurl never takes back what it has written, as others may write to the file too.",
        ],
    ),
    (
        "JSON",
        &[
            "With --json each record gives an object on a line of its own; with --print-base the base URL does, in an object of source, base and the fields that begin with base_. The fields:",
        ],
    ),
    (
        "DOCUMENTS",
        &[
            "With --document the base URL is that of section 3 of RFC 1808, the first of: the one embedded in the document (3.1), that of the innermost entity around it that has one (3.2), --base, the URL it was retrieved from (3.3), none (3.4). A document is a message if it begins with a header field, with a status line of HTTP, or with an mbox From line and a header field; otherwise it is HTML. --media-type overrides.",
            "In HTML the first BASE element with an HREF counts, wherever it stands and for the links before it too, as the HTML Standard says: not one in a comment, in text such as that of SCRIPT, STYLE, TITLE or TEXTAREA, in TEMPLATE, SVG or MATH. An SVG or MATH that is never ended has all that follows it, up to a tag that cannot stand in it: the end tag of an element around it does not end it here, as it would in a browser. HTML in an SVG foreignObject is HTML, and scripts do not run, so that NOSCRIPT has elements. A relative HREF is resolved with the next outer base URL; an empty one gives that. A first BASE that cannot be used, as one with a data: or javascript: URL, is passed over with a message; a second one never counts.",
            "In a message the header field Base counts, as in Base: <URL:http://host/path>; comments, white space in the brackets and a bare absolute URL are taken too. Where there is no usable one, Content-Base and then Content-Location count: extensions (RFC 2110, RFC 2557), which may be relative to the base URL around them; after a status line of HTTP Content-Location is no base URL. The first usable field of a name counts, the others are passed over with a message. A BASE in an HTML part outranks the header of the part, and that what is around it. Earlier headers that end in another status line are skipped, as redirects have them. Of an mbox only the first message is read: up to a From line that follows an empty line and is followed by a header field. A message that is in a transfer encoding more than 3 times over is not looked into, and of a Content-Type field only the first 16 KiB are; of both there is a message, and the exit status is 1.",
            "--part names a part: its own header or BASE is rule 3.1, what is around it 3.2. Without it the document itself is meant: the header of a message, or its body where that is one HTML text.",
            "--links gives the URLs in all attributes that have URLs by the HTML Standard, those of older HTML too: in a and area href and ping; in link href and imagesrcset; in img src, srcset, longdesc, usemap, lowsrc and dynsrc; src of audio, bgsound, embed, frame, iframe, input, script, source, track and video; srcset of source, poster of video, longdesc of frame and iframe; action of form, formaction of button and input, usemap of input; cite of blockquote, del, ins and q; data, usemap, classid, codebase and archive of object, codebase and archive of applet; background of body and of table and its elements; manifest of html, profile of head, icon of menuitem; content of a META refresh; itemid and itemtype of any element. Of a srcset or imagesrcset all URLs are given, also those whose descriptors a browser would not take. The HREF of BASE is no link. White space around a URL, and TAB, CR and LF in it, are dropped; character references are decoded. In a message the links are those of its text/html parts.",
            "The bytes of a URL stay as they are in UTF-8 and Latin-1, and character references become UTF-8. A byte order mark outranks all else. UTF-16 by it, and other charsets by the Content-Type of a part or by a META in the first KiB, become UTF-8.",
            "Links are written while a page is read, once its base URL is known and its first KiB is there; those before the first BASE are kept until then. So an HTML document needs as much memory as it has links before its BASE, and a message as much as it is long and has parts: the relative base URLs of its header fields, made whole, may together be as long as 1 MiB and four times the message, and those after them are passed over with a message.",
        ],
    ),
    (
        "CHECK",
        &[
            "--check resolves nothing. It judges each reference, and the base URL once, by the BNF of section 2.2 as a URL, absolute or relative, with or without a fragment. Each offence is a line on standard output, FILE:LINE:COL: what (production); what to write instead: all of a record, in its order. COL counts the bytes of the record from 1, with --pairs too; of an argument the place is argument N:COL, of the base URL base:COL. A link, or a base URL in a document, has the place where its attribute's value or its header field begins, FILE:LINE:COL in the document; the base URL of a record BASE TAB FILE has FILE:base:COL. With --links each base URL is judged once in its document, if a link is resolved with it. A legal record gives no line.",
            "An offence is a byte that is neither uchar nor reserved (the national and the punctuation characters, space, control characters, all that is not ASCII), a % that two hex digits do not follow, an empty first segment (fsegment) where a scheme does not excuse it, and a base URL whose scheme is never used with relative URLs (section 2.3). A note, which begins with note: and leaves the exit status, tells of a scheme that may have been meant as a path with a colon (section 5.3): one that is none of RFC 1738's nor the base URL's and has no // behind it.",
            "With --json each record is an object with source, record, reference, base, offences and notes; a base URL with offences comes before them, its source is base, or the document that has it. With --document and --links there are the fields about the base URL and the link too; column is in the elements the byte's in the record, the link or the base URL. The elements have in (base or reference), production (scheme, if relative URLs are never used with that of the base), column, byte (its value), remedy (what to write instead of that byte, where that is plain) and message.",
            "The exit status is 1 if there is any offence. --quiet leaves only that, --fail-fast stops behind the first record that has one.",
        ],
    ),
    #[cfg(feature = "spec")]
    (
        "WHAT WOULD A BROWSER DO?",
        &[
            "absurl answers as RFC 1808 says. --spec rfc3986 answers as its successor does, by the strict algorithm of section 5.2 there; --spec whatwg answers as the URL Standard says, which browsers follow, with the href that new URL(reference, base) has. Both read UTF-8 only, and both refuse some texts: such a record fails. Of file URLs with empty segments or drive letters absurl does not know what browsers do: it may answer otherwise. With --json the object then has source, record, reference, base, spec, and url or error.",
            "--compare asks all three. For each record on which they do not agree byte for byte it writes a block: the place, the reference, the three answers and the reasons, in the terms of RFC 1808. At the end a table on standard error counts them. The exit status is 1 if any record differs, so that a site can be held to references that everyone reads alike. An error in one is a difference, if another has an answer. --compare=meaning passes over what WHATWG only normalises; but a raw backslash, space or byte that is not ASCII is an error in RFC 3986 and so never passed over, and a host of numbers such as 1.2, an IPv4 address for WHATWG, is another host. --quiet leaves the table. --explain tells before its last line where another standard would answer differently.",
            "With --json each record that differs is an object with source, record, reference, base, with --document and --links the fields about the base URL and the link, rfc1808, rfc3986, whatwg (each with url or error) and why, an array of codes. They are, of the other standards: error-rfc3986, error-whatwg (there is no answer). Of section 2: unsuitable-base, lone-delimiter, scheme-name, net-loc-question, params-first-semicolon. Of section 4: fragment-inherited (step 2a), same-scheme, scheme-slashes, dots-in-absolute (2b), empty-net-loc, dots-after-net-loc (3), dots-after-slash (4), base-dots (5), params-replaced (5a), surplus-dots, encoded-dots, rootless-base (6), slash-put-in (7). Of WHATWG: file, host-number. Of its normalisation: slash-after-host, case, percent-encoding, default-port, host-spelling, backslash, white-space. other is none of these.",
        ],
    ),
    (
        "READINGS",
        &["The default is the letter of RFC 1808. Where that is silent or contradicts itself, absurl reads it so:"],
    ),
    (
        "ENVIRONMENT",
        &[
            "NO_COLOR, if it is set and not empty, turns colours off where --color is auto. CLICOLOR_FORCE, if it is set and not empty, turns them on there, terminal or not; CLICOLOR=0 and TERM=dumb turn them off. NO_COLOR outranks them.",
        ],
    ),
    (
        "STANDARDS",
        &[
            "RFC 1808, Relative Uniform Resource Locators: section 2.4 parses, section 3 gives the base URL, section 4 resolves. RFC 3986, and the URL Standard of the WHATWG which browsers follow, differ: they drop surplus .. segments and remove dot segments after a leading slash.",
        ],
    ),
    ("SEE ALSO", &["curl(1), jq(1), trurl(1), xargs(1)"]),
];

/// What `kind` asks for.
pub fn text(kind: Kind) -> Vec<u8> {
    let shell = match kind {
        Kind::Man => return man(),
        Kind::CompleteBash => Shell::Bash,
        Kind::CompleteZsh => Shell::Zsh,
        Kind::CompleteFish => Shell::Fish,
        Kind::CompletePowershell => Shell::PowerShell,
        Kind::CompleteElvish => Shell::Elvish,
    };
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "absurl", &mut script);
    script
}

/// The man page.
fn man() -> Vec<u8> {
    let about = "turns relative URLs into absolute ones, exactly as RFC 1808 says";
    let man = Man::new(Cli::command().about(about))
        .title("ABSURL")
        .section("1")
        .date(DATE)
        .source(concat!("absurl ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let mut synopsis = Roff::new();
    section(&mut synopsis, "SYNOPSIS");
    synopsis.text([bold("absurl"), roman(" ["), italic("OPTIONS"), roman("] ["), italic("REFERENCE"), roman("]...")]);
    let mut roff = Roff::new();
    section(&mut roff, "EXIT STATUS");
    for (status, what) in STATUSES {
        tagged(&mut roff, status, what);
    }
    roff.control("PP", []).text([roman("Where both 1 and 2 apply, it is 2.")]);
    section(&mut roff, "EXAMPLES");
    for (what, line) in EXAMPLES {
        tagged(&mut roff, line, what);
    }
    for &(name, paragraphs) in SECTIONS {
        section(&mut roff, name);
        for (number, paragraph) in paragraphs.iter().enumerate() {
            if number > 0 {
                roff.control("PP", []);
            }
            roff.text([roman(*paragraph)]);
        }
        match name {
            "JSON" => FIELDS.iter().for_each(|(field, text)| tagged(&mut roff, field, text)),
            "READINGS" => {
                for (number, reading) in READINGS.iter().enumerate() {
                    tagged(&mut roff, &format!("{}.", number + 1), reading);
                }
            }
            _ => {}
        }
    }
    let (mut page, mut options) = (Vec::new(), Vec::new());
    // a Vec takes all that is written to it
    let _ = man
        .render_title(&mut page)
        .and_then(|()| man.render_name_section(&mut page))
        .and_then(|()| synopsis.to_writer(&mut page))
        .and_then(|()| man.render_description_section(&mut page))
        .and_then(|()| man.render_options_section(&mut options))
        .and_then(|()| page.write_all(b".SH OPTIONS\n"))
        // the headings of --help are parts of one section here
        .and_then(|()| page.write_all(String::from_utf8_lossy(&options).replace(".SH ", ".SS ").as_bytes()))
        .and_then(|()| roff.to_writer(&mut page));
    page
}

/// Begins a section.
fn section(roff: &mut Roff, name: &str) {
    roff.control("SH", [name]);
}

/// Adds a paragraph with a tag.
fn tagged(roff: &mut Roff, tag: &str, text: &str) {
    roff.control("TP", []).text([bold(tag)]).text([roman(text)]);
}
