"""A catalog, environments and records of no machine, for what needs no worker."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.environment import Environment, Fingerprint
from validators.evidence import Record

PAGE = """---
claim: A claim.
kind: limitation
severity: low
devices: [{devices}]
{extra}
---
# {name}
"""


def environment(**changes: str) -> Environment:
    """An environment that no machine has, with `changes` to its fingerprint."""
    fields = dict.fromkeys(("git", "cuda", "triton", "accelerator", "driver", "compiler", "os"), "")
    fields |= {"torch": "2.13.0", "python": "3.11.7", "device": "cpu", "processor": "none"}
    mark = Fingerprint(**(fields | changes), variables={})
    return Environment("/nowhere/python", mark, frozenset({"torch"}))


@pytest.fixture
def catalog(tmp_path):
    """Three cases: one for both devices, one for CUDA only, one that needs triton."""
    area = tmp_path / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True)
    for name, devices, extra in (
        ("both", "cpu, cuda", 'holds: [{torch: ">=2.13,<2.15", device: cpu}]\naliases: [two]'),
        ("gpu_only", "cuda", ""),
        ("needs_triton", "cpu", "needs: [triton]"),
    ):
        page = PAGE.format(name=name, devices=devices, extra=extra)
        (area / f"{name}.md").write_text(page)
        (area / f"{name}.py").write_text("")
    return load_catalog(area.parent)


def record(env: Environment, verdict: str, case: str = "both") -> Record:
    """A record of `case` in `env`."""
    return Record(
        case=case,
        column=env.column,
        verdict=verdict,
        digest="",
        modules=(),
        fingerprint=env.fingerprint,
        isolation="fork",
        repeats=1,
    )
