"""Sparse mixture of experts upcycled from a dense feed-forward checkpoint."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class UpcycledMoE(nn.Module):
    def __init__(self, dim=32, hidden=64, experts=8, top_k=2):
        super().__init__()
        self.experts, self.top_k = experts, top_k
        self.router = nn.Linear(dim, experts)
        nn.init.zeros_(self.router.bias)
        with torch.no_grad():
            base = torch.randn(1, dim) * 0.2
            self.router.weight.copy_(base + 1e-8 * torch.randn(experts, dim))
        w1, w2 = torch.randn(dim, hidden) / dim**0.5, torch.randn(hidden, dim) / hidden**0.5
        self.w1 = nn.Parameter(w1.repeat(experts, 1, 1))
        self.w2 = nn.Parameter(w2.repeat(experts, 1, 1))
        self.register_buffer("load", torch.zeros(experts, dtype=torch.long))

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        probs = self.router(F.layer_norm(tokens, tokens.shape[-1:])).softmax(-1)
        weight, index = probs.topk(self.top_k, -1)
        weight = weight / weight.sum(-1, keepdim=True)
        assign = F.one_hot(index, self.experts)
        self.load += assign.sum((0, 1))
        gate = (assign.to(x.dtype) * weight[..., None]).sum(1)
        h = F.gelu(torch.einsum("td,edh->teh", tokens, self.w1))
        y = torch.einsum("teh,ehd,te->td", h, self.w2, gate)
        balance = self.experts * (probs.mean(0) * assign.to(x.dtype).mean((0, 1))).sum()
        return y.view_as(x), index, balance


class Block(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.moe = UpcycledMoE(dim)

    def forward(self, x):
        y, index, balance = self.moe(self.norm(x))
        return x + y, index, balance, self.moe.load.argsort(descending=True, stable=True)


def example():
    torch.manual_seed(37)
    model = Block().eval()
    return model, [(torch.randn(2, 16, 32),), (torch.randn(2, 16, 32),)]
