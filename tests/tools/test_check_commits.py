"""Subjects of commits: the area, a verb in the imperative, at most 72 characters."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.check_commits import defects, main


@pytest.mark.parametrize(
    "subject",
    [
        "match: name the users' logs by the thread that they cite",
        "cudagraphs, probes: pass the pool on",
        "site/docsite: need less memory",
        "ci: speed up the cache",
        "docs: focus the first page",
        "mutated_input_skips_cudagraphs: embed the figure",
        f"cli: {'a' * 67}",
    ],
)
def test_a_subject_in_order(subject: str) -> None:
    """Verbs that only look like another form count as what they are."""
    assert list(defects(subject)) == []


@pytest.mark.parametrize(
    ("subject", "defect"),
    [
        ("Name the logs", "is not `area: verb ...`"),
        ("match: Name the logs", "is not `area: verb ...`"),
        ("match:name the logs", "is not `area: verb ...`"),
        ("match: named the logs", "begins with 'named'"),
        ("match: naming the logs", "begins with 'naming'"),
        ("match: names the logs", "begins with 'names'"),
        ("match: name the logs.", "ends in a period"),
        (f"cli: {'a' * 68}", "has 73 characters"),
    ],
)
def test_what_is_wrong_with_a_subject(subject: str, defect: str) -> None:
    """One defect, and what to do about it."""
    (found,) = defects(subject)
    assert found.startswith(defect)
    assert "; " in found


@pytest.fixture
def commit(tmp_path: Path):
    """Commits to a repository in `tmp_path`."""

    def git(*arguments: str) -> None:
        names = ("-c", "user.name=user", "-c", "user.email=user@example.org")
        command = ["git", "-C", str(tmp_path), *names, *arguments]
        subprocess.run(command, check=True, capture_output=True)

    def commit(subject: str, *before: str) -> None:
        if before:
            git(*before)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "--message", subject)

    git("init", "--quiet", "--initial-branch=main")
    return commit


def test_commits_since_the_rule_are_checked(tmp_path: Path, commit, capsys) -> None:
    """Not older ones, not a branch that began before the rule, and not the merge of it."""
    rule = tmp_path / "check.py"
    commit("Older than the rule")
    commit("Begun before it", "checkout", "--quiet", "-b", "branch")
    rule.write_text("1")
    commit("Adds the rule", "checkout", "--quiet", "main")
    commit("match: name it")
    commit("Merge it", "merge", "--no-ff", "--message", "Merge", "branch")
    assert main(rule) == 1  # "Merge it" is a commit of its own, after the merge
    said = capsys.readouterr().out.splitlines()
    assert [line.split(" ", 1)[1] for line in said[:-1]] == [
        "'Merge it' is not `area: verb ...`; begin with the area, in lower case"
    ]
    assert said[-1] == "1 problems in the subjects of 2 commits"


def test_without_a_repository_nothing_is_checked(tmp_path: Path, capsys) -> None:
    """As in an unpacked archive."""
    assert main(tmp_path / "check.py") == 0
    assert capsys.readouterr().out.startswith("No commit was checked")
