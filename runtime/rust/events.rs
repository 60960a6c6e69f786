//! Lines and server-sent events, without receiving anything.

use std::collections::VecDeque;

use super::errors::Error;
use super::json::{parse_any, trimmed, unmarked};

const MAX_BYTES: usize = 1 << 25;

/// Splits a body into lines, however it is received.
#[derive(Default)]
struct Lines {
    /// Whole lines without their ends.
    whole: VecDeque<Vec<u8>>,
    /// What follows the last whole line.
    rest: Vec<u8>,
    has_begun: bool,
    /// Whether a carriage return also ends a line.
    has_returns: bool,
    /// Whether the next line feed belongs to the end of the last line.
    after_return: bool,
}

impl Lines {
    fn add(&mut self, part: &[u8]) {
        let has_returns = self.has_returns;
        let is_end = |each: &u8| *each == b'\n' || has_returns && *each == b'\r';
        for line in part.split_inclusive(is_end) {
            if std::mem::take(&mut self.after_return) && line == b"\n" {
                continue;
            }
            match line.split_last() {
                Some((end, line)) if is_end(end) => {
                    self.after_return = *end == b'\r';
                    self.rest.extend_from_slice(line);
                    let line = self.rest();
                    self.whole.push_back(line);
                }
                _ => self.rest.extend_from_slice(line),
            }
        }
    }

    fn rest(&mut self) -> Vec<u8> {
        let line = std::mem::take(&mut self.rest);
        match std::mem::replace(&mut self.has_begun, true) {
            true => line,
            false => unmarked(&line).to_vec(),
        }
    }
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

impl Event {
    pub fn text(&self) -> &[u8] {
        self.data.as_deref().unwrap_or_default()
    }
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
            lines: Lines {
                has_returns: has_events,
                ..Lines::default()
            },
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
            let line = self.lines.whole.pop_front();
            let size = line.as_ref().unwrap_or(&self.lines.rest).len();
            if size.max(self.event.text().len()) > MAX_BYTES {
                return Err(Error::bad_response("the line is too long", status));
            }
            let Some(line) = line else {
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
        let is_failed = || parse_any(text)?.get("webrpcError").cloned();
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
        self.is_over = is_last || self.has_end && event.data.is_none() && event.name == "end";
        let has_data = !trimmed(event.text()).is_empty();
        let is_error = event.name == "error" && event.data.is_some();
        (!self.is_over && (has_data || is_error)).then_some(event)
    }

    fn read_field(&mut self, line: &[u8]) -> Option<Event> {
        let mut parts = line.splitn(2, |each| *each == b':');
        let (name, value) = (parts.next()?, parts.next().unwrap_or_default());
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
        trimmed(self.event.text()) == b"[DONE]"
    }
}
