"""What the tasks of this repository are about, and what names a task or a field that is wrong."""

from __future__ import annotations

import shutil

import pytest
import yaml

from validators.errors import CasebookError
from validators.evals.task import load_tasks
from validators.files import ROOT

TASKS = ROOT / "evals" / "tasks"
ONE = "slower-every-step"


@pytest.fixture
def copy(tmp_path):
    """A copy of one task."""
    shutil.copytree(TASKS / ONE, tmp_path / ONE)
    return tmp_path / ONE


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


def test_no_skill_names_a_task():
    """A skill that knew the tasks would measure nothing."""
    skills = "\n".join(it.read_text() for it in ROOT.glob("skills/**/*.md"))
    for task in load_tasks(TASKS):
        assert task.name not in skills


@pytest.mark.parametrize("field", ["skills", "set", "cases", "difficulty"])
def test_a_missing_field(copy, field):
    """The file and the field are named."""
    file = copy / "task.yaml"
    fields = yaml.safe_load(file.read_text())
    del fields[field]
    file.write_text(f"---\n{yaml.safe_dump(fields)}")
    with pytest.raises(CasebookError, match=rf"task.yaml.*{field}"):
        load_tasks(copy.parent)


def test_a_task_that_is_not_there(tmp_path):
    """The names that exist are offered; an empty folder is an error."""
    with pytest.raises(CasebookError, match=f"no-such: is not a task; choose from .*{ONE}"):
        load_tasks(TASKS, ("no-such",))
    with pytest.raises(CasebookError, match="holds no task"):
        load_tasks(tmp_path)
