"""Tests where clients put the parts of requests, and read those of responses."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import io
import json
import os
import pickle
import pydoc
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import Parameter
from itertools import count as forever
from pathlib import Path
from threading import Thread
from typing import IO, Any, cast
from unittest.mock import create_autospec

import httpx
import pytest
import rest
from rest import File, Retry, RpcError, TransportError, errors
from rest._wire import well_formed
from rest.client import PartsService
from rest.types import Address, DeleteRequest, Limit, Page, Report, Ticket

from typing_extensions import Unpack


@pytest.fixture
def client() -> Iterator[rest.RestClient]:
    with rest.RestClient(os.environ["REST"]) as client:
        yield client


def mock(response: httpx.Response) -> rest.RestClient:
    http = httpx.Client(transport=httpx.MockTransport(lambda _: response))
    return rest.RestClient("http://host/", http=http)


def sent(call: Any) -> httpx.Request:
    """Returns the request of a call to a server that fails."""
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(500)

    with pytest.raises(TransportError):
        call(rest.RestClient("http://host/", http=httpx.Client(transport=httpx.MockTransport(respond))))
    return requests[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"note": "ä & = + % 😀"},
        {"note": ""},
        {"flag": False, "ratio": 1e21, "tags": ["a", "", "c,d"]},
        {"address": {"street": "s", "floors": [0, 4294967295], "color": "blue"}},
        {"parcels": [{"street": "a"}, {"street": "b", "floors": [1, 2]}]},
        {"counts": {"a b": 1, "": 2, "__proto__": 3}},
    ],
)
def test_forms(client: rest.RestClient, fields: dict[str, Any]) -> None:
    address = {"address": Address.model_validate(fields["address"])} if "address" in fields else {}
    parcels = {"parcels": [Address.model_validate(each) for each in fields["parcels"]]} if "parcels" in fields else {}
    given: Any = {**fields, **address, **parcels}
    assert client.parts.form(id="a/b", **given).received == {"id": "a/b", **fields}


def test_a_form_with_a_time_and_without_pairs(client: rest.RestClient) -> None:
    at = datetime(2024, 2, 29, 12, tzinfo=timezone.utc)
    received = client.parts.form(id="a", at=at).received
    assert datetime.fromisoformat(received["at"].replace("Z", "+00:00")) == at
    assert client.parts.form(id="a", tags=[], counts={}).received == {"id": "a"}


def test_forms_with_files(client: rest.RestClient) -> None:
    fields: Any = {"title": "a\nb\r\nä & %22", "tags": ["", "c,d"], "counts": {"__proto__": 1, 'a "b': 2}}
    response = client.parts.attach(
        id="a/b",
        **fields,
        address=Address(street="s", floors=[1, 2]),
        paper=File(b"x", 'p"q.txt', "text/plain"),
        photos=[File(b"y"), File(b"", "z")],
    )
    assert response.model_dump(by_alias=True, exclude_unset=True) == {
        **fields,
        "address": {"street": "s", "floors": [1, 2]},
        "files": ['p"q.txt text/plain x', "photos application/octet-stream y", "z application/octet-stream "],
    }
    logos = client.parts.logos(labels=["l"], images=[File(b"x", "i")])
    assert (logos.labels, logos.files) == (["l"], ["i application/octet-stream x"])
    request = sent(lambda client: client.parts.logos(labels=["l"], images=[File(b"x", "i")]))
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="labels[]"' in request.content
    assert b'name="images[]"; filename="i"' in request.content
    request = sent(lambda client: client.parts.logos(images=[]))
    assert ("content-type" in request.headers, request.content) == (False, b"")
    for name in ("\\", "%22"):
        with pytest.raises(ValueError, match="cannot express the name"):
            client.parts.attach(id="a", paper=File(b""), counts={name: 1})


def test_refuses_other_contents_of_files() -> None:
    for content in ("text", bytearray(b"x"), io.StringIO("x"), None):
        with pytest.raises(TypeError, match="the content of a file: expected bytes or a file in binary mode"):
            File(cast(Any, content))
    create: Any
    for create in (tempfile.TemporaryFile, tempfile.SpooledTemporaryFile, tempfile.NamedTemporaryFile):
        with create() as binary, create(mode="w") as text:
            assert File(binary).content is binary
            with pytest.raises(TypeError, match="got a file in text mode"):
                File(text)


class Pipe(io.RawIOBase):
    """A file without positions."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._content.readinto(buffer)


