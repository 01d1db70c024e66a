#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The dataclasses of the Python package have the names of the schemas in data/schema, in any order, and the same names may be null
or absent.

Usage: schemas.py LIBRARY SOURCE
"""
import dataclasses
import json
import os
import sys
import typing
import unittest

SOURCE = os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(SOURCE, "src", "python"))
from shufflebias import decoding, results  # noqa: E402


def schema(name):
    with open(os.path.join(SOURCE, "data", "schema", name), encoding="utf-8") as file:
        return json.load(file)


class Comparison:
    """Walks a schema and a dataclass together."""

    def __init__(self, test, whole):
        self.test, self.whole, self.compared = test, whole, set()

    def resolved(self, part):
        while isinstance(part, dict) and "$ref" in part:
            part = self.whole["$defs"][part["$ref"].rpartition("/")[2]]
        return part

    def parts(self, part):
        """The alternatives of a schema, and whether null is one of them."""
        part = self.resolved(part)
        found = [self.resolved(each) for each in part.get("anyOf", [part])]
        kinds = [part.get("type") for part in found]
        return found, any(kind == "null" or isinstance(kind, list) and "null" in kind for kind in kinds)

    def object(self, kind, part, absent=()):
        self.compared.add(kind)
        with self.test.subTest(dataclass=kind.__name__):
            fields = {field.name: field for field in dataclasses.fields(kind)}
            hints = typing.get_type_hints(kind)
            self.test.assertEqual(set(fields), set(part["properties"]) - set(absent))
            for name, field in fields.items():
                optional = field.default is not dataclasses.MISSING
                self.test.assertEqual(optional, name not in part["required"], name)
                self.value(f"{kind.__name__}.{name}", hints[name], part["properties"][name], optional)

    def value(self, where, hint, part, optional=False):
        if part is True:  # evidence, whose cases are compared one by one
            return
        found, null = self.parts(part)
        kinds = typing.get_args(hint) if typing.get_origin(hint) is typing.Union else (hint,)
        self.test.assertEqual(type(None) in kinds, null or optional, where)
        for kind in kinds:
            if typing.get_origin(kind) is tuple:
                (array,) = [each for each in found if "array" in each["type"]]
                if array["items"].get("type") != "array":  # a matrix has different elements in each case
                    self.value(where, typing.get_args(kind)[0], array["items"])
            elif dataclasses.is_dataclass(kind):
                (each,) = [each for each in found if "object" in each["type"]]
                self.object(kind, each)


class Schemas(unittest.TestCase):
    def test_gate(self):
        whole = schema("gate-2.json")
        Comparison(self, whole).object(results.Gate, whole["$defs"]["gate"])

    def test_report(self):
        whole = schema("report-2.json")
        comparison = Comparison(self, whole)
        comparison.object(results.Report, whole["$defs"]["report"])
        for kind, name in ((results.ExactEvidence, "exact"), (results.SampledEvidence, "sampled"), (results.SeedsEvidence, "seeds")):
            comparison.object(kind, whole["$defs"][f"{name}_evidence"])

    def test_law(self):
        whole = schema("law-1.json")
        Comparison(self, whole).object(results.Law, whole, absent=("schema", "version"))

    def test_decoding(self):
        """Names of a newer library are left out; lists become tuples."""
        found = decoding.decode(results.GateLooks, {"total": [1], "ln_e": [None], "tv_low": [0.0], "tv_high": [1.0], "new": 3})
        self.assertEqual(found, results.GateLooks((1,), (None,), (0.0,), (1.0,)))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            found.total = ()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
