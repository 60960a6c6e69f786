"""Compares a client with what the client and the server of webrpc's interoperability suite send."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import webrpc_suite
from pydantic import BaseModel
from webrpc_suite import RpcError, types

EXCHANGES: list[dict[str, Any]] = json.loads(Path(os.environ["SUITE"]).read_text())


def without_nulls(value: Any) -> Any:
    """Removes absent fields, which Go's clients send as null."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def read(text: str | bytes) -> Any:
    """Reads JSON. Go's clients send null for no arguments."""
    return without_nulls(json.loads(text) or {})


class Server:
    """Answers as the server of the suite does."""

    def __init__(self, exchange: dict[str, Any]) -> None:
        self.exchange = exchange

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert (request.method, request.url.path) == ("POST", f"/rpc/TestApi/{self.exchange['method']}")
        assert read(request.content) == read(self.exchange["request"])
        headers = {"content-type": "application/json"}
        return httpx.Response(self.exchange["status"], text=self.exchange["response"], headers=headers)


def call(exchange: dict[str, Any], mode: str) -> Any:
    """Calls the method of an exchange."""
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", exchange["method"]).lower()
    request = read(exchange["request"])
    if "complex" in request:
        request["complex"] = types.Complex.model_validate(request["complex"], by_alias=True, by_name=False)
    transport = httpx.MockTransport(Server(exchange))
    if mode == "sync":
        client = webrpc_suite.TestClient("http://host", http=httpx.Client(transport=transport))
        return getattr(client.test_api, name)(**request)

    async def run() -> Any:
        http = httpx.AsyncClient(transport=transport)
        client = webrpc_suite.AsyncTestClient("http://host", http=http)
        return await getattr(client.test_api, name)(**request)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda each: f"{each['method']} {each['request']}")
def test_exchange(exchange: dict[str, Any], mode: str) -> None:
    wanted = read(exchange["response"])
    if exchange["status"] == 200:
        response = call(exchange, mode)
        found = response.model_dump(mode="json", by_alias=True, exclude_unset=True) if response else {}
        assert isinstance(response, BaseModel | None)
        assert read(json.dumps(found)) == wanted
        return
    with pytest.raises(RpcError) as caught:
        call(exchange, mode)
    error = caught.value
    found = {"error": error.name, "code": error.code, "msg": error.message, "status": error.status}
    assert without_nulls({**found, "cause": error.cause}) == wanted
