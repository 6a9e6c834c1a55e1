import torch

from validators.probes import observe


def order(x):
    # An op of the library: Inductor generates no kernel for it, and tunes none.
    return torch.sort(x).values


@torch.no_grad()
def infer(device, **options):
    x = torch.randn(2, 8, device=device)
    return observe(order, [(x,)] * 3, backend="inductor", **options)


def symptom(device):
    return infer(device, mode="reduce-overhead")


def remedy(device):
    return infer(device, mode="max-autotune-no-cudagraphs")


def shows(report):
    """Whether CUDA graphs were asked for: on the CPU each request ends in a skip."""
    seen = report.cudagraphs
    return seen is not None and (seen.recordings > 0 or len(seen.skips) > 0)
