"""Requests, responses, streams and files, without sending anything."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.message import Message as Headers
from email.utils import parsedate_to_datetime
from functools import cached_property
from inspect import isawaitable
from typing import Any, Generic, TypeVar, cast
from urllib.parse import unquote

import httpx
from pydantic import TypeAdapter, ValidationError
from pydantic_core import CoreConfig, SchemaSerializer, SchemaValidator, from_json
from typing_extensions import Self

from ._events import BYTE_ORDER_MARK, END, EVENT_STREAM, SPACE
from ._rest import Message, Part, Rest, check_commas, content_of, encode, texts_of, wrap
from ._values import CONFIG, Model, ModelT, change, check_numbers, is_dict, is_list, members_of, read_json
from .rpc_errors import Errors, Reason, TransportError, read_error

ResultT = TypeVar("ResultT")
# Longer delays, in seconds, make `time.sleep` fail.
_max_delay = 2.0**31


@dataclass(frozen=True)
class Method(Generic[ModelT]):
    """How to call a method."""

    path: str
    response: type[ModelT]
    request: Any = None
    """The type of the request, or None if it has no fields."""
    credentials: tuple[tuple[str, str, str], ...] = ()
    """The names of credentials, their headers or `?` and their names in the query, and what precedes their values."""
    is_safe: bool = False
    """Whether a call can be repeated."""
    is_sensitive: bool = False
    """Whether messages can contain sensitive fields, so that errors do not quote what could not be read."""
    has_key: bool = False
    """Whether each call has a key, with which it can be repeated."""
    rest: Rest | None = None
    """Where the parts are, if they are not only in the body."""
    body: str | None = None
    """The name in JSON of the field that is the whole body of the response."""
    errors: tuple[str, ...] | None = None
    """The names of its errors, if the server's errors have a body of their own. None means all."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names in JSON of the fields of the request that are files."""
    resume: tuple[str, str] | None = None
    """The field of the request for the cursor of the last item of a stream, and the names in JSON from there to it."""

    @cached_property
    def _schemas(self) -> tuple[SchemaValidator, SchemaSerializer]:
        if not issubclass(self.request, Model):
            self.request.__pydantic_config__ = CONFIG
        adapter = TypeAdapter[Any](self.request)
        adapter.rebuild()
        # The configuration of a TypedDict does not hide values in errors.
        validator = SchemaValidator(adapter.core_schema, CoreConfig(hide_input_in_errors=True))
        # Neither does it write NaN, which would become null.
        return validator, SchemaSerializer(adapter.core_schema, CoreConfig(ser_json_inf_nan="constants"))

    def write(self, request: Any) -> Message:
        """Returns what a request consists of. Errors: ValueError, e.g. pydantic.ValidationError."""
        if self.request is None:
            return self._place(b"{}")
        validator, serializer = self._schemas
        value = validator.validate_python(request, by_alias=False, by_name=True)
        exclude = set(self.files) or None
        content = serializer.to_json(value, by_alias=True, exclude_unset=True, exclude=exclude)
        check_numbers(content)
        if not self.files:
            return self._place(content)
        members = vars(value) if isinstance(value, Model) else value
        given = [(self.files[name], members.get(name)) for name in self.files]
        if self.rest is not None and self.rest.list_mark is None:
            return self.rest.write(self.path, from_json(content), file=next((file for _, file in given), None))
        mark = "" if self.rest is None else self.rest.list_mark or ""
        parts: list[Part] = [
            (name + mark * is_list(each), (file.name or name, content_of(file), file.type))
            for name, each in given
            for file in (each if is_list(each) else [each])
            if file
        ]
        if self.rest is not None:
            return self.rest.write(self.path, from_json(content), parts)
        return Message({"files": [("json", (None, content)), *parts]})

    def cursor_of(self, item: Model) -> Any:
        """Returns the cursor of an item, or None if the stream has no cursors."""
        if self.resume is None:
            return None
        cursor: Any = item
        for key in self.resume[1].split("."):
            cursor = members_of(cursor)[key]
        return cursor

    def resumed(self, request: Any, cursor: Any) -> Any:
        """Returns the request for the items of a stream after a cursor."""
        return request if self.resume is None or cursor is None else change(request, self.resume[0], cursor)

    def _place(self, content: bytes) -> Message:
        if self.rest is None:
            return Message({"content": content}, "application/json")
        return self.rest.write(self.path, from_json(content))

    @property
    def stream_type(self) -> str:
        """What the media type of a stream contains: server-sent events have an address of their own."""
        return "ndjson" if self.rest is None else EVENT_STREAM

    def accept(self, opens: str | None) -> dict[str, str]:
        """Returns the header that asks for the type of a response. Files can have any."""
        if opens == EVENT_STREAM:
            # Some servers compare the header with their own type.
            return {"accept": f"{EVENT_STREAM}, {EVENT_STREAM}{END}"}
        if opens:
            return {"accept": f"application/x-ndjson{END}, */*"}
        # The contract does not name types such as application/hal+json, so none is excluded.
        is_any = self.rest is None or opens == ""
        return {} if is_any else {"accept": "application/json, */*;q=0.1"}

    def read_item(self, line: bytearray, status: int, is_checked: bool, errors: Errors, is_ended: bool) -> ModelT:
        """Reads an item of a stream. Errors: RpcError."""
        last: Any = {}
        if line.lstrip(SPACE).startswith(b"["):
            # The end of a stream that failed.
            last = parse(line)
        elif not is_ended and (b'"webrpcError"' in line or b"\\u" in line):
            item = parse(line)
            last = [item["webrpcError"]] if is_dict(item) and "webrpcError" in item else {}
        if last == {}:
            return self.read(line, status, is_checked)
        envelope = last[0] if is_list(last) and len(last) == 1 else None
        error = read_error(envelope, status_in(envelope, 400, 400), errors)
        raise error or TransportError("bad-response", self.beginning(line), status)

    def read(
        self,
        content: bytes | bytearray,
        status: int,
        is_checked: bool,
        headers: Mapping[str, str] | None = None,
    ) -> ModelT:
        """Reads a response or, without headers, an item of a stream. Errors: TransportError."""
        try:
            text = well_formed(content if headers is None else content.removeprefix(BYTE_ORDER_MARK))
            if self.rest is not None and headers is not None:
                is_empty = len(self.response.model_fields) == len(self.rest.response_headers)
                text = self.rest.read(text, status, headers, self.body, is_empty)
            elif self.body is not None:
                text = wrap(self.body, text)
            value = read_json(self.response, text)
        except ValueError as error:
            # Some errors contain the text, such as UnicodeDecodeError.
            is_hidden = self.is_sensitive and not isinstance(error, ValidationError)
            reason = ValueError("hidden") if is_hidden else error
            raise TransportError("bad-response", self.beginning(content), status) from reason
        try:
            return self.response.model_validate(value) if is_checked else value
        except ValidationError as error:
            raise TransportError("bad-response", str(error), status) from error

    def beginning(self, content: bytes | bytearray) -> str:
        """Returns the beginning of a body for errors, unless it can contain what is sensitive."""
        return "hidden" if self.is_sensitive else content[:2000].decode("utf-8-sig", errors="replace")[:500]


