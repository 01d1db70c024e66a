# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the dataclasses of results.py from the objects of JSON."""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from . import results

T = TypeVar("T")
EVIDENCE = {"exact": results.ExactEvidence, "sample": results.SampledEvidence, "seeds": results.SeedsEvidence}


@functools.lru_cache(maxsize=None)
def hints_of(kind: Any) -> Mapping[str, Any]:
    """The types of the fields of a dataclass, by name."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def decode(kind: type[T], found: Mapping[str, Any]) -> T:
    """A dataclass from an object of JSON. Names that the dataclass does not have, of a newer library, are left out."""
    types = hints_of(cast(Any, kind))
    return kind(**{name: value_of(types[name], found[name]) for name in types if name in found})


def value_of(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    if get_origin(hint) is Union:
        return union_value(get_args(hint), value)
    if get_origin(hint) is tuple:  # tuple[X, ...]
        return tuple(value_of(get_args(hint)[0], element) for element in value)
    return decode(hint, value) if dataclasses.is_dataclass(hint) else value


def union_value(kinds: tuple[Any, ...], value: Any) -> Any:
    """Optional[X], the kinds of evidence, or a union of simple types."""
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    if isinstance(value, dict) and len(kinds) > 1:
        return decode(EVIDENCE[value["by"]], value)
    return value_of(kinds[0], value)
