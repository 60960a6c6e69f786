//! JSON, as text and as values.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Map, Number, Value};

use super::contract::{Kind, Rule};
use super::unions::find_variant;

/// What becomes of numbers that no type of 64 bits can express.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Large {
    /// Integers are the nearest double. Others make the JSON invalid.
    Nearest,
    /// Those beyond the range of a double are null.
    Null,
    /// Integers are marked texts for `settle`.
    Marked,
}

/// Parses JSON. Unpaired surrogates and bytes that are not UTF-8 become U+FFFD, and whole numbers integers.
pub(super) fn parse(content: &[u8]) -> Option<Value> {
    parse_with(content, Large::Nearest)
}

/// Parses JSON in which a number can be too large for a double, and then becomes null.
pub(super) fn parse_any(content: &[u8]) -> Option<Value> {
    parse_with(content, Large::Null)
}

/// Parses JSON whose large integers `settle` turns into those of types.
pub(super) fn parse_exactly(content: &[u8]) -> Option<Value> {
    parse_with(content, Large::Marked)
}

fn parse_with(content: &[u8], large: Large) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    serde_json::from_str(&tidy(&text, large)?).ok()
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

/// Replaces unpaired surrogates in strings, and writes whole numbers as integers. Returns `None` if a number is too large.
fn tidy(text: &str, large: Large) -> Option<Cow<'_, str>> {
    let mut tidied = String::new();
    let (mut at, mut copied, mut is_string) = (0, 0, false);
    while let Some(first) = text.as_bytes().get(at) {
        let (length, written) = match first {
            b'-' | b'0'..=b'9' if !is_string => {
                let is_end = |each: char| !(each.is_ascii_alphanumeric() || "+-.".contains(each));
                let number = text[at..].split(is_end).next().unwrap_or_default();
                (number.len(), tidy_number(number, large)?)
            }
            b'\\' if is_string => match escape(&text[at..]) {
                (length, written) if text[at..].starts_with(written) => (length, None),
                (length, written) => (length, Some(Cow::Borrowed(written))),
            },
            _ => {
                is_string ^= *first == b'"';
                (1, None)
            }
        };
        if let Some(written) = written {
            tidied.push_str(&text[copied..at]);
            tidied.push_str(&written);
            copied = at + length;
        }
        at += length;
    }
    if copied == 0 {
        return Some(Cow::Borrowed(text));
    }
    tidied.push_str(&text[copied..]);
    Some(Cow::Owned(tidied))
}

/// Returns what to write in place of a number, if it is another text. Errors: numbers that are too large.
fn tidy_number(number: &str, large: Large) -> Option<Option<Cow<'_, str>>> {
    let is_plain = !number.contains(['.', 'e', 'E']);
    if is_plain && number.len() < 19 {
        return Some(None);
    }
    let whole = if is_plain { None } else { whole(number) };
    let digits = whole.as_deref().unwrap_or(number);
    if is_plain || whole.is_some() {
        let has_type = digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
        let is_integer = digits.bytes().skip(1).all(|each| each.is_ascii_digit());
        if large == Large::Marked && !has_type && is_integer {
            return Some(Some(format!("\"\\u0000{digits}\"").into()));
        }
    }
    if number.parse::<f64>().is_ok_and(f64::is_infinite) {
        return (large == Large::Null).then_some(Some("null".into()));
    }
    Some(whole.map(Cow::Owned))
}

/// Returns the integer of at most 20 digits that a number such as `1.0` or `1e19` is.
fn whole(number: &str) -> Option<String> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|each| each.is_ascii_digit());
    let positive = number.strip_prefix('-').unwrap_or(number);
    let (mantissa, exponent) = positive.split_once(['e', 'E']).unwrap_or((positive, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_valid = is_digits(integer)
        && is_digits(fraction)
        && (integer.len() == 1 || !integer.starts_with('0'));
    let exponent: i64 = exponent.parse().ok().filter(|_| is_valid)?;
    let digits = format!("{integer}{fraction}");
    let digits = digits.trim_start_matches('0');
    let short = digits.trim_end_matches('0');
    if short.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = exponent.checked_add((digits.len() - short.len()) as i64)? - fraction.len() as i64;
    let zeros = usize::try_from(zeros)
        .ok()
        .filter(|zeros| zeros + short.len() <= 20)?;
    let sign = &number[..number.len() - positive.len()];
    Some(format!("{sign}{short}{}", "0".repeat(zeros)))
}

/// Turns the marked integers in a value into those of its type. Errors: what a value of any type cannot express.
pub(super) fn settle(rule: &Rule, value: &mut Value) -> Result<(), &'static str> {
    if let (Kind::Union, Some(digits)) = (&rule.is, marked(value)) {
        let nearest = nearest(digits);
        let variant = find_variant(rule, &nearest).and_then(|index| rule.variants.get(index));
        return variant.map_or(Ok(()), |variant| settle(variant, value));
    }
    match &rule.is {
        Kind::Other(name) => match Rule::of_type(name) {
            Some(declared) => return settle(declared, value),
            None => unmark(value, name == "bigint"),
        },
        Kind::List | Kind::Map => {
            if let Some(of) = &rule.of {
                return items_of(value).try_for_each(|item| settle(of, item));
            }
        }
        Kind::Struct => {
            let own = |name: &str| {
                rule.fields
                    .iter()
                    .find(|each| !each.extra && each.name == name)
            };
            let extra = rule.fields.iter().find(|each| each.extra);
            for (name, member) in value.as_object_mut().into_iter().flatten() {
                match (own(name), extra.and_then(|field| field.of.as_deref())) {
                    (Some(field), _) => settle(field, member)?,
                    (None, Some(of)) => settle(of, member)?,
                    (None, None) => (),
                }
            }
        }
        Kind::Union => match find_variant(rule, value).and_then(|index| rule.variants.get(index)) {
            Some(variant) => return settle(variant, value),
            None => return settle_any(value),
        },
        Kind::Any => return settle_any(value),
        Kind::Bytes | Kind::Float32 | Kind::Int | Kind::Uint => unmark(value, false),
    }
    Ok(())
}

fn settle_any(value: &mut Value) -> Result<(), &'static str> {
    if marked(value).is_some_and(|digits| nearest_text(digits) != digits) {
        return Err("an integer of more than 64 bits would be rounded");
    }
    unmark(value, false);
    items_of(value).try_for_each(settle_any)
}

/// Returns the items of a list, or the members of an object.
fn items_of(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Object(members) => Box::new(members.values_mut()),
        _ => Box::new(std::iter::empty()),
    }
}

fn marked(value: &Value) -> Option<&str> {
    let digits = value.as_str()?.strip_prefix('\0')?;
    (digits.len() > 18 && digits.bytes().skip(1).all(|each| each.is_ascii_digit()))
        .then_some(digits)
}

fn unmark(value: &mut Value, is_text: bool) {
    if let Some(digits) = marked(value) {
        *value = match is_text {
            true => Value::String(digits.to_owned()),
            false => nearest(digits),
        };
    }
}

fn nearest(digits: &str) -> Value {
    digits.parse::<f64>().map_or(Value::Null, Value::from)
}

/// Returns the shortest text of the nearest double.
fn nearest_text(digits: &str) -> String {
    digits.parse::<f64>().unwrap_or_default().to_string()
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

/// What the feature `arbitrary_precision` of serde_json, which another package may have enabled, names a number.
const NUMBER: &str = "$serde_json::private::Number";

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
        match self.members.get(NUMBER).and_then(Value::as_str) {
            Some(number) => serde_json::from_str(number),
            None => Ok(Value::Object(self.members)),
        }
    }
}
