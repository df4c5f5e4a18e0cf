//! What a file surely is not, by its first bytes: neither a document nor a list. And UTF-16 and UTF-32.

use std::io;

use crate::limits::TEXT_START;

/// What other files start with, where `?` is any byte, what they are, and how to make a document of them.
const OTHERS: &[(&[&[u8]], &str, &str)] = &[
    (&[b"\x1F\x8B"], "compressed with gzip", "decompress it first: zcat FILE"),
    (&[b"BZh?1AY&SY"], "compressed with bzip2", "decompress it first: bzcat FILE"),
    (&[b"\xFD7zXZ\0"], "compressed with xz", "decompress it first: xzcat FILE"),
    (&[b"\x28\xB5\x2F\xFD"], "compressed with zstd", "decompress it first: zstdcat FILE"),
    (&[b"PK\x03\x04"], "a zip archive", "extract a page first: unzip -p FILE PAGE"),
    (&[b"7z\xBC\xAF\x27\x1C"], "a 7z archive", "extract a page first: 7z x -so FILE PAGE"),
    (&[b"%PDF-"], "a PDF", "convert it first: pdftohtml -stdout FILE"),
    // PNG, GIF, JPEG, BMP, ICO
    (&[b"\x89PNG\r\n", b"GIF8", b"\xFF\xD8\xFF", b"BM????\0\0\0\0", b"\0\0\x01\0"], "an image", NOT_READ),
    // WAV or WebP; HEIC, AVIF or MP4; MP3; Ogg; Matroska
    (
        &[b"RIFF", b"????ftyp", b"ID3\x02", b"ID3\x03", b"ID3\x04", b"\xFF\xFB", b"OggS", b"\x1A\x45\xDF\xA3"],
        "an image, audio or video",
        NOT_READ,
    ),
    // WOFF; TrueType, OpenType, and collections of them
    (&[b"wOFF", b"wOF2", b"\0\x01\0\0", b"OTTO\0", b"ttcf\0"], "a font", NOT_READ),
    (&[b"bplist00"], "a property list", NOT_READ),
    (&[b"!<arch>\n"], "an ar archive", NOT_READ),
    (&[b"SQLite format 3\0"], "an SQLite database", "print its references first: sqlite3 FILE 'SELECT url FROM TABLE'"),
    (&[b"\x7FELF", b"MZ\x90\0", b"\xCA\xFE\xBA\xBE", b"\0asm"], "a program", NOT_READ),
    (
        &[b"PAR1"],
        "a Parquet table",
        "print its references first: duckdb -list -noheader -separator $'\\t' -c \"SELECT url FROM 'FILE'\" (for --pairs: base, url)",
    ),
    // Mach-O, in both byte orders
    (&[b"\xFE\xED\xFA\xCE", b"\xFE\xED\xFA\xCF", b"\xCE\xFA\xED\xFE", b"\xCF\xFA\xED\xFE"], "a program", NOT_READ),
];

/// What an archive of tar has at [`TAR_AT`], by POSIX and by GNU, what it is, and how to make a document of it.
const TAR: (&[&[u8]], &str, &str) =
    (&[b"ustar\0", b"ustar  \0"], "a tar archive", "extract a page first: tar -xOf FILE PAGE");

/// Where the first header of an archive of tar names its format.
const TAR_AT: usize = 257;

/// How to make a document of a file: not at all.
const NOT_READ: &str = "only HTML, CSS, XML, Markdown and email can be read";

/// Finds the kind of file that starts with these bytes. Many signatures are letters, so a byte that no text has must follow,
/// except after `%PDF-`: most files have one in their first 16 bytes, archives of ar where their first member starts.
/// `terminator` may be in a text.
fn find_other(start: &[u8], terminator: u8) -> Option<&'static (&'static [&'static [u8]], &'static str, &'static str)> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != terminator;
    let is_binary = start.iter().take(TEXT_START).any(is_control);
    let is_sure = |magic: &[u8]| is_binary || !magic.is_ascii() || magic.starts_with(b"%");
    if start.get(TAR_AT..).is_some_and(|header| TAR.0.iter().any(|magic| header.starts_with(magic))) {
        return Some(&TAR);
    }
    OTHERS.iter().find(|(magics, ..)| magics.iter().any(|magic| is_sure(magic) && is_start(magic, start)))
}

/// What a content that starts so is, if it is no text.
pub fn other_kind(start: &[u8]) -> Option<&'static str> {
    find_other(start, b'\n').map(|(_, what, _)| *what)
}

/// Whether a file begins with the bytes of a kind.
fn is_start(magic: &[u8], start: &[u8]) -> bool {
    start.len() >= magic.len() && magic.iter().zip(start).all(|(m, b)| m == b || *m == b'?')
}

/// Refuses what is not a document by its first bytes.
pub fn check_first_bytes(start: &[u8]) -> io::Result<()> {
    match find_other(start, b'\n') {
        Some((_, what, fix)) => Err(refusal(format!("the file is {what}; {fix}"))),
        None => Ok(()),
    }
}

