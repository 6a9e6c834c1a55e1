"""Samples that every machine draws alike: names and a seed decide them, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def sampled(names: Iterable[str], most: int, seed: str) -> set[str]:
    """At most `most` of the names; another seed chooses others."""
    return {*sorted(names, key=lambda it: number_of(f"{seed}\n{it}"))[:most]}


def number_of(text: str) -> int:
    """A number that every machine draws alike for a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
