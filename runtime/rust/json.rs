//! JSON, as text and as values.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Map, Value};

use super::check::find_faults;
use super::contract::{Kind, Rule};
use super::options::random_text;
use super::unions::find_variant;

/// The only member of the objects that stand for integers of more than 64 bits, until their types are known. Nobody can
/// send it, because each process has its own.
static LARGE: LazyLock<String> =
    LazyLock::new(|| random_text().unwrap_or_else(|_| "integer".to_owned()));

/// Parses JSON. Unpaired surrogates and bytes that are not UTF-8 become U+FFFD, whole numbers integers, and those of
/// more than 64 bits objects, which `settle` turns into values of types.
pub(super) fn parse(content: &[u8]) -> Option<Value> {
    // A sign is no JSON.
    parse_with(content, "-")
}

/// Parses JSON in which a number can be too large for a double, and then becomes null.
pub(super) fn parse_any(content: &[u8]) -> Option<Value> {
    parse_with(content, "null")
}

fn parse_with(content: &[u8], infinite: &str) -> Option<Value> {
    let text = String::from_utf8_lossy(content);
    serde_json::from_str(&tidy(&text, infinite)).ok()
}

/// Removes a byte order mark.
pub(super) fn unmarked(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content)
}

/// Removes what JSON allows around values.
pub(super) fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..]
    | [rest @ .., b' ' | b'\t' | b'\r' | b'\n'] = text
    {
        text = rest;
    }
    text
}

/// Replaces unpaired surrogates, and numbers that serde_json would round or refuse.
fn tidy<'a>(text: &'a str, infinite: &str) -> Cow<'a, str> {
    let mut tidied = String::new();
    let (mut at, mut copied, mut is_string) = (0, 0, false);
    while let Some(first) = text.as_bytes().get(at) {
        let (length, written) = match first {
            b'-' | b'0'..=b'9' if !is_string => {
                let is_end = |each: char| !(each.is_ascii_alphanumeric() || "+-.".contains(each));
                let number = text[at..].split(is_end).next().unwrap_or_default();
                (number.len(), tidy_number(number, infinite))
            }
            b'\\' if is_string => tidy_escape(&text[at..]),
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
        return Cow::Borrowed(text);
    }
    Cow::Owned(tidied + &text[copied..])
}

/// Returns the length of an escape, and what to write in place of an unpaired surrogate.
fn tidy_escape(text: &str) -> (usize, Option<String>) {
    let unit = |at: usize| match text.get(at..at + 2) {
        Some("\\u") => u16::from_str_radix(text.get(at + 2..at + 6)?, 16).ok(),
        _ => None,
    };
    match (unit(0), unit(6)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd".to_owned())),
        _ => (2, None),
    }
}

/// Returns what to write in place of a number, if it is another text.
fn tidy_number(number: &str, infinite: &str) -> Option<String> {
    let is_plain = !number.contains(['.', 'e', 'E']);
    if is_plain && number.len() < 19 {
        return None;
    }
    let whole = if is_plain {
        Some(number.to_owned())
    } else {
        whole(number)
    };
    match whole {
        Some(digits) if is_large(&digits) => Some(format!("{{\"{}\":\"{digits}\"}}", *LARGE)),
        None if number.parse::<f64>().is_ok_and(f64::is_infinite) => Some(infinite.to_owned()),
        whole => whole,
    }
}

/// Whether a text is an integer of more than 64 bits.
fn is_large(digits: &str) -> bool {
    let is_integer = digits.bytes().skip(1).all(|each| each.is_ascii_digit());
    let has_type = digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
    digits.len() > 18 && is_integer && !has_type
}

/// Returns the integer of at most 20 digits that a number such as `1.0` or `1e19` is.
fn whole(number: &str) -> Option<String> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|each| each.is_ascii_digit());
    let positive = number.strip_prefix('-').unwrap_or(number);
    let (mantissa, exponent) = positive.split_once(['e', 'E']).unwrap_or((positive, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_padded = integer.len() > 1 && integer.starts_with('0');
    let is_valid = is_digits(integer) && is_digits(fraction) && !is_padded;
    let exponent: i64 = exponent.parse().ok().filter(|_| is_valid)?;
    let digits = format!("{integer}{fraction}");
    let digits = digits.trim_start_matches('0');
    let short = digits.trim_end_matches('0');
    if short.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = exponent.checked_add((digits.len() - short.len()) as i64)? - fraction.len() as i64;
    let zeros = usize::try_from(zeros).ok();
    let zeros = zeros.filter(|zeros| zeros + short.len() <= 20)?;
    let sign = &number[..number.len() - positive.len()];
    Some(format!("{sign}{short}{}", "0".repeat(zeros)))
}

/// Returns the digits of an integer of more than 64 bits whose type is not known.
fn large(value: &Value) -> Option<&str> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    let digits = members.get(LARGE.as_str())?.as_str()?;
    is_large(digits).then_some(digits)
}

/// Returns the nearest number, or null if there is none.
fn nearest(digits: &str) -> Value {
    digits.parse::<f64>().map_or(Value::Null, Value::from)
}

/// How a value fits a type, the worst last.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Fit {
    Exact,
    /// An integer of more than 64 bits was rounded.
    Rounded,
    Wrong,
}

