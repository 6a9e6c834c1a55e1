"""Which tests a choice of marks leaves out, and which files it leaves unread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import (
    PROBES,
    TESTS,
    imports_torch,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_runtest_teardown,
)


def config(marks: str) -> SimpleNamespace:
    """What the hooks read of pytest's configuration."""
    return SimpleNamespace(option=SimpleNamespace(markexpr=marks, slow_sample=None))


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (PROBES / "test_steps.py", True),
        (PROBES / "test_report.py", False),
        (PROBES, False),
        (TESTS / "reference_models", True),
        (TESTS / "strategies", True),
        (TESTS / "reference_models" / "test_vlm.py", True),
        (TESTS / "validators" / "worker" / "test_rounding.py", True),
        (TESTS / "validators" / "worker" / "test_process.py", False),
        (TESTS / "validators" / "runner" / "test_plan.py", False),
    ],
)
def test_files_that_import_torch_are_known_by_their_rooms(file: Path, expected: bool) -> None:
    """They are left unread where `-m` leaves their tests out, and nowhere else."""
    assert imports_torch(file) is expected
    assert bool(pytest_ignore_collect(file, config("not torch and not slow"))) is expected
    assert not pytest_ignore_collect(file, config("not slow"))


@pytest.mark.parametrize(
    ("marks", "there", "stops"),
    [
        ("not torch", True, True),
        ("not torch", False, False),
        ("not slow", True, False),
    ],
)
def test_an_import_of_torch_is_seen(
    monkeypatch: pytest.MonkeyPatch, marks: str, there: bool, stops: bool
) -> None:
    """The first test after which torch is there ends a run that leaves torch out."""
    monkeypatch.setattr(sys, "modules", {"torch": sys} if there else {})
    item = SimpleNamespace(config=config(marks), nodeid="one.py::test")
    if stops:
        with pytest.raises(
            pytest.exit.Exception, match=r"one\.py::test, or what was read before it, imports"
        ):
            pytest_runtest_teardown(item)
    else:
        pytest_runtest_teardown(item)


@pytest.mark.parametrize(
    ("marks", "left"),
    [
        ("", ["plain"]),
        ("not matrix", ["plain"]),
        ("whole", ["plain", "whole"]),
        ("channels and slow", ["plain", "channels"]),
    ],
)
def test_what_costs_much_runs_only_if_it_is_named(marks: str, left: list[str]) -> None:
    """By `-m`, which takes its own choice from what is left."""
    dropped: list[object] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: dropped.extend(items))
    chosen = SimpleNamespace(option=SimpleNamespace(markexpr=marks, slow_sample=None), hook=hook)
    items = [
        SimpleNamespace(name=name, get_closest_marker=lambda it, name=name: it == name)
        for name in ("plain", "whole", "channels")
    ]
    pytest_collection_modifyitems(chosen, items)
    assert [it.name for it in items] == left
    assert len(items) + len(dropped) == 3


def test_a_sample_of_the_slow_tests_leaves_the_others_out() -> None:
    """All of a file or none of it, and nothing that is not slow."""
    file = "tests/validators/cli/test_saw.py"

    def collected(*options: str) -> set[str]:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", file, *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent)
        return {line for line in done.stdout.splitlines() if line.startswith(file)}

    slow, quick = collected("-m", "slow"), collected("-m", "not slow")
    assert slow and quick
    assert collected("--slow-sample", "0") == quick
    assert collected("--slow-sample", "1") == slow | quick