_escape = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def well_formed(text: bytes | bytearray) -> bytes | bytearray:
    """Returns JSON with U+FFFD in place of unpaired surrogates, and of bytes that are not UTF-8."""
    # A string from one user would otherwise end the streams of others.
    try:
        text.decode()
    except UnicodeDecodeError:
        text = text.decode(errors="replace").encode()
    if b"\\ud" not in text and b"\\uD" not in text:
        return text
    return _escape.sub(lambda found: b"\\ufffd" if found[1] else found[0], text)


def parse(content: bytes | bytearray) -> Any:
    try:
        return from_json(well_formed(content), allow_inf_nan=False)
    except ValueError:
        return None


def status_in(body: Any, least: int, otherwise: int) -> int:
    """Returns the HTTP status that an error in a stream names, or the default if it is not a number of an error."""
    status: Any = body.get("status") if is_dict(body) else None
    is_number = isinstance(status, (int, float)) and not isinstance(status, bool)
    return int(status) if is_number and status in range(least, 600) else otherwise


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Fills the placeholders of an address. Errors: ValueError."""

    def value_of(match: re.Match[str]) -> str:
        value = values.get(match[1])
        texts = texts_of(value, is_text=True)
        if is_list(value):
            check_commas(f"parameter {match[1]}", texts)
        text = ",".join(map(encode, texts))
        if text in ("", ".", ".."):
            raise ValueError(f"parameter {match[1]} is missing or is only dots")
        return text

    return re.sub(r"\{(\w+)\}", value_of, template) if "{" in template else template


def read_retry_after(header: str) -> float | None:
    """Reads a number of seconds or a date (RFC 9110, section 10.2.3)."""
    if re.fullmatch("[0-9]+", header):
        return min(float(header), _max_delay)
    try:
        at = parsedate_to_datetime(header).replace(tzinfo=timezone.utc)
    except (OverflowError, ValueError):
        return None
    return min(max(0.0, (at - datetime.now(timezone.utc)).total_seconds()), _max_delay)


# The functions for both kinds of clients are asynchronous. A synchronous client never waits in them, so that it can run
# them without an event loop.


def run(step: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Runs a function that never waits."""
    try:
        step.send(None)
    except StopIteration as end:
        return cast("ResultT", end.value)
    step.close()
    raise TypeError("only asynchronous clients can await")


