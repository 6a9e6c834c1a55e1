import torch

from validators.probes import observe


@torch.no_grad()
def serve(device, calls):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).to(device)
    x = torch.randn(4, 8, device=device)
    return observe(model, [(x,)] * calls, backend="inductor", mode="reduce-overhead")


def symptom(device):
    return serve(device, calls=2)


def remedy(device):
    return serve(device, calls=3)


def shows(report):
    seen = report.cudagraphs
    if seen is None or seen.recordings != 1:
        return len(report.calls) > 2
    return seen.replays == 0
