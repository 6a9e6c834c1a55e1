"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """The sizes of a run of the benchmarks."""

    cases: int = 700
    columns: int = 8
    growth: tuple[int, ...] = (100, 400, 700, 1100, 1500)
    rounds: int = 10
    arms: int = 60
    sleeping_cases: int = 100
    cluster_arms: int = 10_000
    printed_mb: int = 200
    areas: tuple[str, ...] = ()
    quick: bool = False


FULL = Size()
QUICK = Size(
    cases=30,
    growth=(10, 20),
    rounds=2,
    arms=4,
    sleeping_cases=5,
    cluster_arms=40,
    printed_mb=5,
    areas=("tooling",),
    quick=True,
)
