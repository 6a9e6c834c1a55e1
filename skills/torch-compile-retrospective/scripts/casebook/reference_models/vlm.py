"""A small vision-language model in the manner of nanoVLM.

What is unusual:
- Where a common pattern and its compiler-friendly twin compute the same thing, both stand side
  by side, and a config field names the one in use: `rotary`, `image_merge`, `position_ids`,
  `is_causal`, `image_token`, `images`. The defaults compile into a single graph.
- Every block is called through `__call__`, so `block.compile()` on the members of
  `model.vision_encoder.blocks` and `model.language_model.blocks` compiles region by region.
- The KV cache is passed in, never stored on the model: its length is fixed, and positions are
  tensors, so every decoding step has the same shapes.
- The head is tied: logits are products with the token embedding.

Shape suffixes (`x_BTD` is B x T x D):

    B  sequences in the batch         N  images, over the whole batch
    T  tokens in this call            C  image channels
    S  keys: T, or the cache length   P  patches in an image
    D  width of the language model    E  width of the vision encoder
    Q  query heads                    A  attention heads of the vision encoder
    G  key and value heads            M  image embeddings, over the whole batch
    H  width of one head              V  vocabulary
"""

# Calling an nn.Module gives Any.
# mypy: disable-error-code="no-any-return"

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args
from xml.etree.ElementTree import Element

import torch
import torch.nn.functional as F
from torch import Tensor, nn

RotaryForm = Literal["where", "branch"]
ImageMergeForm = Literal["gather", "masked_assign"]
PositionIdsForm = Literal["expand", "repeat"]
IsCausalForm = Literal["bool", "symbool"]
ImageTokenForm = Literal["cached", "lookup"]
ImagesForm = Literal["stacked", "list", "list_disabled"]

IGNORE = -100  # a target that does not count towards the loss


@dataclass(frozen=True)
class VLMConfig:
    """Sizes, forms and suggested input sizes; the defaults are the `debug` size."""

    # vision encoder
    image_size: int = 64
    patch_size: int = 8
    vit_dim: int = 256
    vit_heads: int = 4
    vit_blocks: int = 4
    vit_mlp_dim: int = 1024
    # projector: each square of pixel_shuffle x pixel_shuffle patches becomes one image token
    pixel_shuffle: int = 2
    # language model
    vocab_size: int = 8192
    image_token_id: int = 0  # the placeholder that an image embedding replaces
    lm_dim: int = 256
    lm_heads: int = 4
    lm_kv_heads: int = 2  # fewer than lm_heads: grouped-query attention
    lm_blocks: int = 4
    lm_mlp_dim: int = 688
    rope_base: float = 10000.0
    original_max_seq_len: int = 1024  # longer sequences have their rotations slowed down to fit
    # forms
    rotary: RotaryForm = "where"
    image_merge: ImageMergeForm = "gather"
    position_ids: PositionIdsForm = "expand"
    is_causal: IsCausalForm = "bool"
    image_token: ImageTokenForm = "cached"
    images: ImagesForm = "stacked"
    # suggested inputs
    batch_size: int = 2
    seq_len: int = 64

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit together and forms that do not exist."""
        assert self.image_size % self.patch_size == 0, "image_size must be a multiple of patch_size"
        assert self.patches_per_side % self.pixel_shuffle == 0, "pixel_shuffle must divide a side"
        assert self.vit_dim % self.vit_heads == 0, "vit_dim must be a multiple of vit_heads"
        assert self.lm_dim % (2 * self.lm_heads) == 0, "rotary needs an even width per head"
        assert self.lm_heads % self.lm_kv_heads == 0, "lm_heads must be a multiple of lm_kv_heads"
        assert 0 <= self.image_token_id < self.vocab_size, "image_token_id must be below vocab_size"
        for field, forms in (
            ("rotary", RotaryForm),
            ("image_merge", ImageMergeForm),
            ("position_ids", PositionIdsForm),
            ("is_causal", IsCausalForm),
            ("image_token", ImageTokenForm),
            ("images", ImagesForm),
        ):
            options, form = get_args(forms), getattr(self, field)
            assert form in options, f"{field} must be one of {options}, not {form!r}"

    @classmethod
    def tiny(cls, **overrides: Any) -> "VLMConfig":
        """Milliseconds on a CPU, for proofs about graphs rather than time."""
        size: dict[str, Any] = {
            "image_size": 32,
            "vit_dim": 64,
            "vit_blocks": 2,
            "vit_mlp_dim": 128,
            "vocab_size": 128,
            "lm_dim": 64,
            "lm_blocks": 2,
            "lm_mlp_dim": 176,
            "seq_len": 16,
        }
        return cls(**(size | overrides))

    @classmethod
    def debug(cls, **overrides: Any) -> "VLMConfig":
        """Large enough for compile times to mean something, small enough for a CPU."""
        return cls(**overrides)

    @classmethod
    def large(cls, **overrides: Any) -> "VLMConfig":
        """For timings on a GPU."""
        size: dict[str, Any] = {
            "image_size": 224,
            "patch_size": 16,
            "vit_dim": 512,
            "vit_heads": 8,
            "vit_blocks": 8,
            "vit_mlp_dim": 2048,
            "vocab_size": 49152,
            "lm_dim": 768,
            "lm_heads": 12,
            "lm_kv_heads": 4,
            "lm_blocks": 12,
            "lm_mlp_dim": 2048,
            "batch_size": 8,
            "seq_len": 256,
        }
        return cls(**(size | overrides))

    @property
    def patches_per_side(self) -> int:
        """Patches along one side of an image."""
        return self.image_size // self.patch_size

    @property
    def patches_per_image(self) -> int:
        """P in the shape legend."""
        return self.patches_per_side**2

    @property
    def tokens_per_image(self) -> int:
        """Placeholders that one image takes up in `input_ids`."""
        return self.patches_per_image // self.pixel_shuffle**2


# ---- vision encoder and projector ------------------------------------------------------------


class VisionAttention(nn.Module):
    """Self-attention in which every patch sees every patch."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.heads = config.vit_heads
        self.qkv = nn.Linear(config.vit_dim, 3 * config.vit_dim)
        self.out = nn.Linear(config.vit_dim, config.vit_dim)

    def forward(self, x_NPE: Tensor) -> Tensor:
        """Attend over the patches of each image: NPE -> NPE."""
        q_NAPH, k_NAPH, v_NAPH = (
            y_NPE.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for y_NPE in self.qkv(x_NPE).chunk(3, dim=-1)
        )
        y_NAPH = F.scaled_dot_product_attention(q_NAPH, k_NAPH, v_NAPH)
        return self.out(y_NAPH.transpose(1, 2).flatten(2))


