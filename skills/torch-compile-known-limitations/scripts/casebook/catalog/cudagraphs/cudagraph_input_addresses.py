import torch

from validators.probes import observe


@torch.no_grad()
def serve(device, update):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).to(device)
    weight = model[0].weight
    kept = []

    def requests():
        for _ in range(6):
            x = torch.randn(4, 8, device=device)
            new = torch.randn_like(weight)
            kept.extend([x, weight.data, new])  # so that no address is used twice
            update(weight, new)
            yield (x,)

    return observe(model, requests(), backend="inductor", mode="reduce-overhead")


def move(weight, new):
    weight.data = new


def overwrite(weight, new):
    weight.copy_(new)


def symptom(device):
    return serve(device, move)


def remedy(device):
    return serve(device, overwrite)


def shows(report):
    seen = report.cudagraphs
    assert len(report.graphs) == 1 and seen is not None and not seen.skips
    # The first call only warms up.
    return {len(report.calls) - 1: True, 1: False}[seen.recordings]
