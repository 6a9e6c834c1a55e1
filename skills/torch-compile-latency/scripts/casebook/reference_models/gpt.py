"""A plain GPT, for claims about how many blocks there are and how wide they are.

What is unusual:
- `n_blocks` and `dim` are independent: more width means more parameters in the same ops, more
  blocks mean more ops.
- Every block is called through `__call__`, with the activations as its only argument unless there
  is a cache: `block.compile()` on the members of `model.blocks` compiles region by region, and
  hooks on them run.
- Positions are learned and the head is tied, so nothing but embeddings, norms, linear layers and
  SDPA is in the graph.

Shape suffixes (`x_BTD` is B x T x D):

    B  sequences in the batch         A  attention heads
    T  tokens in this call            H  width of one head
    S  keys: T, or the cache length   V  vocabulary
    D  width of the model
"""

# Calling an nn.Module gives Any.
# mypy: disable-error-code="no-any-return"

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class GPTConfig:
    """Sizes and suggested input sizes; the defaults are the `debug` size."""

    n_blocks: int = 4
    dim: int = 256
    heads: int = 4
    mlp_factor: int = 4  # width of the MLP, in widths of the model
    vocab_size: int = 8192
    max_seq_len: int = 256
    # suggested inputs
    batch_size: int = 2
    seq_len: int = 64

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit together."""
        assert self.n_blocks >= 0, "n_blocks must not be negative"
        assert self.dim % self.heads == 0, "dim must be a multiple of heads"
        assert 0 < self.seq_len <= self.max_seq_len, "seq_len must be within max_seq_len"

    @classmethod
    def tiny(cls, **overrides: Any) -> "GPTConfig":
        """Milliseconds on a CPU, for proofs about graphs rather than time."""
        size: dict[str, Any] = {
            "n_blocks": 2,
            "dim": 32,
            "vocab_size": 64,
            "max_seq_len": 32,
            "seq_len": 8,
        }
        return cls(**(size | overrides))

    @classmethod
    def debug(cls, **overrides: Any) -> "GPTConfig":
        """Large enough for compile times to mean something, small enough for a CPU."""
        return cls(**overrides)

    @classmethod
    def large(cls, **overrides: Any) -> "GPTConfig":
        """For timings on a GPU: the shape of GPT-2's smallest."""
        size: dict[str, Any] = {
            "n_blocks": 12,
            "dim": 768,
            "heads": 12,
            "vocab_size": 50304,  # GPT-2's 50257, rounded up to a multiple of 128
            "max_seq_len": 1024,
            "batch_size": 8,
            "seq_len": 512,
        }
        return cls(**(size | overrides))


