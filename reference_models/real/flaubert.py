"""FlauBERT in training, an encoder that drops layers at random, of transformers."""

import torch
from transformers import FlaubertConfig, FlaubertModel


def example():
    """Two lengths of text, trained on."""
    torch.manual_seed(0)
    config = FlaubertConfig(
        vocab_size=100,
        emb_dim=32,
        n_layers=2,
        n_heads=4,
        max_position_embeddings=64,
        layerdrop=0.1,
    )
    calls = [{"input_ids": torch.randint(3, 100, (2, length))} for length in (8, 12)]
    return FlaubertModel(config), calls, lambda output: output.last_hidden_state.square().mean()


def fixed():
    """Dynamo captures the lengths that the assertions read."""
    torch._dynamo.config.capture_scalar_outputs = True
    return example()
