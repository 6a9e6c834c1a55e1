import torch

from validators.probes import observe


@torch.no_grad()
def serve(device, **options):
    linear = torch.nn.Linear(8, 8).to(device)
    return observe(linear, [(torch.ones(2, 8, device=device),)] * 3, backend="inductor", **options)


def symptom(device):
    return serve(device, mode="reduce-overhead")


def remedy(device):
    return serve(device)


def shows(report):
    seen = report.cudagraphs
    return len(report.graphs) == 1 and seen is not None and len(seen.skips) == 1
