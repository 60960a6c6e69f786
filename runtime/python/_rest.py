"""Requests and responses with a verb, a path, a query, headers or a form of their own, without sending anything."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple, TypeAlias
from urllib.parse import quote

import httpx
from pydantic_core import from_json

from ._values import File, is_dict, is_list


Part: TypeAlias = tuple[str, tuple[str, Any, str] | tuple[None, str]]
"""A part of a form: its name, and a file or a text, as httpx takes it."""


@dataclass(frozen=True)
class Message:
    """What a request consists of."""

    body: Mapping[str, Any]
    """What httpx sends."""
    media_type: str | None = None
    """The type of the body, if httpx does not choose it."""
    verb: str = "POST"
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values for the placeholders of the path."""
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def check(self) -> None:
        """Raises an error if the body is a file that was empty and has grown: httpx reads it after an empty request."""
        content = self.body.get("content")
        if isinstance(content, Upload) and content.length == 0:
            content.read(1)

    def rewind(self) -> bool:
        """Sets files back to where they began. Returns whether all of them can be sent again."""
        is_open = True
        for content in [self.body.get("content"), *(given[1] for _, given in self.body.get("files", ()))]:
            if isinstance(content, Upload):
                try:
                    content.seek(0)
                except (OSError, ValueError):
                    # It was closed in the meantime.
                    is_open = False
        return is_open


class Upload:
    """The content of a file from its position, which each attempt sends from there. httpx reads it in forms."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._start = file, file.tell()
        self.length = self.seek(0, 2)
        self.seek(0)

    def __iter__(self) -> Iterator[bytes]:
        self.seek(0)
        while chunk := self.read(65536):
            yield chunk

    def read(self, size: int = -1) -> bytes:
        """Raises an error if the length has changed. The last bytes complete a request, so nothing may follow them."""
        chunk = self._file.read(size)
        at = self.tell()
        if (at >= self.length or not chunk) and (at != self.length or self._file.read(1)):
            raise httpx.LocalProtocolError(f"the file does not have {self.length} bytes")
        return chunk

    def tell(self) -> int:
        return self._file.tell() - self._start

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset if whence else self._start + offset, whence) - self._start


class AsyncUpload:
    """The same for asynchronous clients."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._upload:
            yield chunk


def content_of(file: File) -> bytes | Upload:
    """Returns the content of a file. One without positions, such as a pipe, is read, so that its length is known."""
    content = file.content
    if isinstance(content, bytes):
        return content
    return Upload(content) if content.seekable() else content.read()


def file_message(file: File) -> Message:
    """Returns a body that is a file."""
    content = content_of(file)
    media_type = file.type or "application/octet-stream"
    if isinstance(content, bytes):
        return Message({"content": content}, media_type)
    return Message({"content": content}, media_type, headers={"content-length": str(content.length)})


class Fixed(NamedTuple):
    """A text that is always sent."""

    text: str


class Slot(NamedTuple):
    """A field in an address or a header."""

    field: str
    is_text: bool = True
    """Whether the value, or each item of a list, is text. Otherwise, it is JSON, such as a number."""
    is_joined: bool = False
    """Whether the items of a list are separated by commas in one pair of a query."""


class ResponseHeader(NamedTuple):
    """A field of a response or an error in a header."""

    name: str
    field: str
    is_text: bool
    """Whether the value, or each item of a list, is text in JSON."""
    is_list: bool = False
    is_required: bool = False
    """Whether the field is an empty list if there is no header."""


