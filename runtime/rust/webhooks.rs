//! Verifies webhooks as specified by Standard Webhooks.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use super::contract::Rule;
use super::errors::Error;
use super::json::{parse, read_as};

/// The maximum difference between the time of a signature and the current one.
const TOLERANCE: Duration = Duration::from_secs(300);

/// A webhook whose signature was verified, and whose message was not read yet.
pub struct Webhook<'a> {
    /// The name of the method as in RIDL, or an empty text if there is no event of this name.
    pub name: String,
    body: &'a [u8],
}

impl<'a> Webhook<'a> {
    /// Verifies a webhook. `only` is the event that webhooks without a name are.
    pub fn verify(
        body: &'a [u8],
        headers: &[(&str, &str)],
        secrets: Option<&[&str]>,
        only: Option<&str>,
    ) -> Result<Self, Error> {
        let header = |name: &str| {
            let mut headers = headers.iter();
            let (_, value) = headers.find(|(each, _)| each.eq_ignore_ascii_case(name))?;
            Some(*value).filter(|value| !value.is_empty())
        };
        if let Some(secrets) = secrets {
            verify(body, header, secrets)?;
        }
        let name = header("webhook-event").or(only).unwrap_or_default();
        let name = name.to_owned();
        Ok(Self { name, body })
    }

    /// Reads the message as a type.
    pub fn read<T: Serialize + DeserializeOwned>(&self, kind: &str) -> Result<T, Error> {
        let body = if self.body.is_empty() {
            b"{}"
        } else {
            self.body
        };
        if std::str::from_utf8(body).is_err() {
            return Err(Error::refused(400, "body is not UTF-8"));
        }
        let read = parse(body).ok_or(None);
        let read = read.and_then(|value| read_as(Rule::of_type(kind), value, true));
        read.map_err(|fault| {
            let fault = fault.as_deref().unwrap_or("the message is invalid");
            Error::refused(400, fault)
        })
    }

    /// Returns the error for an event that the contract lacks.
    pub fn unknown(&self) -> Error {
        Error::refused(404, "there is no such event")
    }
}

fn verify<'a>(
    body: &[u8],
    header: impl Fn(&str) -> Option<&'a str>,
    secrets: &[&str],
) -> Result<(), Error> {
    let unsigned = |fault: &str| Error::refused(401, &format!("the signature {fault}"));
    let missing = || unsigned("is missing");
    let id = header("webhook-id").ok_or_else(missing)?;
    let timestamp = header("webhook-timestamp").ok_or_else(missing)?;
    let signatures = header("webhook-signature").ok_or_else(missing)?;
    let is_number = timestamp.len() <= 12 && timestamp.bytes().all(|each| each.is_ascii_digit());
    let seconds = timestamp.parse().ok().filter(|_| is_number);
    let seconds = seconds.ok_or_else(|| unsigned("has no valid timestamp"))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let distance = now
        .unwrap_or_default()
        .abs_diff(Duration::from_secs(seconds));
    if distance > TOLERANCE {
        return Err(unsigned("has a timestamp that is too old or too new"));
    }
    // No sender uses more secrets.
    let signatures = signatures.split(' ').take(10);
    let signatures = signatures.filter_map(|text| STANDARD.decode(text.strip_prefix("v1,")?).ok());
    let signatures: Vec<Vec<u8>> = signatures.collect();
    for secret in secrets {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret));
        let key = key.ok().filter(|key| key.len() >= 24);
        let code = key.and_then(|key| Hmac::<Sha256>::new_from_slice(&key).ok());
        let invalid = || Error::invalid("a webhook secret must be base64 of at least 24 bytes");
        let mut code = code.ok_or_else(invalid)?;
        code.update(format!("{id}.{timestamp}.").as_bytes());
        code.update(body);
        let is_of = |signature: &Vec<u8>| code.clone().verify_slice(signature).is_ok();
        if signatures.iter().any(is_of) {
            return Ok(());
        }
    }
    Err(unsigned("does not match"))
}
