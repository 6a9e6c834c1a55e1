"""A casebook of somebody else's: written by one command, built by the same two as ours."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from docsite import build
from docsite.all_pages import all_pages
from docsite.content import load
from docsite.init import init_command, write_starter
from docsite.render import render_page

from validators.catalog.casebook import load_casebook
from validators.checks import check_all
from validators.errors import CasebookError
from validators.repository import Repository

from .conftest import REPOSITORY

SUBJECT = "torch.compile"
PAGE = """\
---
claim: Reversing what `sorted` returns swaps equal items; `reverse=True` does not.
summary: Reversing the result of `sorted` swaps equal items.
fix: Pass `reverse=True` to `sorted`.
kind: limitation
severity: low
devices: [cpu]
uncompiled: Python sorts the list; nothing is compiled
---

# A reversed list is not sorted in reverse

## Symptom

Items that compare equal come in the opposite order.

## Why

Sorting is stable, and reversing a list is not sorting.

## Remedy

`sorted(items, reverse=True)`.

## How to tell

Sort twice by different keys: the first order is lost.
"""
PROOF = """\
from validators.probes import captured_facts

ITEMS = [("b", 1), ("a", 2), ("c", 1)]


def key(item):
    return item[1]


def symptom(device):
    return captured_facts(order=lambda: [name for name, _ in sorted(ITEMS, key=key)[::-1]])


def remedy(device):
    return captured_facts(order=lambda: [name for name, _ in sorted(ITEMS, key=key, reverse=True)])


def shows(report):
    return report.facts["order"] != ["a", "b", "c"]
"""


def problems(folder: Path) -> list[str]:
    """What `check` says of the casebook in `folder`."""
    playbooks = folder / "playbooks"
    return list(map(str, check_all(Repository(playbooks / "catalog", whole=True)).problems))


def test_it_is_complete_and_right_from_the_start(tmp_path: Path) -> None:
    """Each kind of page is there once, `check` has nothing to say, and nothing is left to fill."""
    write_starter(tmp_path, 'Floats: "sums" & <b>')
    assert problems(tmp_path) == []
    content = load(tmp_path / "playbooks" / "catalog", [])
    assert content.catalog.casebook.title == 'Floats: "sums" & <b>'
    kinds = content.catalog.cases, content.logs, content.guides, content.skills
    assert [len(kind) for kind in kinds] == [1, 1, 1, 1]
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        assert not re.search("@[A-Z_]+@", file.name + file.read_text("utf-8"))


def test_pages_say_nothing_of_what_is_not_there(tmp_path: Path) -> None:
    """No other subject, no GPU, no graph break, no source: neither a page nor a link to one."""
    write_starter(tmp_path, "Floats")
    pages = all_pages(load(tmp_path / "playbooks" / "catalog", []))
    absent = ("gb/index.html", "first-on-gpu/index.html", "sources/index.html")
    assert not {page.path for page in pages} & {*absent}
    for page in pages:
        text = render_page(page)
        assert not [word for word in (SUBJECT, "CUDA:", *absent) if word in text], page.path


@pytest.mark.parametrize("target", ["../sources", "../first_on_gpu.yaml"])
def test_a_link_to_such_a_page_is_a_defect(tmp_path: Path, target: str) -> None:
    """Where there is no page the file must be there, as for any other link."""
    write_starter(tmp_path, "Floats")
    with (tmp_path / "playbooks" / "guides" / "adding-numbers.md").open("a") as guide:
        guide.write(f"\nSee [there]({target}).\n")
    with pytest.raises(CasebookError, match=rf"links to {target}, which does not exist"):
        all_pages(load(tmp_path / "playbooks" / "catalog", []))


@pytest.mark.parametrize(
    ("folder", "title", "message"),
    [
        ("taken", "A", "taken: is not empty; name a new or an empty folder"),
        ("taken/file", "A", "file: is a file; name a new folder"),
        ("new", " ", "--title: is not a line of text; name the casebook in words"),
        ("new", "A\x1b[2J", "--title: is not a line of text"),
        ("new", "A\nB", "--title: is not a line of text"),
    ],
)
def test_nothing_is_overwritten(tmp_path: Path, folder: str, title: str, message: str) -> None:
    """What cannot be done is one sentence, and the folder stays as it was."""
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine")
    with pytest.raises(CasebookError) as caught:
        write_starter(tmp_path / folder, title)
    assert message in str(caught.value)
    assert [file.name for file in tmp_path.rglob("*")] == ["taken", "file"]
    assert (tmp_path / "taken" / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "title"), [([], "Floats and sums"), (["--title", "a @TODAY@"], "a @TODAY@")]
)
def test_it_is_called_as_its_folder_is(tmp_path: Path, options: list[str], title: str) -> None:
    """Unless somebody says otherwise."""
    folder = tmp_path / "floats-and_sums"
    done = CliRunner().invoke(init_command, [str(folder), *options])
    assert done.output == f"wrote {folder}; now: cd {folder} && make run\n"
    assert load_casebook(folder / "playbooks" / "catalog")[0].title == title


def test_a_new_repository_may_become_one(tmp_path: Path) -> None:
    """As `git init` or the clone of an empty repository leaves it."""
    (tmp_path / ".git").mkdir()
    write_starter(tmp_path, "Floats")
    assert problems(tmp_path) == []


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in `folder`, as whoever has installed the casebook does."""
    path = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "site")])
    # These tests may run within a make, which would pass on its flags and name the folder.
    command = ["make", "--no-print-directory", *arguments]
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env)


