"""The types of fields, and how they are written in JSON.

Values that a program creates must have exactly the right type and be within their limits. Values from JSON only need the
right type, because servers may be newer. Validating them again checks their limits.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import IO, Annotated, Any, ClassVar, Literal, TypeAlias, TypeGuard, TypeVar, cast, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, from_json
from pydantic_core import core_schema as cs
from typing_extensions import Self

ModelT = TypeVar("ModelT", bound="Model")

# `defer_build` makes imports of large packages fast. Requests can contain secrets, so errors do not quote them.
_SPEED = ConfigDict(defer_build=True, hide_input_in_errors=True)
# An object may have been changed since it was created.
_RULES = ConfigDict(allow_inf_nan=False, extra="forbid", revalidate_instances="always", strict=True)
_NAMES = ConfigDict(protected_namespaces=(), serialize_by_alias=True, validate_by_alias=True, validate_by_name=True)
CONFIG: ConfigDict = {**_SPEED, **_RULES, **_NAMES}


class Model(BaseModel):
    """The base class of structs and messages."""

    model_config = CONFIG

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Any = None,
    ) -> bool | None:
        # By default, variables of the function that first uses a model would replace types with the same names.
        return super().model_rebuild(force=force, raise_errors=raise_errors, _types_namespace={})

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        fields = type(self).model_fields
        return [each for each in super().__repr_args__() if not is_hidden(fields.get(each[0] or ""))]


def change(request: Any, name: str, value: Any) -> Any:
    """Returns a request with another value for a field."""
    return {**request, name: value} if is_dict(request) else request.model_copy(update={name: value})


class Collector(Model):
    """The base class of structs whose field `_extra` collects the members that no other field declares."""

    _extra: ClassVar[str]

    @classmethod
    def _names(cls) -> set[str]:
        return {field.alias or name for name, field in cls.model_fields.items() if name != cls._extra}

    @model_validator(mode="before")
    @classmethod
    def _collect(cls, value: Any, info: ValidationInfo) -> Any:
        if info.mode != "json" or not is_dict(value):
            return value
        names = cls._names()
        members = {name: member for name, member in value.items() if name in names}
        extra = {name: member for name, member in value.items() if name not in names}
        is_absent = not extra and not cls.model_fields[cls._extra].is_required()
        return members if is_absent else {**members, cls._extra: extra}

    @model_validator(mode="after")
    def _check_extra(self) -> Self:
        for name in self._names() & set(getattr(self, self._extra) or ()):
            raise PydanticCustomError("extra_member", "{name} is a field and cannot be an extra member", {"name": name})
        return self

    @model_serializer(mode="wrap")
    def _spread(self, handler: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        members: dict[str, Any] = handler(self)
        extra = members.pop(self._extra, None) if info.mode == "json" else None
        return {**members, **(extra or {})}


def check_numbers(text: bytes | bytearray) -> None:
    """Refuses NaN, which pydantic reads and writes in values of type `any`. Errors: ValueError."""
    if b"NaN" in text or b"Infinity" in text:
        try:
            from_json(text, allow_inf_nan=False)
        except ValueError as error:
            raise ValueError(f"not JSON, which has no NaN and no Infinity: {error}") from error


def read_json(model: type[ModelT], text: bytes | bytearray) -> ModelT:
    """Reads a message, and ignores fields that are not in the contract. Errors: ValueError."""
    check_numbers(text)
    return model.model_validate_json(text, extra="ignore", by_alias=True, by_name=False)


def _scalar(read: CoreSchema, create: CoreSchema, write: cs.SerSchema) -> GetPydanticSchema:
    schema = cs.json_or_python_schema(read, create, serialization=write)
    return GetPydanticSchema(lambda _source, _handler: schema)


def _from_number(least: int, most: int) -> CoreSchema:
    # In JSON, 1.0 and 1e3 are integers, too. Larger ones are not exact as a float.
    exact = cs.float_schema(strict=True, ge=-(2**53 - 1), le=2**53 - 1)
    whole = cs.chain_schema([exact, cs.int_schema(strict=False, ge=least, le=most)])
    return cs.union_schema([cs.int_schema(strict=True, ge=least, le=most), whole], mode="left_to_right")


# A newer server can send larger integers of narrow types. It could choose keys of maps beyond 64 bits so that all have the
# same hash, and reading them would take hours.
_signed, _unsigned = _from_number(-(2**63), 2**63 - 1), _from_number(0, 2**64 - 1)
_any_integer = _from_number(-(2**63), 2**64 - 1)


def _hide(value: Any, read: cs.ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        # The place in the value is hidden as well, because it can be the key of a map.
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]
        raise PydanticCustomError("sensitive", "{fault}", {"fault": fault}) from None


HIDDEN = GetPydanticSchema(lambda source, handler: cs.no_info_wrap_validator_function(_hide, handler(source)))
"""Hides everything about an invalid value that is sensitive, except for what is wrong with it."""


def is_hidden(field: FieldInfo | None) -> bool:
    """Returns whether the value of a field is in no text of its struct."""
    return field is not None and HIDDEN in field.metadata


def _integer(minimum: int, maximum: int) -> GetPydanticSchema:
    create = cs.int_schema(strict=True, ge=minimum, le=maximum)
    return _scalar(_unsigned if minimum == 0 else _signed, create, cs.simple_ser_schema("int"))


Int8: TypeAlias = Annotated[int, _integer(-(2**7), 2**7 - 1)]
Int16: TypeAlias = Annotated[int, _integer(-(2**15), 2**15 - 1)]
Int32: TypeAlias = Annotated[int, _integer(-(2**31), 2**31 - 1)]
Int64: TypeAlias = Annotated[int, _integer(-(2**63), 2**63 - 1)]
Uint8: TypeAlias = Annotated[int, _integer(0, 2**8 - 1)]
Uint16: TypeAlias = Annotated[int, _integer(0, 2**16 - 1)]
Uint32: TypeAlias = Annotated[int, _integer(0, 2**32 - 1)]
Uint64: TypeAlias = Annotated[int, _integer(0, 2**64 - 1)]
# Other languages represent these types as doubles.
Int: TypeAlias = Annotated[int, _integer(-(2**53 - 1), 2**53 - 1)]
Uint: TypeAlias = Annotated[int, _integer(0, 2**53 - 1)]


Byte: TypeAlias = Uint8
Float32: TypeAlias = float
Float64: TypeAlias = float
# Without `Annotated`, `Null | None` would be an error.
Null: TypeAlias = Annotated[None, "null"]

_digits = cs.str_schema(strict=True, pattern=r"^-?[0-9]+$", max_length=1001)
_from_digits = cs.chain_schema([_digits, cs.int_schema(strict=False)])
_any_bigint = cs.union_schema([_from_digits, cs.int_schema(strict=True)], mode="left_to_right")
_bigint = cs.int_schema(strict=True, gt=-(10**1000), lt=10**1000)
Bigint: TypeAlias = Annotated[int, _scalar(_any_bigint, _bigint, cs.to_string_ser_schema(when_used="json"))]

# pydantic also reads numbers of seconds, and dates without a time or a zone.
_rfc3339 = r"^[0-9-]{10}[Tt][0-9:]{8}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
_from_text = cs.chain_schema([cs.str_schema(strict=True, pattern=_rfc3339), cs.datetime_schema(strict=False)])


def _before_leap(text: str) -> str:
    if text[17:19] != "60":
        raise ValueError("not a leap second")
    return f"{text[:17]}59{text[19:]}"


def _after_leap(time: datetime) -> datetime:
    try:
        if time.utctimetuple()[3:5] == (23, 59):
            return time + timedelta(seconds=1)
    except OverflowError as error:
        raise ValueError("the year is too small or too large") from error
    raise ValueError("a leap second ends the last minute of a day in UTC")


# `datetime` has no leap seconds: each becomes the first second of the next minute, as in other languages.
_from_leap = cs.chain_schema(
    [
        cs.str_schema(strict=True, pattern=_rfc3339),
        cs.no_info_plain_validator_function(_before_leap),
        cs.datetime_schema(strict=False),
        cs.no_info_plain_validator_function(_after_leap),
    ]
)
_any_time = cs.union_schema(
    [_from_text, _from_leap],
    mode="left_to_right",
    custom_error_type="timestamp",
    custom_error_message="Input should be a timestamp as in RFC 3339",
)
_aware = cs.datetime_schema(strict=True, tz_constraint="aware")


def _in_utc(time: datetime) -> datetime:
    # RFC 3339 has no seconds of offsets, which historical zones have.
    try:
        return time.astimezone(timezone.utc)
    except OverflowError as error:
        raise ValueError("the year is too small or too large") from error


_printed_time = cs.plain_serializer_function_ser_schema(_in_utc, return_schema=cs.datetime_schema(), when_used="json")
Timestamp: TypeAlias = Annotated[datetime, _scalar(_any_time, _aware, _printed_time)]


def _encode(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


# pydantic writes the URL-safe alphabet.
_from_base64 = cs.no_info_after_validator_function(_decode, cs.str_schema(strict=True))
_to_base64 = cs.plain_serializer_function_ser_schema(_encode, when_used="json")
Bytes: TypeAlias = Annotated[bytes, _scalar(_from_base64, cs.bytes_schema(strict=True), _to_base64)]


class Known:
    """Lets servers send values that the contract does not contain yet."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        known, *_ = get_args(source)
        number = cs.bool_schema(strict=True) if isinstance(known, bool) else _any_integer
        read = cs.str_schema(strict=True) if isinstance(known, str) else number
        return cs.json_or_python_schema(read, handler(source))


