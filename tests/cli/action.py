#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GitHub action (action.yml) and the pre-commit hook (.pre-commit-hooks.yaml), on the fair shuffle of data/ci and on
a biased version of it. The action's steps run one by one, as in a workflow; the release is a local folder.

The seeds of the shuffles are fixed, so the verdicts are always the same.

Usage: action.py SHUFFLEBIAS SOURCE
"""
import contextlib
import functools
import http.server
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CC = os.environ.get("CC", "cc").split()

try:
    import yaml
    import github_runner
except ImportError:
    yaml = None
# Elsewhere the action compiles.
ELSEWHERE = [] if os.uname()[::4] == ("Linux", "x86_64") else ["Linux on x86-64"]
LACKING = ELSEWHERE + [name for name in ("git", CC[-1]) if not shutil.which(name)] + ([] if yaml else ["python3-yaml"])


def compile_shuffle(folder, name, draw):
    with open(os.path.join(SOURCE, "data", "ci", "shuffle.c"), encoding="ascii") as file:
        text = file.read()
    assert text.count("below(state, i + 1)") == 1
    path = os.path.join(folder, name)
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write(text.replace("below(state, i + 1)", draw))
    subprocess.run([*CC, "-O2", "-o", path, path + ".c"], check=True)


def copy_source(folder):
    """What the action and the hook need of the source."""
    for path in ("action.yml", "meson.build", "data/packaging/action"):
        copy = shutil.copytree if os.path.isdir(os.path.join(SOURCE, path)) else shutil.copy
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        copy(os.path.join(SOURCE, path), os.path.join(folder, path))


def certificate(folder):
    """A certificate for localhost with its key, in one file, which curl then trusts."""
    path, key = os.path.join(folder, "localhost.pem"), os.path.join(folder, "localhost.key")
    if not os.path.exists(path):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.environ["CURL_CA_BUNDLE"] = path
    return path, key


@contextlib.contextmanager
def serve(folder, keys=None, moved=None):
    """Serves the files of a folder by http, or by https with a certificate, or says that they are at another address."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def send_head(self):
            if moved is None:
                return super().send_head()
            self.send_response(302)
            self.send_header("Location", moved + self.path)
            self.end_headers()
            return None

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        if keys:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*keys)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


class Packaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.top = cls.temporary.name
        cls.release = os.path.join(cls.top, "a release")
        cls.tarball = github_runner.release(PROGRAM, SOURCE, cls.release)
        cls.work = os.path.join(cls.top, "work")
        os.mkdir(cls.work)
        compile_shuffle(cls.work, "fair", "below(state, i + 1)")
        compile_shuffle(cls.work, "naive", "below(state, n)")

    def environment(self):
        """That of this process, without a shufflebias on the path."""
        folders = [folder for folder in os.environ["PATH"].split(":") if not os.path.exists(os.path.join(folder, "shufflebias"))]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT")}
        return dict(clean, PATH=":".join(folders), HOME=self.top, GIT_CONFIG_NOSYSTEM="1")


