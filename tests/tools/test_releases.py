"""The workflow that decides the catalog on all releases: its jobs, and what it merges."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from validators.catalog import load_catalog
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


def test_what_jobs_found_is_merged_and_drafted(tmp_path, write_case, make_record) -> None:
    """Two artifacts become evidence; the verdict that changed is in the draft of an entry."""
    catalog = tmp_path / "playbooks" / "catalog"
    for name in ("one", "two"):
        write_case(catalog, "graph_breaks", name)
    cases = load_catalog(catalog).by_name
    committed = tmp_path / "playbooks" / "evidence"
    write_record(committed, make_record(cases["one"]))
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "merge_found.sh", tmp_path / "tools")
    for command in (("init", "-q"), ("add", "-A"), (*AUTHOR, "commit", "-qm", "all")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    for artifact, name in (("a", "one"), ("b", "two")):
        record = make_record(cases[name], verdict="refuted")
        write_record(tmp_path / "found" / artifact, record)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["sh", str(tmp_path / "tools" / "merge_found.sh"), str(tmp_path / "found")],
        capture_output=True,
        text=True,
        env={"PYTHON": str(python), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert "recorded one torch-2.13.0-cpu" in done.stdout
    assert "REWRITE" in done.stdout
    assert load_evidence(committed)["two", "torch-2.13.0-cpu"].verdict == "refuted"
