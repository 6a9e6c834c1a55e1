"""The issues for PyTorch cite cases, and quote what their programs print."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from validators.catalog import load_catalog
from validators.catalog.page import parse_fields, split_page
from validators.silent.programs import load_silent

ROOT = Path(__file__).resolve().parents[2]
ISSUES = sorted((ROOT / "upstream" / "issues").glob("*.md"))
PYTHONS = [it for it in os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep) if it]
each_issue = pytest.mark.parametrize("path", ISSUES, ids=lambda path: path.stem)


class Issue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an issue says of itself: its program printed `shows` on the releases `shows_on`.

    A case or a silent error proves the defect.
    """

    releases: list[str]
    status: Literal["ready", "filed"]
    shows: str
    shows_on: list[str]
    case: str = ""
    silent: str = ""


def read(path: Path) -> tuple[Issue, str]:
    """The issue's fields, and its text."""
    source, body, _ = split_page(path)
    return parse_fields(path, source, Issue), body


def program_of(body: str) -> str:
    """The one program of an issue's text."""
    [program] = re.findall(r"^```python\n(.*?)^```$", body, re.DOTALL | re.MULTILINE)
    return str(program)


def shown_by(python: str, program: str, folder: Path) -> str:
    """What `python` prints when it runs `program` with empty caches."""
    file = folder / "program.py"
    file.write_text(program)
    done = subprocess.run(
        [python, "-W", "ignore", str(file)],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(folder / "cache")},
    )
    return done.stdout + done.stderr


def release_of(python: str) -> str:
    """The release of the torch that `python` has, without the build."""
    code = "from importlib.metadata import version; print(version('torch'))"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return said.stdout.strip().partition("+")[0]


def assert_as_quoted(python: str, path: Path, folder: Path) -> None:
    """The program prints the issue's line where the issue says so, and nowhere else."""
    issue, body = read(path)
    release = release_of(python)
    if release not in issue.releases:
        pytest.skip(f"The issue says nothing about torch {release}.")
    printed = shown_by(python, program_of(body), folder)
    assert (issue.shows in printed) == (release in issue.shows_on), printed


def test_there_are_issues():
    """Without one, the tests below would pass on nothing."""
    assert ISSUES


@pytest.fixture(scope="module")
def living_cases():
    """The names of the cases that are not retired."""
    return {it.name for it in load_catalog(ROOT / "playbooks" / "catalog").cases if not it.retired}


@pytest.fixture(scope="module")
def silent_errors():
    """The names of the silent errors."""
    return {it.name for it in load_silent(ROOT)[0]}


@each_issue
def test_an_issue_is_complete(path, living_cases, silent_errors):
    """What proves it exists; its program imports torch alone; its text quotes it."""
    issue, body = read(path)
    assert (issue.case in living_cases) != (issue.silent in silent_errors)
    assert issue.shows in body.replace(program_of(body), "")
    assert set(issue.shows_on) <= set(issue.releases)
    imports = re.findall(r"^\s*(?:from|import) (\w+)", program_of(body), re.MULTILINE)
    assert set(imports) <= {"torch", *sys.stdlib_module_names}
    ast.parse(program_of(body))
    headings = re.findall(r"^#+ (.+)", body.replace(program_of(body), ""), re.MULTILINE)
    assert headings[1:] == ["Describe the bug", "Expected", "Where it changed", "Versions"]


@each_issue
def test_the_readme_names_a_regression(path):
    """An issue whose oldest release is good is in the table of regressions, and no other one."""
    issue, _ = read(path)
    table = (ROOT / "upstream" / "README.md").read_text().partition("| last good |")[2]
    named = f"`{path.stem}`" in table
    assert named == (issue.releases[0] not in issue.shows_on)


@pytest.mark.slow
@each_issue
def test_an_issue_quotes_what_its_program_prints(path, tmp_path):
    """The torch that runs the tests prints what the issue says of its release."""
    assert_as_quoted(sys.executable, path, tmp_path)


@pytest.mark.matrix
@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS or [None])
@each_issue
def test_other_releases_print_what_an_issue_quotes(path, python, tmp_path):
    """So does each interpreter in CASEBOOK_PYTHONS."""
    if python is None:
        pytest.skip("CASEBOOK_PYTHONS names no interpreter; list some, separated as in PATH.")
    assert_as_quoted(python, path, tmp_path)
