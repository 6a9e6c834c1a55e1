"""What continuous integration runs, with programs that only note how they are called."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints in `folder`."""
    command = ["git", "-C", str(folder), *AUTHOR, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, subject: str) -> str:
    """A new empty commit."""
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return git(folder, "rev-parse", "HEAD")


def write_program(path: Path, body: str) -> None:
    """An executable shell script at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A checkout with the scripts, and no repository."""
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "environment.sh", folder / "tools")
    write_program(folder / ".venv" / "bin" / "python", 'echo "python $*" >> "$CALLS"')
    for name in ("make", "chromium", "chromedriver", "g++", "openssl"):
        note = f'echo "{name} $*" >> "$CALLS"' if name == "make" else ""
        write_program(tmp_path / "bin" / name, note)
    return folder


@pytest.fixture
def repository(checkout) -> Path:
    """The checkout as a repository of two commits."""
    git(checkout, "init", "-q", "-b", "main")
    commit(checkout, "one")
    commit(checkout, "two")
    return checkout


def run(checkout: Path, *parts: str, script: str = "run", **variables: str):
    """The finished script, and what it called."""
    calls = checkout.parent / "calls"
    calls.write_text("")
    done = subprocess.run(
        ["bash", str(checkout / ".ci" / script), *parts],
        capture_output=True,
        text=True,
        cwd=checkout,
        env={
            "PATH": f"{checkout.parent / 'bin'}:{os.environ['PATH']}",
            "HOME": str(checkout.parent),
            "CALLS": str(calls),
            "GIT_CEILING_DIRECTORIES": str(checkout.parent),
            **variables,
        },
    )
    return done, calls.read_text().splitlines()


def base(checkout: Path, **variables: str) -> str:
    """The revision that the commit is compared with."""
    done, _ = run(checkout, script="base", **variables)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_the_parent_is_the_base_of_a_commit_on_main(repository):
    """There is no other branch to compare with, or it is where we are."""
    first = git(repository, "rev-parse", "HEAD~1")
    assert base(repository) == first
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert base(repository) == first


def test_where_a_branch_left_main_is_its_base(repository):
    """However many commits it has, and however far main went on."""
    fork = git(repository, "rev-parse", "HEAD")
    on_main = commit(repository, "three")
    git(repository, "update-ref", "refs/remotes/origin/main", on_main)
    git(repository, "checkout", "-q", "-b", "topic", fork)
    commit(repository, "our first")
    commit(repository, "our second")
    assert base(repository) == fork


def test_a_base_that_is_named_comes_first(repository):
    """Unless git does not know it: of a new branch a service names a revision of zeros."""
    head = git(repository, "rev-parse", "HEAD")
    assert base(repository, CI_BASE="main") == head
    assert base(repository, CI_BASE="0" * 40) == git(repository, "rev-parse", "HEAD~1")


def test_nothing_is_the_base_of_a_first_commit_and_without_a_repository(checkout):
    """Then there is nothing to compare with."""
    assert base(checkout) == ""
    git(checkout, "init", "-q")
    assert base(checkout) == ""
    commit(checkout, "one")
    assert base(checkout) == ""


def environment(checkout: Path, torch: str) -> Path:
    """An environment of another release, as an earlier run left it."""
    folder = checkout.parent / f".cache/torch-compile-casebook/pythons/torch-{torch}"
    write_program(folder / "bin" / "python", "")
    (folder / "has-numpy-tlparse").touch()
    return folder / "bin" / "python"


def test_all_parts_run_and_tell_how_long_they_took(repository):
    """The claims that changed and a sample that the commit chooses, within their budgets."""
    others = [environment(repository, torch) for torch in ("2.15.0", "2.11.0")]
    done, calls = run(repository)
    assert done.returncode == 0, done.stderr
    head, parent = git(repository, "rev-parse", "HEAD", "HEAD~1").split()
    chosen = f"--seed {head} --budget {{}} --junitxml build/{{}} --changed-since {parent} "
    chosen += "--enforce-budget 2"
    claims = "python -m validators run-all --device cpu --force --sample"
    pythons = " ".join(f"--python={python}" for python in others)
    assert calls == [
        "make --no-print-directory .venv/installed-dev",
        "make --no-print-directory test PYTEST=-m 'not matrix' --slow-sample 4 "
        f"--seed {head} --changed-since {parent}",
        "make --no-print-directory lint",
        "python tools/check_commits.py",
        "make --no-print-directory check",
        "make --no-print-directory site",
        f"{claims} 40 {chosen.format(240, 'junit.xml')}",
        "python -m validators examples --force --sample 12 "
        f"--seed {head} --budget 60 --changed-since {parent}",
        "python -m pytest -q -m matrix tests",
        f"{claims} 10 {chosen.format(150, 'junit-others.xml')} --witnesses none {pythons}",
    ]
    table = done.stdout.partition(" s in all\n")[2].splitlines()
    assert [line.split(" s  ")[1] for line in table] == [
        "system packages",
        "environment",
        "tests",
        "lint",
        "commit subjects",
        "check",
        "site",
        "claims on the default torch",
        "examples",
        "tests on other releases",
        "claims on other releases",
    ]


def test_a_part_that_fails_keeps_no_other_from_running(checkout):
    """It is marked, and the script fails."""
    fails = 'echo "make $*" >> "$CALLS"; case "$*" in *lint*) exit 3;; esac'
    write_program(checkout.parent / "bin" / "make", fails)
    done, calls = run(checkout, "static")
    assert done.returncode == 1
    assert [call.split()[-1] for call in calls[1:]] == [
        "lint",
        "tools/check_commits.py",
        "check",
        "site",
    ]
    assert "  lint: FAILED (3)\n" in done.stdout


def test_all_tests_run_where_they_are_asked_for(checkout):
    """In a job of its own, without a sample."""
    done, calls = run(checkout, "tests=all")
    assert done.returncode == 0, done.stderr
    assert calls[1:] == ["make --no-print-directory test PYTEST=-m 'not matrix'"]


def test_without_a_repository_there_is_the_sample(checkout):
    """And it says so."""
    done, calls = run(checkout, "claims")
    assert done.returncode == 0
    assert "left out: what changed" in done.stdout
    assert "--changed-since" not in calls[1]
    assert "--sample 40 --seed none" in calls[1]


def test_a_release_that_cannot_be_had_is_left_out_and_named(repository):
    """A whole run goes on without it; a job that is about nothing else fails."""
    write_program(repository.parent / "bin" / "df", 'echo "Avail\n1000"')
    environment(repository, "2.11.0")
    done, calls = run(repository, "others")
    assert done.returncode == 0
    assert "left out: torch 2.15.0 (less than 10 GB are free)\n" in done.stderr
    assert "torch-2.11.0" in calls[-1]
    assert "torch-2.15.0" not in calls[-1]
    assert run(repository, "claims=2.15.0")[0].returncode == 1
    done, calls = run(repository, "claims=2.11.0")
    assert done.returncode == 0
    assert calls[1] == "python -m pytest -q -m matrix tests"
    assert "--sample 40" in calls[2]
