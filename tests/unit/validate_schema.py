#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates the JSON that a command prints, or that a file contains, against a schema.

    validate_schema.py SCHEMA FILE
    validate_schema.py SCHEMA -- COMMAND [ARGUMENT ...]

Then it damages the JSON in a few ways and checks that the schema rejects it. This finds a schema that accepts
everything. Exit status: 0 valid, 1 not valid, 77 if python3-jsonschema is missing (Meson then skips the test).
"""
import copy
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)


def read(arguments):
    if arguments[0] == "--":
        done = subprocess.run(arguments[1:], stdout=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1, 3, 4):  # verdicts of the gate, which are written
            sys.exit(f"exit status {done.returncode}")
        return json.loads(done.stdout)
    with open(arguments[0], encoding="utf-8") as file:
        return json.load(file)


PLAN = (
    ("a key too many", lambda d: d["tests"][0].update(surprise=1)),
    ("a key missing", lambda d: d.pop("subject")),
    ("another schema", lambda d: d.update(schema="shufflebias.plan/99")),
    ("an unknown test", lambda d: d["tests"][0].update(test="look")),
    ("a number as a string", lambda d: d["tests"][0].update(samples="3")),
    ("no test", lambda d: d.update(tests=[])),
)

LAW = (
    ("a key too many", lambda d: d.update(surprise=1)),
    ("a key missing", lambda d: d.pop("obtained")),
    ("another schema", lambda d: d.update(schema="shufflebias.law/99")),
    ("a cell as a string", lambda d: d["cells"].append("3")),
    ("a probability above 1", lambda d: d["p"].append(2)),
    ("no cells", lambda d: d.update(cells=[])),
)
LEDGER = (
    ("a key too many", lambda d: d["recent"][0].update(surprise=1)),
    ("a key missing", lambda d: d["outcomes"].pop("fail")),
    ("another schema", lambda d: d.update(schema="shufflebias.ledger/99")),
    ("an unknown outcome", lambda d: d["recent"][0].update(outcome="fine")),
    ("a number as a string", lambda d: d.update(runs="3")),
    ("a count below 0", lambda d: d["outcomes"].update(broken=-1)),
)
GATE = (
    ("a key too many", lambda d: d["gates"][0]["statistics"][0].update(surprise=1)),
    ("a key missing", lambda d: d["gates"][0]["terms"].pop("delta")),
    ("another schema", lambda d: d.update(schema="shufflebias.gate/99")),
    ("an unknown verdict", lambda d: d["gates"][0].update(verdict="fine")),
    ("a broken subject with findings", lambda d: d["gates"][0].update(verdict="broken")),
    ("a sentence without its verdict", lambda d: d["gates"][0].update(sentence="All is well.")),
    ("a number as a string", lambda d: d["gates"][0].update(total="3")),
    ("no statistic", lambda d: d["gates"][0].update(statistics=[])),
    ("no subject", lambda d: d.update(gates=[])),
)
EVIDENCE = (
    ("a key too many", lambda d: d["subject"].update(surprise=1)),
    ("a key missing", lambda d: d.pop("checksum")),
    ("a key of the run too many", lambda d: d["run"].update(surprise=1)),
    ("the run of another command", lambda d: d.update(command="gate" if d["command"] == "report" else "report")),
    ("another schema", lambda d: d.update(schema="shufflebias.evidence/99")),
    ("a subject of no kind", lambda d: d["subject"].update(kind="friend")),
    ("an option that is a number", lambda d: d["options"].update(n=3)),
    ("an option that is not saved", lambda d: d["options"].update(threads="3")),
    ("a number as a string", lambda d: d.update(total="3")),
    ("a count below 0", lambda d: d.update(total=-1)),
    ("a checksum that is none", lambda d: d.update(checksum="0")),
    ("no parts", lambda d: d.update(shards={"of": 7, "parts": []})),
    ("part 0", lambda d: d.update(shards={"of": 7, "parts": [{"part": 0, "done": 1}]})),
    ("parts of nothing", lambda d: d.update(shards=None)),
)
RUNS = {
    "report": (("counts below 0", lambda d: d["run"].update(counts=[-1])),),
    "gate": (("a verdict that is none", lambda d: d["run"].update(verdict="broken")),
             ("a hash that is none", lambda d: d["run"].update(openings=["0"]))),
    "watch": (("no alarms", lambda d: d["run"].pop("alarms")), ("a bookmark nowhere", lambda d: d["run"].update(bookmark={}))),
}
WATCH = (
    ("a key too many", lambda d: d["subject"].update(surprise=1)),
    ("a key missing", lambda d: d.pop("window")),
    ("another schema", lambda d: d.update(schema="shufflebias.watch/99")),
    ("an unknown kind", lambda d: d["subject"].update(kind="thing")),
    ("a number as a string", lambda d: d.update(total="3")),
    ("a bound above 1", lambda d: d.update(tv_high=2)),
)


def spoiled(document):
    """Copies of the document, each with one promise broken, and which."""
    for what, spoil in WATCH if "window" in document and "sentence" in document else PLAN if "tests" in document else EVIDENCE + RUNS[document["command"]] if "checksum" in document else LEDGER if "recent" in document else GATE if "gates" in document else LAW if "cells" in document else (
        ("a key too many", lambda d: d["reports"][0].update(surprise=1)),
        ("a key missing", lambda d: d["reports"][0]["subject"].pop("rng")),
        ("another schema", lambda d: d.update(schema="shufflebias.report/99")),
        ("an unknown verdict", lambda d: d["reports"][0].update(verdict="fine")),
        ("a number as a string", lambda d: d["reports"][0].update(n="3")),
        ("neither exact nor sampled", lambda d: d["reports"][0]["evidence"].update(by="guess")),
    ):
        copied = copy.deepcopy(document)
        spoil(copied)
        yield what, copied


def main(schema_path, *arguments):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    document = read(arguments)
    errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(document)]
    if any(document.get(key) for key in ("reports", "tests", "gates", "cells", "recent", "checksum", "sentence")):
        errors += [f"the schema accepts {what}" for what, bad in spoiled(document) if validator.is_valid(bad)]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
