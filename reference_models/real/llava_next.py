"""LLaVA-NeXT, a vision-language model that cuts images into tiles, of transformers."""

import torch
from transformers import LlavaNextConfig, LlavaNextForConditionalGeneration

IMAGE = 95
SIDE = 16


def example():
    """One image per call, in two and in four tiles."""
    torch.manual_seed(0)
    config = LlavaNextConfig(
        text_config={
            "model_type": "llama",
            "vocab_size": 100,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
        },
        vision_config={
            "model_type": "clip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 3,
            "num_attention_heads": 2,
            "image_size": SIDE,
            "patch_size": 4,
        },
        image_token_index=IMAGE,
        image_grid_pinpoints=[[SIDE, 2 * SIDE], [2 * SIDE, 2 * SIDE]],
    )
    model = LlavaNextForConditionalGeneration(config).eval()
    return model, [_call(SIDE, 2 * SIDE), _call(2 * SIDE, 2 * SIDE)]


def _call(height: int, width: int) -> dict[str, torch.Tensor]:
    """An image of tiles of SIDE, 4 by 4 patches each, after a tile that shows all of it."""
    rows, columns = height // 4, width // 4
    features = 16 + rows * (columns + 1)
    ids = torch.cat([torch.randint(3, 90, (1, 6)), torch.full((1, features), IMAGE)], dim=1)
    tiles = 1 + (height // SIDE) * (width // SIDE)
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": torch.randn(1, tiles, 3, SIDE, SIDE),
        "image_sizes": torch.tensor([[height, width]]),
    }