@dataclass(frozen=True)
class Rest:
    """Where the parts of a request and of its response are. Fields have their names in JSON."""

    verb: str
    query: Mapping[str, Slot | Fixed] = field(default_factory=dict[str, "Slot | Fixed"])
    """The fields in the query by their names there."""
    headers: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    """The fields in headers."""
    json_in_path: tuple[str, ...] = ()
    """The fields in the path that are JSON, such as numbers. The others are text."""
    body: str | bool = False
    """The field that is the body, or whether the body is an object of the fields that are in no other part."""
    list_mark: str | None = None
    """What follows the names of lists in a form. None means that the body is JSON."""
    media_type: str = "application/json"
    """The type of a body in JSON."""
    response_headers: tuple[ResponseHeader, ...] = ()
    """The fields of the response in headers."""
    statuses: Mapping[int, str | None] = field(default_factory=dict[int, "str | None"])
    """The field that is the body of the response with each status, if there are several."""
    status_field: str | None = None
    """The field that contains the status."""

    def write(
        self, path: str, members: dict[str, Any], files: Sequence[Part] | None = None, file: File | None = None
    ) -> Message:
        """Distributes the fields of a request. With files, the body is a form with parts. Errors: ValueError."""
        given = {name: slot for name, slot in self.headers.items() if members.get(slot.field) not in (None, [])}
        headers = {name.lower(): header_of(name, members[slot.field], slot.is_text) for name, slot in given.items()}
        content = self._content(path, members)
        body: Mapping[str, Any] = {}
        media_type = None
        if files is not None:
            parts = [*form_parts(content, self.list_mark or ""), *files]
            body = {"files": parts} if parts else {}
        elif text := self._print(content):
            body = {"content": text.encode()}
            media_type = self.media_type if self.list_mark is None else "application/x-www-form-urlencoded"
        elif file is not None:
            sent = file_message(file)
            body, media_type = sent.body, sent.media_type
            headers |= sent.headers
        fields = {**members, **{name: texts_of(members.get(name), is_text=False) for name in self.json_in_path}}
        return Message(body, media_type, self.verb, fields, self._query(members), headers)

    def _query(self, members: dict[str, Any]) -> str:
        pairs: list[str] = []
        for name, source in self.query.items():
            if isinstance(source, Fixed):
                texts = [encode(source.text)]
            else:
                items = texts_of(members.get(source.field), source.is_text)
                texts = [encode(item) for item in items]
                if source.is_joined and items:
                    check_commas(f"parameter {name}", items)
                    texts = [",".join(texts)]
            pairs += [f"{encode(name)}={text}" for text in texts]
        return "?" + "&".join(pairs) if pairs else ""

    def _content(self, path: str, members: dict[str, Any]) -> Sequence[Any]:
        """Returns the value that is the body, or nothing if there is none."""
        if isinstance(self.body, str):
            return [members[self.body]] if self.body in members else []
        if not self.body:
            return []
        slots = [*self.query.values(), *self.headers.values()]
        bound = {*re.findall(r"\{(\w+)\}", path), *(slot.field for slot in slots if isinstance(slot, Slot))}
        return [{name: value for name, value in members.items() if name not in bound}]

    def _print(self, content: Sequence[Any]) -> str:
        """Returns the text of a body without files, which is empty if there is none."""
        mark = self.list_mark
        if mark is None:
            return "".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in content)
        pairs = [pair for value in content for pair in form_pairs(value, mark)]
        return "&".join(f"{encode(name)}={encode(text)}" for name, text in pairs)

    def read(
        self, text: bytes | bytearray, status: int, headers: Mapping[str, str], body: str | None, is_empty: bool
    ) -> bytes | bytearray:
        """Returns the JSON of a response. Errors: ValueError."""
        # Without outputs, the status is ignored.
        if self.statuses and not is_empty:
            if status not in self.statuses:
                raise ValueError(f"unexpected status {status}")
            body = self.statuses[status]
            is_empty = body is None
        text = b"{}" if is_empty else text if body is None else wrap(body, text)
        added: dict[str, Any] = {} if self.status_field is None else {self.status_field: status}
        added.update(fields_in(headers, self.response_headers))
        if not added:
            return text
        members = from_json(text)
        if not is_dict(members):
            raise ValueError("expected an object")
        return json.dumps({**members, **added}).encode()


def fields_in(headers: Mapping[str, str], given: Sequence[ResponseHeader]) -> dict[str, Any]:
    """Returns the JSON of fields in headers. Errors: ValueError."""
    fields: dict[str, Any] = {}
    for name, key, is_text, has_items, is_required in given:
        value = headers.get(name)
        if value is not None and (value or not has_items):
            items = [item.strip() for item in value.split(",")] if has_items else [value]
            values: list[Any] = items if is_text else [from_json(item) for item in items]
            fields[key] = values if has_items else values[0]
        elif is_required:
            fields[key] = []
    return fields


def wrap(name: str, text: bytes | bytearray) -> bytes:
    """Returns an object with one field. Errors: ValueError."""
    # The text must be a single value, so that it cannot add other fields.
    from_json(text)
    return b"{%b:%b}" % (json.dumps(name).encode(), bytes(text))


def encode(text: str) -> str:
    return quote(text, safe="!*'()")


def texts_of(value: Any, is_text: bool) -> list[str]:
    """Returns the texts of a value, or of the items of a list, in an address or a header."""
    items = value if is_list(value) else [] if value is None else [value]
    return list(items) if is_text else [json.dumps(item) for item in items]


def check_commas(place: str, items: list[str]) -> None:
    # Servers also split lists at encoded commas.
    if any("," in item for item in items):
        raise ValueError(f"{place} has items with commas")


def header_of(name: str, value: Any, is_text: bool) -> str:
    """Returns the text of a header. Errors: ValueError."""
    items = texts_of(value, is_text)
    if is_list(value):
        check_commas(f"header {name}", items)
    elif items == [""]:
        # Nobody could tell an empty item of a list from an empty list.
        return ""
    # An error of httpx would quote the value, which can be secret.
    if not all(re.fullmatch("[!-~]([ -~]*[!-~])?", item) for item in items):
        raise ValueError(f"header {name} contains characters that are not allowed")
    return ",".join(items)


def form_pairs(value: Any, list_mark: str, name: str = "") -> list[tuple[str, str]]:
    """Returns the names and texts of a value in a form. Errors: ValueError."""
    if value is None:
        return []
    if not is_dict(value) and not is_list(value):
        # The value of a union in a form can be text or JSON.
        return [(name, value if isinstance(value, str) else json.dumps(value))]
    if is_list(value) and not any(item is None or is_dict(item) or is_list(item) for item in value):
        return [pair for item in value for pair in form_pairs(item, list_mark, name + list_mark)]
    pairs: list[tuple[str, str]] = []
    for key, item in value.items() if is_dict(value) else enumerate(value):
        if "[" in str(key) or "]" in str(key):
            raise ValueError(f"a form cannot express the name {key}")
        inner = form_pairs(item, list_mark, f"{name}[{key}]" if name else str(key))
        if is_list(value) and not inner:
            raise ValueError(f"{name}[{key}] is empty, which a form cannot express")
        pairs += inner
    return pairs


def form_parts(content: Sequence[Any], list_mark: str) -> list[Part]:
    """Returns the texts in a form with files. Errors: ValueError."""
    pairs = [pair for value in content for pair in form_pairs(value, list_mark)]
    for name, _ in pairs:
        # Senders and receivers escape these in different ways.
        if re.search(r"\\|%(?:22|0[AD])", name):
            raise ValueError(f"a form with files cannot express the name {name}")
    return [(name, (None, text)) for name, text in pairs]
