//! Calls.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::{Either, select};
use futures_util::stream::{StreamExt, try_unfold};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::attempts::{Answer, Parts, Wanted, bad_response};
use super::check::{find_faults, has_objects};
use super::contract::{Host, Method, Rule, contract};
use super::errors::{Error, Reason};
use super::files::{Download, Files};
use super::json::{self, to_json};
use super::options::{Credential, Options, Timeout};
use super::rest::message_in;
use super::transport::Transport;

/// The time for a call without an option.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// The time without data after which a stream is lost. Servers send data at least every 10 seconds.
pub(super) const SILENCE: Duration = Duration::from_secs(15);
/// Calls the methods of a host.
#[derive(Clone)]
pub struct Client {
    pub(super) host: &'static Host,
    pub(super) base_url: String,
    pub(super) transport: Arc<dyn Transport>,
    pub(super) options: Arc<Options>,
}

impl fmt::Debug for Client {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address can contain a password or a key.
        let address = self.base_url.split(['?', '#']).next().unwrap_or_default();
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        write!(to, "Client of {scheme}://{host}")
    }
}

impl Client {
    /// Creates a client of a host in the contract.
    pub fn new(host: &str, base_url: &str, transport: impl Transport + 'static) -> Self {
        Self {
            host: &contract().hosts[host],
            base_url: base_url.to_owned(),
            transport: Arc::new(transport),
            options: Arc::default(),
        }
    }

