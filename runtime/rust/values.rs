//! Values that the standard library lacks.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A text is no value of a type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ParseError(pub(super) &'static str);

impl fmt::Display for ParseError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "expected {}", self.0)
    }
}

impl std::error::Error for ParseError {}

/// An integer of at most 1,000 digits, which other libraries read from its text.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct Bigint(String);

impl Bigint {
    /// Returns its digits in decimal, after a minus sign if it is negative.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Bigint {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = digits.bytes().all(|each| each.is_ascii_digit());
        if !is_integer || digits.is_empty() || digits.len() > 1000 {
            return Err(ParseError("an integer of at most 1,000 digits"));
        }
        let digits = digits.trim_start_matches('0');
        Ok(Self(match digits {
            "" => "0".to_owned(),
            _ if text.starts_with('-') => format!("-{digits}"),
            _ => digits.to_owned(),
        }))
    }
}

impl Ord for Bigint {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = |each: &Self| match each.0.strip_prefix('-') {
            Some(digits) => (true, digits.to_owned()),
            None => (false, each.0.clone()),
        };
        let by_size = |one: &str, other: &str| one.len().cmp(&other.len()).then(one.cmp(other));
        match (parts(self), parts(other)) {
            ((false, one), (false, other)) => by_size(&one, &other),
            ((true, one), (true, other)) => by_size(&other, &one),
            ((is_less, _), _) if is_less => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

impl PartialOrd for Bigint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {
        $(impl From<$integer> for Bigint {
            fn from(value: $integer) -> Self {
                Self(value.to_string())
            }
        })*
    };
}

from_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

impl fmt::Display for Bigint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl fmt::Debug for Bigint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl Serialize for Bigint {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bigint {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = match Value::deserialize(source)? {
            Value::String(text) => text,
            // The feature `arbitrary_precision` of serde_json keeps more digits.
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        text.parse()
            .map_err(|_| D::Error::invalid_value(Unexpected::Other("value"), &"an integer"))
    }
}

/// Bytes, which are base64 in JSON.
#[derive(Clone, Default, Eq, Hash, PartialEq)]
pub struct Bytes(pub Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} bytes", self.0.len())
    }
}

impl Deref for Bytes {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = String::deserialize(source)?;
        let bytes = STANDARD.decode(text);
        bytes
            .map(Self)
            .map_err(|_| D::Error::invalid_value(Unexpected::Other("text"), &"base64"))
    }
}

/// A value that the contract marks as sensitive, which no log shows.
#[derive(Clone, Copy, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Secret<T>(pub T);

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("hidden")
    }
}

impl<T> Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

/// Reads a field that can be null, but not absent.
pub fn required<'de, T, D>(source: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(source)
}

/// Reads a field that can be null or absent. `Some(None)` is null.
pub fn present<'de, T, D>(source: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(source).map(Some)
}

/// Reads optional members that no field declares. Alone, serde would read invalid ones as `None`.
pub fn extra<'de, T, D>(source: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(source).map(Some)
}
