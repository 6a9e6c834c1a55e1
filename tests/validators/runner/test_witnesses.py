"""Witnesses asked by a real run: uncompiled, under another backend, audited."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.commands import call
from tests.validators.runner import toy
from validators.cli import main

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
}


@pytest.fixture(scope="module")
def results(tmp_path_factory, shared_workers) -> dict[str, dict[str, str]]:
    """What a run decided of every proof, by name."""
    area = tmp_path_factory.mktemp("witnesses") / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True)
    for name, proof in PROOFS.items():
        (area / f"{name}.py").write_text(HEADER + proof)
        (area / f"{name}.md").write_text(toy.PAGE.format(name=name, devices="cpu", extra=""))
    words = ("run-all", "--json", "--device", "cpu", "--catalog", area.parent)
    with shared_workers.lent():
        done = call(main, *words, cwd=ROOT)
    return {result["case"]: result for result in json.loads(done.stdout)["results"]}


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
