"""Helpers that the tests of several rooms share."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import settings

from tests.corpus import MODEL, Corpus
from tests.shared_workers import SharedWorkers
from validators.catalog import Case
from validators.environment import Fingerprint
from validators.evidence import Record, Reports, digest_of
from validators.evidence.digests.digest import judge_of
from validators.files import ROOT
from validators.knowing.knowledge import knowledge_of
from validators.match.knowledge import Knowledge
from validators.repository import Repository

# Shared machines are slow at times; that is no defect of what is tested. Every run tries the same
# examples; `pytest --hypothesis-profile=search` tries others, and more.
settings.register_profile(
    "casebook", deadline=None, derandomize=True, database=None, max_examples=30
)
settings.register_profile("search", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile("casebook")


LEFT_OUT = ("slow", "browser", "matrix", "cuda", "channels", "tasks", "whole")
"""Marks of tests that run only with --all, or where `-m` names one; a smoke test always runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what takes in all tests."""
    parser.addoption("--all", action="store_true", help="also run what takes long or needs much")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless `--all` or `-m` asks for it.

    An `-m` in `addopts` would be lost to any other.
    """
    if config.option.all:
        return
    named = {mark for mark in LEFT_OUT if mark in config.option.markexpr}
    left_out = []
    for item in items:
        marks = {mark for mark in LEFT_OUT if item.get_closest_marker(mark)}
        if marks and not marks & named and not item.get_closest_marker("smoke"):
            left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


TESTS = Path(__file__).parent
PROBES = TESTS / "validators" / "probes"
WITHOUT_TORCH = ("test_report.py", "test_told.py")
"""What tests the probes and imports no torch."""
INSPECTOR = TESTS / "validators" / "inspector"
WITH_TORCH = (
    "test_answers.py",
    "test_comparison.py",
    "test_held.py",
    "test_made_up.py",
    "test_opened.py",
    "test_own_settings.py",
    "test_plain.py",
    "test_replay.py",
    "test_rounding.py",
    "test_shapes.py",
    "test_turns.py",
    "test_work.py",
)
"""What tests the inspector and imports torch."""


def imports_torch(path: Path) -> bool:
    """Whether a file of tests, or a folder with its `conftest.py`, imports torch."""
    if any(path.is_relative_to(TESTS / it) for it in ("reference_models", "strategies")):
        return True
    if path.is_relative_to(INSPECTOR):
        return path.name in WITH_TORCH
    return path.parent == PROBES and path.name not in WITHOUT_TORCH


def without_torch(config: pytest.Config) -> bool:
    """Whether `-m` leaves out what imports torch."""
    return "not torch" in config.option.markexpr


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave such files unread where their tests are left out: the import costs seconds."""
    return (without_torch(config) and imports_torch(collection_path)) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of such files."""
    if imports_torch(item.path):
        item.add_marker("torch")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Stop at the first test that imports torch although `-m` leaves that out."""
    if without_torch(item.config) and "torch" in sys.modules:
        told = f"{item.nodeid}, or what was read before it, imports torch"
        sentence = f"{told}; have imports_torch in tests/conftest.py say so"
        pytest.exit(sentence, returncode=1)


HEADER = {
    "claim": "In the default configuration, a Python `if` on a tensor breaks the graph.",
    "kind": "limitation",
    "severity": "medium",
    "devices": ["cpu", "cuda"],
    "summary": "A Python `if` on a tensor breaks the graph.",
    "fix": "Write `torch.where` in its place.",
}
BODY = """\
# A branch on a tensor

## Symptom

What the user sees.

## Why

The mechanism.

## Remedy

What makes it go away.

## How to tell

The line in the log.
"""
PROOF = """\
import torch

from validators.probes import observe


def symptom(device):
    return observe(torch.sin, [(torch.ones(4, device=device),)])


def remedy(device):
    return observe(torch.cos, [(torch.ones(4, device=device),)])


def shows(report):
    return len(report.graph_breaks) > 0
"""
FINGERPRINT = Fingerprint(
    torch="2.13.0+cpu",
    git="",
    cuda="",
    python="3.12.4",
    triton="",
    device="cpu",
    accelerator="",
    driver="",
    processor="A processor",
    compiler="g++ 13",
    os="Linux x86_64",
    variables={},
)
CASEBOOK = "---\ntitle: A\nabout: It.\ndescription: It.\nareas: [graph_breaks]\n"
BREAK = {
    "id": "GB0170",
    "cause_id": "",
    "type": "Data-dependent branching",
    "reason": "a branch on a tensor",
    "file": "one.py",
    "line": 7,
    "skipped_frame": False,
}
REPORT = {"ops": 577, "graph_breaks": [BREAK], "facts": {"a.b": 0.12345, "on": True}}


@pytest.fixture
def unmeasured() -> dict[str, str]:
    """Variables for a process in which no coverage is measured: it imports and writes much."""
    return {name: v for name, v in os.environ.items() if not name.startswith("COVERAGE_")}


_IN_LOOPS = """
import time

