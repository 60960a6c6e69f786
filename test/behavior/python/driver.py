"""A driver of `ridl conformance` for both clients of the conformance contract: `python driver.py [asynchronous]`."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

import httpx
from conformance import AsyncConformanceClient, ConformanceClient, File, Reconnect, Retry, RpcError, TransportError, _methods
from names import pascal, snake
from pydantic import TypeAdapter

# Creating a context takes longer than a call.
NO_TLS = httpx.create_ssl_context(verify=False)
FILES = {"picture", "more", "paper", "photos", "content"}


def file_of(given: dict[str, str]) -> File:
    return File(base64.b64decode(given["base64"]), name=given["name"], type=given["type"])


def arguments_of(call: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Converts the request of a call from its JSON."""
    request = getattr(getattr(_methods, pascal(call["service"])), snake(call["method"])).request
    message = call.get("request")
    if message is None or request is None:
        return (), {}
    is_upload = call["service"] == "Uploads"
    files = {name: value for name, value in message.items() if is_upload and name in FILES}
    if files:
        read = {name: [file_of(each) for each in value] if isinstance(value, list) else file_of(value) for name, value in files.items()}
        return (), {snake(name): value for name, value in message.items() if name not in files} | read
    value: Any = TypeAdapter(request).validate_json(json.dumps(message), extra="ignore", by_alias=True, by_name=False)
    return ((), value) if isinstance(value, dict) else ((value,), {})


def options_of(call: dict[str, Any]) -> dict[str, Any]:
    options = call["options"]
    found: dict[str, Any] = {"retry": None, "headers": options.get("headers", {}), "credentials": {snake(name): value for name, value in call["credentials"].items()}}
    if "timeoutMs" in options:
        found["timeout"] = options["timeoutMs"] / 1000
    if "attempts" in options:
        found["retry"] = Retry(attempts=options["attempts"], backoff=0.001)
    if options.get("reconnect"):
        found["reconnect"] = Reconnect(attempts=options.get("attempts", float("inf")), min_delay=0.001)
    if "idempotencyKey" in options:
        found["idempotency_key"] = options["idempotencyKey"]
    if "checkResponses" in options:
        found["check_responses"] = True
    return found


def to_json(value: Any) -> Any:
    # A method without a result returns None.
    return {} if value is None else json.loads(value.model_dump_json(exclude_unset=True, by_alias=True))


def file_json(download: Any, content: bytes) -> dict[str, Any]:
    return {"value": {"file": {"name": download.name, "type": download.type, "base64": base64.b64encode(content).decode()}}}


def failed(error: Exception) -> dict[str, Any]:
    if not isinstance(error, RpcError):
        return {"refused": str(error)}
    found = {key: getattr(error, key) for key in ("name", "code", "status", "message", "cause")}
    reason = error.reason if isinstance(error, TransportError) else None
    data = None if error.data is None else to_json(error.data)
    return {"error": {**found, "reason": reason, "data": data}}


def method_of(client: Any, call: dict[str, Any]) -> Any:
    return getattr(getattr(client, snake(call["service"])), snake(call["method"]))


def run(call: dict[str, Any]) -> dict[str, Any]:
    items: list[Any] = []
    take = call["options"].get("take")
    try:
        args, kwargs = arguments_of(call)
        http = httpx.Client(timeout=None, verify=NO_TLS)
        with http, ConformanceClient(call["url"], http=http, **options_of(call)) as client:
            result = method_of(client, call)(*args, **kwargs)
            if hasattr(result, "read"):
                with result as download:
                    return file_json(download, download.read())
            if not hasattr(result, "__next__"):
                return {"value": to_json(result)}
            for item in result:
                items.append(to_json(item))
                if len(items) == take:
                    result.close()
                    break
            return {"items": items}
    except Exception as error:  # noqa: BLE001
        return {"items": items, **failed(error)}


async def run_async(call: dict[str, Any]) -> dict[str, Any]:
    items: list[Any] = []
    take = call["options"].get("take")
    try:
        args, kwargs = arguments_of(call)
        http = httpx.AsyncClient(timeout=None, verify=NO_TLS)
        async with http, AsyncConformanceClient(call["url"], http=http, **options_of(call)) as client:
            result = method_of(client, call)(*args, **kwargs)
            if not hasattr(result, "__anext__"):
                result = await result
                if hasattr(result, "read"):
                    async with result as download:
                        return file_json(download, await download.aread())
                return {"value": to_json(result)}
            async for item in result:
                items.append(to_json(item))
                if len(items) == take:
                    await result.aclose()
                    break
            return {"items": items}
    except Exception as error:  # noqa: BLE001
        return {"items": items, **failed(error)}


for line in sys.stdin:
    call = json.loads(line)
    outcome = asyncio.run(run_async(call)) if "asynchronous" in sys.argv else run(call)
    print(json.dumps(outcome), flush=True)
