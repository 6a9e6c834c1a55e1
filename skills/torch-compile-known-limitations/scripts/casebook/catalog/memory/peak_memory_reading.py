import torch

from validators.probes import captured_facts


@torch.compile
def step(x, weight):
    for _ in range(16):
        x = torch.relu(x @ weight)
    return x


@torch.no_grad()
def read_peak(device, synchronize):
    """The peak as it is read with a step still queued, and whether the device was done by then."""
    weight = torch.randn(8192, 8192, device=device) / 64
    x = torch.randn(8192, 8192, device=device)
    step(x, weight)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    done = torch.cuda.Event()
    step(x, weight)
    done.record()
    if synchronize:
        torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated()
    waited = done.query()
    torch.cuda.synchronize()
    final = torch.cuda.max_memory_allocated()
    return captured_facts(
        waited=lambda: waited, bytes_read=lambda: peak, bytes_when_done=lambda: final
    )


def symptom(device):
    return read_peak(device, synchronize=True)


def remedy(device):
    return read_peak(device, synchronize=False)


def shows(report):
    facts = report.facts
    return facts["waited"] or facts["bytes_read"] != facts["bytes_when_done"]
