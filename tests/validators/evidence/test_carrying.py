"""What a GPU recorded outlives a change of probes that no report on a CPU shows."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from tests.conftest import FINGERPRINT, REPORT
from validators.catalog import load_catalog
from validators.evidence import Freshness
from validators.evidence.carrying import carried_over
from validators.evidence.digests.digest import digest_of
from validators.evidence.digests.program import Program
from validators.evidence.stored.files import files_of
from validators.evidence.stored.record import Reports

BLOCKS, CUDA = "validators/probes/blocks.py", "validators/probes/cuda.py"
MODEL = "reference_models/gpt.py"
OLD = {BLOCKS: Program("old", [])}


@pytest.fixture
def root(tmp_path, write_case):
    """A catalog with one case."""
    write_case(tmp_path, "guards", "one")
    return tmp_path


@pytest.fixture
def carried(root, make_record):
    """A function that carries over a GPU's record, and returns what is carried.

    `report` is what the second release's CPU reports now, `modules` what the arms loaded there and
    `probes` what changed, `also` what changed beside the probes.
    """
    (case,) = load_catalog(root).cases
    proof = "catalog/guards/one.py"

    def digest(modules, probes):
        return digest_of(case, modules, root, dict(probes))

    def carry(report=REPORT, modules=(proof, BLOCKS), probes=OLD, again=True, also=None):
        former = [make_record(case, it, modules=modules) for it in ("2.9.1", "2.13.0")]
        now = [msgspec.structs.replace(it, digest=digest(modules, {})) for it in former]
        now[1] = msgspec.structs.replace(now[1], reports=Reports(report, REPORT))
        if not again:
            now[1] = msgspec.structs.replace(now[1], digest=digest(modules, probes))
        mark = dataclasses.replace(FINGERPRINT, device="cuda", accelerator="NVIDIA H100")
        loaded = (proof, BLOCKS, CUDA, MODEL)
        former_digest = digest(loaded, {**probes, **(also or {})})
        gpu = make_record(case, modules=loaded, fingerprint=mark, digest=former_digest)
        gpu = msgspec.structs.replace(gpu, column="torch-2.13.0-h100")
        lines = files_of(former)[0].columns
        found = list(carried_over(case, [*now, gpu], lines, probes, Freshness(root), root))
        assert all(Freshness(root).ran_alike(case, it) for it in found)
        return [(it.column, it.carried) for it in found]

    return carry


KEPT = [("torch-2.13.0-h100", True)]


def test_a_record_is_carried_over_if_all_cpus_report_the_same(carried):
    """It is current again, and says why."""
    assert carried() == KEPT


def test_a_difference_on_one_cpu_keeps_the_record_stale(carried):
    """One report that differs in one number is enough."""
    assert carried(report={**REPORT, "recompile_limit_hit": True}) == []


def test_a_cpu_that_did_not_run_again_says_nothing(carried):
    """Its record is as stale as the GPU's."""
    assert carried(again=False) == []


def test_a_probe_that_no_cpu_ran_is_not_vouched_for(carried):
    """What only a GPU runs has to run there again."""
    assert carried(probes={CUDA: Program("old", [])}) == []
    assert carried(modules=("catalog/guards/one.py",)) == []


def test_another_change_is_not_carried_over(carried):
    """A model that the arms load has changed as well."""
    assert carried(also={MODEL: Program("old", [])}) == []
