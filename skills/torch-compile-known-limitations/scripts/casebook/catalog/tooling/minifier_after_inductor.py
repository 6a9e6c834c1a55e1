import tempfile
from pathlib import Path
from unittest import mock

import torch
import torch._inductor.compile_fx  # before parts of it, which import one another
from torch._inductor.lowering import lowerings

from validators.probes import captured_facts


def block(x):
    return torch.relu(x.sin() + 1) * 3


def step(device, backend):
    x = torch.randn(4, device=device)
    torch.testing.assert_close(torch.compile(block, backend=backend)(x), block(x))
    return "runs"


def no_lowering(*args):
    raise NotImplementedError("no lowering of relu")


def left_by_a_failure(device):
    """How a compile ends that fails in Inductor, and what launchers it leaves behind."""
    with (
        tempfile.TemporaryDirectory() as folder,
        torch._dynamo.config.patch(debug_dir_root=folder),
        mock.patch.dict(lowerings, {torch.ops.aten.relu.default: no_lowering}),
    ):
        try:
            step(device, "inductor")
        except Exception as error:
            launchers = [it.read_text() for it in Path(folder).rglob("minifier_launcher.py")]
            return {
                "in_inductor": "no lowering of relu" in str(error),
                "launchers": len(launchers),
                "with_relu": sum("aten.relu" in launcher for launcher in launchers),
            }
    raise RuntimeError("The op without a lowering was compiled.")


def minify(device):
    return captured_facts(
        healthy=lambda: step(device, "eager"), left_by_a_failure=lambda: left_by_a_failure(device)
    )


def symptom(device):
    return minify(device)


def remedy(device):
    return minify(device)


def shows(report):
    facts = report.facts
    left = facts["left_by_a_failure"]
    if facts.get("healthy") == "runs":
        return left != {"in_inductor": True, "launchers": 1, "with_relu": 1}
    refused = facts["healthy.exception"] == "torch._dynamo.exc.BackendCompilerFailed"
    asserted = "AssertionError" in facts["healthy.message"]
    return refused and asserted and left == {"in_inductor": False, "launchers": 0, "with_relu": 0}