def test_a_wheel_has_what_the_generator_takes_from_a_checkout() -> None:
    """Under a name of its own, since the packages that it installs are folders of `site`."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    taken = [build.ASSETS]
    places = [path.relative_to(REPOSITORY).as_posix() for path in taken]
    assert wheel["force-include"] == {place: f"{build.PACKED.name}/{place}" for place in places}


needs_torch = pytest.mark.skipif(
    not importlib.util.find_spec("torch"), reason="the arms need torch"
)
needs_make = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")


@needs_make
def test_a_python_without_the_tools_is_named(tmp_path: Path) -> None:
    """Whoever clones the folder has no `local.mk`, and perhaps nothing installed."""
    write_starter(tmp_path, "Floats", python="/bin/false")
    for target in ("run", "test"):
        done = make(tmp_path, target)
        assert done.returncode == 2
        assert done.stdout == (
            "/bin/false: lacks the casebook's tools; name a Python that has them: make PYTHON=...\n"
        )


@needs_make
@needs_torch
@pytest.mark.slow
def test_the_two_commands_pass_at_once(tmp_path: Path) -> None:
    """The example is decided, and its verdict is what its page expects."""
    write_starter(tmp_path, "Floats")
    for target in ("run", "test"):
        done = make(tmp_path, target)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "1 confirmed" in done.stdout


@needs_make
@needs_torch
@pytest.mark.slow
def test_another_subject_becomes_a_site(tmp_path: Path) -> None:
    """Its own case, decided by its own program, under its own title."""
    write_starter(tmp_path, "Sorting in Python", python=sys.executable)
    for example in ("catalog/rounding", "guides", "logs"):
        shutil.rmtree(tmp_path / "playbooks" / example)
    shutil.rmtree(tmp_path / "skills")
    casebook = tmp_path / "playbooks" / "casebook.yaml"
    casebook.write_text(
        "---\ntitle: Sorting in Python\nabout: What `sorted` does.\n"
        "description: What `sorted` does, decided.\nareas: [order]\n"
    )
    (tmp_path / "README.md").write_text("# Sorting\n")
    (tmp_path / "playbooks" / "catalog" / "order").mkdir(parents=True)
    case = tmp_path / "playbooks" / "catalog" / "order" / "reversed_is_not_reverse"
    case.with_suffix(".md").write_text(PAGE)
    case.with_suffix(".py").write_text(PROOF)
    for target in ("run", "test"):
        done = make(tmp_path, target)
        assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "build" / "site"
    home = (site / "index.html").read_text("utf-8")
    assert re.search("<h1[^>]*>Sorting in Python<", home)
    assert "What <code>sorted</code> does." in home
    page = (site / "catalog" / case.name / "index.html.md").read_text("utf-8")
    assert "Confirmed on torch" in page
    texts = [f for f in site.rglob("*") if f.suffix in (".html", ".md", ".txt", ".xml", ".json")]
    assert len(texts) > 10
    for file in texts:
        assert SUBJECT not in file.read_text("utf-8"), file
    # What an edit takes back is seen: the verdict no longer agrees with the page.
    case.with_suffix(".py").write_text(PROOF.replace("[::-1]", "[:0] + ['a', 'b', 'c']"))
    assert make(tmp_path, "test").returncode != 0
