//! Points in time.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::values::ParseError;

const DAY: i64 = 86_400;
/// The beginnings of the years 0 and 10000, in seconds.
const FIRST: i64 = -62_167_219_200;
const END: i64 = 253_402_300_800;

/// A point in time in the years 0 to 9999, with nanoseconds. In JSON, it is text as in RFC 3339.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

impl Timestamp {
    /// Returns the current time.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// Returns a point in time by seconds since 1970 and nanoseconds after them, or `None` if it is out of range.
    pub fn new(seconds: i64, nanoseconds: u32) -> Option<Self> {
        let is_valid = (FIRST..END).contains(&seconds) && nanoseconds < 1_000_000_000;
        is_valid.then_some(Self {
            seconds,
            nanoseconds,
        })
    }

    /// Returns the seconds since the beginning of 1970 in UTC.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds after `seconds`.
    pub fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let digits = |from: usize, to: usize| number(text.get(from..to)?);
        let is_separated = text.is_ascii()
            && bytes.len() >= 20
            && (bytes[4], bytes[7], bytes[13], bytes[16]) == (b'-', b'-', b':', b':')
            && bytes[10].eq_ignore_ascii_case(&b'T');
        if !is_separated {
            return None;
        }
        let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
        let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
        let is_date = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
        if !is_date || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let rest = &text[19..];
        let at = rest.find(['Z', 'z', '+', '-'])?;
        let (fraction, zone) = rest.split_at(at);
        let nanoseconds = match fraction.strip_prefix('.') {
            None if fraction.is_empty() => 0,
            Some(found) if (1..=9).contains(&found.len()) => {
                number(found)? * 10_i64.pow(9 - u32::try_from(found.len()).ok()?)
            }
            _ => return None,
        };
        let days = days_before(year, month, day);
        let local = days * DAY + hour * 3600 + minute * 60 + second;
        let seconds = local - offset(zone)?;
        // A leap second is the first second of the next day.
        if second == 60 && seconds.rem_euclid(DAY) != 0 {
            return None;
        }
        Self::new(seconds, u32::try_from(nanoseconds).ok()?)
    }
}

/// Returns the number that a text of digits is.
fn number(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|each| each.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Returns the seconds by which a zone is before UTC.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("Z") {
        return Some(0);
    }
    let (hours, minutes) = zone[1..].split_once(':')?;
    let (hour, minute) = (number(hours)?, number(minutes)?);
    if hours.len() != 2 || minutes.len() != 2 || hour > 23 || minute > 59 {
        return None;
    }
    let seconds = hour * 3600 + minute * 60;
    Some(if zone.starts_with('-') {
        -seconds
    } else {
        seconds
    })
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days from the beginning of 1970 to a date. Years begin in March, so that leap days are last.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year
        - 719_468
}

/// Returns the year, the month and the day that are some days after the beginning of 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let is_next = month >= 10;
    (
        year + era * 400 + i64::from(is_next),
        if is_next { month - 9 } else { month + 3 },
        of_month,
    )
}

impl FromStr for Timestamp {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or(ParseError("a timestamp as in RFC 3339"))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of(self.seconds.div_euclid(DAY));
        let second = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(to, "{year:04}-{month:02}-{day:02}")?;
        write!(to, "T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(to, ".{}", digits.trim_end_matches('0'))?;
        }
        to.write_str("Z")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self}")
    }
}

impl From<SystemTime> for Timestamp {
    /// A time that is out of range becomes the nearest one.
    fn from(time: SystemTime) -> Self {
        let (whole, nanoseconds) = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => (
                i64::try_from(after.as_secs()).unwrap_or(END),
                after.subsec_nanos(),
            ),
            Err(before) => {
                let before = before.duration();
                let seconds = i64::try_from(before.as_secs()).unwrap_or(END);
                match before.subsec_nanos() {
                    0 => (-seconds, 0),
                    nanoseconds => (-seconds - 1, 1_000_000_000 - nanoseconds),
                }
            }
        };
        Self {
            seconds: whole.clamp(FIRST, END - 1),
            nanoseconds,
        }
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        let whole = Duration::from_secs(time.seconds.unsigned_abs());
        let start = if time.seconds < 0 {
            UNIX_EPOCH - whole
        } else {
            UNIX_EPOCH + whole
        };
        start + Duration::from_nanos(time.nanoseconds.into())
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
        text.parse()
            .map_err(|_| D::Error::invalid_value(Unexpected::Other("text"), &"a timestamp"))
    }
}
