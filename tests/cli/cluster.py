# SPDX-License-Identifier: GPL-3.0-or-later
"""The templates of data/cluster, on one machine that stands for several. Their result is byte for byte the file of a
run that was not split. GNU parallel is the real program if it is installed; this test replaces its ssh. For Slurm,
the test sets the number of the task. For GitHub, it runs the lines of the steps."""
import os
import re
import shutil
import signal
import subprocess
import unittest

from saving import PROGRAM, SOURCE, Saving

try:
    import yaml
except ImportError:
    yaml = None

RUN = ("naive", "-n", "5", "--samples", "3e6")
PARTS = 7

# As ssh MACHINE COMMAND would, on this machine, which notes who was asked for.
SSH = """#!/bin/sh
while :; do
    case $1 in
    -l | -p | -o) shift 2 ;;
    -*) shift ;;
    *) break ;;
    esac
done
echo "$1" >>"$HOME/machines.seen"
shift
[ "$1" != -- ] || shift
cd / && exec sh -c "$*"
"""

# What of GNU parallel is wanted here, where it is not installed: a line is a job, its command the last argument.
PARALLEL = """#!/bin/sh
for command; do :; done
exec xargs -P 2 -I {} sh -c "$command"
"""

# As sbatch would in the end run the command of --wrap.
SBATCH = """#!/bin/sh
[ "$2" = --wrap ] && exec sh -c "$3"
"""


