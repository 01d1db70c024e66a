#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package beside other threads, and with handlers of signals that raise exceptions.

Programs that may crash run in processes of their own. The shuffles have fixed seeds.

Usage: concurrency.py LIBRARY SOURCE
"""
import ctypes
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

LIBRARY, SOURCE = map(os.path.abspath, sys.argv[1:3])
os.environ["SHUFFLEBIAS_LIBRARY"] = LIBRARY
PACKAGE = os.path.join(SOURCE, "src", "python")
sys.path.insert(0, PACKAGE)
import shufflebias  # noqa: E402

HEAD = """
import random, secrets, tempfile, threading, warnings
import shufflebias

def naive(deck):
    for i in range(len(deck)):
        j = random.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]

LAW = ("4", "5", "5", "5", "4", "4")  # of naive: the 27 series of draws, counted by hand in docs/prove.md

def prove():
    assert shufflebias.prove(naive, 3).evidence.counts == LAW

def during_proofs(draw):
    "What draw() returned in another thread, one time after another, while this thread proved."
    found, over = [], threading.Event()

    def draw_until_over():
        try:
            while not over.is_set():
                found.append(draw())
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=draw_until_over)
    thread.start()
    try:
        for _ in range(40):
            prove()
    finally:
        over.set()
        thread.join()
    assert found and not isinstance(found[-1], BaseException), found[-1:]
    return found
