"""Plants secrets in sensitive fields, and searches the texts of errors for them."""

from __future__ import annotations

import importlib
import json
import os
import re
import traceback
from pathlib import Path
from typing import Any

import httpx
import pytest

PLANTED = re.compile("hunter2|2718281828")


def everything_of(error: BaseException) -> str:
    """Returns everything that a program sees of an error and its causes."""
    # Tracebacks contain causes and what was being handled, as logs do.
    own = [str(error), repr(error), *traceback.format_exception(error)]
    cause = error.__cause__ or error.__context__
    return "\n".join(own) + ("" if cause is None else everything_of(cause))


def failure_of(package: str, text: str, status: int, is_checked: bool) -> Exception | None:
    module = importlib.import_module(package)
    http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(status, text=text)))
    client = module.ArbitraryClient("http://host", http=http, check_responses=is_checked)
    try:
        response = client.arbitrary.get()
    except module.RpcError as error:
        return error
    assert not PLANTED.search(repr(response) + str(response)), text
    return None


TRIALS: list[dict[str, Any]] = json.loads(Path(os.environ["TRIALS"]).read_text())


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial["name"])
def test_nothing_shows_secrets(trial: dict[str, Any]) -> None:
    failed = 0
    for text in trial["texts"]:
        for status, is_checked in ((200, False), (200, True), (400, False)):
            error = failure_of(trial["name"], text, status, is_checked)
            if error is not None:
                failed += 1
                assert not PLANTED.search(everything_of(error)), text
    assert failed > 10
    method = importlib.import_module(f"{trial['name']}._methods").Arbitrary.put
    for value in trial["values"]:
        try:
            method.write(value)
        except ValueError as error:
            assert not PLANTED.search(everything_of(error)), value
