"""Tests that clients of an old contract learn why a call of a newer server fails."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import httpx
import pytest
import shop
from shop import RpcError

CONTRACT = os.environ["CONTRACT"]
REQUIRED = "got nothing; this client was made from v1.3.0; in v1.4.0: requests now require `Order.total` (breaking)"
GONE = "this client was made from v1.3.0; in v1.4.0: method `Shop.Read` was removed (breaking)"


@pytest.fixture
def client() -> Iterator[shop.ShopClient]:
    with shop.ShopClient(os.environ["SKEW"]) as client:
        yield client


def test_calls_that_work(client: shop.ShopClient) -> None:
    assert client.shop.place(order={"isbn": "1", "total": 1}).number == 7


def test_errors_name_the_change(client: shop.ShopClient) -> None:
    with pytest.raises(RpcError) as caught:
        client.shop.place(order={"isbn": "1"})
    assert str(caught.value.cause).endswith(REQUIRED)
    with pytest.raises(RpcError) as caught:
        list(client.shop.watch(order={"isbn": "1"}))
    assert str(caught.value.cause).endswith(REQUIRED)
    with pytest.raises(RpcError) as caught:
        client.shop.attach(order={"isbn": "1"}, bill=shop.File(b"a"))
    assert str(caught.value.cause).endswith(REQUIRED)
    with pytest.raises(RpcError) as caught:
        client.shop.read(number=1)
    assert str(caught.value.cause).endswith(GONE)


def test_asynchronous_errors_name_the_change() -> None:
    async def call() -> str | None:
        async with shop.AsyncShopClient(os.environ["SKEW"]) as client:
            with pytest.raises(RpcError) as caught:
                await client.shop.read(number=1)
            return caught.value.cause

    assert str(asyncio.run(call())).endswith(GONE)


def test_every_attempt_sends_the_contract() -> None:
    sent: list[str] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["webrpc"])
        return httpx.Response(503 if len(sent) == 1 else 200, json={"number": 7})

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = shop.ShopClient("http://a", http=http, retry=shop.Retry(backoff=0.001))
    client.shop.place(order={"isbn": "1"})
    client.with_options(headers={"Webrpc": "mine"}).shop.place(order={"isbn": "1"})
    assert sent == [CONTRACT, CONTRACT, "mine"]
