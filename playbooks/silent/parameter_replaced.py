"""A parameter that is replaced by another after the first call keeps its first value.

cause: stale reuse
avoid: Copy into the parameter.
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2, bias=False)

    @torch.compiler.disable
    def change(self, n):
        self.layer.weight = torch.nn.Parameter(torch.full((2, 2), n))

    def forward(self, x, n):
        self.change(n)
        return self.layer(x).detach()


class instead(call):
    @torch.compiler.disable
    def change(self, n):
        with torch.no_grad():
            self.layer.weight.fill_(n)


def inputs():
    return [(torch.ones(2), 1.0), (torch.ones(2), 4.0)]
