//! Streams of items, which can be opened again.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_util::stream::{BoxStream, Stream, StreamExt, try_unfold};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::attempts::{Answer, Wanted, bad_response};
use super::client::{Client, SILENCE};
use super::contract::Method;
use super::errors::{Error, Reason, STREAM_LOST, read_envelope};
use super::events::{Event, Reader};
use super::json::{Fit, parse_any, settle};
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
        let state = Following {
            client: self.clone(),
            method: self.method(name),
            request: self.members(name, request),
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
    open: Option<(Answer, Reader)>,
    failures: u32,
    begun: Instant,
}

impl Following {
    async fn next<T: Serialize + DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        loop {
            let error = match self.advance().await {
                Ok(item) => {
                    self.failures = 0;
                    return Ok(item);
                }
                Err(error) => error,
            };
            self.open = None;
            let Some(reconnect) = &self.client.options.reconnect else {
                return Err(error);
            };
            // An attempt that could not connect does not count, however long it took.
            if error.name == STREAM_LOST && self.begun.elapsed() > reconnect.max_delay {
                self.failures = 0;
            }
            let Some(delay) = reconnect.delay(self.failures, &error) else {
                return Err(error);
            };
            self.failures += 1;
            self.client.transport.sleep(delay).await;
        }
    }

    /// Returns the next item, after which the request continues.
    async fn advance<T: Serialize + DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        let (client, method) = (&self.client, self.method);
        let (answer, reader) = match &mut self.open {
            Some(open) => open,
            closed => {
                self.begun = Instant::now();
                closed.insert(open(client, method, self.request.clone()?).await?)
            }
        };
        let Some(event) = receive(client, answer, reader).await? else {
            return Ok(None);
        };
        let (status, content) = (answer.status, event.text());
        let item = if event.name == "error" {
            let error = error_in(client, method, &event);
            Err(error.unwrap_or_else(|| bad_response(method, content, status)))
        } else {
            let members = message_in(method, content, status, None);
            let cursor = cursor_in(method, members.as_ref());
            let item = client.read(method, members, content, status);
            if let (Ok(_), Ok(request), Some((name, cursor))) = (&item, &mut self.request, cursor) {
                request.insert(name, cursor);
            }
            item
        };
        item.map(Some).map_err(|error| match error.reason {
            Some(Reason::BadResponse) if event.is_rest => lost("the last line is incomplete"),
            _ => error,
        })
    }
}

fn lost(cause: &str) -> Error {
    Error::transport(Reason::StreamLost, cause, 400)
}

/// Opens a connection.
async fn open(
    client: &Client,
    method: &'static Method,
    request: Map<String, Value>,
) -> Result<(Answer, Reader), Error> {
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
    Ok((answer, reader))
}

/// Receives the next item or error of a connection.
async fn receive(
    client: &Client,
    answer: &mut Answer,
    reader: &mut Reader,
) -> Result<Option<Event>, Error> {
    loop {
        let event = reader.next(answer.status)?;
        if event.is_some() || reader.is_over {
            return Ok(event);
        }
        let limit = Instant::now().checked_add(SILENCE);
        let received = client.receive(&mut answer.parts, limit, Reason::StreamLost);
        let part = received.await.map_err(|error| match error.reason {
            Some(Reason::Timeout) => lost("the server sends nothing"),
            _ => error,
        })?;
        match part {
            Some(part) => reader.add(&part),
            None => return reader.end().map_err(lost),
        }
    }
}

/// Returns the field and the value of a request that continues after an item.
fn cursor_in(method: &Method, item: Option<&Map<String, Value>>) -> Option<(String, Value)> {
    let (argument, path) = method.resume.as_ref()?;
    let mut names = path.split('.');
    let first = item?.get(names.next()?)?;
    let found = names.try_fold(first, |inner, name| inner.get(name))?;
    let mut cursor = found.clone();
    let field = method.request_rule()?.field(argument)?;
    (settle(field, &mut cursor) == Fit::Exact).then(|| (argument.clone(), cursor))
}

/// Returns the HTTP status that an error in a stream names, or the default if it is not that of an error.
fn status_in(body: &Value, least: u16, otherwise: u16) -> u16 {
    let status = body.get("status").and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    let is_valid = |status: &u16| (least..600).contains(status);
    status.filter(is_valid).unwrap_or(otherwise)
}

/// Returns the error in an event or a line. Returns `None` if it cannot be read.
fn error_in(client: &Client, method: &Method, event: &Event) -> Option<Error> {
    let body = parse_any(event.text()).unwrap_or_default();
    if method.rest.is_none() {
        let envelope = match &body {
            Value::Array(items) if items.len() == 1 => &items[0],
            body => body.get("webrpcError")?,
        };
        return read_envelope(envelope, status_in(envelope, 400, 400), &Headers::default());
    }
    let is_told = event.status.len() == 3 && event.status.bytes().all(|each| each.is_ascii_digit());
    let told = json!({ "status": event.status.parse::<u16>().unwrap_or(500) });
    let status = status_in(if is_told { &told } else { &body }, 300, 500);
    client.sent_error(method, event.text(), status, &Headers::default())
}
