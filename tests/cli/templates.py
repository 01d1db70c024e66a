# SPDX-License-Identifier: GPL-3.0-or-later
"""The templates of data/ci. CTest, Meson and the git hook really run, on the fair shuffle of the templates and on a
biased version of it. For the two YAML files, the test checks the important keys, and runs what needs no server: the
GitHub action takes the program from a local folder.

The generator starts from the clock. So a fair shuffle fails here once in 10^9 runs, and a biased one passes once in
10^6."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from program import PROGRAM, SOURCE

TEMPLATES = os.path.join(SOURCE, "data", "ci")

try:
    import yaml
    import github_runner
except ImportError:
    yaml = None


def needs(*programs):
    lacking = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(lacking, "not installed: " + ", ".join(lacking))


class Templates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "project")
        shutil.copytree(TEMPLATES, self.folder)
        self.path = os.path.join(folder.name, "bin")
        os.mkdir(self.path)
        os.symlink(PROGRAM, os.path.join(self.path, "shufflebias"))

    def run_here(self, *command, **environment):
        """Its exit status and what it said, with shufflebias on the path and no git but that of the folder."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("GIT", "MESON", "CC", "CMOCKA"))}
        clean.update(PATH=self.path + ":" + os.environ["PATH"], HOME=self.folder, GIT_CONFIG_NOSYSTEM="1", **environment)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=self.folder, env=clean, timeout=110)
        return done.returncode, done.stdout.decode(errors="replace")

    def must(self, *command, **environment):
        status, said = self.run_here(*command, **environment)
        self.assertEqual(status, 0, said)
        return said

    def spoil(self):
        """The naive swap, as it is often written."""
        path = os.path.join(self.folder, "shuffle.c")
        with open(path, encoding="ascii") as file:
            fair = file.read()
        self.assertEqual(fair.count("below(state, i + 1)"), 1)
        with open(path, "w", encoding="ascii") as file:
            file.write(fair.replace("below(state, i + 1)", "below(state, n)"))

    @needs("cmake", "ctest", "make", "cc")
    def test_ctest(self):
        self.must("cmake", "-B", "build", "-DCMAKE_BUILD_TYPE=Release")
        self.must("cmake", "--build", "build")
        self.assertIn("100% tests passed, 0 tests failed out of 2", self.must("ctest", "--test-dir", "build"))
        self.spoil()
        self.must("cmake", "--build", "build")
        status, said = self.run_here("ctest", "--test-dir", "build", "--output-on-failure")
        self.assertNotEqual(status, 0)
        self.assertIn("0% tests passed, 2 tests failed out of 2", said)
        self.assertIn("FAIL  the shuffle is not fair: ", said)

    @needs("meson", "ninja", "cc")
    def test_meson(self):
        self.must("meson", "setup", "build", "--buildtype=release")
        said = self.must("meson", "test", "-C", "build")
        self.assertRegex(said, r"shuffle-4 +OK ")
        self.assertRegex(said, r"shuffle-52 +OK ")
        self.spoil()
        status, said = self.run_here("meson", "test", "-C", "build", "--print-errorlogs")
        self.assertNotEqual(status, 0)
        self.assertRegex(said, r"shuffle-4 +FAIL ")
        self.assertIn("FAIL  the shuffle is not fair: ", said)

    @needs("git", "cc")
    def test_the_hook(self):
        commit = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "A change")
        self.must("git", "init", "--quiet")
        os.makedirs(os.path.join(self.folder, ".git", "hooks"), exist_ok=True)
        shutil.copy(os.path.join(TEMPLATES, "pre-commit"), os.path.join(self.folder, ".git", "hooks"))
        self.must("git", "add", "shuffle.c", "shuffles.json")
        self.must(*commit)
        self.spoil()
        self.must("git", "add", "meson.build")
        self.must(*commit)  # nothing that shuffles is staged: the spoiled shuffle is none of its business
        with open(os.path.join(self.folder, ".git", "hooks", "pre-commit"), encoding="utf-8") as file:
            hook = file.read()
        self.must("git", "add", "shuffle.c")
        self.write_hook(hook.replace("files='*.c ", "files='*.cc *.c "))
        status, said = self.run_here(*commit)
        self.assertEqual(status, 1)
        self.assertIn("pre-commit: no file matches '*.cc': correct `files` in .git/hooks/pre-commit", said)
        self.write_hook(hook)
        status, said = self.run_here(*commit)
        self.assertEqual(status, 1)
        self.assertNotIn("no file matches", said)
        self.assertIn("FAIL: of 2 subjects 2 failed", said)
        self.assertIn("pre-commit: the shuffle did not pass", said)
        self.assertEqual(self.must("git", "rev-list", "--count", "HEAD"), "2\n")

    def write_hook(self, text):
        with open(os.path.join(self.folder, ".git", "hooks", "pre-commit"), "w", encoding="utf-8") as file:
            file.write(text)

    def read_yaml(self, name):
        if not yaml:
            self.skipTest("no python3-yaml here")
        with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
            return yaml.safe_load(file)

    @needs("cc")
    @unittest.skipUnless(os.uname()[::4] == ("Linux", "x86_64"), "the action compiles here")
    def test_github(self):
        """As GitHub's runner would: the line that builds, and the steps of the action, as far as they need no checkout."""
        workflow = self.read_yaml("github.yml")
        self.assertEqual(workflow[True], ["push", "pull_request"])  # YAML 1.1 takes `on` for a truth value
        self.assertEqual(workflow["permissions"], {"contents": "read"})
        (job,) = workflow["jobs"].values()
        self.assertTrue(job["runs-on"].startswith("ubuntu-"))
        for step in job["steps"]:
            self.assertEqual(len({"run", "uses"} & set(step)), 1)
        build, gate, upload = job["steps"][-3:]
        self.assertEqual((upload["if"], upload["with"]["path"], upload["with"]["overwrite"]), ("always()", "shuffles.xml", True))
        self.must("bash", "-e", "-c", build["run"])
        done = self.run_action(gate)
        self.assertEqual(done.status, 0, done.said)
        self.assertNotIn("::error", done.said)
        self.assertIn("| deck | PASS | 52 |", done.summary)
        self.spoil()
        self.must("bash", "-e", "-c", build["run"])
        done = self.run_action(gate)
        self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}))
        self.assertIn("\n::error title=shufflebias%3A shuffle::FAIL  the shuffle is not fair: ", "\n" + done.said)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "shuffles.xml")))

    def run_action(self, step):
        """A step of a workflow that uses our action, with the program of this test as the release."""
        self.assertRegex(step["uses"], r"^OWNER/shufflebias@v")
        release = os.path.join(os.path.dirname(self.folder), "release")
        if not os.path.exists(release):
            github_runner.release(PROGRAM, SOURCE, release)
        runner = github_runner.Action(SOURCE, self.folder, os.path.join(os.path.dirname(self.folder), "runner"), os.environ)
        return runner.run(release=release, **step["with"])

    @needs("cc")
    def test_gitlab(self):
        (job,) = self.read_yaml("gitlab.yml").values()
        self.assertIn("sh shufflebias/setup.sh", job["before_script"])
        self.assertEqual((job["artifacts"]["when"], job["artifacts"]["reports"]), ("always", {"junit": "shuffles.xml"}))
        self.spoil()
        status, said = self.run_here("sh", "-e", "-c", "\n".join(job["script"]))
        self.assertEqual(status, 1, said)
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, job["artifacts"]["reports"]["junit"])).getroot()
        self.assertEqual([suite.get("name") for suite in root], ["shuffle", "deck"])

    @needs("cc")
    def test_ledgers(self):
        """The pieces for ledgers, beside the templates: the file that is cached is the one that is written."""
        github, gitlab = (self.read_yaml(name + "-ledger.yml") for name in ("github", "gitlab"))
        restore, gate, save = github["steps"]
        files = "ledger.json"
        self.assertEqual((restore["with"]["path"], save["with"]), (files, {"path": files, "key": restore["with"]["key"]}))
        self.assertTrue(restore["with"]["key"].startswith(restore["with"]["restore-keys"]))
        self.assertEqual(save["if"], "always()")
        template = self.read_yaml("github.yml")["jobs"]["gate"]["steps"]
        options = gate["with"]["options"]
        self.assertEqual(dict(gate["with"], options=options.replace(" --ledger ledger.json", "")), template[-2]["with"])
        job = gitlab["shuffles"]
        self.assertEqual((job["cache"]["paths"], job["cache"]["when"]), (["ledger.json"], "always"))
        lines = self.read_yaml("gitlab.yml")["shuffles"]["script"]
        self.assertEqual([line.replace(" --ledger ledger.json", "") for line in job["script"]], lines)
        self.must("sh", "-e", "-c", "\n".join(job["script"]))
        self.assertEqual(self.run_action(gate).status, 0)
        with open(os.path.join(self.folder, "ledger.json"), encoding="utf-8") as file:
            ledger = json.load(file)
        self.assertEqual((ledger["runs"], ledger["outcomes"]["pass"]), (4, 4))  # two runs of two subjects

    @staticmethod
    def read_docs():
        with open(os.path.join(SOURCE, "docs", "ci.md"), encoding="utf-8") as file:
            return file.read()

    def test_every_template_is_in_the_docs(self):
        docs = self.read_docs()
        for name in os.listdir(TEMPLATES):
            self.assertIn("`%s`" % name, docs)
        with open(os.path.join(TEMPLATES, "shuffles.json"), encoding="utf-8") as file:
            self.assertEqual([one["name"] for one in json.load(file)], ["shuffle", "deck"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
