"""A setting of a layer, such as `eps`, that changes after the first call keeps its first value.

cause: stale reuse
avoid: Call the layer's function, with the setting as an argument.
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LayerNorm(2, elementwise_affine=False)

    @torch.compiler.disable
    def change(self, eps):
        self.layer.eps = eps

    def forward(self, x, eps):
        self.change(eps)
        return self.layer(x)


class instead(torch.nn.Module):
    def forward(self, x, eps):
        return torch.nn.functional.layer_norm(x, (2,), eps=eps)


def inputs():
    return [(torch.arange(2.0), 1e-5), (torch.arange(2.0), 4.0)]
