"""Runs the programs in docs/python.md, in their folder."""

from __future__ import annotations

import base64
import hmac
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = sorted(Path(os.environ.get("PROGRAMS", ".")).glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_program(program: Path) -> None:
    run = subprocess.run([sys.executable, program], cwd=program.parent, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    if program.name == "calls.py":
        assert run.stdout.endswith("1 mistake\n")
    if program.name == "orders.py":
        first, *events = run.stdout.splitlines()
        assert first == "6400 cents paid"
        assert events
    if program.name == "asynchronous.py":
        assert run.stdout.startswith("3\n")


def signed() -> tuple[bytes, dict[str, str]]:
    body = json.dumps({"isbn": "9780262510875", "price": "7"}).encode()
    timestamp = str(int(time.time()))
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    digest = hmac.digest(key, f"id.{timestamp}.".encode() + body, "sha256")
    signature = "v1," + base64.b64encode(digest).decode()
    headers = {"webhook-id": "id", "webhook-timestamp": timestamp, "webhook-signature": signature}
    return body, headers | {"webhook-event": "Sold", "content-type": "application/json"}


def test_receivers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(os.environ["PROGRAMS"])
    from fastapi.testclient import TestClient

    fast = TestClient(importlib.import_module("fastapi_receiver").app)
    flask = importlib.import_module("flask_receiver").app.test_client()
    body, headers = signed()
    from django.conf import settings
    from django.test import RequestFactory

    settings.configure()
    receive = importlib.import_module("django_receiver").receive

    def django(headers: dict[str, str]) -> tuple[int, Any]:
        response = receive(RequestFactory().post("/hooks", body, "application/json", headers=headers))
        return response.status_code, json.loads(response.content)

    assert (fast.post("/hooks", content=body, headers=headers).json()) == {}
    assert django(headers) == (200, {})
    assert flask.post("/hooks", data=body, headers=headers).get_json() == {}
    assert capsys.readouterr().out == "sold for 7\n" + "Sold 9780262510875\n" * 2
    forged = headers | {"webhook-id": "other"}
    assert fast.post("/hooks", content=body, headers=forged).json()["cause"] == "the signature does not match"
    assert flask.post("/hooks", data=body, headers=forged).status_code == 401
    assert django(forged)[0] == 401


def test_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(os.environ["PROGRAMS"])
    from fastapi.testclient import TestClient

    with TestClient(importlib.import_module("fastapi_app").app) as application:
        for _ in range(2):
            assert isinstance(application.get("/titles/9780262510875").json(), str)


def test_all_programs() -> None:
    assert len(PROGRAMS) == 12
