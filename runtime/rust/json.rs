//! JSON, as text and as values.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Map, Number, Value};

/// Parses JSON. Unpaired surrogates and bytes that are not UTF-8 become U+FFFD, and whole numbers integers.
pub(super) fn parse(content: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    let has_surrogates = text.contains("\\ud") || text.contains("\\uD");
    let text = if has_surrogates { tidy(&text) } else { text };
    serde_json::from_str(&text).ok().map(whole)
}

/// Parses JSON in which a number can be too large for a double, and then becomes null.
pub(super) fn parse_any(content: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    serde_json::from_str(&tidy(&text)).ok().map(whole)
}

/// Removes a byte order mark.
pub(super) fn unmarked(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content)
}

/// Removes what JSON allows around values.
pub(super) fn trimmed(content: &[u8]) -> &[u8] {
    let is_space = |each: &u8| matches!(each, b' ' | b'\t' | b'\r' | b'\n');
    let from = content.iter().position(|each| !is_space(each));
    let to = content.iter().rposition(|each| !is_space(each));
    match (from, to) {
        (Some(from), Some(to)) => &content[from..=to],
        _ => &[],
    }
}

/// Reads a value. Errors name no values, which can be secret.
pub(super) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// Replaces unpaired surrogates in strings, and numbers that are too large.
fn tidy(text: &str) -> Cow<'_, str> {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_string = false;
    while let Some(first) = rest.chars().next() {
        let (taken, written) = if !is_string && (first == '-' || first.is_ascii_digit()) {
            let end =
                rest.find(|each: char| !(each.is_ascii_alphanumeric() || "+-.".contains(each)));
            let number = &rest[..end.unwrap_or(rest.len())];
            let is_large = number.parse::<f64>().is_ok_and(f64::is_infinite);
            (number.len(), if is_large { "null" } else { number })
        } else if is_string && first == '\\' {
            escape(rest)
        } else {
            is_string ^= first == '"';
            (first.len_utf8(), &rest[..first.len_utf8()])
        };
        tidied.push_str(written);
        rest = &rest[taken..];
    }
    Cow::Owned(tidied)
}

/// Returns the length of an escape, and what to write in its place.
fn escape(text: &str) -> (usize, &str) {
    let unit = |from: usize| match text.get(from..from + 2) {
        Some("\\u") => u32::from_str_radix(text.get(from + 2..from + 6)?, 16).ok(),
        _ => None,
    };
    match (unit(0), unit(6)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, &text[..12]),
        (Some(0xd800..=0xdfff), _) => (6, "\\ufffd"),
        _ => {
            let length = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
            (length, &text[..length])
        }
    }
}

/// Returns a value in which numbers such as `1.0` are integers.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole_number(number)),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, member)| (name, whole(member)))
            .collect(),
        other => other,
    }
}

fn whole_number(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9.2e18 => {
            Number::from(float as i64)
        }
        _ => number,
    }
}

/// Returns the JSON of a value. Errors: numbers that JSON lacks, and members with the same name.
pub(super) fn to_json(value: &(impl Serialize + ?Sized)) -> Result<Value, Error> {
    value.serialize(ToJson)
}

struct ToJson;

macro_rules! write_as {
    ($($method:ident $kind:ty)*) => {
        $(fn $method(self, value: $kind) -> Result<Value, Error> {
            Ok(value.into())
        })*
    };
}

macro_rules! refuse {
    ($($method:ident($($kind:ty),*) $result:ty)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$result, Error> {
            Err(Error::custom("contracts have no such type"))
        })*
    };
}

type Never = Impossible<Value, Error>;

impl Serializer for ToJson {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Never;

    write_as!(
        serialize_bool bool serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_str &str
    );

    refuse!(
        serialize_bytes(&[u8]) Value
        serialize_char(char) Value
        serialize_unit_struct(&'static str) Value
        serialize_unit_variant(&'static str, u32, &'static str) Value
        serialize_tuple(usize) Never
        serialize_tuple_struct(&'static str, usize) Never
        serialize_tuple_variant(&'static str, u32, &'static str, usize) Never
        serialize_struct_variant(&'static str, u32, &'static str, usize) Never
    );

    fn serialize_f32(self, value: f32) -> Result<Value, Error> {
        // The shortest text of a float32 is not that of the same float64.
        self.serialize_f64(value.to_string().parse().unwrap_or(f64::NAN))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Error> {
        let number = Number::from_f64(value).map(whole_number);
        number
            .map(Value::Number)
            .ok_or_else(|| Error::custom("JSON has neither NaN nor infinity"))
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Error> {
        Ok(Items(Vec::new()))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Error> {
        Ok(Members::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members, Error> {
        Ok(Members::default())
    }
}

struct Items(Vec<Value>);

impl SerializeSeq for Items {
    type Ok = Value;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.push(to_json(value)?);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Array(self.0))
    }
}

#[derive(Default)]
struct Members {
    members: Map<String, Value>,
    key: String,
}

impl SerializeMap for Members {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = match to_json(key)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        match self.members.insert(key, to_json(value)?) {
            Some(_) => Err(Error::custom("an extra member has the name of a field")),
            None => Ok(()),
        }
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Object(self.members))
    }
}

impl SerializeStruct for Members {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.serialize_entry(key, value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Object(self.members))
    }
}
