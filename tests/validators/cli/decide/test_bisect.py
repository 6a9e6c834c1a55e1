"""`bisect`: which releases it asks, and what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.commands import call
from tests.conftest import CASEBOOK
from validators.catalog import load_catalog
from validators.cli import main
from validators.cli.decide import bisect
from validators.evidence import write_record

RELEASES = ["2.5.1", "2.6.0", "2.7.1", "2.8.0", "2.9.1"]
FIXED_IN = {"early": "2.6.0", "late": "2.9.1"}


@pytest.fixture
def catalog(tmp_path, write_case, make_record) -> Path:
    """Two cases that held on the oldest release and do not hold on the newest one."""
    root = tmp_path / "playbooks" / "catalog"
    for name in FIXED_IN:
        write_case(root, "graph_breaks", name)
    (root.parent / "casebook.yaml").write_text(f"{CASEBOOK}releases: {json.dumps(RELEASES)}\n")
    cases = load_catalog(root).by_name
    for name in FIXED_IN:
        for torch, verdict in (("2.5.1", "confirmed"), ("2.9.1", "refuted")):
            record = make_record(cases[name], torch, verdict=verdict)
            write_record(tmp_path / "playbooks" / "evidence", record)
    return root


@pytest.fixture
def asked(catalog, make_record, monkeypatch) -> list[tuple[str, ...]]:
    """The releases that were asked, each with its cases; the interpreter is the release's name."""
    runs: list[tuple[str, ...]] = []
    cases = load_catalog(catalog).by_name

    def decide(places, pythons, only, **options):
        (release,) = pythons
        runs.append((release, *only))
        print("what a run says", file=sys.stdout)
        for name in only:
            fixed = RELEASES.index(release) >= RELEASES.index(FIXED_IN[name])
            record = make_record(cases[name], release, verdict="refuted" if fixed else "confirmed")
            write_record(places.local, record)

    monkeypatch.setattr(bisect, "decide", decide)
    monkeypatch.setattr(bisect._Interpreters, "_made", lambda _, release: release)
    return runs


def run(catalog: Path, *arguments: str):
    """The finished command."""
    return call(main, "bisect", *arguments, "--catalog", catalog, cwd=catalog.parents[1])


def test_halving_finds_each_change(catalog, asked) -> None:
    """Three of six possible runs; the result lies between neighbours."""
    done = run(catalog)
    assert asked == [("2.7.1", "early", "late"), ("2.6.0", "early"), ("2.8.0", "late")]
    assert [it for it in done.stdout.splitlines() if it != "what a run says"] == [
        "early: confirmed until 2.5.1, refuted from 2.6.0",
        "late: confirmed until 2.8.0, refuted from 2.9.1",
        "Changes: 2, of them between neighbouring releases: 2",
    ]
    assert done.returncode == 0


def test_json_holds_nothing_but_the_result(catalog, asked) -> None:
    """What the runs say goes to standard error."""
    done = run(catalog, "--json")
    assert [it["until"] for it in json.loads(done.stdout)["changes"]] == ["2.5.1", "2.8.0"]
    assert "what a run says" in done.stderr


def test_a_dry_run_says_what_to_ask(catalog, asked) -> None:
    """It runs nothing, and the exit status says that a change is not exact."""
    done = run(catalog, "late", "--dry-run")
    assert not asked
    assert done.stdout.splitlines()[-2:] == [
        "Changes: 1, of them between neighbouring releases: 0",
        "To ask torch 2.7.1: late",
    ]
    assert done.returncode == 1
    told = json.loads(run(catalog, "--dry-run", "--json").stdout)
    assert told["to_ask"] == {"2.7.1": ["early", "late"]}
    assert told["changes"][0]["untried"] == ["2.6.0", "2.7.1", "2.8.0"]


def test_others_are_asked_for_a_release_that_cannot_be_had(catalog, asked, monkeypatch) -> None:
    """It is asked for once; what remains unknown is said."""
    monkeypatch.setattr(
        bisect._Interpreters, "_made", lambda _, release: "" if release == "2.7.1" else release
    )
    done = run(catalog)
    assert asked == [("2.8.0", "early", "late"), ("2.6.0", "early")]
    assert done.stdout.splitlines()[2:4] == [
        "early: confirmed until 2.5.1, refuted from 2.6.0",
        "late: confirmed until 2.8.0, refuted from 2.9.1",
    ]
    assert done.returncode == 0


def test_what_no_release_can_tell_stays_open(catalog, asked, monkeypatch) -> None:
    """Where none can be installed, the command ends all the same."""
    monkeypatch.setattr(bisect._Interpreters, "_made", lambda _, release: "")
    done = run(catalog)
    assert "confirmed until 2.5.1, refuted from 2.9.1; not tried on 2.6.0, 2.7.1" in done.stdout
    assert done.returncode == 1
