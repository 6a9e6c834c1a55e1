"""The benchmarks themselves: their catalogs are healthy, their figures are computed right."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import __main__ as command
from benchmarks import cluster, plan, schedule
from benchmarks.growth import PANELS, points, svg
from benchmarks.measures import Measure, ratio
from benchmarks.processes import python
from benchmarks.proofs import write_proofs
from benchmarks.report import render
from benchmarks.results import load, result
from benchmarks.size import QUICK
from benchmarks.synthetic import case_name, write_project
from benchmarks.workers import naive
from validators.catalog import load_catalog
from validators.errors import CasebookError
from validators.evidence import Freshness, load_evidence
from validators.runner.workers import Task

FOLDER = Path(command.__file__).parent


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The catalog of a synthetic project."""
    return write_project(tmp_path_factory.mktemp("project"), 30, 3)


def test_a_synthetic_catalog_is_healthy(project):
    """Nothing is wrong with its pages, proofs, citations, figures and records."""
    catalog = load_catalog(project)
    assert (len(catalog.cases), catalog.problems) == (30, ())
    assert len({case.area for case in catalog.cases}) == 15
    done = python("-m", "validators", "check", "--catalog", project)
    assert not done.errors


def test_nothing_changed_imports_little(project):
    """No torch and nothing that builds sites: what is not imported costs nothing."""
    words = ("run-all", "--device", "cpu", "--catalog", project)
    done = python("-X", "importtime", "-m", "validators", *words)
    assert "30 were current and did not run" in done.printed
    imported = {line.rpartition("|")[2].strip() for line in done.errors.splitlines()}
    assert "validators.runner.plan" in imported
    assert not imported & {"torch", "jinja2", "markdown_it", "pygments.lexers"}


def test_synthetic_records_are_current(project):
    """In every column, and the first column is what this machine would record."""
    catalog = load_catalog(project)
    evidence = load_evidence(project.parent / "evidence")
    assert len(evidence) == 90
    freshness = Freshness(project)
    assert all(freshness.is_current(catalog.by_name[it[0]], r) for it, r in evidence.items())
    local = load_evidence(project.parents[1] / "build" / "evidence")
    assert len(local) == 30
    assert case_name(7) in catalog.by_name


def test_synthetic_catalogs_are_the_same_each_time(project, tmp_path):
    """Else two runs would measure different things."""
    again = write_project(tmp_path, 30, 3)
    for file in project.rglob("*"):
        if file.is_file():
            assert file.read_bytes() == (again / file.relative_to(project)).read_bytes()


def test_the_middle_and_the_target():
    """A median under a time's target, or at a ratio's, meets it."""
    assert Measure(what="x", unit="s", samples=[3.0, 1.0, 2.0]).median == 2
    assert Measure(what="x", unit="s", samples=[3.0, 1.0, 2.0]).spread == (1, 3)
    assert Measure(what="x", unit="s", samples=[1.0]).met is None
    assert Measure(what="x", unit="s", samples=[1.0], target=2).met
    assert not Measure(what="x", unit="s", samples=[2.0], target=2).met
    assert Measure(what="x", unit="times", samples=[2.0], target=2, at_least=True).met
    assert not Measure(what="x", unit="times", samples=[1.9], target=2, at_least=True).met
    assert ratio([10, 20, 90], [2, 1, 4]) == 10


def test_the_ideal_schedule():
    """As long as the cores are busy, or as the longest arm."""
    assert schedule.ideal_seconds([1.0, 1.0, 1.0, 1.0], 2) == 2
    assert schedule.ideal_seconds([0.1, 3.0], 8) == 3
    lengths = schedule.sleeps(200)
    assert (len(lengths), min(lengths), round(max(lengths), 9)) == (200, 0.1, 1.0)
    assert round(sum(lengths), 6) == 110


def test_processor_time_of_all_processes():
    """That of a child counts as the command's, and that of its own child as well."""
    burn = "import time\nwhile time.process_time() < 1.5: pass"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])\n{burn}"
    with cluster._processor_time() as spent:
        python("-c", f"{child}\ntime.sleep(2.5)")
    assert spent["command"] >= 1.4
    assert spent["all"] >= spent["command"] + 1.4


