//! The errors of calls.

use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::errors::ErrorKind;
use super::contract::{Declared, ResponseHeader, Rule};
use super::json::{Fit, read_settled, settle};
use super::rest::add_headers;
use super::transport::{Headers, SendError};

/// The built-in errors, whose codes are their negative indexes.
pub(super) static BUILT_IN: LazyLock<Vec<Declared>> = LazyLock::new(|| {
    let names = [
        "WebrpcEndpoint",
        REQUEST_FAILED,
        "WebrpcBadRoute",
        "WebrpcBadMethod",
        "WebrpcBadRequest",
        "WebrpcBadResponse",
        "WebrpcServerPanic",
        "WebrpcInternalError",
        "WebrpcClientDisconnected",
        STREAM_LOST,
    ];
    let errors = names.iter().zip(0..).map(|(name, index)| Declared {
        name: (*name).to_owned(),
        code: -index,
        ..Declared::default()
    });
    errors.collect()
});

pub(super) const REQUEST_FAILED: &str = "WebrpcRequestFailed";
pub(super) const STREAM_LOST: &str = "WebrpcStreamLost";

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
#[derive(Clone, Default)]
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
    /// Whether another attempt would get the same response.
    pub(super) is_final: bool,
    pub(super) data: Option<Value>,
    pub(super) body: Option<bytes::Bytes>,
}

impl Error {
    /// Creates an error, whose data has the type of a rule. A server may have sent it.
    pub(super) fn new(mut failure: Failure, rule: Option<&'static Rule>) -> Self {
        failure.data = failure.data.zip(rule).and_then(|(mut data, rule)| {
            // A rounded integer is better than no data.
            (settle(rule, &mut data) != Fit::Wrong).then_some(data)
        });
        let data = Data(failure.data.as_ref().zip(rule));
        failure.kind = ErrorKind::read(&failure.name, &data);
        Self(Box::new(failure))
    }

    /// Creates an error that a server could have sent, too.
    fn built_in(name: &str, status: u16, message: &str) -> Self {
        let declared = BUILT_IN.iter().find(|error| error.name == name);
        let failure = Failure {
            name: name.to_owned(),
            code: declared.map_or(0, |error| error.code),
            status,
            message: message.to_owned(),
            ..Failure::default()
        };
        Self::new(failure, None)
    }

    pub(super) fn transport(reason: Reason, cause: &str, status: u16) -> Self {
        let (name, status) = match reason {
            Reason::Invalid => ("WebrpcBadRequest", status),
            Reason::Network | Reason::Timeout => (REQUEST_FAILED, status),
            Reason::BadResponse => ("WebrpcBadResponse", status),
            Reason::StreamLost => (STREAM_LOST, 400),
        };
        let mut error = Self::built_in(name, status, reason.as_str()).with_cause(cause);
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

    pub(super) fn bad_response(cause: &str, status: u16) -> Self {
        Self::transport(Reason::BadResponse, cause, status)
    }

    /// A response that this client does not accept.
    pub(super) fn unaccepted(cause: &str, status: u16) -> Self {
        let mut error = Self::bad_response(cause, status);
        error.0.is_final = true;
        error
    }

    /// The answer to a call with the same key, which is still running.
    pub(super) fn running(status: u16) -> Self {
        let text = "a call with this key is still running";
        Self::built_in(REQUEST_FAILED, status, text)
    }

    /// The response to a webhook that is invalid.
    pub(super) fn refused(status: u16, cause: &str) -> Self {
        let mut error = match status {
            404 => Self::built_in("WebrpcBadRoute", status, "bad route"),
            _ => Self::built_in("WebrpcBadRequest", status, "bad request"),
        };
        if let (400, Some(declared)) = (status, Declared::named("InvalidArgument")) {
            error = Self::built_in(&declared.name, declared.status, "invalid argument");
            error.0.code = declared.code;
        }
        error.with_cause(cause)
    }

    fn with_cause(mut self, cause: &str) -> Self {
        self.0.cause = Some(cause.to_owned());
        self
    }

    pub(super) fn received(mut self, body: &[u8], retry_after: Option<Duration>) -> Self {
        self.0.body = Some(bytes::Bytes::copy_from_slice(body));
        self.0.retry_after = retry_after;
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
        serde_json::from_value(self.data.clone()?).ok()
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
    let name = present("error").or(present("name"))?.as_str()?;
    let message = present("msg").or(present("message"));
    let code = present("code").filter(|code| !code.is_string());
    let declared = Declared::named(name);
    let given = declared.map_or(&[][..], |error| &error.headers);
    let failure = Failure {
        name: name.to_owned(),
        code: code.and_then(code_of).unwrap_or(0),
        status,
        message: message.and_then(Value::as_str).unwrap_or(name).to_owned(),
        cause: present("cause").and_then(Value::as_str).map(str::to_owned),
        data: present("data").map(|data| merged(data, headers, given)),
        ..Failure::default()
    };
    let rule = declared.and_then(|error| Rule::of_type(error.data.as_deref()?));
    Some(Error::new(failure, rule))
}

/// Returns data with its fields in headers.
pub(super) fn merged(data: &Value, headers: &Headers, given: &[ResponseHeader]) -> Value {
    let mut data = data.clone();
    let added = match &mut data {
        Value::Object(members) => add_headers(members, headers, given),
        _ => Some(()),
    };
    added.map_or(Value::Null, |()| data)
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
