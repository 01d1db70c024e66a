# SPDX-License-Identifier: GPL-3.0-or-later
"""The structs and functions of the headers shufflebias/*.h, as ctypes needs them. tests/python/structs.py compares them with the
headers."""
from __future__ import annotations

import ctypes
from ctypes import (CFUNCTYPE, POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p)
from typing import Any, TypeVar

S = TypeVar("S", bound=ctypes.Structure)
Text = c_char_p
Address = c_void_p  # of a struct that the package does not look into, or of a callback that may be NULL

# sb_own_shuffle(items, n, size, state) and sb_drawn_shuffle(items, n, size, draws, state) return 0, or another value if they fail
OwnShuffle = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_void_p)
DrawnShuffle = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p)
# sb_progress(state, subject, done, total)
Progress = CFUNCTYPE(None, c_void_p, c_char_p, c_uint64, c_uint64)


class Error(ctypes.Structure):
    """struct sb_error"""
    _fields_ = [("status", c_int), ("field", c_char * 32), ("value", c_char * 96), ("text", c_char * 512)]


class Look(ctypes.Structure):
    """struct sb_look"""
    _fields_ = [("unicode", c_bool), ("colour", c_bool), ("figure", Text), ("columns", c_size_t)]


class Subject(ctypes.Structure):
    """struct sb_subject"""
    _fields_ = [
        ("scheme", Text), ("command", Address), ("file", Text), ("shuffle", OwnShuffle),
        ("n", c_size_t), ("deal", c_size_t),
        ("name", Text), ("state", Address), ("size", c_size_t),
        ("seed", c_uint64), ("draw", Text), ("rng", Text),
        ("input", Text), ("base", Text), ("cards", Text), ("free", c_bool),
        ("match", Text), ("json_path", Text), ("field", Text), ("separator", Text),
        ("chained", c_bool), ("timeout", c_double),
        ("overheard", Address), ("overheard_state", Address), ("group", POINTER(c_int)),
        ("cwd", Text), ("once", c_bool), ("title", Text), ("ordered", c_bool),
    ]


class GateOptions(ctypes.Structure):
    """struct sb_gate_options"""
    _fields_ = [
        ("alpha", c_double), ("delta", c_double), ("exclude", c_double), ("tolerate", c_double),
        ("limit", c_uint64), ("seeds", c_uint64), ("profile", Text), ("increments", c_bool),
        ("ledger", Text), ("key", Text), ("save", Text), ("checkpoint", c_double), ("saved", Address),
        ("stop", POINTER(c_int)), ("progress", Progress), ("progress_state", Address),
        ("bound", Address), ("bound_state", Address),
    ]


class Options(ctypes.Structure):
    """struct sb_options"""
    _fields_ = [
        ("n", c_size_t), ("deal", c_size_t), ("samples", c_uint64), ("seed", c_uint64), ("by", c_uint),
        ("seeds_first", c_uint64), ("seeds_count", c_uint64), ("threads", c_uint), ("counts", c_bool), ("alpha", c_double),
        ("statistics", Text), ("profile", Text), ("increments", c_bool), ("draw", Text), ("rng", Text),
        ("save", Text), ("checkpoint", c_double), ("shards", c_uint), ("shard", c_uint),
        ("stop", POINTER(c_int)), ("progress", Progress), ("progress_state", Address), ("ranks", Address),
        ("cards", Text), ("title", Text),
    ]


class Proof(ctypes.Structure):
    """struct sb_proof"""
    _fields_ = [
        ("n", c_size_t), ("cells", c_uint32), ("draws", c_uint32), ("paths", c_uint64), ("counts", c_bool),
        ("stop", POINTER(c_int)), ("progress", Progress), ("progress_state", Address),
        ("size", c_size_t), ("timeout", c_double),
        ("overheard", Address), ("overheard_state", Address), ("group", POINTER(c_int)),
    ]


# name: (result, arguments)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "sb_version": (Text, []),
    "sb_text_free": (None, [c_void_p]),
    "sb_gate_options_init": (None, [POINTER(GateOptions)]),
    "sb_options_init": (None, [POINTER(Options)]),
    "sb_proof_init": (None, [POINTER(Proof)]),
    "sb_gate_new": (c_int, [POINTER(Subject), POINTER(GateOptions), POINTER(Error), POINTER(Address)]),
    "sb_gate_free": (None, [Address]),
    "sb_reports_new": (c_int, [POINTER(Text), c_size_t, POINTER(Options), POINTER(Error), POINTER(Address)]),
    "sb_reports_observe": (c_int, [POINTER(Subject), POINTER(Options), POINTER(Error), POINTER(Address)]),
    "sb_reports_free": (None, [Address]),
    "sb_prove_callback": (c_int, [Text, DrawnShuffle, Address, POINTER(Proof), POINTER(Error), POINTER(Address)]),
    "sb_draws_below": (c_uint32, [Address, c_uint32]),
    "sb_draws_uniform": (c_double, [Address]),
    "sb_null_law_new": (c_int, [Text, c_size_t, POINTER(Options), POINTER(Error), POINTER(Address)]),
    "sb_null_law_free": (None, [Address]),
    "sb_dealer_new": (c_int, [Text, POINTER(Options), POINTER(Error), POINTER(Address)]),
    "sb_dealer_next": (c_int, [Address, POINTER(POINTER(c_uint32))]),
    "sb_dealer_free": (None, [Address]),
    # sb_..._text(result, format, look, error, text, length)
    **{name: (c_int, [Address, Text, POINTER(Look), POINTER(Error), POINTER(Address), POINTER(c_size_t)])
       for name in ("sb_gate_text", "sb_reports_text", "sb_null_law_text")},
}


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes the types of the functions. AttributeError: the library lacks one."""
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


def defaults(library: ctypes.CDLL, kind: type[S]) -> S:
    """A struct with the library's defaults in all fields: struct sb_NAME by sb_NAME_init()."""
    options = kind()
    name = {GateOptions: "gate_options", Options: "options", Proof: "proof"}[kind]
    getattr(library, f"sb_{name}_init")(options)
    return options