class VisionBlock(nn.Module):
    """Pre-norm attention and MLP, each with its residual."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(config.vit_dim)
        self.attention = VisionAttention(config)
        self.norm2 = nn.LayerNorm(config.vit_dim)
        self.mlp = nn.Sequential(
            nn.Linear(config.vit_dim, config.vit_mlp_dim),
            nn.GELU(),
            nn.Linear(config.vit_mlp_dim, config.vit_dim),
        )

    def forward(self, x_NPE: Tensor) -> Tensor:
        """NPE -> NPE."""
        x_NPE = x_NPE + self.attention(self.norm1(x_NPE))
        return x_NPE + self.mlp(self.norm2(x_NPE))


class VisionEncoder(nn.Module):
    """ViT without a class token: one embedding per patch."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.patch_embedding = nn.Conv2d(
            3, config.vit_dim, kernel_size=config.patch_size, stride=config.patch_size
        )
        self.position_embedding = nn.Parameter(
            torch.empty(config.patches_per_image, config.vit_dim)
        )
        self.blocks = nn.ModuleList(VisionBlock(config) for _ in range(config.vit_blocks))
        self.norm = nn.LayerNorm(config.vit_dim)

    def forward(self, images_NCHW: Tensor) -> Tensor:
        """NCHW -> NPE, patches in row-major order."""
        x_NPE = self.patch_embedding(images_NCHW).flatten(2).transpose(1, 2)
        x_NPE = x_NPE + self.position_embedding
        for block in self.blocks:
            x_NPE = block(x_NPE)
        return self.norm(x_NPE)


def pixel_shuffle(x_NPE: Tensor, side: int, factor: int) -> Tensor:
    """Join each factor x factor square of patches: N x P x E -> N x P/factor² x E·factor²."""
    N, _, E = x_NPE.shape
    squares = side // factor
    x = x_NPE.reshape(N, squares, factor, squares, factor, E).transpose(2, 3)
    return x.reshape(N, squares**2, factor**2 * E)


