"""What runs, in which order, and how much of it at a time."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses

import msgspec
import pytest

from tests.validators.runner.conftest import environment, record
from validators.catalog import load_catalog
from validators.cli.decide.run import default_jobs
from validators.environment import Environment, Fingerprint
from validators.errors import CasebookError
from validators.evidence import Record, digest_of
from validators.evidence.digests.digest import judge_of
from validators.runner import run
from validators.runner.plan import Plan, Settings, make_plan
from validators.runner.witnesses import USUAL


def digests(catalog, name: str) -> dict[str, str]:
    """Both digests of a case as it is now, whose arms loaded no module."""
    case = catalog.by_name[name]
    return {"digest": digest_of(case, (), catalog.root), "judge": judge_of(case)}


def test_unmet_needs_are_named(catalog):
    """A case whose device or package is missing is planned as skipped, by the need's name."""
    plan = make_plan(catalog, [environment()], {}, {}, Settings())
    assert {job.case.name: job.unmet for job in plan.jobs} == {
        "both": "",
        "gpu_only": "a CUDA device",
        "needs_triton": "the package triton",
    }


def test_a_cuda_run_leaves_out_what_has_no_meaning_there(catalog):
    """On a GPU, cases for the CPU alone are not even skipped."""
    gpu = environment(device="cuda", accelerator="NVIDIA H200", cuda="13.0")
    assert gpu.column == "torch-2.13.0-h200"
    plan = make_plan(catalog, [gpu], {}, {}, Settings())
    assert {job.case.name for job in plan.jobs} == {"both", "gpu_only"}


def test_a_gpu_of_another_maker_runs_what_is_about_all_devices(catalog):
    """What is about CUDA alone is left out, as what is about the CPU alone."""
    gpu = environment(device="xpu", accelerator="Intel(R) Arc(TM) B580 Graphics")
    plan = make_plan(catalog, [gpu], {}, {}, Settings())
    assert {job.case.name for job in plan.jobs} == {"both"}


def test_only_takes_globs_ids_and_aliases(catalog):
    """--only accepts what names a case, and an unknown name is one sentence."""
    for pattern in ("bo*", "both", "two"):
        plan = make_plan(catalog, [environment()], {}, {}, Settings(only=(pattern,)))
        assert [job.case.name for job in plan.jobs] == ["both"]
    with pytest.raises(CasebookError, match="did you mean both"):
        make_plan(catalog, [environment()], {}, {}, Settings(only=("bothh",)))


def test_another_fingerprint_is_not_current(catalog):
    """Evidence of another processor of the same column has to be renewed."""
    env = environment()
    known = {("both", env.column): record(env, "confirmed")}
    names = [job.case.name for job in make_plan(catalog, [env], known, {}, Settings()).jobs]
    # The digest of the record is empty, so it is stale: last in order.
    assert names == ["gpu_only", "needs_triton", "both"]


def test_what_has_current_evidence_of_any_machine_is_not_stale(catalog):
    """Of this column, and of the program as it is now; a case without any is stale, too."""
    env = environment()
    current = msgspec.structs.replace(record(env, "confirmed"), **digests(catalog, "both"))
    mark = dataclasses.replace(env.fingerprint, processor="another")
    elsewhere = msgspec.structs.replace(current, fingerprint=mark)
    changed = msgspec.structs.replace(elsewhere, digest="an older program's")

    def stale(record) -> list[str]:
        committed = {("both", env.column): record}
        plan = make_plan(catalog, [env], {}, committed, Settings(stale=True))
        return [job.case.name for job in plan.jobs]

    assert stale(elsewhere) == ["gpu_only", "needs_triton"]
    assert stale(changed) == ["gpu_only", "needs_triton", "both"]


