"""A small decoder for multivariate time series in the manner of Datadog's Toto (arXiv 2407.07874).

What is unusual:
- A token is a patch of one variate. Most blocks attend over time, causally, each variate by
  itself; every `variate_every`-th block attends over the variates, each patch by itself.
- The KV cache of a block that attends over time comes in six forms side by side, and a config
  field, `cache`, names the one in use. The default, `static`, decodes without a graph break and
  without a recompile.
- Every block is called through `__call__`, so `block.compile()` on the members of
  `model.decoder.blocks` compiles region by region.
- Each variate is scaled by the mean and deviation of its first patch, which is causal: later
  values do not change earlier predictions.

Shape suffixes (`x_BVTD` is B x V x T x D):

    B  multivariate series in the batch   D  width of the model
    V  variates of a series               Q  attention heads
    L  time steps: T x P                  H  width of one head
    P  time steps in a patch              N  attention's own batch: B x V over time,
    T  patches in this call                  B x T over variates
    S  keys: T, what the cache holds, or the cache's length
"""

# Calling an nn.Module gives Any.
# mypy: disable-error-code="no-any-return"

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import torch
import torch._dynamo
import torch.nn.functional as F
from torch import Tensor, nn

CacheForm = Literal["static", "index_list", "item_index", "graph_break", "disabled", "cat"]


