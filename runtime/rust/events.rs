//! Lines and server-sent events, without receiving anything.

use super::errors::{Error, Reason};
use super::json::{self, trimmed, unmarked};

const MAX_BYTES: usize = 1 << 25;

/// Splits a body into lines, however it is received.
#[derive(Default)]
struct Lines {
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
    fn new(has_returns: bool) -> Self {
        Self {
            has_returns,
            ..Self::default()
        }
    }

    fn add(&mut self, part: &[u8]) {
        let is_pair = self.after_return && part.first() == Some(&b'\n');
        self.after_return &= part.is_empty();
        self.buffer.drain(..self.begin);
        self.scanned -= self.begin;
        self.begin = 0;
        self.buffer.extend_from_slice(&part[usize::from(is_pair)..]);
    }

    /// Returns the next whole line without its end.
    fn next(&mut self, status: u16) -> Result<Option<Vec<u8>>, Error> {
        let ends = |each: &u8| *each == b'\n' || self.has_returns && *each == b'\r';
        let Some(at) = self.buffer[self.scanned..].iter().position(ends) else {
            self.scanned = self.buffer.len();
            let is_large = self.scanned - self.begin > MAX_BYTES;
            return (!is_large).then_some(None).ok_or_else(|| too_large(status));
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
    fn rest(&mut self) -> Vec<u8> {
        self.scanned = 0;
        let begin = std::mem::take(&mut self.begin);
        let rest = std::mem::take(&mut self.buffer).split_off(begin);
        self.begun(rest)
    }

    fn begun(&mut self, line: Vec<u8>) -> Vec<u8> {
        match std::mem::replace(&mut self.has_begun, true) {
            true => line,
            false => unmarked(&line).to_vec(),
        }
    }
}

fn too_large(status: u16) -> Error {
    Error::transport(Reason::BadResponse, "the line is too long", status)
}

/// An item of a stream, or an error.
#[derive(Default)]
pub(super) struct Event {
    /// The name of an event, which is `error` for errors in lines, too.
    pub name: String,
    /// The HTTP status of an error.
    pub status: String,
    pub data: Option<Vec<u8>>,
    /// Whether the body ends without the end of its line.
    pub is_rest: bool,
}

/// Reads lines, or events as the HTML standard parses them.
pub(super) struct Reader {
    lines: Lines,
    has_events: bool,
    has_end: bool,
    event: Event,
    /// Whether the end was sent, after which nothing counts.
    pub is_over: bool,
}

impl Reader {
    pub fn new(has_events: bool, content_type: &str, is_over: bool) -> Self {
        let mut parameters = content_type.split(';').skip(1);
        Self {
            lines: Lines::new(has_events),
            has_events,
            has_end: parameters.any(|each| each.trim().eq_ignore_ascii_case("end=1")),
            event: Event::default(),
            is_over,
        }
    }

    pub fn add(&mut self, part: &[u8]) {
        self.lines.add(part);
    }

    /// Returns the next item or error that was received whole.
    pub fn next(&mut self, status: u16) -> Result<Option<Event>, Error> {
        while !self.is_over {
            let Some(line) = self.lines.next(status)? else {
                break;
            };
            let found = match (self.has_events, line.is_empty()) {
                (false, _) => self.read_line(line, false),
                (true, false) => self.read_field(&line),
                (true, true) => self.end_event(),
            };
            if found.is_some() {
                return Ok(found);
            }
            let data = self.event.data.as_deref().unwrap_or_default();
            if data.len() > MAX_BYTES {
                return Err(too_large(status));
            }
        }
        Ok(None)
    }

    /// Returns the last item, if the body ends with it. Errors: why the body ends before the stream.
    pub fn end(&mut self) -> Result<Option<Event>, &'static str> {
        let rest = self.lines.rest();
        let mut is_begun = self.event.data.is_some();
        if !self.has_events {
            if let Some(event) = self.read_line(rest, true) {
                return Ok(Some(event));
            }
        } else if !rest.is_empty() && !rest.starts_with(b":") {
            is_begun = true;
            self.read_field(&rest);
        }
        let is_cut = is_begun || self.has_end;
        if is_cut && !self.is_over && !self.is_last() {
            return Err("it has no end");
        }
        Ok(None)
    }

    fn read_line(&mut self, line: Vec<u8>, is_rest: bool) -> Option<Event> {
        let text = trimmed(&line);
        self.is_over = text == b"[]";
        if text.is_empty() || self.is_over {
            return None;
        }
        let is_failed = || json::parse_any(text)?.get("webrpcError").cloned();
        let is_error = text.starts_with(b"[") || !self.has_end && is_failed().is_some();
        Some(Event {
            name: if is_error { "error" } else { "" }.to_owned(),
            data: Some(line),
            is_rest,
            ..Event::default()
        })
    }

    fn end_event(&mut self) -> Option<Event> {
        let is_last = self.is_last();
        let event = std::mem::take(&mut self.event);
        let data = event.data.as_deref();
        self.is_over = is_last || self.has_end && data.is_none() && event.name == "end";
        let has_data = !trimmed(data.unwrap_or_default()).is_empty();
        let is_error = event.name == "error" && data.is_some();
        (!self.is_over && (has_data || is_error)).then_some(event)
    }

    fn read_field(&mut self, line: &[u8]) -> Option<Event> {
        let (name, value) = match line.iter().position(|each| *each == b':') {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match (name, &mut self.event.data) {
            (b"data", Some(data)) => data.extend([b"\n", value].concat()),
            (b"data", data) => *data = Some(value.to_vec()),
            (b"event", _) => self.event.name = text(),
            (b"status", _) => self.event.status = text(),
            _ => (),
        }
        None
    }

    fn is_last(&self) -> bool {
        trimmed(self.event.data.as_deref().unwrap_or_default()) == b"[DONE]"
    }
}