class Action(Packaged):
    def run_action(self, source=SOURCE, **inputs):
        runner = github_runner.Action(source, self.work, os.path.join(self.top, "runner"), self.environment())
        return runner.run(**{"release": self.release, **inputs})

    def test_fair(self):
        done = self.run_action(command="./fair 4 1", n=4, **{"max-bias": "0.05"}, options="--limit '1e6'\n--alpha 1e-8\n", junit="gate.xml")
        self.assertEqual((done.status, done.outputs), (0, {"verdict": "pass"}), done.said)
        self.assertIn("PASS", done.summary)
        self.assertNotIn("::error", done.said)
        self.assertTrue(os.path.exists(os.path.join(self.work, "gate.xml")))

    def test_words_on_several_lines(self):
        for command in ("sh -c 'exec ./fair \"$@\" # four' \\\n    x 4 \\\n    1\n", "sh -c 'exec ./fair 4 1\n'", "./fair\n4\n1",
                        "sh -c 'if :\nthen\n  exec ./fair 4 1\nfi'\n"):
            done = self.run_action(command=command, n=4, **{"max-bias": "0.05"}, options="--limit \\\n  1e6  # a comment\n--title 'two\n'")
            self.assertEqual((done.status, done.outputs), (0, {"verdict": "pass"}), command + done.said)
        done = self.run_action(command="sh -c 'exec ./fair 4 1", n=4)
        self.assertEqual((done.status, done.outputs), (2, {"verdict": "broken"}), done.said)
        self.assertIn("the input 'command' has a quotation mark without a partner", done.said)

    def test_nothing_is_evaluated(self):
        """No shell reads the words: what it would run or replace is an error, and quoted it is the word itself."""
        for text in ("0.3; touch pwn", "0.3 & touch pwn", "0.3 | touch pwn", "0.3 && touch pwn", "$(touch pwn)", "`touch pwn`",
                     '"$(touch pwn)"', '"`touch pwn`"', "${x=$(touch pwn)}", "<(touch pwn)", "0.3 >pwn", "0.3\n(touch pwn)",
                     "$((x[$(touch pwn)]))", "*", "f?ir", "[f]air", "~", '"a\\\\$(touch pwn)"', "'a'\\\\;touch pwn", "\\\n;touch pwn"):
            for inputs in ({"options": "--exclude " + text, "command": "./fair 4 1"}, {"command": "./fair 4 1 " + text}):
                done = self.run_action(**inputs)
                self.assertEqual((done.status, done.outputs), (2, {"verdict": "broken"}), text + done.said)
                self.assertRegex(done.said, "the input '%s' has . where a shell would interpret it" % list(inputs)[0])
        for quoted in ("'0; touch pwn'", "0\\;\\ touch\\ pwn", '"0; touch pwn"', '"\\$(touch pwn)"', "'$(touch pwn)'", "\\`touch\\ pwn\\`"):
            done = self.run_action(options="--exclude " + quoted, command="./fair 4 1")
            self.assertEqual((done.status, done.outputs), (2, {"verdict": "broken"}), quoted + done.said)
            self.assertIn("--max-bias", done.said)  # the gate has the word, and says that it is no number
            self.assertIn("touch pwn", done.said)
        self.assertFalse(os.path.exists(os.path.join(self.work, "pwn")))
        self.assertFalse(os.path.exists("pwn"))

    def test_biased(self):
        done = self.run_action(command="./naive 4 1")
        self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}), done.said)
        self.assertIn("FAIL", done.summary)
        self.assertIn("\n::error title=shufflebias", "\n" + done.said)

    def test_suite(self):
        with open(os.path.join(self.work, "suite.json"), "w", encoding="ascii") as file:
            file.write('[{ "name": "good", "command": ["./fair", "4", "1"], "exclude": 0.1 },'
                       ' { "name": "bad", "command": ["./naive", "4", "1"] }]')
        done = self.run_action(suite="suite.json", options="--jobs 2")
        self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}), done.said)
        self.assertIn("| good | PASS |", done.summary)
        self.assertIn("| bad | FAIL |", done.summary)
        self.assertIn("::error title=shufflebias%3A bad::", done.said)

    def test_undecided_and_broken(self):
        done = self.run_action(command="./fair 4 1", options="--limit 100")
        self.assertEqual((done.status, done.outputs["verdict"]), (3, "inconclusive"), done.said)
        done = self.run_action(command="./absent 'two words'")
        self.assertEqual((done.status, done.outputs["verdict"]), (4, "broken"), done.said)
        self.assertIn("absent", done.said)

    def test_checksum(self):
        done = self.run_action(command="./fair 4 1", **{"max-bias": "0.1"}, sha256=self.checksum())
        self.assertEqual(done.status, 0, done.said)
        done = self.run_action(command="./fair 4 1", sha256="0" * 64)
        self.assertEqual((done.status, done.outputs), (1, {}))
        self.assertIn("does not have the SHA-256 '%s': do not use it" % ("0" * 64), done.said)

    def test_build(self):
        """The program that setup.sh builds; here, a setup.sh that takes it from the build under test."""
        source = os.path.join(self.top, "source")
        copy_source(source)
        with open(os.path.join(source, "setup.sh"), "w", encoding="ascii") as file:
            file.write('cd "$(dirname "$0")" && mkdir build && ln -s "$PROGRAM" build/shufflebias')
        os.environ["PROGRAM"] = PROGRAM
        done = self.run_action(source, build="true", release="/nowhere", command="./naive 4 1")
        self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}), done.said)

    def pinned(self, *lines):
        """A source whose list of checksums has these lines only."""
        source = os.path.join(self.top, "pinned")
        shutil.rmtree(source, ignore_errors=True)
        copy_source(source)
        with open(os.path.join(source, "data", "packaging", "action", "sha256sums"), "w", encoding="ascii") as file:
            file.write("# checksums\n" + "".join(line + "\n" for line in lines))
        return source

    def checksum(self):
        with open(os.path.join(self.release, self.tarball + ".sha256"), encoding="ascii") as file:
            return file.read().split()[0]

    @unittest.skipUnless(shutil.which("curl") and shutil.which("openssl"), "no curl or no openssl here")
    def test_download(self):
        """Over https, the tarball has the checksum that is pinned in the source; the one beside it does not count."""
        right, wrong = self.checksum() + "  " + self.tarball, "0" * 64 + "  " + self.tarball
        other = self.checksum() + "  " + self.tarball.replace("-linux", ".1-linux")
        with serve(self.release, certificate(self.top)) as port:
            release = "https://localhost:%d" % port
            done = self.run_action(self.pinned(other, right), command="./naive 4 1", release=release)
            self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}), done.said)
            done = self.run_action(self.pinned(), command="./naive 4 1", release=release, sha256=self.checksum())
            self.assertEqual((done.status, done.outputs), (1, {"verdict": "fail"}), done.said)
            done = self.run_action(self.pinned(wrong), command="./naive 4 1", release=release)
            self.assertEqual((done.status, done.outputs), (1, {}), done.said)
            self.assertIn("does not have the SHA-256 '%s': do not use it" % ("0" * 64), done.said)
            done = self.run_action(self.pinned(other), command="./naive 4 1", release=release)
            self.assertEqual((done.status, done.outputs), (1, {}), done.said)
            self.assertIn("no SHA-256 is known for " + self.tarball, done.said)

    @unittest.skipUnless(shutil.which("curl") and shutil.which("openssl"), "no curl or no openssl here")
    def test_only_https(self):
        """Neither the address nor one that it leads to may be http, even if the tarball has the right checksum."""
        with serve(self.release) as plain, serve(self.release, certificate(self.top), "http://localhost:%d" % plain) as port:
            for release in ("http://localhost:%d" % plain, "https://localhost:%d" % port, "ftp://localhost", "-Knone"):
                done = self.run_action(command="./naive 4 1", release=release, sha256=self.checksum())
                self.assertEqual((done.status, done.outputs), (1, {}), release + done.said)

    def test_strange_versions(self):
        for version in ("../../work", "1\n2", "1/2", ".", "-x y", "$(touch pwn)"):
            done = self.run_action(command="./fair 4 1", version=version)
            self.assertEqual((done.status, done.outputs), (1, {}), done.said)
            self.assertIn("is not a version", done.said)
        self.assertTrue(os.path.exists(os.path.join(self.work, "fair")))

    def test_no_such_release(self):
        done = self.run_action(command="./fair 4 1", version="9.9.9")
        self.assertEqual(done.status, 1)
        self.assertIn("is 9.9.9 a release for Linux", done.said)

    def test_the_steps_use_every_input(self):
        with open(os.path.join(SOURCE, "action.yml"), encoding="utf-8") as file:
            text = file.read()
        action = yaml.safe_load(text)
        self.assertEqual(action["runs"]["using"], "composite")
        for name, one in action["inputs"].items():
            self.assertEqual(set(one), {"description", "default"})
            self.assertEqual(text.count("${{ inputs.%s }}" % name), 1)
        for step in action["runs"]["steps"]:
            self.assertNotIn("${{", step["run"])  # an input there could be a command


