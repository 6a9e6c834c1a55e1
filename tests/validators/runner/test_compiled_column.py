"""Proofs that lie in every way about a GPU that is not there; on a CUDA build of torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pythons import cuda_build
from validators.evidence import load_evidence
from validators.files import ROOT

pytestmark = [pytest.mark.matrix, pytest.mark.slow]
COLUMN = "-sm90-compiled"
PAGE = """---
claim: A claim about {name}.
kind: limitation
severity: low
devices: [cuda]
compiled: {compiled}
---
# {name}
"""
HEADER = """
import torch
from validators.probes import captured_facts, inductor_code, observe

def two(device, f=lambda x: x.sin() + 1, **options):
    return observe(f, [(torch.ones(64, 64, device=device),)] * 2, backend="aot_eager", **options)

def symptom(device): return two(device)
def remedy(device): return two(device)
"""
PROOFS = {
    "kernels": """
def made(device, **options):
    return inductor_code(torch.sum, [(torch.ones(2**22, device=device),)], options=options)
def symptom(device): return made(device, split_reductions=False)
def remedy(device): return made(device, split_reductions=True)
def shows(report): return len(report.facts["kernels"]) == 1
""",
    "breaks": """
def printing(x):
    print("here")
    return x + 1
def symptom(device): return two(device, printing)
def shows(report): return len(report.graph_breaks) == 1
""",
    "value": """
def symptom(device): return two(device, lambda x: x * 2 if x.sum().item() > 0 else x)
def shows(report): return len(report.graph_breaks) > 0
""",
    "swallowed_value": """
def symptom(device): return captured_facts(right=lambda: bool(torch.ones(2, device=device).all()))
def remedy(device): return captured_facts(right=lambda: True)
def shows(report): return "right.exception" in report.facts
""",
    "compared_value": """
def symptom(device): return two(device, compare=["eager"])
def shows(report): return report.worst_difference == 0
""",
    "clock": """
def timed(device, **options):
    f = lambda x: x.half() @ x.half()
    return inductor_code(f, [(torch.ones(64, 64, device=device),)], options=options)
def symptom(device):
    return timed(device, max_autotune_gemm=True, max_autotune_gemm_backends="ATEN,TRITON")
def remedy(device): return timed(device)
def shows(report): return len(report.facts["kernels"]) > 0
""",
    "time": "def shows(report): return report.times['compile'][0] > 0\n",
    "memory": "def shows(report): return report.memory['cuda_allocated_peak'] == 0\n",
    "memory_in_an_arm": """
def symptom(device):
    two(device)
    return captured_facts(peak=lambda: torch.cuda.max_memory_allocated())
def shows(report): return "peak.exception" in report.facts
""",
    "replay": "def shows(report): return report.cudagraphs.replays == 0\n",
    "replay_in_an_arm": """
def symptom(device):
    seen = two(device).cudagraphs
    return captured_facts(replays=lambda: seen.replays + seen.recordings)
def shows(report): return "replays.exception" in report.facts
""",
    "backend": """
def failing(graph, inputs): raise RuntimeError("no such thing")
def symptom(device):
    f = torch.compile(lambda x: x + 1, backend=failing)
    return observe(f, [(torch.ones(4, device=device),)], compile=lambda it: it)
def shows(report): return report.exception is not None
""",
    "no_exception": "def shows(report): return report.exception is not None\n",
}
EXPECTED = {
    "kernels": ("confirmed", ""),
    "breaks": ("confirmed", ""),
    "value": ("undecided", "(value)"),
    "swallowed_value": ("undecided", "(value)"),
    "compared_value": ("undecided", ""),
    "clock": ("undecided", "the algorithm of a template (clock)"),
    "time": ("undecided", "no GPU to ask for this: times"),
    "memory": ("undecided", "no GPU to ask for this: memory"),
    "memory_in_an_arm": ("undecided", "torch.cuda.max_memory_allocated (memory)"),
    "replay": ("undecided", "no GPU to ask for this: cudagraphs.replays"),
    "replay_in_an_arm": ("undecided", "cudagraphs.replays (replay)"),
    "backend": ("undecided", "BackendCompilerFailed without a GPU"),
    "no_exception": ("undecided", "the symptom raised nothing"),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The records of all proofs, by case, and the output of the run."""
    root: Path = tmp_path_factory.mktemp("lies")
    area = root / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True)
    for name, code in PROOFS.items():
        compiled = "tracing" if name == "breaks" else "kernels"
        (area / f"{name}.md").write_text(PAGE.format(name=name, compiled=compiled))
        (area / f"{name}.py").write_text(HEADER + code)
    (area / "silent.md").write_text(PAGE.format(name="silent", compiled="''"))
    (area / "silent.py").write_text(HEADER + PROOFS["time"])
    command = [sys.executable, "-m", "validators", "run-all", "--catalog", str(area.parent)]
    command += ["--python", cuda_build().python, "--device", "sm_90", "-j", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=1800)
    records = load_evidence(root / "build" / "evidence")
    return {case: record for (case, _), record in records.items()}, done


@pytest.mark.parametrize("name", PROOFS)
def test_what_only_a_gpu_has_is_undecided(recorded, name) -> None:
    """With the reason; what a compiler decides is decided."""
    record = recorded[0][name]
    verdict, reason = EXPECTED[name]
    assert (record.verdict, reason in record.reason) == (verdict, True), record.reason
    assert record.column.endswith(COLUMN)
    assert (record.fingerprint.device, record.fingerprint.accelerator) == ("compiled", "sm_90")


def test_only_what_opts_in_runs(recorded) -> None:
    """And nothing that is undecided contradicts the catalog."""
    records, done = recorded
    assert records.keys() == PROOFS.keys()
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert json.loads(done.stdout)["totals"] == {"confirmed": 2, "undecided": 11}


def test_a_record_covers_the_pretended_device(recorded) -> None:
    """An edit to it makes the record stale."""
    assert "validators/pretended/tensors.py" in recorded[0]["kernels"].modules
