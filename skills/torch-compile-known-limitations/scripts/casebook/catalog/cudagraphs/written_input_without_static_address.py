import torch

from validators.probes import observe


def decode(x, position, cache):
    cache.index_copy_(0, position, x)
    return (cache * x).sum(1)


@torch.no_grad()
def compiled(device, prepare):
    cache = torch.zeros(8, 4, device=device)
    prepare(cache)
    x = torch.ones(1, 4, device=device)
    steps = [(x, torch.tensor([i], device=device), cache) for i in range(4)]
    return observe(decode, steps, backend="inductor", mode="reduce-overhead")


def symptom(device):
    return compiled(device, lambda cache: None)


def remedy(device):
    return compiled(device, torch._dynamo.mark_static_address)


def shows(report):
    assert report.exception is None, report.exception
    return any("mutated inputs" in reason for reason in report.cudagraphs.skips)
