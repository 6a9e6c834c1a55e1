"""The claims of a skill, as its bundle holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.files import ROOT
from validators.runner.arms import Program
from validators.runner.verdict import Allowed


@dataclass(frozen=True)
class Claim:
    """A case of the skill's references: its program, what that needs, and what it decided before.

    `cited` says that SKILL.md names it. `decided` has the verdicts by column, `cpu_seconds` what
    both arms cost when they were recorded.
    """

    name: str
    title: str
    cited: bool
    devices: list[str]
    needs: list[str]
    gpu_memory: int
    cpu_seconds: int
    program: Program
    leaves: Allowed
    decided: Mapping[str, str]


def claim_from(data: dict[str, Any]) -> Claim:
    """A claim that was written as JSON; its proof is a file of the bundle."""
    program = Program(**{**data["program"], "proof": ROOT / data["program"]["proof"]})
    return Claim(**{**data, "program": program, "leaves": Allowed(**data["leaves"])})


def roots() -> list[Path]:
    """The folders whose modules count as the claims' own code."""
    return [ROOT / "validators" / "probes", ROOT / "reference_models", ROOT / "catalog"]
