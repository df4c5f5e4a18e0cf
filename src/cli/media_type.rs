//! The value of `--media-type`.

use std::ffi::{OsStr, OsString};

use clap::builder::{EnumValueParser, OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error, ValueEnum};
use encoding_rs::Encoding;

use crate::document::types::{MediaType, Type};

/// A media type, as HTTP names it.
#[derive(Clone, Copy)]
pub struct NamedType {
    /// The type.
    pub row: Type,
    /// Its charset.
    pub charset: Option<&'static Encoding>,
}

/// Parses a media type that may have a charset.
#[derive(Clone)]
pub struct TypeParser;

impl TypedValueParser for TypeParser {
    type Value = NamedType;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<NamedType, Error> {
        let name =
            value.to_str().and_then(|text| text.split_once(';')).map_or(value, |(name, _)| OsStr::new(name.trim()));
        let name = match name.to_ascii_lowercase() {
            name if name == "text/xml" => "application/xml".into(), // RFC 7303
            name => name,
        };
        let row = EnumValueParser::<Type>::new().parse_ref(command, arg, &name)?;
        let charset = move |value: OsString| match value.to_str().and_then(|text| text.split_once(';')) {
            Some((_, parameter)) if row.read_as != MediaType::Message => charset(parameter).map(Some),
            Some(_) => Err("has a parameter; only a text has one, such as text/html;charset=utf-8"),
            None => Ok(None),
        };
        let charset = OsStringValueParser::new().try_map(charset).parse_ref(command, arg, value)?;
        Ok(NamedType { row, charset })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Type::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

/// The charset that a parameter names.
fn charset(parameter: &str) -> Result<&'static Encoding, &'static str> {
    let (name, value) = parameter.split_once('=').unwrap_or_default();
    let label = value.trim().trim_matches('"');
    let charset = Encoding::for_label(label.as_bytes()).filter(|_| name.trim().eq_ignore_ascii_case("charset"));
    charset.ok_or("has no charset that the Encoding Standard knows; write text/html;charset=utf-8")
}
