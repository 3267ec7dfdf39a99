"""Turns JSON values into the dataclasses of schemas.py."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from typing import Any, TypeVar

from . import schemas

T = TypeVar("T")


def decode(cls: type[T], value: Any) -> T:
    """Returns a JSON object as a dataclass. Unknown fields are ignored, because later versions may add some.

    Raises ValueError if a field is missing.
    """
    if not isinstance(value, dict):
        raise ValueError(f"{cls.__name__} is a {type(value).__name__} and no JSON object")
    given = {}
    for name, (field, kind, required) in _fields(cls).items():  # type: ignore[arg-type]
        if name in value:
            given[field] = _convert(kind, value[name])
        elif required:
            raise ValueError(f"{cls.__name__} has no field {name!r}")
    return cls(**given)


@functools.cache
def _fields(cls: type) -> dict[str, tuple[str, Any, bool]]:
    """Returns for each name in JSON the name of the field, its type, and whether it is required."""
    hints = typing.get_type_hints(cls, vars(schemas))
    return {
        field.name.removesuffix("_"): (field.name, hints[field.name], field.default is dataclasses.MISSING)
        for field in dataclasses.fields(cls)
    }


def _convert(kind: Any, value: Any) -> Any:
    if value is None or kind is Any:
        return value
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType or origin is typing.Union:
        return _convert(next(a for a in arguments if a is not type(None)), value)
    if origin is list:
        return [_convert(arguments[0], item) for item in value]
    if origin is dict:
        return {key: _convert(arguments[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(kind):
        return decode(kind, value)  # type: ignore[arg-type]
    if kind is float:
        return float(value)  # JSON has 1 for 1.0
    return value
