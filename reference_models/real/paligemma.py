"""PaliGemma, a vision-language model with a SigLIP encoder, of transformers."""

import torch
from transformers import PaliGemmaConfig, PaliGemmaForConditionalGeneration

IMAGE = 95


def example():
    """Two lengths of text after an image."""
    torch.manual_seed(0)
    config = PaliGemmaConfig(
        text_config={
            "model_type": "gemma",
            "vocab_size": 100,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
        },
        vision_config={
            "model_type": "siglip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
            "projection_dim": 32,
        },
        image_token_index=IMAGE,
        projection_dim=32,
    )
    return PaliGemmaForConditionalGeneration(config).eval(), [_call(6), _call(9)]


def _call(length: int) -> dict[str, torch.Tensor]:
    ids = torch.cat([torch.full((2, 16), IMAGE), torch.randint(3, 90, (2, length))], dim=1)
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": torch.randn(2, 3, 32, 32),
        "token_type_ids": torch.zeros_like(ids),
    }