class KVCache(nn.Module):
    """Keys and values of one block, in buffers allocated once for the longest sequence."""

    k_BASH: Tensor
    v_BASH: Tensor

    def __init__(self, config: GPTConfig, batch_size: int, length: int, like: Tensor) -> None:
        super().__init__()
        shape = (batch_size, config.heads, length, config.dim // config.heads)
        self.register_buffer("k_BASH", like.new_zeros(shape), persistent=False)
        self.register_buffer("v_BASH", like.new_zeros(shape), persistent=False)

    def update(self, position_T: Tensor, k_BATH: Tensor, v_BATH: Tensor) -> tuple[Tensor, Tensor]:
        """Write T keys and values in place at `position_T`, and return all S of them."""
        self.k_BASH.index_copy_(2, position_T, k_BATH)
        self.v_BASH.index_copy_(2, position_T, v_BATH)
        return self.k_BASH, self.v_BASH


class Attention(nn.Module):
    """Causal multi-head attention."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.dim, 3 * config.dim)
        self.out = nn.Linear(config.dim, config.dim)

    def forward(
        self, x_BTD: Tensor, position_T: Tensor | None = None, cache: KVCache | None = None
    ) -> Tensor:
        """BTD -> BTD; with a cache, `position_T` says where in it these tokens stand."""
        q_BATH, k_BASH, v_BASH = (
            y_BTD.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for y_BTD in self.qkv(x_BTD).chunk(3, dim=-1)
        )
        visible_TS = None
        if cache is not None:
            assert position_T is not None, "a cache needs positions"
            k_BASH, v_BASH = cache.update(position_T, k_BASH, v_BASH)
            key_S = torch.arange(k_BASH.shape[2], device=x_BTD.device)
            visible_TS = key_S <= position_T[:, None]
        y_BATH = F.scaled_dot_product_attention(
            q_BATH, k_BASH, v_BASH, attn_mask=visible_TS, is_causal=visible_TS is None
        )
        return self.out(y_BATH.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Pre-norm attention and MLP, each with its residual."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(config.dim)
        self.attention = Attention(config)
        self.norm2 = nn.LayerNorm(config.dim)
        self.mlp = nn.Sequential(
            nn.Linear(config.dim, config.mlp_factor * config.dim),
            nn.GELU(),
            nn.Linear(config.mlp_factor * config.dim, config.dim),
        )

    def forward(
        self, x_BTD: Tensor, position_T: Tensor | None = None, cache: KVCache | None = None
    ) -> Tensor:
        """BTD -> BTD."""
        x_BTD = x_BTD + self.attention(self.norm1(x_BTD), position_T, cache)
        return x_BTD + self.mlp(self.norm2(x_BTD))


class GPT(nn.Module):
    """Tokens in, logits for the next token out."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.dim)
        self.position_embedding = nn.Embedding(config.max_seq_len, config.dim)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.n_blocks))
        self.norm = nn.LayerNorm(config.dim)
        for module in self.modules():
            init_weights(module)

    def hidden(
        self,
        input_ids: Tensor,
        position_T: Tensor | None = None,
        caches: list[KVCache] | None = None,
    ) -> Tensor:
        """BT -> BTD; with caches, `position_T` says where in them these tokens stand."""
        if caches is None:
            position_T = torch.arange(input_ids.shape[1], device=input_ids.device)
        x_BTD = self.token_embedding(input_ids) + self.position_embedding(position_T)
        for i, block in enumerate(self.blocks):
            x_BTD = block(x_BTD) if caches is None else block(x_BTD, position_T, caches[i])
        return self.norm(x_BTD)

    def logits(self, x_BTD: Tensor) -> Tensor:
        """BTD -> BTV."""
        return F.linear(x_BTD, self.token_embedding.weight)

    def forward(
        self, input_ids: Tensor, targets: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Logits, and the loss if there are targets (BT, the token that follows each input)."""
        logits_BTV = self.logits(self.hidden(input_ids))
        if targets is None:
            return logits_BTV, None
        return logits_BTV, F.cross_entropy(logits_BTV.flatten(0, 1).float(), targets.flatten())

    @torch.no_grad()
    def generate(self, input_ids: Tensor, max_new_tokens: int = 16) -> Tensor:
        """Generate `max_new_tokens` tokens, one by one, each the likeliest next one."""
        B, T = input_ids.shape
        length = T + max_new_tokens
        assert length <= self.config.max_seq_len, "prompt and new tokens exceed max_seq_len"
        weight = self.token_embedding.weight
        caches = [KVCache(self.config, B, length, like=weight) for _ in self.blocks]
        position_T = torch.arange(T, device=input_ids.device)
        new_tokens: list[Tensor] = []
        for _ in range(max_new_tokens):
            x_BTD = self.hidden(input_ids, position_T, caches)
            input_ids = self.logits(x_BTD[:, -1:]).argmax(-1)
            new_tokens.append(input_ids)
            position_T = position_T[-1:] + 1
        return torch.cat(new_tokens, dim=1)


def init_weights(module: nn.Module) -> None:
    """Small normal weights, zero biases; norms keep their ones."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def make_model(config: GPTConfig, seed: int = 0, device: str | torch.device = "cpu") -> GPT:
    """A model whose weights depend on `config` and `seed` alone, the same on every device."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return GPT(config).to(device)


def parameter_count(module: nn.Module) -> int:
    """Number of parameters, shared ones counted once."""
    return sum(parameter.numel() for parameter in module.parameters())


class Batch(NamedTuple):
    """Inputs in the order of the model's `forward`, so that `model(*batch)` gives a loss."""

    input_ids: Tensor  # BT
    targets: Tensor  # BT


def make_batch(
    config: GPTConfig,
    batch_size: int | None = None,
    seq_len: int | None = None,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> Batch:
    """Random inputs, the same on every device; sizes not given are those the config suggests."""
    B = config.batch_size if batch_size is None else batch_size
    T = config.seq_len if seq_len is None else seq_len
    generator = torch.Generator().manual_seed(seed)
    # T + 1 tokens, so that every input has a next one
    tokens = torch.randint(config.vocab_size, (B, T + 1), generator=generator)
    # clones: for B = 1 these slices already count as contiguous, and would share memory
    parts = tokens[:, :-1], tokens[:, 1:]
    return Batch(*(p.clone(memory_format=torch.contiguous_format).to(device) for p in parts))
