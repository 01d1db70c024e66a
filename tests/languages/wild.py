# SPDX-License-Identifier: GPL-3.0-or-later
"""The survey of data/wild/results.md, on a sample: wild.py SHUFFLEBIAS SOURCE BUILD

Each subject of a language or of Debian must deal permutations if its packages are installed. Then ten packages of data/wild/npm.tsv are installed,
proved and gated at four items, and the page of results is written. Without npm or its registry this part is skipped. The gates of the fair packages
fail with a probability of at most 1e-9 together; those of the others pass with at most 1e-6.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:])
# The exact law of three items, or None if it is fair. The first is that of node 11 and newer; see docs/zoo.md.
LAWS = {
    "gsap": ["6 1 2 1 1 5", "16"], "deck": ["0 0 0 1 1 0", "2"], "fisher-yates-shuffle": ["1 0 1 0 0 0", "2"], "random-ext": ["4 5 5 5 4 4", "27"],
    "mixitup": ["4 5 5 4 5 4", "27"], "lodash": None, "array-shuffle": None, "knuth-shuffle": None, "just-shuffle": None, "rambda": None,
}


def install():
    """The packages, at the versions of the table; kept from one run of the test to the next."""
    folder = BUILD / "wild-sample"
    folder.mkdir(exist_ok=True)
    names = [f"{one.packages[0]}@{one.pinned}" for one in subjects.read(["npm"]) if one.name in LAWS]
    wanted = folder / "wanted"
    if not wanted.exists() or wanted.read_text() != "\n".join(names):
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        (folder / "package.json").write_text('{"private": true}')
        run = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *names], cwd=folder,
                             capture_output=True, text=True)
        if run.returncode != 0:
            print("skipped: npm cannot install the packages:", run.stderr.strip().split("\n")[0])
            sys.exit(77)
        wanted.write_text("\n".join(names))
    for name in ("deal.mjs", "npm.tsv"):
        shutil.copy(SOURCE / "data/wild" / name, folder)
    return folder


def installed():
    """The subjects of languages and of Debian whose packages are installed, but for the games, whose sources have to be downloaded."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev}\n"], capture_output=True, text=True) \
        if shutil.which("dpkg-query") else None
    present = {line.split()[0] for line in run.stdout.splitlines() if line.split()[1] == "ii"} if run else set()
    found = [one for one in subjects.read(["languages", "debian"]) if one.adapter != "game"]
    kinds = {one.adapter: {name for other in found if other.adapter == one.adapter for name in other.packages} for one in found}
    needed = {"c++": {"g++"} | kinds["c++"], "go": {"golang-go"} | kinds["go"], "rust": {"cargo"} | kinds["rust"],
              "java": {"default-jdk-headless"} | kinds["java"]}
    return [one for one in found if needed.get(one.adapter, set(one.packages)) <= present]


def check_deals(one):
    """The first decks of a subject, at five items, must be permutations."""
    with subprocess.Popen(one.command(5), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True) as child:
        words = []
        while len(words) < 15 and (line := child.stdout.readline()):
            words += line.split()
        os.killpg(child.pid, signal.SIGKILL)
    first = min(map(int, words), default=None)
    for deck in (words[i:i + 5] for i in (0, 5, 10)):
        assert sorted(map(int, deck)) == [first + i for i in range(5)], (one.title, words)


def check_proofs(here):
    """Each subject whose law can be proved here has a proof."""
    for one in here:
        if one.proof != "-":
            proof = proofs.prove(str(PROGRAM), one)
            assert "error" not in proof, (one.title, proof)


def check_sine():
    """Exact, because JavaScript's engines compute sin() alike."""
    out = subprocess.run(["node", SOURCE / "data/wild/sine.mjs"], capture_output=True, text=True, check=True).stdout
    assert 45000 < int(out.split()[0]) < 55000, out


def check_arma():
    """Three orders of four never come up, and three come up twice."""
    run = subprocess.run([PROGRAM, "prove", "-n", "4", "--format", "json", "--", sys.executable, SOURCE / "data/adapters/prove.py", "4",
                          SOURCE / "data/wild/arma_in_place.py"], capture_output=True, text=True)
    report = json.loads(run.stdout)["reports"][0]
    assert report["effect"]["total_variation_exact"] == "1/8" and sorted(report["evidence"]["counts"]) == ["0"] * 3 + ["1"] * 18 + ["2"] * 3, run


def check_npm(work):
    (work / "npm").symlink_to(install())
    sample = [one for one in subjects.read(["npm"]) if one.name in LAWS]
    found = {one.title: proofs.prove(str(PROGRAM), one) for one in sample}
    for one in sample:
        law = [" ".join(found[one.title]["counts"]), found[one.title]["denominator"]]
        assert law == (LAWS[one.name] or ["1 1 1 1 1 1", "6"]), (one.name, law)
    (work / "npm-proofs.json").write_text(json.dumps(found))
    entries = [entry for one in sample for entry in suite.entries(one) if entry["n"] == 4]
    (work / "suite.json").write_text(json.dumps(entries))
    subprocess.run([PROGRAM, "gate", "--suite", work / "suite.json", "--jobs", "2", "--exclude", "0.05", "--quiet", "--format", "json", "-o",
                    work / "npm-gates.json"], check=False)
    for gate, one in zip(json.loads((work / "npm-gates.json").read_text())["gates"], sample):
        assert gate["verdict"] == ("fail" if LAWS[one.name] else "pass"), gate["sentence"]
    text = "\n".join(page.page(page.Results(), sample))
    assert text.startswith("10 shuffles were tested, and for 5 of them two methods show a bias: 5 are biased, "), text
    for part in ("### gsap 3.15.0 (npm)\n\n**Sort by coin.**", "6 1 2 1 1 5 of 16", "1 0 1 0 0 0 of 2; TV 2/3 | the proof",
                 "| lodash | 4.17.21 | n = 4: PASS, "):
        assert part in text, (part, text)


def main(work):
    here = installed()
    build.main(here)
    for one in here:
        check_deals(one)
    check_proofs(here)
    check_arma()
    print(f"{len(here)} subjects of languages and of Debian deal")
    if not shutil.which("npm") or not shutil.which("node"):
        print("skipped: no npm")
        sys.exit(77)
    check_sine()
    check_npm(work)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["WILD_BUILD"] = temporary # which subjects.py reads
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(SOURCE / "data/wild"))
        import build
        import page
        import proofs
        import subjects
        import suite
        main(pathlib.Path(temporary))
