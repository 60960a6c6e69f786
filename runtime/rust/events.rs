//! Lines and server-sent events, without receiving anything.

use super::errors::{Error, Reason};
use super::json::{trimmed, unmarked};

const MAX_BYTES: usize = 1 << 25;

/// Splits a body into lines, however it is received.
#[derive(Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins.
    begin: usize,
    /// Where to look for the end of that line.
    scanned: usize,
    has_begun: bool,
    /// Whether a carriage return also ends a line.
    has_returns: bool,
    /// Whether the next line feed belongs to the end of the last line.
    after_return: bool,
}

impl Lines {
    pub fn with_returns() -> Self {
        let has_returns = true;
        Self {
            has_returns,
            ..Self::default()
        }
    }

    pub fn add(&mut self, part: &[u8]) {
        let is_pair = self.after_return && part.first() == Some(&b'\n');
        self.after_return &= part.is_empty();
        self.buffer.drain(..self.begin);
        self.scanned -= self.begin;
        self.begin = 0;
        self.buffer.extend_from_slice(&part[usize::from(is_pair)..]);
    }

    /// Returns the next whole line without its end.
    pub fn next(&mut self, status: u16) -> Result<Option<Vec<u8>>, Error> {
        let ends = |each: &u8| *each == b'\n' || self.has_returns && *each == b'\r';
        let Some(at) = self.buffer[self.scanned..].iter().position(ends) else {
            self.scanned = self.buffer.len();
            let is_large = self.scanned - self.begin > MAX_BYTES;
            return if is_large {
                Err(too_large(status))
            } else {
                Ok(None)
            };
        };
        let at = self.scanned + at;
        let is_return = self.buffer[at] == b'\r';
        self.after_return = is_return && at + 1 == self.buffer.len();
        let is_pair = is_return && self.buffer.get(at + 1) == Some(&b'\n');
        let line = self.buffer[self.begin..at].to_vec();
        self.begin = at + 1 + usize::from(is_pair);
        self.scanned = self.begin;
        Ok(Some(self.begun(line)))
    }

    /// Returns what follows the last whole line.
    pub fn rest(&mut self) -> Vec<u8> {
        self.scanned = 0;
        let begin = std::mem::take(&mut self.begin);
        let rest = std::mem::take(&mut self.buffer).split_off(begin);
        self.begun(rest)
    }

    fn begun(&mut self, line: Vec<u8>) -> Vec<u8> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if is_first {
            unmarked(&line).to_vec()
        } else {
            line
        }
    }
}

fn too_large(status: u16) -> Error {
    Error::transport(Reason::BadResponse, "the line is too long", status)
}

/// Whether the media type of a stream announces its end.
pub(super) fn has_end(content_type: &str) -> bool {
    let mut parameters = content_type.split(';').skip(1);
    parameters.any(|each| each.trim().eq_ignore_ascii_case("end=1"))
}

/// An event with data: an item, or an error if that is its name.
#[derive(Default)]
pub(super) struct Event {
    pub name: String,
    /// The HTTP status of an error.
    pub status: String,
    pub data: Option<Vec<u8>>,
}

/// Reads events, as the HTML standard parses them.
pub(super) struct Events {
    lines: Lines,
    has_end: bool,
    event: Event,
    /// Whether the end was sent, after which nothing counts.
    pub is_done: bool,
}

impl Events {
    pub fn new(has_end: bool) -> Self {
        let lines = Lines::with_returns();
        Self {
            lines,
            has_end,
            event: Event::default(),
            is_done: false,
        }
    }

    pub fn add(&mut self, part: &[u8]) {
        self.lines.add(part);
    }

    /// Returns the next event with data.
    pub fn next(&mut self, status: u16) -> Result<Option<Event>, Error> {
        while let Some(line) = self.lines.next(status)? {
            if !line.is_empty() {
                self.read_field(&line);
                if self
                    .event
                    .data
                    .as_ref()
                    .is_some_and(|data| data.len() > MAX_BYTES)
                {
                    return Err(too_large(status));
                }
                continue;
            }
            let is_last = self.is_last();
            let event = std::mem::take(&mut self.event);
            self.is_done = is_last || self.has_end && event.data.is_none() && event.name == "end";
            if self.is_done {
                return Ok(None);
            }
            let is_error = event.name == "error";
            if event
                .data
                .as_deref()
                .is_some_and(|data| is_error || !trimmed(data).is_empty())
            {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Returns whether the body ends before the stream.
    pub fn is_cut(&mut self) -> bool {
        let rest = self.lines.rest();
        let has_rest = !rest.is_empty() && !rest.starts_with(b":");
        if has_rest {
            self.read_field(&rest);
        }
        (has_rest || self.event.data.is_some() || self.has_end) && !self.is_last()
    }

    fn read_field(&mut self, line: &[u8]) {
        let (name, value) = match line.iter().position(|each| *each == b':') {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match (name, &mut self.event.data) {
            (b"data", Some(data)) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            (b"data", data) => *data = Some(value.to_vec()),
            (b"event", _) => self.event.name = text(),
            (b"status", _) => self.event.status = text(),
            _ => (),
        }
    }

    fn is_last(&self) -> bool {
        self.event
            .data
            .as_deref()
            .is_some_and(|data| trimmed(data) == b"[DONE]")
    }
}
