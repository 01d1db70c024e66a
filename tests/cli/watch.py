# SPDX-License-Identifier: GPL-3.0-or-later
"""The watch: alarms, metrics, and evidence that outlives restarts, rotation and kill -9."""
import itertools
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import PROGRAM, SOURCE
import metrics_format
import schema
from saving import flat
from waiting import until, until_asleep

ORDERS = list(itertools.permutations(range(3)))


def lines(count, first=0):
    """So many permutations as text, from this one on: each six are all, in an order of their own."""
    def at(k):
        return (random.Random(k // 6).sample(ORDERS, 6) if k >= 6 else ORDERS)[k % 6]
    return b"".join(b"%d %d %d\n" % at(first + k) for k in range(count))


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_watch(self, *arguments, status=0, data=None):
        """What is printed, and standard error."""
        done = subprocess.run([PROGRAM, "watch", *arguments], input=data, cwd=self.folder, capture_output=True, timeout=100,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def start(self, *arguments, **more):
        child = subprocess.Popen([PROGRAM, "watch", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, **more)
        self.addCleanup(self.reap, child)
        return child

    @staticmethod
    def reap(child):
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream:
                stream.close()

    def deal(self, *arguments):
        return subprocess.run([PROGRAM, "deal", *arguments], capture_output=True, check=True).stdout

    def saved(self, name="saved"):
        with open(self.path(name), encoding="ascii") as file:
            return flat(json.load(file))

    def validate(self, kind, name):
        schema.check(self, SOURCE, kind, self.path(name))

    def metrics(self, name="metrics.prom"):
        return metrics_format.values(metrics_format.read_file(self.path(name)))


class Alarms(Watch):
    def test_one_alarm_where_the_gate_fails(self):
        printed, told = self.run_watch("naive", "--limit", "20000", "--on-alarm", "cat >alarm.$$", "--format", "json", status=1)
        gate = json.loads(subprocess.run([PROGRAM, "gate", "naive", "--format", "json"], capture_output=True, check=False).stdout)
        names = [name for name in os.listdir(self.folder) if name.startswith("alarm.")]
        self.assertEqual(len(names), 1)
        with open(self.path(names[0]), encoding="utf-8") as file:
            alarm = json.load(file)
        self.validate("alarm-1.json", names[0])
        self.assertEqual(alarm["total"], 4672)
        self.assertLess(gate["gates"][0]["total"], alarm["total"])  # a watch has no catalogue
        self.assertIn(alarm["cells"][0]["where"], [cell["where"] for cell in gate["gates"][0]["cells"]])
        self.assertIn("312 came up 671 times instead of 779", alarm["sentence"])
        self.assertEqual(told, alarm["sentence"] + "\n")
        watch = json.loads(printed)
        self.assertEqual((watch["total"], watch["alarms"], watch["window"]), (20000, 1, False))

    def test_the_command_inherits_the_standard_streams_alone(self):
        self.run_watch("naive", "--limit", "20000", "--save", "saved", "--metrics", "metrics.prom", "-o", "report",
                       "--on-alarm", "ls /proc/self/fd >descriptors", status=1)
        with open(self.path("descriptors"), encoding="ascii") as file:
            self.assertEqual(file.read().split(), ["0", "1", "2", "3"])  # the last is the folder that ls reads

    def test_delta_is_of_upper_bounds(self):
        """Lower bounds may be wrong with probability alpha besides, as the page says."""
        printed, _ = self.run_watch("--help", "all")
        self.assertIn("highest probability that an upper bound on the total variation distance is ever wrong (1e-6)", " ".join(printed.split()))

    def test_the_promise_is_rounded_to_the_safe_side(self):
        for alpha, words in (("1.5e-16", "A fair shuffle alarms at most once in 6.6e15 watches, on average."),
                             ("0.6", "A fair shuffle ever alarms with probability 0.6 at most.")):
            self.assertIn(words, self.run_watch("naive", "--limit", "20000", "--alpha", alpha, status=1)[1])

    def test_a_fair_shuffle_has_none(self):
        for more in ((), ("--window",), ("-n", "12", "--increments"), ("-n", "12", "--increments", "--window")):
            printed, told = self.run_watch("fisher-yates", "--limit", "30000", *more)
            self.assertTrue(printed.startswith("No alarm: 30,000 permutations"), printed)
            self.assertEqual(told, "")

    def test_a_change_that_begins_late(self):
        """Fixed seeds; a fair part that is this long hides the change from the gate for a million permutations."""
        fair = self.deal("fisher-yates", "--samples", "1e5", "--format", "u8")
        naive = self.deal("naive", "--samples", "30000", "--format", "u8")
        self.run_watch("-", "--input", "u8", "-n", "3", data=fair + naive[:30000])
        printed, _ = self.run_watch("-", "--input", "u8", "-n", "3", "--window", "--on-alarm", "cat >>alarms", "--format", "json",
                                    data=fair + naive, status=1)
        with open(self.path("alarms"), encoding="utf-8") as file:
            alarms = [json.loads(text + "\n}") for text in file.read().split("\n}\n")[:-1]]
        first = min(alarms, key=lambda alarm: alarm["alarm"])
        self.assertGreater(first["total"], 100000)
        self.assertLess(first["total"], 100000 + 3 * 3632)
        self.assertGreaterEqual(first["since"], 90000)
        self.assertGreaterEqual(len(alarms), 3)
        self.assertEqual(json.loads(printed)["alarms"], len(alarms))

    def test_late_repeats_are_found(self):
        """A generator whose seeds are 2^16 of 2^64: decks come up again, of which one in 16 is compared."""
        decks = self.deal("fisher-yates", "-n", "12", "--samples", "20000", "--format", "u8")
        seeds = random.Random(1)
        short = [random.Random(k).sample(range(12), 12) for k in range(500)]
        late = b"".join(bytes(seeds.choice(short)) for _ in range(8000))
        for more in ((), ("--window",)):
            _, told = self.run_watch("-", "--input", "u8", "-n", "12", *more, data=decks + late, status=1)
            self.assertIn("ALARM after 2", told)

    def test_a_command_that_fails(self):
        printed, told = self.run_watch("naive", "--limit", "20000", "--on-alarm", "exit 7", status=1)
        self.assertTrue(printed.startswith("ALARM: 1 alarm, after 4,672 of 20,000 permutations. "), printed)
        self.assertIn("the command of --on-alarm ended with status 7", told)
        _, told = self.run_watch("naive", "--limit", "20000", "--on-alarm", "kill -9 $$", status=1)
        self.assertIn("was killed by signal 9", told)

    def test_a_parent_that_ignores_its_children(self):
        """The kernel then forgets how the parent's children have exited, and those of its programs."""
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        child = self.start("naive", "--limit", "20000", "--on-alarm", "exit 7", preexec_fn=ignore)
        self.assertIn(b"the command of --on-alarm ended with status 7", child.communicate(timeout=60)[1])
        self.assertEqual(child.returncode, 1)
        gate = subprocess.run([PROGRAM, "gate", "--", "sh", "-c", "echo 0 1 2; exit 3"], preexec_fn=ignore, capture_output=True,
                              check=False, timeout=60)
        self.assertIn(b"exited with status 3", gate.stderr)
        self.assertEqual(gate.returncode, 4)

    def test_a_command_that_hangs(self):
        """Whoever wants an end hears what is waited for; the second signal ends the command, too."""
        child = self.start("naive", "--on-alarm", "echo $$ >id.new; mv id.new id; exec sleep 50")
        until(lambda: os.path.exists(self.path("id")), "no alarm")
        with open(self.path("id"), encoding="ascii") as file:
            id = int(file.read())
        child.stderr.readline()
        child.send_signal(signal.SIGTERM)
        self.assertIn(b"still runs: waiting for it", child.stderr.readline())
        while child.poll() is None:  # the second one counts a quarter of a second after the first
            child.send_signal(signal.SIGTERM)
            time.sleep(0.02)

        def gone():
            try:
                with open("/proc/%d/stat" % id, encoding="utf-8") as file:
                    return file.read().rsplit(")", 1)[1].split()[0] == "Z"
            except OSError:
                return True

        until(gone, "the command runs on")

    def test_an_alarm_without_a_disk(self):
        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        child = self.start("naive", "--limit", "20000", "--on-alarm", "echo it ran >&2", preexec_fn=full)
        told = child.communicate(timeout=100)[1]
        self.assertIn(b"runs without input", told)
        self.assertIn(b"it ran", told)

    def test_reading_goes_on_while_a_command_runs(self):
        os.mkfifo(self.path("gate"))
        child = self.start("naive", "--limit", "50000", "--on-alarm", "echo >begun; cat <gate", "--save", "saved",
                           "--checkpoint", "0.01")
        until(lambda: os.path.exists(self.path("saved")) and self.saved()["total"] == 50000, "it stands still")
        self.assertIsNone(child.poll())
        with open(self.path("gate"), "w", encoding="ascii"):
            pass
        self.assertEqual(child.wait(100), 1)


class Metrics(Watch):
    def test_they_are_valid_and_true(self):
        for more in (("-n", "3"), ("-n", "12", "--increments"), ("-n", "12", "--window"), ("-n", "4", "--window")):
            self.run_watch("fisher-yates", "--limit", "2000", "--metrics", "metrics.prom", *more)
            metrics = self.metrics()
            self.assertEqual(metrics["permutations_total"], 2000)
            self.assertEqual(metrics["alarms_total"], 0)
            self.assertAlmostEqual(metrics["alarm_ln_e"], 20.72326583694641)
            self.assertLess(metrics["ln_e"], 5)
            self.assertGreater(metrics["last_permutation_timestamp_seconds"], 1.7e9)
            self.assertEqual("window_ln_sum" in metrics, "--window" in more)
            self.assertEqual(metrics.get("compared_decks_ratio"), 1 / 16 if "12" in more else None)
        self.assertEqual([name for name in os.listdir(self.folder) if name != "metrics.prom"], [])

    def test_they_are_there_while_nothing_comes(self):
        child = self.start("-", "--metrics", "metrics.prom", "--interval", "0.01", stdin=subprocess.PIPE)
        until(lambda: os.path.exists(self.path("metrics.prom")), "no metrics")
        self.assertEqual(self.metrics()["permutations_total"], 0)
        child.stdin.write(b"0 1 2\n2 1 0\n")
        child.stdin.flush()
        until(lambda: self.metrics()["permutations_total"] == 2, "it does not count")
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(100), 0)

    def test_names_of_subjects_are_quoted(self):
        with open(self.path('a"b\\c.log'), "w", encoding="ascii") as file:
            file.write("0 1 2\n" * 3)
        self.run_watch('./a"b\\c.log', "--metrics", "metrics.prom")
        with open(self.path("metrics.prom"), encoding="ascii") as file:
            self.assertIn('a\\"b\\\\c.log', file.read())
        self.assertEqual(self.metrics()["permutations_total"], 3)

    def test_the_reader_is_strict(self):
        good = '# HELP a_total x\n# TYPE a_total counter\na_total{b="c"} 1\n'
        self.assertEqual(metrics_format.read(good), {("a_total", (("b", "c"),)): 1})
        for bad in (good[:-1], good.replace("# TYPE a_total counter\n", ""), good + 'a_total{b="c"} 2\n', good.replace(" 1", " -1"),
                    good.replace(" 1", " one"), good.replace('"c"', "c"), good.replace('"c"', '"c\\x"'), good + "b 1\n",
                    good.replace("a_total{", "a_total {"), good + "\n", good.replace('b="c"', 'b="c",b="d"')):
            with self.assertRaises(AssertionError):
                metrics_format.read(bad)


class Saved(Watch):
    def test_in_pieces_it_is_the_same(self):
        """The same stream, in one run and in several: the evidence is the same but for the version of the moment."""
        for more in (("-n", "3"), ("-n", "4", "--window"), ("-n", "7", "--increments", "--window")):
            n = int(more[1])
            # a bettor learns anew in each piece, which may move the alarms of a biased shuffle
            data = self.deal("naive" if n < 6 else "fisher-yates", "-n", str(n), "--samples", "20000", "--format", "u8")
            for name, cuts in (("whole%d" % n, (20000,)), ("parts%d" % n, (1, 1023, 5000, 5001, 20000))):
                for end in cuts:
                    with open(self.path("decks"), "wb") as file:
                        file.write(data[:end * n])
                    self.run_watch("./decks", "--input", "u8", "--save", name, *more, status=None if end > 1 else 0)
            whole, parts = self.saved("whole%d" % n), self.saved("parts%d" % n)
            self.validate("evidence-1.json", "parts%d" % n)
            for saved in whole, parts:
                self.assertEqual(saved.pop("bettor", {}).get("decks"), 20000 if n > 6 else None)
                for start in saved["starts"]:
                    self.assertEqual("bets" in start, n > 6)
                    start.pop("bets", None)
                    start.pop("repeats")  # a piece does not remember the decks of those before it
                saved.pop("repeats")
                del saved["last"], saved["run"], saved["checksum"]
            self.assertEqual(whole, parts)

    def run_watch(self, *arguments, status=0, data=None):
        if status is not None:
            return super().run_watch(*arguments, status=status, data=data)
        done = subprocess.run([PROGRAM, "watch", *arguments], input=data, cwd=self.folder, capture_output=True, timeout=100,
                              check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def test_a_scheme_goes_on(self):
        for end in (1000, 7000, 4000):
            self.run_watch("naive", "--save", "parts", "--limit", str(end), status=None)
        self.run_watch("naive", "--save", "whole", "--limit", "12000", status=1)
        whole, parts = self.saved("whole"), self.saved("parts")
        self.assertEqual((whole["total"], whole["alarms"], whole["alarm_total"]), (12000, 1, 4672))
        for field in ("tallies", "alarm_total", "total", "alarms"):
            self.assertEqual(whole[field], parts[field])

    def test_what_is_refused(self):
        self.run_watch("naive", "--save", "saved", "--limit", "100")
        self.run_watch("naive-backward", "--save", "backward", "--limit", "100")
        for save, more, asked, was in (
                ("saved", "naive -n 4", "-n 4", "3"), ("saved", "naive --window", "--window given", "not given"),
                ("saved", "naive --increments", "--increments given", "not given"), ("saved", "naive --alpha 0.1", "--alpha 0.1", "1e-09"),
                ("saved", "naive --delta 0.1", "--delta 0.1", "1e-06"), ("saved", "naive --seed 2", "--seed 2", "1"),
                ("saved", "naive --rng mt19937", "--rng mt19937", "philox"), ("saved", "naive --draw modulo:15", "--draw modulo:15", "ideal"),
                ("saved", "naive/modulo:15", "scheme naive/modulo:15", "naive"), ("saved", "sattolo", "scheme sattolo", "naive"),
                ("backward", "naive", "scheme naive", "naive-backward")):
            _, told = self.run_watch(*more.split(), "--save", save, "--limit", "100", status=2)
            self.assertIn("%s: differs from that of '%s', %s: use the same, or name another file" % (asked, save, was), told)
        for name in ("one", "two"):
            with open(self.path(name), "wb") as file:
                file.write(lines(64))
        for save, asked, others in (("log", ("./one",), (("./two",), ("--follow", "two"), ("--", "cat", "one"), ("naive",))),
                                    ("command", ("--", "cat", "one"), (("--", "cat", "two"), ("./one",)))):
            self.run_watch("--save", save, *asked)
            for other in others:
                _, told = self.run_watch("--save", save, *other, status=2)
                self.assertRegex(told, "(command|file|scheme) .*: differs from that of '%s', .*%s: use" % (save, asked[-1]))
            self.assertEqual(self.saved(save)["total"], 64)
        self.validate("evidence-1.json", "command")
        self.validate("evidence-1.json", "saved")
        with open(self.path("saved"), encoding="ascii") as file:
            text = file.read()
        for bad, word in ((text[:-20], "line"), (text.replace('"total": 100', '"total": 101'), "add up"), ("[]", "schema"),
                          ("", "it is empty"), (text.replace('"alarms"', '"harms"'), "harms")):
            with open(self.path("saved"), "w", encoding="ascii") as file:
                file.write(bad)
            _, told = self.run_watch("naive", "--save", "saved", "--limit", "100", status=4)
            self.assertIn("is no sound evidence", told)
            self.assertRegex(told, "%s.*: restore it, or delete it to begin anew\n" % word)
            self.assertEqual(told.count("\n"), 1)


class Runs(Watch):
    """A command, or a pipe, whose runs add up in one file."""
    def run_pipe(self, data, *more, status=0):
        return self.run_watch("-", "--save", "saved", *more, data=data, status=status)[1]

    def test_a_run_that_was_there_is_refused(self):
        """By its first 64 permutations, whatever follows, and however many runs were between."""
        def deals(seed, samples):
            return self.deal("fisher-yates", "--seed", str(seed), "--samples", str(samples))

        self.run_pipe(deals(1, 100))
        self.run_pipe(deals(2, 64))
        before = self.saved()
        for again in (deals(1, 100), deals(1, 64), deals(1, 3000), deals(2, 65)):
            told = self.run_pipe(again, status=4)
            self.assertIn("its first 64 permutations are those of an earlier run that 'saved' holds", told)
            self.assertEqual(told.count("\n"), 1)
            self.assertEqual(self.saved(), before)
        self.validate("evidence-1.json", "saved")
        self.assertEqual((before["total"], before["uncounted"], len(before["openings"])), (100, 64, 2))
        self.run_pipe(deals(3, 100))
        after = self.saved()
        self.assertEqual((after["total"], after["uncounted"], len(after["openings"])), (136, 128, 3))

    def test_a_command_and_a_named_pipe(self):
        command = ("--save", "command", "--", PROGRAM, "deal", "fisher-yates", "--samples", "70")
        self.run_watch(*command)
        self.assertIn("would count twice", self.run_watch(*command, status=4)[1])
        self.assertEqual(self.saved("command")["total"], 70)
        os.mkfifo(self.path("pipe"))
        for status in (0, 4):
            child = self.start("./pipe", "--save", "saved")
            with open(self.path("pipe"), "wb") as pipe:
                pipe.write(self.deal("fisher-yates", "--samples", "70"))
            child.communicate(timeout=100)
            self.assertEqual((child.returncode, self.saved()["total"]), (status, 70))

    def test_the_first_64_of_a_later_run_do_not_count(self):
        """A first run counts everything, however short; a later one counts from its 65th permutation on."""
        self.assertEqual(self.run_pipe(lines(6)), "")
        self.assertEqual((self.saved()["total"], self.saved()["openings"]), (6, []))
        for count in (1, 63):
            self.assertIn("standard input: ended after %d permutation%s, which add nothing to 'saved': the first 64 of a run that adds"
                          % (count, "s" * (count > 1)), self.run_pipe(lines(count)))
        self.run_pipe(b"")
        self.assertEqual(self.run_pipe(lines(64, 5)), "")
        self.assertEqual((self.saved()["total"], self.saved()["uncounted"]), (6, 128))
        self.run_pipe(lines(200, 2), "--limit", "7")
        self.assertEqual(sorted(self.saved()["tallies"][0]["counts"]), [2, 2, 2, 2, 2, 3])

    def test_one_that_is_stopped_too_soon_says_so(self):
        self.run_pipe(lines(6))
        child = self.start("-", "--save", "saved", stdin=subprocess.PIPE)
        child.stdin.write(lines(63))
        child.stdin.flush()
        until_asleep(child)
        child.send_signal(signal.SIGTERM)
        told = child.communicate(timeout=100)[1]
        self.assertEqual(child.returncode, 0)
        self.assertIn(b"stopped after 63 permutations, which add nothing to 'saved'", told)
        self.assertEqual(self.saved()["total"], 6)

    def test_without_a_file_all_count(self):
        self.assertIn("3 permutations were watched", self.run_watch("-", data=b"0 1 2\n" * 3)[0])

    def test_how_a_stream_is_read_is_kept(self):
        """What is left out is as it was; another layout is refused by name."""
        cards = ("--cards", "A B C")
        data = lines(120).translate(bytes.maketrans(b"012", b"ABC"))
        self.run_watch("-", "--save", "cards", *cards, data=data)
        self.run_watch("-", "--save", "cards", data=data[6:])
        self.assertEqual(sorted(self.saved("cards")["tallies"][0]["counts"]), [29, 29, 29, 29, 29, 30])
        ones = lines(120).translate(bytes.maketrans(b"012", b"123"))
        self.run_watch("-", "--save", "ones", "--base", "1", data=ones)
        bytes_ = self.deal("fisher-yates", "--samples", "100", "--format", "u8")
        with open(self.path("log"), "wb") as file:
            file.write(bytes_)
        self.run_watch("./log", "--save", "bytes", "--input", "u8", "-n", "3")
        with open(self.path("log"), "ab") as file:
            file.write(bytes_)
        self.run_watch("./log", "--save", "bytes")
        self.assertEqual(self.saved("bytes")["total"], 200)
        self.run_watch("-", "--save", "free", "--free", "-n", "3", data=ones.replace(b"\n", b" "))
        self.run_watch("-", "--save", "free", data=ones[6:].replace(b"\n", b" "))
        for name in ("cards", "ones", "bytes", "free"):
            self.validate("evidence-1.json", name)
        for save, more, asked, was in (
                ("cards", ("--cards", "C B A"), "--cards C B A", "A B C"), ("cards", ("--base", "0"), "--base 0", "not given"),
                ("ones", ("--base", "0"), "--base 0", "1"), ("ones", cards, "--cards A B C", "not given"),
                ("ones", ("--input", "u8"), "--input u8", "not given"), ("ones", ("--free",), "--free given", "not given")):
            _, told = self.run_watch("-", "--save", save, *more, data=data, status=2)
            self.assertIn("%s: differs from that of '%s', %s: use the same, or name another file" % (asked, save, was), told)
        _, told = self.run_watch("./log", "--save", "bytes", "--input", "u16", status=2)
        self.assertIn("--input u16: differs", told)


class Follow(Watch):
    """A log that is written by this test, and counted as it is written."""
    def setUp(self):
        super().setUp()
        self.random = random.Random(5)
        self.count = [0] * 6
        self.moved = 0
        self.child = None

    def write(self, lines):
        with open(self.path("log"), "a", encoding="ascii") as file:
            for _ in range(lines):
                order = self.random.randrange(6)
                self.count[order] += 1
                file.write("%d %d %d\n" % ORDERS[order])

    def shift(self):
        for k in range(self.moved, 0, -1):
            os.rename(self.path("log.%d" % k), self.path("log.%d" % (k + 1)))
        self.moved += 1

    def rotate(self):
        self.shift()
        os.rename(self.path("log"), self.path("log.1"))
        self.write(60)  # by which the file can be told from others

    def copy_and_cut(self):
        self.shift()
        shutil.copyfile(self.path("log"), self.path("log.1"))
        os.truncate(self.path("log"), 0)
        self.write(60)

    def watch(self, *more):
        """Starts one, and waits until it is ready for signals."""
        if os.path.exists(self.path("metrics.prom")):
            os.remove(self.path("metrics.prom"))
        self.child = self.start("--follow", "log", "--save", "saved", "--checkpoint", "0.005", "--metrics", "metrics.prom",
                                "--interval", "0.005", *more)
        until(lambda: os.path.exists(self.path("metrics.prom")), "it does not begin")

    def caught_up(self):
        until(lambda: os.path.exists(self.path("metrics.prom")) and
              self.metrics()["permutations_total"] >= sum(self.count), "it does not catch up")

    def opened(self):
        """Waits until the watch has the log of this name open, and not only one before it."""
        log, folder = os.stat(self.path("log")), "/proc/%d/fd" % self.child.pid

        def holds(name):
            try:
                return os.path.samestat(os.stat(os.path.join(folder, name)), log)
            except FileNotFoundError:  # closed since it was listed
                return False
        until(lambda: any(holds(name) for name in os.listdir(folder)), "it does not open the log")

    def end(self, how=signal.SIGTERM):
        self.child.send_signal(how)
        told = self.child.communicate(timeout=100)[1].decode()
        return self.child.returncode, told

    def test_nothing_is_lost_or_counted_twice(self):
        self.write(2000)
        self.watch("--window")
        for step in range(60):
            self.write(self.random.randrange(1, 400))
            what = self.random.randrange(6)
            if what == 0:
                self.rotate()
            elif what == 1:
                self.copy_and_cut()
            elif what == 2:
                self.child.send_signal(signal.SIGHUP)
            elif what == 3:
                until(lambda: os.path.exists(self.path("saved")), "no checkpoint")
                status, told = self.end(signal.SIGKILL)
                self.assertEqual((status, told), (-signal.SIGKILL, ""))
            elif what == 4:
                until(lambda: os.path.exists(self.path("saved")), "no checkpoint")
                status, told = self.end()
                self.assertEqual((status, told), (0, ""))
            if what in (3, 4):
                if self.random.randrange(2):
                    self.rotate()
                self.watch("--window")
            if step % 10 == 9:
                self.caught_up()
        self.caught_up()
        self.assertEqual(self.end(), (0, ""))
        self.assertEqual(self.saved()["tallies"][0]["statistic"], "rank")
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_a_log_that_is_rotated_again_soon_after_its_first_lines(self):
        """The new file is empty for a while, and its name is gone when its lines are written: they are read all the same."""
        self.write(2000)
        self.watch()
        for _ in range(20):
            os.rename(self.path("log"), self.path("log.1"))
            self.write(0)
            self.opened()  # while it is empty
            self.write(60)
            os.rename(self.path("log"), self.path("log.1"))
            self.write(60)
            self.opened()
        self.caught_up()
        self.assertEqual(self.end(), (0, ""))

    def test_numbers_that_rise(self):
        """Some programs give the newest of the renamed files the largest number: no file before it is read again."""
        self.write(2000)
        self.watch()
        for k in range(1, 13):
            os.rename(self.path("log"), self.path("log.%d" % k))
            self.write(100)
            if k % 3:  # otherwise it is renamed twice in a row
                self.caught_up()
        self.caught_up()
        self.assertEqual(self.end(), (0, ""))
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_a_log_that_is_read_now_and_then(self):
        """Without --follow, each run reads what came since the last, through rotation."""
        self.write(100)
        for move in (lambda: None, self.rotate, self.copy_and_cut, self.rotate):
            self.write(50)
            move()
            self.run_watch("./log", "--save", "saved")
            self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_half_a_line_is_waited_for(self):
        self.write(10)
        with open(self.path("log"), "a", encoding="ascii") as file:
            file.write("0 1")
        self.watch()
        self.caught_up()
        with open(self.path("log"), "a", encoding="ascii") as file:
            file.write(" 2\n")
        self.count[0] += 1
        self.caught_up()
        self.assertEqual(self.end(), (0, ""))
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_half_a_line_that_is_cut_off_does_not_count(self):
        self.write(10)
        with open(self.path("log"), "a", encoding="ascii") as file:
            file.write("0 1")
        self.watch()
        self.caught_up()
        os.truncate(self.path("log"), 0)
        self.write(60)
        self.caught_up()
        status, told = self.end()
        self.assertEqual(status, 0)
        self.assertIn("log was cut", told)
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_what_is_lost_is_said(self):
        self.write(500)
        self.watch()
        self.caught_up()
        self.end()
        os.remove(self.path("log"))
        self.write(300)
        self.watch()
        self.caught_up()
        status, told = self.end()
        self.assertEqual(status, 0)
        self.assertIn("is lost", told)

    def while_it_is_stopped(self, move):
        """What a watch said that was stopped (as by Ctrl-Z or a suspended machine) while its log was moved, and its metrics."""
        self.write(2000)
        self.watch()
        self.caught_up()
        self.child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.child.pid, os.WSTOPPED | os.WNOWAIT)
        move()
        time.sleep(2.5)
        self.child.send_signal(signal.SIGCONT)
        self.caught_up()
        self.write(10)
        self.caught_up()
        status, told = self.end()
        self.assertEqual(status, 0, told)
        return told, self.metrics()

    def test_files_that_may_be_lost_are_said(self):
        """Two rotations while the watch is stopped. The file that it has open is removed, or compressed; the file in between is
        there, or not. (Which of several files came next cannot be told once the one that was read is gone.)"""
        def move():
            os.rename(self.path("log"), self.path("log.1"))
            before = list(self.count)
            self.write(700)
            os.remove(self.path("log.1"))
            os.rename(self.path("log"), self.path("log.1"))
            if kind != "delaycompress":
                os.remove(self.path("log.1"))
            self.count = before
            self.write(200)

        for kind in ("delaycompress", "removal"):
            with self.subTest(kind=kind):
                self.setUp()
                told, metrics = self.while_it_is_stopped(move)
                self.assertEqual(told.count("log: the file that was read is not beside it any more"), 1, told)
                self.assertIn("may be lost", told)
                self.assertEqual((metrics["log_gaps_total"], metrics["permutations_total"]), (1, 2210))
                self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_files_that_are_there_are_not_lost(self):
        """Two rotations while the watch is stopped; one rotation to a name that it does not know, which it sees at once."""
        def twice():
            self.rotate()
            self.write(700)
            self.rotate()

        told, metrics = self.while_it_is_stopped(twice)
        self.assertEqual((told, metrics["log_gaps_total"]), ("", 0))
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)
        self.setUp()
        self.write(500)
        self.watch()
        self.caught_up()
        os.rename(self.path("log"), self.path("old"))
        time.sleep(3)  # a game that deals rarely
        self.write(300)
        self.caught_up()
        told, metrics = self.end()[1], self.metrics()
        self.assertEqual((told, metrics["log_gaps_total"]), ("", 0))
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    def test_a_writer_that_keeps_its_place_after_a_truncation(self):
        """copytruncate, and a program that does not append: the log then begins with bytes of 0."""
        with open(self.path("log"), "w", encoding="ascii") as log:
            def write(lines):
                for _ in range(lines):
                    order = self.random.randrange(6)
                    self.count[order] += 1
                    log.write("%d %d %d\n" % ORDERS[order])
                log.flush()

            write(3000)
            self.watch()
            self.caught_up()
            for step in range(8):
                write(self.random.randrange(1, 9000))
                if step % 4 == 3:
                    status, told = self.end()
                    self.assertEqual((status, told), (0, ""))
                self.shift()
                shutil.copyfile(self.path("log"), self.path("log.1"))
                os.truncate(self.path("log"), 0)
                write(self.random.randrange(1, 9000))
                with open(self.path("log"), "rb") as file:
                    self.assertEqual(file.read(1), b"\0")
                if step % 4 == 3:
                    self.watch()
                if step % 2:
                    self.caught_up()
            self.caught_up()
            self.assertEqual(self.end(), (0, ""))
        self.assertEqual(self.saved()["tallies"][0]["counts"], self.count)

    @unittest.skipUnless(shutil.which("strace"), "no strace here")
    def test_sighup_as_soon_as_the_program_begins(self):
        """SIGHUP with each of the first calls that set a signal's action: there is no moment at which it ends the watch."""
        self.write(10)
        for call in range(1, 9):
            done = subprocess.run(["strace", "-o", self.path("calls"), "-e", "trace=rt_sigaction", "-e",
                                   "inject=rt_sigaction:signal=SIGHUP:when=%d" % call, PROGRAM, "watch", "--save", "saved%d" % call, "log"],
                                  cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
            with open(self.path("calls"), encoding="ascii") as file:
                calls = file.read()
            if "rt_sigaction" not in calls:
                self.skipTest("strace may not trace here: " + done.stderr)
            self.assertIn("SIGHUP", calls)
            self.assertEqual((done.returncode, done.stderr), (0, ""), calls)
            with open(self.path("saved%d" % call), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["total"], 10)

    def test_a_log_that_is_not_there_yet(self):
        self.watch()
        self.child.stderr.readline()
        self.write(5)
        self.caught_up()
        self.assertEqual(self.end()[0], 0)

    def test_a_line_that_is_no_permutation(self):
        self.write(20)
        with open(self.path("log"), "a", encoding="ascii") as file:
            file.write("0 1 1\n")
        self.watch()
        _, told = self.child.communicate(timeout=100)
        self.assertEqual(self.child.returncode, 4)
        self.assertIn(b"line 21: 1 comes twice", told)
        self.assertEqual(self.saved()["total"], 20)

    def test_a_line_that_is_wrong_is_met_again(self):
        """No start passes over it, or takes the rest of it for a permutation; mended, it counts."""
        for bad in ("1-0 1 2", "foo", "0 1", "0 1 2 0 1 2"):
            with open(self.path("bad"), "w", encoding="ascii") as file:
                file.write("0 1 2\n2 1 0\n" + bad + "\n1 2 0\n")
            for where in ("line 3: ", "line 1 after byte 12: "):
                _, told = self.run_watch("--follow", "bad", "--save", "saved", status=4)
                self.assertIn(where, told)
                self.assertIn("mend it there, or cut it out", told)
                self.assertEqual((self.saved()["total"], self.saved()["bookmark"]["offset"]), (2, 12))
            with open(self.path("mended"), "w", encoding="ascii") as file:  # as editors do: another inode
                file.write("0 1 2\n2 1 0\n1 2 0\n")
            os.rename(self.path("mended"), self.path("bad"))
            _, told = self.run_watch("bad", "--save", "saved")
            self.assertEqual((self.saved()["total"], told), (3, ""))
            os.remove(self.path("saved"))

    def test_a_wrong_line_of_a_rotated_log_is_mended(self):
        self.write(20)
        self.watch()
        self.caught_up()
        os.rename(self.path("log"), self.path("log.1"))
        with open(self.path("log.1"), "a", encoding="ascii") as file:
            file.write("foo\n")
        self.write(1)
        self.child.communicate(timeout=100)
        self.assertEqual(self.child.returncode, 4)
        with open(self.path("log.1"), encoding="ascii") as file:
            lines = file.readlines()
        with open(self.path("mended"), "w", encoding="ascii") as file:
            file.writelines(lines[:-1])
        os.rename(self.path("mended"), self.path("log.1"))
        _, told = self.run_watch("log", "--save", "saved")
        self.assertEqual((self.saved()["total"], told), (21, ""))

    def test_two_cannot_save_to_one_file(self):
        self.write(5)
        self.watch()
        self.caught_up()
        until(lambda: os.path.exists(self.path("saved")), "no checkpoint")
        _, told = self.run_watch("--follow", "log", "--save", "saved", status=4)
        self.assertIn("'saved' is in use", told)
        self.assertEqual(self.end(), (0, ""))
        self.write(1)
        self.run_watch("--follow", "log", "--save", "saved", "--limit", "1")
        self.assertEqual(self.saved()["total"], 6)

    def test_interrupted(self):
        self.write(20)
        self.watch()
        self.caught_up()
        self.assertEqual(self.end(signal.SIGINT)[0], 130)


class Slips(Watch):
    def test_they_have_a_line_each(self):
        os.mkdir(self.path("folder"))
        self.run_watch("naive", "--save", "evidence", "--limit", "10")
        for arguments, status, word in (
                (("./evidence",), 2, "'./evidence' is saved evidence: pass it to --save, and name what to watch"),
                (("--follow", "evidence"), 2, "'evidence' is saved evidence: pass it to --save"),
                ((), 2, "name what to watch"), (("nonsense",), 2, "no such file"), (("naive", "-n", "1"), 2, "-n 1"),
                (("naive", "-n", "0"), 2, "-n 0"), (("naive", "-n", "1000001"), 2, "use n <= 1000000"), (("naive", "sattolo"), 2, "one subject"),
                (("--follow", "log", "naive"), 2, "one subject"), (("--follow", "-"), 2, "only a file can be followed"),
                (("--follow", "folder"), 2, "is no file that could be followed"),
                (("naive", "--save", "/dev/full"), 2, "evidence must be saved in a regular file: name one"),
                (("naive", "--metrics", "/dev/full"), 2, "cannot be replaced"),
                (("naive", "--metrics", "none/metrics.prom"), 4, "cannot write 'none/metrics.prom'"),
                (("naive", "--save", "none/saved", "--limit", "10"), 4, "cannot write 'none/saved'"),
                (("naive", "--alpha", "2"), 2, "--alpha"), (("naive", "--checkpoint", "5"), 2, "only goes with --save"),
                (("naive", "--interval", "5"), 2, "only goes with --metrics"), (("naive", "--limit", "0"), 2, "--limit"),
                (("--follow", "none/log"), 4, "there is no folder 'none': make it"), (("--follow", ""), 2, "--follow: its argument is empty"),
                (("naive", "--save", ""), 2, "evidence must be saved in a regular file"), (("naive", "--metrics", ""), 2, "--metrics: its argument is empty"),
                (("naive", "--on-alarm", ""), 2, "--on-alarm: its argument is empty"),
                (("--follow", "log", "--free", "-n", "3"), 2, "--free"), (("naive", "--profile", "x"), 2, "x"),
                (("--", "true"), 4, "ended without a permutation"), (("--", "false"), 4, "status 1")):
            _, told = self.run_watch(*arguments, status=status)
            self.assertIn(word, told)
            self.assertEqual(told.count("\n"), 1, told)

    def test_files_are_not_overwritten(self):
        for name in ("log", "link"):
            if name == "log":
                with open(self.path("log"), "w", encoding="ascii") as file:
                    file.write("0 1 2\n")
            else:
                os.symlink("log", self.path("link"))
        for arguments in (("./log", "--metrics", "log"), ("--follow", "log", "--save", "log"), ("--follow", "log", "--metrics", "link"),
                          ("--follow", "log", "--save", "new", "--metrics", "new")):
            _, told = self.run_watch(*arguments, status=2)
            self.assertIn("are one file: name another", told)
            self.assertEqual(told.count("\n"), 1)
        _, told = self.run_watch("./log", "-o", "./log", status=2)
        self.assertIn("'./log' is the input, and cannot take the text", told)
        with open(self.path("log"), encoding="ascii") as file:
            self.assertEqual(file.read(), "0 1 2\n")

    def test_a_file_that_cannot_be_written_ends_it_when_it_begins(self):
        """Also where it goes on from what there is."""
        self.run_watch("naive", "--save", "saved", "--limit", "100")
        os.mkdir(self.path("saved.new"))  # in the way
        child = self.start("naive", "--save", "saved")  # which would go on for ever
        self.assertIn(b"cannot write 'saved': 'saved.new' is in the way", child.communicate(timeout=100)[1])
        self.assertEqual(child.returncode, 4)
        self.assertEqual(self.saved("saved")["total"], 100)

    def test_a_disk_that_is_full_does_not_end_it(self):
        """What cannot be written is said once, and tried again; the watch goes on."""
        os.mkdir(self.path("there"))
        child = self.start("-", "--save", "there/saved", "--checkpoint", "0.01", stdin=subprocess.PIPE)
        child.stdin.write(lines(70))
        child.stdin.flush()
        until(lambda: os.path.exists(self.path("there/saved")), "no checkpoint")
        os.rename(self.path("there"), self.path("gone"))  # at once: a checkpoint may be under way
        child.stdin.write(b"2 1 0\n" * 10)
        child.stdin.flush()
        line = child.stderr.readline()
        self.assertIn(b"cannot write 'there/saved'", line)
        os.mkdir(self.path("there"))
        until(lambda: os.path.exists(self.path("there/saved")), "it is not tried again")
        child.stdin.close()
        self.assertEqual(child.wait(100), 0)
        self.assertEqual(self.saved("there/saved")["total"], 80)


unittest.main(argv=sys.argv[:1])
