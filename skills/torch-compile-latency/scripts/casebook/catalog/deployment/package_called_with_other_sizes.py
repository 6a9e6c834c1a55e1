import os
import tempfile
from pathlib import Path
from unittest.mock import patch

import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts, captured_stderr


def serve(device, **options):
    """Package a model with two samples as the example, and send four, unchecked and checked."""
    model = nn.Sequential(nn.LayerNorm(8), nn.GELU()).to(device).eval()
    two, four = (torch.randn(samples, 8, device=device) for samples in (2, 4))
    program = export(model, (two,), **options)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = torch._inductor.aoti_compile_and_package(
            program,
            package_path=str(Path(folder, "model.pt2")),
            # How fast the code around the kernel runs is no matter here; it is slow to optimize.
            inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0"},
        )

        def answer(x, checked):
            # The library reads the variable in its first call: load it for each value.
            with patch.dict(os.environ, AOTI_RUNTIME_CHECK_INPUTS=checked):
                package = torch._inductor.aoti_load_package(path)
                try:
                    with captured_stderr() as said:
                        answered = package(x)
                except RuntimeError:
                    return said.lines("input_handles")
            rows = len(answered)
            torch.testing.assert_close(answered, model(x)[:rows])
            return rows

        return captured_facts(
            two=lambda: answer(two, "0"),
            four=lambda: answer(four, "0"),
            two_checked=lambda: answer(two, "1"),
            four_checked=lambda: answer(four, "1"),
        )


def symptom(device):
    return serve(device)


def remedy(device):
    return serve(device, dynamic_shapes=({0: Dim("batch", max=1024)},))


def shows(report):
    facts = report.facts
    assert facts["two"] == facts["two_checked"] == 2, facts
    if facts.get("four_checked") == 4:
        assert facts["four"] == 4, facts
        return False
    refused = "Error: input_handles[0]: unmatched dim value at 0, expected: 2, but got: 4"
    assert facts["four_checked"] == [refused], facts
    return facts.get("four") == 2
