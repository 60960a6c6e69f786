//! Streams of items, which can be opened again.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_util::stream::{BoxStream, Stream, StreamExt, try_unfold};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::attempts::{Answer, Wanted, bad_response};
use super::client::{Client, SILENCE};
use super::contract::Method;
use super::errors::{Error, Reason, read_envelope};
use super::events::{Event, Events, Lines, has_end};
use super::files::Files;
use super::json::{self, trimmed};
use super::options::Timeout;
use super::rest::message_in;
use super::transport::Headers;

/// Items that are received while they are read. Dropping it closes the connection.
pub struct Items<T>(BoxStream<'static, Result<T, Error>>);

impl<T> Items<T> {
    pub(super) fn new(items: impl Stream<Item = Result<T, Error>> + Send + 'static) -> Self {
        Self(items.boxed())
    }

    /// Returns the next item, or `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        self.0.next().await
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(task)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Items")
    }
}

impl Client {
    /// Calls a method that returns a stream. The request is sent when the first item is read.
    pub fn stream<T>(&self, name: &str, request: &impl Serialize) -> Items<T>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
    {
        let request = self.members(name, request);
        let state = Following {
            client: self.clone(),
            method: self.method(name),
            request,
            open: None,
            failures: 0,
            begun: Instant::now(),
        };
        Items::new(try_unfold(state, |mut state| async move {
            Ok(state.next().await?.map(|item| (item, state)))
        }))
    }
}

/// A stream with its successive connections.
struct Following {
    client: Client,
    method: &'static Method,
    request: Result<Map<String, Value>, Error>,
    open: Option<Connection>,
    failures: u32,
    begun: Instant,
}

impl Following {
    async fn next<T: Serialize + DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        loop {
            let error = match self.advance().await {
                Ok(Some((item, cursor))) => {
                    self.failures = 0;
                    if let (Ok(request), Some((name, cursor))) = (&mut self.request, cursor) {
                        request.insert(name, cursor);
                    }
                    return Ok(Some(item));
                }
                Ok(None) => return Ok(None),
                Err(error) => error,
            };
            self.open = None;
            let Some(reconnect) = self.client.options.reconnect.clone() else {
                return Err(error);
            };
            // An attempt that could not connect does not count, however long it took.
            if error.name == "WebrpcStreamLost" && self.begun.elapsed() > reconnect.max_delay {
                self.failures = 0;
            }
            let Some(delay) = reconnect.delay(self.failures, &error) else {
                return Err(error);
            };
            self.failures += 1;
            self.client.sleep(delay).await;
        }
    }

    /// Returns the next item, with the field and the value that continue after it.
    async fn advance<T: Serialize + DeserializeOwned>(
        &mut self,
    ) -> Result<Option<(T, Option<(String, Value)>)>, Error> {
        let (client, method) = (self.client.clone(), self.method);
        if self.open.is_none() {
            self.begun = Instant::now();
            let request = self.request.clone()?;
            self.open = Some(Connection::open(&client, method, request).await?);
        }
        let Some(open) = &mut self.open else {
            return Ok(None);
        };
        let Some((content, is_rest)) = open.next(&client, method).await? else {
            return Ok(None);
        };
        let status = open.answer.status;
        let members = message_in(method, &content, status, None);
        let item = members.map(|members| {
            let cursor = method.resume.as_ref().and_then(|resume| {
                let mut names = resume.cursor.split('.');
                let first = members.get(names.next()?)?;
                let cursor = names.try_fold(first, |inner, name| inner.get(name))?;
                Some((resume.argument.clone(), cursor.clone()))
            });
            Ok((client.read(method, members, &content, status)?, cursor))
        });
        match item.unwrap_or_else(|| Err(bad_response(method, &content, status))) {
            Err(error) if is_rest && error.reason == Some(Reason::BadResponse) => {
                Err(lost("the last line is incomplete"))
            }
            item => item.map(Some),
        }
    }
}

fn lost(cause: &str) -> Error {
    Error::transport(Reason::StreamLost, cause, 400)
}

/// A connection of a stream.
struct Connection {
    answer: Answer,
    reader: Reader,
    has_end: bool,
    is_over: bool,
}

enum Reader {
    Lines(Lines),
    Events(Box<Events>),
}

impl Connection {
    async fn open(
        client: &Client,
        method: &'static Method,
        request: Map<String, Value>,
    ) -> Result<Self, Error> {
        let limit = match client.options.timeout {
            Timeout::After(limit) => limit,
            Timeout::Default | Timeout::Never => SILENCE,
        };
        let wanted = if method.rest.is_some() {
            "event-stream"
        } else {
            "ndjson"
        };
        let end = Instant::now().checked_add(limit);
        let files = Files::default();
        let answer = client
            .respond(method, request, &files, end, Wanted::Stream(wanted))
            .await?;
        let has_end = has_end(&answer.headers.get("content-type").unwrap_or_default());
        let reader = match method.rest {
            Some(_) => Reader::Events(Box::new(Events::new(has_end))),
            None => Reader::Lines(Lines::default()),
        };
        // A response without content has no items.
        let is_over = answer.status == 204;
        Ok(Self {
            answer,
            reader,
            has_end,
            is_over,
        })
    }

