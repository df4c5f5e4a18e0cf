//! The value of `--media-type`.

use std::ffi::OsStr;

use clap::builder::{EnumValueParser, OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error, ValueEnum};
use encoding_rs::Encoding;

use crate::document::ContentType;
use crate::document::types::{MediaType, Type};

/// A media type, as HTTP names it.
#[derive(Clone, Copy)]
pub struct NamedType {
    pub row: Type,
    pub charset: Option<&'static Encoding>,
}

/// Parses a media type that may have a charset.
#[derive(Clone)]
pub struct TypeParser;

impl TypedValueParser for TypeParser {
    type Value = NamedType;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<NamedType, Error> {
        let content_type = value.to_str().and_then(|text| ContentType::parse(text.as_bytes()));
        let name = match content_type.as_ref().map(ContentType::name) {
            Some(name) if name == "text/xml" => "application/xml".into(), // RFC 7303
            Some(name) => name.into(),
            None => value.to_owned(),
        };
        let row = EnumValueParser::<Type>::new().parse_ref(command, arg, &name)?;
        let label = content_type.as_ref().and_then(|content_type| content_type.parameter("charset"));
        let charset = match label {
            None => Ok(None),
            Some(_) if row.read_as == MediaType::Message => {
                Err("has a charset; only a text has one, such as text/html;charset=utf-8")
            }
            Some(label) => match Encoding::for_label(label.as_bytes()) {
                None => Err("has no charset that the Encoding Standard knows; write text/html;charset=utf-8"),
                charset => Ok(charset),
            },
        };
        let charset = OsStringValueParser::new().try_map(move |_| charset).parse_ref(command, arg, value)?;
        Ok(NamedType { row, charset })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Type::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}
