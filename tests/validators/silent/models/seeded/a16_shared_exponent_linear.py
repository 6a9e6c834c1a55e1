import torch
import torch.nn as nn


class SharedExponentLinear(nn.Module):
    """Linear layer on float16 mantissas with one exponent per block of inputs."""

    def __init__(self, dim=16, out=6, block=4):
        super().__init__()
        self.block = block
        weight = torch.randn(out, dim) * 300
        parts = weight.view(out, dim // block, block)
        exponent = parts.abs().amax(-1, keepdim=True).log2().floor() + 12
        self.register_buffer("exponent", exponent)
        self.register_buffer("mantissa", (parts * 4096 / 2**exponent).half())
        self.norm = nn.LayerNorm(dim)
        self.bias = nn.Parameter(torch.randn(out))
        self.head = nn.Linear(out, 3)

    def weight(self):
        return torch.ldexp(self.mantissa, self.exponent).flatten(1)

    def forward(self, x):
        x = self.norm(x)
        x = torch.tanh(x) + 0.1 * x
        weight = self.weight()
        peak = weight.abs().amax(-1)
        scores = (x.unsqueeze(1) * weight).sum(-1) / peak
        scores = scores + self.bias
        return self.head(torch.relu(scores)).softmax(-1), weight


def example():
    torch.manual_seed(73)
    model = SharedExponentLinear().eval().requires_grad_(False)
    return model, [(torch.randn(5, 16),)]
