"""Reformer, an encoder with hashed attention and reversible layers, of transformers."""

import torch
from transformers import ReformerConfig, ReformerModel


def example():
    """Two lengths of text."""
    torch.manual_seed(0)
    config = ReformerConfig(
        vocab_size=100,
        hidden_size=32,
        feed_forward_size=64,
        num_attention_heads=2,
        attention_head_size=16,
        attn_layers=["local", "lsh"],
        axial_pos_shape=[8, 8],
        axial_pos_embds_dim=[16, 16],
        max_position_embeddings=64,
        local_attn_chunk_length=8,
        lsh_attn_chunk_length=8,
        num_buckets=4,
        is_decoder=False,
        hash_seed=0,
    )
    calls = [{"input_ids": torch.randint(1, 100, (2, length))} for length in (32, 48)]
    return ReformerModel(config).eval(), calls


def fixed():
    """Dynamo captures the largest position, which the embeddings read."""
    torch._dynamo.config.capture_scalar_outputs = True
    return example()
