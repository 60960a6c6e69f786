//! Values that the standard library lacks.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::json::text_of;

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
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize)]
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
        let by_size = |one: &str, other: &str| (one.len(), one).cmp(&(other.len(), other));
        match (self.0.strip_prefix('-'), other.0.strip_prefix('-')) {
            (None, None) => by_size(&self.0, &other.0),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) => by_size(other, one),
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

impl<'de> Deserialize<'de> for Bigint {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        // Servers can send it as a number.
        let text = text_of(&Value::deserialize(source)?);
        text.parse().map_err(D::Error::custom)
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

impl<T: Into<Vec<u8>>> From<T> for Bytes {
    fn from(bytes: T) -> Self {
        Self(bytes.into())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let bytes = STANDARD.decode(String::deserialize(source)?);
        let bytes = bytes.map_err(|_| D::Error::custom("expected base64"))?;
        Ok(Self(bytes))
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

/// Reads the value of a field that is present, which can be null. Alone, serde would read null, or invalid members that
/// no field declares, as `None`.
pub fn present<'de, T, D>(source: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(source).map(Some)
}
