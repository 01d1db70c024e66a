#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line, the C library and the Python package have the same defaults: what they say of the same shuffles is the same,
after the same number of permutations. tests/web/package.mjs says so of the npm package.

Usage: same.py LIBRARY SOURCE PROGRAM
"""
import ctypes
import json
import os
import subprocess
import sys
import unittest

LIBRARY, SOURCE, PROGRAM = map(os.path.abspath, sys.argv[1:4])
os.environ["SHUFFLEBIAS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.join(SOURCE, "src", "python"))
import shufflebias  # noqa: E402

OWN_SHUFFLE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_uint16), ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)


class Own:
    """Fisher-Yates, or the naive swap, with the draws of Park and Miller's generator (1988), which any language computes alike."""

    def __init__(self, fair):
        self.state, self.fair = 1, fair

    def __call__(self, deck):
        for i in range(len(deck) - 1, -1, -1):
            self.state = self.state * 16807 % 2147483647
            j = self.state % (i + 1 if self.fair else len(deck))
            deck[i], deck[j] = deck[j], deck[i]

    def lines(self, n):
        for _ in range(200000):
            deck = list(range(n))
            self(deck)
            yield " ".join(str(item + 1) for item in deck)


def by_program(*words, text=None):
    done = subprocess.run([PROGRAM, "gate", "--quiet", "--format", "json", *words], input=text, capture_output=True, text=True, timeout=100)
    return json.loads(done.stdout)["gates"][0]


def by_library(shuffle=None, **options):
    """The gate of the C interface, with a function in C's terms."""
    c = ctypes.CDLL(LIBRARY)
    for name in ("sb_request_new", "sb_run"):
        getattr(c, name).restype = ctypes.c_void_p
    c.sb_text.restype = ctypes.c_char_p
    request, length = ctypes.c_void_p(c.sb_request_new(b"gate")), ctypes.c_size_t()

    @OWN_SHUFFLE
    def own(items, n, size, state):
        deck = items[:n]
        shuffle(deck)
        for i, item in enumerate(deck):
            items[i] = item
        return 0
    for name, value in options.items():
        assert c.sb_set(request, name.encode(), value.encode()) == 0
    if shuffle:
        c.sb_set_shuffle(request, own, None)
    result = ctypes.c_void_p(c.sb_run(request))
    found = json.loads(c.sb_text(result, b"json", ctypes.byref(length)))["gates"][0]
    c.sb_result_free(result)
    c.sb_request_free(request)
    return found


class Same(unittest.TestCase):
    def same(self, *found):
        said = [{key: one[key] for key in ("verdict", "total", "sentence", "terms", "n", "tv_high")} for one in found]
        for one in said[1:]:
            self.assertEqual(one, said[0])
        return said[0]

    def test_a_scheme(self):
        for scheme, verdict in ("naive", "fail"), ("fisher-yates", "pass"):
            found = self.same(by_program(scheme), by_library(scheme=scheme), json.loads(shufflebias.gate(scheme).render("json"))["gates"][0])
            self.assertEqual((found["verdict"], found["n"]), (verdict, 3))

    def test_a_function(self):
        for fair, verdict in (False, "fail"), (True, "pass"):
            text = "\n".join(Own(fair).lines(5)) + "\n"
            found = self.same(by_program("-", text=text), by_library(Own(fair)), json.loads(shufflebias.gate(Own(fair)).render("json"))["gates"][0])
            self.assertEqual((found["verdict"], found["n"]), (verdict, 5))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
