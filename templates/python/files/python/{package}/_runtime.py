"""Clients: calls, and attempts to repeat them."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import aclosing, closing
from copy import copy
from dataclasses import dataclass
from inspect import isawaitable
from itertools import count
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

import anyio
import httpx
from typing_extensions import Self, TypedDict, Unpack

from ._wire import (
    SILENCE,
    Download,
    Items,
    Method,
    ModelT,
    beginning,
    fill,
    parse,
    read_retry_after,
    transport_errors,
)
from .rpc_errors import BUILT_IN_ERRORS, Errors, RpcError, TransportError, read_error

__all__ = ["AsyncClient", "Client", "CredentialValue", "Download", "Options", "Retry", "Service"]

CredentialsT = TypeVar("CredentialsT", bound=Mapping[str, object])
HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)
ResultT = TypeVar("ResultT")


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
    max_response_bytes: int
    """Maximum size of a response, which is not a stream or a file. Default: 32 MiB."""


CredentialValue: TypeAlias = str | Callable[[], str | Awaitable[str]]
_never = float("inf")
# A call. What it yields is performed at once in the synchronous client, and awaited in the asynchronous client.
_Flow: TypeAlias = Generator[Any, Any, ResultT]
_Answer: TypeAlias = tuple[httpx.Response, bytes]


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
        """Returns the response and its content, which is None for a success that stays open."""

    def _content(self, response: httpx.Response, deadline: float) -> _Content:
        return _Content(response.status_code, deadline, self._options.get("max_response_bytes", 2**25))

    def _deadline(self, default: float | None = None) -> float:
        timeout = self._options.get("timeout")
        limit = default if timeout is None else timeout
        return _never if limit is None else time.monotonic() + limit

    def _call(self, method: Method[ModelT], request: object) -> _Flow[ModelT]:
        response, content = yield from self._respond(method, request, self._deadline(), False)
        return method.read(content, response.status_code, self._options.get("check_responses", False))

    def _open_stream(self, method: Method[Any], request: object) -> _Flow[httpx.Response]:
        response, _ = yield from self._respond(method, request, self._deadline(SILENCE), True)
        # The timeout only limits the time until the stream begins.
        response.request.extensions["timeout"]["read"] = SILENCE
        return response

    def _open_file(self, method: Method[Any], request: object) -> _Flow[Download]:
        end = self._deadline()
        response, _ = yield from self._respond(method, request, end, True)
        return Download(response, end)

    def _respond(self, method: Method[Any], request: object, end: float, stays_open: bool) -> _Flow[_Answer]:
        """Sends a request until an attempt succeeds or no other one is due."""
        fields, body = method.write(request)
        retry = (self._options.get("retry") if method.is_safe else None) or Retry(attempts=1)
        for attempt in count(1):
            limit = retry.limit(attempt, end - time.monotonic())
            deadline = time.monotonic() + limit
            try:
                headers = yield from self._headers_for(method, "content" in body)
                sent = self._build(method, fields, body, headers, limit)
                with transport_errors("network"):
                    response, content = yield self._send(sent, deadline, stays_open)
                self._raise_for_status(response, content or b"")
                return response, content or b""
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
        url = fill(self.base_url or "", parameters).rstrip("/") + fill(method.path, {**parameters, **fields})
        timeout = self._http.timeout if limit == _never else max(limit, 0.001)
        return self._http.build_request("POST" if body else "GET", url, headers=headers, timeout=timeout, **body)

    def _raise_for_status(self, response: httpx.Response, content: bytes) -> None:
        if response.is_success:
            return
        status = response.status_code
        error = read_error(parse(content), status, self.errors)
        error = error or TransportError("bad-response", beginning(content), status)
        error.retry_after = read_retry_after(response.headers.get("retry-after"))
        raise error


class _Content:
    """The content of a response, which must arrive in time and not be too large."""

    def __init__(self, status: int, deadline: float, most: int) -> None:
        self._status, self._deadline, self._most = status, deadline, most
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        self._parts.append(chunk)
        self._size += len(chunk)
        if self._size > self._most:
            raise TransportError("bad-response", f"the response has more than {self._most} bytes", self._status)
        if time.monotonic() > self._deadline:
            raise TimeoutError

    def join(self) -> bytes:
        return b"".join(self._parts)


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
            items = Items(method, response, self.errors)
            with transport_errors("stream-lost", 400):
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

    def _send(self, request: httpx.Request, deadline: float, stays_open: bool) -> tuple[httpx.Response, bytes | None]:
        response = self._http.send(request, stream=True, follow_redirects=False)
        if stays_open and response.is_success:
            return response, None
        content = self._content(response, deadline)
        with closing(response):
            for chunk in response.iter_bytes():
                content.add(chunk)
        return response, content.join()


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
            items = Items(method, response, self.errors)
            with transport_errors("stream-lost", 400):
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

    async def _send(
        self, request: httpx.Request, deadline: float, stays_open: bool
    ) -> tuple[httpx.Response, bytes | None]:
        with anyio.fail_after(None if deadline == _never else deadline - time.monotonic()):
            response = await self._http.send(request, stream=True, follow_redirects=False)
            if stays_open and response.is_success:
                return response, None
            content = self._content(response, deadline)
            async with aclosing(response):
                async for chunk in response.aiter_bytes():
                    content.add(chunk)
        return response, content.join()


ClientT = TypeVar("ClientT", bound=Client[Any] | AsyncClient[Any])


class Service(Generic[ClientT]):
    """A group of methods."""

    def __init__(self, client: ClientT) -> None:
        self._client = client
