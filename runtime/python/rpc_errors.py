# pyright: reportPrivateUsage=false
"""The errors that every service can return, and that clients create themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from pydantic_core import to_json

from ._rest import ResponseHeader, fields_in
from ._values import Model, is_dict, is_list, read_json


no_headers: Mapping[str, str] = MappingProxyType({})


class Part(NamedTuple):
    """A part of an error in a body that is not webrpc's envelope."""

    role: str
    path: Sequence[str | int]
    """The names from the body to the part. 0 is the first item of a list."""
    names: Mapping[str, str] | None = None
    """Values by the names of errors. None means that the value is the part itself."""
    is_open: bool = False
    """Whether errors that are not in `names` are written with their own names."""

    def find(self, body: Any) -> Any:
        """Returns the value, or None if there is none."""
        for key in self.path:
            if is_dict(body):
                body = body.get(str(key))
            else:
                body = body[0] if key == 0 and is_list(body) and body else None
        return body


class RpcError(Exception):
    """An error of the contract, or a built-in error."""

    name: str = ""
    code: int = 0
    status: int = 400
    message: str = ""
    cause: str | None = None
    data: Any = None
    """What the contract declares as data of the error, or None."""
    retry_after: float | None = None
    """Seconds after which the server accepts another call."""
    _read_body: Callable[[], bytes | None] = staticmethod(lambda: None)

    _model: ClassVar[type[Model] | None] = None
    _has_any_status: ClassVar[bool] = False
    _parts: ClassVar[Sequence[Part]] = ()
    _headers: ClassVar[Sequence[ResponseHeader]] = ()

    def __init_subclass__(
        cls, name: str = "", code: int = 0, status: int = 400, message: str = "", data: type[Model] | None = None
    ) -> None:
        cls.name, cls.code, cls.status, cls.message, cls._model = name, code, status, message, data

    def __init__(
        self,
        message: str | None = None,
        *,
        cause: str | None = None,
        status: int | None = None,
        data: Any = None,
    ) -> None:
        self.message = self.message if message is None else message
        self.status = self.status if status is None else status
        self.cause = cause
        self.data = data
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" + ("" if self.cause is None else f" ({self.cause})")

    @property
    def body(self) -> bytes | None:
        """What the response contained, or None. It is not in logs, because it can be sensitive."""
        return self._read_body()

    def keep_body(self, body: bytes) -> None:
        """Keeps the body of the response out of the attributes, which tools for logs write."""
        self._read_body = lambda: body

    def envelope(self) -> dict[str, Any]:
        """Returns the body of an error response. Errors: pydantic.ValidationError for data that violates the contract."""
        cause = {} if self.cause is None else {"cause": self.cause}
        envelope = {"error": self.name, "code": self.code, "msg": self.message, **cause, "status": self.status}
        if self._model is None or self.data is None:
            return envelope
        data = self._model.model_validate(self.data)
        return {**envelope, "data": data.model_dump(mode="json", exclude_unset=True)}

    @classmethod
    def read_data(cls, data: Any, headers: Mapping[str, str] = no_headers) -> Model | None:
        """Reads the data of an error. Returns None if the contract declares none, or if the data violates it."""
        return None if cls._model is None else read_data(cls._model, data, headers, cls._headers)


def read_data(
    model: type[Model], data: Any, headers: Mapping[str, str], given: Sequence[ResponseHeader]
) -> Model | None:
    """Returns None if the data violates the contract."""
    with suppress(ValueError):
        whole = {**data, **fields_in(headers, given)} if is_dict(data) else data
        return model.model_validate(read_json(model, to_json(whole)))
    return None


class WebrpcEndpointError(RpcError, name="WebrpcEndpoint", message="endpoint error"):
    """An unspecified error."""


class WebrpcRequestFailedError(RpcError, name="WebrpcRequestFailed", code=-1, message="request failed"):
    """The server was too busy, or there was no response in time."""


class WebrpcBadRouteError(RpcError, name="WebrpcBadRoute", code=-2, status=404, message="bad route"):
    """There is no method at this path."""


class WebrpcBadMethodError(RpcError, name="WebrpcBadMethod", code=-3, status=405, message="bad method"):
    """The method requires a different HTTP method."""


class WebrpcBadRequestError(RpcError, name="WebrpcBadRequest", code=-4, message="bad request"):
    """The request is invalid."""


class WebrpcBadResponseError(RpcError, name="WebrpcBadResponse", code=-5, status=500, message="bad response"):
    """The response violates the contract."""


class WebrpcServerPanicError(RpcError, name="WebrpcServerPanic", code=-6, status=500, message="server panic"):
    """The server failed while it handled the request."""


class WebrpcInternalErrorError(RpcError, name="WebrpcInternalError", code=-7, status=500, message="internal error"):
    """The server had an unexpected error."""


class WebrpcClientDisconnectedError(RpcError, name="WebrpcClientDisconnected", code=-8, message="client disconnected"):
    """The client disconnected before it received the response."""


class WebrpcStreamLostError(RpcError, name="WebrpcStreamLost", code=-9, message="stream lost"):
    """A stream ended early."""


Errors: TypeAlias = Mapping[str, type[RpcError]]
BUILT_IN_ERRORS: Errors = {error.name: error for error in RpcError.__subclasses__()}
Reason: TypeAlias = Literal["network", "timeout", "bad-response", "stream-lost"]


