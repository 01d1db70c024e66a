#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A peer of speed.py: decks of 52 from NumPy's permuted(), counted by bincount().

Usage: numpy_decks.py DECKS. Exit status 77 if NumPy (apt-get install python3-numpy) is missing.
"""
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)

CARDS, BATCH = 52, 10000
rng = numpy.random.default_rng(1)
ordered = numpy.tile(numpy.arange(CARDS, dtype=numpy.uint16), (BATCH, 1))
column = numpy.arange(CARDS)
count = numpy.zeros(CARDS * CARDS, dtype=numpy.int64)
for batch in range(int(sys.argv[1]) // BATCH):
    count += numpy.bincount((rng.permuted(ordered, axis=1) * CARDS + column).ravel(), minlength=CARDS * CARDS)
