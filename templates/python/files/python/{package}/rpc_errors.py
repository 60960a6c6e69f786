"""The errors that every service can return, and that clients create themselves."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic_core import to_json

from ._values import Model, is_dict, read_json


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

    _model: ClassVar[type[Model] | None] = None

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

    def envelope(self) -> dict[str, Any]:
        """Returns the body of an error response. Errors: pydantic.ValidationError for data that violates the contract."""
        cause = {} if self.cause is None else {"cause": self.cause}
        envelope = {"error": self.name, "code": self.code, "msg": self.message, **cause, "status": self.status}
        if self._model is None or self.data is None:
            return envelope
        data = self._model.model_validate(self.data)
        return {**envelope, "data": data.model_dump(mode="json", exclude_unset=True)}

    @classmethod
    def read_data(cls, data: Any) -> Model | None:
        """Reads the data of an error. Returns None if the contract declares none, or if the data violates it."""
        if cls._model is not None:
            with suppress(ValueError):
                return cls._model.model_validate(read_json(cls._model, to_json(data)))
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


def read_error(envelope: Any, status: int, errors: Errors) -> RpcError | None:
    """Reads an error that any server may have sent. Returns None if it is not one."""
    if not is_dict(envelope):
        return None
    members = {key: value for key, value in envelope.items() if value is not None}
    name = members.get("error", members.get("name"))
    if not isinstance(name, str):
        return None
    cause = members.get("cause")
    message = str(members.get("msg", members.get("message", name)))
    error = errors.get(name, RpcError)(message, cause=cause if isinstance(cause, str) else None, status=status)
    try:
        code = int(members.get("code", 0))
    except (OverflowError, TypeError, ValueError):
        code = 0
    error.name, error.code = name, code
    error.data = error.read_data(members.get("data"))
    return error
