"""The arrows between the rooms, and no circle of modules, read from the imports of every file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

import pytest

from validators.catalog.proof import Import, imports
from validators.files import ROOT

OURS = ("docsite", "reference_models", "validators")
ROOMS = {
    "playbooks/catalog": ["reference_models", "validators.probes", "torch", "ANY"],
    "playbooks/silent": ["torch", "numpy", "triton"],
    "reference_models/real": ["torch", "ANY"],
    "reference_models": ["reference_models", "torch"],
    "site/docsite": [
        "docsite",
        "validators.catalog",
        "validators.collected",
        "validators.environment.column_name",
        "validators.errors",
        "validators.evidence",
        "validators.families",
        "validators.files",
        "validators.probes.report",
        "validators.published",
        "validators.repository",
        "validators.schemas",
        "validators.verdicts",
        "validators.waiting",
        "ANY",
    ],
    "strategies": ["torch"],
    "validators/interpreted": [
        "validators.interpreted",
        "validators.pretended",
        "validators.probes",
        "validators.inspector",
        "validators.worker",
        "torch",
        "triton",
        "numpy",
    ],
    "validators/pretended": [
        "validators.pretended",
        "validators.probes",
        "validators.inspector",
        "validators.worker",
        "torch",
        "triton",
    ],
    "validators/inspector": [
        "validators.inspector",
        "validators.probes",
        "validators.worker",
        "torch",
    ],
    "validators/probes": ["validators.probes", "torch", "triton"],
    "validators/worker": ["validators.probes", "validators.worker", "torch"],
    "validators": ["validators", "ANY"],
}
"""What the files of each folder may import beyond the standard library; the first fit counts.

ANY stands for every package but torch and our own.
"""
EVIDENCE = ("pretended", "probes", "worker")
"""Rooms of which no byte changes without a reason: records are current for their digests."""
PACKAGES = ("benchmarks", "reference_models", "site/docsite", "strategies", "validators")
"""The folders whose modules may not import each other in a circle."""


def violations(root: Path) -> Iterator[str]:
    """Each import under `root` against an arrow, as `path:line: module`."""
    for room, files in files_by_room(root).items():
        for file in files:
            for line, module in imported(file):
                if not allowed(module, ROOMS[room]):
                    yield f"{file.relative_to(root)}:{line}: {module}"


def files_by_room(root: Path) -> dict[str, list[Path]]:
    """The Python files of each room; a room inside another is not part of it."""
    found: dict[str, list[Path]] = {}
    for room in ROOMS:
        taken = {file for files in found.values() for file in files}
        found[room] = sorted(set((root / room).rglob("*.py")) - taken)
    return found


@cache
def imports_of(file: Path) -> tuple[Import, ...]:
    """What a file imports, read once for all tests."""
    return tuple(imports(ast.parse(file.read_text(encoding="utf-8"))))


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, by statement or by `import_module("...")`."""
    for found in imports_of(file):
        yield found.line, found.module
        # `from validators import probes` imports validators.probes.
        if found.module in OURS:
            yield from ((found.line, f"{found.module}.{name}") for name in found.names)


def allowed(module: str, arrows: list[str]) -> bool:
    """Whether the arrows of a room lead to `module`; a relative import leads nowhere."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    if any(f"{module}.".startswith(f"{arrow}.") for arrow in arrows):
        return True
    return "ANY" in arrows and top not in {*OURS, "torch", ""}


def circles(root: Path) -> list[list[str]]:
    """The groups of modules that reach each other; an import in a function counts as any other.

    What `import a.b` runs of the package `a` does not count: a package may gather the names of
    its modules, and those may import each other.
    """
    return circles_of(imports_by_module(root))


def arrows_of_rooms(root: Path) -> dict[str, set[str]]:
    """Each folder of a package, and which others it imports.

    What lies in a package itself, and not in a folder of it, is used by all rooms or uses them all.
    """
    modules = imports_by_module(root)
    rooms = {name: room_of(name, modules) for name in modules}
    packages = {Path(package).name for package in PACKAGES}
    arrows: dict[str, set[str]] = {room: set() for room in rooms.values()}
    for name, others in modules.items():
        arrows[rooms[name]] |= {rooms[other] for other in others} - {rooms[name]} - packages
    return {room: to for room, to in arrows.items() if room not in packages}


def rooms_named(room: str, imported: Set[str]) -> str:
    """How a room says what it imports: rooms within the same one by their whole names."""
    own = room.split(".")[1]
    paths = [other.split(".")[1:] for other in imported]
    names = {".".join(path if path[0] == own else path[:1]) for path in paths}
    return ", ".join(sorted(names)) or "no other room"


def room_of(module: str, modules: Mapping[str, object]) -> str:
    """The folder that holds a module; a package lies in itself."""
    holds_others = any(other.startswith(f"{module}.") for other in modules)
    return module if holds_others else module.rpartition(".")[0] or module


def circles_of(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of names that reach each other."""
    reached = {name: reachable(name, arrows) for name in arrows}
    groups = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in arrows
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def imports_by_module(root: Path) -> dict[str, set[str]]:
    """Each module of our packages under `root`, and which of them it imports."""
    files = {
        module_name(file, (root / package).parent): file
        for package in PACKAGES
        for file in (root / package).rglob("*.py")
    }
    return {name: set(modules_imported(file, files.keys())) for name, file in files.items()}


