"""Granite 4, a decoder of state-space and attention layers with experts, of transformers."""

import torch
from transformers import GraniteMoeHybridConfig, GraniteMoeHybridModel


def example():
    """Two lengths of text."""
    torch.manual_seed(0)
    config = GraniteMoeHybridConfig(
        vocab_size=100,
        hidden_size=32,
        intermediate_size=64,
        shared_intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        layer_types=["mamba", "attention"],
        num_local_experts=2,
        num_experts_per_tok=1,
        mamba_n_heads=8,
        mamba_d_head=8,
        mamba_d_state=8,
        mamba_n_groups=1,
        pad_token_id=0,
    )
    calls = [{"input_ids": torch.randint(1, 100, (2, length))} for length in (8, 12)]
    return GraniteMoeHybridModel(config).eval(), calls
