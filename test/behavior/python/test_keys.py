"""Tests credentials in queries and cookies."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from typing import Any

import httpx
import keys
import pytest
from keys import TransportError, errors

Credentials = dict[str, Any]


class Sent:
    """Answers requests in place of a server, and remembers their addresses."""

    def __init__(self, *statuses: int, headers: dict[str, str] | None = None) -> None:
        self.requests: list[httpx.Request] = []
        self.urls: list[str] = []
        self._statuses = list(statuses)
        self._headers = headers

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.urls.append(f"{request.url.host}{request.url.raw_path.decode()}")
        # Other transports read the address in another way.
        assert str(request.url).endswith(request.url.raw_path.decode())
        status = self._statuses.pop(0) if self._statuses else 200
        return httpx.Response(status, json={"id": "1", "seen": []}, headers=self._headers)

    def client(self, **options: Any) -> keys.KeysClient:
        return keys.KeysClient("http://a/", http=httpx.Client(transport=httpx.MockTransport(self)), **options)


@pytest.fixture
def server() -> Iterator[keys.KeysClient]:
    credentials: Credentials = {"api_key": " a&b é=\n", "token": lambda: "t", "session": "s=1", "team": ""}
    with keys.KeysClient(os.environ["KEYS"], credentials=credentials) as client:
        yield client


def test_every_kind_of_call(server: keys.KeysClient) -> None:
    weather, key = server.weather, "a&b é="
    station = weather.get_station(id="a?", notify=True, tags=["x&api_key=y"])
    assert (station.id, station.notify, station.tags, station.seen) == ("a?", True, ["x&api_key=y"], [key])
    assert weather.get_station(id="1").seen == [key]
    assert weather.list(name="n").seen == [key, "t"]
    assert weather.add(name="n").seen == [key]
    assert [item.seen for item in weather.watch(count=2)] == [[key], [key]]
    assert weather.me().seen == ["s=1"]
    assert weather.ping(id=1).seen == ["s=1"]
    assert weather.note(text="t").seen == ["s=1"]
    assert weather.join(id=1).seen == ["s=1"]
    assert weather.open().seen == []


def test_asynchronous_calls() -> None:
    async def key() -> str:
        return "k"

    async def call() -> list[list[str]]:
        async with keys.AsyncKeysClient(os.environ["KEYS"], credentials={"api_key": key, "session": "s"}) as client:
            streamed = [item.seen async for item in client.weather.watch(count=1)]
            return [(await client.weather.get_station(id="1")).seen, *streamed, (await client.weather.me()).seen]

    assert asyncio.run(call()) == [["k"], ["k"], ["s"]]


def test_addresses() -> None:
    sent = Sent()
    client = sent.client(credentials={"api_key": "a&b é=!", "token": "t"})
    client.weather.get_station(id="1", notify=True)
    client.weather.get_station(id="1")
    client.weather.list()
    key = "api_key=a%26b%20%C3%A9%3D!"
    assert sent.urls == [
        f"a/stations/1?notify=true&{key}",
        f"a/stations/1?{key}",
        f"a/rpc/Weather/List?{key}&Token=t",
    ]
    assert not any("a&b" in str(request.headers) for request in sent.requests)
    assert [request.url.params["api_key"] for request in sent.requests] == ["a&b é=!"] * 3


def test_cookies() -> None:
    sent = Sent()
    http = httpx.Client(transport=httpx.MockTransport(sent), cookies={"sid": "other", "theme": "dark"})
    keys.KeysClient("http://a", http=http, credentials={"session": " s "}).weather.me()
    keys.KeysClient("http://a", http=http, credentials={"jar": "a=b; c=d"}).weather.all()
    assert [request.headers["cookie"] for request in sent.requests] == ["sid=s", "a=b; c=d"]


def test_cookies_of_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Sent(headers={"set-cookie": "sid=ada; Path=/"})

    async def handle(_: object, request: httpx.Request) -> httpx.Response:
        return sent(request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", lambda _, request: sent(request))
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", handle)
    with keys.KeysClient("http://a") as client:
        client.weather.open()
        client.weather.open()
        client.with_options(timeout=9).weather.open()

    async def call() -> None:
        async with keys.AsyncKeysClient("http://a") as client:
            await client.weather.open()
            await client.weather.open()

    asyncio.run(call())
    assert [request.headers.get("cookie") for request in sent.requests] == [None] * 5


def test_no_credentials(server: keys.KeysClient) -> None:
    sent = Sent()
    sent.client(credentials={"api_key": "", "token": lambda: ""}).weather.list()
    assert sent.urls == ["a/rpc/Weather/List"]
    with keys.KeysClient(os.environ["KEYS"]) as client:
        with pytest.raises(errors.UnauthorizedError) as caught:
            client.weather.get_station(id="1")
        assert caught.value.cause == "query parameter api_key: expected one credential, got none or several"
        with pytest.raises(errors.UnauthorizedError):
            client.weather.me()


def test_retries_have_one_key() -> None:
    sent, count = Sent(503, 503, headers={"retry-after": "0"}), iter(range(9))
    client = sent.client(credentials={"api_key": lambda: f"k{next(count)}"}, retry=keys.Retry())
    client.weather.get_station(id="1")
    assert sent.urls == [f"a/stations/1?api_key=k{attempt}" for attempt in range(3)]


def test_redirects_are_not_followed() -> None:
    sent = Sent(302, headers={"location": "http://b/stations/1"})
    http = httpx.Client(transport=httpx.MockTransport(sent), follow_redirects=True)
    with pytest.raises(TransportError):
        keys.KeysClient("http://a", http=http, credentials={"api_key": "k"}).weather.get_station(id="1")
    assert sent.urls == ["a/stations/1?api_key=k"]


def test_the_log_has_no_keys(server: keys.KeysClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with keys.KeysClient(os.environ["KEYS"], credentials={"api_key": "secret", "token": "secret"}) as client:
        client.weather.get_station(id="1", notify=True)
        client.weather.list()
    with httpx.Client(transport=httpx.MockTransport(Sent())) as http:
        http.get("http://a/b?c=d")
    assert [record.getMessage().split(" ")[3].rpartition("/")[2] for record in caplog.records] == [
        "1?notify=true",
        "List",
        "b?c=d",
    ]
    assert "secret" not in caplog.text
    assert not any("secret" in repr(vars(record)) for record in caplog.records)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "ftp://a", "http://a:b", "a", "http://[", "http://a\x7f"])
def test_errors_have_no_keys(address: str, caplog: pytest.LogCaptureFixture) -> None:
    client = keys.KeysClient(address, credentials={"api_key": "secret", "session": "secret\ud800"})
    for call in (lambda: client.weather.get_station(id="1"), lambda: client.weather.me()):
        with pytest.raises(Exception) as caught:  # noqa: B017, PT011
            call()
        error: BaseException | None = caught.value
        while error is not None:
            assert "secret" not in f"{error}{error!r}"
            error = error.__cause__ or error.__context__
    assert "secret" not in caplog.text


def test_a_key_that_is_not_text() -> None:
    sent = Sent()
    with pytest.raises(ValueError, match="^parameter api_key has an unpaired surrogate$") as caught:
        sent.client(credentials={"api_key": "secret\ud800"}).weather.get_station(id="1")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert sent.urls == []
