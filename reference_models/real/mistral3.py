"""Mistral 3, a vision-language model with a Pixtral encoder, of transformers."""

import torch
from transformers import Mistral3Config, Mistral3ForConditionalGeneration

IMAGE = 95


def example():
    """Images of two sizes, two per call, with text before them."""
    torch.manual_seed(0)
    config = Mistral3Config(
        text_config={
            "model_type": "mistral",
            "vocab_size": 100,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
        },
        vision_config={
            "model_type": "pixtral",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 64,
            "patch_size": 8,
            "head_dim": 16,
        },
        image_token_index=IMAGE,
        spatial_merge_size=2,
    )
    return Mistral3ForConditionalGeneration(config).eval(), [_call(32, 32), _call(48, 32)]


def _call(height: int, width: int) -> dict[str, torch.Tensor]:
    merged = (height // 16) * (width // 16)
    ids = torch.cat([torch.randint(3, 90, (2, 6)), torch.full((2, merged), IMAGE)], dim=1)
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": torch.randn(2, 3, height, width),
        "image_sizes": torch.tensor([[height, width]] * 2),
    }
