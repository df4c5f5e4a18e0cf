//! The limits that a user can meet: a message, the man page or SECURITY.md mentions them, or they change an answer.
//! And [`BLOCK`], which several rooms share. Any other size of a buffer, and what serves one file only, is in that
//! file.

/// The longest record, in bytes without its terminator. It bounds the memory that a list takes.
pub const MAX_RECORD: usize = 16 * 1024 * 1024;

/// The longest user, host and port together by WHATWG, in bytes: url 2.5.8 goes back through all of them for each dot
/// segment of the path (`last_slash_can_be_removed`).
pub const MAX_AUTHORITY: usize = 2 * 1024;

/// The number of violations that `--check` names in one record. The rest is counted, so that the
/// output stays linear in the input.
pub const MAX_VIOLATIONS: usize = 1000;

/// How often `--compare` tries all edits that remove a cause: one may hide another.
pub const MAX_ROUNDS: usize = 5;

/// The number of blocks that `--compare` prints with the same first reason. The others are one line each.
pub const MAX_BLOCKS: u64 = 10;

/// The number of messages of one kind about one source. The rest is counted.
pub const MAX_MESSAGES: u64 = 10;

/// The bytes read at once, and the first size of the input buffer.
pub const BLOCK: usize = 128 * 1024;

/// The bytes of a text that a message quotes. The rest is `...`.
pub const MAX_QUOTED: usize = 200;

/// The bytes at the start of a list or a document that show what it is not: text has no NUL there.
pub const TEXT_START: usize = 512;

/// The bytes that decide whether a document is HTML or a message.
pub const SNIFF_LEN: usize = 4096;

/// The bytes at the start of an HTML document where any META may name the charset, not only one in HEAD (HTML
/// Standard).
pub const PRESCAN: usize = 1024;

/// The longest document that is rewritten: all of it is held in memory.
pub const MAX_REWRITTEN: u64 = 256 * 1024 * 1024;

/// The bytes kept of the name of an element or an attribute, and those of a `rel` in JSON. Known names are shorter.
pub const MAX_NAME: usize = 255;

/// The longest base URL of a document, but for that of `--base`. Otherwise each level of a message could make its own
/// longer than the one around it, and many short links could repeat a long one.
pub const MAX_RESOLVED_BASE: usize = 8192;

/// The number of `../` after which a reference is the path from the root if that is shorter: many short URLs could each
/// climb out of a long base. No site that moves has as many directories.
pub const MAX_CLIMB: usize = 100;

/// The longest base with which reasons of a difference are tried: each try costs its length, for every
/// record.
pub const MAX_EXPLAINED: usize = 8192;

/// The levels of parts in a message, so that nothing written about a part grows with the message.
pub const MAX_DEPTH: usize = 100;

/// The transfer encodings around a message, each in another. A real email has one at most.
pub const MAX_ENCODING_DEPTH: usize = 3;

/// The bytes of a Content-Type field that are read: its parser takes quadratic time.
pub const MAX_CONTENT_TYPE: usize = 16 * 1024;

/// The bytes of a status line of HTTP that is looked for in a content, and of the field after it.
pub const MAX_STATUS: usize = 512;

/// The number of parts that are listed where `--part` names another one, and of their levels.
pub const MAX_LISTED_PARTS: usize = 5;

/// The bytes that decide whether a document is HTML or XML, if it starts with a long comment or DOCTYPE.
pub const MAX_PROLOG: usize = 64 * 1024;

/// The levels of elements in XML: their names are kept.
pub const MAX_DEPTH_XML: usize = 10_000;

/// The number of attributes of one element of XML.
pub const MAX_ATTRIBUTES: usize = 10_000;

/// The bytes that entities of XML can expand to, and more for each byte read: a small file stays a small one.
pub const MAX_EXPANDED: u64 = 64 * 1024;

/// The texts around a text in a document, such as one srcdoc in another: one more is open. Real pages have one at most.
pub const MAX_NESTING: usize = 10;

/// The number of elements of HTML that can be open; a deeper one ends the innermost, as in Chromium.
pub const MAX_OPEN: usize = 512;

/// The bytes of a document without a charset that are read to guess it, for other standards than RFC 1808. If
/// there are more, and all these are UTF-8, it is UTF-8.
pub const MAX_GUESSED: u64 = 8 * 1024 * 1024;

/// The bytes of a page in which its HEAD may have the META that names its charset. They are held in memory.
pub const MAX_HEAD: u64 = 1024 * 1024;

/// The longest Markdown, in bytes: its parser takes up to 90 bytes of memory for each.
pub const MAX_MARKDOWN: usize = 4 * 1024 * 1024;

/// The steps that titles of links may take in Markdown: pulldown-cmark 0.13 goes through a title again for each of its
/// lines, 300 million steps in a second.
pub const MAX_TITLE_STEPS: u64 = 64 * 1024 * 1024;

/// The steps that they may take besides, for each byte of the text.
pub const MAX_TITLE_STEPS_PER_BYTE: u64 = 128;
