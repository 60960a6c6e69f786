//! JSON, as text and as values.

use std::borrow::Cow;
use std::ops::BitAnd;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Map, Value};

use super::contract::{Kind, Rule};
use super::unions::find_variant;

/// The end of texts that stand for integers of more than 64 bits.
const MARK: char = '\0';

/// Parses JSON. Unpaired surrogates and bytes that are not UTF-8 become U+FFFD, whole numbers integers, and those of
/// more than 64 bits texts with a mark, which `settle` turns into values of types. Texts that end with it have two.
pub(super) fn parse(content: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    serde_json::from_str(&tidy(&text, false)?).ok()
}

/// Parses JSON in which a number can be too large for a double, and then becomes null.
pub(super) fn parse_any(content: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    serde_json::from_str(&tidy(&text, true)?).ok()
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
fn tidy(text: &str, is_any: bool) -> Option<Cow<'_, str>> {
    let mut tidied = String::new();
    let (mut at, mut copied, mut is_string) = (0, 0, false);
    while let Some(first) = text.as_bytes().get(at) {
        let (length, written) = match first {
            b'-' | b'0'..=b'9' if !is_string => {
                let is_end = |each: char| !(each.is_ascii_alphanumeric() || "+-.".contains(each));
                let number = text[at..].split(is_end).next().unwrap_or_default();
                (number.len(), tidy_number(number, is_any)?)
            }
            b'\\' if is_string => match escape(&text[at..]) {
                (length, written) if text[at..].starts_with(written) => (length, None),
                (length, written) => (length, Some(Cow::Borrowed(written))),
            },
            b'"' => {
                is_string = !is_string;
                let has_mark = !is_string && text[..at].ends_with("\\u0000");
                // Names of members are never numbers.
                let is_marked = has_mark && !text[at + 1..].trim_start().starts_with(':');
                (1, is_marked.then_some(Cow::Borrowed("\\u0000\"")))
            }
            _ => (1, None),
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
fn tidy_number(number: &str, is_any: bool) -> Option<Option<Cow<'_, str>>> {
    let is_plain = !number.contains(['.', 'e', 'E']);
    if is_plain && number.len() < 19 {
        return Some(None);
    }
    let whole = if is_plain { None } else { whole(number) };
    let digits = whole.as_deref().or(is_plain.then_some(number));
    let has_type = |digits: &str| digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
    match digits {
        Some(digits) if is_large(digits) && !has_type(digits) => {
            Some(Some(format!("\"{digits}\\u0000\"").into()))
        }
        None if number.parse::<f64>().is_ok_and(f64::is_infinite) => {
            is_any.then_some(Some("null".into()))
        }
        _ => Some(whole.map(Cow::Owned)),
    }
}

/// Whether a text can be an integer of more than 64 bits.
fn is_large(digits: &str) -> bool {
    digits.len() > 18 && digits.bytes().skip(1).all(|each| each.is_ascii_digit())
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

/// Turns the texts that `parse` marked into values of their types. Returns whether no integer in an `any` was rounded.
#[must_use]
pub(super) fn settle(rule: &Rule, value: &mut Value) -> bool {
    let is_bigint = match &rule.is {
        Kind::Other(name) => match Rule::of_type(name) {
            Some(declared) => return settle(declared, value),
            None => name == "bigint",
        },
        Kind::Union => {
            let number = marked(value).map(nearest);
            let found = find_variant(rule, number.as_ref().unwrap_or(value));
            return match found.and_then(|index| rule.variants.get(index)) {
                Some(variant) => settle(variant, value),
                None => settle_any(value),
            };
        }
        Kind::Any => return settle_any(value),
        _ => false,
    };
    if !unmark(value, is_bigint) {
        return false;
    }
    let extra = rule.fields.iter().find(|each| each.extra);
    let rest = extra.map_or(&rule.of, |field| &field.of).as_deref();
    let settle_as = |of: Option<&Rule>, item: &mut Value| match of {
        Some(of) => settle(of, item),
        // The contract does not declare it.
        None => {
            let _ = settle_any(item);
            true
        }
    };
    match value {
        Value::Array(items) => items
            .iter_mut()
            .map(|item| settle_as(rest, item))
            .fold(true, BitAnd::bitand),
        Value::Object(members) => members
            .iter_mut()
            .map(|(name, member)| settle_as(rule.field(name).or(rest), member))
            .fold(true, BitAnd::bitand),
        _ => true,
    }
}

fn settle_any(value: &mut Value) -> bool {
    let nearest = |digits: &str| digits.parse::<f64>().unwrap_or_default().to_string();
    let is_exact = marked(value).is_none_or(|digits| nearest(digits) == digits);
    let is_exact = unmark(value, false) && is_exact;
    match value {
        Value::Array(items) => items
            .iter_mut()
            .map(settle_any)
            .fold(is_exact, BitAnd::bitand),
        Value::Object(members) => members
            .values_mut()
            .map(settle_any)
            .fold(is_exact, BitAnd::bitand),
        _ => is_exact,
    }
}

/// Returns the digits of an integer that became a text.
fn marked(value: &Value) -> Option<&str> {
    let digits = value.as_str()?.strip_suffix(MARK)?;
    is_large(digits).then_some(digits)
}

/// Returns a text as `parse` does.
pub(super) fn mark(text: &str) -> Value {
    let more = if text.ends_with(MARK) { "\0" } else { "" };
    Value::String(format!("{text}{more}"))
}

/// Returns a text in JSON that was parsed.
pub(super) fn text_in(value: &Value) -> Option<&str> {
    let text = value.as_str().filter(|_| marked(value).is_none())?;
    Some(text.strip_suffix(MARK).unwrap_or(text))
}

/// Returns whether the number is not too large for a double, if it must be one.
fn unmark(value: &mut Value, is_bigint: bool) -> bool {
    if let Some(digits) = marked(value) {
        *value = match is_bigint {
            true => Value::String(digits.to_owned()),
            false => nearest(digits),
        };
        return !value.is_null();
    }
    if let Value::String(text) = value {
        let length = text.strip_suffix(MARK).map_or(text.len(), str::len);
        text.truncate(length);
    }
    true
}

fn nearest(digits: &str) -> Value {
    digits.parse::<f64>().map_or(Value::Null, Value::from)
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

/// Returns the JSON of a value. Errors: numbers that JSON lacks, and members with the same name.
pub(super) fn to_json(value: &(impl Serialize + ?Sized)) -> Made {
    value.serialize(ToJson)
}

struct ToJson;

macro_rules! write_as {
    ($($method:ident $kind:ty)*) => {
        $(fn $method(self, value: $kind) -> Made {
            Ok(value.into())
        })*
    };
}

macro_rules! refuse {
    ($($method:ident($($kind:ty),*) $result:ty)*) => {
        $(fn $method(self, $(_: $kind),*) -> Made<$result> {
            Err(Error::custom("contracts have no such type"))
        })*
    };
}

type Made<T = Value> = Result<T, Error>;
type Name = &'static str;
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
        serialize_unit_struct(Name) Value
        serialize_unit_variant(Name, u32, Name) Value
        serialize_tuple(usize) Never
        serialize_tuple_struct(Name, usize) Never
        serialize_tuple_variant(Name, u32, Name, usize) Never
        serialize_struct_variant(Name, u32, Name, usize) Never
    );

    fn serialize_f32(self, value: f32) -> Made {
        // The shortest text of a float32 is not that of the same float64.
        self.serialize_f64(value.to_string().parse().unwrap_or(f64::NAN))
    }

    fn serialize_f64(self, value: f64) -> Made {
        if !value.is_finite() {
            return Err(Error::custom("JSON has neither NaN nor infinity"));
        }
        // Whole numbers are integers.
        let is_whole = value.fract() == 0.0 && value.abs() < 9.2e18;
        Ok(if is_whole {
            (value as i64).into()
        } else {
            value.into()
        })
    }

    fn serialize_none(self) -> Made {
        Ok(Value::Null)
    }

    fn serialize_unit(self) -> Made {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Made {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T>(self, _: Name, value: &T) -> Made
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T>(self, _: Name, _: u32, _: Name, value: &T) -> Made
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Made<Items> {
        Ok(Items(Vec::new()))
    }

    fn serialize_map(self, _: Option<usize>) -> Made<Members> {
        Ok(Members::default())
    }

    fn serialize_struct(self, _: Name, _: usize) -> Made<Members> {
        Ok(Members::default())
    }
}

struct Items(Vec<Value>);

impl SerializeSeq for Items {
    type Ok = Value;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Made<()> {
        self.0.push(to_json(value)?);
        Ok(())
    }

    fn end(self) -> Made {
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

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Made<()> {
        self.key = match to_json(key)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Made<()> {
        let key = std::mem::take(&mut self.key);
        match self.members.insert(key, to_json(value)?) {
            Some(_) => Err(Error::custom("an extra member has the name of a field")),
            None => Ok(()),
        }
    }

    fn end(self) -> Made {
        Ok(Value::Object(self.members))
    }
}

impl SerializeStruct for Members {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: Name, value: &T) -> Made<()> {
        self.serialize_entry(key, value)
    }

    fn end(self) -> Made {
        match self.members.get(NUMBER).and_then(Value::as_str) {
            Some(number) => serde_json::from_str(number),
            None => Ok(Value::Object(self.members)),
        }
    }
}
