//! How requests are sent. A transport of your own can also change or record them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

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
    /// Returns the value of a header, whose name is in lowercase.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut headers = self.0.iter();
        let found = headers.find(|(each, _)| each.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
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
    /// Whether the response could not be decoded, so that another attempt would get the same.
    pub is_unreadable: bool,
}
