"""Calls every method of this repository's contract, on generated servers and on `ridl mock`."""

from __future__ import annotations

import json
import os
from typing import Any

import httpx
import pytest
import web3_platform
from names import pascal, same, snake
from pydantic import TypeAdapter

SAMPLES: list[dict[str, Any]] = json.loads(os.environ.get("SAMPLES", "[]"))


def call(url: str, sample: dict[str, Any]) -> Any:
    credentials = {"access_key": "test-access-key", "secret": "test-secret"}
    create = getattr(web3_platform, pascal(sample["host"]) + "Client")
    with create(
        url, credentials=credentials, parameters={"network": "polygon"}, check_responses=True
    ) as client:
        method = getattr(getattr(web3_platform._methods, pascal(sample["service"])), snake(sample["method"]))
        content = json.dumps(sample["request"])
        request = TypeAdapter(method.request).validate_json(content, extra="ignore", by_alias=True, by_name=False)
        send = getattr(getattr(client, snake(sample["service"])), snake(sample["method"]))
        return send(**request) if isinstance(request, dict) else send(request)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["method"])
def test_generated_server(sample: dict[str, Any]) -> None:
    value = call(os.environ["PLATFORM"], sample)
    found = {} if value is None else json.loads(value.model_dump_json(exclude_unset=True))
    assert same(found, sample["response"]), found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["method"])
def test_mock(sample: dict[str, Any]) -> None:
    # Responses are checked.
    call(os.environ["MOCK"], sample)


def test_mock_requires_credentials() -> None:
    with web3_platform.ApiClient(os.environ["MOCK"]) as client, pytest.raises(web3_platform.RpcError) as caught:
        client.builder.list_audiences(web3_platform.types.ListAudiencesRequest(project_id=1))
    assert isinstance(caught.value, web3_platform.errors.AccessKeyNotFoundError)


def test_samples_are_complete() -> None:
    assert len(SAMPLES) > 20
    assert httpx.get(os.environ["MOCK"]).status_code == 200
