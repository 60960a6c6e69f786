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
use super::contract::{Method, Rule};
use super::errors::{Error, Reason, STREAM_LOST, read_envelope};
use super::events::{Event, Reader};
use super::json;
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
            if error.is_built_in(STREAM_LOST) && self.begun.elapsed() > reconnect.max_delay {
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
        let (client, method) = (&self.client, self.method);
        let open = match &mut self.open {
            Some(open) => open,
            closed => {
                self.begun = Instant::now();
                let request = self.request.clone()?;
                closed.insert(Connection::open(client, method, request).await?)
            }
        };
        let Some(event) = open.next(client).await? else {
            return Ok(None);
        };
        match open.read(client, method, &event) {
            Err(error) if event.is_rest && error.reason == Some(Reason::BadResponse) => {
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
        let has_events = method.rest.is_some();
        let wanted = if has_events { "event-stream" } else { "ndjson" };
        let end = Instant::now().checked_add(limit);
        let answer = client.respond(method, request, end, Wanted::Stream(wanted));
        let answer = answer.await?;
        let content_type = answer.headers.get("content-type").unwrap_or_default();
        // A response without content has no items.
        let reader = Reader::new(has_events, &content_type, answer.status == 204);
        Ok(Self { answer, reader })
    }

    /// Returns the next item or error.
    async fn next(&mut self, client: &Client) -> Result<Option<Event>, Error> {
        loop {
            let event = self.reader.next(self.answer.status)?;
            if event.is_some() || self.reader.is_over {
                return Ok(event);
            }
            let limit = Instant::now().checked_add(SILENCE);
            let received = client.receive(&mut self.answer.parts, limit, Reason::StreamLost);
            let part = received.await.map_err(|error| match error.reason {
                Some(Reason::Timeout) => lost("the server sends nothing"),
                _ => error,
            })?;
            match part {
                Some(part) => self.reader.add(&part),
                None => return self.reader.end().map_err(lost),
            }
        }
    }

    /// Reads an item, with the field and the value that continue after it.
    fn read<T: Serialize + DeserializeOwned>(
        &self,
        client: &Client,
        method: &Method,
        event: &Event,
    ) -> Result<(T, Option<(String, Value)>), Error> {
        let status = self.answer.status;
        let content = event.data.as_deref().unwrap_or_default();
        if event.name == "error" {
            let error = error_in(client, method, event);
            return Err(error.unwrap_or_else(|| bad_response(method, content, status)));
        }
        let members = message_in(method, content, status, None);
        let cursor = method.resume.as_ref().and_then(|resume| {
            let mut names = resume.cursor.split('.');
            let first = members.as_ref()?.get(names.next()?)?;
            let found = names.try_fold(first, |inner, name| inner.get(name))?;
            let rule = method.request.as_deref().and_then(Rule::of_type)?;
            let field = rule.field(&resume.argument)?;
            let mut cursor = found.clone();
            json::settle(field, &mut cursor).then(|| (resume.argument.clone(), cursor))
        });
        Ok((client.read(method, members, content, status)?, cursor))
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

/// Returns the error in an event or a line. Returns `None` if it cannot be read.
fn error_in(client: &Client, method: &Method, event: &Event) -> Option<Error> {
    let data = event.data.as_deref().unwrap_or_default();
    let body = json::parse_any(data).unwrap_or_default();
    if method.rest.is_none() {
        let envelope = match &body {
            Value::Array(items) if items.len() == 1 => &items[0],
            body => body.get("webrpcError")?,
        };
        return read_envelope(envelope, status_in(envelope, 400, 400), &Headers::default());
    }
    let is_told = event.status.len() == 3 && event.status.bytes().all(|each| each.is_ascii_digit());
    let told = serde_json::json!({ "status": event.status.parse::<u16>().unwrap_or(500) });
    let status = status_in(if is_told { &told } else { &body }, 300, 500);
    client.sent_error(method, data, status, &Headers::default())
}
