//! Commands that messages advise: the command line as it was typed, with other flags or arguments.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, CommandFactory};

use super::Cli;
use crate::limits::MAX_ADVISED;
use crate::output::location::Escaped;
use crate::source::Source;

/// A command line of absurl.
pub struct Advice {
    /// The flags by their names, each with its values.
    flags: BTreeMap<String, Vec<OsString>>,
    /// The arguments as words of a shell.
    arguments: Vec<String>,
}

impl Advice {
    /// The command line as it was typed: all its flags, and its arguments, references or documents.
    pub fn typed(cli: &Cli) -> Self {
        let (command, mut flags) = (Cli::command(), BTreeMap::new());
        // it was parsed before
        if let Ok(matches) = command.clone().try_get_matches_from(env::args_os()) {
            for flag in command.get_arguments().filter(|flag| flag.get_long().is_some()) {
                let id = flag.get_id().as_str();
                if matches.value_source(id) == Some(ValueSource::CommandLine) {
                    let values = matches.get_raw(id).filter(|_| flag.get_action().takes_values());
                    let values: Vec<_> = values.into_iter().flatten().map(OsStr::to_owned).collect();
                    flags.insert(name_of(flag), values);
                }
            }
        }
        let advice = Advice { flags, arguments: Vec::new() };
        if cli.documents().next().is_some() {
            advice.documents(&cli.references)
        } else {
            advice.references(&cli.references)
        }
    }

    /// The same with a flag, or with another value of one that takes a value.
    pub fn with(mut self, flag: &str, value: &[&OsStr]) -> Self {
        self.flags.insert(flag.into(), value.iter().map(|&value| value.to_owned()).collect());
        self
    }

    /// The same with `--base`, if it has none.
    pub fn with_base(mut self, base: &OsStr) -> Self {
        self.flags.entry("base".into()).or_insert_with(|| vec![base.to_owned()]);
        self
    }

    /// The same without some flags.
    pub fn without(mut self, flags: &[&str]) -> Self {
        self.flags.retain(|flag, _| !flags.contains(&flag.as_str()));
        self
    }

    /// The same with these references as its arguments.
    pub fn references(mut self, references: &[OsString]) -> Self {
        let is_like_flag = |text: &OsString| text.as_encoded_bytes().starts_with(b"-") && text != "-";
        let end = references.iter().any(is_like_flag).then(|| "--".to_owned());
        let words = references.iter().map(|text| ShellWord(text.as_encoded_bytes()).to_string());
        self.arguments = end.into_iter().chain(words).collect();
        self
    }

    /// The same with these documents as its arguments.
    pub fn documents(mut self, documents: &[OsString]) -> Self {
        self.arguments = documents.iter().map(|name| document_word(name)).collect();
        self
    }

    /// The command, which a shell reads as it is meant; `None` if it is too long to be shown.
    pub fn command(&self) -> Option<String> {
        let mut words = vec!["absurl".to_owned()];
        for flag in Cli::command().get_arguments() {
            if let Some(values) = self.flags.get(&name_of(flag)) {
                words.extend(values.iter().map(|value| written(flag, value)));
                if values.is_empty() {
                    words.push(format!("--{}", name_of(flag)));
                }
            }
        }
        words.extend_from_slice(&self.arguments);
        Some(words.join(" ")).filter(|command| command.len() <= MAX_ADVISED)
    }
}

/// The long name of a flag.
fn name_of(flag: &Arg) -> String {
    flag.get_long().unwrap_or_default().to_owned()
}

/// A flag with its value as words of a shell.
fn written(flag: &Arg, value: &OsStr) -> String {
    let (name, bytes) = (name_of(flag), value.as_encoded_bytes());
    let word = ShellWord(bytes);
    match flag.get_short() {
        _ if flag.is_require_equals_set() || bytes.starts_with(b"-") && value != "-" => format!("--{name}={word}"),
        Some(letter) => format!("-{letter} {word}"),
        None => format!("--{name} {word}"),
    }
}

/// The name of a document, or a pattern of such names, as a word of a shell: not an option.
pub fn document_word(name: &OsStr) -> String {
    let (path, bytes) = (Path::new(name), name.as_encoded_bytes());
    let is_like_flag = bytes.starts_with(b"-") && name != "-" || !Source::of(path).directory().is_empty();
    let directory = if is_like_flag { "./" } else { "" };
    if !is_pattern(name) {
        return format!("{directory}{}", ShellWord(bytes));
    }
    // what a shell expands has no quotes
    let is_bare = |byte: &u8| b"*/[]".contains(byte);
    let pieces = bytes.chunk_by(|byte, next| is_bare(byte) == is_bare(next)).map(|piece| match piece {
        [byte, ..] if is_bare(byte) => Escaped(piece).to_string(),
        _ => ShellWord(piece).to_string(),
    });
    format!("{directory}{}", pieces.collect::<String>())
}

/// Whether a shell is to expand a name.
pub fn is_pattern(name: &OsStr) -> bool {
    name.as_encoded_bytes().contains(&b'*') && !Path::new(name).exists()
}

/// Text as a word of a shell: in single quotes where a shell needs them, and in `$''` if some bytes cannot be shown as
/// they are.
pub struct ShellWord<'a>(pub &'a [u8]);

impl fmt::Display for ShellWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"%+,-./:=@_".contains(byte);
        let shown = Escaped(self.0).to_string();
        if !self.0.is_empty() && self.0.iter().all(is_safe) {
            return f.write_str(&shown);
        }
        if shown.as_bytes() == self.0 {
            return write!(f, "'{}'", shown.replace('\'', r"'\''"));
        }
        let backslash = |byte: &u8| matches!(byte, b'\\' | b'\'').then_some(b'\\');
        let text: Vec<u8> = self.0.iter().flat_map(|byte| backslash(byte).into_iter().chain([*byte])).collect();
        write!(f, "$'{}'", Escaped(&text))
    }
}
