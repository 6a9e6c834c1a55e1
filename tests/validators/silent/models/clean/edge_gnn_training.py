"""Message passing over a multigraph with learned node and edge embeddings."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class EdgeLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Linear(2 * dim, dim)
        self.update = nn.Linear(2 * dim, dim)

    def forward(self, h, e, src, dst):
        m = F.relu(self.message(torch.cat([h[src], e], -1)))
        agg = torch.zeros_like(h).index_add_(0, dst, m)
        deg = torch.zeros(h.shape[0], dtype=h.dtype).scatter_add(0, dst, torch.ones_like(m[:, 0]))
        norm = deg.pow(-1.0)
        norm = norm.masked_fill(norm == float("inf"), 0.0)
        return torch.tanh(self.update(torch.cat([h, agg * norm[:, None]], -1)))


class EdgeGNN(nn.Module):
    def __init__(self, nodes=40, kinds=5, dim=16):
        super().__init__()
        self.node = nn.Embedding(nodes, dim)
        self.edge = nn.Embedding(kinds, dim, padding_idx=0)
        self.layers = nn.ModuleList(EdgeLayer(dim) for _ in range(2))
        self.legacy_proj = nn.Linear(dim, dim)
        self.readout = nn.Linear(dim, 3)

    def forward(self, src, dst, kind, weight):
        h, e = self.node.weight, self.edge(kind) * weight[:, None]
        for layer in self.layers:
            h = layer(h, e, src, dst)
        adj = torch.zeros(h.shape[0], h.shape[0], dtype=h.dtype)
        adj = adj.index_put((src, dst), weight, accumulate=True)
        return self.readout(h), adj.sum(1)


def example():
    torch.manual_seed(13)
    model = EdgeGNN().train()
    src = torch.randint(0, 12, (600,))
    dst = torch.randint(0, 30, (600,))
    kind = torch.randint(0, 5, (600,))
    weight = torch.exp(4.0 * torch.randn(600)) * torch.where(torch.rand(600) < 0.5, -1.0, 1.0)
    target = torch.randint(0, 3, (40,))

    def loss(output):
        return F.cross_entropy(output[0], target)

    return model, [(src, dst, kind, weight)], loss
