"""Wav2Vec2 in training, a speech encoder with masked time steps, of transformers."""

import torch
from transformers import Wav2Vec2Config, Wav2Vec2Model


def example():
    """Two lengths of audio, trained on."""
    torch.manual_seed(0)
    config = Wav2Vec2Config(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        conv_dim=(32, 32, 32),
        conv_stride=(5, 2, 2),
        conv_kernel=(10, 3, 3),
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
        mask_time_length=2,
    )
    calls = [{"input_values": torch.randn(2, length)} for length in (1600, 2400)]
    return Wav2Vec2Model(config), calls, lambda output: output.last_hidden_state.square().mean()


def fixed():
    """The input asks for no gradient, which only gradient checkpointing needs."""
    model, calls, loss = example()
    model.feature_extractor._requires_grad = False
    return model, calls, loss
