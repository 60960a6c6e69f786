"""Keys in the query of addresses."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import httpx

from ._rest import encode


class KeyedURL(httpx.URL):
    """An address with keys."""

    def __init__(self, url: httpx.URL, keys: Mapping[str, str]) -> None:
        pairs = [f"{encode(name)}={encode(value)}" for name, value in keys.items()]
        super().__init__(f"{url}{'&' if url.query else '?'}{'&'.join(pairs)}")
        self.shown = str(url)


def hide_keys(record: logging.LogRecord) -> bool:
    """Removes keys from what is logged."""
    if isinstance(record.args, tuple):
        record.args = tuple(arg.shown if isinstance(arg, KeyedURL) else arg for arg in record.args)
    return True


def add_keys(request: httpx.Request, keys: Mapping[str, str]) -> None:
    """Adds keys to the query of a request, but not to the log of httpx. Errors: ValueError."""
    if not keys:
        return
    for name, value in keys.items():
        if any("\ud800" <= char <= "\udfff" for char in value):
            # The error of Python would contain the value.
            raise ValueError(f"parameter {name} has an unpaired surrogate")
    logging.getLogger("httpx").addFilter(hide_keys)
    request.url = KeyedURL(request.url, keys)
