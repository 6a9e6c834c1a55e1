import pickle

import torch

from validators.probes import observe


class Kernel(torch.nn.Module):
    def __init__(self, key):
        super().__init__()
        self.key = key

    def scaled(self, x, **options):
        key = self.key(options)
        if key not in self.memo:
            self.memo[key] = x * options["scale"]
        return self.memo[key]

    def forward(self, x):
        self.memo = {}
        return self.scaled(x, scale=2.0) + self.scaled(x, scale=2.0) + self.scaled(x, scale=3.0)


def items(options):
    return tuple(sorted(options.items()))


def run(key, device):
    x = torch.ones(3, device=device)
    return observe(Kernel(key), [(x,), (x,)])


def symptom(device):
    return run(pickle.dumps, device)


def remedy(device):
    return run(items, device)


def shows(report):
    return len(report.graph_breaks) > 0
