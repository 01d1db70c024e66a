# SPDX-License-Identifier: GPL-3.0-or-later
"""The subjects of the tables, and the command with which each deals."""
import csv
import dataclasses
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("WILD_BUILD", "build/wild"))
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("commons-math3", "commons-lang3", "fastutil", "clojure"))
BINARIES = {"c++": "deal-cc", "go": "deal-go", "rust": "deal-rs"}
SCRIPTS = {"python": ["/usr/bin/python3", "deal.py"], "ruby": ["ruby", "deal.rb"], "perl": ["perl", "deal.pl"],
           "php": ["php", "deal.php"], "R": ["Rscript", "deal.R"]}


@dataclasses.dataclass
class Subject:
    table: str          # npm, languages or debian
    name: str
    packages: list[str]  # the first has the version
    pinned: str | None  # npm's version
    adapter: str
    function: str
    proof: str          # what `prove` answers: random, or random:CELLS; draw; - if it cannot answer
    pace: str           # slow: a deck takes a millisecond or more, as if a process deals it; three: the same, and three items

    @property
    def title(self):
        """The name by which suites and findings know the subject."""
        return f"{self.table}: {self.name}"

    @property
    def sizes(self):
        """The numbers of items to test."""
        return (3,) if self.pace == "three" else (4, 52)

    @property
    def version(self):
        if self.pinned:
            return self.pinned
        field = "${source:Upstream-Version}"
        if self.adapter == "game":
            return (BUILD / "games" / self.name / "version").read_text().strip()
        return subprocess.run(["dpkg-query", "-W", "-f", field, self.packages[0]], capture_output=True, text=True).stdout

    def command(self, n, prove=False):
        mode = ["prove"] if prove else []
        if self.table == "npm":
            return ["node", str(BUILD / "npm/deal.mjs"), self.name, str(n), "prove" if prove else "deal"]
        if self.adapter in SCRIPTS:
            program, script = SCRIPTS[self.adapter]
            return [program, str(HERE / script), self.function, str(n), *mode]
        if self.adapter in BINARIES:
            return [str(BUILD / "bin" / BINARIES[self.adapter]), self.name, str(n)]
        if self.adapter == "java":
            return ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{BUILD}/bin:{JARS}", "Deal", self.name, str(n), *mode]
        if self.adapter == "game":
            return [str(BUILD / "bin" / self.name), str(n), *mode]
        if self.adapter == "awk":
            return [self.function, "-f", str(HERE / "deal.awk"), str(n)]
        if self.adapter == "shell":
            return [self.function, str(HERE / "deal.sh"), str(n)]
        return ["sh", "-c", self.function.replace("LAST", str(n - 1)).replace("COUNT", str(n))]


def read(tables):
    """The subjects of the named tables, in their order."""
    found = []
    for table in tables:
        with open(HERE / f"{table}.tsv", encoding="utf8", newline="") as lines:
            for fields in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                if fields[0].startswith("# "):
                    continue
                if table == "npm":
                    name, version, _, function, proof = fields
                    found.append(Subject(table, name, [name.split(" (")[0]], version, "npm", function, proof, "fast"))
                else:
                    name, packages, adapter, function, proof, pace = fields
                    found.append(Subject(table, name, packages.split(), None, adapter, function, proof, pace))
    return found
