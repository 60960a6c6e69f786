"""Names and values of generated packages, as tests write them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("/", "_")).lower()


def pascal(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in snake(name).split("_"))


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
