//! The errors of calls.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::super::errors::ErrorKind;
use super::check::{has_objects, read_settled};
use super::contract::{ResponseHeader, Rule, contract};
use super::json::{read, settle, text_in};
use super::rest::add_headers;
use super::transport::{Headers, SendError, SendErrorKind};

/// Names of all built-in errors. Their codes are their negative indexes.
pub(super) const BUILT_IN: [&str; 10] = [
    "WebrpcEndpoint",
    "WebrpcRequestFailed",
    "WebrpcBadRoute",
    "WebrpcBadMethod",
    "WebrpcBadRequest",
    "WebrpcBadResponse",
    "WebrpcServerPanic",
    "WebrpcInternalError",
    "WebrpcClientDisconnected",
    "WebrpcStreamLost",
];

/// The built-in errors that clients create or write, as indexes of `BUILT_IN`.
pub(super) const REQUEST_FAILED: usize = 1;
const BAD_ROUTE: usize = 2;
const BAD_REQUEST: usize = 4;
const BAD_RESPONSE: usize = 5;
pub(super) const STREAM_LOST: usize = 9;

/// Why there is no valid response.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Reason {
    /// The request violates the contract, or cannot be written, and was not sent.
    Invalid,
    /// The connection failed.
    Network,
    /// Time ran out.
    Timeout,
    /// The response violates the protocol or the contract.
    BadResponse,
    /// A stream or a download broke off.
    StreamLost,
}

impl Reason {
    /// Returns the name of the reason, e.g. `bad-response`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::BadResponse => "bad-response",
            Self::StreamLost => "stream-lost",
        }
    }
}

/// An error of the contract, a built-in error, or one of the transport.
#[derive(Clone)]
pub struct Error(Box<Failure>);

/// What is known about an error.
#[derive(Clone)]
#[non_exhaustive]
pub struct Failure {
    /// Which error it is, for `match`.
    pub kind: ErrorKind,
    pub name: String,
    pub code: i32,
    /// The HTTP status, or 0 if there was no response.
    pub status: u16,
    pub message: String,
    pub cause: Option<String>,
    /// Why there is no valid response. `None` means that the server sent the error.
    pub reason: Option<Reason>,
    /// The time after which the server accepts another call.
    pub retry_after: Option<Duration>,
    data: Option<Value>,
    body: Option<bytes::Bytes>,
}

impl Error {
    pub(super) fn new(name: &str, code: i32, status: u16, message: &str) -> Self {
        Self(Box::new(Failure {
            kind: ErrorKind::read(name, &Data::default()),
            name: name.to_owned(),
            code,
            status,
            message: message.to_owned(),
            cause: None,
            reason: None,
            retry_after: None,
            data: None,
            body: None,
        }))
    }

    fn built_in(index: usize, status: u16, message: &str) -> Self {
        Self::new(BUILT_IN[index], -(index as i32), status, message)
    }

    /// Whether it is a built-in error, which a server may have sent.
    pub(super) fn is_built_in(&self, index: usize) -> bool {
        self.name == BUILT_IN[index]
    }

    pub(super) fn transport(reason: Reason, cause: &str, status: u16) -> Self {
        let (index, status) = match reason {
            Reason::Invalid => (BAD_REQUEST, status),
            Reason::Network | Reason::Timeout => (REQUEST_FAILED, status),
            Reason::BadResponse => (BAD_RESPONSE, status),
            Reason::StreamLost => (STREAM_LOST, 400),
        };
        let mut error = Self::built_in(index, status, reason.as_str()).with_cause(cause);
        error.0.kind = ErrorKind::Transport(reason);
        error.0.reason = Some(reason);
        error
    }

    /// A request that failed. The reason is the given one if the connection was lost.
    pub(super) fn sending(error: &SendError, lost: Reason) -> Self {
        Self::transport(error.kind.reason(lost), &error.text, 0)
    }

    /// A request that was not sent.
    pub(super) fn invalid(cause: impl AsRef<str>) -> Self {
        Self::transport(Reason::Invalid, cause.as_ref(), 0)
    }

    /// The answer to a call with the same key, which is still running.
    pub(super) fn running(status: u16) -> Self {
        let text = "a call with this key is still running";
        Self::built_in(REQUEST_FAILED, status, text)
    }

    /// The response to a webhook that is invalid.
    pub(super) fn refused(status: u16, cause: &str) -> Self {
        let name = "InvalidArgument";
        let error = match (status, contract().errors.get(name)) {
            (404, _) => Self::built_in(BAD_ROUTE, status, "bad route"),
            (400, Some(error)) => Self::new(name, error.code, error.status, "invalid argument"),
            _ => Self::built_in(BAD_REQUEST, status, "bad request"),
        };
        error.with_cause(cause)
    }

