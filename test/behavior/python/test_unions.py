"""Tests unions, listed values, and errors with data."""

from __future__ import annotations

import json

import httpx
import pytest
import unions
from pydantic import ValidationError
from unions import types


def client(status: int, body: object) -> unions.UnionsClient:
    def respond(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, json=body)

    return unions.UnionsClient("http://host", http=httpx.Client(transport=httpx.MockTransport(respond)))


EVERYTHING = {
    "events": [
        {"kind": "paid", "amount": "12", "status": 200},
        {"kind": "delivered", "at": "2024-02-29T12:00:00Z", "carrier": "us"},
    ],
    "open": {"kind": "lost", "where": [1, 2]},
    "query": {"city": "Bern", "radius": 1.5},
    "conditions": ["a", {"b": ["c"]}, []],
    "moments": {"a": "2024-02-29T12:00:00Z", "b": 9007199254740993},
    "intents": [
        {"id": 1, "code": "paid", "data": {"city": "Bern", "radius": 2.0}},
        {"id": 2, "code": "shipped", "data": {"city": "Bern"}},
        {"id": 3, "code": "lost"},
    ],
    "payee": {"iban": "CH1"},
    "maybe": None,
    "level": 2.5,
    "isSure": True,
}


def test_everything_makes_a_round_trip() -> None:
    echoed: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        echoed.append(request)
        return httpx.Response(200, content=request.content)

    http = httpx.Client(transport=httpx.MockTransport(respond))
    everything = types.Everything.model_validate_json(json.dumps(EVERYTHING))
    assert isinstance(everything.events[0], types.Paid)
    assert isinstance(everything.intents[2], types.IntentLost)
    again = unions.UnionsClient("http://host", http=http).unions.echo(all=everything).all
    assert again == everything
    assert httpx.Response(200, content=echoed[0].content).json() == {"all": EVERYTHING}


def test_invalid_values_are_not_sent() -> None:
    with pytest.raises(ValidationError):
        types.Shipped.model_validate({"kind": "lost", "at": "2024-02-29T12:00:00Z"})
    with pytest.raises(ValidationError, match="one of the variants"):
        types.Everything.model_validate_json(json.dumps({**EVERYTHING, "events": [{"kind": "payed"}]}))
    everything = types.Everything.model_validate_json(json.dumps({**EVERYTHING, "level": 1.5}))
    with pytest.raises(ValidationError):
        types.Everything.model_validate(everything)


def test_data_of_errors() -> None:
    envelope = {"error": "SoldOut", "code": 1409, "msg": "m", "status": 409}
    with pytest.raises(unions.errors.SoldOutError) as caught:
        client(409, {**envelope, "data": {"left": 3}}).unions.order(count=9)
    assert caught.value.data == types.Stock(left=3)
    assert caught.value.envelope()["data"] == {"left": 3}
    for data in ({"left": -1}, None, "text"):
        with pytest.raises(unions.errors.SoldOutError) as caught:
            client(409, {**envelope, "data": data}).unions.order(count=9)
        assert caught.value.data is None
