"""What all clients share: errors, calls, retries, streams and files."""

from __future__ import annotations

import json
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import aclosing, closing, contextmanager
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.message import Message as Headers
from email.utils import parsedate_to_datetime
from functools import cached_property
from inspect import isawaitable
from itertools import count
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast
from urllib.parse import quote, unquote

import anyio
import httpx
from pydantic import TypeAdapter, ValidationError
from pydantic_core import CoreConfig, SchemaSerializer, SchemaValidator, from_json
from typing_extensions import Self, TypedDict, Unpack

from ._values import CONFIG, Model, is_dict, is_list

CredentialsT = TypeVar("CredentialsT", bound=Mapping[str, object])
HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)
ModelT = TypeVar("ModelT", bound=Model)
ResultT = TypeVar("ResultT")


class RpcError(Exception):
    """An error of the contract, or a built-in error."""

    name: str = ""
    code: int = 0
    status: int = 400
    message: str = ""
    cause: str | None = None
    retry_after: float | None = None
    """Seconds after which the server accepts another call."""

    def __init_subclass__(cls, name: str = "", code: int = 0, status: int = 400, message: str = "") -> None:
        cls.name, cls.code, cls.status, cls.message = name, code, status, message

    def __init__(self, message: str | None = None, *, cause: str | None = None, status: int | None = None) -> None:
        self.message = self.message if message is None else message
        self.status = self.status if status is None else status
        self.cause = cause
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" + ("" if self.cause is None else f" ({self.cause})")

    def envelope(self) -> dict[str, str | int]:
        """Returns the body of an error response."""
        cause: dict[str, str | int] = {} if self.cause is None else {"cause": self.cause}
        return {"error": self.name, "code": self.code, "msg": self.message, **cause, "status": self.status}


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
        super().__init__(reason, cause=cause, status=status)
        self.reason: Reason = reason
        self.name, self.code = self._rows[reason].name, self._rows[reason].code


def _read_error(envelope: Any, status: int, errors: Errors) -> RpcError | None:
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
        error.name, error.code = name, int(members.get("code", 0))
    except (TypeError, ValueError):
        error.code = 0
    return error


@dataclass(frozen=True)
class Method(Generic[ModelT]):
    """How to call a method."""

    path: str
    response: type[ModelT]
    request: Any = None
    """The type of the request, or None if it has no fields."""
    credentials: tuple[tuple[str, str, str], ...] = ()
    """The names, headers and schemes of credentials."""
    is_safe: bool = False
    """Whether a call can be repeated."""
    path_fields: Mapping[str, str] | None = None
    """The fields for the placeholders of the path, if it contains the request."""
    body: str | None = None
    """The name in JSON of the field that is the whole body of the response."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names in JSON of the fields of the request that are files."""

    @cached_property
    def _schemas(self) -> tuple[SchemaValidator, SchemaSerializer]:
        if not issubclass(self.request, Model):
            self.request.__pydantic_config__ = CONFIG
        adapter = TypeAdapter[Any](self.request)
        adapter.rebuild()
        # The configuration of a TypedDict does not hide values in errors.
        validator = SchemaValidator(adapter.core_schema, CoreConfig(hide_input_in_errors=True))
        return validator, adapter.serializer

    def write(self, request: Any) -> tuple[Mapping[str, Any], dict[str, Any]]:
        """Returns the fields for the path and what httpx sends. Errors: pydantic.ValidationError."""
        if self.request is None:
            return {}, {} if self.path_fields is not None else {"content": b"{}"}
        validator, serializer = self._schemas
        value = validator.validate_python(request, by_alias=False, by_name=True)
        if self.path_fields is not None:
            members = from_json(serializer.to_json(value, by_alias=False))
            return {name: members.get(member) for name, member in self.path_fields.items()}, {}
        exclude = set(self.files) or None
        content = serializer.to_json(value, by_alias=True, exclude_unset=True, exclude=exclude)
        if not self.files:
            return {}, {"content": content}
        members = vars(value) if isinstance(value, Model) else value
        given = [(self.files[name], members.get(name)) for name in self.files]
        files = [(name, file) for name, each in given for file in (each if is_list(each) else [each]) if file]
        parts = [(name, (file.name or name, file.content, file.type)) for name, file in files]
        return {}, {"files": [("json", (None, content)), *parts]}

    def read(self, content: bytes, status: int, is_checked: bool = False) -> ModelT:
        """Reads a response, or an item of a stream. Errors: TransportError."""
        try:
            text = content.removeprefix(b"\xef\xbb\xbf")
            if self.body is not None:
                # The body must be a single value, so that it cannot add other fields.
                from_json(text)
                text = b'{"%b":%b}' % (self.body.encode(), text)
            value = self.response.model_validate_json(text, extra="ignore", by_alias=True, by_name=False)
        except ValueError as error:
            raise TransportError("bad-response", _beginning(content), status) from error
        try:
            return self.response.model_validate(value) if is_checked else value
        except ValidationError as error:
            raise TransportError("bad-response", str(error), status) from error