class Cluster(Saving):
    def setUp(self):
        super().setUp()
        self.bin = self.path("bin")
        os.mkdir(self.bin)
        os.symlink(PROGRAM, os.path.join(self.bin, "shufflebias"))
        self.report(*RUN, "--save", "whole")

    def template(self, name):
        with open(os.path.join(SOURCE, "data", "cluster", name), encoding="ascii") as file:
            return file.read()

    def tool(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def environment(self, **more):
        return {**os.environ, "PATH": self.bin + ":" + os.environ["PATH"], "HOME": self.folder.name, "RUN": " ".join(RUN), **more}

    def must(self, *command, folder=".", status=0, **environment):
        done = subprocess.run(command, cwd=self.path(folder), env=self.environment(**environment), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def test_parallel(self):
        self.tool("ssh", SSH)
        real = shutil.which("parallel")
        if not real:
            self.tool("parallel", PARALLEL)
        elif not shutil.which("bzip2"):
            self.skipTest("GNU parallel reaches other machines by bzip2, which is not installed")
        script = os.path.join(SOURCE, "data", "cluster", "parallel.sh")
        self.put("machines", "north\nsouth\n")
        os.mkdir(self.path("shared"))
        printed = self.must("sh", script, "../machines", folder="shared")
        self.assertEqual(self.text("shared/whole.json"), self.text("whole"))
        self.assertIn(self.report("whole"), printed)
        if real:
            self.assertEqual(set(self.text("machines.seen").split()), {"north", "south"})
        # A part that is lost and one that was cut short by a power failure, and once more, on this machine alone.
        os.remove(self.path("shared/whole.json"))
        os.remove(self.path("shared/part2.json"))
        os.remove(self.path("shared/part5.json"))
        with self.start(*RUN, "--shard", "5/7", "--save", "shared/part5.json", "--threads", "1") as child:
            self.until_done("shared/part5.json", 0)
            child.kill()
        self.must("sh", script, folder="shared", PARTS="7")
        self.assertEqual(self.text("shared/whole.json"), self.text("whole"))

    def test_slurm(self):
        script = self.template("slurm.sh")
        self.assertEqual(re.findall(r"^#SBATCH --array=1-(\d+)$", script, re.M), re.findall(r"^parts=(\d+) ", script, re.M))
        path = os.path.join(SOURCE, "data", "cluster", "slurm.sh")
        for k in range(1, PARTS + 1):
            told = {"SLURM_ARRAY_TASK_ID": str(k), "SLURM_CPUS_PER_TASK": "2"}
            if k == 3:  # whose time is up: the signal comes to the script, and all that is done is saved
                child = subprocess.Popen(["sh", path], cwd=self.folder.name, env=self.environment(**told), stdout=subprocess.DEVNULL)
                with child:
                    self.until_done("part3.json", 0)
                    child.send_signal(signal.SIGTERM)
                self.assertIn(child.returncode, (0, 130))
            self.must("sh", path, **told)
        self.assertEqual(self.call("merge", *("part%d.json" % k for k in range(1, PARTS + 1)), "-o", "merged"), "")
        self.assertEqual(self.text("merged"), self.text("whole"))

    def steps(self, job, part, parts):
        """The steps of a job, as GitHub would fill them in for a part."""
        text = self.template("github.yml")
        for name, value in (("matrix.part", part), ("strategy.job-total", parts)):
            text = text.replace("${{ %s }}" % name, str(value))
        self.assertNotIn("${{", text)
        return yaml.safe_load(text)["jobs"][job]["steps"]

    def run_steps(self, steps, folder):
        """Runs their lines by bash -e, but for the build; what is uploaded."""
        os.symlink(self.bin, self.path(folder + "/build"))
        for step in steps:
            if "setup.sh" not in step.get("run", "setup.sh"):
                self.must("bash", "-e", "-c", step["run"], folder=folder, GITHUB_STEP_SUMMARY=self.path("summary.md"))
        return steps[-1]["with"]["path"]

    @unittest.skipUnless(yaml, "no python3-yaml here")
    def test_github(self):
        """Each job in a folder of its own, as far as a step needs no server."""
        workflow = yaml.safe_load(self.template("github.yml"))
        part, merge = (workflow["jobs"][name] for name in ("part", "merge"))
        numbers = part["strategy"]["matrix"]["part"]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertEqual((workflow["permissions"], merge["needs"]), ({"contents": "read"}, "part"))
        self.assertIn({"pattern": "part*", "merge-multiple": True}, [step.get("with") for step in merge["steps"]])
        self.assertTrue({"name": "part${{ matrix.part }}"} in
                        [step.get("with") for step in part["steps"] if step.get("continue-on-error")])
        self.assertTrue(all(step["with"]["overwrite"] for step in part["steps"] + merge["steps"] if "upload-artifact" in step.get("uses", "")))
        os.mkdir(self.path("merge"))
        for number in numbers:
            folder = "job%d" % number
            os.mkdir(self.path(folder))
            if number == 3:  # which runs again, with the counts that it uploaded before
                with self.start(*RUN, "--shard", "3/7", "--save", "job3/part3.json", "--threads", "1") as child:
                    self.until_done("job3/part3.json", 0)
                    child.kill()
            upload = self.run_steps(self.steps("part", number, len(numbers)), folder)
            shutil.copy(self.path(os.path.join(folder, upload)), self.path("merge"))
        upload = self.run_steps(self.steps("merge", None, None), "merge")
        self.assertEqual(self.text(os.path.join("merge", upload)), self.text("whole"))
        self.assertEqual(self.text("summary.md"), self.report("whole", "--format", "markdown"))

    @staticmethod
    def page():
        with open(os.path.join(SOURCE, "docs", "long-runs.md"), encoding="utf-8") as file:
            return re.search(r"^## Many machines\n(.*?)^## ", file.read(), re.M | re.S)[1]

    def test_the_commands_of_the_page(self):
        """Of a smaller run, whose other parts are done elsewhere."""
        self.tool("sbatch", SBATCH)
        for k in (1, 2, 4, 5, 6, 7):
            self.report(*RUN, "--shard", "%d/7" % k, "--save", "part%d.json" % k)
        commands = [line.strip() for block in re.findall(r"^ *```console\n(.*?)^ *```", self.page(), re.M | re.S) for line in block.splitlines()]
        self.assertEqual(len(commands), 9)
        for command in commands:
            if os.path.exists(self.path("whole.json")) and command.endswith("-o whole.json'"):
                os.remove(self.path("whole.json"))
            said = re.search(r"# exit status (\d+)$", command)
            self.must("sh", "-c", command.replace("1e12", RUN[-1]), status=int(said[1]) if said else 0)
        self.assertEqual(self.text("whole.json"), self.text("whole"))
        self.assertEqual(self.text("now.json"), self.text("whole"))

    def test_every_template_is_in_the_docs(self):
        docs = self.page()
        for name in os.listdir(os.path.join(SOURCE, "data", "cluster")):
            self.assertIn("`%s`" % name, docs)


if __name__ == "__main__":
    unittest.main(argv=[__file__])