class ModalityProjector(nn.Module):
    """Maps patches, in the width of the ViT, to image tokens, in the width of the LM."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.side, self.factor = config.patches_per_side, config.pixel_shuffle
        self.proj = nn.Linear(config.vit_dim * self.factor**2, config.lm_dim, bias=False)

    def forward(self, x_NPE: Tensor) -> Tensor:
        """NPE -> N x tokens_per_image x D."""
        return self.proj(pixel_shuffle(x_NPE, self.side, self.factor))


# ---- images as the caller has them, in three forms -------------------------------------------
# A loader gives each sequence its own images; the encoder takes one tensor for the whole batch.

Images = Tensor | list[Tensor] | list[list[Tensor]] | None


def images_as_given(images: Tensor | None) -> Tensor | None:
    """Leave stacking to the caller, who can call `stack_images` outside of compiled code."""
    return images


def stack_images(images: Images) -> Tensor | None:
    """Flatten a list, or a list of lists, of nCHW into one NCHW; None where there are none.

    In compiled code, Dynamo guards on the length of each list.
    """
    if not isinstance(images, list):
        return images
    if images and isinstance(images[0], list):
        images = [image for sequence in images for image in sequence]
    return torch.cat(images) if images else None


IMAGES = {
    "stacked": images_as_given,
    "list": stack_images,
    "list_disabled": torch.compiler.disable(stack_images),  # its call is a graph break (GB0098)
}


# ---- the placeholder's id, in two forms ------------------------------------------------------


class Tokenizer:
    """Special tokens as attributes, in the manner of Hugging Face's `PreTrainedTokenizerBase`.

    `image_token` and `image_token_id` both come from `__getattr__`, which looks the id up in a
    vocabulary that is not Python: an XML element here, a Rust object there.
    """

    def __init__(self, vocabulary: list[str], **special_tokens: str) -> None:
        self.special_tokens = special_tokens
        self.vocabulary = Element("tokens", {token: str(i) for i, token in enumerate(vocabulary)})

    def __getattr__(self, name: str) -> Any:
        """A special token, or its id where `name` ends in `_id`."""
        token_name = name.removesuffix("_id")
        # not self.special_tokens: that would recurse in a copy that has no attributes yet
        token = self.__dict__.get("special_tokens", {}).get(token_name)
        if token is None:
            raise AttributeError(f"{type(self).__name__} has no attribute {name}")
        return token if name == token_name else self.convert_tokens_to_ids(token)

    def convert_tokens_to_ids(self, token: str) -> int:
        """The id of one token."""
        return int(self.vocabulary.get(token, -1))


def image_token_cached(model: "VisionLanguageModel") -> int:
    """Read the id that was looked up when the model was made."""
    return model.image_token_id


def image_token_lookup(model: "VisionLanguageModel") -> int:
    """Ask the tokenizer in every forward: its vocabulary is not Python (graph break GB0156)."""
    return model.tokenizer.image_token_id


IMAGE_TOKEN = {"cached": image_token_cached, "lookup": image_token_lookup}


# ---- image-token replacement, in two forms ---------------------------------------------------
# Both put the i-th image embedding where the i-th placeholder stands, counted over the batch.


def merge_gather(token_BTD: Tensor, is_image_BT: Tensor, image_MD: Tensor) -> Tensor:
    """Look up an embedding for every position, then choose: no shape depends on the data.

    One placeholder too many is an index out of bounds (on a GPU a device-side assert); one too few
    goes unnoticed.
    """
    rank_BT = is_image_BT.flatten().cumsum(0).view_as(is_image_BT) - 1
    # text before the first placeholder has rank -1; what it looks up is not chosen
    image_BTD = image_MD[rank_BT.clamp(min=0)]
    return torch.where(is_image_BT[..., None], image_BTD, token_BTD)


def merge_masked_assign(token_BTD: Tensor, is_image_BT: Tensor, image_MD: Tensor) -> Tensor:
    """Assign through a boolean mask; `nonzero` counts the placeholders.

    In eager mode, it is an error if placeholders and embeddings differ in number.
    """
    merged_BTD = token_BTD.clone()
    merged_BTD[is_image_BT] = image_MD
    return merged_BTD


MERGE = {"gather": merge_gather, "masked_assign": merge_masked_assign}


# ---- positions and rotary embedding, in two forms each ---------------------------------------


def position_ids_expand(position_T: Tensor, batch_size: int) -> Tensor:
    """A view, T -> BT, whose batch stride is 0 when B > 1."""
    return position_T[None].expand(batch_size, -1)


def position_ids_repeat(position_T: Tensor, batch_size: int) -> Tensor:
    """A copy, T -> BT, contiguous for every B."""
    return position_T[None].repeat(batch_size, 1)


POSITION_IDS = {"expand": position_ids_expand, "repeat": position_ids_repeat}


def slow_down_where(inv_freq: Tensor, position_ids_BT: Tensor, original_max: int) -> Tensor:
    """Compute both frequencies and let the tensor choose."""
    length = position_ids_BT.max() + 1  # 0-D
    return torch.where(length > original_max, inv_freq / (length / original_max), inv_freq)


def slow_down_branch(inv_freq: Tensor, position_ids_BT: Tensor, original_max: int) -> Tensor:
    """Let Python choose: the `if` needs the value of a tensor (graph break GB0170)."""
    length = position_ids_BT.max() + 1  # 0-D
    if length > original_max:
        return inv_freq / (length / original_max)
    return inv_freq


SLOW_DOWN = {"where": slow_down_where, "branch": slow_down_branch}


class RotaryEmbedding(nn.Module):
    """Cosines and sines of the rotations that stand for positions.

    Past `original_max_seq_len` the rotations of the *whole* call are slowed down in proportion.
    Keys that a cache holds from before were rotated at full speed, so cached and uncached
    generation agree only up to that length.
    """

    inv_freq: Tensor

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        head_dim = config.lm_dim // config.lm_heads
        exponent = torch.arange(0, head_dim, 2) / head_dim
        self.register_buffer("inv_freq", config.rope_base**-exponent, persistent=False)
        self.original_max_seq_len = config.original_max_seq_len
        self.slow_down = SLOW_DOWN[config.rotary]

    def forward(self, position_ids_BT: Tensor) -> tuple[Tensor, Tensor]:
        """BT -> cosines BTH, sines BTH."""
        # float32: in bfloat16 neighbouring positions past 256 would share their angles
        inv_freq = self.inv_freq.float()
        inv_freq = self.slow_down(inv_freq, position_ids_BT, self.original_max_seq_len)
        angle = position_ids_BT[..., None] * inv_freq  # B x T x H/2
        angle_BTH = torch.cat((angle, angle), dim=-1)
        return angle_BTH.cos(), angle_BTH.sin()


def rotate(x_BQTH: Tensor, cos_BTH: Tensor, sin_BTH: Tensor) -> Tensor:
    """Rotate queries or keys: element i of a head pairs with element i + H/2."""
    left, right = x_BQTH.chunk(2, dim=-1)
    turned_BQTH = torch.cat((-right, left), dim=-1)
    rotated_BQTH = x_BQTH * cos_BTH[:, None] + turned_BQTH * sin_BTH[:, None]
    return rotated_BQTH.to(x_BQTH.dtype)  # the angles are float32 whatever the model


# ---- language model --------------------------------------------------------------------------


class KVCache(nn.Module):
    """Keys and values of one block, in buffers allocated once for the longest sequence.

    A module, so that its buffers keep their addresses like a model's own. Positions not written
    yet hold zeros; the attention mask has to hide them.
    """

    k_BGSH: Tensor
    v_BGSH: Tensor

    def __init__(
        self, batch_size: int, heads: int, length: int, head_dim: int, like: Tensor
    ) -> None:
        super().__init__()
        shape = (batch_size, heads, length, head_dim)
        self.register_buffer("k_BGSH", like.new_zeros(shape), persistent=False)
        self.register_buffer("v_BGSH", like.new_zeros(shape), persistent=False)

    def update(self, position_T: Tensor, k_BGTH: Tensor, v_BGTH: Tensor) -> tuple[Tensor, Tensor]:
        """Write T keys and values in place at `position_T`, and return all S of them."""
        self.k_BGSH.index_copy_(2, position_T, k_BGTH)
        self.v_BGSH.index_copy_(2, position_T, v_BGTH)
        return self.k_BGSH, self.v_BGSH


def visible_keys(position_T: Tensor, length: int, attention_mask_BS: Tensor | None) -> Tensor:
    """Which keys each query sees, B x 1 x T x S (B is 1 without an attention mask).

    Key and query positions count from the start of the sequence, padding included. Padding is
    hidden from all but itself, since a softmax over no keys is NaN unless the kernel takes care.
    """
    key_S = torch.arange(length, device=position_T.device)
    visible_BTS = (key_S <= position_T[:, None])[None]
    if attention_mask_BS is not None:
        itself_TS = key_S == position_T[:, None]
        visible_BTS = visible_BTS & (attention_mask_BS.bool()[:, None] | itself_TS)
    return visible_BTS[:, None]


# ---- SDPA's is_causal, in two forms ----------------------------------------------------------
# Without a mask there is no cache either, so queries and keys are equally many.


def is_causal_bool(q_BQTH: Tensor, k_BGSH: Tensor, visible_B1TS: Tensor | None) -> bool:
    """Decide by what the caller passed: a Python bool whatever the shapes."""
    return visible_B1TS is None


def is_causal_symbool(q_BQTH: Tensor, k_BGSH: Tensor, visible_B1TS: Tensor | None) -> bool:
    """Compare lengths: a SymBool where they are dynamic, which SDPA refuses (GB0112)."""
    return visible_B1TS is None and q_BQTH.shape[2] == k_BGSH.shape[2]


IS_CAUSAL = {"bool": is_causal_bool, "symbool": is_causal_symbool}


class Attention(nn.Module):
    """Causal grouped-query attention with rotary positions."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.heads, self.kv_heads = config.lm_heads, config.lm_kv_heads
        self.head_dim = config.lm_dim // config.lm_heads
        self.is_causal = IS_CAUSAL[config.is_causal]
        self.q = nn.Linear(config.lm_dim, self.heads * self.head_dim, bias=False)
        self.k = nn.Linear(config.lm_dim, self.kv_heads * self.head_dim, bias=False)
        self.v = nn.Linear(config.lm_dim, self.kv_heads * self.head_dim, bias=False)
        self.out = nn.Linear(self.heads * self.head_dim, config.lm_dim, bias=False)

    def forward(
        self,
        x_BTD: Tensor,
        cos_BTH: Tensor,
        sin_BTH: Tensor,
        position_T: Tensor,
        visible_B1TS: Tensor | None,
        cache: KVCache | None,
    ) -> Tensor:
        """BTD -> BTD; without `visible_B1TS`, the keys are this call's and SDPA masks them."""
        q_BQTH = self.q(x_BTD).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k_BGSH = self.k(x_BTD).unflatten(-1, (self.kv_heads, -1)).transpose(1, 2)
        v_BGSH = self.v(x_BTD).unflatten(-1, (self.kv_heads, -1)).transpose(1, 2)
        q_BQTH = rotate(q_BQTH, cos_BTH, sin_BTH)
        k_BGSH = rotate(k_BGSH, cos_BTH, sin_BTH)
        if cache is not None:
            k_BGSH, v_BGSH = cache.update(position_T, k_BGSH, v_BGSH)
        y_BQTH = F.scaled_dot_product_attention(
            q_BQTH,
            # spelled out: SDPA's own enable_gqa is not in every release
            k_BGSH.repeat_interleave(self.heads // self.kv_heads, dim=1),
            v_BGSH.repeat_interleave(self.heads // self.kv_heads, dim=1),
            attn_mask=visible_B1TS,
            is_causal=self.is_causal(q_BQTH, k_BGSH, visible_B1TS),
        )
        return self.out(y_BQTH.transpose(1, 2).flatten(2))


class RMSNorm(nn.Module):
    """Scale to a root mean square of 1, in float32 whatever the dtype of the model."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x_BTD: Tensor) -> Tensor:
        """BTD -> BTD."""
        x32_BTD = x_BTD.float()
        scale_BT1 = torch.rsqrt(x32_BTD.square().mean(-1, keepdim=True) + self.eps)
        return (x32_BTD * scale_BT1).to(x_BTD.dtype) * self.weight


class SwiGLU(nn.Module):
    """MLP in which one projection gates the other."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.gate = nn.Linear(config.lm_dim, config.lm_mlp_dim, bias=False)
        self.up = nn.Linear(config.lm_dim, config.lm_mlp_dim, bias=False)
        self.down = nn.Linear(config.lm_mlp_dim, config.lm_dim, bias=False)

    def forward(self, x_BTD: Tensor) -> Tensor:
        """BTD -> BTD."""
        return self.down(F.silu(self.gate(x_BTD)) * self.up(x_BTD))


class Block(nn.Module):
    """Pre-norm attention and MLP, each with its residual."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.norm1 = RMSNorm(config.lm_dim)
        self.attention = Attention(config)
        self.norm2 = RMSNorm(config.lm_dim)
        self.mlp = SwiGLU(config)

    def forward(
        self,
        x_BTD: Tensor,
        cos_BTH: Tensor,
        sin_BTH: Tensor,
        position_T: Tensor,
        visible_B1TS: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """BTD -> BTD."""
        x_BTD = x_BTD + self.attention(
            self.norm1(x_BTD), cos_BTH, sin_BTH, position_T, visible_B1TS, cache
        )
        return x_BTD + self.mlp(self.norm2(x_BTD))


class LanguageModel(nn.Module):
    """Decoder from embeddings to hidden states; `logits` is its tied head."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.lm_dim)
        self.rotary = RotaryEmbedding(config)
        self.position_ids = POSITION_IDS[config.position_ids]
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.lm_blocks))
        self.norm = RMSNorm(config.lm_dim)

    def forward(
        self,
        x_BTD: Tensor,
        attention_mask_BS: Tensor | None = None,
        position_T: Tensor | None = None,
        caches: list[KVCache] | None = None,
    ) -> Tensor:
        """BTD -> BTD; with caches, `position_T` says where in them this call's tokens stand."""
        B, T, _ = x_BTD.shape
        if position_T is None:
            position_T = torch.arange(T, device=x_BTD.device)
        visible_B1TS = None
        if caches is not None:
            visible_B1TS = visible_keys(position_T, caches[0].k_BGSH.shape[2], attention_mask_BS)
        elif attention_mask_BS is not None:
            visible_B1TS = visible_keys(position_T, T, attention_mask_BS)
        cos_BTH, sin_BTH = self.rotary(self.position_ids(position_T, B))
        for i, block in enumerate(self.blocks):
            cache = None if caches is None else caches[i]
            x_BTD = block(x_BTD, cos_BTH, sin_BTH, position_T, visible_B1TS, cache)
        return self.norm(x_BTD)

    def logits(self, x_BTD: Tensor) -> Tensor:
        """BTD -> BTV."""
        return F.linear(x_BTD, self.token_embedding.weight)

    def new_caches(self, batch_size: int, length: int) -> list[KVCache]:
        """One empty cache per block, for sequences of up to `length` tokens."""
        heads, head_dim = self.config.lm_kv_heads, self.config.lm_dim // self.config.lm_heads
        weight = self.token_embedding.weight
        return [KVCache(batch_size, heads, length, head_dim, like=weight) for _ in self.blocks]


