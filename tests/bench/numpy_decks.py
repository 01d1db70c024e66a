#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks of 52 from NumPy's permuted(), counted by bincount(): nanoseconds of processor time per deck.

Usage: numpy_decks.py DECKS. Exit status 77 if NumPy (apt-get install python3-numpy) is missing.
"""
import sys
import time

try:
    import numpy
except ImportError:
    sys.exit(77)

CARDS, BATCH = 52, 10000
decks = int(sys.argv[1])
rng = numpy.random.default_rng(1)
ordered = numpy.tile(numpy.arange(CARDS, dtype=numpy.uint16), (BATCH, 1))
column = numpy.arange(CARDS)
count = numpy.zeros(CARDS * CARDS, dtype=numpy.int64)
began = time.process_time()
for batch in range(decks // BATCH):
    shuffled = rng.permuted(ordered, axis=1)
    count += numpy.bincount((shuffled * CARDS + column).ravel(), minlength=CARDS * CARDS)
print("%.4f" % ((time.process_time() - began) * 1e9 / (decks // BATCH * BATCH)))
