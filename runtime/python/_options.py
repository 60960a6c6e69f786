"""Options of clients."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

import httpx
from pydantic import ValidationError
from typing_extensions import TypedDict, TypeVar

from .rpc_errors import RpcError, TransportError

ToldT = TypeVar("ToldT", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Repeats failed calls to methods that the contract marks as `@idempotent`, `@readonly` or `@idempotencyKey`."""

    attempts: int = 3
    """Maximum number of attempts, including the first. Requests that wait for a call with the same key do not count."""
    attempt_timeout: float | None = None
    """Seconds after which an attempt is repeated, although its handler may still be running. Default: no limit."""
    backoff: float = 0.2
    """Seconds before the second attempt. The delay doubles with every attempt."""
    max_backoff: float = 10.0
    """Maximum delay. If the server asks for a longer one, the call fails."""
    jitter: float = 0.5
    """Maximum fraction by which a delay is randomly shortened."""

    def delay(self, failures: int, error: RpcError, left: float, has_key: bool) -> float | None:
        """Returns the seconds before the next attempt, or None if there is none."""
        # The call has run, and its stored answer may arrive intact. Without a key, others would get the same bytes.
        is_lost = has_key and error.status < 300 and is_cut(error)
        if failures >= self.attempts or not (is_passing(error) or is_lost or error.retry_after is not None):
            return None
        delay = self.backoff_after(failures) if error.retry_after is None else error.retry_after
        return None if delay > self.max_backoff or delay >= left else delay

    def backoff_after(self, attempt: int) -> float:
        """Returns the seconds after an attempt, unless the server asks for others."""
        delay = min(self.max_backoff, self.backoff * 2.0 ** min(attempt - 1, 30))
        return delay * (1 - self.jitter * random.random())

    def limit(self, left: float) -> float:
        """Returns the seconds that an attempt may take."""
        return left if self.attempt_timeout is None else min(self.attempt_timeout, left)


def is_cut(error: RpcError) -> bool:
    """Returns whether a response cannot be read, and not one that the client refused, e.g. because it is too large."""
    cause = error.__cause__ if isinstance(error, TransportError) and error.reason == "bad-response" else None
    is_refused = isinstance(cause, ValidationError) and cause.errors()[0]["type"] != "json_invalid"
    return cause is not None and not is_refused


def is_passing(error: RpcError) -> bool:
    """Returns whether a failure may be temporary."""
    reason = error.reason if isinstance(error, TransportError) else None
    return reason in ("network", "timeout") or error.status in (429, 502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect:
    """Opens lost streams again. If the contract has `@resume`, they continue after the last item."""

    attempts: float = float("inf")
    """Maximum number of consecutive attempts. An item, or a connection longer than `max_delay`, resets the count."""
    min_delay: float = 0.5
    """Seconds before the first attempt, randomly shortened by up to half. The delay doubles with every attempt."""
    max_delay: float = 30.0
    """Maximum delay, if the server asks for no other."""

    def delay(self, failures: int, error: RpcError) -> float:
        """Returns the seconds before the next attempt. Errors: the given one if there is none."""
        is_lost = error.name == "WebrpcStreamLost"
        if failures >= self.attempts or not (is_lost or is_passing(error)):
            raise error
        if error.retry_after:
            return error.retry_after
        delay = min(self.max_delay, self.min_delay * 2.0 ** min(failures, 30))
        # All clients may have lost their connections at once.
        return delay * (1 - random.random() / 2)


class Options(TypedDict, Generic[ToldT], total=False):
    """Options for all calls of a client."""

    headers: Mapping[str, str]
    """Headers for every request."""
    parameters: Mapping[str, str]
    """Values for the placeholders of addresses."""
    timeout: float | None
    """Seconds until a call must have ended, with all its attempts, or a stream must have begun.

    Default: 60, or 15 for streams, and no total for files. None: no limit, except 15 for streams.
    """
    retry: Retry | None
    """Default: `Retry()`. None: no call is repeated."""
    reconnect: Reconnect | None
    """Default: a lost stream is an error."""
    on_response: Callable[[httpx.Response], ToldT]
    """Is called with each response, before its body is read. An error that it raises ends the call."""
    idempotency_key: str
    """Identifies one call to a method with `@idempotencyKey`. Default: a random key for each call."""
    check_responses: bool
    """Whether responses that violate the contract are errors. Default: False."""
    max_response_bytes: int
    """Maximum size of a response, which is not a stream or a file. Default: 32 MiB."""


def check_names(options: Options[ToldT]) -> Options[ToldT]:
    """Refuses misspelled options. Errors: TypeError."""
    unknown = options.keys() - Options.__optional_keys__
    if unknown:
        raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
    return options


def quote_key(key: str) -> dict[str, str]:
    """Returns the header with a key. Errors: ValueError."""
    if not (1 <= len(key) <= 255 and key.isascii() and key.isprintable()):
        raise ValueError("idempotency_key: expected 1 to 255 ASCII characters")
    return {"idempotency-key": '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'}
