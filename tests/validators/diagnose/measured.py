"""Reports with measurements that are made up."""

from __future__ import annotations

import random

from validators.diagnose.findings.finding import Diagnosis, Finding, Part


def report(
    findings: list[Finding] = (), *, failed: str = "", target: str = "model.py:example", **parts
) -> Diagnosis:
    """A report whose parts measured what `parts` says; the part `failed` has no result."""
    names = [*parts, *([failed] if failed else [])]
    return Diagnosis(
        target=target,
        torch="2.13.0",
        python="3.11.7",
        column="torch-2.13.0-cpu",
        calls=2,
        trains=False,
        findings=list(findings),
        parts=[
            Part(it, 1.0, "took longer than 3 s" if it == failed else "", parts.get(it, {}))
            for it in names
        ],
    )


def breaks(count: int = 0, again: int = 0, raised: dict | None = None, **others) -> dict:
    """What the part `breaks` measures of two calls."""
    return {
        "calls": 2,
        "graphs": 1 + count + again,
        "breaks": [{"count": count}] if count else [],
        "recompiles": [{"count": again}] if again else [],
        "limits": [],
        "eager_calls": [],
        "compiled_share": 1.0,
        "raised": raised,
        **others,
    }


def seconds(
    base: float, *, calls: int = 300, noise: float = 0.02, drift: float = 0.0, seed: int = 0
) -> list[float]:
    """Times of calls around `base`, whose last one takes `1 + drift` times as long."""
    chance = random.Random(seed)
    return [
        base * (1 + drift * at / calls) * (1 + abs(chance.gauss(0, noise))) for at in range(calls)
    ]


def gain(speedup: float, **options) -> dict:
    """What the part `gain` measures of calls that are `speedup` times as fast compiled."""
    return {
        "seconds": {
            "eager": seconds(0.01, seed=1, calls=options.get("calls", 300)),
            "again": seconds(0.01, seed=2, calls=options.get("calls", 300)),
            "compiled": seconds(0.01 / speedup, seed=3, **options),
        }
    }
