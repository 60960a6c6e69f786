"""Tests clients against hostile servers, values and surroundings."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, closing
from typing import Any

import anyio
import conformance
import files
import httpx
import pytest
from files import webhooks

files.PATTERNS[r"^(?!\.)[^/]+$"] = lambda text: text[0] != "." and "/" not in text

Respond = Callable[[httpx.Request], httpx.Response]
JSON = {"content-type": "application/json"}
LINES = {"content-type": "application/x-ndjson"}
BOTH = pytest.mark.parametrize("kind", ["synchronous", "asynchronous"])
# What a client does with a response.
USES = pytest.mark.parametrize("use", ["call", "stream", "file"])


class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in chunks, and notices when it is closed."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        yield from self.chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            await anyio.lowlevel.checkpoint()
            yield chunk

    def close(self) -> None:
        self.closed += 1

    async def aclose(self) -> None:
        self.closed += 1


def perform(kind: str, use: str, respond: Respond, **options: Any) -> Any:
    transport = httpx.MockTransport(respond)
    if kind == "asynchronous":
        return asyncio.run(perform_async(use, transport, **options))
    http = httpx.Client(transport=transport)
    client = conformance.ConformanceClient("http://host", http=http, **options)
    if use == "call":
        return client.echo.any(value=1).value
    if use == "stream":
        return [item.n for item in client.lines.endless()]
    return files.FilesClient("http://host", http=http, **options).pictures.download(title="a").read()


async def perform_async(use: str, transport: httpx.MockTransport, **options: Any) -> Any:
    http = httpx.AsyncClient(transport=transport)
    client = conformance.AsyncConformanceClient("http://host", http=http, **options)
    if use == "call":
        return (await client.echo.any(value=1)).value
    if use == "stream":
        return [item.n async for item in client.lines.endless()]
    download = await files.AsyncFilesClient("http://host", http=http, **options).pictures.download(title="a")
    return await download.aread()


def answer(*chunks: bytes, headers: dict[str, str] = JSON, status: int = 200) -> tuple[Respond, Body]:
    body = Body(*chunks)
    return lambda _: httpx.Response(status, headers=headers, stream=body), body


# Streams

FAILURE = b'{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","status":400}'
ENDED = {"content-type": "application/x-ndjson;end=1"}


@BOTH
@pytest.mark.parametrize(
    ("headers", "body", "end"),
    [
        (ENDED, b'\n{"n":1}\n', "stream-lost"),
        (ENDED, b'\n{"n":1}\n[', "stream-lost"),
        (ENDED, b'\n{"n":1}\n[]', None),
        (ENDED, b'\n{"n":1}\n[]\n{', None),
        (ENDED, b'\n{"n":1}\n[' + FAILURE + b"]\n", "WebrpcBadRequest"),
        (ENDED, b'\n{"n":1}\n[' + FAILURE, "stream-lost"),
        (ENDED, b'\n{"n":1,"webrpcError":' + FAILURE + b"}\n[]\n", None),
        (LINES, b'\n{"n":1,"webrpcError":' + FAILURE + b"}\n", "WebrpcBadRequest"),
        (LINES, b'\n{"n":1}\n', None),
        (LINES, b'\n{"n":1}\n[]\n', None),
    ],
)
def test_lines_are_complete_only_with_an_announced_end(
    kind: str, headers: dict[str, str], body: bytes, end: str | None
) -> None:
    requests: list[httpx.Request] = []
    respond, _ = answer(body, headers=headers)

    def record(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return respond(request)

    if end is None:
        assert perform(kind, "stream", record) == [1]
    else:
        with pytest.raises(conformance.RpcError) as error:
            perform(kind, "stream", record)
        assert (getattr(error.value, "reason", None) or error.value.name) == end
    assert requests[0].headers["accept"] == "application/x-ndjson;end=1, */*"


# Values


@BOTH
@pytest.mark.parametrize("number", ["NaN", "Infinity", '{"a":[-Infinity]}'])
def test_refuses_numbers_that_are_not_json(kind: str, number: str) -> None:
    content = f'{{"value":{number}}}'.encode()
    with pytest.raises(conformance.TransportError) as caught:
        perform(kind, "call", answer(content)[0])
    assert caught.value.reason == "bad-response"


@BOTH
def test_reads_texts_with_such_words(kind: str) -> None:
    assert perform(kind, "call", answer(b'{"value":"NaN, -Infinity"}')[0]) == "NaN, -Infinity"


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], "\ud800", object()])
def test_does_not_send_what_json_cannot_contain(value: Any) -> None:
    http = httpx.Client(transport=httpx.MockTransport(lambda _: pytest.fail("sent")))
    client = conformance.ConformanceClient("http://host", http=http)
    with pytest.raises(ValueError, match=r"NaN|serializ"):
        client.echo.any(value=value)
    with pytest.raises(ValueError, match=r"NaN|serializ"):
        client.echo.optionals(value=conformance.types.Optionals(anything=value))


@BOTH
@pytest.mark.parametrize("code", ["1e400", "NaN", "[1]", '"many"', "9" * 5000])
def test_codes_that_are_no_numbers(kind: str, code: str) -> None:
    content = f'{{"error":"Conflict","code":{code},"msg":"no"}}'.encode()
    with pytest.raises(conformance.RpcError) as caught:
        perform(kind, "call", answer(content, status=409)[0])
    assert (caught.value.name, caught.value.code) in [("Conflict", 0), ("WebrpcBadResponse", -5)]


@BOTH
@pytest.mark.parametrize("status", ["400.0", "true", "200", '"x"', "[]"])
def test_statuses_that_are_no_numbers(kind: str, status: str) -> None:
    line = f'{{"webrpcError":{{"error":"Conflict","status":{status}}}}}\n'.encode()
    with pytest.raises(conformance.errors.ConflictError) as caught:
        perform(kind, "stream", answer(line, headers=LINES)[0])
    assert repr(caught.value.status) == "400"


@BOTH
def test_keys_that_share_a_hash(kind: str) -> None:
    # In Python, the hash of 2**61 - 1 and its multiples is 0.
    keys = ",".join(f'"{n * (2**61 - 1)}":"a"' for n in range(100))
    transport = httpx.MockTransport(answer(f'{{"value":{{{keys}}}}}'.encode())[0])

    async def run() -> None:
        client = conformance.AsyncConformanceClient("http://host", http=httpx.AsyncClient(transport=transport))
        await client.echo.by_int64(value={})

    with pytest.raises(conformance.TransportError) as caught:
        if kind == "asynchronous":
            asyncio.run(run())
        client = conformance.ConformanceClient("http://host", http=httpx.Client(transport=transport))
        client.echo.by_int64(value={})
    assert caught.value.reason == "bad-response"


def test_unique_items_that_share_a_hash() -> None:
    key = conformance._values._key
    assert len({hash(key(n * (2**61 - 1))) for n in range(100)}) > 90
    assert key(1) == key(1.0) != key(True)
    assert key([1, {"a": 2.0}]) == key([1.0, {"a": 2}]) != key([1, {"a": True}])


@BOTH
def test_deep_values(kind: str) -> None:
    content = b'{"value":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(conformance.TransportError):
        perform(kind, "call", answer(content)[0])


@pytest.mark.parametrize(
    "body",
    [
        *(b"\xff", b'{"title":"\xff","width":1}', b'{"title":"a","width":1,"more":"\xff"}', b"[" * 10**5),
        *(b'{"title":"\\ud800","width":1}', b'{"title":"a","width":NaN}'),
    ],
)
def test_refuses_webhooks_that_are_not_json(body: bytes) -> None:
    with pytest.raises(files.RpcError) as caught:
        webhooks.receive_picture_events(body, {"webhook-event": "Ready"}, secrets=None)
    assert caught.value.status == 400


# Bodies


@BOTH
@USES
@pytest.mark.parametrize("coding", ["gzip, gzip", "zstd", "br"])
def test_refuses_codings_that_expand_too_much(kind: str, use: str, coding: str) -> None:
    bomb = gzip.compress(gzip.compress(b"\n" * 10**6))
    headers = {"content-type": LINES["content-type"], "content-encoding": coding}
    respond, body = answer(bomb, headers=headers)
    with pytest.raises((conformance.TransportError, files.TransportError), match="content-encoding"):
        perform(kind, use, respond)
    assert body.closed


@BOTH
@USES
def test_requests_only_codings_that_it_reads(kind: str, use: str) -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept-encoding"] == "gzip, deflate"
        headers = {"content-type": LINES["content-type"], "content-encoding": "gzip"}
        return httpx.Response(200, headers=headers, stream=Body(gzip.compress(b'{"n":1,"value":1}\n')))

    assert perform(kind, use, respond) in [1, [1], b'{"n":1,"value":1}\n']


@BOTH
def test_lines_without_end(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance._runtime, "_max_line_bytes", 1000)
    respond, body = answer(b'{"n":1}\n', *[b"x"] * 1001, headers=LINES)
    with pytest.raises(conformance.TransportError, match="line is too long"):
        perform(kind, "stream", respond)
    assert body.closed


@BOTH
def test_pages_instead_of_streams_are_limited(kind: str) -> None:
    respond, body = answer(b"x" * 2000, headers={"content-type": "text/html"})
    with pytest.raises(conformance.TransportError, match="more than 1000 bytes"):
        perform(kind, "stream", respond, max_response_bytes=1000)
    assert body.closed


@BOTH
def test_items_of_streams_are_checked(kind: str) -> None:
    line = json.dumps({"n": 2**32}).encode() + b"\n"
    assert perform(kind, "stream", answer(line, headers=LINES)[0]) == [2**32]
    with pytest.raises(conformance.TransportError) as caught:
        perform(kind, "stream", answer(line, headers=LINES)[0], check_responses=True)
    assert caught.value.reason == "bad-response"


def test_length_that_is_no_number() -> None:
    http = httpx.Client(transport=httpx.MockTransport(answer(b"a", headers={"content-length": "many"})[0]))
    assert files.FilesClient("http://host", http=http).pictures.download(title="a").size is None


# Credentials and headers


@BOTH
@pytest.mark.parametrize("secret", ["se\ncret", "se\x00cret", "secré", "secret\r\nx-admin: 1"])
def test_errors_do_not_quote_credentials(kind: str, secret: str) -> None:
    respond, _ = answer(b"")
    with pytest.raises(ValueError, match="header authorization contains characters") as caught:
        perform(kind, "file", respond, credentials={"token": secret})
    assert "sec" not in repr(caught.value)
    with pytest.raises(ValueError, match="header x-own contains characters"):
        perform(kind, "call", respond, headers={"X-Own": secret})


@BOTH
def test_spaces_around_credentials_are_removed(kind: str) -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer secret"
        return httpx.Response(200, content=b"")

    assert perform(kind, "file", respond, credentials={"token": lambda: "secret\n"}) == b""


def test_synchronous_clients_cannot_wait_for_credentials() -> None:
    async def token() -> str:
        await asyncio.sleep(0)
        return "token"

    with pytest.raises(TypeError, match="only asynchronous clients"):
        perform("synchronous", "file", answer(b"")[0], credentials={"token": token})


@BOTH
def test_credentials_count_towards_the_timeout(kind: str) -> None:
    released = threading.Event()

    async def endless() -> str:
        await anyio.sleep_forever()
        return "token"

    def slow() -> str:
        released.wait(0.02)
        return "token"

    def respond(request: httpx.Request) -> httpx.Response:
        # No time is left.
        assert request.extensions["timeout"]["read"] == 0.001
        raise httpx.ReadTimeout("late")

    token = endless if kind == "asynchronous" else slow
    with pytest.raises(files.TransportError) as caught:
        perform(kind, "file", respond, credentials={"token": token}, timeout=0.01)
    assert caught.value.reason == "timeout"


@pytest.mark.parametrize("type", ["text/plain\r\nX-Evil: 1", "text/\x00", "téxt/plain"])
def test_types_of_files_are_no_headers(type: str) -> None:
    with pytest.raises(ValueError, match="type of a file"):
        files.File(b"", type=type)


# Ends


@BOTH
def test_streams_are_closed_when_a_loop_fails(kind: str) -> None:
    respond, body = answer(b'{"n":1}\n{"n":2}\n', headers=LINES)
    transport = httpx.MockTransport(respond)

    def run() -> None:
        client = conformance.ConformanceClient("http://host", http=httpx.Client(transport=transport))
        with closing(client.lines.endless()) as stream:
            next(stream)
            raise KeyError

    async def run_async() -> None:
        client = conformance.AsyncConformanceClient("http://host", http=httpx.AsyncClient(transport=transport))
        async with aclosing(client.lines.endless()) as stream:
            await anext(stream)
            raise KeyError

    with pytest.raises(KeyError):
        run() if kind == "synchronous" else asyncio.run(run_async())
    assert body.closed


def test_canceled_calls_and_streams_free_their_connections() -> None:
    asked = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readline():
            path = head.split()[1]
            length = 0
            while (line := await reader.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            await reader.readexactly(length)
            if path.endswith(b"Int8"):
                asked.set()
                await reader.read()
            if path.endswith(b"Endless"):
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n" + b'{"n":1}\n')
                await reader.read()
            else:
                writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"value":1}')
        writer.close()

    async def cancel(task: asyncio.Task[Any], event: asyncio.Event) -> None:
        waiting = asyncio.create_task(event.wait())
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        event.clear()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def run() -> int:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        # Without a free connection, the last call fails.
        http = httpx.AsyncClient(limits=httpx.Limits(max_connections=1), timeout=httpx.Timeout(None, pool=10))
        async with http:
            client = conformance.AsyncConformanceClient(url, http=http)
            for _ in range(3):
                call = asyncio.create_task(client.echo.int8(value=1))
                await cancel(call, asked)
                seen = asyncio.Event()

                async def consume() -> None:
                    async for _ in client.lines.endless():
                        seen.set()

                stream = asyncio.create_task(consume())
                await cancel(stream, seen)
            return (await client.echo.int32(value=1)).value

    assert asyncio.run(run()) == 1