@dataclass(frozen=True)
class TotoConfig:
    """Sizes, forms and suggested input sizes; the defaults are the `debug` size."""

    patch_size: int = 16
    dim: int = 256
    heads: int = 4
    blocks: int = 8
    variate_every: int = 4  # the last of so many blocks attends over variates; 0: none does
    mlp_dim: int = 688
    rope_base: float = 10000.0
    # form
    cache: CacheForm = "static"
    # suggested inputs
    batch_size: int = 2
    variates: int = 4
    patches: int = 16

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit together and forms that do not exist."""
        assert self.dim % (2 * self.heads) == 0, "rotary needs an even width per head"
        assert self.variate_every >= 0, "variate_every must not be negative"
        assert self.variate_every != 1, "variate_every=1 would leave no block to attend over time"
        assert self.patch_size > 1, "the first patch must have a deviation: two steps or more"
        options = get_args(CacheForm)
        assert self.cache in options, f"cache must be one of {options}, not {self.cache!r}"

    @classmethod
    def tiny(cls, **overrides: Any) -> "TotoConfig":
        """Milliseconds on a CPU, for proofs about graphs rather than time."""
        size: dict[str, Any] = {
            "patch_size": 4,
            "dim": 32,
            "blocks": 4,
            "variate_every": 2,
            "mlp_dim": 64,
            "variates": 3,
            "patches": 6,
        }
        return cls(**(size | overrides))

    @classmethod
    def debug(cls, **overrides: Any) -> "TotoConfig":
        """Large enough for compile times to mean something, small enough for a CPU."""
        return cls(**overrides)

    @classmethod
    def large(cls, **overrides: Any) -> "TotoConfig":
        """For timings on a GPU."""
        size: dict[str, Any] = {
            "patch_size": 64,
            "dim": 768,
            "heads": 12,
            "blocks": 12,
            "variate_every": 12,
            "mlp_dim": 2048,
            "batch_size": 8,
            "variates": 16,
            "patches": 64,
        }
        return cls(**(size | overrides))

    def over_variates(self, block: int) -> bool:
        """Whether block number `block` attends over variates, not over time."""
        return self.variate_every > 0 and (block + 1) % self.variate_every == 0

    @property
    def time_blocks(self) -> int:
        """How many blocks attend over time, and so have a cache."""
        return sum(not self.over_variates(block) for block in range(self.blocks))


# ---- the KV cache of one block, in six forms -------------------------------------------------
# All hold the same, and answer the same two questions: how many patches there are (`seq_len`),
# and what all keys and values are once T more are added (`append`). `layer` counts the blocks that
# have a cache. Those that keep an index share one for all layers, `current_idx`.


class StaticCache(nn.Module):
    """Buffers for the longest series, and a tensor that says how full they are.

    Neither a shape nor a Python value changes from step to step. A module, so that its buffers
    keep their addresses like a model's own. All S positions are returned, those not yet written as
    zeros: the attention mask has to hide them.
    """

    k_NQSH: Tensor
    v_NQSH: Tensor
    length: Tensor

    def __init__(self, empty_NQSH: Tensor, layer: int, current_idx: object) -> None:
        super().__init__()
        self.register_buffer("k_NQSH", torch.zeros_like(empty_NQSH), persistent=False)
        self.register_buffer("v_NQSH", torch.zeros_like(empty_NQSH), persistent=False)
        length = torch.zeros((), dtype=torch.int64, device=empty_NQSH.device)
        self.register_buffer("length", length, persistent=False)

    def seq_len(self) -> Tensor:
        """Patches held, as a 0-D tensor that later appends do not change."""
        return self.length.clone()

    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """Write T keys and values in place, and return all S of them."""
        T = k_NQTH.shape[2]
        position_T = self.length + torch.arange(T, device=k_NQTH.device)
        self.k_NQSH.index_copy_(2, position_T, k_NQTH)
        self.v_NQSH.index_copy_(2, position_T, v_NQTH)
        self.length += T
        return self.k_NQSH, self.v_NQSH


class IndexListCache:
    """Tensors for the longest series, sliced by one int per layer in a Python list.

    Dynamo guards on such ints.
    """

    def __init__(self, empty_NQSH: Tensor, layer: int, current_idx: list[int]) -> None:
        self.k_NQSH, self.v_NQSH = torch.zeros_like(empty_NQSH), torch.zeros_like(empty_NQSH)
        self.layer, self.current_idx = layer, current_idx

    def seq_len(self) -> int:
        """Patches held."""
        return self.current_idx[self.layer]

    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """Write T keys and values in place, and return those written so far."""
        start = self.current_idx[self.layer]
        end = start + k_NQTH.shape[2]
        self.k_NQSH[:, :, start:end] = k_NQTH
        self.v_NQSH[:, :, start:end] = v_NQTH
        self.current_idx[self.layer] = end
        return self.k_NQSH[:, :, :end], self.v_NQSH[:, :, :end]


class ItemIndexCache:
    """Tensors for the longest series, sliced by what `.item()` reads from a tensor of lengths.

    Every read is a graph break (GB0124), unless scalar outputs are captured.
    """

    def __init__(self, empty_NQSH: Tensor, layer: int, current_idx: Tensor) -> None:
        self.k_NQSH, self.v_NQSH = torch.zeros_like(empty_NQSH), torch.zeros_like(empty_NQSH)
        self.layer, self.current_idx = layer, current_idx

    def seq_len(self) -> int:
        """Patches held."""
        return int(self.current_idx[self.layer].item())

    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """Write T keys and values in place, and return those written so far."""
        start = int(self.current_idx[self.layer].item())
        end = start + k_NQTH.shape[2]
        self.k_NQSH[:, :, start:end] = k_NQTH
        self.v_NQSH[:, :, start:end] = v_NQTH
        self.current_idx[self.layer] = end
        return self.k_NQSH[:, :, :end], self.v_NQSH[:, :, :end]


class GraphBreakCache(IndexListCache):
    """The list of ints, with a graph break in front of the mutation."""

    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """End the graph; what follows is compiled as another."""
        torch._dynamo.graph_break()
        return super().append(k_NQTH, v_NQTH)


class DisabledCache(IndexListCache):
    """The list of ints, with the mutation hidden from the compiler."""

    @torch.compiler.disable
    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """Run eagerly, whoever calls."""
        return super().append(k_NQTH, v_NQTH)


class CatCache:
    """Tensors that begin empty and are replaced by longer ones."""

    def __init__(self, empty_NQSH: Tensor, layer: int, current_idx: object) -> None:
        self.k_NQSH = self.v_NQSH = empty_NQSH[:, :, :0]

    def seq_len(self) -> int:
        """Patches held."""
        return self.k_NQSH.shape[2]

    def append(self, k_NQTH: Tensor, v_NQTH: Tensor) -> tuple[Tensor, Tensor]:
        """Copy everything, and T more, to new tensors."""
        self.k_NQSH = torch.cat((self.k_NQSH, k_NQTH), dim=2)
        self.v_NQSH = torch.cat((self.v_NQSH, v_NQTH), dim=2)
        return self.k_NQSH, self.v_NQSH


CACHE: dict[str, Any] = {
    "static": StaticCache,
    "index_list": IndexListCache,
    "item_index": ItemIndexCache,
    "graph_break": GraphBreakCache,
    "disabled": DisabledCache,
    "cat": CatCache,
}

Cache = StaticCache | IndexListCache | ItemIndexCache | CatCache
Caches = list[Cache | None]  # one for each block; None where it attends over variates


# ---- attention -------------------------------------------------------------------------------


def rotate(x_NQTH: Tensor, angle_TH: Tensor) -> Tensor:
    """Rotate queries or keys: element i of a head pairs with element i + H/2."""
    left, right = x_NQTH.chunk(2, dim=-1)
    turned_NQTH = torch.cat((-right, left), dim=-1)
    # the angles are float32 whatever the model
    return (x_NQTH * angle_TH.cos() + turned_NQTH * angle_TH.sin()).to(x_NQTH.dtype)


class Attention(nn.Module):
    """What attention over time and attention over variates share."""

    def __init__(self, config: TotoConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.dim, 3 * config.dim, bias=False)
        self.out = nn.Linear(config.dim, config.dim, bias=False)

    def split(self, x_NTD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """NTD -> queries, keys and values, each NQTH."""
        q_NQTH, k_NQTH, v_NQTH = (
            y_NTD.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for y_NTD in self.qkv(x_NTD).chunk(3, dim=-1)
        )
        return q_NQTH, k_NQTH, v_NQTH

    def join(self, y_NQTH: Tensor) -> Tensor:
        """NQTH -> NTD."""
        return self.out(y_NQTH.transpose(1, 2).flatten(2))


class TimeAttention(Attention):
    """Causal attention over the patches of each variate, with rotary positions."""

    inv_freq: Tensor

    def __init__(self, config: TotoConfig) -> None:
        super().__init__(config)
        head_dim = config.dim // config.heads
        exponent = torch.arange(0, head_dim, 2) / head_dim
        self.register_buffer("inv_freq", config.rope_base**-exponent, persistent=False)

    def positional_embedding(
        self, q_NQTH: Tensor, k_NQTH: Tensor, v_NQTH: Tensor, cache: Cache | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Rotate queries and keys, and add what the cache holds.

        Returns queries NQTH, keys and values NQSH, and which keys each query sees, TS: None if the
        keys are this call's only, and SDPA masks them.
        """
        start = 0 if cache is None else cache.seq_len()
        position_T = start + torch.arange(q_NQTH.shape[2], device=q_NQTH.device)
        angle = position_T[:, None] * self.inv_freq.float()  # T x H/2
        angle_TH = torch.cat((angle, angle), dim=-1)
        q_NQTH, k_NQTH = rotate(q_NQTH, angle_TH), rotate(k_NQTH, angle_TH)
        if cache is not None:
            k_NQTH, v_NQTH = cache.append(k_NQTH, v_NQTH)
        if not isinstance(start, Tensor) and start == 0:
            return q_NQTH, k_NQTH, v_NQTH, None
        key_S = torch.arange(k_NQTH.shape[2], device=q_NQTH.device)
        return q_NQTH, k_NQTH, v_NQTH, key_S <= position_T[:, None]

    def forward(self, x_BVTD: Tensor, cache: Cache | None) -> Tensor:
        """BVTD -> BVTD."""
        q_NQTH, k_NQSH, v_NQSH = self.split(x_BVTD.flatten(0, 1))
        q_NQTH, k_NQSH, v_NQSH, visible_TS = self.positional_embedding(
            q_NQTH, k_NQSH, v_NQSH, cache
        )
        y_NQTH = F.scaled_dot_product_attention(
            q_NQTH, k_NQSH, v_NQSH, attn_mask=visible_TS, is_causal=visible_TS is None
        )
        return self.join(y_NQTH).view_as(x_BVTD)


