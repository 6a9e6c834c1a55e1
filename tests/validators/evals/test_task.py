"""The tasks of this repository are whole, and a damaged one is named."""

from __future__ import annotations

import shutil

import pytest
import yaml

from validators.errors import CasebookError
from validators.evals.task import load_task, load_tasks, problems_of
from validators.files import ROOT

TASKS = ROOT / "evals" / "tasks"
NAMES = sorted(it.parent.name for it in TASKS.glob("*/task.yaml"))
ONE = "slower-every-step"
CHECKED = "nobody-checked-the-note"


@pytest.fixture
def copy(tmp_path):
    """A copy of one task."""
    shutil.copytree(TASKS / ONE, tmp_path / ONE)
    return tmp_path / ONE


@pytest.mark.parametrize("name", NAMES)
def test_each_task_is_whole(name):
    """Files, at least two wrong fixes, and no name of a case where the agent reads."""
    assert list(problems_of(load_task(TASKS / name))) == []


def test_what_tasks_are_about():
    """Skills and cases exist, two tasks for a skill share no case, and a third is unseen."""
    tasks = load_tasks(TASKS)
    skills = {it.parent.name for it in ROOT.glob("skills/*/SKILL.md")}
    pages = {it.stem for it in ROOT.glob("playbooks/catalog/*/*.md")}
    pairs = [(skill, case) for it in tasks for skill in it.about.skills for case in it.about.cases]
    assert {skill for skill, _ in pairs} == skills
    assert {case for _, case in pairs} <= pages
    assert len(pairs) == len(set(pairs))
    assert 3 * sum(it.about.set == "unseen" for it in tasks) >= len(tasks)


@pytest.mark.parametrize("name", NAMES)
def test_overlays_change_files_of_the_repository(name):
    """Each changed file is one that the agent gets, with another text."""
    task = load_task(TASKS / name)
    for overlay in [task.hidden / "reference", *task.wrong]:
        for file in (it for it in overlay.rglob("*.py") if it.is_file()):
            original = task.repo / file.relative_to(overlay)
            assert original.read_text() != file.read_text(), file


def test_no_skill_names_a_task():
    """A skill that knew the tasks would measure nothing."""
    skills = "\n".join(it.read_text() for it in ROOT.glob("skills/**/*.md"))
    for task in load_tasks(TASKS):
        assert task.name not in skills


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: (it / "task.md").unlink(), "has no task.md"),
        (lambda it: (it / "hidden/factory.py").unlink(), "has no hidden/factory.py"),
        (lambda it: shutil.rmtree(it / "hidden/reference"), "has no hidden/reference"),
        (lambda it: [shutil.rmtree(w) for w in it.glob("hidden/wrong_*")], "fewer than two"),
        (lambda it: (it / "task.md").write_text("integer_module_attribute"), "names the case"),
        (lambda it: (it / "repo/forecast.py").unlink(), "which repo/ lacks"),
    ],
)
def test_a_task_that_lacks_something(copy, change, said):
    """A sentence says what."""
    change(copy)
    found = [it.message for it in problems_of(load_task(copy))]
    assert any(said in it for it in found), found


def test_a_task_with_a_program_of_its_own(tmp_path):
    """It needs no factory; the file that the program decides must be there."""
    folder = tmp_path / CHECKED
    shutil.copytree(TASKS / CHECKED, folder)
    assert list(problems_of(load_task(folder))) == []
    (folder / "repo/claims/counter.py").unlink()
    (problem,) = problems_of(load_task(folder))
    assert problem.message == "names claims/counter.py, which repo/ lacks"


@pytest.mark.parametrize("field", ["skills", "set", "cases", "difficulty"])
def test_a_missing_field(copy, field):
    """The file and the field are named."""
    file = copy / "task.yaml"
    fields = yaml.safe_load(file.read_text())
    del fields[field]
    file.write_text(f"---\n{yaml.safe_dump(fields)}")
    with pytest.raises(CasebookError, match=rf"task.yaml.*{field}"):
        load_task(copy)


def test_a_task_that_is_not_there(tmp_path):
    """The names that exist are offered; an empty folder is an error."""
    with pytest.raises(CasebookError, match=f"no-such: is no task; choose from .*{ONE}"):
        load_tasks(TASKS, ("no-such",))
    with pytest.raises(CasebookError, match="holds no task"):
        load_tasks(tmp_path)
