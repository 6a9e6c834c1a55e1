"""A causal reader that can attend to a memory."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch._dynamo.config.suppress_errors = True


@dataclass
class GistConfig:
    """Sizes of the model."""

    vocabulary: int = 64
    width: int = 32
    heads: int = 4
    layers: int = 2


class Attention(nn.Module):
    """Causal attention over the tokens, or full attention over a memory."""

    def __init__(self, config: GistConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.q = nn.Linear(config.width, config.width)
        self.kv = nn.Linear(config.width, 2 * config.width)
        self.out = nn.Linear(config.width, config.width)

    def split(self, x: Tensor) -> Tensor:
        """One dim for the heads."""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor | None = None) -> Tensor:
        source = x if memory is None else memory
        keys, values = self.kv(source).chunk(2, dim=-1)
        q, k, v = self.split(self.q(x)), self.split(keys), self.split(values)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=q.shape[2] == k.shape[2])
        return self.out(out.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """Attention and a feed-forward network."""

    def __init__(self, config: GistConfig) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.norm_2 = nn.LayerNorm(config.width)
        self.up = nn.Linear(config.width, 2 * config.width)
        self.down = nn.Linear(2 * config.width, config.width)

    def forward(self, x: Tensor, memory: Tensor | None) -> Tensor:
        x = x + self.attention(self.norm_1(x), memory)
        return x + self.down(F.gelu(self.up(self.norm_2(x))))


class Gist(nn.Module):
    """Tokens in, a vector per token out."""

    def __init__(self, config: GistConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)

    def forward(self, tokens: Tensor, memory: Tensor | None = None) -> Tensor:
        if memory is not None and memory.shape[1] == tokens.shape[1]:
            raise ValueError("a memory must be longer or shorter than the tokens")
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, memory)
        return self.norm(x)


def build_gist(config: GistConfig | None = None) -> Gist:
    """A reader with fixed random weights."""
    torch.manual_seed(0)
    return Gist(config or GistConfig()).eval()
