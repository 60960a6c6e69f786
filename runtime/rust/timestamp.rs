//! Points in time.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::values::ParseError;

/// The seconds from the beginning of the year 0 to the end of the year 9999.
const RANGE: std::ops::Range<i64> = -62_167_219_200..253_402_300_800;

/// A point in time in the years 0 to 9999, with nanoseconds. In JSON, it is text as in RFC 3339.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// Returns the current time.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// Returns a point in time by seconds since 1970 and nanoseconds after them, or `None` if it is out of range.
    pub fn new(seconds: i64, nanoseconds: u32) -> Option<Self> {
        let is_valid = RANGE.contains(&seconds) && nanoseconds < 1_000_000_000;
        let time = DateTime::from_timestamp(seconds, nanoseconds);
        time.filter(|_| is_valid).map(Self)
    }

    /// Returns the seconds since the beginning of 1970 in UTC.
    pub fn seconds(self) -> i64 {
        self.0.timestamp()
    }

    /// Returns the nanoseconds after `seconds`.
    pub fn nanoseconds(self) -> u32 {
        self.0.timestamp_subsec_nanos()
    }

    fn parse(text: &str) -> Option<Self> {
        let fraction = text.get(19..)?.strip_prefix('.').unwrap_or_default();
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if !text.as_bytes()[10].eq_ignore_ascii_case(&b'T') || digits > 9 {
            return None;
        }
        let time = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
        let (seconds, nanoseconds) = (time.timestamp(), time.timestamp_subsec_nanos());
        let Some(nanoseconds) = nanoseconds.checked_sub(1_000_000_000) else {
            return Self::new(seconds, nanoseconds);
        };
        // A leap second is the first second of the next day.
        let is_last = (seconds + 1).rem_euclid(86_400) == 0;
        Self::new(seconds + 1, nanoseconds).filter(|_| is_last)
    }
}

impl FromStr for Timestamp {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or(ParseError("a timestamp as in RFC 3339"))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.0.format("%Y-%m-%dT%H:%M:%S%.fZ"))
    }
}

impl From<SystemTime> for Timestamp {
    /// A time that is out of range becomes the nearest one.
    fn from(time: SystemTime) -> Self {
        let before = Duration::from_secs(RANGE.start.unsigned_abs());
        let after = Duration::new(RANGE.end.unsigned_abs() - 1, 999_999_999);
        // Some systems have no such times.
        let first = UNIX_EPOCH.checked_sub(before).unwrap_or(time);
        let last = UNIX_EPOCH.checked_add(after).unwrap_or(time);
        Self(time.max(first).min(last).into())
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        time.0.into()
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(D::Error::custom)
    }
}
