//! What a file surely is not, by its first bytes: neither a document nor a list. And UTF-16.

use std::io;

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
    (&[b"wOFF", b"wOF2"], "a font", NOT_READ),
    (&[b"\x7FELF", b"MZ\x90\0", b"\xCA\xFE\xBA\xBE", b"\0asm"], "a program", NOT_READ),
    // Mach-O, in both byte orders
    (&[b"\xFE\xED\xFA\xCE", b"\xFE\xED\xFA\xCF", b"\xCE\xFA\xED\xFE", b"\xCF\xFA\xED\xFE"], "a program", NOT_READ),
];

/// Why no document can be made of a file.
const NOT_READ: &str = "only HTML, CSS, XML and mail can be read";

/// Refuses what is not a document by its first bytes.
pub fn check_first_bytes(start: &[u8]) -> io::Result<()> {
    let is = |magic: &&[u8]| start.len() >= magic.len() && magic.iter().zip(start).all(|(m, b)| m == b || *m == b'?');
    match OTHERS.iter().find(|(magics, ..)| magics.iter().any(is)) {
        Some((_, what, fix)) => Err(io::Error::new(io::ErrorKind::InvalidData, format!("the file is {what}; {fix}"))),
        None => Ok(()),
    }
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