class Hook(Packaged):
    def git(self, *arguments, cwd):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments], cwd=cwd, check=True,
                       stdout=subprocess.DEVNULL, env=self.environment())

    def test_hook(self):
        """As pre-commit runs it: from a clone of the repository, in the project's folder."""
        with open(os.path.join(SOURCE, ".pre-commit-hooks.yaml"), encoding="utf-8") as file:
            (hook,) = yaml.safe_load(file)
        self.assertEqual((hook["language"], hook["pass_filenames"]), ("script", False))
        clone = os.path.join(self.top, "clone")
        copy_source(clone)
        self.git("init", "--quiet", cwd=clone)
        origin = os.path.join(self.top, "origin")
        self.git("remote", "add", "origin", "file://" + origin + ".git", cwd=clone)
        version = self.tarball.split("-")[1]
        shutil.copytree(self.release, os.path.join(origin, "releases", "download", "v" + version))
        for subject, status in (("fair", 0), ("naive", 1), ("naive", 1)):  # the last one finds the program in the cache
            with open(os.path.join(self.work, "shuffles.json"), "w", encoding="ascii") as file:
                file.write('[{ "name": "mine", "command": ["./%s", "4", "1"], "exclude": 0.1 }]' % subject)
            done = subprocess.run([os.path.join(clone, hook["entry"]), *hook["args"]], cwd=self.work, env=self.environment(),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=110)
            self.assertEqual(done.returncode, status, done.stdout.decode())
            shutil.rmtree(origin, ignore_errors=True)
        self.assertIn(b"FAIL", done.stdout)


if __name__ == "__main__":
    if LACKING:
        print("not here: " + ", ".join(LACKING))
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