def spent(code, names):
    begun = time.process_time()
    exec(code, names)
    return time.process_time() - begun

names = {{}}
exec({before!r}, names)
loop = "for number in range(300_000): str(number).split('3')"
first = spent(loop, {{}})
work = spent({work!r}, names)
print(2 * work / (first + spent(loop, {{}})))
"""


@pytest.fixture
def takes_loops(unmeasured: dict[str, str]) -> Callable[..., None]:
    """Assert the CPU time of `work` after `before`, in loops that take 0.1 s on a usual core.

    Cores differ by a factor of three, so seconds would not do. What runs beside only adds time, and
    for some tenths of a second by a factor of five: the best of three processes counts.
    """

    def check(before: str, work: str, at_most: float, folder: Path = ROOT) -> None:
        program = _IN_LOOPS.format(before=before, work=work)
        env = {**unmeasured, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", program]
        ratios: list[float] = []
        for _ in range(3):
            run = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr
            ratios.append(float(run.stdout))
            if ratios[-1] <= at_most:
                return
        pytest.fail(f"takes {ratios} loops, more than {at_most}")

    return check


@pytest.fixture(scope="session")
def shared_workers() -> Iterator[SharedWorkers]:
    """Workers for the sessions of all tests, started when the first one asks them."""
    with SharedWorkers() as workers:
        yield workers


@pytest.fixture
def warm(shared_workers: SharedWorkers) -> Iterator[None]:
    """Let commands that the test calls in its own process ask the shared workers."""
    with shared_workers.lent():
        yield


@pytest.fixture(scope="session")
def knowledge() -> Callable[[Repository], Knowledge]:
    """What a catalog knows, read once for each: to read ours takes seconds."""
    made: dict[Path, Knowledge] = {}

    def read(repository: Repository) -> Knowledge:
        root = repository.catalog_root
        if root not in made:
            made[root] = knowledge_of(repository)
        return made[root]

    return read


@pytest.fixture
def diagnosing(
    warm: None,
    knowledge: Callable[[Repository], Knowledge],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Let `diagnose`, `patch` and `repro`, called in this process, share all that takes long."""
    for command in ("diagnose", "patch", "repro"):
        monkeypatch.setattr(f"validators.cli.model.{command}.knowledge_of", knowledge)


@pytest.fixture
def write_case() -> Callable[..., Path]:
    """A function that writes both files of a healthy case and returns the page's path.

    Keywords other than `body` and `proof` go into the front matter.
    """

    def write(
        root: Path, area: str, name: str, body: str = BODY, proof: str = PROOF, **fields: Any
    ) -> Path:
        header = yaml.safe_dump({**HEADER, **fields}, sort_keys=False)
        page = root / area / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"---\n{header}---\n{body}")
        page.with_suffix(".py").write_text(proof)
        return page

    return write


@pytest.fixture
def make_record() -> Callable[..., Record]:
    """A function that makes a confirmed record of a case, current where it is given the case.

    `torch` sets the release, `symptom` and `remedy` the reports, any other keyword a field.
    """

    def make(
        case: Case | str,
        torch: str = "2.13.0",
        symptom: Any = REPORT,
        remedy: Any = REPORT,
        **fields: Any,
    ) -> Record:
        name, digest, judge, modules = str(case), "", "", ()
        if isinstance(case, Case):
            name, modules = case.name, (f"catalog/{case.area}/{case.name}.py",)
            digest, judge = digest_of(case, modules, case.page.parents[1]), judge_of(case)
        record = Record(
            case=name,
            column=f"torch-{torch}-cpu",
            verdict="confirmed",
            digest=digest,
            judge=judge,
            modules=modules,
            fingerprint=dataclasses.replace(FINGERPRINT, torch=f"{torch}+cpu"),
            isolation="fork",
            repeats=1,
            shows={"symptom": True, "remedy": False},
            witnesses={"uncompiled": "refuted"},
            reports=Reports(symptom, remedy),
        )
        return msgspec.structs.replace(record, **fields)

    return make


@pytest.fixture
def corpus(
    tmp_path: Path, write_case: Callable[..., Path], make_record: Callable[..., Record]
) -> Corpus:
    """A repository with the real model `net`, of which nothing is recorded."""
    found = Corpus(tmp_path, write_case, make_record)
    found.catalog.mkdir(parents=True)
    (found.catalog.parent / "casebook.yaml").write_text(CASEBOOK)
    found.write("net.py", MODEL)
    return found
