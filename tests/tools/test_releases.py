"""The workflow that decides the catalog on all releases: its jobs, and what it merges."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.world import name_casebook
from validators.catalog import Case, load_catalog
from validators.evidence import load_evidence, write_record

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "releases.yml"
AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def matrix(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The finished `tools/matrix.py`."""
    command = [sys.executable, str(ROOT / "tools" / "matrix.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_each_release_has_a_job_for_each_part() -> None:
    """Those of casebook.yaml, or those that are named."""
    releases = yaml.safe_load((ROOT / "playbooks" / "casebook.yaml").read_text())["releases"]
    every = json.loads(matrix("2").stdout)["include"]
    assert [it["torch"] for it in every[::2]] == releases
    assert {it["shard"] for it in every} == {"1/2", "2/2"}
    assert json.loads(matrix("1", releases[0]).stdout)["include"] == [
        {"torch": releases[0], "shard": "1/1"}
    ]


@pytest.mark.parametrize(
    ("arguments", "said"), [(("0",), "not a number of parts"), (("1", "1.0"), "not among")]
)
def test_a_wrong_matrix_is_refused(arguments, said) -> None:
    """In one sentence."""
    done = matrix(*arguments)
    assert done.returncode == 1
    assert said in done.stderr and done.stdout == ""


def test_the_workflow_calls_what_is_there() -> None:
    """Each script that it names, and each job that it needs."""
    text = WORKFLOW.read_text()
    for script in ("tools/matrix.py", "tools/merge_found.sh", "tools/propose.sh"):
        assert script in text and (ROOT / script).is_file()
    jobs = yaml.safe_load(text)["jobs"]
    assert all(job.get("needs", "matrix") in jobs for job in jobs.values())


@pytest.fixture
def fork(tmp_path, write_case, make_record) -> Fork:
    """A repository whose cases `one` and `two` are confirmed on 2.13.0."""
    catalog = tmp_path / "playbooks" / "catalog"
    for name in ("one", "two"):
        write_case(catalog, "graph_breaks", name)
    name_casebook(catalog)
    found = Fork(tmp_path, load_catalog(catalog).by_name, make_record)
    for name in ("one", "two"):
        write_record(found.committed, make_record(found.cases[name]))
    for script in ("merge_found.sh", "propose.sh"):
        (tmp_path / "tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / script, tmp_path / "tools")
    (tmp_path / ".gitignore").write_text("/build/\n")
    for command in (("init", "-q"), ("add", "-A"), (*AUTHOR, "commit", "-qm", "all")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return found


class Fork:
    """A repository, and the scripts of the workflow as its jobs run them."""

    def __init__(self, root: Path, cases: dict[str, Case], make_record) -> None:
        self.root, self.cases, self.make_record = root, cases, make_record
        self.committed = root / "playbooks" / "evidence"
        self.programs = root / "build" / "programs"
        self.program("python", f'PYTHONPATH={ROOT} exec {sys.executable} "$@"')

    def program(self, name: str, body: str) -> Path:
        """A shell program that scripts find under a name."""
        self.programs.mkdir(parents=True, exist_ok=True)
        file = self.programs / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        return file

    def artifact(self, name: str, **fields) -> None:
        """What a job found of a case."""
        record = self.make_record(self.cases[name], **fields)
        folder = self.root / "build" / "found" / f"evidence-{record.column}-{name}"
        write_record(folder, record)

    def run(self, *command: str) -> str:
        """What a script prints that ends well."""
        variables = {"PYTHON": str(self.programs / "python"), "HOME": str(self.root / "build")}
        done = subprocess.run(
            ["sh", *command],
            cwd=self.root,
            capture_output=True,
            text=True,
            env={**variables, "PATH": f"{self.programs}:/usr/bin:/bin"},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def test_what_jobs_found_is_merged_and_drafted(fork: Fork) -> None:
    """Two artifacts become evidence; the verdict that changed is in the draft of an entry."""
    fork.artifact("one")
    fork.artifact("two", verdict="refuted")
    told = fork.run("tools/merge_found.sh", "build/found")
    assert "recorded two torch-2.13.0-cpu" in told
    assert "REWRITE" in told and "`case:two`, confirmed on" in told
    assert load_evidence(fork.committed)["two", "torch-2.13.0-cpu"].verdict == "refuted"


def test_a_new_release_is_compared_with_the_one_before(fork: Fork) -> None:
    """It has no column in the last commit with which it could be compared."""
    for name, verdict in (("one", "confirmed"), ("two", "refuted")):
        fork.artifact(name, torch="2.15.0", verdict=verdict)
    told = fork.run("tools/merge_found.sh", "build/found")
    assert "No verdict changed (--from HEAD --to playbooks/evidence)." in told
    assert "# From torch 2.13.0 (CPU) to torch 2.15.0 (CPU)" in told
    [draft] = (fork.root / "playbooks" / "logs").glob("*-torch-2-15-0-cpu.md")
    assert "  two: refutes" in draft.read_text()


def test_what_changed_is_proposed(fork: Fork) -> None:
    """On a branch, as a pull request with a comment that holds the draft."""
    fork.program("gh", 'echo "$1 $2 $3" >>build/gh; [ "$2" != comment ] || cat >>build/gh')
    git = ["git", "-C", str(fork.root)]
    subprocess.run([*git, "init", "-q", "--bare", "build/remote"], check=True)
    subprocess.run([*git, "remote", "add", "origin", "build/remote"], check=True)
    summary = fork.root / "build" / "summary.md"
    summary.write_text("")
    assert "nothing to propose" in fork.run("tools/propose.sh", "new", str(summary))
    fork.artifact("two", verdict="refuted")
    summary.write_text(fork.run("tools/merge_found.sh", "build/found"))
    fork.run("tools/propose.sh", "new", "build/summary.md")
    asked = (fork.root / "build" / "gh").read_text()
    assert asked.startswith("pr create --head\npr comment new\n## What was merged\n")
    assert "`case:two`, confirmed on" in asked
    pushed = [*git, "show", "--stat", "--format=%s", "origin/new"]
    shown = subprocess.run(pushed, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("evidence: record what the releases decided\n")
    assert "playbooks/logs/" in shown and "verdicts/two.json" in shown
