#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the page of results: page.py OUT TABLE..., from TABLE-gates.json, TABLE-again.json and TABLE-proofs.json of build/wild.

The page calls a subject biased only if two methods show it: a gate, and a proof, a second gate or an argument of findings.tsv.
"""
import csv
import json
import subprocess
import sys

import subjects

SHOWN = {"pass": "PASS", "fail": "FAIL", "inconclusive": "no verdict", "broken": "broken"}
KINDS = {"bias": "Biased", "seed": "Short seeds", "none": "No random order promised"}
TABLES = {"npm": "npm packages", "languages": "Languages and their libraries", "debian": "Programs in Debian"}


def load(kind):
    """The results of a kind, of all tables that have them."""
    return [json.loads(path.read_text(encoding="utf8")) for path in sorted(subjects.BUILD.glob(f"*-{kind}.json"))]


def gates(kind):
    return {gate["name"]: gate for result in load(kind) for gate in result["gates"]}


def findings():
    """What findings.tsv says of a subject: its kind, the bug's name, its cause, the argument beside the gate, and the fix."""
    with open(subjects.HERE / "findings.tsv", encoding="utf8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row[0]: row[1:] for row in rows if not row[0].startswith("# ")}


def verdict(gate):
    """A verdict and its decks, as in `FAIL, 4,070`; of a broken gate, `broken`."""
    if not gate:
        return "not run"
    return f"{SHOWN[gate['verdict']]}, {gate['total']:,}" if "total" in gate else SHOWN[gate["verdict"]]


def law(proof):
    """An exact law of three items, and its total variation."""
    if not proof:
        return "-"
    if "error" in proof:
        return "no proof"
    return "fair" if proof["verdict"] == "uniform" else (
        f"{' '.join(proof['counts'])} of {proof['denominator']}; TV {proof['total_variation']}")


def origin(one):
    """Where a shuffle comes from: npm, a language or a Debian package."""
    return {"npm": "npm", "languages": one.adapter}.get(one.table, one.packages[0])


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows), ""]


class Results:
    def __init__(self):
        self.first, self.second, self.findings = gates("gates"), gates("again"), findings()
        self.proofs = {name: proof for result in load("proofs") for name, proof in result.items()}

    def failed(self, one, runs):
        return any(runs.get(f"{one.title}, n = {n}", {}).get("verdict") == "fail" for n in one.sizes)

    def proved(self, one):
        return self.proofs.get(one.title, {}).get("verdict") == "biased"

    def methods(self, one):
        """What shows the bias beside the first gate."""
        shown = []
        if self.proved(one):
            shown.append("the proof")
        if self.failed(one, self.second):
            shown.append("a second gate")
        argument = self.findings.get(one.title, ["-"] * 5)[3]
        return shown + ([] if argument == "-" else [argument])

    def row(self, one):
        verdicts = [f"n = {n}: {verdict(self.first.get(f'{one.title}, n = {n}'))}" for n in one.sizes]
        return ["; ".join(verdicts), law(self.proofs.get(one.title))]


def biased(results, found):
    """A section for each kind of bias, and a paragraph for each subject."""
    lines = []
    for kind, title in KINDS.items():
        start = len(lines)
        for one in found:
            wanted, name, cause, _, fix = results.findings.get(one.title, ["bias", "not explained yet", "-", "-", "-"])
            if wanted == kind:
                lines += [] if start < len(lines) else [f"## {title}", ""]
                lines += [f"### {one.name} {one.version} ({origin(one)})", "", f"**{name}.** {cause}", ""]
                lines += table(["gates: verdict, decks", "three items, exactly", "also shown by", "fix"],
                               [[*results.row(one), "; ".join(results.methods(one)), fix]])
    return lines


def engine(found):
    """JavaScript's engine, because it decides what a sort by coin does."""
    if not any(one.table == "npm" for one in found):
        return ""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    return f"JavaScript ran in node {version}.\n"


def page(results, found):
    suspects = [one for one in found if results.failed(one, results.first) or results.proved(one)]
    shown = [one for one in suspects if results.methods(one)]
    kinds = [results.findings.get(one.title, ["bias"])[0] for one in shown]
    lines = [f"{len(found)} shuffles were tested, and for {len(shown)} of them two methods show a bias: {kinds.count('bias')} are biased, "
             f"{kinds.count('seed')} have short seeds, and {kinds.count('none')} promise no random order.", "", engine(found),
             *biased(results, shown)]
    for one in suspects:
        if one not in shown:
            lines += [f"{one.name} {one.version} failed one gate, and no second method shows a bias: we make no claim.", ""]
    for name, title in TABLES.items():
        rows = [[one.name if name == "npm" else f"{one.name} ({origin(one)})", one.version, *results.row(one)] for one in found if one.table == name and one not in suspects]
        if rows:
            lines += [f"## {title}: no bias seen", ""] + table(["shuffle", "version", "gates: verdict, decks", "three items, exactly"], rows)
    return lines


def main(out, tables):
    head = (subjects.HERE / "head.md").read_text(encoding="utf8")
    text = head + "\n" + "\n".join(page(Results(), subjects.read(tables))).rstrip() + "\n"
    with open(out, "w", encoding="utf8") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