/// Refuses a document that begins with no tag and has a NUL near its start. Text has one only in UTF-16.
pub fn check_text(start: &[u8]) -> io::Result<()> {
    let first = &start[..start.len().min(TEXT_START)];
    let has_wide_bom = first.starts_with(b"\xFF\xFE") || first.starts_with(b"\xFE\xFF");
    let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
    let begins_with_tag = text.trim_ascii_start().starts_with(b"<");
    if has_wide_bom || begins_with_tag || !first.contains(&0) || wide_encoding(first).is_some() {
        return Ok(());
    }
    Err(binary())
}

/// Refuses a document in UTF-32, which browsers do not read, or in UTF-16 without a byte order mark; a message in any UTF-16.
pub fn check_encoding(start: &[u8], is_message: bool) -> io::Result<()> {
    match wide_encoding(start).filter(|encoding| is_message || *encoding != "UTF-16") {
        Some(encoding) => Err(refusal(encoding_advice(encoding))),
        None => Ok(()),
    }
}

/// An error about a document that is no text.
pub fn binary() -> io::Error {
    refusal(format!("the file is binary data; {NOT_READ}"))
}

/// Refuses what is not a list of records by its first bytes, or by a NUL where records are lines.
pub fn check_list(start: &[u8], terminator: u8) -> io::Result<()> {
    if let Some((_, what, fix)) = find_other(start, terminator) {
        let fix = if *fix == NOT_READ { "a list of references is text" } else { fix };
        return Err(refusal(format!("the file is {what}; {fix}")));
    }
    if terminator == 0 || !start.iter().take(TEXT_START).any(|byte| *byte == 0) {
        return Ok(()); // silent: reading 20
    }
    Err(refusal(match wide_encoding(start) {
        // names of one letter that end in NUL look the same
        Some(encoding) if !start.contains(&b'\n') => {
            format!("{}, or use --null if its records end in NUL", encoding_advice(encoding))
        }
        Some(encoding) => encoding_advice(encoding),
        None => "binary data, not lines; if its records end in NUL, use --null".into(),
    }))
}

/// An error about what a file is.
fn refusal(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// How to read UTF-16 or UTF-32.
pub fn encoding_advice(encoding: &str) -> String {
    // of PowerShell, whose > writes UTF-16
    let name = match encoding {
        "UTF-16BE" => "bigendianunicode",
        "UTF-32BE" => "bigendianutf32",
        "UTF-32" | "UTF-32LE" => "utf32",
        _ => "unicode",
    };
    let command = if cfg!(windows) {
        format!("Get-Content -Encoding {name} FILE | Set-Content -Encoding utf8 NEW")
    } else {
        format!("iconv -f {encoding} -t UTF-8 FILE")
    };
    format!("looks like {encoding}; convert it: {command}")
}

/// Which UTF-16 or UTF-32 a text is that starts so: it starts with a character of ASCII, and no other one comes after
/// U+1FFF, as most scripts do not. If the order of its bytes is not named, it has a byte order mark.
pub fn wide_encoding(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(64)];
    if start.starts_with(b"\xFF\xFE\0\0") || start.starts_with(b"\0\0\xFE\xFF") {
        return Some("UTF-32");
    } else if (start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF")) && start.contains(&0) {
        return Some("UTF-16");
    }
    let is_wide = |size: usize, is_big: bool| {
        let code = |bytes: &[u8]| {
            let add = |code: u32, byte: &u8| code << 8 | u32::from(*byte);
            if is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
        };
        let mut codes = start.chunks_exact(size).map(code);
        start.len() >= 2 * size
            && codes.next().is_some_and(|code| matches!(code, 1..0x80))
            && codes.all(|code| matches!(code, 1..0x2000))
    };
    let encodings = [("UTF-32LE", 4, false), ("UTF-32BE", 4, true), ("UTF-16LE", 2, false), ("UTF-16BE", 2, true)];
    encodings.into_iter().find(|(_, size, is_big)| is_wide(*size, *is_big)).map(|(name, ..)| name)
}

/// What pages, feeds, emails and HTTP responses start with, and no reference does.
const DOCUMENT_STARTS: &[&[u8]] = &[
    b"<!doctype ",
    b"<html",
    b"<?xml ",
    b"http/1.",
    b"http/2 ",
    b"http/3 ",
    b"return-path: ",
    b"received: ",
    b"delivered-to: ",
    b"message-id: ",
    b"mime-version: ",
];

/// What a list of references looks like that starts so, and how to read that; `None` if it looks like a list.
pub fn other_look(start: &[u8]) -> Option<&'static str> {
    let start = start.trim_ascii_start();
    let is = |first: &&[u8]| start.get(..first.len()).is_some_and(|start| start.eq_ignore_ascii_case(first));
    if DOCUMENT_STARTS.iter().any(is) {
        return Some("a document, not a list; for its links, use --links");
    }
    let is_json = [&b"{\""[..], b"[{\"", b"[\""].iter().any(is);
    is_json.then_some("JSON, not a list; jq -r .FIELD FILE | absurl -b URL reads a field of it")
}
