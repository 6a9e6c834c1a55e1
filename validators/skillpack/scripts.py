"""The scripts of each skill: entry points, and a copy of those modules that they need.

Everything that torch's users have is enough to run them: Python 3.10 and torch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from validators.catalog import Case
from validators.files import ROOT
from validators.match.index import data_of
from validators.match.knowing import knowledge_of
from validators.match.knowledge import Knowledge
from validators.repository import Repository
from validators.runner.decide import program_of
from validators.runner.verdict import Allowed
from validators.skillpack.closure import closure
from validators.skillpack.pack import Pack, Skill

SHIPPED = ROOT / "validators" / "skillpack" / "shipped"
BUNDLE = "casebook"
_RUN_CODE = ("diagnose", "doctor", "verify_fix")
"""The scripts that start workers, which import their parts by name."""
_LINE_BREAKS = 3
"""The levels of a JSON file that have a line for each member."""
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
    if not any(skill.scripts for skill in pack.skills):
        return {}
    known = knowledge_of(repository)
    known_cases = {it: known.find(it) for it in known.index.cases}
    told = _json({"index": data_of(known.index), "cases": known_cases})
    seconds = _cpu_seconds(repository)
    made: dict[Path, bytes] = {}
    for skill in pack.skills:
        folder = Path("skills") / skill.name / "scripts"
        for name in skill.scripts:
            made[folder / f"{name}.py"] = _ENTRY.format(bundle=BUNDLE, name=name).encode()
        bundle = folder / BUNDLE
        cases = _decided_by(repository, pack, skill) if "doctor" in skill.scripts else []
        for file in _modules(skill, cases):
            made[bundle / file.relative_to(ROOT)] = file.read_bytes()
        for case in cases:
            made[bundle / _place(case)] = case.proof.read_bytes()
        if {"match", "diagnose"} & {*skill.scripts}:
            made[bundle / "data" / "knowledge.json"] = told
        if "doctor" in skill.scripts:
            claims = [_claim(it, skill, known, seconds) for it in cases]
            made[bundle / "data" / "claims.json"] = _json({"claims": claims})
    return made


def _modules(skill: Skill, cases: list[Case]) -> list[Path]:
    """The files of this package that the skill's scripts need."""
    if not skill.scripts:
        return []
    starts = [SHIPPED / f"{name}.py" for name in (*skill.scripts, "command")]
    starts += [SHIPPED / "__init__.py", SHIPPED.parent / "__init__.py"]
    if {*_RUN_CODE} & {*skill.scripts}:
        starts += [it for room in ("worker", "probes") for it in _room(room)]
    proofs = [it.proof for it in cases]
    return [it for it in closure([*starts, *proofs]) if it not in proofs]


def _room(name: str) -> list[Path]:
    return sorted((ROOT / "validators" / name).glob("*.py"))


def _decided_by(repository: Repository, pack: Pack, skill: Skill) -> list[Case]:
    """The cases that the skill's references hold and that are still run."""
    return [it for it in pack.cases_of(skill, repository.catalog) if not it.retired]


def _place(case: Case) -> Path:
    return Path("catalog") / case.area / case.proof.name


def _cpu_seconds(repository: Repository) -> dict[str, int]:
    """The most that the arms of each case have cost on a column."""
    found: dict[str, int] = defaultdict(int)
    for (name, _), record in repository.evidence.items():
        found[name] = max(found[name], record.cpu_seconds)
    return found


def _claim(
    case: Case, skill: Skill, known: Knowledge, seconds: Mapping[str, int]
) -> dict[str, Any]:
    """A case as `shipped.claims.Claim` reads it."""
    program: dict[str, Any] = vars(program_of(case)) | {"proof": str(_place(case))}
    leaves, about = case.meta.leaves, known.find(case.name)
    return {
        "name": case.name,
        "title": case.title,
        "cited": case.name in skill.cases,
        "devices": case.meta.devices,
        "needs": case.meta.needs,
        "gpu_memory": case.meta.gpu_memory,
        "cpu_seconds": seconds.get(case.name, 0),
        "program": program,
        "leaves": vars(Allowed()) if leaves is None else msgspec.to_builtins(leaves),
        "decided": about.answer.decided if about else {},
    }


def _json(value: Any) -> bytes:
    """JSON in many lines, so that a change of one case is a change of a few lines to git."""
    return _lines(value, _LINE_BREAKS).encode() + b"\n"


def _lines(value: Any, depth: int) -> str:
    """JSON with a line for each member, down to `depth` levels."""
    if depth and value and isinstance(value, dict):
        members = (f"{_lines(k, 0)}:{_lines(v, depth - 1)}" for k, v in value.items())
        return "{\n" + ",\n".join(members) + "\n}"
    if depth and value and isinstance(value, list | tuple):
        return "[\n" + ",\n".join(_lines(it, depth - 1) for it in value) + "\n]"
    return msgspec.json.encode(value).decode()