def test_the_plan_adds_up():
    """Every case of 12 releases has a share on the CPU, and one on each GPU."""
    found = {it.what: it for it in plan.run(QUICK)}
    cpu, gpus, added = (it.median for it in found.values() if it.unit == "core hours")
    (whole,) = (it.median for it in found.values() if it.unit == "hours")
    assert whole == pytest.approx((cpu + gpus + added) / 8)
    per_case = found["processor time of a case on the CPU"].median
    assert 0 < cpu <= 2000 * 12 * 2 * per_case / 3600


def test_naive_tasks_find_nothing_warm(tmp_path):
    """Neither headers nor caches nor an interpreter; what the proof sets itself stays."""
    task = naive(Task({}, 1.0, variables={"A": "b", "TMPDIR": "/mine"}), tmp_path)
    assert task.fresh
    assert task.variables == {"TMPDIR": "/mine", "CASEBOOK_WARM": str(tmp_path), "A": "b"}


@pytest.mark.parametrize("template", ["kernel", "printing", "sleeping"])
def test_timed_proofs_are_cases(tmp_path, template):
    """Each template yields a catalog that can be run."""
    values = {"SYMPTOM": "0.1", "REMEDY": "0.2", "MEGABYTES": "3"}
    catalog = load_catalog(write_proofs(tmp_path, template, [values, values]))
    assert (len(catalog.cases), catalog.problems) == (2, ())
    assert all("@" not in case.proof.read_text() for case in catalog.cases)


def test_a_command_that_fails_is_named():
    """A benchmark never times an error."""
    with pytest.raises(CasebookError, match=r"ended with 3 .*oh no"):
        python("-c", "print('oh no'); raise SystemExit(3)")


def test_memory_is_the_processs_own():
    """Not that of the process that started it, which is what the kernel tells a parent."""
    hoard = bytearray(400_000_000)
    small = python("-c", "import sys; sys.argv[0] = 'small'", peaks=True).peaks["small"]
    large = python("-c", "import sys; sys.argv[0] = 'x'; b'x' * 90_000_000", peaks=True).peaks["x"]
    assert len(hoard) > 1e8 > small * 1e6
    assert large - small > 80


def test_the_page_follows_from_the_results():
    """`RESULTS.md` and the plot are what the committed `results.json` says."""
    results = load(FOLDER / "results.json")
    assert (FOLDER / "RESULTS.md").read_text() == render(results)
    assert (FOLDER / "site_growth.svg").read_text() == svg(results["site"].measures)
    assert set(results) == set(command.BENCHMARKS)


def test_a_missed_target_is_shown():
    """In the table and on the terminal."""
    measure = Measure(what="a run", unit="s", samples=[2.0, 4.0], target=1.0, note="much of it")
    text = render({"cli": result("Title", [measure], 1.0)})
    row = "| a run<br><small>much of it</small> | < 1 s | 3 s | 2 to 4 | 2 | **missed** |"
    assert row in text
    assert command.line(measure) == "a run: 3 s (2 to 4) MISSED"


def test_the_plot_has_every_point():
    """It is well-formed, and says its figures in words, too."""
    names = [name for names in PANELS.values() for name in names]
    measures = [
        Measure(what=f"{name}, at {cases} cases", unit="", samples=[cases / 10])
        for name in names
        for cases in (100, 1500)
    ]
    assert points(measures, names[0]) == [(100, 10), (1500, 150)]
    drawn = ElementTree.fromstring(svg(measures))
    assert len(drawn.findall(".//{*}circle/{*}title")) == 2 * len(names)


@pytest.mark.slow
def test_one_command_measures(tmp_path):
    """A small run writes the results, and a later one keeps those of the others."""
    for name in ("cli", "site"):
        done = CliRunner().invoke(
            command.cli, [name, "--quick", "--cases", "10", "--out", str(tmp_path)]
        )
        assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "results.json").read_text())
    assert list(results) == ["cli", "site"]
    assert (tmp_path / "site_growth.svg").exists()
    assert "## Site" in (tmp_path / "RESULTS.md").read_text()
