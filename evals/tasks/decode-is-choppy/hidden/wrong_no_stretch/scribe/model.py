"""A decoder-only transformer with a static cache."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class DecoderConfig:
    """Sizes; positions beyond `trained` are stretched."""

    vocabulary: int = 64
    width: int = 32
    heads: int = 4
    layers: int = 2
    trained: int = 8
    longest: int = 32


class Rotary(nn.Module):
    """Rotary positions; frequencies shrink once the sequence is longer than in training."""

    def __init__(self, width: int, trained: int) -> None:
        super().__init__()
        self.trained = trained
        frequencies = 1.0 / 10000 ** (torch.arange(0, width, 2) / width)
        self.register_buffer("frequencies", frequencies, persistent=False)

    def forward(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        frequencies = self.frequencies
        angles = positions[:, None].float() * frequencies[None, :]
        angles = torch.cat([angles, angles], dim=-1)
        return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate the halves of each head."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-second, first], dim=-1) * sin


class Cache(nn.Module):
    """Keys and values of one layer, and how many are filled."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        shape = (1, config.heads, config.longest, config.width // config.heads)
        self.register_buffer("keys", torch.zeros(shape), persistent=False)
        self.register_buffer("values", torch.zeros(shape), persistent=False)
        self.register_buffer("length", torch.zeros((), dtype=torch.long), persistent=False)

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        slots = self.length + torch.arange(keys.shape[2], device=keys.device)
        self.keys.index_copy_(2, slots, keys)
        self.values.index_copy_(2, slots, values)
        self.length += keys.shape[2]
        return self.keys, self.values


class Attention(nn.Module):
    """Attention over everything in the cache."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.width)
        self.cache = Cache(config)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = rotate(qkv[0], cos, sin), rotate(qkv[1], cos, sin), qkv[2]
        keys, values = self.cache.append(k, v)
        out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        return self.out(out.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    """Attention and a feed-forward network."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.norm_2 = nn.LayerNorm(config.width)
        self.up = nn.Linear(config.width, 2 * config.width)
        self.down = nn.Linear(2 * config.width, config.width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attention(self.norm_1(x), cos, sin, mask)
        return x + self.down(F.silu(self.up(self.norm_2(x))))


class Decoder(nn.Module):
    """Tokens in, logits of the next token out; the caches remember earlier tokens."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocabulary, config.width)
        self.rotary = Rotary(config.width // config.heads, config.trained)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)

    def reset(self) -> None:
        """Forget all tokens."""
        for layer in self.layers:
            layer.attention.cache.length.zero_()

    def forward(self, tokens: Tensor) -> Tensor:
        seen = self.layers[0].attention.cache.length
        positions = seen + torch.arange(tokens.shape[1], device=tokens.device)
        cos, sin = self.rotary(positions)
        slots = torch.arange(self.config.longest, device=tokens.device)
        mask = (slots[None, :] <= positions[:, None])[None, None]
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, cos, sin, mask if mask is not None else None)
        return self.head(x[:, -1])


def build_decoder() -> Decoder:
    """A decoder with fixed random weights, as in the demo."""
    torch.manual_seed(0)
    return Decoder(DecoderConfig()).eval()
