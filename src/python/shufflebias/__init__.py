# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells whether a shuffle is fair, how far from fair it is, and how certain the answer is.

    import random
    from shufflebias import assert_fair

    def test_shuffle():
        assert_fair(random.shuffle)

The package calls the library libshufflebias. docs/python.md explains each function.
"""
from .calls import FairnessError, assert_fair, deal, gate, law, prove, report, version
from .library import ShufflebiasError, SubjectError
from .results import Gate, Law, Report

__all__ = [
    "FairnessError", "Gate", "Law", "Report", "ShufflebiasError", "SubjectError", "assert_fair", "deal", "gate", "law", "prove",
    "report", "version",
]

for public in (FairnessError, ShufflebiasError, SubjectError):
    public.__module__ = __name__  # as messages name them
