"""Which tests a choice of marks leaves out, and which files it leaves unread."""

from __future__ import annotations

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
    return SimpleNamespace(option=SimpleNamespace(markexpr=marks))


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (PROBES / "test_steps.py", True),
        (PROBES / "test_report.py", False),
        (PROBES, False),
        (TESTS / "reference_models", True),
        (TESTS / "strategies", True),
        (TESTS / "reference_models" / "test_vlm.py", True),
        (TESTS / "validators" / "inspector" / "values" / "test_rounding.py", True),
        (TESTS / "validators" / "inspector" / "graphs" / "test_causes.py", False),
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
    ("marks", "everything", "left"),
    [
        ("", False, ["plain", "smoke"]),
        ("not matrix", False, ["plain", "smoke"]),
        ("slow", False, ["plain", "smoke", "slow", "channels"]),
        ("channels", False, ["plain", "smoke", "channels"]),
        ("", True, ["plain", "smoke", "slow", "channels"]),
    ],
)
def test_what_takes_long_runs_only_if_it_is_asked_for(
    marks: str, everything: bool, left: list[str]
) -> None:
    """By `-m`, which takes its own choice from what is left, or by --all."""
    dropped: list[object] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: dropped.extend(items))
    option = SimpleNamespace(markexpr=marks, all=everything)
    given = {
        "plain": (),
        "smoke": ("smoke", "slow"),
        "slow": ("slow",),
        "channels": ("channels", "slow"),
    }
    items = [
        SimpleNamespace(name=name, get_closest_marker=lambda mark, own=own: mark in own)
        for name, own in given.items()
    ]
    pytest_collection_modifyitems(SimpleNamespace(option=option, hook=hook), items)
    assert [it.name for it in items] == left
    assert len(items) + len(dropped) == 4
