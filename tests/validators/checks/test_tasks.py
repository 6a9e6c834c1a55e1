"""A damaged task of the evaluation is one problem that names the file and the remedy."""

from __future__ import annotations

import shutil

import pytest

from validators.checks.tasks import check_tasks
from validators.files import ROOT

TASKS = ROOT / "evals" / "tasks"
ONE = "slower-every-step"
CHECKED = "nobody-checked-the-note"


@pytest.fixture
def copy(tmp_path):
    """A copy of one task, alone in a repository."""
    return shutil.copytree(TASKS / ONE, tmp_path / "evals" / "tasks" / ONE)


def replace(file, old, new):
    """Write another text into a file."""
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_a_task_without_defects(tmp_path, copy):
    """It is counted, and nothing is said."""
    assert check_tasks(tmp_path) == (1, [])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: (it / "task.yaml").unlink(), "is missing; a task needs it"),
        (lambda it: (it / "task.md").unlink(), "has no task.md"),
        (lambda it: (it / "hidden/factory.py").unlink(), "has no hidden/factory.py"),
        (lambda it: (it / "hidden/reference.patch").unlink(), "has no hidden/reference.patch"),
        (lambda it: [p.unlink() for p in it.glob("hidden/wrong_*")], "fewer than two"),
        (lambda it: (it / "task.md").write_text("integer_module_attribute"), "names the case"),
        (lambda it: (it / "repo/forecast.py").unlink(), "which repo/ lacks"),
        (
            lambda it: replace(it / "hidden/grader.yaml", "restored: [forecast.py]", ""),
            "its script",
        ),
    ],
)
def test_a_task_that_lacks_something(tmp_path, copy, change, said):
    """A sentence says what; a program that is run and restored may be named twice."""
    change(copy)
    messages = {problem.message for problem in check_tasks(tmp_path)[1]}
    assert len(messages) == 1
    assert said in messages.pop()


def test_a_patch_that_no_longer_applies(tmp_path, copy):
    """It is one problem, with git's reason; other patches still apply."""
    replace(copy / "repo/tideline/model.py", "from torch import Tensor, nn", "from torch import nn")
    (problem,) = check_tasks(tmp_path)[1]
    assert problem.path == copy / "hidden/wrong_limit.patch"
    assert problem.message == (
        "does not apply to repo/ (patch failed: tideline/model.py:7);"
        " write it again as evals/README.md says"
    )


def test_without_git(tmp_path, copy, monkeypatch):
    """One sentence, and not one for each patch."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (problem,) = check_tasks(tmp_path)[1]
    assert str(problem).endswith("evals/tasks: git is not installed; install it to apply patches")


def test_a_task_with_a_program_of_its_own(tmp_path):
    """It needs no factory; the file that the program decides must be there."""
    folder = shutil.copytree(TASKS / CHECKED, tmp_path / "evals" / "tasks" / CHECKED)
    assert check_tasks(tmp_path)[1] == []
    (folder / "repo/decide.py").unlink()
    (problem,) = check_tasks(tmp_path)[1]
    assert problem.message == "names decide.py, which repo/ lacks; add it or name another"
