//! Attempts to get a response.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use chrono::DateTime;
use futures_util::stream::{BoxStream, StreamExt};
use serde_json::{Map, Value, json};

use super::client::Client;
use super::contract::{CONTRACT, Method};
use super::error_bodies::read_error_body;
use super::errors::{Error, REQUEST_FAILED, Reason, read_envelope};
use super::json::{parse_any, unmarked};
use super::options::{Retry, random_text};
use super::rest::{Message, encode, fill, is_printable, message_in, odd_header, pair};
use super::transport::{Body, Headers, Request, SendError};

/// Minimum time between two requests for the answer of a running call.
const MIN_POLL: Duration = Duration::from_millis(100);
/// Longer delays are this one.
const MAX_DELAY: u64 = 1 << 31;

/// The body of a response.
pub(super) type Parts = BoxStream<'static, Result<Bytes, SendError>>;

/// Which responses stay open.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Wanted {
    Message,
    /// A stream whose media type contains a text.
    Stream(&'static str),
    File,
}

/// A successful response.
pub(super) struct Answer {
    pub status: u16,
    pub headers: Headers,
    /// The whole body, if the response does not stay open, and the fields in it and in the headers.
    pub content: Vec<u8>,
    pub members: Option<Map<String, Value>>,
    pub parts: Parts,
}

impl Client {
    /// Repeats a request until an attempt succeeds or no other one is due.
    pub(super) async fn respond(
        &self,
        method: &'static Method,
        members: Map<String, Value>,
        end: Option<Instant>,
        wanted: Wanted,
    ) -> Result<Answer, Error> {
        let message = Message::new(method, members, &self.files).map_err(Error::invalid)?;
        // Each attempt to reconnect would be repeated.
        let reconnects = matches!(wanted, Wanted::Stream(_)) && self.options.reconnect.is_some();
        let can_repeat = (method.is_safe || method.has_key) && !reconnects;
        let given = self.options.retry.as_ref().filter(|_| can_repeat);
        let once = Retry {
            attempts: 1,
            ..Retry::default()
        };
        let retry = given.unwrap_or(&once);
        let key = method.has_key.then(|| self.key()).transpose()?;
        let (mut failures, mut attempt) = (0, 0);
        loop {
            attempt += 1;
            let limit = retry.attempt_timeout;
            let limit = limit.and_then(|limit| Instant::now().checked_add(limit));
            let limit = end.into_iter().chain(limit).min();
            let answer = self.attempt(method, key.as_deref(), &message, limit, wanted);
            let error = match answer.await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let is_running = given.is_some() && key.is_some() && error.status == 409;
            let delay = if is_running && error.name == REQUEST_FAILED {
                // The first call with the key is still running, so this is not its outcome.
                let backoff = || retry.backoff_after(attempt);
                let asked = error.retry_after.unwrap_or_else(backoff);
                asked.min(retry.max_backoff).max(MIN_POLL)
            } else {
                failures += 1;
                let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                let delay = retry.delay(failures, &error, left, key.is_some());
                delay.ok_or(error)?
            };
            self.within(end, self.transport.sleep(delay)).await?;
        }
    }

    /// Returns the header with the key of a call.
    fn key(&self) -> Result<String, Error> {
        let key = match &self.options.idempotency_key {
            Some(key) => key.clone(),
            None => random_text().map_err(Error::invalid)?,
        };
        if key.is_empty() || key.len() > 255 || !is_printable(&key) {
            let text = "idempotency_key: expected 1 to 255 ASCII characters";
            return Err(Error::invalid(text));
        }
        let key = key.replace('\\', "\\\\").replace('"', "\\\"");
        Ok(format!("\"{key}\""))
    }

