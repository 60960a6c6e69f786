//! Options of clients.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::errors::{Error, Reason, STREAM_LOST};

/// Options for the calls of a client.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Headers for every request.
    pub headers: BTreeMap<String, String>,
    /// Values for the placeholders of addresses.
    pub parameters: BTreeMap<String, String>,
    pub timeout: Timeout,
    /// How calls are repeated. `None` means never.
    pub retry: Option<Retry>,
    /// How lost streams are opened again. By default, a lost stream is an error.
    pub reconnect: Option<Reconnect>,
    /// Identifies one call to a method with `@idempotencyKey`. By default, each call has a random key.
    pub idempotency_key: Option<String>,
    /// Whether responses that violate limits of the contract are errors.
    pub check_responses: bool,
    /// Maximum size of a response that is neither a stream nor a file.
    pub max_response_bytes: usize,
    pub(super) credentials: BTreeMap<&'static str, Credential>,
}

impl fmt::Debug for Options {
    /// Headers, parameters and keys can be secret.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Options")
            .field("timeout", &self.timeout)
            .field("retry", &self.retry)
            .field("reconnect", &self.reconnect)
            .field("check_responses", &self.check_responses)
            .field("max_response_bytes", &self.max_response_bytes)
            .finish_non_exhaustive()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            headers: BTreeMap::new(),
            parameters: BTreeMap::new(),
            timeout: Timeout::Default,
            retry: Some(Retry::default()),
            reconnect: None,
            idempotency_key: None,
            check_responses: false,
            max_response_bytes: 1 << 25,
            credentials: BTreeMap::new(),
        }
    }
}

/// The time until a call must have ended, with all its attempts, or a stream must have begun.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Timeout {
    /// 60 seconds, or 15 for streams, and no total for files.
    #[default]
    Default,
    After(Duration),
    /// No limit, except 15 seconds for streams.
    Never,
}

/// Identifies the caller.
#[derive(Clone)]
pub struct Credential(Arc<dyn Fn() -> BoxFuture<'static, Result<String, String>> + Send + Sync>);

impl Credential {
    /// Calls a function before each request. Its error ends the call.
    pub fn from_fn<F, Made>(make: F) -> Self
    where
        F: Fn() -> Made + Send + Sync + 'static,
        Made: Future<Output = Result<String, String>> + Send + 'static,
    {
        Self(Arc::new(move || Box::pin(make())))
    }

    pub(super) async fn value(&self) -> Result<String, Error> {
        (self.0)().await.map_err(Error::invalid)
    }
}

impl<T: Into<String>> From<T> for Credential {
    fn from(value: T) -> Self {
        let value = value.into();
        Self::from_fn(move || std::future::ready(Ok(value.clone())))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("hidden")
    }
}

/// Repeats failed calls to methods that the contract marks as `@idempotent`, `@readonly` or `@idempotencyKey`.
#[derive(Clone, Debug)]
pub struct Retry {
    /// Maximum number of attempts, including the first. Requests that wait for a call with the same key do not count.
    pub attempts: u32,
    /// After this time, an attempt is repeated, although its handler may still be running.
    pub attempt_timeout: Option<Duration>,
    /// Delay before the second attempt. It doubles with every attempt.
    pub backoff: Duration,
    /// Maximum delay. If the server asks for a longer one, the call fails.
    pub max_backoff: Duration,
    /// Maximum fraction by which a delay is randomly shortened.
    pub jitter: f64,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            attempt_timeout: None,
            backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(10),
            jitter: 0.5,
        }
    }
}

impl Retry {
    /// Returns the delay before the next attempt, or `None` if there is none.
    pub(super) fn delay(
        &self,
        failures: u32,
        error: &Error,
        left: Option<Duration>,
        has_key: bool,
    ) -> Option<Duration> {
        // The call has run, and its stored answer may arrive intact. Without a key, others would get the same bytes.
        let is_unreadable = error.reason == Some(Reason::BadResponse) && !error.is_final;
        let is_lost = has_key && is_unreadable && error.status < 300;
        let can_pass = error.is_passing() || is_lost || error.retry_after.is_some();
        if failures >= self.attempts || !can_pass {
            return None;
        }
        let backoff = || self.backoff_after(failures);
        let delay = error.retry_after.unwrap_or_else(backoff);
        let is_long = delay > self.max_backoff || left.is_some_and(|left| delay >= left);
        (!is_long).then_some(delay)
    }

    /// Returns the delay after an attempt, unless the server asks for another one.
    pub(super) fn backoff_after(&self, attempt: u32) -> Duration {
        let delay = self.backoff.saturating_mul(doubled(attempt - 1));
        shortened(delay.min(self.max_backoff), self.jitter)
    }
}

/// Opens lost streams again. If the contract has `@resume`, they continue after the last item.
#[derive(Clone, Debug)]
pub struct Reconnect {
    /// Maximum number of consecutive attempts. An item, or a connection longer than `max_delay`, resets the count.
    pub attempts: u32,
    /// Delay before the first attempt, randomly shortened by up to half. It doubles with every attempt.
    pub min_delay: Duration,
    /// Maximum delay, if the server asks for no other.
    pub max_delay: Duration,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            attempts: u32::MAX,
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(30),
        }
    }
}

impl Reconnect {
    /// Returns the delay before the next attempt, or `None` if there is none.
    pub(super) fn delay(&self, failures: u32, error: &Error) -> Option<Duration> {
        let is_lost = error.name == STREAM_LOST;
        if failures >= self.attempts || !(is_lost || error.is_passing()) {
            return None;
        }
        let delay = self.min_delay.saturating_mul(doubled(failures));
        // All clients may have lost their connections at once.
        let delay = shortened(delay.min(self.max_delay), 0.5);
        let asked = error.retry_after.filter(|asked| !asked.is_zero());
        Some(asked.unwrap_or(delay))
    }
}

fn doubled(times: u32) -> u32 {
    1 << times.min(30)
}

/// Returns a delay that is randomly shortened by at most a fraction.
fn shortened(delay: Duration, fraction: f64) -> Duration {
    let random = RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64;
    let seconds = delay.as_secs_f64() * fraction.clamp(0.0, 1.0) * random;
    // The product of a long delay can be too large for one.
    delay.saturating_sub(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// Returns a text of 128 bits that nobody can predict, and no other process has.
pub(super) fn random_text() -> Result<String, String> {
    let mut bytes = [0; 16];
    let filled = getrandom::getrandom(&mut bytes);
    filled.map_err(|error| format!("there are no random numbers: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
