#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the adapters of compiled languages, and the shuffles of games: build.py TABLE..."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

import subjects

BIN = subjects.BUILD / "bin"


def filled(template, adapter, found):
    """The text of an adapter: its line `EACH` is repeated for each subject of the adapter."""
    text = (subjects.HERE / template).read_text(encoding="utf8")
    before, line, after = re.split(r"^(\s*// EACH .*\n)", text, flags=re.M)
    line = line.replace("// EACH ", "")
    lines = [line.replace("NAME", json.dumps(one.name)[1:-1]).replace("EXPRESSION", one.function)
             for one in found if one.adapter == adapter]
    return before + "".join(lines) + after


def compile_adapter(adapter, template, folder, commands, found):
    """Writes the filled adapter into a folder of the build, and compiles it there."""
    where = subjects.BUILD / folder
    where.mkdir(parents=True, exist_ok=True)
    (where / template).write_text(filled(template, adapter, found), encoding="utf8")
    for command in commands:
        subprocess.run(command, cwd=where, check=True)


def build_rust(found):
    """Debian's crates are in a folder, from which cargo takes them without a network."""
    where = subjects.BUILD / "rs"
    (where / ".cargo").mkdir(parents=True, exist_ok=True)
    (where / ".cargo/config.toml").write_text('[source.crates-io]\nreplace-with = "debian"\n[source.debian]\n'
                                              'directory = "/usr/share/cargo/registry"\n', encoding="utf8")
    (where / "Cargo.toml").write_text('[package]\nname = "deal-rs"\nversion = "0.0.0"\nedition = "2021"\n[[bin]]\nname = "deal-rs"\n'
                                      'path = "deal.rs"\n[dependencies]\nrand = "0.8"\nfastrand = "1"\n', encoding="utf8")
    compile_adapter("rust", "deal.rs", "rs", [["cargo", "build", "--release", "--offline", "--quiet"],
                                              ["cp", "target/release/deal-rs", "../bin/"]], found)


def cut(text, start):
    """The function that begins with `start`, to its closing brace, at the start of a line."""
    begin = text.index(start)
    return text[begin:text.index("\n}", begin) + 2] + "\n"


def build_game(game, archives):
    """Cuts the functions of a game out of its source archive, and compiles them with games/NAME.c."""
    archive = next(archives.glob(f"{game.packages[0]}_*.orig.tar.*"))
    file, marks = game.function.split(": ", 1)
    with tarfile.open(archive) as members:
        member = next(one for one in members.getmembers() if one.name.partition("/")[2] == file)
        text = members.extractfile(member).read().decode("latin1")
    where = subjects.BUILD / "games" / game.name
    where.mkdir(parents=True, exist_ok=True)
    (where / "version").write_text(archive.name.split("_")[1].split(".orig")[0], encoding="utf8")
    parts = [cut(text, mark.replace("\\n", "\n")) for mark in re.split(r", (?=static )", marks)]
    (where / "cut.h").write_text("".join(parts), encoding="utf8")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-w", f"-I{where}", f"-I{subjects.HERE}/games",
                    str(subjects.HERE / f"games/{game.name}.c"), "-o", str(BIN / game.name)], check=True)


def main(found):
    adapters = {one.adapter for one in found}
    BIN.mkdir(parents=True, exist_ok=True)
    if "c++" in adapters:
        compile_adapter("c++", "deal.cc", "cc", [["g++", "-std=gnu++14", "-O1", "-w", "deal.cc", "-o", "../bin/deal-cc", "-lgsl",
                                                  "-lgslcblas", "-ligraph", "-larmadillo"]], found)
    if "go" in adapters:
        environment = [f"GOCACHE={pathlib.Path.cwd() / subjects.BUILD}/go-cache", "GO111MODULE=off", "GOPATH=/usr/share/gocode"]
        compile_adapter("go", "deal.go", "go", [["env", *environment, "go", "build", "-o", "../bin/deal-go", "deal.go"]], found)
    if "rust" in adapters:
        build_rust(found)
    if "java" in adapters:
        compile_adapter("java", "Deal.java", "java", [["javac", "-cp", subjects.JARS, "-d", "../bin", "Deal.java"]], found)
    for one in found:
        if one.adapter == "game":
            build_game(one, subjects.BUILD / "sources")


if __name__ == "__main__":
    main(subjects.read(sys.argv[1:]))
