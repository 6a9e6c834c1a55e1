"""Hashed n-gram embeddings with a signed bucket trick, for byte-level text."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class NGramHash(nn.Module):
    def __init__(self, buckets=509, dim=24, orders=(1, 2, 3)):
        super().__init__()
        self.buckets, self.orders = buckets, orders
        self.table = nn.Embedding(buckets, dim)
        self.register_buffer("prime", torch.tensor(6364136223846793005))
        self.register_buffer(
            "seed", torch.tensor([1442695040888963407, 2862933555777941757, 3935559000370003845])
        )

    def mix(self, h):
        h = h ^ (h >> 29)
        h = h * -4658895280553007687
        return h ^ (h >> 32)

    def forward(self, ids):
        out, codes = 0.0, []
        for i, n in enumerate(self.orders):
            h = self.seed[i].expand_as(ids)
            for j in range(n):
                h = h * self.prime + F.pad(ids, (j, 0))[:, : ids.shape[1]] + 1
            h = self.mix(h)
            sign = 1.0 - 2.0 * ((h >> 17) & 1).to(self.table.weight.dtype)
            code = torch.remainder(h, self.buckets)
            out = out + self.table(code) * sign[..., None]
            codes.append(code)
        return out, torch.stack(codes, -1)


class TextClassifier(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.embed = NGramHash()
        self.conv = nn.Conv1d(24, 32, 3, padding=1)
        self.head = nn.Linear(32, classes)

    def forward(self, ids):
        x, codes = self.embed(ids)
        x = F.relu(self.conv(x.transpose(1, 2))).amax(-1)
        checksum = (ids.to(torch.int32) * 2654435).sum(-1, dtype=torch.int32) << 5
        low_byte = (ids * 37 + 11).to(torch.uint8) * 201
        return self.head(x), codes, checksum, low_byte


def example():
    torch.manual_seed(41)
    model = TextClassifier().eval()
    return model, [(torch.randint(0, 256, (3, 40)),)]
