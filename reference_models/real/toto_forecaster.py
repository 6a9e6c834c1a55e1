"""Toto, a forecaster of time series that decodes with a KV cache, of toto-ts."""

import functools

import torch
from toto.data.util.dataset import MaskedTimeseries
from toto.inference.forecaster import TotoForecaster
from toto.model.attention import AttentionAxis
from toto.model.toto import Toto

PATCH = 8


class Forecast(torch.nn.Module):
    """The mean forecast of the next three patches."""

    def __init__(self):
        super().__init__()
        self.toto = Toto(
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
            output_distribution_classes=["<class 'model.distribution.MixtureOfStudentTsOutput'>"],
            output_distribution_kwargs={"k_components": 3},
            use_memory_efficient_attention=False,
        )
        self.forecaster = TotoForecaster(self.toto.model)

    def forward(self, series):
        """The forecast: batch, variates, 3 * PATCH."""
        batch, variates, _ = series.shape
        inputs = MaskedTimeseries(
            series=series,
            padding_mask=torch.ones_like(series, dtype=torch.bool),
            id_mask=torch.zeros_like(series, dtype=torch.int),
            timestamp_seconds=torch.zeros_like(series, dtype=torch.int),
            time_interval_seconds=torch.full((batch, variates), 60),
        )
        return self.forecaster.forecast(inputs, prediction_length=3 * PATCH).mean


class IntegerCache:
    """Keys and values of the layers over time; its positions are Python integers.

    Toto's own cache keeps them in tensors and reads them with `.item()`. When the whole forecast is
    traced, integers are constants of the graph.
    """

    def __init__(self, backbone, rows, length, like):
        layers = backbone.transformer.layers
        timewise = [i for i, it in enumerate(layers) if it.attention_axis == AttentionAxis.TIME]
        heads = layers[0].num_heads
        self.place = {layer: i for i, layer in enumerate(timewise)}
        self.filled = [0] * len(timewise)
        shape = (len(timewise), rows, heads, length, backbone.embed_dim // heads)
        self.keys, self.values = like.new_zeros(shape), like.new_zeros(shape)

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


class ForecastWith(Forecast):
    """The forecast with another cache."""

    def __init__(self, cache):
        super().__init__()
        self.toto.model.allocate_kv_cache = functools.partial(self.new_cache, cache)

    def new_cache(self, cache, *, batch_size, num_variates, max_time_steps, device, dtype):
        """An empty cache, of the size that the forecaster asks for."""
        like = torch.empty(0, device=device, dtype=dtype)
        return cache(self.toto.model, batch_size * num_variates, max_time_steps // PATCH, like)


def example():
    """Two lengths of the series."""
    torch.manual_seed(0)
    return Forecast(), _calls()


def patched():
    """The forecast with an explicit graph break before each write to the cache."""
    return ForecastWith(BreakingCache), _calls()


def fixed():
    """The forecast with a cache that needs no `.item()`."""
    return ForecastWith(IntegerCache), _calls()


def _calls():
    return [(torch.randn(2, 3, patches * PATCH),) for patches in (4, 6)]
