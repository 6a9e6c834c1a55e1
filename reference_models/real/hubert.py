"""HuBERT in training, a speech encoder that skips layers at random, of transformers."""

import torch
from transformers import HubertConfig, HubertModel


def example():
    """Two lengths of audio, trained on."""
    torch.manual_seed(0)
    config = HubertConfig(
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
    return HubertModel(config), calls, lambda output: output.last_hidden_state.square().mean()
