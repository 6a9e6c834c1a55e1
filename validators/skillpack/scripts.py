"""The scripts of the pack: one program, and a copy of the modules that it needs.

Everything that torch's users have is enough to run it: Python 3.10 and torch.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from validators.files import ROOT
from validators.knowing.knowledge import knowledge_of
from validators.match.index import data_of
from validators.repository import Repository
from validators.silent.collection import load_known
from validators.skillpack.closure import closure
from validators.skillpack.pack import Pack

SHIPPED = ROOT / "validators" / "skillpack" / "shipped"
BUNDLE = "casebook"
PROGRAM = f"{BUNDLE}.py"
_LINE_BREAKS = 3
"""The levels of a JSON file that have a line for each member."""
_ENTRY = f'''"""Made by `python -m validators skills build`; do not edit. See --help."""

import sys
from pathlib import Path

if sys.version_info < (3, 10):
    sys.exit(f"Error: Python {{sys.version.split()[0]}} is too old; use 3.10 or newer")
sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parent / "{BUNDLE}")

from validators.skillpack.shipped.command import main  # noqa: E402

main()
'''


def files(repository: Repository, pack: Pack) -> dict[Path, bytes]:
    """The scripts of the pack, by their paths below the repository's root."""
    made: dict[Path, bytes] = {}
    for skill in pack.skills:
        if not skill.runtime:
            continue
        folder = Path("skills") / skill.name / "scripts"
        made[folder / PROGRAM] = _ENTRY.encode()
        for file in modules():
            made[folder / BUNDLE / file.relative_to(ROOT)] = file.read_bytes()
        data = folder / BUNDLE / "data"
        made[data / "knowledge.json"] = _knowledge(repository)
        made[data / "silent.json"] = _silent(repository)
    return made


def modules() -> list[Path]:
    """The files of this package that the program needs; workers import their parts by name."""
    rooms = ("inspector", "worker", "probes", "skillpack/shipped")
    starts = [file for room in rooms for file in (ROOT / "validators" / room).glob("*.py")]
    return closure([*starts, SHIPPED.parent / "__init__.py"])


def _knowledge(repository: Repository) -> bytes:
    """What the program knows of the cases."""
    known = knowledge_of(repository)
    cases = {name: known.find(name) for name in known.index.cases}
    return _lines({"index": data_of(known.index), "cases": cases}, _LINE_BREAKS).encode() + b"\n"


def _silent(repository: Repository) -> bytes:
    """What the program knows of silent errors."""
    return _lines([asdict(it) for it in load_known(repository.playbooks)], 1).encode() + b"\n"


def _lines(value: Any, depth: int) -> str:
    """JSON with a line for each member, down to `depth` levels.

    So a change of one case is a change of a few lines to git.
    """
    if depth and value and isinstance(value, dict):
        members = (f"{_lines(k, 0)}:{_lines(v, depth - 1)}" for k, v in value.items())
        return "{\n" + ",\n".join(members) + "\n}"
    if depth and value and isinstance(value, list | tuple):
        return "[\n" + ",\n".join(_lines(member, depth - 1) for member in value) + "\n]"
    return msgspec.json.encode(value).decode()
