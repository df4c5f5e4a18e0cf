//! The value of a Content-Type field, as email and HTTP have it, and as `--media-type` takes it.

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType as Parsed, HeaderValue};

/// A media type and its parameters.
pub struct ContentType(Parsed<'static>);

impl ContentType {
    /// Parses a value; `None` if it names no media type.
    pub fn parse(value: &[u8]) -> Option<Self> {
        // the parser loses a parameter with a fold beside its `=`
        let unfold = |byte: &u8| if matches!(byte, b'\r' | b'\n') { b' ' } else { *byte };
        let line: Vec<u8> = value.trim_ascii().iter().map(unfold).chain([b'\n']).collect();
        match MessageStream::new(&line).parse_content_type().into_owned() {
            HeaderValue::ContentType(parsed) => Some(ContentType(parsed)),
            _ => None,
        }
    }

    /// The type and the subtype, in lower case, such as `text/html`.
    pub fn name(&self) -> String {
        let main = self.0.ctype().to_ascii_lowercase();
        self.0.subtype().map_or(main.clone(), |sub| format!("{main}/{}", sub.to_ascii_lowercase()))
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.0.attribute(name).map(str::trim_ascii_end)
    }

    /// The names that it gives to a file: those of a Content-Disposition, too.
    pub fn names(self) -> impl Iterator<Item = String> {
        let parameters = self.0.attributes.unwrap_or_default().into_iter();
        let named = parameters.filter(|parameter| matches!(&*parameter.name, "name" | "filename"));
        named.map(|parameter| parameter.value.trim_ascii_end().to_owned())
    }
}
