//! Sends requests with reqwest.

use std::io::ErrorKind;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::StreamExt;

use super::transport::{Body, Headers, Request, Response, SendError, SendErrorKind, Transport};

/// Sends requests with reqwest, in programs that use Tokio.
#[derive(Clone, Debug)]
pub struct Http(Result<reqwest::Client, SendError>);

impl Http {
    /// Creates a client with a pool of connections. Connecting takes at most 5 seconds.
    pub fn new() -> Self {
        let builder = reqwest::Client::builder();
        builder.connect_timeout(Duration::from_secs(5)).into()
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

impl From<reqwest::ClientBuilder> for Http {
    /// Creates a client with your settings, which follows no redirects. If it cannot be created, calls fail.
    fn from(builder: reqwest::ClientBuilder) -> Self {
        // Other servers must not get credentials, which can be in a header or in the address.
        let builder = builder
            .redirect(reqwest::redirect::Policy::none())
            .referer(false);
        Self(builder.build().map_err(fault))
    }
}

fn fault(error: reqwest::Error) -> SendError {
    // The address can contain a key.
    let error = error.without_url();
    let mut text = error.to_string();
    let mut kind = match error.is_builder() {
        true => SendErrorKind::Invalid,
        false => SendErrorKind::Network,
    };
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        let inner_io = inner.downcast_ref::<std::io::Error>();
        if inner_io.is_some_and(|io| io.kind() == ErrorKind::InvalidData) {
            kind = SendErrorKind::Unreadable;
        }
        source = inner.source();
    }
    SendError { text, kind }
}

impl Transport for Http {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, SendError>> {
        let client = self.0.clone();
        async move {
            let client = client?;
            let verb = reqwest::Method::from_bytes(request.verb.as_bytes());
            let mut sent = client.request(verb.unwrap_or_default(), &request.url);
            for (name, value) in &request.headers {
                sent = sent.header(name, value);
            }
            match request.body {
                Some(Body::Whole(content)) => sent = sent.body(content),
                Some(Body::Parts(open)) => sent = sent.body(reqwest::Body::wrap_stream(open())),
                None => (),
            }
            let response = sent.send().await.map_err(fault)?;
            let headers = response.headers().iter().map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes());
                (name.as_str().to_owned(), value.into_owned())
            });
            let (status, headers) = (response.status().as_u16(), headers.collect());
            let body = response.bytes_stream().map(|part| part.map_err(fault));
            Ok(Response {
                status,
                headers: Headers(headers),
                body: body.boxed(),
            })
        }
        .boxed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed()
    }
}
