#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves the subjects that accept our draws, at three items: proofs.py SHUFFLEBIAS OUT TABLE...

The result has an object for each: `verdict`, `counts`, `denominator` and `total_variation` of the exact law, or `error`.
"""
import json
import subprocess
import sys

import subjects


def prove(shufflebias, subject):
    cells = ["--cells", subject.proof.split(":")[1]] if ":" in subject.proof else []
    run = subprocess.run([shufflebias, "prove", "-n", "3", *cells, "--format", "json", "--", *subject.command(3, prove=True)],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        return {"error": run.stderr.strip().split("\n")[-1]}
    report = json.loads(run.stdout)["reports"][0]
    return {"verdict": report["verdict"], "counts": report["evidence"]["counts"],
            "denominator": report["evidence"]["denominator"], "total_variation": report["effect"]["total_variation_exact"]}


def main(shufflebias, out, tables):
    proofs = {one.title: prove(shufflebias, one) for one in subjects.read(tables) if one.proof != "-"}
    for title, proof in proofs.items():
        if "error" in proof:
            print(f"wild: no proof of {title}: {proof['error']}", file=sys.stderr)
    with open(out, "w", encoding="utf8") as text:
        json.dump(proofs, text, indent=1)
    print(f"proved {sum('error' not in proof for proof in proofs.values())} of {len(proofs)} subjects")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
