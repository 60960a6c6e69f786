//! What generated clients run on.

mod attempts;
mod check;
mod client;
mod contract;
mod error_bodies;
mod errors;
mod events;
mod files;
mod forms;
#[cfg(feature = "reqwest")]
mod http;
mod json;
mod options;
mod pages;
mod rest;
mod streams;
mod timestamp;
mod transport;
mod unions;
mod values;
mod webhooks;

pub use check::set_pattern;
pub use client::Client;
pub use errors::{Data, Error, Failure, Reason};
pub use files::{Download, File};
#[cfg(feature = "reqwest")]
pub use http::Http;
pub use options::{Credential, Options, Reconnect, Retry, Timeout};
pub use streams::Items;
pub use timestamp::Timestamp;
pub use transport::{Body, Headers, Open, Request, Response, SendError, SendErrorKind, Transport};
pub use unions::Variant;
pub use values::{Bigint, Bytes, ParseError, Secret, present};
pub use webhooks::Webhook;
