"""bfloat16 decoder stack with SwiGLU blocks and greedy prediction."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return x * scale * self.weight


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.norm = RMSNorm(dim)
        self.gate = nn.Linear(dim, hidden, bias=False)
        self.up = nn.Linear(dim, hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)
        self.layer_scale = nn.Parameter(torch.full((dim,), 0.7))

    def forward(self, x):
        h = self.norm(x)
        h = self.down(F.silu(self.gate(h)) * self.up(h))
        return x + self.layer_scale * torch.tanh(h) - 0.01 * x * x.sigmoid()


class LanguageHead(nn.Module):
    def __init__(self, vocab=128, dim=64, hidden=160, layers=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(SwiGLU(dim, hidden) for _ in range(layers))
        self.norm = RMSNorm(dim)

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        logits = F.linear(self.norm(x), self.embed.weight)
        logits = 30.0 * torch.tanh(logits / 30.0)
        return logits, logits.argmax(-1), F.log_softmax(logits, -1).amax(-1)


def example():
    torch.manual_seed(17)
    model = LanguageHead().to(torch.bfloat16).eval()
    return model, [(torch.randint(0, 128, (4, 12)),)]
