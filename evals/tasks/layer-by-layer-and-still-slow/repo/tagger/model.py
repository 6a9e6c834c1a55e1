"""A deep tagger for lines of a log; deeper layers count less."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class TaggerConfig:
    """Sizes of the model."""

    vocabulary: int = 40
    width: int = 16
    heads: int = 2
    layers: int = 12
    tags: int = 5


class Attention(nn.Module):
    """Self-attention, optionally with a mask."""

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(*qkv.unbind(0), attn_mask=mask)
        return self.out(out.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    """Attention and a feed-forward network; the residuals shrink with the depth."""

    def __init__(self, config: TaggerConfig, depth: int) -> None:
        super().__init__()
        self.depth = depth
        self.name = f"layer {depth}"
        self.norm_1 = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.norm_2 = nn.LayerNorm(config.width)
        self.up = nn.Linear(config.width, 2 * config.width)
        self.down = nn.Linear(2 * config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm_1(x)) / (1 + self.depth)
        return x + self.down(F.silu(self.up(self.norm_2(x)))) / (1 + self.depth)


class Tagger(nn.Module):
    """Tokens in, scores of the tags out."""

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config, depth) for depth in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.tags)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def build_tagger(config: TaggerConfig | None = None) -> Tagger:
    """A tagger with fixed random weights."""
    torch.manual_seed(0)
    return Tagger(config or TaggerConfig()).eval()
