"""Pack ragged sequences into a padded workspace and encode them."""

import torch
import torch.nn as nn


class RaggedEncoder(nn.Module):
    def __init__(self, features=10, dim=24, max_len=16):
        super().__init__()
        self.max_len = max_len
        self.inp = nn.Linear(features, dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, 5)

    def pack(self, flat, lengths):
        batch = lengths.shape[0]
        start = torch.cumsum(lengths, 0) - lengths
        row = torch.repeat_interleave(torch.arange(batch), lengths, output_size=flat.shape[0])
        col = torch.arange(flat.shape[0]) - start[row]
        work = torch.empty(batch, self.max_len, flat.shape[1], dtype=flat.dtype)
        work[row, col] = flat
        valid = torch.arange(self.max_len)[None, :] < lengths[:, None]
        return work, valid, row, col

    def forward(self, flat, lengths):
        work, valid, row, col = self.pack(torch.relu(self.inp(flat)), lengths)
        work = torch.where(valid[..., None], work, 0.0)
        h = torch.relu(self.mix(work.transpose(1, 2))).transpose(1, 2)
        h = torch.where(valid[..., None], h, 0.0)
        pooled = h.sum(1) / lengths.clamp(min=1)[:, None].to(h.dtype)
        scratch = h.new_empty(h.shape[0], 6, 5)
        scratch[:, :5] = torch.einsum("bld,kd->blk", h[:, :5], self.out.weight)
        scratch[:, 5] = self.out(pooled)
        return self.out(h[row, col]), scratch


def example():
    torch.manual_seed(53)
    model = RaggedEncoder().eval()
    lengths = torch.tensor([5, 16, 0, 9])
    flat = torch.randn(int(lengths.sum()), 10)
    return model, [(flat, lengths), (torch.randn(30, 10), torch.tensor([10, 1, 16, 3]))]
