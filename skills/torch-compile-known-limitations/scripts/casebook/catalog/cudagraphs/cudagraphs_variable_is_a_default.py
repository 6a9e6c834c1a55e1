import torch
from torch._inductor import config

from validators.probes import captured_facts, observe


def order(x):
    # An op of the library: Inductor generates no kernel for it, and tunes none.
    return torch.sort(x).values


@torch.no_grad()
def asked_for(device, **options):
    """How often CUDA graphs were asked for: recorded, or skipped, as they always are on a CPU."""
    x = torch.randn(2, 8, device=device)
    seen = observe(order, [(x,)] * 3, backend="inductor", **options).cudagraphs
    return 0 if seen is None else seen.recordings + len(seen.skips)


def compiled_with(device, **options):
    return captured_facts(
        default=lambda: config.triton.cudagraphs,
        asked_for=lambda: asked_for(device, **options),
    )


def symptom(device):
    return compiled_with(device)


def remedy(device):
    return compiled_with(device, options={"triton.cudagraphs": False})


def shows(report):
    return report.facts["default"] is True and report.facts["asked_for"] > 0