"""


def naive(deck):
    for i in range(len(deck)):
        j = random.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]


class Threads(unittest.TestCase):
    """A proof answers its own thread, and no other one."""

    def runs(self, code):
        done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", HEAD + textwrap.dedent(code)], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": PACKAGE}, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_other_threads_draw(self):
        for draw in ("random.random", "lambda: random.randrange(10)", "lambda: random.getrandbits(64)",
                     "lambda: random.shuffle([1, 2, 3])", "lambda: secrets.token_bytes(8)", "lambda: secrets.choice(range(1000))",
                     "lambda: tempfile.NamedTemporaryFile().close()",
                     "lambda: shufflebias.gate(random.shuffle, 3, limit=100)", "prove"):
            with self.subTest(draw=draw):
                self.runs(f"during_proofs({draw})")

    def test_other_threads_draw_their_own_numbers(self):
        """A generator with a seed continues its series. Of 1000 choices from 2^31, 5 or more are equal to others with probability
        below 1e-15."""
        self.runs("""
            drawn = during_proofs(random.Random(5).random)
            generator = random.Random(5)
            assert drawn == [generator.random() for _ in drawn]
            drawn = during_proofs(lambda: secrets.choice(range(2 ** 31)))[:1000]
            assert len(set(drawn)) > len(drawn) - 5""")

    def test_a_thread_that_draws_after_the_proof(self):
        """It may have taken the functions that were there during the proof, which says that it ignores the seed."""
        self.runs("""
            warnings.simplefilter("ignore")
            taken = []

            def shuffle(deck):
                taken[:] = random.random, random.getrandbits, random.Random(5).random, secrets.SystemRandom().getrandbits
                random.shuffle(deck)

            assert shufflebias.prove(shuffle, 3).verdict == "uniform"
            thread = threading.Thread(target=lambda: [draw(*bits) for draw, bits in zip(taken * 1000, [(), (9,)] * 2000)])
            thread.start()
            thread.join()
            generator = random.Random(7)
            random.seed(7)
            assert [taken[0](), taken[1](9)] == [generator.random(), generator.getrandbits(9)]""")

    def test_threads_of_the_shuffle(self):
        """A shuffle may wait for a thread that proves, and for one that draws: proofs do not wait for each other."""
        self.runs("""
            def shuffle(deck):
                random.shuffle(deck)
                for work in (prove, lambda: random.shuffle([1, 2, 3])):
                    thread = threading.Thread(target=work)
                    thread.start()
                    thread.join()
                return deck

            assert shufflebias.prove(shuffle, 3).verdict == "uniform"
            assert "random" not in vars(random.Random)""")


class Alarm(Exception):
    pass


class Alarms(unittest.TestCase):
    """The handler of SIGALRM raises Alarm, at any time during a call."""

    def setUp(self):
        random.seed(1)
        self.raised = []
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, self.handle))

    def handle(self, *_):
        self.raised.append(Alarm(len(self.raised)))
        raise self.raised[-1]

    def alarmed(self, call, delay):
        """What call() raised; None if it returned. The timer starts at once, and ends with the call."""
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                call()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            time.sleep(0)  # a handler runs here at the latest
        except BaseException as error:
            return error
        return None

    def comes_out(self, call, delays):
        """Each exception that the handler raised is what the call raised, and the call leaves nothing behind."""
        before = sys.unraisablehook, random.random, signal.getsignal(signal.SIGINT)
        came = 0
        for delay in delays:
            count = len(self.raised)
            error = self.alarmed(call, delay)
            self.assertEqual([error] if error else [], self.raised[count:])
            came += error is not None
            self.assertEqual(signal.getsignal(signal.SIGALRM), self.handle)
            self.assertEqual((sys.unraisablehook, random.random, signal.getsignal(signal.SIGINT)), before)
        return came

    def test_long_calls(self):
        """200 of 200 come out of calls that take 100 times as long."""
        for call in (lambda: shufflebias.gate(random.shuffle, 5, max_bias=1e-5, limit=10 ** 6),
                     lambda: shufflebias.report(random.shuffle, 5, 10 ** 6), lambda: shufflebias.prove(naive, 6),
                     lambda: shufflebias.gate(lambda deck: shufflebias.gate(random.shuffle, 5, max_bias=1e-5, limit=10 ** 6))):
            self.assertEqual(self.comes_out(call, [0.0005 + i * 37 % 200 * 2e-5 for i in range(200)]), 200)
        # The library, at work without callbacks, lets Python run handlers only now and then.
        self.assertEqual(self.comes_out(lambda: shufflebias.report("sort-merge", 52, 10 ** 8), [0.001, 0.01, 0.1]), 3)
        self.assertEqual(shufflebias.prove(naive, 3).evidence.counts, ("4", "5", "5", "5", "4", "4"))
        self.assertEqual(shufflebias.gate(random.shuffle, 4).verdict, "pass")

    def test_short_calls(self):
        """Also those come out that are raised while a call begins and ends, or while its result is freed."""
        for call in (lambda: shufflebias.gate(random.shuffle, 3, limit=20), lambda: shufflebias.report(random.shuffle, 3, 20),
                     lambda: shufflebias.prove(naive, 2), lambda: shufflebias.law("inversions", 4)):
            start = time.perf_counter()
            for _ in range(20):
                call()
            longest = (time.perf_counter() - start) / 20
            self.assertGreater(self.comes_out(call, [longest * (i + 1) / 200 for i in range(200)]), 0)

    def test_a_shuffle_that_catches_it(self):
        def shuffle(deck):
            try:
                time.sleep(1)
            except Alarm:
                random.shuffle(deck)

        self.assertEqual(self.comes_out(lambda: shufflebias.gate(shuffle), [0.01]), 1)

    def test_completed_shuffles(self):
        """A shuffle counts if it has ended, and no other: the calls of the function are the permutations that are counted."""
        calls = []
        found = shufflebias.gate(lambda deck: calls.append(1) or random.shuffle(deck), 5, limit=3000)
        self.assertEqual(found.total, len(calls))

    def test_handlers_that_draw(self):
        """A handler is no part of the shuffle, so a proof does not answer its draws."""
        drawn = []
        signal.signal(signal.SIGALRM, lambda *_: drawn.append(random.random()))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
        for _ in range(20):
            self.assertEqual(shufflebias.prove(naive, 3).evidence.counts, ("4", "5", "5", "5", "4", "4"))
        signal.setitimer(signal.ITIMER_REAL, 0)
        generator = random.Random(1)
        self.assertEqual(set(drawn), {generator.random() for _ in drawn})  # a handler may interrupt itself
        self.assertGreater(len(drawn), 0)

    def test_a_handler_of_the_shuffle(self):
        """A handler that the shuffle installs belongs to the shuffle, and stays. Its exception ends the call in any case."""
        def shuffle(deck):
            if signal.getsignal(signal.SIGALRM) is not own:
                signal.signal(signal.SIGALRM, own)
                signal.setitimer(signal.ITIMER_REAL, delay)
            random.shuffle(deck)

        def own(*_):
            raise Alarm

        for i in range(50):
            delay = 0.001 + i * 2e-5
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            error = self.alarmed(lambda: shufflebias.gate(shuffle, max_bias=1e-5, limit=10 ** 6), 0)
            self.assertIsInstance(error if isinstance(error, Alarm) else error.__cause__, Alarm)
            self.assertIs(signal.getsignal(signal.SIGALRM), own)

    def test_two_signals(self):
        """The exception of the second handler comes out; the first is its context, as Python does it."""
        first, second = KeyError(), Alarm()

        def raises(error):
            def handler(*_):
                raise error
            return handler

        def shuffle(deck):
            for number in (signal.SIGUSR1, signal.SIGALRM):
                try:
                    signal.raise_signal(number)
                except Exception:
                    pass

        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, raises(first)))
        signal.signal(signal.SIGALRM, raises(second))
        with self.assertRaises(Alarm) as caught:
            shufflebias.gate(shuffle)
        self.assertIs(caught.exception, second)
        self.assertIs(second.__context__, first)


class OtherExceptions(unittest.TestCase):
    def test_raised_by_another_thread(self):
        """PyThreadState_SetAsyncExc() raises an exception in any function: it ends the call, if within the shuffle as one of the
        shuffle."""
        def work():
            try:
                shufflebias.gate(random.shuffle, 5, max_bias=1e-5, limit=10 ** 6)
            except Exception as error:
                ended.append(error)

        for i in range(50):
            ended = []
            thread = threading.Thread(target=work)
            thread.start()
            time.sleep(0.005 + i * 2e-5)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Alarm))
            thread.join()
            (error,) = ended
            self.assertIsInstance(error if isinstance(error, Alarm) else error.__cause__, Alarm)

    def test_results_that_raise(self):
        """The code of a list of another class is part of the shuffle."""
        class Broken(list):
            def __iter__(self):
                raise error

        error = ValueError("boom")
        for call in (shufflebias.gate, shufflebias.prove, shufflebias.report):
            with self.assertRaisesRegex(shufflebias.SubjectError, r"shuffle 1: it raised ValueError\('boom'\)") as caught:
                call(Broken, 3)
            self.assertIs(caught.exception.__cause__, error)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
