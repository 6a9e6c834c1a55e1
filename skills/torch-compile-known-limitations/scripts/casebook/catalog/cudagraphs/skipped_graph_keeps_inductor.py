import torch

from validators.probes import inductor_code


class Decoder(torch.nn.Module):
    """Writes into a cache that its caller allocated, which CUDA graphs skip."""

    def forward(self, x, position, cache):
        cache.index_copy_(1, position, torch.tanh(x[:, None] * 0.5).sigmoid())
        return (cache.cos() * x[:, None]).exp()


@torch.no_grad()
def decode(device, **options):
    x, cache = torch.ones(2, 4, device=device), torch.zeros(2, 8, 4, device=device)
    steps = [(x, torch.tensor([i], device=device), cache) for i in range(3)]
    return inductor_code(Decoder(), steps, **options)


def symptom(device):
    return decode(device, compile=lambda model: model, eager=True)


def remedy(device):
    return decode(device, mode="reduce-overhead")


def shows(report):
    pointwise = {f"aten::{op}" for op in ("tanh", "sigmoid", "cos", "exp", "mul")}
    dispatched = pointwise & set(report.facts["dispatched"])
    if report.eager:
        return dispatched == pointwise
    skipped = report.cudagraphs is not None and len(report.cudagraphs.skips) > 0
    return not skipped or bool(dispatched)
