# SPDX-License-Identifier: GPL-3.0-or-later
"""The plug-in for pytest: tests that are shuffles.

    @pytest.mark.fair_shuffle(n=5, max_bias=0.02)
    def test_shuffle(deck):
        random.shuffle(deck)

The plug-in calls such a test with one deck after another, until it is known whether the test is a fair shuffle. A test may also ask
for the fixture `fair_shuffle`, and call fair_shuffle(random.shuffle, n=5). All runs share the ledger in pytest's cache.
"""
from __future__ import annotations

import argparse
import re
import unittest
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import pytest

from .calls import FairnessError, gate, message_of
from .library import Request, ShufflebiasError, integer
from .results import Gate
from .shuffle import Function, count_of, name_of

MARKER = "fair_shuffle(n=5, max_bias=0.02, ...): the test is a shuffle of the list `deck`, which a gate tests; " \
         "the arguments are those of shufflebias.gate()"
NAME_MOST = 200  # bytes: file systems allow 255
VERDICT, TOTAL = "shufflebias.verdict", "shufflebias.permutations"  # properties of a test


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give 1 or more")
    return number


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("shufflebias", "tests of shuffles")
    group.addoption("--shufflebias-samples", type=positive, metavar="N",
                    help="test at most N permutations per shuffle; a test without a verdict is then skipped, and does not fail")
    group.addoption("--shufflebias-pages", type=Path, metavar="FOLDER",
                    help="write a page of HTML for each shuffle that does not pass to FOLDER; the default is pytest's cache")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)


def cache_folder(config: pytest.Config) -> Optional[Path]:
    """The folder of shufflebias in pytest's cache; None if pytest runs without the cache."""
    cache: Optional[pytest.Cache] = getattr(config, "cache", None)
    return Path(cache.mkdir("shufflebias")) if cache else None


def ledger_of(config: pytest.Config, options: dict[str, Any]) -> Optional[Path]:
    """The ledger of all tests with these alpha and delta."""
    folder = cache_folder(config)
    terms = "".join(f"-{name}-{options[name]!r}" for name in ("alpha", "delta") if options.get(name) is not None)
    return folder / f"ledger{terms}.json" if folder else None


def page_of(item: pytest.Item) -> Optional[Path]:
    """Where the page of a test belongs that does not pass."""
    folder: Optional[Path] = item.config.getoption("--shufflebias-pages") or cache_folder(item.config)
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", item.nodeid)
    if "[" in item.nodeid or len(name.encode()) > NAME_MOST:  # values of parameters may differ only in other characters
        name = name.encode()[:NAME_MOST].decode(errors="ignore") + f"-{zlib.crc32(item.nodeid.encode()):08x}"
    return folder / f"{name}.html"


def judge(item: pytest.Item, shuffle: Function, options: dict[str, Any]) -> Gate:
    """Gates a shuffle for a test. The test fails unless the shuffle passes."""
    __tracebackhide__ = True
    samples = item.config.getoption("--shufflebias-samples")
    all_options: dict[str, Any] = {"ledger": ledger_of(item.config, options), **options}
    if options.get("limit") is None:
        all_options["limit"] = Request("gate", {}).number("limit")
    shortened = samples and samples < integer("limit", all_options["limit"])
    if shortened:
        all_options["limit"] = samples
    found = gate(shuffle, **all_options)
    item.user_properties += [(VERDICT, found.verdict), (TOTAL, found.total)]
    if found.verdict == "pass":
        return found
    if found.verdict == "inconclusive" and shortened:
        pytest.skip(found.sentence)
    message, page = message_of(found), page_of(item)
    if page:
        page.write_text(found.render("html"), encoding="utf-8")
        message += f"\n\nPage: {page}"
    raise FairnessError(message, found)


