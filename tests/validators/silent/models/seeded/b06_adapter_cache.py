from collections import OrderedDict

import torch
from torch import nn


class AdapterServer(nn.Module):
    """Serves low-rank adapters out of a small cache, where the last entry is the freshest."""

    def __init__(self, width=12, rank=3):
        super().__init__()
        self.inp = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.down = nn.Linear(width, rank, bias=False)
        self.up = nn.Linear(rank, width, bias=False)
        self.out = nn.Linear(width, 4)

    @torch.compiler.disable
    def report(self, cache):
        self.served = getattr(self, "served", 0) + len(cache)

    def forward(self, x, cache, name):
        base = torch.nn.functional.gelu(self.norm(self.inp(x)))
        scale = cache[name]
        cache.move_to_end(name)
        delta = self.up(self.down(base) * scale)
        hidden = base + delta
        self.report(cache)
        ranks = torch.arange(1.0, len(cache) + 1)
        entries = torch.stack(list(cache.values()))
        weights = (ranks / ranks.sum()).unsqueeze(-1)
        prior = (weights * entries).sum(0)
        hidden = hidden + self.up(prior.expand(hidden.shape[0], -1))
        return self.out(torch.tanh(hidden)).softmax(-1)


def example():
    torch.manual_seed(31)
    model = AdapterServer().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    names = ["legal", "medical", "code", "chat"]
    cache = OrderedDict((name, 2 * torch.randn(3)) for name in names)
    return model, [(torch.randn(3, 12), cache, "legal"), (torch.randn(3, 12), cache, "code")]
