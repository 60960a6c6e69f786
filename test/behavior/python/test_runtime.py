"""Tests what clients do besides converting messages."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hmac
import io
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import conformance
import files
import httpx
import pytest
from files import File, Retry, RpcError, TransportError, errors, types, webhooks
from pydantic import TypeAdapter, ValidationError

files.PATTERNS[r"^(?!\.)[^/]+$"] = lambda text: text[0] != "." and "/" not in text

Respond = Callable[[httpx.Request], httpx.Response]


def mock(respond: Respond, **options: Any) -> files.FilesClient:
    http = httpx.Client(transport=httpx.MockTransport(respond))
    return files.FilesClient("http://host/", http=http, **options)


def responses(*given: httpx.Response | Exception) -> tuple[Respond, list[httpx.Request]]:
    """Returns a server that gives one response after the other, and the requests that it got."""
    requests: list[httpx.Request] = []
    left = list(given)

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        response = left.pop(0)
        if isinstance(response, Exception):
            raise response
        return response

    return respond, requests


BUSY = {"error": "WebrpcRequestFailed", "code": -1, "msg": "request failed", "status": 503}
FAST = Retry(attempts=3, backoff=0, jitter=0)


@pytest.fixture
def client() -> Iterator[files.FilesClient]:
    with files.FilesClient(os.environ["FILES"], credentials={"token": lambda: "token"}) as client:
        yield client


# Requests


def test_invalid_request_is_not_sent() -> None:
    respond, requests = responses()
    with pytest.raises(ValidationError, match="title"):
        mock(respond).pictures.remove(title=".hidden")
    with pytest.raises(ValidationError, match="string_too_long"):
        mock(respond).pictures.remove(title="x" * 41)
    assert requests == []


def test_errors_do_not_quote_values() -> None:
    with pytest.raises(ValidationError) as caught:
        mock(responses()[0]).pictures.remove(title="secret/secret")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00+00:00"),
        ("2017-01-01t00:59:60.5+01:00", "2017-01-01T01:00:00.500000+01:00"),
        ("2016-12-31T23:58:60Z", None),
        ("2016-12-31T12:60:60Z", None),
        ("2016-12-31T23:59:61Z", None),
        ("9999-12-31T23:59:60Z", None),
        ("9999-12-31T23:59:60-10:00", None),
        ("0001-01-01T00:59:60+05:00", None),
    ],
)
def test_leap_second(text: str, expected: str | None) -> None:
    timestamps = TypeAdapter(files._values.Timestamp)
    try:
        actual: str | None = timestamps.validate_json(json.dumps(text)).isoformat()
    except ValidationError as error:
        assert "a timestamp as in RFC 3339" in str(error)
        actual = None
    assert actual == expected


def test_times_are_sent_in_utc() -> None:
    timestamps = TypeAdapter(files._values.Timestamp)
    # In 1970, the offset of Liberia was -00:44:30.
    local = timezone(-timedelta(minutes=44, seconds=30))
    assert timestamps.dump_json(datetime(1970, 1, 1, 12, tzinfo=local)) == b'"1970-01-01T12:44:30Z"'
    with pytest.raises(ValueError, match="the year is too small"):
        timestamps.dump_json(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))))


def test_lines_of_an_event_are_not_copied() -> None:
    received = files._events.Events(2**20, has_end=False)
    assert list(received.add(b"data:a\ndata:b\n", 200)) == []
    data = received._data
    assert list(received.add(b"data:c\n", 200)) == []
    assert received._data is data
    assert [event.data for event in received.add(b"\n", 200)] == [b"a\nb\nc"]


def test_missing_hook_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files._values, "PATTERNS", {})
    with pytest.raises(LookupError, match="PATTERNS has no check"):
        mock(responses()[0]).pictures.remove(title="a")


def test_base_url_is_required() -> None:
    with pytest.raises(TypeError, match="base_url"):
        files.FilesClient()


def test_misspelled_options() -> None:
    misspelled: Any = {"timeuot": 5}
    with pytest.raises(TypeError, match="unknown options: timeuot"):
        files.FilesClient("http://host", **misspelled)
    with files.FilesClient("http://host") as client, pytest.raises(TypeError, match="unknown options: timeuot"):
        client.with_options(**misspelled)


def test_objects_are_validated_when_they_are_sent() -> None:
    respond, requests = responses()
    http = httpx.Client(transport=httpx.MockTransport(respond))
    point = conformance.types.Point(x=1)
    point.x = 2**40
    with pytest.raises(ValidationError, match="less_than_equal"):
        conformance.ConformanceClient("http://host", http=http).echo.point(value=point)
    assert requests == []


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_path_needs_text(name: str) -> None:
    http = httpx.Client(transport=httpx.MockTransport(responses()[0]))
    with pytest.raises(ValueError, match="parameter name"):
        conformance.ConformanceClient("http://host", http=http).reads.name(name=name)


def test_options_are_added() -> None:
    respond, requests = responses(httpx.Response(200, json={}), httpx.Response(200, json={}))
    client = mock(respond, headers={"X-One": "1"}, credentials={"token": "t"})
    client.with_options(headers={"X-Two": "2"}).pictures.remove(title="a")
    client.pictures.remove(title="a")
    assert [(sent.headers.get("x-one"), sent.headers.get("x-two")) for sent in requests] == [("1", "2"), ("1", None)]
    # This method needs no credential.
    assert "authorization" not in requests[0].headers


def test_placeholders_of_addresses() -> None:
    respond, requests = responses(httpx.Response(200, json={}))
    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = files.FilesClient("https://{network}.example.com/", http=http, parameters={"network": "polygon"})
    client.pictures.remove(title="a")
    assert str(requests[0].url) == "https://polygon.example.com/rpc/Pictures/Remove"


# Failures and attempts


def test_repeats_safe_methods() -> None:
    respond, requests = responses(
        httpx.Response(503, json=BUSY), httpx.ConnectError("refused"), httpx.Response(200, json={})
    )
    mock(respond, retry=FAST).pictures.remove(title="a")
    assert len(requests) == 3


class Bytes(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b"this is not gzip"


@pytest.mark.parametrize("status", [200, 404])
def test_does_not_repeat_corrupt_responses(status: int) -> None:
    respond, requests = responses(httpx.Response(status, headers={"content-encoding": "gzip"}, stream=Bytes()))
    with pytest.raises(TransportError) as caught:
        mock(respond, retry=FAST).pictures.remove(title="a")
    assert (caught.value.reason, len(requests)) == ("bad-response", 1)


class Cut(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b'{"num'
        raise httpx.ReadError("reset")


class Half(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b'{"num'


class HalfOfGzip(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield gzip.compress(b'{"number":7}')[:-12]


@pytest.mark.parametrize(
    ("headers", "stream"),
    [({"content-encoding": "gzip"}, Bytes), ({"content-encoding": "gzip"}, HalfOfGzip), ({}, Cut), ({}, Half)],
)
def test_requests_the_stored_answer_of_a_call_whose_success_is_unreadable(
    headers: dict[str, str], stream: type[httpx.SyncByteStream]
) -> None:
    unreadable = httpx.Response(200, headers=headers, stream=stream())
    respond, requests = responses(unreadable, httpx.Response(200, json={"number": 7}))
    assert mock(respond, retry=FAST).pictures.order(title="a").number == 7
    first, again = [sent.headers["idempotency-key"] for sent in requests]
    assert first == again


def test_requests_the_stored_answer_of_a_call_with_secrets() -> None:
    method = replace(files._methods.Pictures.order, is_sensitive=True, body="number")
    respond, requests = responses(httpx.Response(200, content=b"["), httpx.Response(200, json=7))
    assert mock(respond, retry=FAST).call(method, {"title": "a"}).number == 7
    assert len(requests) == 2


def test_requests_an_answer_that_is_too_large_once() -> None:
    respond, requests = responses(httpx.Response(200, content=b" " * 2000))
    with pytest.raises(TransportError, match="more than 1000 bytes"):
        mock(respond, retry=FAST, max_response_bytes=1000).pictures.order(title="a")
    assert len(requests) == 1


def test_any_value_that_is_too_deep() -> None:
    deep = b'{"value":' + b"[" * 300 + b"]" * 300 + b"}"
    http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, content=deep)))
    client = conformance.ConformanceClient("http://host", http=http)
    with pytest.raises(conformance.TransportError) as caught:
        client.echo.any(value=1)
    assert caught.value.reason == "bad-response"
    value: Any = []
    for _ in range(300):
        value = [value]
    with pytest.raises(ValueError):
        client.echo.any(value=value)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("Int8", -(2**63), 2**63 - 1), ("Int64", -(2**63), 2**63 - 1), ("Uint8", 0, 2**64 - 1), ("Uint64", 0, 2**64 - 1)],
)
def test_integers_of_responses_have_the_sign_and_size_of_their_type(name: str, least: int, most: int) -> None:
    values = TypeAdapter[int](getattr(files._values, name))
    for value in [least, most]:
        assert values.validate_json(str(value)) == value
    assert values.validate_json("9007199254740991.0") == 2**53 - 1
    for value in [str(least - 1), str(most + 1), "1.5", "-1e30", "9007199254740993.0", "1e16"]:
        with pytest.raises(ValidationError):
            values.validate_json(value)


def test_repeats_by_default() -> None:
    given = [httpx.Response(status, json=BUSY, headers={"retry-after": "0"}) for status in (503, 418)]
    respond, requests = responses(*given, httpx.Response(200, json={}))
    mock(respond).pictures.remove(title="a")
    assert len(requests) == 3
    respond, requests = responses(*given)
    with pytest.raises(RpcError):
        mock(respond, retry=None).pictures.remove(title="a")
    assert len(requests) == 1


def test_does_not_repeat_other_methods() -> None:
    respond, requests = responses(httpx.Response(503, json=BUSY))
    with pytest.raises(files.rpc_errors.WebrpcRequestFailedError):
        mock(respond, retry=FAST).pictures.upload_all(pictures=[])
    assert len(requests) == 1


def test_repeats_methods_with_the_same_key() -> None:
    respond, requests = responses(
        httpx.Response(503, json=BUSY), *[httpx.Response(200, json={"number": n}) for n in range(3)]
    )
    client = mock(respond, retry=FAST)
    client.pictures.order(title="a")
    client.pictures.order(title="a")
    client.with_options(idempotency_key='row "7"\\').pictures.order(title="a")
    first, again, second, own = [sent.headers["idempotency-key"] for sent in requests]
    assert first == again != second
    assert len(first) == 66
    assert own == '"row \\"7\\"\\\\"'


def test_many_attempts() -> None:
    respond, requests = responses(*[httpx.ConnectError("reset")] * 1100, httpx.Response(200, json={}))
    # 2.0 ** 1024 is an OverflowError.
    mock(respond, retry=Retry(attempts=1101, backoff=0)).pictures.remove(title="a")
    assert len(requests) == 1101


RUNNING = {"error": "WebrpcRequestFailed", "code": -1, "msg": "request failed", "status": 409}


@pytest.mark.parametrize("headers", [{}, {"retry-after": "0"}])
def test_waits_for_a_call_with_the_same_key(headers: dict[str, str]) -> None:
    printed = httpx.Response(409, text="of a framework", headers={"idempotency-state": "running"})
    lost, running = httpx.ConnectError("reset"), [httpx.Response(409, json=RUNNING, headers=headers), printed] * 2
    respond, requests = responses(lost, *running, httpx.Response(200, json={"number": 7}))
    retry = Retry(attempts=2, max_backoff=0)
    assert mock(respond, retry=retry).pictures.order(title="a").number == 7
    assert len(requests) == 6


def test_status_and_header_count_if_a_body_cannot_be_decompressed() -> None:
    def coded(status: int, headers: dict[str, str]) -> httpx.Response:
        return httpx.Response(status, headers={"content-encoding": "gzip", **headers}, stream=Bytes())

    running = [coded(409, {"idempotency-state": "running"}) for _ in range(3)]
    respond, requests = responses(coded(503, {}), *running, httpx.Response(200, json={"number": 7}))
    retry = Retry(attempts=2, backoff=0.001, max_backoff=0.001)
    assert mock(respond, retry=retry).pictures.order(title="a").number == 7
    assert len(requests) == 5


def test_a_running_call_is_not_the_last_word_before_the_deadline() -> None:
    respond, requests = responses(httpx.Response(409, json=RUNNING, headers={"retry-after": "9"}))
    with pytest.raises(TransportError) as caught:
        mock(respond, retry=FAST, timeout=0.05).pictures.order(title="a")
    assert (caught.value.reason, len(requests)) == ("timeout", 1)


@pytest.mark.parametrize("options", [{"retry": None}, {"retry": FAST}])
def test_only_calls_with_keys_and_retries_wait(options: Any) -> None:
    respond, requests = responses(httpx.Response(409, json=RUNNING))
    client = mock(respond, **options).pictures
    with pytest.raises(RpcError) as caught:
        if options["retry"]:
            client.remove(title="a")
        else:
            client.order(title="a")
    assert (caught.value.status, len(requests)) == (409, 1)


@pytest.mark.parametrize("key", ["", "a\nb", "é", "a" * 256])
def test_wrong_keys_are_not_sent(key: str) -> None:
    respond, requests = responses()
    with pytest.raises(ValueError, match="idempotency_key"):
        mock(respond, idempotency_key=key).pictures.order(title="a")
    assert requests == []


def test_only_methods_with_keys_send_one() -> None:
    respond, requests = responses(httpx.Response(200, json={}))
    mock(respond, idempotency_key="a").pictures.remove(title="a")
    assert "idempotency-key" not in requests[0].headers


def test_a_call_with_the_same_key_runs_once(client: files.FilesClient) -> None:
    own = client.with_options(idempotency_key="row 7")
    first, again = own.pictures.order(title="a"), own.pictures.order(title="a")
    assert first.number == again.number != client.pictures.order(title="a").number
    with pytest.raises(RpcError) as caught:
        own.pictures.order(title="b")
    assert caught.value.status == 422


def test_ends_after_the_last_attempt() -> None:
    respond, requests = responses(*[httpx.Response(503, json=BUSY)] * 3)
    with pytest.raises(RpcError) as caught:
        mock(respond, retry=FAST).pictures.remove(title="a")
    assert (caught.value.status, len(requests)) == (503, 3)


def test_respects_retry_after() -> None:
    late = httpx.Response(429, json=BUSY, headers={"retry-after": "11"})
    respond, requests = responses(late)
    with pytest.raises(RpcError) as caught:
        mock(respond, retry=FAST).pictures.remove(title="a")
    assert (caught.value.retry_after, len(requests)) == (11, 1)
    slow = Retry(attempts=2, backoff=1000, max_backoff=2000)
    at = format_datetime(datetime.now(timezone.utc) - timedelta(seconds=5), usegmt=True)
    respond, requests = responses(
        httpx.Response(503, json=BUSY, headers={"retry-after": at}), httpx.Response(200, json={})
    )
    mock(respond, retry=slow).pictures.remove(title="a")
    assert len(requests) == 2


def test_a_delay_never_exceeds_the_timeout() -> None:
    respond, requests = responses(httpx.Response(503, json=BUSY))
    with pytest.raises(RpcError):
        mock(respond, retry=Retry(backoff=100, max_backoff=100), timeout=50).pictures.remove(title="a")
    assert len(requests) == 1


def test_network_error() -> None:
    respond, _ = responses(httpx.ConnectError("refused"))
    with pytest.raises(TransportError, match="refused") as caught:
        mock(respond, retry=None).pictures.remove(title="a")
    assert (caught.value.reason, caught.value.status, caught.value.name) == ("network", 0, "WebrpcRequestFailed")


def test_redirects_are_not_followed() -> None:
    respond, requests = responses(httpx.Response(302, headers={"location": "http://other/"}))
    http = httpx.Client(transport=httpx.MockTransport(respond), follow_redirects=True)
    with pytest.raises(TransportError) as caught:
        files.FilesClient("http://host", http=http).pictures.remove(title="a")
    assert (caught.value.reason, caught.value.status, len(requests)) == ("bad-response", 302, 1)


def test_invalid_address_is_no_transport_error() -> None:
    with pytest.raises(httpx.UnsupportedProtocol):
        files.FilesClient("ftp://host").pictures.remove(title="a")


def test_timeout() -> None:
    with conformance.ConformanceClient(os.environ["SERVER"], timeout=0.05) as client:
        with pytest.raises(conformance.TransportError) as caught:
            client.time.rest(ms=60_000)
        assert caught.value.reason == "timeout"

    async def run() -> None:
        async with conformance.AsyncConformanceClient(os.environ["SERVER"], timeout=0.05) as client:
            with pytest.raises(conformance.TransportError) as caught:
                await client.time.rest(ms=60_000)
            assert caught.value.reason == "timeout"

    asyncio.run(run())


def limits(client: files.FilesClient, respond: httpx.Response) -> dict[str, float | None]:
    """Returns the limits of the request of a call."""
    given, requests = responses(respond)
    client._http = httpx.Client(transport=httpx.MockTransport(given), timeout=client._http.timeout)
    client.pictures.remove(title="a")
    return {name: limit and round(limit) for name, limit in requests[0].extensions["timeout"].items()}


def test_default_limits() -> None:
    def steps(connect: int | None, others: int | None) -> dict[str, int | None]:
        return {"connect": connect, "read": others, "write": others, "pool": others}

    done = httpx.Response(200, json={})
    assert limits(files.FilesClient("http://host"), done) == steps(5, 60)
    assert limits(files.FilesClient("http://host", timeout=300), done) == steps(5, 300)
    assert limits(files.FilesClient("http://host", timeout=2), done) == steps(2, 2)
    assert limits(files.FilesClient("http://host", timeout=None), done) == steps(5, None)
    # The limits of a client of the program hold, too.
    assert limits(files.FilesClient("http://host", http=httpx.Client(timeout=7)), done) == steps(7, 7)
    own = files.FilesClient("http://host", http=httpx.Client(timeout=7), timeout=9)
    assert limits(own, done) == steps(7, 9)


def test_uploads_wait_for_their_response() -> None:
    method = replace(files._methods.Pictures.upload_all, is_safe=True)
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={"count": 0})

    def reads(**options: Any) -> Any:
        with files.FilesClient("http://host", **options) as client:
            limits, transport = client._http.timeout, httpx.MockTransport(respond)
            client._http = httpx.Client(transport=transport, timeout=limits)
            client.call(method, {"pictures": []})

        async def run() -> None:
            own = {**options, "http": httpx.AsyncClient(transport=transport, timeout=limits)}
            client = files.AsyncFilesClient("http://host", **own)
            client._owns_http = "http" not in options
            await client.call(method, {"pictures": []})

        asyncio.run(run())
        return [limit and round(limit) for limit in (sent.extensions["timeout"]["read"] for sent in requests[-2:])]

    assert reads() == [None, None]
    assert requests[-1].extensions["timeout"]["write"] == 60
    assert reads(timeout=9) == [9, 9]
    assert reads(http=httpx.Client(timeout=7)) == [7, 7]


def test_calls_end_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance._runtime, "_call_timeout", 0.05)
    with conformance.ConformanceClient(os.environ["SERVER"]) as client:
        with pytest.raises(conformance.TransportError) as caught:
            client.time.rest(ms=60_000)
        assert caught.value.reason == "timeout"

    async def run() -> None:
        async with conformance.AsyncConformanceClient(os.environ["SERVER"]) as client:
            with pytest.raises(conformance.TransportError) as caught:
                await client.time.rest(ms=60_000)
            assert caught.value.reason == "timeout"

    asyncio.run(run())


def test_files_take_as_long_as_they_need(client: files.FilesClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files._runtime, "_call_timeout", -1.0)
    picture = File(b"not really a picture", name="cat.png", type="image/png")
    assert client.pictures.upload(title="cat", picture=picture).bytes == 20
    monkeypatch.setattr(files._runtime, "_call_timeout", 60.0)
    with client.pictures.download(title="cat") as download:
        assert download._deadline == float("inf")
    with client.with_options(timeout=60).pictures.download(title="cat") as download:
        assert download._deadline < float("inf")


def test_tells_responses() -> None:
    told: list[httpx.Response] = []
    given = [httpx.Response(status, json={}, headers={"x-left": str(status)}) for status in (503, 200)]
    mock(responses(*given)[0], retry=FAST, on_response=told.append).pictures.remove(title="a")
    assert [(each.status_code, each.headers["x-left"]) for each in told] == [(503, "503"), (200, "200")]

    def fail(response: httpx.Response) -> None:
        told.append(response)
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        mock(responses(httpx.Response(200, stream=Cut()))[0], on_response=fail).pictures.remove(title="a")
    assert told[-1].is_closed


MINE = [httpx.ConnectError("mine"), TimeoutError("mine"), TransportError("network", "mine")]


@pytest.mark.parametrize("error", MINE)
@pytest.mark.parametrize("place", ["on_response", "credentials"])
@pytest.mark.parametrize("is_async", [False, True])
def test_errors_of_given_functions_are_not_repeated(error: Exception, place: str, is_async: bool) -> None:
    calls: list[str] = []

    def fail(*_: object) -> Any:
        calls.append(place)
        raise error

    async def fail_later(*_: object) -> None:
        await asyncio.sleep(0)
        fail()

    given = fail_later if is_async else fail
    method = replace(files._methods.Pictures.remove, credentials=(("token", "authorization", ""),))
    options: Any = {"on_response": given} if place == "on_response" else {"credentials": {"token": given}}
    transport = httpx.MockTransport(responses(httpx.Response(200, json={}))[0])

    async def run() -> None:
        client = files.AsyncFilesClient("http://host", http=httpx.AsyncClient(transport=transport), **options)
        await client.call(method, {"title": "a"})

    with pytest.raises(type(error)) as caught:
        if is_async:
            asyncio.run(run())
        else:
            files.FilesClient("http://host", http=httpx.Client(transport=transport), **options).call(method, {"title": "a"})
    assert (caught.value, calls) == (error, [place])


def test_errors_of_given_functions_end_streams_and_downloads() -> None:
    error = conformance.TransportError("stream-lost", "mine")

    def fail(_: httpx.Response) -> None:
        raise error

    reconnect = conformance.Reconnect(min_delay=0)
    assert follow(lines(9), on_response=fail, reconnect=reconnect)[2] is error
    respond, requests = responses(httpx.Response(200))
    with pytest.raises(conformance.TransportError, match="mine"):
        mock(respond, on_response=fail, credentials={"token": "t"}).pictures.download(title="a")
    assert len(requests) == 1


def test_awaits_what_is_told() -> None:
    told: list[int] = []

    async def tell(response: httpx.Response) -> None:
        await asyncio.sleep(0)
        told.append(response.status_code)

    async def run() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, json={})))
        await files.AsyncFilesClient("http://host", http=http, on_response=tell).pictures.remove(title="a")

    asyncio.run(run())
    assert told == [200]
    wrong: Any = tell
    with pytest.raises(TypeError, match="only asynchronous clients can await"):
        mock(lambda _: httpx.Response(200, json={}), on_response=wrong).pictures.remove(title="a")


@pytest.mark.parametrize("status", [200, 500])
def test_large_responses(status: int) -> None:
    # The compressed response is small.
    compressed = {"content-encoding": "gzip", "content-type": "application/json"}
    content = gzip.compress(b" " * 2000)

    def respond(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=content, headers=compressed)

    async def run() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        client = files.AsyncFilesClient("http://host/", http=http, max_response_bytes=1000)
        await client.pictures.remove(title="a")

    with pytest.raises(TransportError, match="more than 1000 bytes"):
        mock(respond, max_response_bytes=1000).pictures.remove(title="a")
    with pytest.raises(TransportError, match="more than 1000 bytes"):
        asyncio.run(run())


def test_checks_responses() -> None:
    def respond(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"value": "Pink"})

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = conformance.ConformanceClient("http://host", http=http)
    assert client.echo.color(value="Red").value == "Pink"
    with pytest.raises(conformance.TransportError) as caught:
        client.with_options(check_responses=True).echo.color(value="Red")
    assert (caught.value.reason, caught.value.status) == ("bad-response", 200)
    assert "value" in str(caught.value.cause)


# Streams


def test_streams() -> None:
    with conformance.ConformanceClient(os.environ["SERVER"]) as client:
        found = list(client.lines.count(to=3, large=10**30))
        assert [(item.n, item.large) for item in found] == [(n, 10**30) for n in (1, 2, 3)]
        with closing(client.lines.endless()) as endless:
            assert next(endless).n == 1
        seen = []
        with pytest.raises(conformance.errors.ConflictError):
            for item in client.lines.fail(how="plain Conflict", after=2):
                seen.append(item.n)
        assert seen == [1, 2]


def test_asynchronous_streams() -> None:
    async def run() -> list[int]:
        async with conformance.AsyncConformanceClient(os.environ["SERVER"]) as client:
            with pytest.raises(conformance.errors.ConflictError):
                async for _ in client.lines.fail(how="plain Conflict", after=0):
                    pass
            return [item.n async for item in client.lines.count(to=3, large=0)]

    assert asyncio.run(run()) == [1, 2, 3]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'\n{"n":1}\n{"n":', "stream-lost"),
        (b'\n{"n":1}\n{"n":\n', "bad-response"),
        (b'\n{"n":1}\n{"webrpcError":7}\n', "bad-response"),
    ],
)
def test_broken_streams(body: bytes, reason: str) -> None:
    def respond(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=body, headers={"content-type": "application/x-ndjson"})

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = conformance.ConformanceClient("http://host", http=http)
    stream = client.lines.endless()
    assert next(stream).n == 1
    with pytest.raises(conformance.TransportError) as caught:
        next(stream)
    assert caught.value.reason == reason


ITEM = b'\n{"line":{"n":%d}}\n'


def follow(*given: httpx.Response | Exception, **options: Any) -> tuple[list[int], list[Any], RpcError | None]:
    """Returns the items of a stream, the requests, and the error that ended it."""
    respond, requests = responses(*given)
    http, items = httpx.Client(transport=httpx.MockTransport(respond)), list[int]()
    error = None
    try:
        for item in conformance.ConformanceClient("http://host", http=http, **options).lines.follow(to=9):
            items.append(item.line.n)
            item.line.n = 7  # The item belongs to the program.
    except conformance.RpcError as caught:
        error = caught
    return items, [json.loads(request.content) for request in requests], error


def lines(*items: int) -> httpx.Response:
    content = b"".join(ITEM % item for item in items) + (b"[]\n" if 9 in items else b"")
    return httpx.Response(200, content=content, headers={"content-type": "application/x-ndjson;end=1"})


def test_streams_resume() -> None:
    reconnect = conformance.Reconnect(min_delay=0, attempts=2)
    lost = httpx.ConnectError("refused")
    items, sent, error = follow(lines(1, 2), lost, lines(3), lost, lines(9), reconnect=reconnect)
    assert (items, error) == ([1, 2, 3, 9], None)
    assert sent == [{"to": 9}, {"to": 9, "after": 2}, {"to": 9, "after": 2}, {"to": 9, "after": 3}, {"to": 9, "after": 3}]


def test_lost_streams_end_without_attempts() -> None:
    items, sent, error = follow(lines(1))
    assert (items, len(sent), getattr(error, "reason", None)) == ([1], 1, "stream-lost")
    busy = httpx.Response(503, json=BUSY)
    items, sent, error = follow(*[busy] * 3, reconnect=conformance.Reconnect(min_delay=0, attempts=2))
    assert (items, len(sent), error and error.status) == ([], 3, 503)
    items, sent, error = follow(httpx.Response(404, json=BUSY), reconnect=conformance.Reconnect(min_delay=0))
    assert (items, len(sent), error and error.status) == ([], 1, 404)


def test_delays_between_connections() -> None:
    reconnect = conformance.Reconnect(min_delay=1, max_delay=8)
    error = conformance.TransportError("network")
    assert all(2 <= reconnect.delay(2, error) <= 4 and 4 <= reconnect.delay(2000, error) <= 8 for _ in range(9))
    error.retry_after = 99
    assert reconnect.delay(0, error) == 99


@pytest.mark.parametrize("options", [{}, {"timeout": None}])
def test_streams_begin_in_time(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance._runtime, "_silence", 0.05)
    # The system accepts the connection, but nobody answers.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"

        async def run() -> None:
            async with conformance.AsyncConformanceClient(address, **options) as client:
                await anext(client.lines.endless())

        with conformance.ConformanceClient(address, **options) as client, pytest.raises(conformance.RpcError) as caught:
            next(client.lines.endless())
        assert getattr(caught.value, "reason", None) == "timeout"
        with pytest.raises(conformance.RpcError) as caught:
            asyncio.run(run())
        assert getattr(caught.value, "reason", None) == "timeout"


@pytest.mark.parametrize("header", ["9" * 20, "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
@pytest.mark.parametrize("is_stream", [False, True])
def test_delays_are_not_too_long_to_sleep(header: str, is_stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    client = conformance if is_stream else files
    monkeypatch.setattr(client._runtime.Client, "_sleep", staticmethod(slept.append))
    busy = httpx.Response(503, json=BUSY, headers={"retry-after": header})
    if is_stream:
        assert follow(busy, lines(9), reconnect=conformance.Reconnect())[0] == [9]
    else:
        respond, _ = responses(busy, httpx.Response(200, json={}))
        mock(respond, timeout=None, retry=Retry(max_backoff=float("inf"))).pictures.remove(title="a")
    # `time.sleep` raises an OverflowError for more.
    assert 0 < slept[0] <= threading.TIMEOUT_MAX


def test_page_is_no_stream() -> None:
    http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, html="<p>")))
    with pytest.raises(conformance.TransportError, match="not a stream"):
        next(conformance.ConformanceClient("http://host", http=http).lines.endless())


# Files


def test_files(client: files.FilesClient) -> None:
    picture = File(b"not really a picture", name="cät.png", type="image/png")
    assert client.pictures.upload(title="cat", picture=picture).model_dump() == {"bytes": 20, "name": "cät.png"}
    with client.pictures.download(title="cat") as download:
        assert (download.name, download.type, download.size) == ("cät.png", "image/png", 20)
        assert b"".join(download) == b"not really a picture"
    assert client.pictures.download(title="cat").read() == b"not really a picture"
    with pytest.raises(errors.PictureNotFoundError) as caught:
        client.pictures.download(title="dog")
    assert caught.value.status == 404


def test_lists_of_files(client: files.FilesClient) -> None:
    pictures = [File(b"a"), File(io.BytesIO(b"b"))]
    assert client.pictures.upload_all(pictures=pictures, note="two").count == 2
    assert client.pictures.upload_all(pictures=[]).count == 0


@pytest.mark.parametrize("retry", [None, FAST])
@pytest.mark.parametrize("is_safe", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_pipes(client: files.FilesClient, retry: Retry | None, is_safe: bool, is_async: bool) -> None:
    method = replace(files._methods.Pictures.upload, is_safe=is_safe)
    reader, writer = os.pipe()
    os.write(writer, b"whole content")
    os.close(writer)
    request: Any = {"title": "pipe"}

    async def run() -> int:
        async with files.AsyncFilesClient(os.environ["FILES"], credentials={"token": "token"}, retry=retry) as own:
            return (await own.call(method, request)).bytes

    with open(reader, "rb") as pipe:
        request["picture"] = File(pipe)
        sent = asyncio.run(run()) if is_async else client.with_options(retry=retry).call(method, request).bytes
    assert sent == len(b"whole content")


def test_repeats_calls_with_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    method = replace(files._methods.Pictures.upload_all, is_safe=True)
    monkeypatch.setattr(files._methods.Pictures, "upload_all", method)
    respond, requests = responses(httpx.Response(503, json=BUSY), httpx.Response(200, json={"count": 1}))
    reader, writer = os.pipe()
    os.write(writer, b"whole content")
    os.close(writer)
    with open(reader, "rb") as pipe:
        mock(respond, retry=FAST).pictures.upload_all(pictures=[File(pipe)])
    assert [b"whole content" in request.content for request in requests] == [True, True]


def test_asynchronous_files() -> None:
    async def token() -> str:
        return "token"

    async def run() -> bytes:
        async with files.AsyncFilesClient(os.environ["FILES"], credentials={"token": token}) as client:
            await client.pictures.upload(title="a", picture=File(io.BytesIO(b"bytes")))
            async with await client.pictures.download(title="a") as download:
                return b"".join([chunk async for chunk in download])

    assert asyncio.run(run()) == b"bytes"


def test_missing_credential() -> None:
    with files.FilesClient(os.environ["FILES"]) as client, pytest.raises(errors.UnauthorizedError):
        client.pictures.download(title="a")


def test_lost_download() -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"a"
            raise httpx.ReadError("reset")

    with mock(lambda _: httpx.Response(200, stream=Broken())).pictures.download(title="a") as download:
        chunks = iter(download)
        assert next(chunks) == b"a"
        with pytest.raises(TransportError) as caught:
            next(chunks)
    assert caught.value.reason == "stream-lost"


# Webhooks

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = json.dumps({"title": "cat", "width": 7, "more": 1}).encode()


NOW = 1_764_460_800


def signed(body: bytes = BODY, at: float | None = None, secret: str = SECRET) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"msg_1.{timestamp}.".encode() + body, "sha256")
    signature = "v1,AAAA v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": signature}


def test_receives_webhooks() -> None:
    event = webhooks.receive_picture_events(BODY, signed() | {"Webhook-Event": "Ready"}, secrets=[SECRET])
    assert event.name == "Ready"
    assert event.message == types.ReadyRequest(title="cat", width=7)


@pytest.mark.parametrize(
    ("headers", "cause"),
    [
        ({}, "the signature is missing"),
        (signed(at=NOW) | {"webhook-timestamp": "x"}, "the signature has no valid timestamp"),
        (signed(at=NOW - 301), "the signature has a timestamp that is too old or too new"),
        (signed(at=NOW + 301), "the signature has a timestamp that is too old or too new"),
        (signed(body=b"{}", at=NOW - 300), "the signature does not match"),
        (signed(secret="whsec_" + "A" * 32, at=NOW + 300), "the signature does not match"),
    ],
)
def test_refuses_forged_webhooks(headers: dict[str, str], cause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks._w, "time", SimpleNamespace(time=lambda: NOW))
    with pytest.raises(RpcError) as caught:
        webhooks.receive_picture_events(BODY, headers | {"webhook-event": "Ready"}, secrets=[SECRET])
    envelope = {"error": "WebrpcBadRequest", "code": -4, "msg": "bad request", "cause": cause, "status": 401}
    assert caught.value.envelope() == envelope


def test_refuses_invalid_webhooks() -> None:
    with pytest.raises(RpcError) as caught:
        webhooks.receive_picture_events(b"{}", {"webhook-event": "Ready"}, secrets=None)
    assert caught.value.status == 400
    with pytest.raises(RpcError) as caught:
        webhooks.receive_picture_events(BODY, {"webhook-event": "Other"}, secrets=None)
    assert caught.value.status == 404


@pytest.mark.parametrize("secrets", [[], ["whsec_AAAA"], ["whsec_!"]])
def test_refuses_weak_secrets(secrets: list[str]) -> None:
    with pytest.raises(ValueError, match="secret"):
        webhooks.receive_picture_events(BODY, signed(), secrets=secrets)