# ---- the whole -------------------------------------------------------------------------------


class VisionLanguageModel(nn.Module):
    """Images and text in, logits for the next token out."""

    def __init__(self, config: VLMConfig) -> None:
        super().__init__()
        self.config = config
        self.vision_encoder = VisionEncoder(config)
        self.projector = ModalityProjector(config)
        self.language_model = LanguageModel(config)
        vocabulary = [f"<{i}>" for i in range(config.vocab_size)]
        self.tokenizer = Tokenizer(vocabulary, image_token=vocabulary[config.image_token_id])
        self.image_token_id: int = self.tokenizer.image_token_id
        self.find_image_token = IMAGE_TOKEN[config.image_token]
        self.take_images = IMAGES[config.images]
        self.merge = MERGE[config.image_merge]
        for module in self.modules():
            init_weights(module)

    def embed(self, input_ids: Tensor, images: Images) -> Tensor:
        """Token embeddings, with those of the images in place of the placeholders: BT -> BTD."""
        token_BTD = self.language_model.token_embedding(input_ids)
        images_NCHW = self.take_images(images)
        if images_NCHW is None:
            return token_BTD
        image_MD = self.projector(self.vision_encoder(images_NCHW)).flatten(0, 1)
        is_image_BT = input_ids == self.find_image_token(self)
        return self.merge(token_BTD, is_image_BT, image_MD.to(token_BTD.dtype))

    def forward(
        self,
        input_ids: Tensor,
        images: Images,
        attention_mask: Tensor | None = None,
        targets: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Logits, and the loss if there are targets.

        Args:
            input_ids: BT; holds `tokens_per_image` placeholders for each image.
            images: NCHW, in the order of their placeholders; None for text alone. Lists where
                the config's `images` says so.
            attention_mask: BT, 0 for padding.
            targets: BT, the token that follows each one of `input_ids`, or `IGNORE`.
        """
        x_BTD = self.language_model(self.embed(input_ids, images), attention_mask)
        logits_BTV = self.language_model.logits(x_BTD)
        if targets is None:
            return logits_BTV, None
        loss = F.cross_entropy(
            logits_BTV.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORE
        )
        return logits_BTV, loss

    @torch.no_grad()
    def generate(
        self,
        input_ids: Tensor,
        images: Images,
        attention_mask: Tensor | None = None,
        max_new_tokens: int = 16,
    ) -> Tensor:
        """Generate `max_new_tokens` tokens, each the likeliest next one; pad on the left."""
        B, T = input_ids.shape
        caches = self.language_model.new_caches(B, T + max_new_tokens)
        if attention_mask is not None:
            attention_mask = F.pad(attention_mask, (0, max_new_tokens), value=1)  # BT -> BS
        position_T = torch.arange(T, device=input_ids.device)
        x_BTD = self.embed(input_ids, images)
        new_tokens: list[Tensor] = []
        for _ in range(max_new_tokens):
            x_BTD = self.language_model(x_BTD, attention_mask, position_T, caches)
            logits_B1V = self.language_model.logits(x_BTD[:, -1:])
            # a placeholder has a meaning in prompts only
            logits_B1V[..., self.image_token_id] = -torch.inf
            token_B1 = logits_B1V.argmax(-1)
            new_tokens.append(token_B1)
            x_BTD = self.language_model.token_embedding(token_B1)
            position_T = position_T[-1:] + 1
        return torch.cat(new_tokens, dim=1)


def init_weights(module: nn.Module) -> None:
    """Small normal weights, zero biases; norms keep their ones."""
    if isinstance(module, nn.Linear | nn.Conv2d | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear | nn.Conv2d) and module.bias is not None:
        nn.init.zeros_(module.bias)
    if isinstance(module, VisionEncoder):
        nn.init.normal_(module.position_embedding, std=0.02)


def make_model(
    config: VLMConfig, seed: int = 0, device: str | torch.device = "cpu"
) -> VisionLanguageModel:
    """A model whose weights depend on `config` and `seed` alone, the same on every device."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return VisionLanguageModel(config).to(device)


def parameter_count(module: nn.Module) -> int:
    """Number of parameters, shared ones counted once."""
    return sum(parameter.numel() for parameter in module.parameters())


class Batch(NamedTuple):
    """Inputs in the order of the model's `forward`, so that `model(*batch)` gives a loss."""

    input_ids: Tensor  # BT
    images: Tensor  # NCHW, one image for each sequence: N = B
    attention_mask: Tensor  # BT, all ones
    targets: Tensor  # BT


def make_batch(
    config: VLMConfig,
    batch_size: int | None = None,
    seq_len: int | None = None,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> Batch:
    """Random inputs, the same on every device; sizes not given are those the config suggests.

    Each sequence is one token of text, the placeholders of its image, then text. Text never
    contains the placeholder's id: random ids count the vocabulary without it.
    """
    B = config.batch_size if batch_size is None else batch_size
    T = config.seq_len if seq_len is None else seq_len
    image_end = 1 + config.tokens_per_image
    assert image_end < T, f"seq_len must exceed {image_end}: a token, an image, then text"
    generator = torch.Generator().manual_seed(seed)
    # T + 1 tokens, so that every input has a next one
    text = torch.randint(config.vocab_size - 1, (B, T + 1), generator=generator)
    tokens = text + (text >= config.image_token_id)
    tokens[:, 1:image_end] = config.image_token_id
    # clones: for B = 1 these slices already count as contiguous, and would share memory
    input_ids = tokens[:, :-1].clone(memory_format=torch.contiguous_format)
    targets = tokens[:, 1:].clone(memory_format=torch.contiguous_format)
    targets[targets == config.image_token_id] = IGNORE
    images = torch.randn(B, 3, config.image_size, config.image_size, generator=generator)
    batch = Batch(input_ids, images, torch.ones_like(input_ids), targets)
    return Batch(*(tensor.to(device) for tensor in batch))
