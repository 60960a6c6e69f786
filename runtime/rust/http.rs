//! Sends requests with reqwest.

use std::io::ErrorKind;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::StreamExt;

use super::transport::{Body, Headers, Request, Response, SendError, Transport};

/// Sends requests with reqwest, in programs that use Tokio.
#[derive(Clone, Debug)]
pub struct Http(reqwest::Client);

impl Http {
    /// Creates a client with a pool of connections. Connecting takes at most 5 seconds.
    pub fn new() -> Self {
        let builder = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none());
        Self(builder.build().unwrap_or_default())
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

impl From<reqwest::Client> for Http {
    /// Uses a client that you have configured. Let it follow no redirects.
    fn from(client: reqwest::Client) -> Self {
        Self(client)
    }
}

fn fault(error: reqwest::Error) -> SendError {
    // The address can contain a key.
    let error = error.without_url();
    let (mut text, mut is_unreadable) = (error.to_string(), false);
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        let inner_io = inner.downcast_ref::<std::io::Error>();
        is_unreadable |= inner_io.is_some_and(|io| io.kind() == ErrorKind::InvalidData);
        source = inner.source();
    }
    SendError {
        text,
        is_unreadable,
    }
}

impl Transport for Http {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, SendError>> {
        let client = self.0.clone();
        async move {
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
            Ok(Response {
                status: response.status().as_u16(),
                headers: Headers(headers.collect()),
                body: response
                    .bytes_stream()
                    .map(|chunk| chunk.map_err(fault))
                    .boxed(),
            })
        }
        .boxed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed()
    }
}