    /// Returns the JSON of the next item, and whether the body ended without the end of its line.
    async fn next(
        &mut self,
        client: &Client,
        method: &Method,
    ) -> Result<Option<(Vec<u8>, bool)>, Error> {
        while !self.is_over {
            let status = self.answer.status;
            let found = match &mut self.reader {
                Reader::Lines(lines) => lines.next(status)?,
                Reader::Events(events) => match events.next(status)? {
                    Some(event) if event.name == "error" => {
                        return Err(event_error(client, method, &event, status));
                    }
                    event => {
                        self.is_over = events.is_done;
                        event.and_then(|event| event.data)
                    }
                },
            };
            match (found, &mut self.reader) {
                (Some(line), Reader::Lines(_)) => {
                    if let Some(line) = self.item_in(method, line, false)? {
                        return Ok(Some(line));
                    }
                }
                (Some(data), Reader::Events(_)) => return Ok(Some((data, false))),
                (None, _) if self.is_over => return Ok(None),
                (None, _) => {
                    let limit = Instant::now().checked_add(SILENCE);
                    let received =
                        client.receive(&mut self.answer.parts, limit, Reason::StreamLost);
                    let part = received.await.map_err(|error| match error.reason {
                        Some(Reason::Timeout) => lost("the server sends nothing"),
                        _ => error,
                    })?;
                    match part {
                        Some(part) => self.add(&part),
                        None => return self.end(method),
                    }
                }
            }
        }
        Ok(None)
    }

    fn add(&mut self, part: &[u8]) {
        match &mut self.reader {
            Reader::Lines(lines) => lines.add(part),
            Reader::Events(events) => events.add(part),
        }
    }

    /// Returns the last item, if the body ends with it.
    fn end(&mut self, method: &Method) -> Result<Option<(Vec<u8>, bool)>, Error> {
        let line = match &mut self.reader {
            Reader::Events(events) => {
                let is_cut = events.is_cut();
                return if is_cut {
                    Err(lost("it has no end"))
                } else {
                    Ok(None)
                };
            }
            Reader::Lines(lines) => lines.rest(),
        };
        let item = self.item_in(method, line, true);
        if let Err(error) = &item {
            if error.reason == Some(Reason::BadResponse) {
                return Err(lost("the last line is incomplete"));
            }
        }
        match item? {
            None if self.has_end && !self.is_over => Err(lost("it has no end")),
            item => Ok(item),
        }
    }

    /// Returns the item in a line, if it is one.
    fn item_in(
        &mut self,
        method: &Method,
        line: Vec<u8>,
        is_rest: bool,
    ) -> Result<Option<(Vec<u8>, bool)>, Error> {
        let text = trimmed(&line);
        if text.is_empty() {
            return Ok(None);
        }
        if text == b"[]" {
            self.is_over = true;
            return Ok(None);
        }
        let envelope = if text.starts_with(b"[") {
            // The end of a stream that failed.
            match json::parse_any(text) {
                Some(Value::Array(items)) if items.len() == 1 => items.into_iter().next(),
                _ => Some(Value::Null),
            }
        } else if self.has_end {
            None
        } else {
            let item = json::parse_any(text);
            item.and_then(|item| item.get("webrpcError").cloned())
        };
        let Some(envelope) = envelope else {
            return Ok(Some((line, is_rest)));
        };
        let status = status_in(&envelope, 400, 400);
        let error = read_envelope(&envelope, status, &Headers::default());
        Err(error.unwrap_or_else(|| bad_response(method, &line, self.answer.status)))
    }
}

/// Returns the HTTP status that an error in a stream names, or the default if it is not that of an error.
fn status_in(body: &Value, least: u16, otherwise: u16) -> u16 {
    let status = body.get("status").and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    status
        .filter(|status| (least..600).contains(status))
        .unwrap_or(otherwise)
}

/// Returns the error in an event.
fn event_error(client: &Client, method: &Method, event: &Event, status: u16) -> Error {
    let data = event.data.as_deref().unwrap_or_default();
    let is_told = event.status.len() == 3 && event.status.bytes().all(|each| each.is_ascii_digit());
    let body = if is_told {
        serde_json::json!({ "status": event.status.parse::<u16>().unwrap_or(500) })
    } else {
        json::parse_any(data).unwrap_or_default()
    };
    let told = status_in(&body, 300, 500);
    let error = client.sent_error(method, data, told, &Headers::default());
    error.unwrap_or_else(|| bad_response(method, data, status))
}