    async fn attempt(
        &self,
        method: &'static Method,
        key: Option<&str>,
        message: &Message,
        limit: Option<Instant>,
        wanted: Wanted,
    ) -> Result<Answer, Error> {
        let request = self.request_of(method, key, message, wanted);
        let request = self.within(limit, request).await??;
        let sent = self.within(limit, self.transport.send(request)).await?;
        let response = sent.map_err(|error| Error::sending(&error, Reason::Network))?;
        let status = response.status;
        let mut answer = Answer {
            status,
            headers: response.headers,
            content: Vec::new(),
            members: None,
            // A stream is asked for its last line after its end.
            parts: response.body.fuse().boxed(),
        };
        let header = |name: &str| Some(answer.headers.get(name)?.to_ascii_lowercase());
        let coding = header("content-encoding").unwrap_or_default();
        let is_coded = !matches!(coding.as_str(), "" | "identity");
        let is_success = (200..300).contains(&status);
        let stays_open = match wanted {
            Wanted::Message => false,
            Wanted::Stream(expected) => {
                let kind = header("content-type");
                status == 204 || kind.is_none_or(|kind| kind.contains(expected))
            }
            Wanted::File => true,
        };
        if is_success && stays_open && !is_coded {
            return Ok(answer);
        }
        let read = if is_coded {
            let cause = format!("unexpected content-encoding: {coding}");
            Err(Error::unaccepted(&cause, status))
        } else {
            self.read_all(&mut answer, limit).await
        };
        // The status and the headers of an error matter more than its body.
        let unreadable = match read {
            Err(error) if is_success || error.reason != Some(Reason::BadResponse) => {
                return Err(error);
            }
            read => read.err().and_then(|error| error.cause.clone()),
        };
        let (content, headers) = (unmarked(&answer.content), &answer.headers);
        if is_success && wanted == Wanted::Message {
            answer.members = message_in(method, content, status, Some(headers));
            return match answer.members {
                None => Err(bad_response(method, &answer.content, status)),
                Some(_) => Ok(answer),
            };
        }
        let mut error = match unreadable {
            Some(cause) => Error::bad_response(&cause, status),
            None if is_success => {
                let cause = format!("not a stream: {}", beginning(method, content));
                Error::bad_response(&cause, status)
            }
            None => {
                let sent = self.sent_error(method, content, status, headers);
                sent.unwrap_or_else(|| bad_response(method, content, status))
            }
        };
        if key.is_some() && headers.get("idempotency-state").is_some() {
            // The contract, a framework or a proxy can have replaced the body.
            error = Error::running(status);
        }
        let retry_after = headers.get("retry-after");
        let retry_after = retry_after.and_then(|text| read_retry_after(&text));
        Err(error.received(&answer.content, retry_after))
    }

    async fn read_all(&self, answer: &mut Answer, limit: Option<Instant>) -> Result<(), Error> {
        let most = self.options.max_response_bytes;
        let parts = &mut answer.parts;
        while let Some(part) = self.receive(parts, limit, Reason::Network).await? {
            answer.content.extend_from_slice(&part);
            if answer.content.len() > most {
                let cause = format!("the response has more than {most} bytes");
                return Err(Error::unaccepted(&cause, answer.status));
            }
        }
        Ok(())
    }

    /// Reads the error in a response.
    pub(super) fn sent_error(
        &self,
        method: &Method,
        content: &[u8],
        status: u16,
        headers: &Headers,
    ) -> Option<Error> {
        let body = parse_any(content);
        match &self.host.error_body {
            None => read_envelope(&body?, status, headers),
            Some(usual) => {
                let body = body.unwrap_or_else(|| json!(String::from_utf8_lossy(content)));
                read_error_body(usual, method, &body, status, headers)
            }
        }
    }