    /// Returns a client with other options and the same connections.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut Options)) -> Self {
        let mut other = self.clone();
        change(Arc::make_mut(&mut other.options));
        other
    }

    /// Returns a client with a credential.
    #[must_use]
    pub fn with_credential(&self, name: &'static str, value: impl Into<Credential>) -> Self {
        self.with(|options| {
            options.credentials.insert(name, value.into());
        })
    }

    /// Calls a method.
    pub async fn call<T>(&self, name: &str, request: &impl Serialize) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned,
    {
        self.call_with_files(name, request, Files::default()).await
    }

    /// Calls a method with files.
    pub async fn call_with_files<T>(
        &self,
        name: &str,
        request: &impl Serialize,
        files: Files,
    ) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned,
    {
        let (method, members) = (self.method(name), self.members(name, request)?);
        let (answer, members) = self.respond_to_call(method, members, &files).await?;
        self.read(method, members, &answer.content, answer.status)
    }

    /// Calls a method without a result.
    pub async fn run(&self, name: &str, request: &impl Serialize) -> Result<(), Error> {
        self.run_with_files(name, request, Files::default()).await
    }

    /// Calls a method with files and without a result.
    pub async fn run_with_files(
        &self,
        name: &str,
        request: &impl Serialize,
        files: Files,
    ) -> Result<(), Error> {
        let (method, members) = (self.method(name), self.members(name, request)?);
        self.respond_to_call(method, members, &files)
            .await
            .map(|_| ())
    }

    /// Calls a method that returns a file.
    pub async fn download(&self, name: &str, request: &impl Serialize) -> Result<Download, Error> {
        self.download_with_files(name, request, Files::default())
            .await
    }

    /// Calls a method with files that returns a file.
    pub async fn download_with_files(
        &self,
        name: &str,
        request: &impl Serialize,
        files: Files,
    ) -> Result<Download, Error> {
        let (method, members) = (self.method(name), self.members(name, request)?);
        let end = self.deadline_of(method);
        let answer = self
            .respond(method, members, &files, end, Wanted::File)
            .await?;
        // By default, only a pause in a file is limited.
        let end = end.filter(|_| self.options.timeout != Timeout::Default);
        let state = (self.clone(), answer.parts);
        let parts = try_unfold(state, move |(client, mut parts)| async move {
            let pause = Instant::now() + CALL_TIMEOUT;
            let limit = Some(end.map_or(pause, |end| end.min(pause)));
            let part = client
                .receive(&mut parts, limit, Reason::StreamLost)
                .await?;
            Ok(part.map(|part| (part, (client, parts))))
        });
        Ok(Download::new(&answer.headers, parts.boxed()))
    }

    async fn respond_to_call(
        &self,
        method: &'static Method,
        members: Map<String, Value>,
        files: &Files,
    ) -> Result<(Answer, Map<String, Value>), Error> {
        let end = self.deadline_of(method);
        let answer = self
            .respond(method, members, files, end, Wanted::Message)
            .await?;
        let message = message_in(
            method,
            json::unmarked(&answer.content),
            answer.status,
            Some(&answer.headers),
        );
        match message {
            Some(members) => Ok((answer, members)),
            None => Err(bad_response(method, &answer.content, answer.status)),
        }
    }

    pub(super) fn method(&self, name: &str) -> &'static Method {
        &self.host.methods[name]
    }

    /// Returns the fields of a request. Errors: what violates the contract.
    pub(super) fn members(
        &self,
        name: &str,
        request: &impl Serialize,
    ) -> Result<Map<String, Value>, Error> {
        let value = to_json(request).map_err(|error| Error::invalid(error.to_string()))?;
        let rule = self.method(name).request.as_deref().and_then(Rule::of_type);
        let Value::Object(members) = value else {
            return Ok(Map::new());
        };
        let value = Value::Object(members);
        match rule.and_then(|rule| find_faults(rule, &value)) {
            Some(faults) => Err(Error::invalid(faults)),
            None => Ok(value.as_object().cloned().unwrap_or_default()),
        }
    }

    /// Reads a message as a type.
    pub(super) fn read<T: Serialize + DeserializeOwned>(
        &self,
        method: &Method,
        members: Map<String, Value>,
        content: &[u8],
        status: u16,
    ) -> Result<T, Error> {
        let rule = method.response.as_deref().and_then(Rule::of_type);
        let mut value = Value::Object(members);
        if let Some(Err(fault)) = rule.map(|rule| json::settle(rule, &mut value)) {
            return Err(Error::transport(Reason::BadResponse, fault, status));
        }
        let is_right = rule.is_none_or(|rule| has_objects(rule, &value));
        let read = if is_right { json::read(value) } else { None };
        let value: T = read.ok_or_else(|| bad_response(method, content, status))?;
        if let (Some(rule), true) = (rule, self.options.check_responses) {
            let faults = match to_json(&value) {
                Ok(json) => find_faults(rule, &json),
                Err(error) => Some(error.to_string()),
            };
            if let Some(faults) = faults {
                return Err(Error::transport(Reason::BadResponse, &faults, status));
            }
        }
        Ok(value)
    }

    fn deadline_of(&self, method: &Method) -> Option<Instant> {
        let limit = match self.options.timeout {
            Timeout::Default => (!method.has_files).then_some(CALL_TIMEOUT),
            Timeout::After(limit) => Some(limit),
            Timeout::Never => None,
        };
        limit.and_then(|limit| Instant::now().checked_add(limit))
    }

    /// Returns what a program does first, or an error if time runs out.
    pub(super) async fn within<T>(
        &self,
        limit: Option<Instant>,
        work: impl Future<Output = T>,
    ) -> Result<T, Error> {
        let Some(limit) = limit else {
            return Ok(work.await);
        };
        let left = limit.saturating_duration_since(Instant::now());
        match select(pin!(work), self.transport.sleep(left)).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(_) => Err(Error::transport(Reason::Timeout, "time ran out", 0)),
        }
    }

    pub(super) async fn sleep(&self, duration: Duration) {
        self.transport.sleep(duration).await;
    }

    /// Receives the next part of a body.
    pub(super) async fn receive(
        &self,
        parts: &mut Parts,
        limit: Option<Instant>,
        lost: Reason,
    ) -> Result<Option<Bytes>, Error> {
        match self.within(limit, parts.next()).await?.transpose() {
            Ok(part) => Ok(part),
            Err(error) => Err(Error::sending(&error, lost)),
        }
    }
}
