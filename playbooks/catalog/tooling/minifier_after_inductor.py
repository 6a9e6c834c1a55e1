import tempfile
from pathlib import Path

import torch
import torch._dynamo
from torch._inductor import config

from validators.probes import captured_facts


def block(x):
    return torch.relu(x.sin() + 1) * 3


def step(device, backend):
    x = torch.randn(4, device=device)
    torch.testing.assert_close(torch.compile(block, backend=backend)(x), block(x))
    return "runs"


def left_by_a_failure(device):
    """Whether each launcher that a failing compile leaves behind holds the op at fault."""
    # Inductor's own tests inject the failure this way: its C++ for relu does not compile.
    fault = {"cpp.inject_relu_bug_TESTING_ONLY": "compile_error"}
    with (
        tempfile.TemporaryDirectory() as folder,
        torch._dynamo.config.patch(debug_dir_root=folder),
        config.patch(fault),
    ):
        try:
            step(device, "inductor")
        except Exception:
            launchers = Path(folder).rglob("minifier_launcher.py")
            return ["aten.relu" in launcher.read_text() for launcher in launchers]
    return "runs"


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
    if facts.get("healthy") == "runs":
        return facts["left_by_a_failure"] != [True]
    return "AssertionError" in facts["healthy.message"] and facts["left_by_a_failure"] == []
