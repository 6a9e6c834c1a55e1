"""A catalog of small cases whose proofs do the same in every release of the casebook."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

OBSERVING = """\
import torch

from validators.probes import observe


def run(device, *sizes):
    inputs = [(torch.ones(size, device=device),) for size in sizes]
    return observe(lambda x: x.sin() + x.cos(), inputs, backend="{backend}")


def symptom(device):
    return run(device, 4, 5)


def remedy(device):
    return run(device, 4, 4)


def shows(report):
    return len(report.recompiles) > 0
"""
SLEEPING = """\
import time

from validators.probes import captured_facts


def symptom(device):
    return captured_facts(slept=lambda: time.sleep({}) or True)


def remedy(device):
    return captured_facts(slept=lambda: time.sleep({}) or False)


def shows(report):
    return report.facts["slept"]
"""
_PAGE = """\
---
claim: Case {index} does what its proof says.
kind: limitation
severity: low
devices: [cpu]
uncompiled: a proof that sleeps compiles nothing
---

# Case {index}

## Symptom

Text.

## Why

Text.

## Remedy

Text.

## How to tell

Text.
"""


def write_small_cases(root: Path, proofs: Iterable[str]) -> Path:
    """Write a case for each proof, below `root`; return the catalog."""
    catalog = root / "playbooks" / "catalog"
    folder = catalog / "tooling"
    folder.mkdir(parents=True)
    for index, proof in enumerate(proofs):
        page = folder / f"case_{index:05}.md"
        page.write_text(_PAGE.format(index=index), encoding="utf-8")
        page.with_suffix(".py").write_text(proof, encoding="utf-8")
    return catalog
