//! What a file surely is not, by its first bytes: neither a document nor a list. And UTF-16.

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
    (&[b"PAR1"], "a Parquet table", "print its references first: duckdb -csv -noheader -c \"SELECT url FROM 'FILE'\""),
    // Mach-O, in both byte orders
    (&[b"\xFE\xED\xFA\xCE", b"\xFE\xED\xFA\xCF", b"\xCE\xFA\xED\xFE", b"\xCF\xFA\xED\xFE"], "a program", NOT_READ),
];

/// What an archive of tar has at [`TAR_AT`], by POSIX and by GNU.
const TAR: &[&[u8]] = &[b"ustar\0", b"ustar  \0"];

/// Where the first header of an archive of tar names its format.
const TAR_AT: usize = 257;

/// How to make a document of a file: not at all.
const NOT_READ: &str = "only HTML, CSS, XML, Markdown and mail can be read";

/// What other file starts so, if it is one of them.
fn find_other(start: &[u8]) -> Option<&(&[&[u8]], &str, &str)> {
    OTHERS.iter().find(|(magics, ..)| magics.iter().any(|magic| is_start(magic, start)))
}

/// Whether a file begins with the bytes of a kind.
fn is_start(magic: &[u8], start: &[u8]) -> bool {
    start.len() >= magic.len() && magic.iter().zip(start).all(|(m, b)| m == b || *m == b'?')
}

/// Refuses what is not a document by its first bytes.
pub fn check_first_bytes(start: &[u8]) -> io::Result<()> {
    let is_tar = start.get(TAR_AT..).is_some_and(|start| TAR.iter().any(|magic| start.starts_with(magic)));
    match find_other(start) {
        Some((_, what, fix)) => Err(refusal(format!("the file is {what}; {fix}"))),
        None if is_tar => Err(refusal("the file is a tar archive; extract a page first: tar -xOf FILE PAGE".into())),
        None => Ok(()),
    }
}

/// Refuses a document that begins with no tag and has a NUL near its start. Text has one only in UTF-16 or UTF-32.
pub fn check_text(start: &[u8]) -> io::Result<()> {
    let first = &start[..start.len().min(TEXT_START)];
    let has_wide_bom = [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\0\0\xFE\xFF"].iter().any(|bom| first.starts_with(bom));
    let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
    // a NUL before the first tag may be half of it
    let begins_with_tag = text.iter().find(|byte| **byte != 0 && !byte.is_ascii_whitespace()) == Some(&b'<');
    if has_wide_bom || begins_with_tag || !first.contains(&0) || utf16(first).is_some() {
        return Ok(());
    }
    Err(binary())
}

/// An error about a document that is no text.
pub fn binary() -> io::Error {
    refusal(format!("the file is binary data; {NOT_READ}"))
}

/// Refuses what is not a list of records by its first bytes, or by a NUL where records are lines.
pub fn check_list(start: &[u8], terminator: u8) -> io::Result<()> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != terminator;
    let has_controls = start.iter().take(64).any(is_control);
    // GIF89a.html and a/b/ftyp may be references, %PDF and !<arch> may not
    let is_no_reference = start.starts_with(b"%") || start.starts_with(b"!");
    if let Some((magics, what, fix)) = find_other(start)
        && (has_controls || !magics.iter().any(|magic| magic.is_ascii() && is_start(magic, start)) || is_no_reference)
    {
        let fix = if *fix == NOT_READ { "a list of references is text" } else { fix };
        return Err(refusal(format!("the file is {what}; {fix}")));
    }
    if terminator == 0 || !start.iter().take(TEXT_START).any(|byte| *byte == 0) {
        return Ok(()); // silent: reading 20
    }
    Err(refusal(match utf16(start) {
        Some(encoding) => says_utf16(encoding),
        None => "binary data, not lines; if its records end in NUL, use --null".into(),
    }))
}

/// An error about what a file is.
fn refusal(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// How to read UTF-16.
pub fn says_utf16(encoding: &str) -> String {
    let command = match encoding {
        _ if !cfg!(windows) => format!("iconv -f {encoding} -t UTF-8 FILE"),
        // of PowerShell, whose > writes UTF-16
        "UTF-16BE" => "Get-Content -Encoding bigendianunicode FILE | Set-Content -Encoding utf8 NEW".into(),
        _ => "Get-Content -Encoding unicode FILE | Set-Content -Encoding utf8 NEW".into(),
    };
    format!("looks like {encoding}; convert it: {command}")
}

/// Which UTF-16 a text is that starts so: every other byte is the NUL of an ASCII character. UTF-16
/// without the order of its bytes has a byte order mark.
pub fn utf16(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(64)];
    let has_bom = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    let is_ascii =
        |nul: usize| start.len() > 3 && start.chunks_exact(2).all(|pair| pair[nul] == 0 && pair[1 - nul] != 0);
    if has_bom && start.contains(&0) {
        Some("UTF-16")
    } else if is_ascii(1) {
        Some("UTF-16LE")
    } else {
        is_ascii(0).then_some("UTF-16BE")
    }
}

/// Whether a list of references starts as a page or a feed does.
pub fn looks_like_page(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    let is = |tag: &&[u8]| start.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    [&b"<!doctype "[..], b"<html", b"<?xml "].iter().any(is)
}
