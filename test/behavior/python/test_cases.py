"""Runs `client-cases.jsonl`, with both clients of the contract."""

from __future__ import annotations

import asyncio
import json
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from conformance import AsyncConformanceClient, ConformanceClient, RpcError, TransportError, _methods
from pydantic import TypeAdapter, ValidationError

HERE = Path(__file__).parent
LINES = (HERE / "../../../runtime/cases/client-cases.jsonl").read_text().splitlines()
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
EXCEPTIONS: dict[str, dict[str, str]] = json.loads((HERE / "exceptions.json").read_text())
CREDENTIALS: Any = {"key": "key", "secret": "secret", "api_key": "k&y é=", "session": "s=1"}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("/", "_")).lower()


def pascal(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in snake(name).split("_"))


def is_exception(case: dict[str, Any]) -> bool:
    return case["name"] in EXCEPTIONS["cases"] or any(need in EXCEPTIONS["needs"] for need in case.get("needs", []))


def control(path: str, case: dict[str, Any]) -> str:
    return httpx.post(os.environ["CONTROL"] + path, content=case["name"].encode()).text


def arguments_of(case: dict[str, Any], method: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Converts the request of a case from its JSON."""
    message = case.get("echo", case.get("request"))
    if message is None or method.request is None:
        return (), {}
    content = json.dumps(message)
    value: Any = TypeAdapter(method.request).validate_json(content, extra="ignore", by_alias=True, by_name=False)
    return ((), value) if isinstance(value, dict) else ((value,), {})


# Creating a context takes longer than a call.
NO_TLS = httpx.create_ssl_context(verify=False)


async def call_async(url: str, case: dict[str, Any], args: Any, kwargs: Any) -> Any:
    http = httpx.AsyncClient(timeout=None, verify=NO_TLS)
    async with http, AsyncConformanceClient(url, credentials=CREDENTIALS, http=http) as client:
        return await getattr(getattr(client, snake(case["service"])), snake(case["method"]))(*args, **kwargs)


def call(kind: str, case: dict[str, Any]) -> Any:
    url = os.environ["CANNED" if "response" in case else "SERVER"]
    method = getattr(getattr(_methods, pascal(case["service"])), snake(case["method"]))
    args, kwargs = arguments_of(case, method)
    if kind == "asynchronous":
        return asyncio.run(call_async(url, case, args, kwargs))
    http = httpx.Client(timeout=None, verify=NO_TLS)
    with http, ConformanceClient(url, credentials=CREDENTIALS, http=http) as client:
        return getattr(getattr(client, snake(case["service"])), snake(case["method"]))(*args, **kwargs)


def same(one: Any, other: Any) -> bool:
    """Compares JSON. Timestamps are the same if they are the same instant."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str) and isinstance(other, str) and re.match(r"\d{4}-\d\d-\d\dT", one):
        first, second = (re.sub(r"\.(\d+)", lambda m: "." + m[1].ljust(6, "0"), t).replace("Z", "+00:00") for t in (one, other))
        return datetime.fromisoformat(first) == datetime.fromisoformat(second)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def check(kind: str, case: dict[str, Any]) -> None:
    if "response" in case:
        control("/respond", case)
    if "error" in case:
        with pytest.raises(RpcError) as caught:
            call(kind, case)
        error = caught.value
        found = {key: getattr(error, key) for key in case["error"]}
        if found.get("data") is not None:
            found["data"] = without_nulls(case, json.loads(found["data"].model_dump_json(exclude_unset=True)))
        assert same(found, case["error"]), found
        if case["error"]["name"] == "WebrpcBadResponse" and "response" in case:
            assert isinstance(error, TransportError)
            assert error.reason == "bad-response"
        return
    value = call(kind, case)
    # A method without a result returns None.
    found = {} if value is None else json.loads(value.model_dump_json(exclude_none=False, exclude_unset=True))
    wanted = case.get("echo", case.get("value"))
    assert same(without_nulls(case, found), wanted), found
    assert control("/received", case) == ""


def without_nulls(case: dict[str, Any], value: Any) -> Any:
    """Null and absent mean the same for an optional field, which pydantic does not forget."""
    if " null for " not in case["name"] or not isinstance(value, dict):
        return value
    return {key: without_nulls(case, each) for key, each in value.items() if each is not None}


@pytest.mark.parametrize("kind", ["synchronous", "asynchronous"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any], kind: str) -> None:
    if not is_exception(case):
        return check(kind, case)
    # What passes is no exception.
    with pytest.raises((AssertionError, AttributeError, ValidationError, ValueError, pytest.fail.Exception)):
        check(kind, case)


def test_exceptions() -> None:
    assert set(EXCEPTIONS["cases"]) <= {case["name"] for case in CASES}
    assert set(EXCEPTIONS["needs"]) <= {need for case in CASES for need in case.get("needs", [])}