class VariateAttention(Attention):
    """Attention over the variates at each patch: all see all, and their order has no meaning."""

    def forward(self, x_BVTD: Tensor, cache: None) -> Tensor:
        """BVTD -> BVTD."""
        x_BTVD = x_BVTD.transpose(1, 2)
        q_NQVH, k_NQVH, v_NQVH = self.split(x_BTVD.flatten(0, 1))
        y_NQVH = F.scaled_dot_product_attention(q_NQVH, k_NQVH, v_NQVH)
        return self.join(y_NQVH).view_as(x_BTVD).transpose(1, 2)


# ---- decoder ---------------------------------------------------------------------------------


class RMSNorm(nn.Module):
    """Scale to a root mean square of 1, in float32 whatever the dtype of the model."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x_BVTD: Tensor) -> Tensor:
        """BVTD -> BVTD."""
        x32_BVTD = x_BVTD.float()
        scale_BVT1 = torch.rsqrt(x32_BVTD.square().mean(-1, keepdim=True) + self.eps)
        return (x32_BVTD * scale_BVT1).to(x_BVTD.dtype) * self.weight


class SwiGLU(nn.Module):
    """MLP in which one projection gates the other."""

    def __init__(self, config: TotoConfig) -> None:
        super().__init__()
        self.gate = nn.Linear(config.dim, config.mlp_dim, bias=False)
        self.up = nn.Linear(config.dim, config.mlp_dim, bias=False)
        self.down = nn.Linear(config.mlp_dim, config.dim, bias=False)

    def forward(self, x_BVTD: Tensor) -> Tensor:
        """BVTD -> BVTD."""
        return self.down(F.silu(self.gate(x_BVTD)) * self.up(x_BVTD))


class Block(nn.Module):
    """Pre-norm attention and MLP, each with its residual."""

    def __init__(self, config: TotoConfig, over_variates: bool) -> None:
        super().__init__()
        self.norm1 = RMSNorm(config.dim)
        self.attention = (VariateAttention if over_variates else TimeAttention)(config)
        self.norm2 = RMSNorm(config.dim)
        self.mlp = SwiGLU(config)

    def forward(self, x_BVTD: Tensor, cache: Cache | None = None) -> Tensor:
        """BVTD -> BVTD; a block over variates has no cache."""
        x_BVTD = x_BVTD + self.attention(self.norm1(x_BVTD), cache)
        return x_BVTD + self.mlp(self.norm2(x_BVTD))


class Decoder(nn.Module):
    """From patch embeddings to hidden states; with caches, T patches after those they hold."""

    def __init__(self, config: TotoConfig) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            Block(config, config.over_variates(i)) for i in range(config.blocks)
        )
        self.norm = RMSNorm(config.dim)

    def forward(self, x_BVTD: Tensor, caches: Caches | None = None) -> Tensor:
        """BVTD -> BVTD."""
        for i, block in enumerate(self.blocks):
            x_BVTD = block(x_BVTD, None if caches is None else caches[i])
        return self.norm(x_BVTD)


# ---- the whole -------------------------------------------------------------------------------


class Scale(NamedTuple):
    """Mean and standard deviation of each variate's first patch, BV11 both."""

    loc: Tensor
    spread: Tensor


