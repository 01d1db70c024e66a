# SPDX-License-Identifier: GPL-3.0-or-later
"""What the calls return: the objects of the JSON formats, with the names of their schemas.

data/schema/gate-2.json, report-2.json and law-1.json explain each name; tests/python/schemas.py compares. What does not exist is
None. Exact integers and fractions are texts, such as "10" and "1/3", which int() and fractions.Fraction() read.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from .rendering import Rendered

Integers = tuple[int, ...]
Numbers = tuple[float, ...]
Texts = tuple[str, ...]


@dataclass(frozen=True)
class LooksLike:
    """The faulty shuffle of the catalogue that the permutations look like."""
    scheme: str
    form: str
    equivalent: Texts
    others: Texts
    sure: bool
    by: str


@dataclass(frozen=True)
class GateSubject:
    name: str
    kind: str
    chained: bool


@dataclass(frozen=True)
class GateTerms:
    alpha: float
    delta: float
    exclude: float
    tolerate: float
    limit: int
    seeds: Optional[int]


@dataclass(frozen=True)
class GateLedger:
    """The place of a run in the budget of a ledger."""
    file: str
    run: int
    share: int
    alpha: float
    delta: float
    carried: int
    decks: int


@dataclass(frozen=True)
class GateReport:
    """The counts of a report that the gate judged."""
    part: Optional[str]
    left_out: Texts


@dataclass(frozen=True)
class GateStatistic:
    statistic: str
    member: int
    increments: bool
    lag: int
    cells: int
    merged: bool
    weight: float
    ln_e: Optional[float]
    tv_low: Optional[float]
    tv_high: Optional[float]
    tv_seen: Optional[float]
    tv_fair: Optional[float]
    context: Optional[str]
    named: bool


@dataclass(frozen=True)
class GateCell:
    statistic: str
    member: int
    cell: int
    where: str
    count: int
    expected: float
    z: Optional[float]


@dataclass(frozen=True)
class GateLooks:
    """The state at each look: four tuples of the same length."""
    total: Integers
    ln_e: tuple[Optional[float], ...]
    tv_low: tuple[Optional[float], ...]
    tv_high: tuple[Optional[float], ...]


@dataclass(frozen=True)
class Gate(Rendered):
    """The findings of a gate on one shuffle. `verdict` is "pass", "fail" or "inconclusive", and `sentence` says it in words."""
    name: str
    verdict: str
    subject: GateSubject
    n: int
    deal: int
    terms: GateTerms
    ledger: Optional[GateLedger]
    report: Optional[GateReport]
    sentence: str
    always: Optional[str]
    looks_like: Optional[LooksLike]
    interrupted: bool
    total: int
    uncounted: int
    ln_e: Optional[float]
    tv_low: Optional[float]
    tv_high: Optional[float]
    tv_seen: Optional[float]
    tv_fair: Optional[float]
    whole: bool
    merged: bool
    jointly: bool
    needed: Optional[float]
    repeats: Optional[int]
    seeds_low: Optional[float]
    statistics: tuple[GateStatistic, ...]
    cells: tuple[GateCell, ...]
    looks: GateLooks
    counts: Optional[Integers]
    matrix: Optional[tuple[Integers, ...]]
    left_out: Optional[Texts] = None
    title: Optional[str] = None
    items: Optional[Texts] = None
    base: Optional[int] = None


@dataclass(frozen=True)
class ReportSubject:
    name: str
    title: Optional[str]
    shuffle: Optional[str]
    draw: Optional[str]
    rng: Optional[str]


@dataclass(frozen=True)
class ExactEvidence:
    by: str
    engine: Optional[str]
    denominator: Optional[str]
    error: Optional[float]
    unresolved: str
    paths: Optional[int]
    counts: Optional[Texts]


@dataclass(frozen=True)
class SampledEvidence:
    by: str
    total: int
    seed: Optional[int]
    rng: Optional[str]
    interrupted: bool
    counts: Optional[Integers]


@dataclass(frozen=True)
class SeedsEvidence:
    by: str
    rng: str
    first: int
    last: int
    seeds: int
    refused: int
    interrupted: bool
    reached: int
    reached_error: float
    reached_fair: float
    permutations: str
    log10_fraction: float
    most_often: Optional[int]
    least_often: Optional[int]
    counts: Optional[Integers]


@dataclass(frozen=True)
class Place:
    item: int
    position: int
    count: int
    share: Optional[float]
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    label: Optional[str] = None


@dataclass(frozen=True)
class Places:
    """The cells of a sampled matrix that are farthest from fair."""
    cells: int
    beyond: int
    farthest: tuple[Place, ...]


@dataclass(frozen=True)
class Effect:
    """How far from fair the law is."""
    total_variation: Optional[float]
    total_variation_low: Optional[float]
    total_variation_high: Optional[float]
    total_variation_exact: Optional[str]
    total_variation_fair: Optional[float]
    kl_bits: Optional[float]
    kl_bits_fair: Optional[float]
    chi2_per_sample: Optional[float]
    chi2_per_sample_fair: Optional[float]
    max_ratio: Optional[float]
    max_ratio_fair: Optional[float]
    min_ratio: Optional[float]
    min_ratio_fair: Optional[float]
    shuffles_to_see: Optional[float]
    most_likely: Optional[Texts]
    least_likely: Optional[Texts]


@dataclass(frozen=True)
class Permutation:
    permutation: str
    count: Union[int, str, None]
    share: Optional[float]
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    label: Optional[str] = None


@dataclass(frozen=True)
class Finding:
    """The result of one test."""
    statistic: str
    increments: bool
    test: str
    value: Optional[float]
    dof: Optional[float]
    p: Optional[float]
    ln_p: Optional[float]
    effect: Optional[float]
    effect_low: Optional[float]
    effect_high: Optional[float]
    reliable: bool
    context: Optional[str] = None
    lag: Optional[int] = None
    dependent: Optional[bool] = None


@dataclass(frozen=True)
class Repeats:
    decks: int
    repeats: int
    expected: Optional[float]


@dataclass(frozen=True)
class Report(Rendered):
    """A bias report. `verdict` is "uniform", "biased", "no bias seen" or "inconclusive". The type of `evidence` goes with
    evidence.by: "exact", "sample" or "seeds". In `matrix`, a row is an item and a column a position: counts, or exact
    probabilities as fractions or numbers."""
    subject: ReportSubject
    n: int
    deal: int
    evidence: Union[ExactEvidence, SampledEvidence, SeedsEvidence]
    matrix: Optional[tuple[tuple[Union[int, float, str, None], ...], ...]]
    places: Optional[Places]
    effect: Effect
    permutations: tuple[Permutation, ...]
    findings: tuple[Finding, ...]
    repeats: Optional[Repeats]
    alpha: float
    correction: Optional[str]
    warning: Optional[str]
    verdict: str
    sentence: Optional[str]
    always: Optional[str]
    looks_like: Optional[LooksLike]
    items: Optional[Texts] = None
    base: Optional[int] = None


@dataclass(frozen=True)
class Law(Rendered):
    """The law of a statistic of a fair shuffle: `cells`, `labels`, `p` and `ln_p` have the same length."""
    statistic: str
    title: str
    cite: str
    n: int
    deal: int
    member: int
    members: int
    obtained: str
    mean: Optional[float]
    variance: Optional[float]
    cells: Integers
    labels: Texts
    p: Numbers
    ln_p: Numbers
