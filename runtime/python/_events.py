"""Server-sent events, without receiving anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .rpc_errors import TransportError


SPACE = b" \t\r\n"
"""The white space of JSON."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
EVENT_STREAM = "text/event-stream"
# Asks for the end of a stream in Accept, and announces it in Content-Type. A stream whose end was announced is complete
# only if it has arrived.
END = ";end=1"


def has_end(content_type: str) -> bool:
    return re.search(r";\s*end=1\b", content_type, re.IGNORECASE) is not None


class Event(NamedTuple):
    """An event with data: an item, or an error if that is its name."""

    name: str
    status: str
    """The HTTP status of an error, or an empty text."""
    data: bytearray


class Events:
    """Reads the events of a body, as the HTML standard parses them, however it is split."""

    def __init__(self, max_bytes: int, has_end: bool) -> None:
        self.is_done = False
        """Whether the end was sent, after which nothing counts."""
        self._has_end = has_end
        self._max_bytes = max_bytes
        self._line = bytearray()
        self._data: bytearray | None = None
        self._name = self._status = ""
        self._is_first, self._after_return = True, False

    def add(self, chunk: bytes, status: int) -> Iterator[Event]:
        """Yields the events that end in a chunk. Errors: TransportError if an event is too large."""
        is_in_pair = self._after_return and chunk.startswith(b"\n")
        self._after_return = chunk.endswith(b"\r") if chunk else self._after_return
        first, *others = re.split(rb"\r\n?|\n", chunk[1:] if is_in_pair else chunk)
        self._extend(first, status)
        for part in others:
            event = self._end_line()
            if self.is_done:
                return
            if event is not None:
                yield event
            self._extend(part, status)

    def end(self) -> bool:
        """Returns whether the body ends before the stream."""
        is_within = self._data is not None
        if self._line and not self._line.startswith(b":"):
            self._read_field()
            is_within = True
        return (is_within or self._has_end) and not self._is_last()

    def _extend(self, part: bytes, status: int) -> None:
        if not self._line.startswith(b":"):
            self._line += part
        if len(self._line) + len(self._data or b"") > self._max_bytes:
            raise TransportError("bad-response", "the event is too large", status)

    def _end_line(self) -> Event | None:
        if self._is_first:
            self._is_first, self._line = False, self._line.removeprefix(BYTE_ORDER_MARK)
        if self._line:
            self._read_field()
            return None
        event = Event(self._name, self._status, bytearray() if self._data is None else self._data)
        is_empty = self._data is None or (self._name != "error" and not self._data.strip(SPACE))
        is_end = self._has_end and self._data is None and self._name == "end"
        self.is_done = is_end or self._is_last()
        self._name, self._status, self._data = "", "", None
        return None if is_empty else event

    def _read_field(self) -> None:
        field, _, value = self._line.partition(b":")
        name, value = bytes(field), value.removeprefix(b" ")
        if name == b"data":
            if self._data is None:
                self._data = value
            else:
                # Without a copy of the earlier lines, each of which can be short.
                self._data += b"\n"
                self._data += value
        elif name == b"event":
            self._name = value.decode(errors="replace")
        elif name == b"status":
            self._status = value.decode(errors="replace")
        self._line = bytearray()

    def _is_last(self) -> bool:
        return self._data is not None and bytes(self._data.strip(SPACE)) == b"[DONE]"