    pub(super) fn with_cause(mut self, cause: &str) -> Self {
        self.0.cause = Some(cause.to_owned());
        self
    }

    /// Adds what the contract declares as data of an error, which a server may have sent.
    pub(super) fn with_data(mut self, data: Option<Value>, rule: Option<&str>) -> Self {
        if let (Some(mut value), Some(rule)) = (data, rule.and_then(Rule::of_type)) {
            // A rounded integer is better than no data.
            let _ = settle(rule, &mut value);
            self.0.data = Some(value).filter(|value| has_objects(rule, value));
            let value = self.0.data.as_ref().map(|value| (value, rule));
            self.0.kind = ErrorKind::read(&self.0.name, &Data(value));
        }
        self
    }

    pub(super) fn received(mut self, body: &[u8], retry_after: Option<Duration>) -> Self {
        self.0.body = Some(bytes::Bytes::copy_from_slice(body));
        self.0.retry_after = retry_after;
        self
    }

    pub(super) fn with_status(mut self, status: u16) -> Self {
        self.0.status = status;
        self
    }

    /// Whether a failure may be temporary.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self.reason, Some(Reason::Network | Reason::Timeout))
            || matches!(self.status, 429 | 502 | 503 | 504)
    }
}

impl Failure {
    /// Returns what the response contained. Logs do not, because it can be sensitive.
    pub fn body(&self) -> Option<&bytes::Bytes> {
        self.body.as_ref()
    }

    /// Returns the data of an error as a type, e.g. as the usual body of the errors of a server.
    pub fn data<T: DeserializeOwned>(&self) -> Option<T> {
        self.data.clone().and_then(read)
    }

    /// Returns the body of an error response, e.g. to a webhook.
    pub fn envelope(&self) -> Value {
        let mut envelope = json!({
            "error": self.name, "code": self.code, "msg": self.message, "status": self.status
        });
        if let Some(cause) = &self.cause {
            envelope["cause"] = json!(cause);
        }
        envelope
    }
}

impl Deref for Error {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.name, self.message)?;
        match &self.cause {
            Some(cause) => write!(to, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self} [code {}, status {}]", self.code, self.status)
    }
}

impl std::error::Error for Error {}

/// The data of an error, of which nothing is known yet.
#[derive(Default)]
pub struct Data<'a>(Option<(&'a Value, &'static Rule)>);

impl Data<'_> {
    /// Reads the data. Returns `None` if there is none, or if it violates the contract.
    pub fn read<T: Serialize + DeserializeOwned>(&self) -> Option<T> {
        let (value, rule) = self.0?;
        read_settled(Some(rule), value.clone(), true).ok()
    }
}

/// Reads an error that any server may have sent. Returns `None` if it is not one.
pub(super) fn read_envelope(body: &Value, status: u16, headers: &Headers) -> Option<Error> {
    let body = body.as_object()?;
    let present = |name: &str| body.get(name).filter(|member| !member.is_null());
    let name = present("error").or(present("name")).and_then(text_in)?;
    let message = present("msg").or(present("message")).and_then(text_in);
    let code = present("code").filter(|code| !code.is_string());
    let code = code.and_then(code_of).unwrap_or(0);
    let declared = contract().errors.get(name);
    let given = declared.map_or(&[][..], |error| &error.headers);
    let data = present("data").map(|data| merged(data, headers, given));
    let rule = declared.and_then(|error| error.data.as_deref());
    let mut error = Error::new(name, code, status, message.unwrap_or(name)).with_data(data, rule);
    error.0.cause = present("cause").and_then(text_in).map(str::to_owned);
    Some(error)
}

/// Returns data with its fields in headers.
pub(super) fn merged(data: &Value, headers: &Headers, given: &[ResponseHeader]) -> Value {
    let Value::Object(members) = data else {
        return data.clone();
    };
    let mut members: Map<String, Value> = members.clone();
    match add_headers(&mut members, headers, given) {
        Some(()) => Value::Object(members),
        None => Value::Null,
    }
}

/// Returns a code, which can be text.
pub(super) fn code_of(value: &Value) -> Option<i32> {
    match value {
        Value::Number(number) => number.as_i64()?.try_into().ok(),
        Value::String(text) => {
            let code: i32 = text.parse().ok()?;
            (code.to_string() == *text).then_some(code)
        }
        _ => None,
    }
}