class Variants:
    """Tells the variants of a union apart.

    Each variant lists the values of the tag that mean it. Without a tag, it lists the kinds of its JSON values, the
    members that show that an object is of it, and which of them can be null.
    """

    def __init__(self, *variants: tuple[Any, ...], tag: str = "", choice: tuple[str, ...] = ()) -> None:
        self._variants, self._tag, self._choice = variants, tag, choice
        tags = [(each, str(index)) for index, variant in enumerate(variants) for each in variant] if tag else []
        self._indexes = {_key(each): index for each, index in tags}
        self._tag_kinds = {_kinds(each)[0] for each, _ in tags}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {str(index): handler.generate_schema(each) for index, each in enumerate(get_args(source))}
        return cs.tagged_union_schema(
            choices, self._find, custom_error_type="variant", custom_error_message=_no_variant
        )

    def _find(self, value: Any) -> str | None:
        members = members_of(value)
        if self._tag:
            tag = members.get(self._tag)
            if _kinds(tag)[0] not in self._tag_kinds:
                return None
            # An open union has one variant more.
            return self._indexes.get(_key(tag), str(len(self._variants)))
        present = {name for name, member in members.items() if member is not None}
        if self._choice and len(present & set(self._choice)) != 1:
            return None
        for kind in _kinds(value):
            for index, (kinds, marks, nullable) in enumerate(self._variants):
                found = present | (members.keys() & set(nullable))
                if kind in kinds.split() and (kind != "object" or found >= set(marks)):
                    return str(index)
        return None