@pytest.mark.parametrize("field", [it.name for it in dataclasses.fields(Fingerprint)])
def test_any_difference_of_the_environment_is_another_fingerprint(catalog, field):
    """Another driver, Python, Triton or build of the same release has to decide for itself."""
    env = environment()
    here = msgspec.structs.replace(record(env, "confirmed"), **digests(catalog, "both"))
    only = Settings(only=("both",))
    assert make_plan(catalog, [env], {("both", env.column): here}, {}, only).current == (here,)
    there = {"variables": {"ATEN_CPU_CAPABILITY": "avx2"}, "torch": "2.13.0+git1234567"}
    mark = dataclasses.replace(env.fingerprint, **{field: there.get(field, "another")})
    if field == "device":
        mark = dataclasses.replace(mark, device="cuda", accelerator="NVIDIA H200")
    other = dataclasses.replace(env, fingerprint=mark)
    assert (other.column == env.column) == (field != "device")
    (job,) = make_plan(catalog, [other], {("both", other.column): here}, {}, only).jobs
    assert job.env is other


def test_what_the_release_lacks_is_not_asked_again(catalog):
    """Unlike what a machine lacked that has it by the next run."""
    env = environment()
    fields = digests(catalog, "both")
    for reason, jobs in (("needs `torch.nonsense`, which torch 2.13.0 lacks", 0), ("needs x", 1)):
        here = msgspec.structs.replace(record(env, "skipped"), reason=reason, **fields)
        known = {("both", env.column): here}
        assert len(make_plan(catalog, [env], known, {}, Settings(only=("both",))).jobs) == jobs


def test_another_release_is_another_column(catalog):
    """Records of one release say nothing of the next, nor of its prereleases."""
    env = environment()
    here = msgspec.structs.replace(record(env, "confirmed"), **digests(catalog, "both"))
    for torch in ("2.13.1", "2.14.0.dev20260101+cpu", "2.13.0a0+gitabc", "2.13.0rc1"):
        other = environment(torch=torch)
        assert other.column != env.column
        only = Settings(only=("both",))
        plan = make_plan(catalog, [env, other], {("both", env.column): here}, {}, only)
        assert plan.current == (here,)
        assert [job.env for job in plan.jobs] == [other]


def test_what_nothing_has_decided_comes_first(catalog):
    """No evidence before stale evidence, none anywhere before some, the severe before the mild."""
    names = {"low": "both", "high": "gpu_only", "medium": "needs_triton"}
    for severity, name in names.items():
        page = catalog.by_name[name].page
        page.write_text(page.read_text().replace("severity: low", f"severity: {severity}"))
    catalog = load_catalog(catalog.root)
    env, other = environment(), environment(torch="2.15.0")

    def order(*records: Record) -> list[str]:
        known = {(r.case, r.column): r for r in records}
        return [job.case.name for job in make_plan(catalog, [env], {}, known, Settings()).jobs]

    assert order() == ["gpu_only", "needs_triton", "both"]
    elsewhere = record(other, "confirmed", "gpu_only")
    assert order(elsewhere) == ["needs_triton", "both", "gpu_only"]
    stale = record(env, "confirmed", "needs_triton")
    assert order(elsewhere, stale) == ["both", "gpu_only", "needs_triton"]


def test_a_gpu_follows_the_list_of_what_to_decide_first(catalog):
    """In the list's order, then the rest; timed ones last, listed or not; a CPU ignores it."""
    for name, old, new in (
        ("gpu_only", "severity: low", "severity: high\nexclusive: true"),
        ("needs_triton", "[cpu]", "[cpu, cuda]"),
    ):
        page = catalog.by_name[name].page
        page.write_text(page.read_text().replace(old, new))
    catalog = load_catalog(catalog.root)

    def order(env: Environment, *first: str) -> list[str]:
        plan = make_plan(catalog, [env], {}, {}, Settings(), first)
        return [job.case.name for job in plan.jobs]

    gpu = environment(device="cuda", accelerator="NVIDIA H100")
    assert order(gpu) == ["both", "needs_triton", "gpu_only"]
    assert order(gpu, "needs_triton") == ["needs_triton", "both", "gpu_only"]
    assert order(gpu, "gpu_only", "needs_triton") == ["needs_triton", "both", "gpu_only"]
    assert order(environment(), "gpu_only") == ["both", "needs_triton", "gpu_only"]


