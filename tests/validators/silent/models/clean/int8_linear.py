"""Linear layers with dynamic 8-bit activations and 8-bit weights."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def quantize_rows(x):
    scale = x.abs().amax(-1, keepdim=True) / 127.0
    code = torch.round(x / scale).clamp(-127, 127).to(torch.int8)
    return code, scale


class Int8Linear(nn.Module):
    def __init__(self, cin, cout, momentum=0.25):
        super().__init__()
        self.momentum = momentum
        qweight, step = quantize_rows(torch.randn(cout, cin) / cin**0.5)
        self.register_buffer("qweight", qweight)
        self.register_buffer("step", step.squeeze(1))
        self.register_buffer("peak", torch.tensor(3.0))
        self.bias = nn.Parameter(torch.zeros(cout))

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        self.peak.lerp_(x.detach().abs().amax(), self.momentum)
        code, scale = quantize_rows(x)
        acc = code.float() @ self.qweight.float().t()
        return acc * scale * self.step + self.bias, code


class QuantMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = Int8Linear(32, 48)
        self.fc2 = Int8Linear(48, 8)

    def forward(self, x):
        h, code1 = self.fc1(x)
        y, code2 = self.fc2(F.hardswish(h))
        return y, code1, code2


def signed_grid(rows):
    half = torch.randint(0, 127, (rows, 16)).float() * 0.025 + 0.0125
    half[:, 0] = 3.175
    both = torch.cat([half, -half], 1)
    order = torch.rand(rows, 32).argsort(1)
    return both.gather(1, order)


def example():
    torch.manual_seed(2)
    model = QuantMLP().eval()
    return model, [(signed_grid(16),), (signed_grid(16),)]