def _parse(content: bytes) -> Any:
    try:
        return from_json(content.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return None


def _beginning(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")[:500]


@contextmanager
def _transport_errors(lost: Reason, status: int = 0) -> Generator[None, None, None]:
    try:
        yield
    except httpx.UnsupportedProtocol:
        raise
    except httpx.RequestError as error:
        is_late = isinstance(error, httpx.TimeoutException) and lost == "network"
        raise TransportError("timeout" if is_late else lost, str(error), status) from error
    except TimeoutError as error:
        raise TransportError("timeout") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Repeats failed calls to methods that the contract marks as `@idempotent` or `@readonly`."""

    attempts: int = 3
    """Maximum number of attempts, including the first."""
    attempt_timeout: float | None = None
    """Seconds after which an attempt is repeated. Default: half of the time that is left."""
    backoff: float = 0.2
    """Seconds before the second attempt. The delay doubles with every attempt."""
    max_backoff: float = 10.0
    """Maximum delay. If the server asks for a longer one, the call fails."""
    jitter: float = 0.5
    """Maximum fraction by which a delay is randomly shortened."""

    def delay(self, attempt: int, error: RpcError, left: float) -> float | None:
        """Returns the seconds before the next attempt, or None if there is none."""
        is_passing = isinstance(error, TransportError) and error.reason in ("network", "timeout")
        if attempt >= self.attempts or not (is_passing or error.status in (429, 502, 503, 504)):
            return None
        own = min(self.max_backoff, self.backoff * 2 ** (attempt - 1)) * (1 - self.jitter * random.random())
        delay = own if error.retry_after is None else error.retry_after
        return None if delay > self.max_backoff or delay >= left else delay

    def limit(self, attempt: int, left: float) -> float:
        """Returns the seconds that an attempt may take."""
        if self.attempt_timeout is not None:
            return min(self.attempt_timeout, left)
        return left if attempt >= self.attempts else left / 2


class Options(TypedDict, total=False):
    """Options for all calls of a client."""

    headers: Mapping[str, str]
    """Headers for every request."""
    parameters: Mapping[str, str]
    """Values for the placeholders of addresses."""
    timeout: float | None
    """Seconds until a call must have ended, with all its attempts. Default: no limit."""
    retry: Retry | None
    """Default: no call is repeated."""
    check_responses: bool
    """Whether responses that violate the contract are errors. Default: False."""


CredentialValue: TypeAlias = str | Callable[[], str | Awaitable[str]]
_never = float("inf")
# A call. What it yields is performed at once in the synchronous client, and awaited in the asynchronous client.
_Flow: TypeAlias = Generator[Any, Any, ResultT]


class _BaseClient(ABC, Generic[CredentialsT, HttpT]):
    """What both kinds of clients share."""

    errors: ClassVar[Errors] = BUILT_IN_ERRORS
    base_url: str | None = None
    _http: HttpT

    def __init__(
        self,
        base_url: str | None = None,
        *,
        credentials: CredentialsT | None = None,
        http: HttpT | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Creates a client. It does not close an `http` client that it gets."""
        self.base_url = base_url or self.base_url
        if self.base_url is None:
            raise TypeError("base_url is missing")
        self._credentials: Mapping[str, Any] = credentials or {}
        self._options = options
        self._owns_http = http is None
        self._http = self._create_http() if http is None else http

    def with_options(self, **options: Unpack[Options]) -> Self:
        """Returns a client with other options and the same connections. Headers and parameters are added."""
        other = copy(self)
        headers = {**self._options.get("headers", {}), **options.get("headers", {})}
        parameters = {**self._options.get("parameters", {}), **options.get("parameters", {})}
        other._options = {**self._options, **options, "headers": headers, "parameters": parameters}
        return other

    @abstractmethod
    def _create_http(self) -> HttpT: ...

    @abstractmethod
    def _wait(self, seconds: float) -> Any: ...

    @abstractmethod
    def _resolve(self, source: Any) -> Any:
        """Returns the value of a credential."""

    @abstractmethod
    def _send(self, request: httpx.Request, deadline: float, stays_open: bool) -> Any:
        """Returns the response. Its content has been read, unless it is a success that stays open."""

    def _deadline(self, default: float | None = None) -> float:
        timeout = self._options.get("timeout")
        limit = default if timeout is None else timeout
        return _never if limit is None else time.monotonic() + limit

    def _call(self, method: Method[ModelT], request: object) -> _Flow[ModelT]:
        response = yield from self._respond(method, request, self._deadline(), False)
        return method.read(response.content, response.status_code, self._options.get("check_responses", False))

    def _open_stream(self, method: Method[Any], request: object) -> _Flow[httpx.Response]:
        response = yield from self._respond(method, request, self._deadline(_silence), True)
        # The timeout only limits the time until the stream begins.
        response.request.extensions["timeout"]["read"] = _silence
        return response

    def _open_file(self, method: Method[Any], request: object) -> _Flow[Download]:
        end = self._deadline()
        return Download((yield from self._respond(method, request, end, True)), end)

    def _respond(self, method: Method[Any], request: object, end: float, stays_open: bool) -> _Flow[httpx.Response]:
        """Sends a request until an attempt succeeds or no other one is due."""
        fields, body = method.write(request)
        retry = (self._options.get("retry") if method.is_safe else None) or Retry(attempts=1)
        for attempt in count(1):
            limit = retry.limit(attempt, end - time.monotonic())
            deadline = time.monotonic() + limit
            try:
                headers = yield from self._headers_for(method, "content" in body)
                sent = self._build(method, fields, body, headers, limit)
                with _transport_errors("network"):
                    response: httpx.Response = yield self._send(sent, deadline, stays_open)
                self._raise_for_status(response)
                return response
            except RpcError as error:
                delay = retry.delay(attempt, error, end - time.monotonic())
                if delay is None:
                    raise
            yield self._wait(delay)
        raise AssertionError("an attempt ends with a response or an error")

    def _headers_for(self, method: Method[Any], is_json: bool) -> _Flow[dict[str, str]]:
        headers = {"content-type": "application/json"} if is_json else {}
        for name, header, scheme in method.credentials:
            value = yield self._resolve(self._credentials.get(name))
            if value:
                headers[header.lower()] = f"{scheme} {value}".lstrip()
        return headers | {name.lower(): value for name, value in self._options.get("headers", {}).items()}

    def _build(
        self, method: Method[Any], fields: Mapping[str, Any], body: Any, headers: dict[str, str], limit: float
    ) -> httpx.Request:
        parameters = self._options.get("parameters", {})
        url = _fill(self.base_url or "", parameters).rstrip("/") + _fill(method.path, {**parameters, **fields})
        timeout = self._http.timeout if limit == _never else max(limit, 0.001)
        return self._http.build_request("POST" if body else "GET", url, headers=headers, timeout=timeout, **body)

    def _raise_for_status(self, response: httpx.Response) -> None:
        if response.is_success:
            return
        status, content = response.status_code, response.content
        error = _read_error(_parse(content), status, self.errors)
        error = error or TransportError("bad-response", _beginning(content), status)
        error.retry_after = _read_retry_after(response.headers.get("retry-after"))
        raise error


def _fill(template: str, values: Mapping[str, Any]) -> str:
    """Fills the placeholders of an address. Errors: ValueError."""

    def value_of(match: re.Match[str]) -> str:
        value = values.get(match[1], "")
        items = value if is_list(value) else [value]
        texts = [item if isinstance(item, str) else json.dumps(item) for item in items]
        text = ",".join(quote(text, safe="!*'()") for text in texts)
        # Servers also split lists at encoded commas.
        if text in ("", ".", "..") or (is_list(value) and "%2C" in text):
            raise ValueError(f"parameter {match[1]} is missing, is only dots, or has items with commas")
        return text

    return re.sub(r"\{(\w+)\}", value_of, template) if "{" in template else template


def _read_retry_after(header: str | None) -> float | None:
    """Reads a number of seconds or a date (RFC 9110, section 10.2.3)."""
    if header is None or re.fullmatch("[0-9]+", header):
        return None if header is None else float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


# Seconds without data after which a stream is lost. Servers send data at least every 10 seconds.
_silence = 15.0
_max_line_bytes = 32 * 2**20


class _Items(Generic[ModelT]):
    """Reads the items of a stream from the chunks of its body."""

    def __init__(self, method: Method[ModelT], response: httpx.Response, errors: Errors) -> None:
        self._method, self._errors, self._status = method, errors, response.status_code
        # The parts of an incomplete line. They are joined once, because that takes linear time.
        self._parts: list[bytes] = []
        content_type = response.headers.get("content-type", "ndjson")
        if "ndjson" not in content_type.lower():
            raise TransportError("bad-response", f"not a stream: {content_type}", self._status)

    def read(self, chunk: bytes) -> Iterator[ModelT]:
        start, *lines = chunk.split(b"\n")
        self._parts.append(start)
        if sum(map(len, self._parts)) > _max_line_bytes:
            raise TransportError("bad-response", "the line is too long", self._status)
        for line in lines:
            yield from self._read_line(is_whole=True)
            self._parts = [line]

    def end(self) -> Iterator[ModelT]:
        return self._read_line(is_whole=False)

    def _read_line(self, is_whole: bool) -> Iterator[ModelT]:
        line = b"".join(self._parts).strip()
        if not line:
            return
        failure = self._error_in(line) if b'"webrpcError"' in line else None
        if failure is not None:
            raise failure
        try:
            item = self._method.read(line, self._status)
        except TransportError as error:
            if is_whole:
                raise
            raise TransportError("stream-lost", "the last line is incomplete", 400) from error
        yield item

    def _error_in(self, line: bytes) -> RpcError | None:
        item = _parse(line)
        envelope = item.get("webrpcError") if is_dict(item) else None
        status: Any = envelope.get("status") if is_dict(envelope) else None
        return _read_error(envelope, status if status in range(400, 600) else 400, self._errors)


class Download:
    """A file in a response, which is received while it is read. It can be read once."""

    def __init__(self, response: httpx.Response, deadline: float) -> None:
        self._response, self._deadline = response, deadline
        headers = response.headers
        disposition = Headers()
        disposition["content-disposition"] = headers.get("content-disposition", "")
        extended = re.search(r";\s*filename\*=utf-8'[^']*'([^\s;]+)", disposition["content-disposition"], re.IGNORECASE)
        self.name: str = unquote(extended[1]) if extended else disposition.get_filename("")
        self.type: str = headers.get("content-type", "application/octet-stream")
        # If the response is compressed, the header is not the length of the file.
        is_plain = "content-length" in headers and "content-encoding" not in headers
        self.size: int | None = int(headers["content-length"]) if is_plain else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()

    def __iter__(self) -> Iterator[bytes]:
        with _transport_errors("stream-lost", 400):
            for chunk in self._response.iter_bytes():
                yield self._in_time(chunk)

    def read(self) -> bytes:
        """Returns the whole content."""
        with self:
            return b"".join(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._response.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _transport_errors("stream-lost", 400):
            async for chunk in self._response.aiter_bytes():
                yield self._in_time(chunk)

    async def aread(self) -> bytes:
        """Returns the whole content, in asynchronous clients."""
        async with self:
            return b"".join([chunk async for chunk in self])

    def _in_time(self, chunk: bytes) -> bytes:
        if time.monotonic() > self._deadline:
            raise TimeoutError
        return chunk


class Client(_BaseClient[CredentialsT, httpx.Client]):
    """Calls methods. Close it after use, or use it in a `with` statement."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def call(self, method: Method[ModelT], request: object = None) -> ModelT:
        return self._run(self._call(method, request))

    def stream(self, method: Method[ModelT], request: object = None) -> Generator[ModelT, None, None]:
        with closing(self._run(self._open_stream(method, request))) as response:
            items = _Items(method, response, self.errors)
            with _transport_errors("stream-lost", 400):
                for chunk in response.iter_bytes():
                    yield from items.read(chunk)
            yield from items.end()

    def download(self, method: Method[Any], request: object = None) -> Download:
        return self._run(self._open_file(method, request))

    def _run(self, flow: _Flow[ResultT]) -> ResultT:
        result = None
        try:
            while True:
                result = flow.send(result)
        except StopIteration as end:
            return cast("ResultT", end.value)

    def _create_http(self) -> httpx.Client:
        return httpx.Client(timeout=None)

    def _wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def _resolve(self, source: Any) -> Any:
        return source() if callable(source) else source

    def _send(self, request: httpx.Request, deadline: float, stays_open: bool) -> httpx.Response:
        response = self._http.send(request, stream=stays_open or deadline != _never, follow_redirects=False)
        if response.is_closed or (stays_open and response.is_success):
            return response
        with closing(response):
            content = bytearray()
            for chunk in response.iter_raw():
                content += chunk
                if time.monotonic() > deadline:
                    raise TimeoutError
        # The headers say how the content is compressed.
        return httpx.Response(response.status_code, headers=response.headers, content=bytes(content), request=request)


class AsyncClient(_BaseClient[CredentialsT, httpx.AsyncClient]):
    """Calls methods. Close it after use, or use it in an `async with` statement."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def call(self, method: Method[ModelT], request: object = None) -> ModelT:
        return await self._run(self._call(method, request))

    async def stream(self, method: Method[ModelT], request: object = None) -> AsyncGenerator[ModelT, None]:
        async with aclosing(await self._run(self._open_stream(method, request))) as response:
            items = _Items(method, response, self.errors)
            with _transport_errors("stream-lost", 400):
                async for chunk in response.aiter_bytes():
                    for item in items.read(chunk):
                        yield item
            for item in items.end():
                yield item

    async def download(self, method: Method[Any], request: object = None) -> Download:
        return await self._run(self._open_file(method, request))

    async def _run(self, flow: _Flow[ResultT]) -> ResultT:
        try:
            step = next(flow)
            while True:
                try:
                    result = await step
                except Exception as error:  # noqa: BLE001
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            return cast("ResultT", end.value)

    def _create_http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=None)

    async def _wait(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def _resolve(self, source: Any) -> Any:
        value = source() if callable(source) else source
        return await value if isawaitable(value) else value

    async def _send(self, request: httpx.Request, deadline: float, stays_open: bool) -> httpx.Response:
        with anyio.fail_after(None if deadline == _never else deadline - time.monotonic()):
            response = await self._http.send(request, stream=stays_open, follow_redirects=False)
            if stays_open and not response.is_success:
                await response.aread()
            return response


ClientT = TypeVar("ClientT", bound=Client[Any] | AsyncClient[Any])


class Service(Generic[ClientT]):
    """A group of methods."""

    def __init__(self, client: ClientT) -> None:
        self._client = client