class TimeSeriesDecoder(nn.Module):
    """A multivariate series in, the next patch of every variate out."""

    def __init__(self, config: TotoConfig) -> None:
        super().__init__()
        self.config = config
        self.patch_embedding = nn.Linear(config.patch_size, config.dim)
        self.decoder = Decoder(config)
        self.head = nn.Linear(config.dim, config.patch_size)
        for module in self.modules():
            init_weights(module)

    def patch(self, series_BVL: Tensor) -> Tensor:
        """BVL -> BVTP."""
        return series_BVL.unflatten(-1, (-1, self.config.patch_size))

    def scale_of(self, patch_BVTP: Tensor) -> Scale:
        """Mean and deviation of each variate's first patch."""
        first_BV1P = patch_BVTP[:, :, :1]
        spread = first_BV1P.std(-1, keepdim=True).clamp(min=1e-6)  # a constant patch has none
        return Scale(first_BV1P.mean(-1, keepdim=True), spread)

    def next_patches(self, scaled_BVTP: Tensor, caches: Caches | None = None) -> Tensor:
        """Predict the patch after each one; both are scaled: BVTP -> BVTP."""
        return self.head(self.decoder(self.patch_embedding(scaled_BVTP), caches))

    def forward(
        self, series: Tensor, targets: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Predict the patch after each one; returns the loss, too, if there are targets.

        Args:
            series: BVL, where L is a multiple of the patch size.
            targets: BVL, the series one patch on.
        """
        patch_BVTP = self.patch(series)
        loc, spread = self.scale_of(patch_BVTP)
        scaled_BVTP = self.next_patches((patch_BVTP - loc) / spread)
        forecast_BVL = (scaled_BVTP * spread + loc).flatten(2)
        if targets is None:
            return forecast_BVL, None
        target_BVTP = (self.patch(targets) - loc) / spread
        return forecast_BVL, F.mse_loss(scaled_BVTP.float(), target_BVTP.float())

    def new_caches(self, batch_size: int, variates: int, length: int) -> Caches:
        """Empty caches in the form that the config names, for series of up to `length` patches."""
        config, weight = self.config, self.head.weight
        shape = (batch_size * variates, config.heads, length, config.dim // config.heads)
        empty_NQSH = weight.new_empty(shape)
        current_idx: Any = [0] * config.time_blocks
        if config.cache == "item_index":
            current_idx = torch.zeros(config.time_blocks, dtype=torch.int64, device=weight.device)
        caches: Caches = []
        layer = 0
        for block in range(config.blocks):
            over_variates = config.over_variates(block)
            new = None if over_variates else CACHE[config.cache](empty_NQSH, layer, current_idx)
            caches.append(new)
            layer += not over_variates
        return caches

    @torch.no_grad()
    def generate(self, series: Tensor, new_patches: int = 4, use_cache: bool = True) -> Tensor:
        """Generate `new_patches` patches after `series`, one by one: BVL -> BVL."""
        patch_BVTP = self.patch(series)
        loc, spread = self.scale_of(patch_BVTP)
        scaled_BVTP = (patch_BVTP - loc) / spread
        B, V, T, _ = patch_BVTP.shape
        caches = self.new_caches(B, V, T + new_patches) if use_cache else None
        given_BVTP = scaled_BVTP
        forecast: list[Tensor] = []
        for _ in range(new_patches):
            next_BV1P = self.next_patches(given_BVTP, caches)[:, :, -1:]
            forecast.append(next_BV1P)
            given_BVTP = next_BV1P if use_cache else torch.cat((scaled_BVTP, *forecast), dim=2)
        return (torch.cat(forecast, dim=2) * spread + loc).flatten(2)


def init_weights(module: nn.Module) -> None:
    """Small normal weights, zero biases; norms keep their ones."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def make_model(
    config: TotoConfig, seed: int = 0, device: str | torch.device = "cpu"
) -> TimeSeriesDecoder:
    """A model whose weights depend on `config` and `seed` alone, the same on every device."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return TimeSeriesDecoder(config).to(device)


def parameter_count(module: nn.Module) -> int:
    """Number of parameters."""
    return sum(parameter.numel() for parameter in module.parameters())


class Batch(NamedTuple):
    """Inputs in the order of the model's `forward`, so that `model(*batch)` gives a loss."""

    series: Tensor  # BVL
    targets: Tensor  # BVL


def make_batch(
    config: TotoConfig,
    batch_size: int | None = None,
    variates: int | None = None,
    patches: int | None = None,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> Batch:
    """Random series, the same on every device; sizes not given are those the config suggests.

    Each variate is a wave of its own period, phase, height and level, with noise. The targets are
    the series one patch on.
    """
    B = config.batch_size if batch_size is None else batch_size
    V = config.variates if variates is None else variates
    T = config.patches if patches is None else patches
    P = config.patch_size
    generator = torch.Generator().manual_seed(seed)
    period, phase, height, level = torch.rand(4, B, V, 1, generator=generator)
    step_L = torch.arange((T + 1) * P)  # one patch more, so that every input has a next one
    wave_BVL = torch.sin(step_L / (1 + 3 * period) / P * 2 * torch.pi + 2 * torch.pi * phase)
    noise_BVL = torch.randn(wave_BVL.shape, generator=generator)
    series_BVL = 10 * level + (1 + height) * (wave_BVL + 0.05 * noise_BVL)
    # clones, contiguous: inputs and targets share no memory
    series, targets = (
        part.clone(memory_format=torch.contiguous_format)
        for part in (series_BVL[..., :-P], series_BVL[..., P:])
    )
    return Batch(series.to(device), targets.to(device))