def usage_error(item: pytest.Function, marker: pytest.Mark) -> Optional[str]:
    """What is wrong with the use of the marker; None if nothing is."""
    if marker.args:
        return "@pytest.mark.fair_shuffle: name the arguments: fair_shuffle(n=5)"
    if item.cls and issubclass(item.cls, unittest.TestCase):  # pytest calls such a method once, without the list
        return f"@pytest.mark.fair_shuffle: {item.name} is a method of a unittest.TestCase: call shufflebias.assert_fair() in it"
    if "deck" not in item._fixtureinfo.argnames:
        return f"@pytest.mark.fair_shuffle: {item.name} has no argument `deck`: the test gets the list to shuffle by this name"
    return None


@pytest.hookimpl(tryfirst=True)  # type: ignore[misc]
def pytest_runtest_call(item: pytest.Item) -> None:
    """Errors in the use of the marker, also of tests that pytest_pyfunc_call() does not run."""
    marker = item.get_closest_marker("fair_shuffle")
    message = usage_error(item, marker) if marker and isinstance(item, pytest.Function) else None
    if message:
        pytest.fail(message, pytrace=False)


@pytest.hookimpl(tryfirst=True)  # type: ignore[misc]
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Optional[bool]:
    """Runs a test with the marker: the test itself is the shuffle."""
    __tracebackhide__ = True
    marker = pyfuncitem.get_closest_marker("fair_shuffle")
    if marker is None:
        return None
    try:
        judge(pyfuncitem, shuffle_of(pyfuncitem), options_of(pyfuncitem, marker))
        return True
    except (FairnessError, ShufflebiasError) as error:
        failure = error
    if isinstance(failure.__cause__, Exception):  # what the test raised
        raise failure.__cause__
    pytest.fail(str(failure), pytrace=False)


def shuffle_of(item: pytest.Function) -> Function:
    """The test as a shuffle: all other arguments stay the same."""
    arguments: dict[str, Any] = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    test: Function = item.obj

    def shuffle(deck: list[Any]) -> Any:
        __tracebackhide__ = True
        return test(**{**arguments, "deck": deck})
    return shuffle


def options_of(item: pytest.Function, marker: pytest.Mark) -> dict[str, Any]:
    """The options of the marker, with the items of the deck, which a fixture of the project may have made."""
    funcargs: dict[str, Any] = item.funcargs
    items = list(funcargs["deck"])
    size: dict[str, Any] = {"n": len(items)} if items == list(range(len(items))) else {"items": items}
    return {"name": item.name, **marker.kwargs, **size}


@pytest.fixture
def deck(request: pytest.FixtureRequest) -> list[Any]:
    """The numbers 0 to n-1, or the items, for a test with @pytest.mark.fair_shuffle(n=...)."""
    marker = request.node.get_closest_marker("fair_shuffle")
    if marker is None:
        pytest.fail("the fixture `deck` belongs to tests with @pytest.mark.fair_shuffle(n=...)", pytrace=False)
    items = marker.kwargs.get("items")
    try:
        return list(range(count_of(marker.kwargs.get("n"), items, 5)) if items is None else items)
    except ShufflebiasError as error:
        message = str(error)
    pytest.fail(f"@pytest.mark.fair_shuffle: {message}", pytrace=False)


@pytest.fixture
def fair_shuffle(request: pytest.FixtureRequest) -> Callable[..., Gate]:
    """fair_shuffle(shuffle, n=5, max_bias=0.02, ...) fails the test unless the shuffle passes a gate."""
    def assert_fair(shuffle: Function, n: Optional[int] = None, max_bias: Optional[float] = None, **options: Any) -> Gate:
        __tracebackhide__ = True
        return judge(request.node, shuffle, {"n": n, "max_bias": max_bias, **options})
    return assert_fair


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line about all shuffles of the run."""
    properties = [found for reports in terminalreporter.stats.values() for report in reports
                  if getattr(report, "when", None) == "call" for found in report.user_properties]
    verdicts = [value for name, value in properties if name == VERDICT]
    total = sum(value for name, value in properties if name == TOTAL)
    if verdicts:
        counts = ", ".join(f"{verdicts.count(verdict)} {word}" for verdict, word in (
            ("pass", "fair"), ("fail", "not fair"), ("inconclusive", "inconclusive")) if verdict in verdicts)
        terminalreporter.write_line(f"shufflebias: {counts}, from {total:,} permutations")
