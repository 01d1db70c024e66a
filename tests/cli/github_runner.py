# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the steps of a composite GitHub action one by one, as a workflow does: with the files that GITHUB_OUTPUT,
GITHUB_PATH and GITHUB_STEP_SUMMARY name, and with the expressions that action.yml uses."""
import os
import re
import shutil
import subprocess
import tarfile

import yaml

SHELLS = {"sh": ["sh", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}


def release(program, source, folder):
    """A release's files in a folder: the program in a tarball of the name that this version has, and its checksum."""
    with open(os.path.join(source, "meson.build"), encoding="utf-8") as file:
        version = re.search(r"version: '(.*?)'", file.read())[1]
    name = "shufflebias-%s-linux-%s" % (version, os.uname().machine)
    os.makedirs(folder)
    with tarfile.open(os.path.join(folder, name + ".tar.gz"), "w:gz", compresslevel=1) as tar:
        tar.add(os.path.realpath(program), name + "/bin/shufflebias")
    with open(os.path.join(folder, name + ".tar.gz.sha256"), "wb") as file:
        file.write(subprocess.run(["sha256sum", name + ".tar.gz"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout)
    return name + ".tar.gz"


class Result:
    def __init__(self, status, said, outputs, summary):
        self.status, self.said, self.outputs, self.summary = status, said, outputs, summary


class Action:
    """An action in the folder `source`, for a job whose files are in `workspace`; the runner's own are in `folder`."""

    def __init__(self, source, workspace, folder, environment):
        self.source, self.workspace, self.folder = source, workspace, folder
        self.environment = environment
        with open(os.path.join(source, "action.yml"), encoding="utf-8") as file:
            self.action = yaml.safe_load(file)

    def expand(self, text, inputs, steps):
        values = {"github.action_repository": "OWNER/shufflebias"}
        values.update(("inputs." + name, value) for name, value in inputs.items())
        values.update(("steps.%s.outputs.%s" % (step, name), value)
                      for step, outputs in steps.items() for name, value in outputs.items())
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda match: values[match[1]], str(text))

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def step(self, step, inputs, steps):
        """Its exit status and what it said."""
        assert set(step) <= {"name", "id", "shell", "run", "env"}, step
        script = os.path.join(self.folder, "step")
        with open(script, "w", encoding="utf-8") as file:
            file.write(self.expand(step["run"], inputs, steps))
        with open(os.path.join(self.folder, "GITHUB_OUTPUT"), "w", encoding="utf-8"):
            pass  # each step has a file of its own
        environment = {name: value for name, value in self.environment.items() if not name.startswith(("GITHUB", "INPUT"))}
        environment.update({name: os.path.join(self.folder, name)
                            for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")})
        environment.update(RUNNER_TEMP=os.path.join(self.folder, "temp"), GITHUB_ACTION_PATH=self.source,
                           GITHUB_SERVER_URL="https://example.org", CI="true")
        environment["PATH"] = ":".join(self.read("GITHUB_PATH").split("\n")[-2::-1] + [environment["PATH"]])
        environment.update({name: self.expand(value, inputs, steps) for name, value in step.get("env", {}).items()})
        done = subprocess.run([*SHELLS[step["shell"]], script], cwd=self.workspace, env=environment, timeout=280,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        written = dict(line.split("=", 1) for line in self.read("GITHUB_OUTPUT").splitlines())
        if "id" in step:
            steps[step["id"]] = written
        return done.returncode, done.stdout.decode(errors="replace")

    def run(self, **given):
        """All steps, up to the first that fails."""
        unknown = set(given) - set(self.action["inputs"])
        assert not unknown, "not inputs: %s" % unknown
        inputs = {name: str(given.get(name, one["default"])) for name, one in self.action["inputs"].items()}
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "temp"))
        for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
                pass
        steps, said, status = {}, "", 0
        for step in self.action["runs"]["steps"]:
            status, text = self.step(step, inputs, steps)
            said += text
            if status:
                break
        outputs = {name: self.expand(one["value"], inputs, steps)
                   for name, one in self.action["outputs"].items() if "gate" in steps}
        return Result(status, said, outputs, self.read("GITHUB_STEP_SUMMARY"))