def test_a_gpu_takes_first_what_cost_another_gpu_less(catalog):
    """So that a short time on it decides as much as it can; a CPU has time.

    Where no GPU decided a case, what it cost to compile for one counts.
    """
    page = catalog.by_name["needs_triton"].page
    page.write_text(page.read_text().replace("[cpu]", "[cpu, cuda]"))
    catalog = load_catalog(catalog.root)
    ran = environment(device="cuda", accelerator="NVIDIA A100")
    compiled = environment(device="compiled", accelerator="sm_90")
    costs = (
        ("both", compiled, 9),
        ("needs_triton", ran, 3),
        ("gpu_only", ran, 40),
        ("gpu_only", compiled, 1),
    )
    known = {
        (name, env.column): msgspec.structs.replace(
            record(env, "confirmed", name), cpu_seconds=seconds
        )
        for name, env, seconds in costs
    }

    def order(env: Environment) -> list[str]:
        return [job.case.name for job in make_plan(catalog, [env], {}, known, Settings()).jobs]

    gpu = environment(device="cuda", accelerator="NVIDIA H100")
    assert order(gpu) == ["needs_triton", "both", "gpu_only"]
    assert order(environment()) == ["both", "gpu_only", "needs_triton"]


def test_a_gpu_that_is_too_small_skips_the_case(catalog):
    """And says how much it needs; the CPU is not asked."""
    page = catalog.by_name["both"].page
    page.write_text(page.read_text().replace("severity: low", "severity: low\ngpu_memory: 96000"))
    catalog = load_catalog(catalog.root)
    gpu = environment(device="cuda", accelerator="NVIDIA H100")

    def why(env: Environment) -> str:
        (job,) = make_plan(catalog, [env], {}, {}, Settings(only=("both",))).jobs
        return job.why_skipped

    assert why(dataclasses.replace(gpu, gpu_memory=81559)) == "needs 93.75 GiB of GPU memory"
    assert why(dataclasses.replace(gpu, gpu_memory=143771)) == ""
    assert why(environment()) == ""


def test_parts_share_out_the_cases(catalog):
    """Each case is in one part, on every machine in the same; a part may be empty."""
    env, every = environment(), {case.name for case in catalog.cases}
    parts = [
        [job.case.name for job in make_plan(catalog, [env], {}, {}, Settings(shard=part)).jobs]
        for part in ((1, 3), (2, 3), (3, 3))
    ]
    assert sorted(name for part in parts for name in part) == sorted(every)
    many = [make_plan(catalog, [env], {}, {}, Settings(shard=(n, 50))).jobs for n in range(1, 51)]
    assert sum(map(len, many)) == len(every) and () in many


def test_timed_cases_run_alone_in_their_place(catalog, monkeypatch):
    """The order is the plan's: what is timed has the machine to itself, the rest shares it."""
    done: list[str] = []

    class Decider:
        async def decide(self, job):
            await asyncio.sleep(0)
            done.append(job.case.name)

    @contextlib.asynccontextmanager
    async def turn(self, case):
        done.append(f"({case}")
        yield
        done.append(")")

    @contextlib.asynccontextmanager
    async def deciders(self, jobs):
        yield {job.env.python: Decider() for job in jobs}

    page = catalog.by_name["gpu_only"].page
    page.write_text(page.read_text().replace("severity: low", "severity: low\nexclusive: true"))
    catalog = load_catalog(catalog.root)
    monkeypatch.setattr(run.TimedTurns, "turn", turn)
    monkeypatch.setattr(run, "gpu_programs", list)
    monkeypatch.setattr(run._Run, "_deciders", deciders)
    gpu = environment(device="cuda", accelerator="NVIDIA H100")
    both, timed = make_plan(catalog, [gpu], {}, {}, Settings(), ("gpu_only",)).jobs
    plan = Plan((timed, both, both, timed, timed), ())

    def order() -> str:
        done.clear()
        asyncio.run(run._Run(catalog, Settings(jobs=2), lambda _: None).within_budget(plan))
        return " ".join(done)

    assert order() == "(gpu_only gpu_only ) both both (gpu_only gpu_only ) (gpu_only gpu_only )"
    timed.case.proof.write_text("from validators.probes import compare_steps\n")
    assert order() == "(gpu_only gpu_only ) both both (gpu_only gpu_only gpu_only )"
    timed.case.proof.write_text("from validators.probes import (\n")
    assert order() == "(gpu_only gpu_only ) both both (gpu_only gpu_only ) (gpu_only gpu_only )"


