import torch

from validators.probes import call, observe


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(2, 8, 4))

    def forward(self, x, position, cache=None):
        cache = self.cache if cache is None else cache
        cache.index_copy_(1, position, x[:, None])
        return (cache * x[:, None]).sum(dim=(1, 2))


@torch.no_grad()
def decode(device, **given):
    decoder = Decoder().to(device)
    x = torch.ones(2, 4, device=device)
    steps = [call(x, torch.tensor([i], device=device), **given) for i in range(4)]
    return observe(decoder, steps, backend="inductor", mode="reduce-overhead")


def symptom(device):
    return decode(device, cache=torch.zeros(2, 8, 4, device=device))


def remedy(device):
    return decode(device)


def shows(report):
    if report.cudagraphs.skips:
        return any("mutated inputs" in reason for reason in report.cudagraphs.skips)
    return report.cudagraphs.replays == 0
