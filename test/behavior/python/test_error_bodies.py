"""Compares what clients make of errors that are not webrpc's envelope with what TypeScript clients make of them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import bodies
import httpx
import pytest
from bodies import RpcError, TransportError, errors, types

CASES: list[dict[str, Any]] = json.loads(Path(os.environ["CASES"]).read_text())


def failure(case: dict[str, Any]) -> RpcError:
    response = httpx.Response(case["status"], content=case["body"].encode(), headers=case.get("headers"))
    http = httpx.Client(transport=httpx.MockTransport(lambda _: response))
    method = getattr(
        bodies.BodiesClient("http://host", http=http).shop, re.sub("[A-Z]", r"_\g<0>", case["method"]).lower()
    )
    with pytest.raises(RpcError) as caught:
        method(**({"how": "a"} if case["method"] == "fail" else {}))
    return caught.value


def test_cases() -> None:
    names = {case["error"]["name"] for case in CASES}
    assert {"NotFound", "SoldOut", "Gone", "Teapot", "Upstream", "WebrpcBadRequest", "WebrpcEndpoint"} <= names
    for case in CASES:
        error = failure(case)
        if case["error"]["name"] == "WebrpcBadResponse":
            assert isinstance(error, TransportError), case
            assert (error.reason, error.status) == ("bad-response", case["status"]), case
            continue
        data = None if error.data is None else json.loads(error.data.model_dump_json(by_alias=True, exclude_unset=True))
        found = {
            **{key: getattr(error, key) for key in ("name", "code", "status", "message", "cause")},
            "data": data,
        }
        assert found == case["error"], case


def test_types() -> None:
    body = json.dumps({"type": "sold_out", "number": "1409", "status": 409, "errors": [], "left": 2})
    error = failure({"method": "fail", "status": 500, "body": body})
    assert isinstance(error, errors.SoldOutError)
    assert isinstance(error.data, types.Problem)
    assert (error.data.left, error.status) == (2, 500)


def test_streams() -> None:
    error = {
        "error": "SoldOut",
        "code": 1409,
        "msg": "sold out",
        "status": 409,
        "data": {"type": "sold_out", "number": "1409", "status": 409, "errors": []},
    }
    content = json.dumps({"webrpcError": error}) + "\n"
    response = httpx.Response(200, content=content.encode(), headers={"content-type": "application/x-ndjson"})
    http = httpx.Client(transport=httpx.MockTransport(lambda _: response))
    with pytest.raises(errors.SoldOutError) as caught:
        list(bodies.BodiesClient("http://host", http=http).shop.watch())
    assert caught.value.data is not None
    assert caught.value.data.number == "1409"
