//! How requests are sent. A transport of your own can also change or record them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

use super::errors::Reason;

/// Sends requests. It follows no redirects.
pub trait Transport: Send + Sync {
    /// Sends a request, and returns the response once its headers have arrived.
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, SendError>>;

    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, SendError>> {
        (**self).send(request)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        (**self).sleep(duration)
    }
}

/// A request. Its headers and its address can contain secrets.
pub struct Request {
    pub verb: String,
    pub url: String,
    /// Values by names in lowercase.
    pub headers: BTreeMap<String, String>,
    pub body: Option<Body>,
}

impl fmt::Debug for Request {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.url.split('?').next().unwrap_or_default();
        write!(to, "{} {path}", self.verb)
    }
}

/// Opens a content that is sent in parts, again for each attempt.
pub type Open = Arc<dyn Fn() -> BoxStream<'static, std::io::Result<bytes::Bytes>> + Send + Sync>;

/// The body of a request.
#[derive(Clone)]
pub enum Body {
    Whole(bytes::Bytes),
    /// The header `content-length` is set.
    Parts(Open),
}

/// The headers of a response.
#[derive(Clone, Debug, Default)]
pub struct Headers(pub Vec<(String, String)>);

impl Headers {
    /// Returns the value of a header. Several headers of the same name are one list.
    pub fn get(&self, name: &str) -> Option<String> {
        let headers = self.0.iter();
        let found = headers.filter(|(each, _)| each.eq_ignore_ascii_case(name));
        let values: Vec<&str> = found.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// A response whose body is received while it is read. Dropping it closes the connection.
pub struct Response {
    pub status: u16,
    pub headers: Headers,
    pub body: BoxStream<'static, Result<bytes::Bytes, SendError>>,
}

/// Why there is no response, or no more of it. The text must not contain the address, which can be secret.
#[derive(Clone, Debug)]
pub struct SendError {
    pub text: String,
    pub kind: SendErrorKind,
}

/// What has failed, which decides whether a call is repeated.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SendErrorKind {
    /// The connection.
    #[default]
    Network,
    /// Decoding the response. Other attempts would get the same one, unless the server has stored it.
    Unreadable,
    /// The request was not sent, e.g. because of its address.
    Invalid,
}

impl SendErrorKind {
    pub(super) fn reason(self, lost: Reason) -> Reason {
        match self {
            Self::Network => lost,
            Self::Unreadable => Reason::BadResponse,
            Self::Invalid => Reason::Invalid,
        }
    }
}
