"""Witnesses asked by a real run: uncompiled, under another backend, audited."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import call
from tests.validators.runner import toy
from validators.cli import main
from validators.evidence import load_evidence

ROOT = Path(__file__).resolve().parents[3]
torch_here = importlib.util.find_spec("torch") is not None
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch_here, reason="the arms need torch")]

HEADER = """
import torch

from validators.probes import captured_facts, observe

def branch(x):
    return x + 1 if x.sum() > 0 else x - 1

def select(x):
    return torch.where(x.sum() > 0, x + 1, x - 1)

def symptom(device):
    return observe(branch, [(torch.ones(4, device=device),)])

def remedy(device):
    return observe(select, [(torch.ones(4, device=device),)])

def shows(report):
    return len(report.graph_breaks) > 0
"""
WRONG = """
def wrong(gm, inputs):
    return lambda *args: tuple(value + 1 for value in gm(*args))

def remedy(device):
    return observe(select, [(torch.ones(4, device=device),)], backend=wrong)
"""
PROOFS = {
    "agrees": "",
    "only_eager": """
def gradient_of(x):
    return torch.compile(torch.sin, backend="eager")(x).grad_fn.name()

def symptom(device):
    return captured_facts(name=lambda: gradient_of(torch.ones(2, requires_grad=True)))

def remedy(device):
    return captured_facts(name=lambda: "another")

def shows(report):
    return report.facts["name"] == "SinBackward0"
""",
    "wrong_remedy": WRONG,
    "wrong_symptom": WRONG.replace("remedy", "symptom").replace("select", "branch"),
    "shows_anyhow": """
def symptom(device):
    return captured_facts(value=lambda: 1)

def remedy(device):
    return captured_facts(value=lambda: 0)

def shows(report):
    return report.facts["value"] == 1
""",
    "only_inference": """
def branch(x):
    if not x.requires_grad:
        torch._dynamo.graph_break()
    return x + 1
""",
    "no_backward": """
class NoBackward(torch.autograd.Function):
    forward = staticmethod(lambda ctx, x: x + 1)

def branch(x):
    return NoBackward.apply(x) if x.sum() > 0 else x
""",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory, shared_workers) -> dict[str, dict[str, Any]]:
    """What a run decided of every proof, by name, with the witnesses of recorded ones."""
    area = tmp_path_factory.mktemp("witnesses") / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True)
    for name, proof in PROOFS.items():
        (area / f"{name}.py").write_text(HEADER + proof)
        (area / f"{name}.md").write_text(toy.PAGE.format(name=name, devices="cpu", extra=""))
    words = ("run-all", "--json", "--device", "cpu", "--catalog", area.parent)
    words = (*words, "--witnesses", "training", "--record")
    with shared_workers.lent():
        done = call(main, *words, cwd=ROOT)
    results = {result["case"]: result for result in json.loads(done.stdout)["results"]}
    for record in load_evidence(area.parents[1] / "evidence").values():
        results[record.case]["witnesses"] = record.witnesses
    return results


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("agrees", "confirmed", ""),
        ("only_eager", "error", "under aot_eager it is refuted"),
        ("wrong_remedy", "remedy-failed", "call 0: values differ by 1"),
        ("wrong_symptom", "error", "call 0: values differ by 1"),
        ("shows_anyhow", "error", "confirmed without compiling"),
    ],
)
def test_a_witness_takes_a_verdict_away(results, name, verdict, reason):
    """Each kind of weak proof loses to the witness that sees through it."""
    assert results[name]["verdict"] == verdict
    assert reason in results[name]["reason"]


@pytest.mark.parametrize(
    ("name", "seen"),
    [("agrees", "confirmed"), ("only_inference", "refuted"), ("no_backward", None)],
)
def test_a_claim_is_decided_in_training_where_its_arms_can_train(results, name, seen):
    """Another verdict there takes none away; arms without a backward pass are not asked."""
    assert results[name]["witnesses"].get("training") == seen
    if name == "only_inference":
        assert results[name]["verdict"] == "confirmed"
