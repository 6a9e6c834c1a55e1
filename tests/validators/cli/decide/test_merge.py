"""`merge`: what other machines recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import call
from validators.catalog import load_catalog
from validators.cli import main
from validators.evidence import load_evidence, write_record
from validators.evidence.stored.examples import (
    ExampleRun,
    example_digest,
    load_examples,
    write_example,
)
from validators.evidence.stored.soaks import Soak, load_soaks, soak_digest, write_soak


@pytest.fixture
def catalog(tmp_path, write_case) -> Path:
    """Two cases without evidence."""
    root = tmp_path / "playbooks" / "catalog"
    for name in ("one", "two"):
        write_case(root, "graph_breaks", name)
    return root


def run(catalog: Path, *folders: Path):
    """The finished command."""
    return call(main, "merge", *folders, "--catalog", catalog, cwd=catalog.parents[1])


def test_what_two_machines_recorded_comes_together(catalog, tmp_path, make_record) -> None:
    """Each folder's records, examples and soaks; what is known already says nothing."""
    cases = load_catalog(catalog).by_name
    example = ExampleRun(verdict="confirmed", torch="2.13.0", digest=example_digest(cases["one"]))
    for machine, name in (("a", "one"), ("b", "two")):
        write_record(tmp_path / machine, make_record(cases[name], verdict="refuted"))
    write_example(tmp_path / "a", "one", "torch-2.13.0-cpu", example, [])
    soak = Soak(digest=soak_digest(cases["two"]), torch="2.13.0", held=["calls"])
    write_soak(tmp_path / "b", "two", "torch-2.13.0-cpu", soak)
    done = run(catalog, tmp_path / "a", tmp_path / "b")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "recorded one torch-2.13.0-cpu",
        "recorded the example of one torch-2.13.0-cpu",
        "recorded two torch-2.13.0-cpu",
        "recorded the soak of two torch-2.13.0-cpu",
    ]
    committed = tmp_path / "playbooks" / "evidence"
    assert {case for case, _ in load_evidence(committed)} == {"one", "two"}
    assert load_examples(committed)["one"].columns["torch-2.13.0-cpu"] == example
    assert load_soaks(committed)["two"].columns == {"torch-2.13.0-cpu": soak}
    assert run(catalog, tmp_path / "a", tmp_path / "b").stdout == ""


def test_what_decides_nothing_here_is_left_out(catalog, tmp_path, make_record) -> None:
    """Errors, records of an older proof, and cases that this catalog lacks."""
    cases = load_catalog(catalog).by_name
    write_record(tmp_path / "a", make_record(cases["one"], verdict="error"))
    write_record(tmp_path / "a", make_record("two"))
    write_record(tmp_path / "a", make_record("three"))
    write_soak(tmp_path / "a", "one", "torch-2.13.0-cpu", Soak(digest="old", torch="2.13.0"))
    done = run(catalog, tmp_path / "a")
    assert done.stdout.startswith("left out: 4 that broke")
    assert load_evidence(tmp_path / "playbooks" / "evidence") == {}


def test_a_folder_without_evidence_is_refused(catalog, tmp_path) -> None:
    """In one sentence."""
    (tmp_path / "empty").mkdir()
    done = run(catalog, tmp_path / "empty")
    assert done.returncode == 2
    assert "holds no evidence; name a run's build/evidence" in done.stderr