def iterate(items: AsyncGenerator[ResultT, None]) -> Generator[ResultT, None, None]:
    """Iterates without waiting."""
    try:
        while True:
            yield run(items.__anext__())
    except StopAsyncIteration:
        pass
    finally:
        run(items.aclose())


async def settle(value: Any) -> Any:
    """Waits for what an asynchronous client or function returned. Others already have the value."""
    return await value if isawaitable(value) else value


class CallbackError(Exception):
    """Contains an error of a function that the program gave, which is no failure of an attempt."""


async def call_back(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return await settle(function(*args))
    except Exception as error:
        raise CallbackError(error) from error


@contextmanager
def callback_errors() -> Generator[None, None, None]:
    """Raises the errors of the program's functions as they are."""
    try:
        yield
    except CallbackError as wrapped:
        (error,) = wrapped.args
        raise error from error.__cause__


@contextmanager
def transport_errors(lost: Reason) -> Generator[None, None, None]:
    try:
        yield
    except httpx.UnsupportedProtocol:
        raise
    except httpx.RequestError as error:
        if lost == "network" and isinstance(error, httpx.TimeoutException):
            lost = "timeout"
        elif lost == "network" and isinstance(error, httpx.DecodingError):
            # Another attempt would get the same bytes.
            lost = "bad-response"
        raise TransportError(lost, str(error)) from error
    except TimeoutError as error:
        raise TransportError("timeout") from error


async def close(response: httpx.Response) -> None:
    await settle((response.close if isinstance(response.stream, httpx.SyncByteStream) else response.aclose)())


async def receive(response: httpx.Response, lost: Reason, deadline: float) -> AsyncGenerator[bytes, None]:
    """Receives the body of a response, and closes it."""
    is_synchronous = isinstance(response.stream, httpx.SyncByteStream)
    chunks: Any = response.iter_bytes() if is_synchronous else response.aiter_bytes()
    advance: Any = next if is_synchronous else anext
    encoding = response.headers.get("content-encoding", "").lower()
    try:
        # A few bytes of other codings, or of several ones, can expand to gigabytes.
        if encoding not in ("", "identity", "gzip", "deflate"):
            raise TransportError("bad-response", f"unexpected content-encoding: {encoding}", response.status_code)
        with transport_errors(lost):
            while (chunk := await settle(advance(chunks, None))) is not None:
                if time.monotonic() > deadline:
                    raise TimeoutError
                yield chunk
    finally:
        await close(response)


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
        length = headers.get("content-length", "") if "content-encoding" not in headers else ""
        self.size: int | None = int(length) if re.fullmatch("[0-9]{1,18}", length) else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        run(close(self._response))

    def __iter__(self) -> Iterator[bytes]:
        return iterate(receive(self._response, "stream-lost", self._deadline))

    def read(self) -> bytes:
        """Returns the whole content."""
        with self:
            return b"".join(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await close(self._response)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return receive(self._response, "stream-lost", self._deadline)

    async def aread(self) -> bytes:
        """Returns the whole content, in asynchronous clients."""
        async with self:
            return b"".join([chunk async for chunk in self])