class TransportError(RpcError):
    """There is no valid response.

    `reason` is `network` if the connection failed, `timeout` if time ran out, `bad-response` if the response violates
    the protocol or the contract, and `stream-lost` if a stream or a download broke off.
    """

    _rows: ClassVar[Mapping[Reason, type[RpcError]]] = {
        "network": WebrpcRequestFailedError,
        "timeout": WebrpcRequestFailedError,
        "bad-response": WebrpcBadResponseError,
        "stream-lost": WebrpcStreamLostError,
    }

    def __init__(self, reason: Reason, cause: str | None = None, status: int = 0) -> None:
        super().__init__(reason, cause=cause, status=400 if reason == "stream-lost" else status)
        self.reason: Reason = reason
        self.name, self.code = self._rows[reason].name, self._rows[reason].code


def read_error(envelope: Any, status: int, errors: Errors, headers: Mapping[str, str] = no_headers) -> RpcError | None:
    """Reads an error that any server may have sent. Returns None if it is not one."""
    if not is_dict(envelope):
        return None
    members = {key: value for key, value in envelope.items() if value is not None}
    name = members.get("error", members.get("name"))
    if not isinstance(name, str):
        return None
    cause, message = members.get("cause"), members.get("msg", members.get("message"))
    error = errors.get(name, RpcError)(
        message if isinstance(message, str) else name,
        cause=cause if isinstance(cause, str) else None,
        status=status,
    )
    code = members.get("code")
    number = 0 if isinstance(code, str) else _number(code) or 0
    error.name, error.code = name, number if -(2**31) <= number < 2**31 else 0
    error.data = error.read_data(members.get("data"), headers)
    return error


class ErrorBody(NamedTuple):
    """The body of the errors of a server, in place of webrpc's envelope."""

    model: type[Model]
    parts: Sequence[Part]
    headers: Sequence[ResponseHeader]

    def read(
        self,
        body: Any,
        status: int,
        errors: Errors,
        listed: Sequence[str] | None,
        headers: Mapping[str, str],
        has_secrets: bool,
    ) -> RpcError | None:
        """Reads an error of a method, which can return the listed ones or all.

        Returns None if the body is no object and the status does not tell the error. If messages of the method have no
        secrets, the text in the body is the message of an error that has none.
        """
        own = {name: error for name, error in errors.items() if name not in BUILT_IN_ERRORS}
        if listed is not None:
            own = {name: own[name] for name in listed if name in own}
        name = self._find_name(body, status, own, headers)
        if name is None and not is_dict(body):
            return None
        kind = {**BUILT_IN_ERRORS, **own}[name or "WebrpcEndpoint"]
        parts = self.parts if kind._model in (None, self.model) else kind._parts
        values = {part.role: part.find(body) for part in parts}
        message, cause = values.get("message"), values.get("cause")
        error = kind(
            message if isinstance(message, str) else (not has_secrets and _text_in(body)) or name or str(status),
            cause=cause if isinstance(cause, str) else None,
            status=status,
        )
        if name is None:
            error.code = _number(values.get("code")) or 0
        error.data = (
            kind.read_data(body, headers) if kind._model else read_data(self.model, body, headers, self.headers)
        )
        return error

    def _find_name(self, body: Any, status: int, own: Errors, headers: Mapping[str, str]) -> str | None:
        """Returns the name of the error in a body, or None if it is unknown."""
        name = _named(body, self.parts, {**BUILT_IN_ERRORS, **own})
        if name is not None:
            return name
        for name, error in own.items():
            if _named(body, error._parts, {name: error}) is not None:
                return name
        known = [name for name, error in own.items() if error.status == status and not error._has_any_status]
        if not known:
            # The usual body fits every error.
            known = [
                name
                for name, error in own.items()
                if error._has_any_status
                and error._model is not self.model
                and error.read_data(body, headers) is not None
            ]
        return known[0] if len(known) == 1 else None


_USUAL_TEXTS = ("message", "detail", "msg", "error", "errors", "title")
"""Members of a body that usually contain a text for people, best first."""


def _text_in(value: Any, depth: int = 3) -> str:
    """Returns the text for people in the body of an error, or an empty text."""
    if isinstance(value, str):
        text = value.strip()
        # A page is not a message.
        return "" if text.startswith("<") else text[:500]
    if depth == 0 or not (is_dict(value) or is_list(value)):
        return ""
    if is_dict(value):
        return next(filter(None, (_text_in(value.get(name), depth - 1) for name in _USUAL_TEXTS)), "")
    return "; ".join(filter(None, (_text_in(item, depth - 1) for item in value[:9])))[:500]


def _named(body: Any, parts: Sequence[Part], errors: Errors) -> str | None:
    """Returns which of some errors a body contains the name or the code of."""
    for part in parts:
        value = part.find(body)
        for name, error in errors.items():
            own = name if part.names is None or part.is_open else None
            wanted = own if part.names is None else part.names.get(name, own)
            is_name = part.role == "name" and value is not None and value == wanted
            if is_name or (part.role == "code" and _number(value) == error.code):
                return name
    return None


def _number(value: Any) -> int | None:
    """Returns a code, which can be text."""
    if isinstance(value, str) and re.fullmatch("0|-?[1-9][0-9]{0,15}", value):
        value = int(value)
    is_exact = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**53
    return int(value) if is_exact and value == int(value) else None
