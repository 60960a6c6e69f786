"""Imports all packages, and builds everything that is built at the first use."""

from __future__ import annotations

import builtins
import importlib
import pkgutil
import sys
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

FOLDER = Path(sys.path[0] if (Path(sys.path[0]) / "pyproject.toml").exists() else sys.path[1])
PACKAGES = sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]))


def methods_of(package: str) -> list[Any]:
    module = importlib.import_module(f"{package}._methods")
    method = module._w.Method
    services = [each for each in vars(module).values() if isinstance(each, type)]
    return [each for service in services for each in vars(service).values() if isinstance(each, method)]


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.filterwarnings("error")
def test_package(package: str) -> None:
    # What is built at the first use does not see these.
    t = te = _v = pydantic = None
    assert (t, te, _v, pydantic) == (None, None, None, None)
    types = importlib.import_module(package).types
    model = types._v.Model
    for each in vars(types).values():
        if isinstance(each, type) and issubclass(each, model):
            each.model_rebuild()
            assert each.__pydantic_complete__
    for method in methods_of(package):
        if method.request is not None:
            assert method._schemas
    assert not hasattr(builtins, "hijacked")


def test_all_packages() -> None:
    assert "conformance" in PACKAGES
    assert len(PACKAGES) > 20


def test_call_with_hostile_names() -> None:
    """Names and texts of the contract arrive as they are."""
    package = importlib.import_module("case_hostile_text")
    first, *_ = get_args(get_args(package.types.Text)[0])
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, content=request.content)

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = package.HostileClient("http://host", http=http)
    attacks = package.types.Attacks(text=first, pattern="</script>")
    with pytest.warns(DeprecationWarning):
        response = client.hostile.send(attacks=attacks)
    assert response.attacks == attacks
    assert requests[0].url.path == "/rpc/Hostile/Send"
    with pytest.raises(ValueError, match="pattern"):
        package.types.Attacks(text=first, pattern="x")
