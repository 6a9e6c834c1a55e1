"""What it takes to decide a case, and what is kept of what witnesses saw."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from tests.validators.runner.conftest import environment
from validators.catalog import load_catalog
from validators.evidence import Record
from validators.evidence.stored.witnessed import Witnessed
from validators.probes.report import Call, Report
from validators.runner import arms
from validators.runner.decide import Decider, Decision
from validators.runner.plan import Job, Settings, make_plan
from validators.runner.processes.outcome import Outcome
from validators.runner.processes.workers import Task


class _Workers:
    """Workers that note what they are asked to run, and give no result.

    `most` is how many tasks ran at a time.
    """

    isolation = "fork"
    directory = Path("/nowhere")

    def __init__(self) -> None:
        self.env = environment()
        self.tasks: list[Task] = []
        self.running = self.most = 0

    async def run(self, task: Task) -> Outcome:
        """Note `task`."""
        self.tasks.append(task)
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0.01)
        self.running -= 1
        return Outcome(failure="none was meant to")


class _CostlyWorkers(_Workers):
    """Workers whose arms take a CPU second, their witnesses four, and a judgement 16."""

    async def run(self, task: Task) -> Outcome:
        """A result of the kind that is asked for."""
        if task.request["task"] == "judge":
            ran = [pair["symptom"]["calls"][0]["executions"] > 0 for pair in task.request["pairs"]]
            said = [{"symptom": shows, "remedy": False} for shows in ran]
            return Outcome({"shows": said}, cpu_seconds=16.0)
        ran = int(task.request.get("mode") != "uncompiled")
        report = Report(calls=(Call(compiled=ran, executions=ran),)).to_json()
        if task.request["task"] == "witness":
            seen = {"compared": {"calls": 1, "difference": ""}, "substituted": True, "backwards": 0}
            return Outcome({"report": report, "audits": [], **seen}, cpu_seconds=4.0)
        torch = environment().fingerprint.torch
        result = {"report": report, "modules": {}, "torch": torch, "invented": []}
        return Outcome(result, cpu_seconds=1.0)


@pytest.mark.parametrize("repeat", [1, 3])
def test_a_case_costs_what_both_arms_take_once(catalog, repeat, monkeypatch):
    """Repeats do not make it dearer, and its three witnesses are counted apart."""
    monkeypatch.setattr(arms, "objection", lambda *_: "")
    catalog.by_name["both"].proof.write_text("")
    settings = Settings(only=("both",), repeat=repeat)
    (job,) = make_plan(catalog, [environment()], {}, {}, settings).jobs

    async def decided() -> Decision:
        decider = Decider(catalog.root, _CostlyWorkers(), settings, asyncio.Semaphore(1))
        return await decider.decide(job)

    decision = asyncio.run(decided())
    assert decision.record.verdict == "confirmed"
    assert decision.cpu_seconds == 2.0
    assert decision.arms_cpu_seconds == 2.0 * repeat
    assert decision.witnesses_cpu_seconds == 3 * 8.0 + 2 * 16.0


def test_results_that_are_compared_anew_replace_the_old_difference(catalog, monkeypatch):
    """What an earlier run saw is kept only where nobody asks again."""
    monkeypatch.setattr(arms, "objection", lambda *_: "")
    catalog.by_name["both"].proof.write_text("")
    settings = Settings(only=("both",), witnesses="all")
    (job,) = make_plan(catalog, [environment()], {}, {}, settings).jobs
    old = Witnessed({"uncompiled": "refuted"}, {"symptom": "call 0: values differ by 1"})

    async def decided(job: Job) -> Decision:
        decider = Decider(catalog.root, _CostlyWorkers(), settings, asyncio.Semaphore(1))
        return await decider.decide(job)

    anew = dataclasses.replace(job, seen=old)
    assert asyncio.run(decided(anew)).record.differs == {}
    unasked = dataclasses.replace(anew, witnesses=())
    assert asyncio.run(decided(unasked)).record.differs == old.differs


@pytest.mark.parametrize(("source", "verdict"), [("torch.nonsense()", "skipped"), ("", "error")])
def test_an_arm_that_asks_for_what_torch_lacks_is_no_error(catalog, source, verdict):
    """If its proof is who asks."""

    class Lacking(_Workers):
        async def run(self, task: Task) -> Outcome:
            return Outcome(failure="AttributeError: module 'torch' has no attribute 'nonsense'")

    catalog.by_name["both"].proof.write_text(source)
    settings = Settings(only=("both",))
    (job,) = make_plan(catalog, [environment()], {}, {}, settings).jobs

    async def decided() -> Decision:
        decider = Decider(catalog.root, Lacking(), settings, asyncio.Semaphore(1))
        return await decider.decide(job)

    record = asyncio.run(decided()).record
    assert record.verdict == verdict
    assert record.lacks == (verdict == "skipped")


class _LackingWorkers(_CostlyWorkers):
    """Workers without `torch.nonsense`, which the remedy uses, in a call or before it.

    `shows` is what is said of the symptom.
    """

    def __init__(self, shows: bool, in_call: bool) -> None:
        super().__init__()
        self.shows, self.in_call = shows, in_call

    async def run(self, task: Task) -> Outcome:
        """What the arms, or the judgement of those that gave a report, come to."""
        if task.request["task"] == "judge":
            return Outcome({"shows": [dict.fromkeys(task.request["pairs"][0], self.shows)]})
        said = "module 'torch' has no attribute 'nonsense'"
        if task.request["arm"] != "remedy":
            return await super().run(task)
        if not self.in_call:
            return Outcome(failure=f"AttributeError: {said}")
        done = await super().run(task)
        caught = {"type": "AttributeError", "message": said, "call": 0, "break_id": ""}
        done.result["report"]["exception"] = caught
        return done


@pytest.mark.parametrize(
    ("shows", "in_call", "source", "verdict", "reason"),
    [
        (True, True, "torch.nonsense()", "remedy-failed", "the remedy needs"),
        (True, False, "torch.nonsense()", "remedy-failed", "the remedy needs"),
        (True, True, "", "remedy-failed", ""),
        (True, False, "", "error", "the remedy: AttributeError"),
        (False, True, "torch.nonsense()", "refuted", ""),
        (False, False, "torch.nonsense()", "skipped", "needs `torch.nonsense`"),
    ],
)
def test_a_release_that_lacks_the_remedy_still_has_the_symptom(
    catalog, monkeypatch, shows, in_call, source, verdict, reason
):
    """Who cannot use the fix is affected all the same."""
    monkeypatch.setattr(arms, "objection", lambda *_: "")
    catalog.by_name["both"].proof.write_text(source)
    settings = Settings(only=("both",), witnesses="none")
    (job,) = make_plan(catalog, [environment()], {}, {}, settings).jobs
    workers = _LackingWorkers(shows, in_call)

    async def decided() -> Record:
        decider = Decider(catalog.root, workers, settings, asyncio.Semaphore(1))
        record = (await decider.decide(job)).record
        if record.symptom:
            again = await decider.judge_again(job.case, record)
            assert (again.verdict, again.reason) == (record.verdict, record.reason)
        return record

    record = asyncio.run(decided())
    assert (record.verdict, record.reason[: len(reason)]) == (verdict, reason)
    assert bool(record.reason) == bool(reason)
    if verdict == "remedy-failed":
        assert record.symptom


@pytest.mark.parametrize(
    ("exclusive", "proof", "share", "most"),
    [
        ("", "", 0.9 / 4, 2),
        ("exclusive: true", "", 1.0, 1),
        ("exclusive: true", "from validators.probes import compare_steps", 1.0, 6),
    ],
)
def test_arms_that_run_together_share_a_gpus_memory(catalog, exclusive, proof, share, most):
    """One of four arms at a time may take a quarter, less what their contexts take; alone, all.

    The three repeats of what is timed run beside each other where its probe takes turns.
    """
    page = catalog.by_name["gpu_only"].page
    page.write_text(page.read_text().replace("severity: low", f"severity: low\n{exclusive}"))
    catalog = load_catalog(catalog.root)
    catalog.by_name["gpu_only"].proof.write_text(proof)
    gpu = environment(device="cuda", accelerator="NVIDIA H200", cuda="13.0")
    settings = Settings(only=("gpu_only",), jobs=4)
    (job,) = make_plan(catalog, [gpu], {}, {}, settings).jobs
    workers = _Workers()

    async def decide() -> None:
        await Decider(catalog.root, workers, settings, asyncio.Semaphore(8)).decide(job)

    asyncio.run(decide())
    assert {task.request["gpu_share"] for task in workers.tasks} == {share}
    assert {bool(task.request["turns"]) for task in workers.tasks} == {bool(proof)}
    assert workers.most == most
