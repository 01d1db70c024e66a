# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of data/watch: systemd accepts the unit, and the dashboard and the alerts use metrics that exist."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE
import metrics_format

FOLDER = os.path.join(SOURCE, "data", "watch")


def text(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def watch(self, *arguments):
        return subprocess.run([PROGRAM, "watch", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=100,
                              check=False)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "not installed: systemd-analyze")
    def test_the_unit_is_valid(self):
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", os.path.join(FOLDER, "shufflebias-watch.service")],
                              capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_command_of_the_unit(self):
        """Its options are ones that there are; it is started in a folder of our own, on a log that ends it with a line."""
        (line,) = re.findall(r"^ExecStart=/usr/bin/env shufflebias watch ((?:.*\\\n)*.*)$", text("shufflebias-watch.service"), re.M)
        words = shlex.split(line.replace("\\\n", " ").replace("${LOG}", "log").replace("${ALARM}", "true").replace("$OPTIONS", ""))
        words = [re.sub(r"^/(var/lib|run)/shufflebias/", "", word) for word in words]
        with open(os.path.join(self.folder, "log"), "w", encoding="ascii") as file:
            file.write("0 1 2\n1 2 0\n2 2 2\n")
        done = self.watch(*words)
        self.assertEqual(done.returncode, 4)
        self.assertIn("log, line 3: 2 comes twice", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["log", "watch.json", "watch.prom"])

    def test_who_asks_for_metrics_gets_them(self):
        self.assertEqual(self.watch("fisher-yates", "-n", "12", "--limit", "100", "--window", "--metrics", "watch.prom").returncode, 0)
        there = {name for name, _ in metrics_format.read_file(os.path.join(self.folder, "watch.prom"))}
        dashboard = json.loads(text("grafana.json"))
        asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]] + text("alerts.yml").splitlines()
        names = set(re.findall(r"shufflebias_\w+", " ".join(asked)))
        self.assertGreater(len(names), 6)
        self.assertEqual(names - there, set())
        with open(os.path.join(SOURCE, "docs", "watch.md"), encoding="utf-8") as file:
            page = file.read().replace("`..._upper_bound`", "`shufflebias_total_variation_upper_bound`")
        self.assertEqual(there - set(re.findall(r"shufflebias_\w+", page)), set())

    def test_the_dashboard_has_what_grafana_needs(self):
        dashboard = json.loads(text("grafana.json"))
        self.assertTrue(dashboard["title"] and dashboard["uid"] and dashboard["schemaVersion"] >= 36)
        panels = dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        taken = set()
        for panel in panels:
            place = panel["gridPos"]
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((x, y), taken)
                    self.assertLess(x, 24)
                    taken.add((x, y))
            self.assertEqual(panel["datasource"], {"type": "prometheus", "uid": "${datasource}"})
            self.assertTrue(panel["title"] and panel["targets"])

    @unittest.skipUnless(shutil.which("promtool"), "not installed: promtool")
    def test_the_alerts_are_valid(self):
        done = subprocess.run(["promtool", "check", "rules", os.path.join(FOLDER, "alerts.yml")], capture_output=True, text=True,
                              timeout=100, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


unittest.main(argv=sys.argv[:1])
