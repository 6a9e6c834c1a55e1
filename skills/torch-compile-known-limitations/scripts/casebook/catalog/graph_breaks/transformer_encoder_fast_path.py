import re

import torch
from torch import nn

from validators.probes import captured_facts

LENGTHS = (5, 7, 9)


def encode(device, fast_path, **options):
    """How many graphs ran in the call of each length, up to one that was refused, and why."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, nhead=2, dim_feedforward=32, batch_first=True)
    model = nn.TransformerEncoder(layer, num_layers=2).to(device).eval()
    ran = []

    def backend(graph, inputs):
        def run(*args):
            ran[-1] += 1
            return graph.forward(*args)

        return run

    compiled = torch.compile(model, backend=backend, **options)
    was_enabled = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(fast_path)
    try:
        with torch.no_grad():
            for length in LENGTHS:
                ran.append(0)
                x_BTD = torch.randn(2, length, 16, device=device)
                try:
                    result = compiled(x_BTD)
                except torch._dynamo.exc.Unsupported as error:
                    return [*ran[:-1], re.search(r"unsupported operator: [\w.]+", str(error))[0]]
                torch.testing.assert_close(result, model(x_BTD))
    finally:
        torch.backends.mha.set_fastpath_enabled(was_enabled)
    return ran


def runs(device, fast_path):
    return captured_facts(
        by_default=lambda: encode(device, fast_path),
        fullgraph=lambda: encode(device, fast_path, fullgraph=True),
    )


def symptom(device):
    return runs(device, fast_path=True)


def remedy(device):
    return runs(device, fast_path=False)


def shows(report):
    default, fullgraph = report.facts["by_default"], report.facts["fullgraph"]
    if default == fullgraph == [1, 1, 1]:
        return False
    refused = [1, "unsupported operator: aten._transformer_encoder_layer_fwd.default"]
    assert (default, fullgraph) == ([1, 0, 0], refused), report.facts
    return True
