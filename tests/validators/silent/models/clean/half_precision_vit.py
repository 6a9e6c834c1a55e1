"""Half precision vision transformer block with query/key normalisation."""

import torch
import torch.nn as nn


def rms(x, weight, eps=1e-5):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weight


class Block(nn.Module):
    def __init__(self, dim=64, heads=4):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.Parameter(torch.ones(dim))
        self.norm2 = nn.Parameter(torch.ones(dim))
        self.qk_norm = nn.Parameter(torch.ones(dim // heads))
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)
        self.fc1 = nn.Linear(dim, 2 * dim)
        self.fc2 = nn.Linear(2 * dim, dim)

    def attend(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k = rms(q, self.qk_norm), rms(k, self.qk_norm)
        weights = torch.softmax(q @ k.transpose(-1, -2) * 0.25, -1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, n, d))

    def forward(self, x):
        x = x + self.attend(rms(x, self.norm1))
        h = torch.square(torch.relu(self.fc1(rms(x, self.norm2))))
        return x + self.fc2(h)


class MiniViT(nn.Module):
    def __init__(self, dim=64, patches=16):
        super().__init__()
        self.patch = nn.Linear(48, dim)
        self.pos = nn.Parameter(torch.randn(patches, dim) * 0.02)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))
        self.register_buffer("outlier", torch.zeros(dim))
        self.outlier[5], self.outlier[40] = 310.0, -420.0
        self.final = nn.Parameter(torch.ones(dim))
        self.head = nn.Linear(dim, 10)

    def forward(self, patches):
        x = self.patch(patches) + self.pos + self.outlier
        for block in self.blocks:
            x = block(x)
        return self.head(rms(x, self.final).mean(1))


def example():
    torch.manual_seed(67)
    model = MiniViT().to(torch.float16).eval()
    return model, [(torch.randn(2, 16, 48).to(torch.float16),)]