def module_name(file: Path, base: Path) -> str:
    """The dotted name of a file below `base`; a package is its `__init__.py`."""
    parts = file.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules_imported(file: Path, known: Set[str]) -> Iterator[str]:
    """Which of the known modules a file imports, as a module or for a name that it defines."""
    for found in imports_of(file):
        submodules = {f"{found.module}.{name}" for name in found.names} & known
        yield from submodules
        if found.module in known and len(submodules) < max(len(found.names), 1):
            yield found.module


def reachable(name: str, arrows: dict[str, set[str]]) -> set[str]:
    """The modules that imports lead to from `name`; itself only where it is on a circle."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        new = arrows[ahead.pop()] - seen
        seen |= new
        ahead.extend(new)
    return seen


def test_every_room_has_files():
    """A reader that found nothing would find nothing wrong."""
    assert all(files_by_room(ROOT).values())
    assert sum(map(len, files_by_room(ROOT).values())) > 50


def test_no_import_goes_against_an_arrow():
    """Every import of the repository is allowed where it stands."""
    assert list(violations(ROOT)) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("reference_models/one.py", "from validators.probes import observe"),
        ("reference_models/one.py", "import numpy"),
        ("validators/probes/one.py", "import msgspec"),
        ("validators/probes/one.py", "from validators.catalog import Case"),
        ("validators/probes/one.py", "from validators import catalog"),
        ("validators/worker/deep/one.py", "import yaml"),
        ("validators/worker/one.py", "from validators.runner import plan"),
        ("validators/one.py", "import torch"),
        ("validators/runner/one.py", "from torch import nn"),
        ("validators/catalog/one.py", "def f():\n    import torch._dynamo"),
        ("validators/cli/one.py", "importlib.import_module('torch')"),
        ("validators/cli/one.py", "import docsite.build"),
        ("validators/cli/one.py", "import reference_models"),
        ("validators/cli/one.py", "from . import two"),
        ("site/docsite/one.py", "from validators.runner import run"),
        ("site/docsite/one.py", "import validators.environment"),
        ("site/docsite/one.py", "import torch"),
        ("playbooks/catalog/guards/one.py", "from validators.evidence import Record"),
        ("playbooks/catalog/guards/one.py", "import docsite"),
    ],
)
def test_a_planted_violation_is_found(tmp_path, path, line):
    """Each arrow is seen to hold: one import against it is one violation."""
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(f"import os\n{line}\n")
    found = list(violations(tmp_path))
    assert found
    assert all(place.startswith(f"{path}:") for place in found)


def test_what_looks_like_a_violation_and_is_none(tmp_path):
    """A name that merely begins like another's, and torch where it belongs."""
    for path, line in {
        "validators/probes/one.py": "import torch._dynamo\nfrom validators.probes import report",
        "validators/one.py": "import torchvision_like, yaml\nfrom validators import errors",
        "playbooks/catalog/guards/one.py": "import triton\nfrom reference_models.vlm import VLM",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(line)
    assert list(violations(tmp_path)) == []


def test_no_module_is_on_a_circle():
    """The modules of a package can be read in an order in which each needs only earlier ones."""
    assert len(imports_by_module(ROOT)) > 100
    assert circles(ROOT) == []


def test_no_room_is_on_a_circle():
    """A reader of one room follows arrows in one direction."""
    assert circles_of(arrows_of_rooms(ROOT)) == []


def test_each_room_says_what_it_imports():
    """A reader sees at its door what goes in, what comes out, and on what it rests."""
    for room, imported in arrows_of_rooms(ROOT).items():
        package, *path = room.split(".")
        if package != "validators" or path[0] in EVIDENCE:
            continue
        door = ROOT.joinpath(package, *path, "__init__.py").read_text(encoding="utf-8")
        text = " ".join((ast.get_docstring(ast.parse(door)) or "").split())
        assert " In: " in text and " Out: " in text, room
        assert text.endswith(f"Imports: {rooms_named(room, imported)}."), room


def test_a_planted_circle_of_rooms_is_found(tmp_path):
    """Its modules are on no circle: each room has one that imports and one that is imported."""
    files = {
        "validators/one/above.py": "from validators.two.below import b",
        "validators/one/below.py": "",
        "validators/two/above.py": "import validators.one.below",
        "validators/two/below.py": "import validators.all",
        "validators/all.py": "import validators.two.above",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert circles_of(arrows_of_rooms(tmp_path)) == [["validators.one", "validators.two"]]


def test_planted_circles_are_found(tmp_path):
    """Through function bodies and names of a package; a module's own package is no circle."""
    for path, text in {
        "validators/__init__.py": "",
        "validators/one.py": "from validators.two import f",
        "validators/two.py": "def f():\n    from validators import three",
        "validators/three.py": "import validators.one",
        "validators/above.py": "import validators.one, torch",
        "site/docsite/__init__.py": "from docsite.page import Page",
        "site/docsite/page.py": "from docsite.words import plural\nfrom validators import one",
        "site/docsite/words.py": "import re",
        "benchmarks/__init__.py": "from benchmarks.run import run",
        "benchmarks/run.py": "from benchmarks import run_all",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert circles(tmp_path) == [
        ["benchmarks", "benchmarks.run"],
        ["validators.one", "validators.three", "validators.two"],
    ]


def test_torch_stays_unimported():
    """Importing every module outside the probes and the worker brings no torch at second hand."""
    files = [*files_by_room(ROOT)["validators"], ROOT / "validators/probes/__init__.py"]
    names = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in files
        if file.name != "__main__.py"
    ]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    code += "; sys.exit('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *names], cwd=ROOT, timeout=60)
    assert done.returncode == 0
