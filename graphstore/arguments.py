"""What callers may pass: each public method checks its arguments against its own signature.

A wrong type would otherwise travel on, to fail in a driver or, worse, to be stored.
Bad *values*, such as a name that no index holds, are refusals of the operations instead.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import wraps
from inspect import signature
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from pydantic import BaseModel, ValidationError

__all__ = ["checked"]

Check = Callable[[Any], bool]
"""Whether a value is of one type."""
_PLAIN = (str, bool, UUID, datetime, NoneType)
"""Types that say all that there is to check; `int` is not one, since a `bool` is an `int`."""


def checked[T](kind: type[T]) -> type[T]:
    """Make each public method of a class, and its constructor, check its arguments first.

    They raise `TypeError` for a value of another type than the annotation says, and
    `ValueError` for one that its enumeration does not have. The message names the
    argument and never its value, which may be anything.
    """
    for name, method in list(vars(kind).items()):
        if callable(method) and (name == "__init__" or not name.startswith("_")):
            setattr(kind, name, _checked(method))
    return kind


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    hints = get_type_hints(method)
    names = list(signature(method).parameters)[1:]
    checks = {name: _Argument(method.__name__, name, hints[name]) for name in names}
    in_order = list(checks.values())

    @wraps(method)
    def call(self: Any, /, *args: Any, **named: Any) -> Any:
        for argument, value in zip(in_order, args, strict=False):
            argument.check(value)
        for name, value in named.items():
            if name in checks:
                checks[name].check(value)
        return method(self, *args, **named)

    return call


class _Argument:
    """One argument of one method."""

    def __init__(self, method: str, name: str, hint: Any) -> None:
        self._called = f"{method}: {name}"
        self._fits = _check_of(hint)
        self._kinds = [kind for kind in _alternatives(hint) if _is_enum(kind)]

    def check(self, value: Any) -> None:
        """Raises `TypeError` or `ValueError` for what the argument does not take."""
        if not self._fits(value):
            raise TypeError(f"{self._called} does not take a value of type {_named(value)}.")
        for kind in self._kinds:
            if isinstance(value, str) and value not in kind:
                known = ", ".join(str(member.value) for member in kind)
                raise ValueError(f"{self._called} is none of {known}.")


def _named(value: object) -> str:
    name = type(value).__name__
    if not isinstance(value, list | tuple):
        return name
    inner = sorted({type(item).__name__ for item in cast("Sequence[object]", value)})
    return f"{name} of {', '.join(inner)}" if inner else name


def _check_of(hint: Any) -> Check:
    kinds = _alternatives(hint)
    if all(kind in _PLAIN or _is_enum(kind) for kind in kinds):
        # A text stands for a member of an enumeration; whether for one, `check` says.
        plain = tuple(kind if kind in _PLAIN else str for kind in kinds)
        return lambda value: isinstance(value, plain)
    if len(kinds) > 1:
        checks = [_check_of(kind) for kind in kinds]
        return lambda value: any(check(value) for check in checks)
    if get_origin(hint) in (Sequence, frozenset):
        return _items(get_origin(hint), _check_of(get_args(hint)[0]))
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(hint, type):
        raise TypeError(f"{hint} is no type that an argument can be checked for")
    if issubclass(hint, BaseModel):
        return _record(hint)
    if issubclass(hint, tuple):
        return _fields(cast("type[tuple[Any, ...]]", hint))
    if getattr(cast("object", hint), "_is_protocol", False):
        # A store is whatever does what a store does.
        return lambda value: not isinstance(value, str | int | float | bytes | Mapping | NoneType)
    return lambda value: isinstance(value, hint)


def _items(kind: type, of: Check) -> Check:
    """A text is a sequence of texts to Python, and never what was meant."""

    def fits(value: Any) -> bool:
        return (
            isinstance(value, kind)
            and not isinstance(value, str | bytes | bytearray | memoryview)
            and all(of(item) for item in cast("Sequence[Any]", value))
        )

    return fits


def _record(kind: type[BaseModel]) -> Check:
    """An instance, and still valid: copying one with other values checks nothing."""

    def fits(value: Any) -> bool:
        if not isinstance(value, kind):
            return False
        try:
            kind.model_validate(dict(value.__dict__), strict=True)
        except ValidationError:
            return False
        return True

    return fits


def _fields(kind: type[tuple[Any, ...]]) -> Check:
    checks = [_check_of(hint) for hint in get_type_hints(kind).values()]

    def fits(value: Any) -> bool:
        return isinstance(value, kind) and all(
            check(item) for check, item in zip(checks, cast("Sequence[Any]", value), strict=True)
        )

    return fits


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is UnionType else (hint,)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)
