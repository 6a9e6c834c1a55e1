"""Toto's backbone in generation, compiled alone and called with a KV cache, of toto-ts."""

import torch
from torch.nn.functional import scaled_dot_product_attention
from toto.model.attention import AttentionAxis, TimeWiseMultiheadAttention
from toto.model.toto import Toto

PATCH = 8
STEPS = 10


class Generation(torch.nn.Module):
    """The means of the next patches; the loop runs eagerly, the backbone that it calls compiles."""

    def __init__(self):
        super().__init__()
        self.backbone = Toto(
            patch_size=PATCH,
            stride=PATCH,
            embed_dim=32,
            num_layers=4,
            num_heads=4,
            mlp_hidden_dim=64,
            dropout=0.1,
            spacewise_every_n_layers=2,
            spacewise_first=False,
            scaler_cls="<class 'model.scaler.CausalPatchStdMeanScaler'>",
            output_distribution_classes=["<class 'model.distribution.StudentTOutput'>"],
            use_memory_efficient_attention=False,
        ).model.eval()

    def new_cache(self, series):
        """An empty cache for the series and what is generated."""
        batch, variates, length = series.shape
        return self.backbone.allocate_kv_cache(
            batch, variates, length + STEPS * PATCH, series.device, series.dtype
        )

    @torch._dynamo.disable(recursive=False)
    @torch.no_grad()
    def forward(self, series):
        """The forecast: batch, variates, STEPS * PATCH."""
        cache, length = self.new_cache(series), series.shape[-1]
        for _ in range(STEPS):
            valid = torch.ones_like(series, dtype=torch.bool)
            group = torch.zeros_like(series, dtype=torch.int)
            forecast, loc, scale = self.backbone(series, valid, group, cache, length)
            mean = forecast.mean[..., -PATCH:] * scale[..., -PATCH:] + loc[..., -PATCH:]
            series = torch.cat([series, mean], dim=-1)
        return series[..., length:]


class IntegerCache:
    """Keys and values of the layers over time; its positions are Python integers.

    Toto's own cache keeps them in tensors and reads them with `.item()`.
    """

    def __init__(self, backbone, series):
        layers = backbone.transformer.layers
        timewise = [i for i, it in enumerate(layers) if it.attention_axis == AttentionAxis.TIME]
        rows, length = series.shape[0] * series.shape[1], series.shape[2] // PATCH + STEPS
        self.place = {layer: i for i, layer in enumerate(timewise)}
        self.filled = [0] * len(timewise)
        shape = (len(timewise), rows, layers[0].num_heads, length, layers[0].attention.head_dim)
        self.keys, self.values = series.new_zeros(shape), series.new_zeros(shape)

    def current_len(self, place):
        """How many positions are filled."""
        return self.filled[place]

    def seq_len(self, layer):
        """How many positions of a layer are filled."""
        return self.filled[self.place.get(layer, 0)]

    def append(self, layer, key_value):
        """Keep the keys and values of further positions."""
        place, start = self.place[layer], self.seq_len(layer)
        end = start + key_value[0].shape[2]
        self.keys[place, :, :, start:end] = key_value[0]
        self.values[place, :, :, start:end] = key_value[1]
        self.filled[place] = end

    def __getitem__(self, layer):
        """The keys and values of a layer."""
        place, end = self.place[layer], self.seq_len(layer)
        return self.keys[place, :, :, :end], self.values[place, :, :, :end]


class BreakingCache(IntegerCache):
    """The patch of the source documents: a graph break before each mutation."""

    def append(self, layer, key_value):
        """Keep the keys and values of further positions, in eager mode."""
        torch._dynamo.graph_break()
        super().append(layer, key_value)


class WithIntegers(Generation):
    """The generation with integers in its cache."""

    cache = IntegerCache

    def new_cache(self, series):
        """An empty cache for the series and what is generated."""
        return self.cache(self.backbone, series)


class WithBreaks(WithIntegers):
    """The generation with the patch of the source documents."""

    cache = BreakingCache