    async fn request_of(
        &self,
        method: &'static Method,
        key: Option<&str>,
        message: &Message,
        wanted: Wanted,
    ) -> Result<Request, Error> {
        let parameters = json!(self.options.parameters);
        let value_of = |name: &str| message.members.get(name).or_else(|| parameters.get(name));
        let base = fill(&self.base_url, |name| parameters.get(name)).map_err(Error::invalid)?;
        let path = fill(&method.path, value_of).map_err(Error::invalid)?;
        let mut url = format!("{}{path}{}", base.trim_end_matches('/'), message.query);
        if !is_address(&url) {
            return Err(Error::invalid("the base URL is no http or https URL"));
        }
        let mut headers = BTreeMap::new();
        let mut set = |name: &str, value: &str| {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        };
        match wanted {
            Wanted::Stream("ndjson") => set("accept", "application/x-ndjson;end=1, */*"),
            // Some servers compare the header with their own type.
            Wanted::Stream(_) => set("accept", "text/event-stream, text/event-stream;end=1"),
            // The contract does not name types such as application/hal+json, so none is excluded.
            Wanted::Message if method.rest.is_some() => {
                set("accept", "application/json, */*;q=0.1")
            }
            _ => (),
        }
        if let Some(key) = key {
            set("idempotency-key", key);
        }
        if let Some(header) = &self.host.header {
            set("webrpc", header);
        }
        if let Some(media_type) = &message.media_type {
            set("content-type", media_type);
        }
        let mut cookies = Vec::new();
        for name in &method.credentials {
            let Some(credential) = self.options.credentials.get(name.as_str()) else {
                continue;
            };
            let (place, value) = (&CONTRACT.credentials[name], credential.value().await?);
            if value.is_empty() {
                continue;
            }
            // Spaces are sent as an empty value, which servers reject.
            let value = value.trim();
            match place.place.as_str() {
                "query" => {
                    url.push(if url.contains('?') { '&' } else { '?' });
                    url.push_str(&pair(&place.parameter, &encode(value)));
                }
                "cookie" => cookies.push(format!("{}={value}", place.parameter)),
                _ => set(&place.parameter, &format!("{} {value}", place.scheme)),
            }
        }
        if !cookies.is_empty() {
            set("cookie", &cookies.join("; "));
        }
        let is_stream = matches!(wanted, Wanted::Stream(_));
        for (name, value) in &self.options.headers {
            // Without its own header, a client could not tell a lost stream from one that has ended.
            if !(is_stream && name.eq_ignore_ascii_case("accept")) {
                set(name, value);
            }
        }
        if let Some((name, _)) = headers.iter().find(|(_, value)| !is_printable(value)) {
            return Err(Error::invalid(odd_header(name)));
        }
        headers.extend(message.headers.clone());
        Ok(Request {
            verb: message.verb.clone(),
            url,
            headers,
            body: body_of(message).await?,
        })
    }
}

/// Returns the body of a request. Transports do not read a file without bytes, which can have grown.
async fn body_of(message: &Message) -> Result<Option<Body>, Error> {
    let length = message.headers.get("content-length");
    match &message.body {
        Some(Body::Parts(open)) if length.is_some_and(|length| length == "0") => {
            let grown = open().next().await.transpose().map(|_| None);
            grown.map_err(|error| Error::transport(Reason::Network, &error.to_string(), 0))
        }
        body => Ok(body.clone()),
    }
}

/// Returns the error for a response that could not be read.
pub(super) fn bad_response(method: &Method, content: &[u8], status: u16) -> Error {
    Error::bad_response(&beginning(method, content), status)
}

/// Returns the beginning of a response, unless it can contain what is sensitive.
fn beginning(method: &Method, content: &[u8]) -> String {
    if method.is_sensitive {
        return "hidden".to_owned();
    }
    let content = unmarked(&content[..content.len().min(2000)]);
    String::from_utf8_lossy(content).chars().take(500).collect()
}

/// Whether a text can be the address of a request. Transports check the rest.
fn is_address(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let is_http = matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https");
    let is_odd = |each: char| each.is_whitespace() || each.is_control();
    is_http && !rest.starts_with(['/', '?']) && !rest.contains(is_odd)
}

/// Reads a number of seconds or a date (RFC 9110, section 10.2.3).
fn read_retry_after(header: &str) -> Option<Duration> {
    if !header.is_empty() && header.bytes().all(|each| each.is_ascii_digit()) {
        let seconds = header.parse().unwrap_or(MAX_DELAY);
        return Some(Duration::from_secs(seconds.min(MAX_DELAY)));
    }
    let at = SystemTime::from(DateTime::parse_from_rfc2822(header).ok()?);
    Some(at.duration_since(SystemTime::now()).unwrap_or_default())
}
