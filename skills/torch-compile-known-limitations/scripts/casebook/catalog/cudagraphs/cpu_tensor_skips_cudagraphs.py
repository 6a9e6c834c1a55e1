import torch
from torch._inductor import config

from validators.probes import observe

# Before torch 2.9 graphs were never split, and the option did not exist.
UNSPLIT = {"graph_partition": False} if hasattr(config, "graph_partition") else {}


@torch.no_grad()
def serve(device, scale):
    linear = torch.nn.Linear(8, 8).to(device)
    calls = [(torch.randn(2, 8, device=device), scale) for _ in range(4)]
    return observe(
        lambda x, scale: linear(x) * scale,
        calls,
        backend="inductor",
        options={"triton.cudagraphs": True, **UNSPLIT},
        compare=["eager"],
    )


def symptom(device):
    return serve(device, torch.tensor(2.0))


def remedy(device):
    return serve(device, torch.tensor(2.0, device=device))


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-3 for call in report.calls)
    seen = report.cudagraphs
    if seen.skips:
        return seen.replays == 0 and all("cpu device" in reason for reason in seen.skips)
    assert seen.replays > 0
    return False
