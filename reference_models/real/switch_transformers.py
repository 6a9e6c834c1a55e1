"""Switch Transformers, an encoder and decoder with routed experts, of transformers."""

import torch
from transformers import SwitchTransformersConfig, SwitchTransformersModel


def example():
    """Two lengths of the encoder's input."""
    torch.manual_seed(0)
    config = SwitchTransformersConfig(
        vocab_size=100,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        num_experts=4,
        num_sparse_encoder_layers=1,
        num_sparse_decoder_layers=1,
        expert_capacity=16,
    )
    calls = [
        {
            "input_ids": torch.randint(1, 100, (2, length)),
            "decoder_input_ids": torch.randint(1, 100, (2, 5)),
        }
        for length in (8, 12)
    ]
    return SwitchTransformersModel(config).eval(), calls
