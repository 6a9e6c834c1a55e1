"""What is measured is whole, the same each time, and measured with the right clock."""

from __future__ import annotations

import sys

import pytest

from benchmarks.commands import call, cpu_seconds
from benchmarks.copied_cases import CATALOG, write_copies
from benchmarks.small_cases import OBSERVING, SLEEPING, write_small_cases
from validators.catalog import load_catalog
from validators.catalog.citations import citations
from validators.errors import CasebookError
from validators.evidence import Freshness, load_evidence


def test_copies_are_whole(tmp_path):
    """More copies than cases all have pages and current records."""
    count = len(load_catalog(CATALOG).cases) + 20
    root = write_copies(tmp_path, count, 2)
    catalog = load_catalog(root)
    assert (len(catalog.by_name), catalog.problems) == (count, ())
    evidence, freshness = load_evidence(root.parent / "evidence"), Freshness(root)
    assert len({column for _, column in evidence}) == 2
    assert len({case for case, _ in evidence}) > 0.9 * count
    assert all(freshness.is_current(catalog.by_name[it[0]], r) for it, r in evidence.items())


def test_a_few_copies_cite_each_other_only(tmp_path):
    """A link that leads nowhere would stop the site."""
    catalog = load_catalog(write_copies(tmp_path, 20, 1))
    cited = {name for case in catalog.cases for _, name in citations(case.body)}
    assert cited
    assert cited <= set(catalog.by_name)


def test_copies_are_the_same_each_time(tmp_path):
    """Else two runs would measure different things."""
    one, other = (write_copies(tmp_path / name, 20, 2) for name in ("one", "other"))
    files = [file for file in one.parent.rglob("*") if file.is_file()]
    assert len(files) > 40
    for file in files:
        assert file.read_bytes() == (other.parent / file.relative_to(one.parent)).read_bytes()


def test_small_cases_are_cases(tmp_path):
    """A catalog of them can be run."""
    proofs = [OBSERVING.format(backend="eager"), SLEEPING.format(0.1, 0.2)]
    catalog = load_catalog(write_small_cases(tmp_path, proofs))
    assert (len(catalog.cases), catalog.problems) == (2, ())
    assert all(compile(case.proof.read_text(), "", "exec") for case in catalog.cases)


def test_the_processor_time_of_children_counts(tmp_path, monkeypatch):
    """What they wait for does not."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "burning.py").write_text(
        "import time\nwhile time.process_time() < 0.6: pass\ntime.sleep(0.6)\n"
    )
    begun = cpu_seconds()
    call("burning")
    assert 0.5 < cpu_seconds() - begun < 1.1


def test_a_command_that_fails_is_named():
    """Its time would say nothing."""
    with pytest.raises(CasebookError, match=rf"{sys.executable} -m validators x: ended with 2 "):
        call("validators", "x")