_no_variant = "Input should be one of the variants"


def members_of(value: Any) -> dict[str, Any]:
    """Returns the members of an object by their names in JSON."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields.items()
        return {field.alias or name: getattr(value, name) for name, field in fields}
    return value if is_dict(value) else {}


def _kinds(value: Any) -> tuple[str, ...]:
    """Returns the kinds that the JSON of a value can have."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return ("number", "string")
    if isinstance(value, dict | BaseModel):
        return ("object",)
    return ("array",) if isinstance(value, list) else ("string",)


@dataclass(frozen=True, slots=True)
class File:
    """A file in a request."""

    content: bytes | IO[bytes]
    name: str = ""
    type: str = "application/octet-stream"

    def __post_init__(self) -> None:
        # httpx writes it as it is, so that a line break would add a header.
        if not (self.type.isascii() and self.type.isprintable()):
            raise ValueError("the type of a file contains characters that are not allowed")
        # A temporary file is no TextIOBase.
        is_text = hasattr(self.content, "encoding")
        if is_text or not (isinstance(self.content, bytes) or hasattr(self.content, "read")):
            got = "a file in text mode" if is_text else f"{type(self.content).__name__}"
            raise TypeError(f"the content of a file: expected bytes or a file in binary mode, got {got}")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return cs.is_instance_schema(cls)