def test_files_as_bodies(client: rest.RestClient) -> None:
    stored = client.parts.store(id="a/b", note="ä", revision="r", content=File(b"a,b\r\n", "ignored", "text/csv"))
    assert (stored.note, stored.revision, stored.type, stored.text) == ("ä", "r", "text/csv", "a,b\r\n")
    skipped = io.BytesIO(b"abc")
    skipped.seek(1)
    for file, expected in (
        (File(b""), ("application/octet-stream", "")),
        (File(b"x", type=""), ("application/octet-stream", "x")),
        (File(skipped, type="a/b"), ("a/b", "bc")),
        (File(cast("IO[bytes]", Pipe(b"abc")), type="a/b"), ("a/b", "abc")),
    ):
        scanned = client.parts.scan(scan=file)
        assert (scanned.type, scanned.text) == expected
    assert client.parts.scan().type == ""
    with pytest.raises(ValueError):
        client.parts.store(id="a", revision="r")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    request = sent(lambda client: client.parts.scan(scan=File(b"x")))
    assert request.headers["content-length"] == "1"
    request = sent(lambda client: client.parts.scan())
    assert ("content-type" in request.headers, request.content) == (False, b"")


@pytest.mark.parametrize("is_on_disk", [False, True])
def test_files_that_are_not_at_their_beginning(is_on_disk: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcd")

    def fail(request: httpx.Request) -> httpx.Response:
        request.read()
        raise httpx.ReadError("reset")

    with path.open("rb") if is_on_disk else io.BytesIO(b"abcd") as content:
        content.seek(1)
        file = File(content, "i")
        failing = rest.RestClient("http://host", http=httpx.Client(transport=httpx.MockTransport(fail)))
        # Each call sends the same part, also after one that failed.
        for _ in range(2):
            form = sent(lambda client: client.parts.logos(images=[file]))
            assert b"\r\n\r\nbcd\r\n" in form.content
            assert int(form.headers["content-length"]) == len(form.content)
            scan = sent(lambda client: client.parts.scan(scan=file))
            assert (scan.headers["content-length"], scan.content) == ("3", b"bcd")
            for call in (lambda: failing.parts.logos(images=[file]), lambda: failing.parts.scan(scan=file)):
                with pytest.raises(TransportError):
                    call()
    with pytest.raises(TypeError, match="binary"):
        sent(lambda client: client.parts.logos(images=[File(cast("IO[bytes]", io.StringIO("a")))]))


def test_files_that_are_closed_before_the_response() -> None:
    kept, closed = io.BytesIO(b"abcd"), io.BytesIO(b"abcd")
    kept.seek(1)

    def answer(request: httpx.Request) -> httpx.Response:
        request.read()
        closed.close()
        raise httpx.ReadError("reset")

    client = rest.RestClient("http://host", http=httpx.Client(transport=httpx.MockTransport(answer)))
    # The failure of the call is told, and other files are at their beginning.
    with pytest.raises(TransportError):
        client.parts.logos(images=[File(closed, "a"), File(kept, "b")])
    assert kept.tell() == 1


async def call_with_files() -> None:
    async with rest.AsyncRestClient(os.environ["REST"]) as client:
        long = b"ab" * 1_000_000
        async with await client.parts.copy(source=File(io.BytesIO(long), type="x/y")) as copied:
            assert (copied.type, await copied.aread() == long) == ("x/y", True)
        scanned = await client.parts.scan(scan=File(b"x", type="x/y"))
        assert (scanned.type, scanned.text) == ("x/y", "x")


def test_files_of_asynchronous_clients() -> None:
    asyncio.run(call_with_files())


def test_files_of_repeated_calls() -> None:
    bodies: list[bytes] = []

    def respond(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        return httpx.Response(503)

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = rest.RestClient("http://host/", http=http, retry=Retry(attempts=2))
    with pytest.raises(TransportError):
        client.parts.store(id="a", revision="r", content=File(io.BytesIO(b"abc")))
    assert bodies == [b"abc", b"abc"]


class Changed(io.BytesIO):
    """A file whose length changes after it was measured."""

    def __init__(self, length: int, content: bytes) -> None:
        super().__init__(content)
        self._length = length

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._length if whence == os.SEEK_END else super().seek(offset, whence)


@contextmanager
def receiver(whole: list[bytes]) -> Iterator[str]:
    """Serves at an address, and adds the bodies of requests that arrive whole until all requests have ended."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with suppress(ConnectionError):
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) == length:
                    whole.append(body)
                    self.send_response(418)
                    self.end_headers()

        do_PUT = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def scan(address: str, file: File) -> None:
    async with rest.AsyncRestClient(address, retry=None) as client:
        await client.parts.scan(scan=file)


@pytest.mark.parametrize(
    ("length", "size"),
    [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (65536, 65535), (65536, 65536), (65536, 65537), (65536, 131072)],
)
def test_files_of_another_length_are_not_sent(length: int, size: int) -> None:
    whole: list[bytes] = []
    with receiver(whole) as address, rest.RestClient(address, retry=None) as client:
        calls: list[Callable[[File], object]] = [
            lambda file: client.parts.scan(scan=file),
            lambda file: client.parts.logos(images=[file]),
            lambda file: asyncio.run(scan(address, file)),
        ]
        for call in calls:
            with pytest.raises(TransportError) as caught:
                call(File(Changed(length, b"a" * size)))
            changed = ("network", f"the file does not have {length} bytes")
            assert (caught.value.reason, caught.value.cause) == (("bad-response", "") if length == size else changed)
    assert len(whole) == (3 if length == size else 0)


def test_downloads_with_an_address(client: rest.RestClient) -> None:
    with client.parts.fetch(id="7") as file:
        assert (file.name, file.type, file.read()) == ("7.txt", "text/plain", b"content of 7")
    with client.parts.print(id="7", text="w") as sheet:
        assert (sheet.name, sheet.type, sheet.read()) == ("", "text/csv", b"7: w")


def test_lists_with_brackets(client: rest.RestClient) -> None:
    address = Address(street="s", floors=[1, 2], color="red")
    assert client.parts.brackets(id="a", address=address).received == {
        "id": "a",
        "address": {"street": "s", "floors": [1, 2], "color": "red"},
    }
    request = sent(lambda client: client.parts.brackets(id="a", address=address))
    assert request.content == b"street=s&floors%5B%5D=1&floors%5B%5D=2&color=red"
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    "fields",
    [{"parcels": [{}]}, {"counts": {"a]": 1}}],
)
def test_forms_that_cannot_be_written(client: rest.RestClient, fields: dict[str, Any]) -> None:
    given: Any = {**fields, "parcels": [Address.model_construct() for _ in fields.get("parcels", [])]}
    with pytest.raises(ValueError):
        client.parts.form(id="a", **given)


def test_headers(client: rest.RestClient) -> None:
    other = client.with_options(headers={"If-Match": "another", "x-flag": "false"})
    put = other.parts.put(
        id=7, tags=["a b", "c"], words=["d e", "f"], revision='"r 1"', counts=[1, 2], flag=True, text="t"
    )
    assert put.page == Page(id="7", text="t")
    assert put.location == '/pages/7?"r 1"'
    assert (put.counts, put.flag, put.words) == ([1, 2], True, ["d e", "f"])


def test_parts_of_a_request() -> None:
    request = sent(
        lambda client: client.parts.put(
            id=7, tags=["a b", "c&"], words=["d,e", "f"], revision="r", counts=[1, 2], text="t"
        )
    )
    assert request.method == "PUT"
    assert request.url.raw_path == b"/pages/7?tags=a%20b,c%26&word=d%2Ce&word=f&beta=true"
    assert request.headers["if-match"] == "r"
    assert request.headers["x-counts"] == "1,2"
    assert "x-flag" not in request.headers
    assert request.content == b'{"text":"t"}'
    empty = sent(lambda client: client.parts.put(id=7, revision="", counts=[], text=""))
    assert empty.url.raw_path == b"/pages/7?beta=true"
    assert empty.headers["if-match"] == ""
    assert "x-counts" not in empty.headers


@pytest.mark.parametrize("revision", [" secret", "secret\r\nX-Key: b", "sécret", "secret\0"])
def test_headers_that_are_not_allowed(client: rest.RestClient, revision: str) -> None:
    with pytest.raises(ValueError, match="header If-Match contains characters that are not allowed") as caught:
        client.parts.put(id=1, revision=revision, counts=[], text="")
    assert "cret" not in str(caught.value)


def test_joined_lists_have_no_commas(client: rest.RestClient) -> None:
    with pytest.raises(ValueError, match="parameter tags has items with commas"):
        client.parts.put(id=1, tags=["a,b"], revision="r", counts=[], text="")


def test_empty_lists_in_headers_of_responses(client: rest.RestClient) -> None:
    put = client.parts.put(id=1, revision="r", counts=[], words=[], text="")
    assert put.counts == []
    assert put.words is None


def test_a_response_of_headers(client: rest.RestClient) -> None:
    assert client.parts.delete(id=4294967295).left == 4294967295
    left = mock(httpx.Response(204, headers={"X-Left": "18446744073709551615"})).parts.delete(id=1).left
    assert left == 18446744073709551615


@pytest.mark.parametrize("headers", [{}, {"x-left": "a"}, {"x-left": "1.5"}, {"x-left": "1,2"}, {"x-left": "NaN"}])
def test_invalid_headers_of_responses(headers: dict[str, str]) -> None:
    with pytest.raises(TransportError) as caught:
        mock(httpx.Response(204, headers=headers)).parts.delete(id=1)
    assert caught.value.reason == "bad-response"


def test_long_headers_of_responses() -> None:
    # Splitting them takes time in proportion to their length.
    words = f"a{' ' * 100_000}b,{' ' * 100_000}c"
    headers = {"location": "/", "x-counts": "1", "x-words": words}
    response = httpx.Response(200, json={"pageID": "1", "text": ""}, headers=headers)
    put = mock(response).parts.put(id=1, revision="r", counts=[], text="")
    assert put.words == [f"a{' ' * 100_000}b", "c"]


def test_statuses(client: rest.RestClient) -> None:
    assert client.parts.create(name="a").report == Report(name="a")
    assert client.parts.create(name="later").ticket == Ticket(position=1)
    none = client.parts.create(name="")
    assert (none.report, none.ticket) == (None, None)
    assert client.parts.replace(name="new").status == 201
    old = client.parts.replace(name="old")
    assert (old.status, old.report) == (200, Report(name="old"))
    client.parts.refresh(name="a")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (203, b'{"name":"a"}'),
        (200, b""),
        (200, b'{"position":1}'),
        (200, b'{"name":"a"},"ticket":{"position":1}'),
        (202, b"1"),
    ],
)
def test_statuses_that_do_not_fit(status: int, body: bytes) -> None:
    with pytest.raises(TransportError) as caught:
        mock(httpx.Response(status, content=body)).parts.create(name="a")
    assert (caught.value.reason, caught.value.status) == ("bad-response", status)


def test_a_status_without_outputs() -> None:
    mock(httpx.Response(299, content=b"<p>")).parts.refresh(name="a")


def test_data_of_errors_in_headers(client: rest.RestClient) -> None:
    with pytest.raises(errors.LimitReachedError) as caught:
        client.parts.create(name="limit")
    assert caught.value.data == Limit(left=1, retry_in=7)
    envelope = {"error": "LimitReached", "code": 1429, "msg": "limit reached", "status": 429, "data": {"left": 2}}
    for text, data in (("8", Limit(left=2, retry_in=8)), ("soon", None)):
        response = httpx.Response(429, json=envelope, headers={"x-retry-in": text})
        with pytest.raises(errors.LimitReachedError) as caught:
            mock(response).parts.create(name="a")
        assert caught.value.data == data


def test_whole_bodies(client: rest.RestClient) -> None:
    report = Report(name="b")
    assert client.parts.change(name="a", report=report).received == {"name": "a", "report": {"name": "b"}}
    assert client.parts.change(name="a").received == {"name": "a"}
    assert "content-type" not in sent(lambda client: client.parts.change(name="a")).headers


def test_the_asynchronous_client() -> None:
    async def call() -> None:
        async with rest.AsyncRestClient(os.environ["REST"]) as client:
            assert (await client.parts.form(id="a", tags=["b", "c"])).received == {"id": "a", "tags": ["b", "c"]}
            assert (await client.parts.replace(name="new")).status == 201
            assert (await client.parts.delete(id=1)).left == 1

    asyncio.run(call())


EVENT_STREAM = {"content-type": "Text/Event-Stream; charset=utf-8"}


def read_cases(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


EVENT_CASES = read_cases(os.environ["EVENT_CASES"])
LINE_CASES = read_cases(os.environ["LINE_CASES"])


def collect(items: Any) -> tuple[list[Any], RpcError | None]:
    """Returns what a loop gets, and the error that ends it."""
    seen: list[Any] = []
    try:
        for item in items:
            seen.append(item)
    except RpcError as error:
        return seen, error
    return seen, None


def chunks_of(body: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def body_of(each: dict[str, Any]) -> bytes:
    return cast(str, each["body"]).encode("latin-1" if each.get("isBytes") else "utf-8")


def items_of(each: dict[str, Any]) -> Any:
    """Returns the items of a case. Python has no text with unpaired surrogates that could be written."""
    return json.loads(well_formed(json.dumps(each["items"]).encode()))


def check_end(each: dict[str, Any], error: RpcError | None) -> None:
    end = each["end"]
    if end is None:
        assert error is None
    elif isinstance(end, str):
        assert isinstance(error, TransportError)
        assert error.reason == end
    else:
        assert error is not None
        assert (error.name, error.status) == (end["name"], end["status"])
        assert error.message == end.get("message", error.message)


@pytest.mark.parametrize("each", EVENT_CASES, ids=lambda each: each["name"])
def test_events(each: dict[str, Any]) -> None:
    body = body_of(each)
    kind = EVENT_STREAM["content-type"] + ";end=1" * each.get("isEnded", False)
    for size in (1, 2, 7, len(body) + 1):
        response = httpx.Response(200, content=chunks_of(body, size), headers={"content-type": kind})
        items, error = collect(mock(response).parts.tick(id="a"))
        assert [item.tick for item in items] == items_of(each)
        check_end(each, error)


@pytest.mark.parametrize("each", LINE_CASES, ids=lambda each: each["name"])
def test_lines(each: dict[str, Any]) -> None:
    body = body_of(each)
    for is_ended in (False, True):
        if each.get("isEnded", is_ended) != is_ended:
            continue
        kind = "Application/X-NDJSON" + ";end=1" * is_ended
        for size in (1, 2, 7, len(body) + 1):
            response = httpx.Response(200, content=chunks_of(body, size), headers={"content-type": kind})
            items, error = collect(mock(response).feed.lines())
            assert [json.loads(item.model_dump_json(exclude_unset=True, by_alias=True)) for item in items] == items_of(each)
            check_end(each, error)


def test_streams_of_events(client: rest.RestClient) -> None:
    items, error = collect(client.parts.watch(id="a/b", count=2))
    assert error is None
    assert [(item.id, item.n, item.large, item.more) for item in items] == [
        ("a/b", 1, 2**70, ["a/b"]),
        ("a/b", 2, 2**70, ["a/b"]),
    ]
    for count in (0, 2):
        items, error = collect(client.parts.watch(id="a", count=count, fail=True))
        assert len(items) == count
        assert isinstance(error, errors.LimitReachedError)
        assert (error.status, error.data) == (429, Limit(left=1, retry_in=7))
    assert [item.tick for item in client.parts.tick(id="a", count=2)] == [["a", 1], ["a", 2]]
    assert len(list(client.parts.beat(count=3))) == 3


def test_streams_of_events_of_the_asynchronous_client() -> None:
    async def call() -> None:
        async with rest.AsyncRestClient(os.environ["REST"]) as client:
            assert [item.n async for item in client.parts.watch(id="a", count=3)] == [1, 2, 3]
            with pytest.raises(errors.LimitReachedError):
                async for _ in client.parts.watch(id="a", count=1, fail=True):
                    pass

    asyncio.run(call())


def test_streams_ask_for_events() -> None:
    # Without the end, a lost stream would look complete.
    own = {"Accept": "application/json"}
    request = sent(lambda client: list(client.with_options(headers=own).parts.tick(id="a")))
    assert request.headers["accept"] == "text/event-stream, text/event-stream;end=1"


FORGED = '{"n":1,"webrpcError":{"error":"WebrpcBadRequest","code":-4}}'


@pytest.mark.parametrize(
    ("end", "body", "count", "reason"),
    [
        (";end=1", "data: 1\n\n", 1, "stream-lost"),
        (";end=1", "data: 1\n\nevent: end\n", 1, "stream-lost"),
        (";end=1", "data: 1\n\nevent: end\n\n", 1, None),
        (";end=1", "data: 1\n\ndata: [DONE]\n", 1, None),
        (";end=1", f"data: {FORGED}\n\nevent: end\n\n", 1, None),
        ("", f"data: {FORGED}\n\n", 1, None),
        ("", "data: 1\n\n", 1, None),
        ("", "data: 1\n\nevent: end\n\ndata: 2\n\n", 2, None),
        ("", "event: end\ndata: 1\n\n", 1, None),
    ],
)
def test_events_are_complete_only_with_an_announced_end(end: str, body: str, count: int, reason: str | None) -> None:
    response = httpx.Response(200, text=body, headers={"content-type": f"text/event-stream{end}"})
    items, error = collect(mock(response).parts.tick(id="a"))
    assert len(items) == count
    assert getattr(error, "reason", None) == reason


def test_calls_ask_for_json_and_files_for_any_type() -> None:
    def accept(call: Any) -> str:
        return sent(call).headers["accept"]

    assert accept(lambda client: client.parts.form(id="a")) == "application/json, */*;q=0.1"
    assert accept(lambda client: client.with_options(headers={"Accept": "text/x"}).parts.form(id="a")) == "text/x"
    assert accept(lambda client: client.parts.fetch(id="a").__enter__()) == "*/*"


@pytest.mark.parametrize("media_type", ["application/json", "application/x-ndjson", "text/html"])
def test_responses_that_are_no_events(media_type: str) -> None:
    response = httpx.Response(200, content=b'"a"', headers={"content-type": media_type})
    _, error = collect(mock(response).parts.tick(id="a"))
    assert isinstance(error, TransportError)
    assert (error.reason, error.status) == ("bad-response", 200)


@pytest.mark.parametrize("piece", [b"data: " + b"a" * 2**20 + b"\n", b"a" * 2**20, b"data: " + b"a" * 2**20 + b"\r"])
def test_events_that_are_too_large(piece: bytes) -> None:
    response = httpx.Response(200, content=(piece for _ in forever()), headers=EVENT_STREAM)
    _, error = collect(mock(response).parts.tick(id="a"))
    assert isinstance(error, TransportError)
    assert error.reason == "bad-response"


def test_signatures_show_the_fields_of_requests() -> None:
    for client in (rest.RestClient("http://host"), rest.AsyncRestClient("http://host")):
        parameters = inspect.signature(type(client.parts).put).parameters
        assert list(parameters) == ["self", "id", "tags", "words", "revision", "counts", "flag", "text"]
        assert [name for name, each in parameters.items() if each.default is ...] == ["tags", "words", "flag"]
        assert parameters["counts"].annotation == list[int]
    service = rest.RestClient("http://host").parts
    assert str(inspect.signature(service.delete)).startswith("(*, id: int")
    assert "revision: str" in pydoc.render_doc(service.put)
    bound = inspect.signature(service.put).bind(id=1, revision="a", counts=[], text="b")
    bound.apply_defaults()
    # An optional field that is not given is not null.
    assert bound.arguments == {"id": 1, "revision": "a", "counts": [], "text": "b"}
    for each in (inspect.signature(service.put), inspect.signature(type(service).put)):
        for other in (pickle.loads(pickle.dumps(each)), copy.deepcopy(each), each.replace()):
            assert other == each
            assert str(other) == str(each)
            assert "-> rest.types.PutResponse" in str(other)


def test_signatures_of_subclasses() -> None:
    class Logged(PartsService):
        def put(self, **kwargs: Any) -> Any:
            return super().put(**kwargs)

        def extra(self, **options: int) -> int:
            return len(options)

        def find(self, count: int = 3, **sent: Unpack[DeleteRequest]) -> None: ...

        def unknown(self, **sent: Unpack[Missing]) -> None: ...  # type: ignore # noqa: F821

        wrapped = functools.wraps(print)(lambda *args: args)

    assert [each.kind for each in inspect.signature(Logged.put).parameters.values()][1:] == [Parameter.VAR_KEYWORD]
    assert str(inspect.signature(Logged.extra)) == "(self, **options: 'int') -> 'int'"
    assert list(inspect.signature(Logged.find).parameters) == ["self", "count", "id"]
    assert list(inspect.signature(Logged.unknown).parameters) == ["self", "sent"]
    assert "put(self, **kwargs" in pydoc.render_doc(Logged, renderer=pydoc.plaintext)
    assert create_autospec(Logged, instance=True).extra(a=1)
    bound = inspect.signature(Logged(rest.RestClient("http://host")).find).bind_partial()
    bound.apply_defaults()
    assert bound.arguments == {"count": 3}


def test_client_only(client: rest.RestClient) -> None:
    assert client.parts.check(id=7, words=["a", "b"]).words == ["a", "b"]
    assert client.parts.read_again(number=8).page.id == "8"