/// Gives integers of more than 64 bits their types. Returns how a value fits its type, as far as serde does not tell.
#[must_use]
pub(super) fn settle(rule: &Rule, value: &mut Value) -> Fit {
    if value.is_null() && rule.nullable {
        return Fit::Exact;
    }
    let is_bigint = match &rule.is {
        Kind::Any => return settle_any(value),
        Kind::Union => {
            let number = large(value).map(nearest);
            let found = find_variant(rule, number.as_ref().unwrap_or(value));
            return match found.map(|index| rule.variants.get(index)) {
                Some(Some(variant)) => settle(variant, value),
                Some(None) => settle_any(value),
                None => Fit::Wrong,
            };
        }
        Kind::Other(name) => match Rule::of_type(name) {
            Some(declared) => return settle(declared, value),
            None => name == "bigint",
        },
        _ => false,
    };
    if let Some(digits) = large(value) {
        *value = if is_bigint {
            digits.into()
        } else {
            nearest(digits)
        };
        if value.is_null() {
            return Fit::Wrong;
        }
    }
    let settle_item = |item: &mut Value| match &rule.of {
        Some(of) => settle(of, item),
        None => Fit::Exact,
    };
    match (&rule.is, value) {
        (Kind::List, Value::Array(items)) => worst(items.iter_mut().map(settle_item)),
        (Kind::Map, Value::Object(members)) => worst(members.values_mut().map(settle_item)),
        (Kind::Struct, Value::Object(members)) => settle_members(rule, members),
        // The traits of serde also accept lists.
        (Kind::Struct, _) => Fit::Wrong,
        (Kind::Float32, Value::Number(number)) => match number.as_f64() {
            // A conversion makes it infinite.
            Some(number) if (number as f32).is_infinite() => Fit::Wrong,
            _ => Fit::Exact,
        },
        _ => Fit::Exact,
    }
}

fn settle_members(rule: &Rule, members: &mut Map<String, Value>) -> Fit {
    let has = |field: &Rule| field.optional || field.extra || members.contains_key(&field.name);
    if !rule.fields.iter().all(has) {
        return Fit::Wrong;
    }
    let extra = rule.fields.iter().find(|field| field.extra);
    let extra = extra.and_then(values_of);
    worst(members.iter_mut().map(|(name, member)| {
        match (rule.field(name), extra) {
            (Some(field), _) if field.optional && member.is_null() => Fit::Exact,
            (Some(of), _) | (None, Some(of)) => settle(of, member),
            (None, None) => {
                // The contract does not declare it.
                let _ = settle_any(member);
                Fit::Exact
            }
        }
    }))
}

/// Returns the type of a map's values.
fn values_of(map: &Rule) -> Option<&Rule> {
    match &map.is {
        Kind::Other(name) => values_of(Rule::of_type(name)?),
        _ => map.of.as_deref(),
    }
}

fn settle_any(value: &mut Value) -> Fit {
    if let Some(digits) = large(value) {
        let number: f64 = digits.parse().unwrap_or(f64::NAN);
        let is_exact = number.to_string() == digits;
        *value = number.into();
        return if is_exact { Fit::Exact } else { Fit::Rounded };
    }
    match value {
        Value::Array(items) => worst(items.iter_mut().map(settle_any)),
        Value::Object(members) => worst(members.values_mut().map(settle_any)),
        _ => Fit::Exact,
    }
}

fn worst(fits: impl Iterator<Item = Fit>) -> Fit {
    fits.max().unwrap_or(Fit::Exact)
}

/// Reads a value as a type. Errors: what violates its limits, or `None` if it is of another type. Neither contains
/// values, which can be secret.
pub(super) fn read_as<T: Serialize + DeserializeOwned>(
    rule: Option<&Rule>,
    mut value: Value,
    is_checked: bool,
) -> Result<T, Option<String>> {
    match rule.map_or(Fit::Exact, |rule| settle(rule, &mut value)) {
        Fit::Exact => read_settled(rule, value, is_checked),
        Fit::Rounded => Err(Some(
            "an integer of more than 64 bits would be rounded".to_owned(),
        )),
        Fit::Wrong => Err(None),
    }
}

/// Reads a value that was settled.
pub(super) fn read_settled<T: Serialize + DeserializeOwned>(
    rule: Option<&Rule>,
    value: Value,
    is_checked: bool,
) -> Result<T, Option<String>> {
    let read: T = serde_json::from_value(value).map_err(|_| None)?;
    if let Some(rule) = rule.filter(|_| is_checked) {
        let value = to_json(&read).map_err(|error| Some(error.to_string()))?;
        find_faults(rule, &value).map_or(Ok(()), |faults| Err(Some(faults)))?;
    }
    Ok(read)
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
        // Whole numbers are integers.
        match value {
            _ if !value.is_finite() => Err(Error::custom("JSON has neither NaN nor infinity")),
            _ if value.fract() == 0.0 && value.abs() < 9.2e18 => Ok((value as i64).into()),
            _ => Ok(value.into()),
        }
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

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: Name, value: &T) -> Made {
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
        self.key = text_of(&to_json(key)?);
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

/// Returns the text of a value in a form, an address or a header: text itself, or JSON.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
