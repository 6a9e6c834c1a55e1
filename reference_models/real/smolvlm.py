"""SmolVLM, a vision-language model that drops padding images, of transformers."""

import torch
from transformers import SmolVLMConfig, SmolVLMForConditionalGeneration

IMAGE = 95


def example():
    """Two and three images per text."""
    torch.manual_seed(0)
    config = SmolVLMConfig(
        text_config={
            "model_type": "llama",
            "vocab_size": 100,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "pad_token_id": 0,
        },
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
        },
        image_token_id=IMAGE,
        scale_factor=2,
        pad_token_id=0,
    )
    return SmolVLMForConditionalGeneration(config).eval(), [_call(2), _call(3)]


def _call(images: int) -> dict[str, torch.Tensor]:
    """Each image has 4 by 4 patches, which become 2 by 2 tokens."""
    ids = torch.cat([torch.randint(3, 90, (2, 6)), torch.full((2, 4 * images), IMAGE)], dim=1)
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": torch.randn(2, images, 3, 32, 32),
    }
