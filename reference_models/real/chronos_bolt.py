"""Chronos-Bolt, a forecaster of time series by quantiles, of chronos-forecasting."""

import torch
from chronos.chronos_bolt import ChronosBoltModelForForecasting
from transformers import T5Config


def example():
    """Two lengths of the series."""
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=2,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        is_gated_act=False,
        dense_act_fn="relu",
        pad_token_id=0,
        decoder_start_token_id=0,
        tie_word_embeddings=False,
    )
    config.chronos_config = {
        "context_length": 256,
        "prediction_length": 16,
        "input_patch_size": 8,
        "input_patch_stride": 8,
        "quantiles": [0.1, 0.5, 0.9],
        "use_reg_token": True,
    }
    model = ChronosBoltModelForForecasting(config).eval()
    return model, [(torch.randn(2, length),) for length in (64, 96)]
