import re
import tempfile
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

from validators.probes import captured_facts


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x).relu() + x


def recorded(device, with_stack, calls_before):
    """How many Python frames, and how many of the compiler's, the trace of one call holds."""
    model, x = Block().to(device), torch.randn(2, 8, device=device)
    graphs = []

    def backend(graph, _inputs):
        graphs.append(graph)
        return graph

    compiled = torch.compile(model, backend=backend, fullgraph=True)
    for _ in range(calls_before):
        compiled(x)
    compiled_before = len(graphs)
    with profile(activities=[ProfilerActivity.CPU], with_stack=with_stack) as profiler:
        y = compiled(x)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        # Not read as JSON: what else Kineto writes into the file is not always valid.
        trace = path.read_text()
    frames = re.findall(r'"cat": "python_function",\s*"name": "([^"]*)"', trace)
    return {
        "frames": len(frames),
        "of_the_compiler": sum("torch/_dynamo/" in frame for frame in frames),
        "linear_seen": '"aten::linear"' in trace,
        "compiled_inside": len(graphs) - compiled_before,
        "right": torch.equal(y, model(x)),
    }


def arm(device, calls_before):
    return captured_facts(
        stacks=lambda: recorded(device, True, calls_before),
        no_stacks=lambda: recorded(device, False, calls_before),
    )


def symptom(device):
    return arm(device, calls_before=0)


def remedy(device):
    return arm(device, calls_before=1)


def shows(report):
    stacks, no_stacks = report.facts["stacks"], report.facts["no_stacks"]
    for profiled in (stacks, no_stacks):
        assert profiled["right"] and profiled["linear_seen"], profiled
    assert no_stacks["frames"] == 0 and stacks["frames"] > 0, report.facts
    assert stacks["compiled_inside"] == no_stacks["compiled_inside"], report.facts
    if stacks["compiled_inside"]:
        return stacks["of_the_compiler"] > 1000 and stacks["frames"] > 10_000
    assert stacks["frames"] < 1000, stacks
    return False