_LIMITS = {"minimum": "ge", "maximum": "le", "pattern": "pattern"}


PATTERNS: dict[str, Callable[[str], bool]] = {}
"""Checks for patterns that pydantic cannot check, e.g. with a lookahead. Programs that need them add them."""


class Limits:
    """Limits of values. Values from JSON only have to be within them if they are validated again."""

    def __init__(
        self,
        *,
        enum: Sequence[float] = (),
        format: str = "",
        hook: str = "",
        unique_items: bool = False,
        **limits: float | str,
    ) -> None:
        self._enum = [*enum]
        self._keywords = {_LIMITS.get(name, name[:4] + "length"): limit for name, limit in limits.items()}
        self._hook, self._is_url, self._is_unique = hook, format == "uri", unique_items

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        origin: Any = get_origin(source) or source
        kind = cast("type[Any]", type(get_args(source)[0]) if origin is Literal else origin)
        checks = [schema, cast("CoreSchema", {"type": kind.__name__, **self._keywords})]
        if schema["type"] == kind.__name__ and kind in (dict, list):
            # The last check also writes the items.
            checks = [cast("CoreSchema", {**schema, **self._keywords})]
        if self._enum:
            checks.append(cs.literal_schema(self._enum))
        if self._is_url:
            checks.append(cs.str_schema(pattern=_url))
        if self._hook:
            checks.append(cs.no_info_plain_validator_function(self._run_hook))
        if self._is_unique:
            checks.append(cs.no_info_plain_validator_function(_check_unique))
        return cs.json_or_python_schema(schema, cs.chain_schema(checks))

    def _run_hook(self, text: str) -> str:
        if self._hook not in PATTERNS:
            raise LookupError(f"PATTERNS has no check for the pattern {self._hook}")
        if not PATTERNS[self._hook](text):
            raise PydanticCustomError("pattern", "String should match the pattern")
        return text


# The characters that RFC 3986 allows. Others have to be percent-encoded.
_url = (
    r"(?i)^https?://(?:(?:[!$&-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*@)?"
    r"(?:\[[0-9a-f:.]+\]|(?:[!$&-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})+)(?::[0-9]*)?"
    r"(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?(?:#(?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?$"
)


def _check_unique(items: list[Any]) -> list[Any]:
    seen: set[Any] = set()
    for index, item in enumerate(items):
        key = _key(item)
        if key in seen:
            raise PydanticCustomError("unique_items", "Item {index} is the same as another", {"index": index})
        seen.add(key)
    return items


def _key(value: Any) -> Any:
    """Returns a value that can be hashed, and is the same for equal values."""
    if isinstance(value, BaseModel):
        return _key(value.__dict__)
    if is_dict(value):
        return frozenset((key, _key(item)) for key, item in value.items())
    if is_list(value):
        return tuple(map(_key, value))
    if isinstance(value, float) and value.is_integer():
        return _key(int(value))
    # In Python, True equals 1, and numbers can be chosen so that all have the same hash.
    return (type(value), repr(value)) if isinstance(value, int | float) else value


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Narrows a type for every type checker."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Narrows a type for every type checker."""
    return isinstance(value, list)
