"""Clients: calls, and attempts to repeat them."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, aclosing, nullcontext, suppress
from copy import copy
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from inspect import BoundArguments, Parameter, Signature, isfunction, signature, unwrap
from io import BytesIO
from itertools import count
from secrets import token_hex
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args, get_origin

import anyio
import httpx
from typing_extensions import NotRequired, Self, Unpack, get_type_hints

from ._events import BYTE_ORDER_MARK, SPACE, Event, Events, has_end
from ._keys import add_keys
from ._options import Options, Reconnect, Retry, ToldT, check_names, quote_key
from ._rest import AsyncUpload, Message, Upload
from ._values import ModelT
from ._wire import (
    Download,
    Method,
    call_back,
    callback_errors,
    close,
    fill,
    iterate,
    parse,
    read_retry_after,
    receive,
    run,
    settle,
    status_in,
    transport_errors,
)
from .rpc_errors import (
    BUILT_IN_ERRORS,
    ErrorBody,
    Errors,
    RpcError,
    TransportError,
    WebrpcRequestFailedError,
    read_error,
)

__all__ = ["AsyncClient", "Client", "CredentialValue", "Download", "Options", "Reconnect", "Retry", "Service"]

CredentialsT = TypeVar("CredentialsT", bound=Mapping[str, object])
HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)


CredentialValue: TypeAlias = str | Callable[[], str | Awaitable[str]]
_never = float("inf")
# Seconds for a call without an option.
_call_timeout = 60.0
_timeouts = httpx.Timeout(_call_timeout, connect=5.0)
# Minimum seconds between two requests for the answer of a running call.
_min_poll = 0.1
# Seconds without data after which a stream is lost. Servers send data at least every 10 seconds.
_silence = 15.0
_max_line_bytes = 2**25
_end_line = bytearray(b"[]")


class _BaseClient(Generic[CredentialsT, HttpT, ToldT]):
    """What both kinds of clients share."""

    errors: ClassVar[Errors] = BUILT_IN_ERRORS
    error_body: ClassVar[ErrorBody | None] = None
    base_url: str | None = None
    _contract: ClassVar[str | None] = None
    _create_http: Callable[..., HttpT]
    _sleep: Callable[[float], Awaitable[None] | None]
    # Only asynchronous clients can interrupt a block that takes longer.
    _limit: Callable[[float], AbstractContextManager[Any]]

    def __init__(
        self,
        base_url: str | None = None,
        *,
        credentials: CredentialsT | None = None,
        http: HttpT | None = None,
        **options: Unpack[Options[ToldT]],
    ) -> None:
        """Creates a client. It does not close an `http` client that it gets."""
        self.base_url = base_url or self.base_url
        if self.base_url is None:
            raise TypeError("base_url is missing")
        self._credentials: Mapping[str, Any] = credentials or {}
        self._options = check_names(options)
        self._owns_http = http is None
        if http is None:
            # A cookie of a response would sign in everybody whose calls share the client.
            http = self._create_http(timeout=_timeouts, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))
        self._http: HttpT = http

    def with_options(self, **options: Unpack[Options[ToldT]]) -> Self:
        """Returns a client with other options and the same connections. Headers and parameters are added."""
        other = copy(self)
        headers = {**self._options.get("headers", {}), **options.get("headers", {})}
        parameters = {**self._options.get("parameters", {}), **options.get("parameters", {})}
        other._options = {**self._options, **check_names(options), "headers": headers, "parameters": parameters}
        return other

    async def _call(self, method: Method[ModelT], request: object) -> ModelT:
        with callback_errors():
            answer: tuple[httpx.Response, ModelT] = await self._respond(
                method, request, self._deadline_of(method), None
            )
        return answer[1]

    async def _stream(self, method: Method[ModelT], request: object) -> AsyncGenerator[ModelT, None]:
        """Yields the items of successive connections until one ends normally."""
        reconnect = self._options.get("reconnect") or Reconnect(attempts=0)
        failures, cursor, next_request = 0, None, request
        with callback_errors():
            while True:
                begun = time.monotonic()
                try:
                    async with aclosing(self._items(method, next_request)) as items:
                        async for item in items:
                            failures = 0
                            if reconnect.attempts > 0:
                                # The item belongs to the program, which can change it.
                                cursor = method.cursor_of(item)
                            yield item
                    return
                except RpcError as error:
                    # An attempt that could not connect does not count, however long it took.
                    if error.name == "WebrpcStreamLost" and time.monotonic() - begun > reconnect.max_delay:
                        failures = 0
                    delay = reconnect.delay(failures, error)
                failures, next_request = failures + 1, method.resumed(request, cursor)
                await settle(self._sleep(delay))

    async def _items(self, method: Method[ModelT], request: object) -> AsyncGenerator[ModelT, None]:
        """Yields the items of one connection."""
        timeout = self._options.get("timeout")
        deadline = time.monotonic() + (_silence if timeout is None else timeout)
        response, line = await self._respond(method, request, deadline, method.stream_type)
        if response.status_code == 204:
            await close(response)
            return
        # The timeout only limits the time until the stream begins.
        response.request.extensions["timeout"]["read"] = _silence
        if method.rest is not None:
            async with aclosing(self._events(method, response)) as items:
                async for item in items:
                    yield item
            return
        is_ended = has_end(response.headers.get("content-type", ""))
        rest = response.status_code, self._options.get("check_responses", False), self.errors, is_ended
        is_first = True
        async with aclosing(receive(response, "stream-lost", _never)) as chunks:
            async for chunk in chunks:
                for part in BytesIO(chunk):
                    line += part
                    if len(line) > _max_line_bytes:
                        raise TransportError("bad-response", "the line is too long", response.status_code)
                    if part.endswith(b"\n"):
                        if is_first:
                            is_first, line = False, line.removeprefix(BYTE_ORDER_MARK)
                        text = line.strip(SPACE)
                        if text == _end_line:
                            return
                        if text:
                            yield method.read_item(line, *rest)
                        line.clear()
        line = line.removeprefix(BYTE_ORDER_MARK) if is_first else line
        text = line.strip(SPACE)
        if text == _end_line:
            return
        if text:
            try:
                item = method.read_item(line, *rest)
            except TransportError as error:
                raise TransportError("stream-lost", "the last line is incomplete") from error
            yield item
        if is_ended:
            raise TransportError("stream-lost", "it has no end")

    async def _events(self, method: Method[ModelT], response: httpx.Response) -> AsyncGenerator[ModelT, None]:
        """Yields the items of a stream of server-sent events."""
        is_checked = self._options.get("check_responses", False)
        events = Events(_max_line_bytes, has_end(response.headers.get("content-type", "")))
        async with aclosing(receive(response, "stream-lost", _never)) as chunks:
            async for chunk in chunks:
                for event in events.add(chunk, response.status_code):
                    if event.name == "error":
                        raise self._event_error(method, event, response)
                    yield method.read(event.data, response.status_code, is_checked)
                if events.is_done:
                    return
        if events.end():
            raise TransportError("stream-lost", "it has no end")

    def _event_error(self, method: Method[Any], event: Event, response: httpx.Response) -> RpcError:
        """Returns the error in an event."""
        is_told = re.fullmatch("[0-9]{3}", event.status) is not None
        body = {"status": int(event.status)} if is_told else parse(event.data)
        status = status_in(body, 300, 500)
        error = self._read_error(method, event.data, status, {})
        return error or TransportError("bad-response", method.beginning(event.data), response.status_code)

    async def _download(self, method: Method[Any], request: object) -> Download:
        deadline = self._deadline_of(method)
        with callback_errors():
            response, _ = await self._respond(method, request, deadline, "")
        # By default, only a pause in a file is limited.
        return Download(response, deadline if "timeout" in self._options else _never)

    def _deadline_of(self, method: Method[Any]) -> float:
        timeout = self._options.get("timeout", None if method.files else _call_timeout)
        return time.monotonic() + (_never if timeout is None else timeout)

    def _timeout(self, method: Method[Any], deadline: float) -> httpx.Timeout:
        """Returns the limits of each step of an attempt. The option replaces those of `http`, except for connecting."""
        left = max(deadline - time.monotonic(), 0.001)
        own = self._http.timeout.as_dict()
        if method.files and self._owns_http:
            # The server may process files for long, and would process them again in another attempt.
            own["read"] = None
        given: Mapping[str, float | None] = {"connect": own["connect"]} if "timeout" in self._options else own
        limits = {name: min(left, given.get(name) or _never) for name in own}
        return httpx.Timeout(**{name: None if limit == _never else limit for name, limit in limits.items()})

    async def _respond(
        self, method: Method[Any], request: object, end: float, opens: str | None
    ) -> tuple[httpx.Response, Any]:
        message = method.write(request)
        try:
            return await self._repeat(method, message, end, opens)
        finally:
            message.rewind()

    async def _repeat(
        self, method: Method[Any], message: Message, end: float, opens: str | None
    ) -> tuple[httpx.Response, Any]:
        """Repeats a request until an attempt succeeds or no other one is due."""
        given = self._options.get("retry", Retry()) if method.is_safe or method.has_key else None
        if opens and self._options.get("reconnect"):
            # Each attempt to reconnect would be repeated.
            given = None
        retry = given or Retry(attempts=1)
        key = quote_key(self._options.get("idempotency_key", token_hex())) if method.has_key else {}
        failures, delay = 0, None
        for attempt in count(1):
            try:
                limit = retry.limit(end - time.monotonic())
                return await self._attempt(method, key, message, time.monotonic() + limit, opens)
            except RpcError as error:
                left = end - time.monotonic()
                if given and method.has_key and error.name == "WebrpcRequestFailed" and error.status == 409:
                    # The first call with the key is still running, so this is not its outcome.
                    delay = min(error.retry_after or retry.backoff_after(attempt), retry.max_backoff)
                    delay = min(max(delay, _min_poll), max(left, 0))
                    if delay >= left:
                        await settle(self._sleep(delay))
                        raise TransportError("timeout", "time ran out") from error
                else:
                    failures += 1
                    delay = retry.delay(failures, error, left, method.has_key)
                    if delay is None:
                        raise
                if not message.rewind():
                    raise
            await settle(self._sleep(delay))
        raise AssertionError("an attempt ends with a response or an error")

    async def _attempt(
        self,
        method: Method[Any],
        key: Mapping[str, str],
        message: Message,
        deadline: float,
        opens: str | None,
    ) -> tuple[httpx.Response, Any]:
        """Returns a response and its message. A success whose type contains `opens` stays open, and has an empty body."""
        parameters = self._options.get("parameters", {})
        path = fill(method.path, {**parameters, **message.fields})
        url = fill(self.base_url or "", parameters).rstrip("/") + path + message.query
        most, content = self._options.get("max_response_bytes", 2**25), bytearray()
        with transport_errors("network"), self._limit(deadline - time.monotonic()):
            given = await self._credentials_for(method)
            headers = self._headers_for(given, {**method.accept(opens), **key}, message)
            if opens:
                # With the caller's header, a lost stream would look complete.
                headers |= method.accept(opens)
            message.check()
            body, timeout = self._body_of(message), self._timeout(method, deadline)
            request = self._http.build_request(message.verb, url, headers=headers, timeout=timeout, **body)
            add_keys(request, {place[1:]: value for place, value in given.items() if place.startswith("?")})
            response: httpx.Response = await settle(self._http.send(request, stream=True, follow_redirects=False))
            await self._tell(response)
            status, is_success = response.status_code, response.is_success
            fault: RpcError | None = None
            if is_success and opens is not None:
                kind = response.headers.get("content-type", opens).lower()
                if status == 204 or opens in kind:
                    return response, content
            try:
                async with aclosing(receive(response, "network", deadline)) as chunks:
                    async for chunk in chunks:
                        content += chunk
                        if len(content) > most:
                            raise TransportError("bad-response", f"the response has more than {most} bytes", status)
            except TransportError as unreadable:
                if is_success or unreadable.reason != "bad-response":
                    raise
                # The status and the header of an error matter more than its body.
                unreadable.status, fault = status, unreadable
        if is_success and opens is None:
            is_checked = self._options.get("check_responses", False)
            return response, method.read(content, status, is_checked, response.headers)
        error = fault or (
            None
            if is_success
            else self._read_error(method, content.removeprefix(BYTE_ORDER_MARK), status, response.headers)
        )
        cause = f"not a stream: {method.beginning(content)}" if is_success else method.beginning(content)
        error = error or TransportError("bad-response", cause, status)
        if key and "idempotency-state" in response.headers:
            # The contract, a framework or a proxy can have replaced the body.
            error = WebrpcRequestFailedError("a call with this key is still running", status=status)
        error.keep_body(bytes(content))
        error.retry_after = read_retry_after(response.headers.get("retry-after", ""))
        raise error

    async def _tell(self, response: httpx.Response) -> None:
        tell = self._options.get("on_response")
        try:
            if tell is not None:
                await call_back(tell, response)
        except BaseException:
            await close(response)
            raise

    def _body_of(self, message: Message) -> Mapping[str, Any]:
        return message.body

    def _read_error(
        self, method: Method[Any], content: bytearray, status: int, headers: Mapping[str, str]
    ) -> RpcError | None:
        body = parse(content)
        if self.error_body is None:
            return read_error(body, status, self.errors, headers)
        is_text = body is None and bytes(content.strip()) != b"null"
        sent = content.decode(errors="replace") if is_text else body
        return self.error_body.read(sent, status, self.errors, method.errors, headers, method.is_sensitive)

    async def _credentials_for(self, method: Method[Any]) -> dict[str, str]:
        """Returns headers, and parameters of the query after question marks."""
        given: dict[str, str] = {}
        for name, place, prefix in method.credentials:
            source = self._credentials.get(name)
            value = await call_back(source) if callable(source) else source
            if value:
                given[place] = prefix + str(value).strip()
        return given

    def _headers_for(self, given: Mapping[str, str], own: Mapping[str, str], message: Message) -> dict[str, str]:
        headers = {"accept-encoding": "gzip, deflate", **own}
        if self._contract is not None:
            headers["webrpc"] = self._contract
        if message.media_type is not None:
            headers["content-type"] = message.media_type
        headers |= {place.lower(): value for place, value in given.items() if not place.startswith("?")}
        headers |= {name.lower(): value for name, value in self._options.get("headers", {}).items()}
        for name, value in headers.items():
            headers[name] = value.strip()
            # An error of httpx would quote the value, which can be secret.
            if not (value.strip().isascii() and value.strip().isprintable()):
                raise ValueError(f"header {name} contains characters that are not allowed")
        return {**headers, **message.headers}


class Client(_BaseClient[CredentialsT, httpx.Client, None]):
    """Calls methods. Close it after use, or use it in a `with` statement."""

    _create_http, _sleep, _limit = httpx.Client, staticmethod(time.sleep), nullcontext[float]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def call(self, method: Method[ModelT], request: object = None) -> ModelT:
        return run(self._call(method, request))

    def stream(self, method: Method[ModelT], request: object = None) -> Generator[ModelT, None, None]:
        return iterate(self._stream(method, request))

    def download(self, method: Method[Any], request: object = None) -> Download:
        return run(self._download(method, request))


class AsyncClient(_BaseClient[CredentialsT, httpx.AsyncClient, Awaitable[None] | None]):
    """Calls methods. Close it after use, or use it in an `async with` statement."""

    _create_http, _sleep, _limit = httpx.AsyncClient, staticmethod(anyio.sleep), staticmethod(anyio.fail_after)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    def _body_of(self, message: Message) -> Mapping[str, Any]:
        content = message.body.get("content")
        return {"content": AsyncUpload(content)} if isinstance(content, Upload) else message.body

    async def call(self, method: Method[ModelT], request: object = None) -> ModelT:
        return await self._call(method, request)

    def stream(self, method: Method[ModelT], request: object = None) -> AsyncGenerator[ModelT, None]:
        return self._stream(method, request)

    async def download(self, method: Method[Any], request: object = None) -> Download:
        return await self._download(method, request)


ClientT = TypeVar("ClientT", bound=Client[Any] | AsyncClient[Any])


class Given(BoundArguments):
    """The arguments of a call. Fields that were not given have no default."""

    def apply_defaults(self) -> None:
        super().apply_defaults()
        self.arguments = {name: value for name, value in self.arguments.items() if value is not ...}


class Fields(Signature):
    """The signature of a method whose arguments are the fields of its request. It is found when somebody asks for it."""

    def __init__(
        self,
        parameters: Iterable[Parameter] | None = None,
        *,
        return_annotation: Any = Signature.empty,
        method: Any = None,
    ) -> None:
        super().__init__(list(parameters or ()), return_annotation=return_annotation)
        self._method = method

    @cached_property
    def _found(self) -> Signature:
        plain = Signature(list(super().parameters.values()), return_annotation=super().return_annotation)
        # Annotations can name what only type checkers import.
        with suppress(Exception):
            return plain if self._method is None else with_fields(plain, self._method)
        return plain

    @property
    def parameters(self) -> MappingProxyType[str, Parameter]:
        return self._found.parameters

    @property
    def return_annotation(self) -> Any:
        return self._found.return_annotation

    def replace(self, **changes: Any) -> Self:
        other = self._found.replace(**changes)
        return type(self)(other.parameters.values(), return_annotation=other.return_annotation)

    def bind(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        return Given(self, super().bind(*args, **kwargs).arguments)

    def bind_partial(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        return Given(self, super().bind_partial(*args, **kwargs).arguments)

    def __reduce__(self) -> Any:
        return Fields, (list(self.parameters.values()),), {"_return_annotation": self.return_annotation}


def with_fields(plain: Signature, method: Any) -> Signature:
    """Returns a signature with the fields of a request in place of its last parameter."""
    *others, last = plain.parameters.values()
    hints = get_type_hints(method)
    (request,) = get_args(hints[last.name])
    origins: dict[str, Any] = {
        name: get_origin(hint) for name, hint in get_type_hints(request, include_extras=True).items()
    }
    fields = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=... if origins[name] is NotRequired else Parameter.empty,
            annotation=annotation,
        )
        for name, annotation in get_type_hints(request).items()
    ]
    # A field can have the name of the first parameter.
    own = [each.replace(kind=Parameter.POSITIONAL_ONLY) for each in others[:1]] + others[1:]
    return Signature([*own, *fields], return_annotation=hints.get("return", plain.return_annotation))


def signature_with_fields(method: Any) -> Fields | None:
    """Returns the signature of a method whose last parameter unpacks a request, or None for any other."""
    with suppress(TypeError, ValueError):
        plain = signature(method)
        *_, last = plain.parameters.values()
        if last.kind is Parameter.VAR_KEYWORD and "Unpack[" in str(last.annotation):
            parameters = plain.parameters.values()
            # One that is deprecated wraps the method.
            return Fields(parameters, return_annotation=plain.return_annotation, method=unwrap(method))
    return None


class Service(Generic[ClientT]):
    """A group of methods."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for method in vars(cls).values():
            fields = signature_with_fields(method) if isfunction(method) else None
            if fields is not None:
                vars(method)["__signature__"] = fields

    def __init__(self, client: ClientT) -> None:
        self._client = client