class FixedCache:
    """Keys and values of the layers in buffers of full length, written at places in a tensor."""

    def __init__(self, backbone, series):
        layers = backbone.transformer.layers
        timewise = [i for i, it in enumerate(layers) if it.attention_axis == AttentionAxis.TIME]
        rows, self.length = series.shape[0] * series.shape[1], series.shape[2] // PATCH + STEPS
        shape = (rows, layers[0].num_heads, self.length, layers[0].attention.head_dim)
        self.keys = {layer: series.new_zeros(shape) for layer in timewise}
        self.values = {layer: series.new_zeros(shape) for layer in timewise}
        self.places = torch.arange(self.length - STEPS)

    def seq_len(self, layer):
        """Nothing needs it: attention sees all places, under a mask."""
        return 0

    def write(self, layer, key, value):
        """Write at the present places; returns all keys and values."""
        keys, values = self.keys[layer], self.values[layer]
        keys.index_copy_(2, self.places, key)
        values.index_copy_(2, self.places, value)
        return keys, values


class FixedAttention(TimeWiseMultiheadAttention):
    """Attention over a cache of full length; a mask hides what is not written yet."""

    def positional_embedding(self, q, k, v, kv_cache, layer_idx):
        """Rotate, and write the cache; returns queries, all keys and values, and the places."""
        places = kv_cache.places
        q, k = self.rotary_emb.rotate_queries_and_keys(q, k, seq_pos_offset=places[0])
        return q, *kv_cache.write(layer_idx, k, v), places

    def run_attention(self, attention_mask, q, k, v, seq_pos_offset, dropout, seq_len, variate):
        """Attend to the places up to each query's own."""
        visible = torch.arange(k.shape[2]) <= seq_pos_offset[:, None]
        return scaled_dot_product_attention(q, k, v, attn_mask=visible, dropout_p=dropout)


class WithFixedSizes(Generation):
    """The generation with tensors of full length, in which each step finds its place."""

    def __init__(self):
        super().__init__()
        for layer in self.backbone.transformer.layers:
            if layer.attention_axis == AttentionAxis.TIME:
                layer.attention.__class__ = FixedAttention

    @torch._dynamo.disable(recursive=False)
    @torch.no_grad()
    def forward(self, series):
        """The forecast: batch, variates, STEPS * PATCH."""
        cache, length = FixedCache(self.backbone, series), series.shape[-1]
        series = torch.nn.functional.pad(series, (0, STEPS * PATCH))
        for start in range(length, series.shape[-1], PATCH):
            series[..., start : start + PATCH] = self.step(series, length, cache)
            cache.places = cache.places[-1:] + 1
        return series[..., length:]

    def step(self, series, length, cache):
        """The means of the patch after the places of the cache."""
        weights = torch.ones_like(series)
        scaled, loc, scale = self.backbone.scaler(series, weights.bool(), weights, length)
        patches = scaled.unflatten(-1, (-1, PATCH)).index_select(2, cache.places)
        group = torch.zeros(patches.shape[:3], dtype=torch.int)
        embedded = self.backbone.patch_embed.projection(patches)
        last = self.backbone.transformer(embedded, group, cache)[:, :, -1]
        forecast = self.backbone.output_distribution(
            self.backbone.unembed(last).unflatten(-1, (PATCH, -1))
        )
        loc, scale = (
            it.unflatten(-1, (-1, PATCH)).index_select(2, cache.places[-1:]).squeeze(2)
            for it in (loc, scale)
        )
        return forecast.mean * scale + loc


def _calls():
    return [(torch.randn(2, 3, patches * PATCH),) for patches in (4, 6)]


def example():
    """Two lengths of the series."""
    torch.manual_seed(0)
    return Generation(), _calls()


def patched():
    """The generation with a graph break before each write to the cache."""
    torch.manual_seed(0)
    return WithBreaks(), _calls()


def integers():
    """The generation with integers in its cache."""
    torch.manual_seed(0)
    return WithIntegers(), _calls()


def fixed():
    """The generation with tensors of full length."""
    torch.manual_seed(0)
    return WithFixedSizes(), _calls()
