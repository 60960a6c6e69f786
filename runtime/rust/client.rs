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

use super::attempts::{Parts, Wanted, bad_response};
use super::check::find_faults;
use super::contract::{CONTRACT, Host, Method};
use super::errors::{Error, Reason};
use super::files::{Download, FileField, FileOf};
use super::json::{read_as, to_json};
use super::options::{Credential, Options, Timeout};
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
    /// The files of a request.
    pub(super) files: Vec<FileOf>,
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
            host: &CONTRACT.hosts[host],
            base_url: base_url.to_owned(),
            transport: Arc::new(transport),
            options: Arc::default(),
            files: Vec::new(),
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

    /// Returns a client that sends the files of a field.
    #[must_use]
    pub fn with_files(mut self, name: &'static str, field: &impl FileField) -> Self {
        let (files, is_list) = field.files();
        let files = files.iter().map(|file| (name, is_list, file.clone()));
        self.files.extend(files);
        self
    }

    /// Calls a method.
    pub async fn call<T>(&self, name: &str, request: &impl Serialize) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned,
    {
        let (method, members) = (self.method(name), self.members(name, request)?);
        let end = self.deadline_of(method);
        let answer = self.respond(method, members, end, Wanted::Message).await?;
        self.read(method, answer.members, &answer.content, answer.status)
    }

    /// Calls a method that returns a file.
    pub async fn download(&self, name: &str, request: &impl Serialize) -> Result<Download, Error> {
        let (method, members) = (self.method(name), self.members(name, request)?);
        let end = self.deadline_of(method);
        let answer = self.respond(method, members, end, Wanted::File).await?;
        // By default, only a pause in a file is limited.
        let end = end.filter(|_| self.options.timeout != Timeout::Default);
        // A download needs no files of the request.
        let client = Self {
            files: Vec::new(),
            ..self.clone()
        };
        let state = (client, answer.parts);
        let parts = try_unfold(state, move |(client, mut parts)| async move {
            let pause = Instant::now() + CALL_TIMEOUT;
            let limit = Some(end.map_or(pause, |end| end.min(pause)));
            let received = client.receive(&mut parts, limit, Reason::StreamLost);
            Ok(received.await?.map(|part| (part, (client, parts))))
        });
        Ok(Download::new(&answer.headers, parts.boxed()))
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
        let rule = self.method(name).request_rule();
        match (rule.and_then(|rule| find_faults(rule, &value)), value) {
            (Some(faults), _) => Err(Error::invalid(faults)),
            (None, Value::Object(members)) => Ok(members),
            // The request has no fields.
            (None, _) => Ok(Map::new()),
        }
    }

    /// Reads a message as a type.
    pub(super) fn read<T: Serialize + DeserializeOwned>(
        &self,
        method: &Method,
        members: Option<Map<String, Value>>,
        content: &[u8],
        status: u16,
    ) -> Result<T, Error> {
        let rule = method.response_rule();
        let is_checked = self.options.check_responses;
        let read = members.ok_or(None).and_then(|members| match rule {
            Some(_) => read_as(rule, Value::Object(members), is_checked),
            // A response without fields has no type.
            None => read_as(None, Value::Null, false),
        });
        read.map_err(|fault| match fault {
            Some(fault) => Error::bad_response(&fault, status),
            None => bad_response(method, content, status),
        })
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

    /// Receives the next part of a body.
    pub(super) async fn receive(
        &self,
        parts: &mut Parts,
        limit: Option<Instant>,
        lost: Reason,
    ) -> Result<Option<Bytes>, Error> {
        let part = self.within(limit, parts.next()).await?.transpose();
        part.map_err(|error| Error::sending(&error, lost))
    }
}
