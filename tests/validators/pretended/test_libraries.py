"""The preloaded libraries, on any machine."""

from __future__ import annotations

import dataclasses

import pytest

from validators.pretended.boards import BOARDS
from validators.pretended.invented import KINDS, Invented, NotObservable
from validators.pretended.libraries import NoLibraries, variables


def test_an_interpreter_without_headers_is_refused(tmp_path) -> None:
    """The sentence says what to install."""
    with pytest.raises(NoLibraries, match=r"no cuda_runtime_api\.h; install torch from PyPI"):
        variables(BOARDS["sm_90"], tmp_path, tmp_path)


def test_a_machine_without_a_compiler_is_refused(tmp_path, monkeypatch) -> None:
    """The sentence says what to install."""
    (tmp_path / "nvidia/cu13/include").mkdir(parents=True)
    (tmp_path / "nvidia/cu13/include/cuda_runtime_api.h").write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(NoLibraries, match="no C compiler; install gcc"):
        variables(BOARDS["sm_90"], tmp_path, tmp_path / "cache")


def test_headers_that_do_not_compile_are_told(tmp_path) -> None:
    """The sentence holds the compiler's first error."""
    (tmp_path / "nvidia/cu13/include").mkdir(parents=True)
    (tmp_path / "nvidia/cu13/include/cuda_runtime_api.h").write_text("#error no CUDA here\n")
    with pytest.raises(NoLibraries, match=r"cannot compile runtime\.c .*error.* no CUDA here"):
        variables(BOARDS["sm_90"], tmp_path, tmp_path / "cache")


def test_a_board_travels_as_numbers_and_a_name() -> None:
    """As many as it has facts; the name, which holds spaces, comes last."""
    board = BOARDS["sm_80"]
    facts = [getattr(board, field.name) for field in dataclasses.fields(board)]
    assert sorted(board.variable().split(" ", 9)) == sorted(map(str, facts))
    assert board.variable().endswith(" NVIDIA A100-SXM4-80GB")


def test_answers_are_counted_by_kind_and_question() -> None:
    """Refused ones, too."""
    invented = Invented()
    for kind in KINDS:
        invented.note(kind, "something")
    with pytest.raises(NotObservable, match="no GPU to ask for this: something"):
        invented.refuse("clock", "something")
    assert [(it["kind"], it["count"]) for it in invented.told()] == [
        ("clock", 2),
        ("memory", 1),
        ("replay", 1),
        ("value", 1),
    ]
    with pytest.raises(AssertionError):
        invented.note("dice", "something")
