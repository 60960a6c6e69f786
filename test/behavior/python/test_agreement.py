"""Compares what clients accept with what servers accept."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path


def accepts(package: str, value: object) -> bool:
    method = importlib.import_module(f"{package}._methods").Arbitrary.send
    rpc_errors = importlib.import_module(f"{package}.rpc_errors")
    try:
        method.read(bytearray(json.dumps(value).encode()), 200, True)
    except rpc_errors.TransportError:
        return False
    return True


def test_clients_agree_with_servers() -> None:
    judged = json.loads(Path(os.environ["VALUES"]).read_text())
    wrong = [each for each in judged if accepts(each["name"], each["value"]) is not each["isValid"]]
    valid = sum(each["isValid"] for each in judged)
    assert len(judged) / 10 < valid < len(judged)
    print(len(judged), "values,", valid, "valid")
    assert not wrong, (len(wrong), wrong[:10])
