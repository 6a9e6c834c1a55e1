import torch

from validators.probes import captured_facts, captured_log

LOGS = [f"torch._inductor.cudagraph_{part}.__cudagraphs" for part in ("trees", "utils")]


@torch.no_grad()
def told(device, **skip):
    options = {"triton.cudagraphs": True, "graph_partition": False, **skip}
    scale = torch.compile(lambda x: x.relu() * 2, dynamic=True, options=options)
    with captured_log(*LOGS) as messages:
        for length in (16, 24, 32, 40):
            scale(torch.randn(length, 8, device=device))
    # A reason goes on with the place in the code.
    return [it.partition(" Found from")[0] for it in messages]


def symptom(device):
    return captured_facts(told=lambda: told(device))


def remedy(device):
    skip = {"triton.cudagraph_skip_dynamic_graphs": True}
    return captured_facts(told=lambda: told(device, **skip))


def shows(report):
    lines = report.facts["told"]
    if any("skipping cudagraphs due to graph with symbolic shapes" in it for it in lines):
        return False
    return sum("Recording cudagraph tree for symint key" in it for it in lines) == 4
