"""Image tokenizer: convolutional encoder and a vector quantizer."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Quantizer(nn.Module):
    def __init__(self, num_codes, dim):
        super().__init__()
        half = torch.randn(num_codes // 2, dim) * 0.1
        restarted = half + 1e-8 * torch.randn_like(half)
        self.codebook = nn.Parameter(torch.cat([half, restarted]))
        self.register_buffer("usage", torch.zeros(num_codes))

    def forward(self, z):
        flat = z.permute(0, 2, 3, 1).reshape(-1, z.shape[1])
        dist = (
            flat.pow(2).sum(1, keepdim=True)
            - 2.0 * flat @ self.codebook.t()
            + self.codebook.pow(2).sum(1)
        )
        idx = dist.argmin(1)
        self.usage.mul_(0.9).add_(F.one_hot(idx, self.usage.numel()).float().sum(0), alpha=0.1)
        q = F.embedding(idx, self.codebook)
        q = q.view(z.shape[0], z.shape[2], z.shape[3], -1).permute(0, 3, 1, 2)
        return z + (q - z).detach(), idx.view(z.shape[0], -1)


class Tokenizer(nn.Module):
    def __init__(self, dim=16, num_codes=64):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1),
            nn.SiLU(),
            nn.Conv2d(16, dim, 3, stride=2, padding=1),
            nn.GroupNorm(4, dim),
        )
        self.quantizer = Quantizer(num_codes, dim)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(dim, 16, 4, stride=2, padding=1),
            nn.SiLU(),
            nn.ConvTranspose2d(16, 3, 4, stride=2, padding=1),
        )

    def forward(self, x):
        q, idx = self.quantizer(self.encoder(x))
        return self.decoder(q), idx


def example():
    torch.manual_seed(11)
    model = Tokenizer().eval()
    calls = [(torch.randn(2, 3, 32, 32),), (torch.randn(2, 3, 32, 32),)]
    return model, calls
