"""Jamba, a decoder of attention and state-space layers, of transformers."""

import torch
from transformers import JambaConfig, JambaModel


def example():
    """Two lengths of text."""
    torch.manual_seed(0)
    config = JambaConfig(
        vocab_size=100,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        attn_layer_offset=1,
        attn_layer_period=2,
        expert_layer_offset=1,
        expert_layer_period=2,
        num_experts=2,
        mamba_d_state=8,
        mamba_dt_rank=4,
        pad_token_id=0,
    )
    calls = [{"input_ids": torch.randint(1, 100, (2, length))} for length in (8, 12)]
    return JambaModel(config).eval(), calls