@pytest.mark.parametrize(("memory", "jobs"), [(0, 8), (81559, 8), (24 * 1024, 3), (4096, 1)])
def test_how_many_arms_run_at_a_time(memory, jobs, monkeypatch):
    """A core each, eight at most, and on a GPU 8 GiB of its memory each; at least one."""
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert default_jobs([dataclasses.replace(environment(), gpu_memory=memory)]) == jobs


def test_a_skipped_case_runs_once_its_need_is_met(catalog):
    """What was skipped for want of a package is not current where the package is there."""
    without, with_triton = environment(), environment()
    with_triton = dataclasses.replace(with_triton, modules=frozenset({"torch", "triton"}))
    case = catalog.by_name["needs_triton"]
    skipped = msgspec.structs.replace(
        record(without, "skipped", "needs_triton"),
        reason="needs the package triton",
        **digests(catalog, case.name),
    )
    known = {("needs_triton", without.column): skipped}
    only = Settings(only=("needs_triton",))
    assert make_plan(catalog, [without], known, {}, only).current == (skipped,)
    assert make_plan(catalog, [with_triton], known, {}, only).current == ()


def test_a_device_without_meaning_is_said(catalog):
    """Naming a CPU claim for a GPU is one sentence, not a silent success."""
    gpu = environment(device="cuda", accelerator="NVIDIA H200", cuda="13.0")
    with pytest.raises(CasebookError, match="no selected case has a meaning there"):
        make_plan(catalog, [gpu], {}, {}, Settings(only=("needs_triton",)))


def test_compiling_for_a_gpu_takes_the_cases_that_say_so(catalog, tmp_path):
    """Nobody is asked for witnesses there: they compare values."""
    page = tmp_path / "playbooks/catalog/tooling/both.md"
    page.write_text(page.read_text().replace("kind:", "compiled: tracing\nkind:"))
    compiled = dataclasses.replace(
        environment(device="compiled", accelerator="sm_90", torch="2.15.0"), board="sm_90"
    )
    (job,) = make_plan(load_catalog(catalog.root), [compiled], {}, {}, Settings()).jobs
    assert (job.case.name, job.unmet, job.witnesses) == ("both", "", ())
    assert (compiled.device, compiled.gpu) == ("cuda", False)
    assert job.key == ("both", "torch-2.15.0-sm90-compiled")


@pytest.mark.parametrize(("python", "asked"), [("3.11.9", ()), ("3.12.1", USUAL)])
def test_witnesses_are_asked_anew_under_another_python(catalog, python, asked):
    """What they saw under another release of Python says nothing about this one's bytecode."""
    env, case = environment(), catalog.by_name["both"]
    witnessed = msgspec.structs.replace(
        record(env, "confirmed"),
        **digests(catalog, case.name),
        witnesses={"uncompiled": "refuted"},
    )
    known = {("both", env.column): witnessed}
    other = environment(python=python)
    (job,) = make_plan(catalog, [other], {}, known, Settings(only=("both",))).jobs
    assert job.witnesses == asked
