"""The scripts of each skill: entry points, and a copy of those modules that they need.

Everything that torch's users have is enough to run them: Python 3.10 and torch.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from validators.catalog import Case
from validators.files import ROOT
from validators.match.knowing import knowledge_of
from validators.repository import Repository
from validators.runner.decide import program_of
from validators.runner.verdict import Allowed
from validators.skillpack.closure import closure
from validators.skillpack.pack import Pack, Skill
from validators.verdicts import DECIDED

SHIPPED = ROOT / "validators" / "skillpack" / "shipped"
BUNDLE = "casebook"
_RUN_CODE = ("diagnose", "doctor", "verify_fix")
"""The scripts that start workers, which import their parts by name."""
_ENTRY = '''"""Made by `python -m validators skills build`; do not edit. See --help."""

import sys
from pathlib import Path

if sys.version_info < (3, 10):
    sys.exit(f"Error: Python {{sys.version.split()[0]}} is too old; use 3.10 or newer")
sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parent / "{bundle}")

from validators.skillpack.shipped import {name}  # noqa: E402
from validators.skillpack.shipped.command import run  # noqa: E402

run({name}.main)
'''


def files(repository: Repository, pack: Pack) -> dict[Path, bytes]:
    """The scripts of every skill, by their paths below the repository's root."""
    made: dict[Path, bytes] = {}
    knowing = cache(lambda: _json(_knowledge(repository)))
    for skill in pack.skills:
        folder = Path("skills") / skill.name / "scripts"
        for name in skill.scripts:
            made[folder / f"{name}.py"] = _ENTRY.format(bundle=BUNDLE, name=name).encode()
        bundle = folder / BUNDLE
        claims = _claims(repository, pack, skill) if "doctor" in skill.scripts else []
        for file in _modules(skill, claims):
            made[bundle / file.relative_to(ROOT)] = file.read_bytes()
        for case in claims:
            made[bundle / _place(case)] = case.proof.read_bytes()
        if {"match", "diagnose"} & {*skill.scripts}:
            made[bundle / "data" / "knowledge.json"] = knowing()
        if "doctor" in skill.scripts:
            told = {"claims": [_claim(repository, it, skill) for it in claims]}
            made[bundle / "data" / "claims.json"] = _json(told)
    return made


def _modules(skill: Skill, claims: list[Case]) -> list[Path]:
    """The files of this package that the skill's scripts need."""
    if not skill.scripts:
        return []
    starts = [SHIPPED / f"{name}.py" for name in (*skill.scripts, "command")]
    starts += [SHIPPED / "__init__.py", SHIPPED.parent / "__init__.py"]
    if {*_RUN_CODE} & {*skill.scripts}:
        starts += [it for room in ("worker", "probes") for it in _room(room)]
    proofs = [it.proof for it in claims]
    return [it for it in closure([*starts, *proofs]) if it not in proofs]


def _room(name: str) -> list[Path]:
    return sorted((ROOT / "validators" / name).glob("*.py"))


def _claims(repository: Repository, pack: Pack, skill: Skill) -> list[Case]:
    """The cases that the skill's references hold and that are still run."""
    return [it for it in pack.cases_of(skill, repository.catalog) if not it.retired]


def _place(case: Case) -> Path:
    return Path("catalog") / case.area / case.proof.name


def _claim(repository: Repository, case: Case, skill: Skill) -> dict[str, Any]:
    """A case as `shipped.claims.Claim` reads it."""
    program: dict[str, Any] = vars(program_of(case)) | {"proof": str(_place(case))}
    records = [it for (name, _), it in repository.evidence.items() if name == case.name]
    leaves = case.meta.leaves
    states = repository.states_of(case).items()
    return {
        "name": case.name,
        "title": case.title,
        "cited": case.name in skill.cases,
        "devices": case.meta.devices,
        "needs": case.meta.needs,
        "gpu_memory": case.meta.gpu_memory,
        "cpu_seconds": max((it.cpu_seconds for it in records), default=0),
        "program": program,
        "leaves": vars(Allowed()) if leaves is None else msgspec.to_builtins(leaves),
        "decided": {column: it for column, it in sorted(states) if it in DECIDED},
    }


def _knowledge(repository: Repository) -> dict[str, Any]:
    """What `validators.match.knowledge.knowledge_from` reads."""
    known = knowledge_of(repository)
    cases = {name: known.find(name) for name in known.index.cases}
    return {"index": known.index, "cases": cases}


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"
