"""Verifies webhooks as specified by Standard Webhooks."""

from __future__ import annotations

import base64
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._values import Model, read_json
from .rpc_errors import Errors, RpcError, WebrpcBadRequestError, WebrpcBadRouteError

NameT = TypeVar("NameT", bound=str)
MessageT = TypeVar("MessageT", bound=Model)


@dataclass(frozen=True, slots=True)
class Event(Generic[NameT, MessageT]):
    """A webhook that was received."""

    name: NameT
    message: MessageT


def receive(
    events: Mapping[str, type[Model]],
    errors: Errors,
    body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str] | None,
    tolerance: float,
) -> Event[Any, Any]:
    """Verifies and reads a webhook. Errors: RpcError, which is the response to the sender."""
    given = {name.lower(): value for name, value in headers.items()}
    if secrets is not None:
        verify(body, given, secrets, tolerance)
    name = given.get("webhook-event", "" if len(events) > 1 else next(iter(events)))
    if name not in events:
        raise WebrpcBadRouteError(cause="there is no such event")
    try:
        return Event(name, events[name].model_validate(read_json(events[name], body or b"{}")))
    except ValueError as error:
        raise errors.get("InvalidArgument", WebrpcBadRequestError)(cause=str(error)) from error


def verify(body: bytes, headers: Mapping[str, str], secrets: Sequence[str], tolerance: float = 300.0) -> None:
    """Verifies a signature. The names of headers are in lowercase. Errors: RpcError with status 401."""
    keys = [_read_secret(secret) for secret in secrets]
    if not keys:
        raise ValueError("there is no secret")
    identifier, timestamp, signatures = (headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not identifier or not timestamp or not signatures:
        raise _unsigned("is missing")
    if re.fullmatch("[0-9]{1,12}", timestamp) is None:
        raise _unsigned("has no valid timestamp")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise _unsigned("has a timestamp that is too old or too new")
    content = f"{identifier}.{timestamp}.".encode() + body
    valid = [b"v1," + base64.b64encode(hmac.digest(key, content, "sha256")) for key in keys]
    # No sender uses more secrets.
    given = [signature.encode() for signature in signatures.split(" ")[:10]]
    if not any(hmac.compare_digest(one, other) for one in valid for other in given):
        raise _unsigned("does not match")


def _read_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if len(key) < 24:
        raise ValueError("a webhook secret must be base64 of at least 24 bytes")
    return key


def _unsigned(fault: str) -> RpcError:
    return WebrpcBadRequestError(cause=f"the signature {fault}", status=401)
