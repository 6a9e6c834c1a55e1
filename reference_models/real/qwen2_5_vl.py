"""Qwen2.5-VL, a vision-language model with windowed attention, of transformers."""

import torch
from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

IMAGE, START, END = 95, 96, 97


def example():
    """Images of two sizes, one per call, with text around them."""
    torch.manual_seed(0)
    config = Qwen2_5_VLConfig(
        text_config={
            "vocab_size": 100,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2]},
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 0,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 32,
            "patch_size": 4,
            "window_size": 16,
            "fullatt_block_indexes": [1],
        },
        image_token_id=IMAGE,
        vision_start_token_id=START,
        vision_end_token_id=END,
        video_token_id=98,
    )
    return Qwen2_5_VLForConditionalGeneration(config).eval(), [_call(8, 8), _call(12, 8)]


def _call(height: int, width: int) -> dict[str, torch.Tensor]:
    """One image of `height` by `width` patches, between five tokens of text and four."""
    merged = height * width // 4
    text = torch.randint(3, 90, (1, 9))
    image = torch.full((1, merged), IMAGE)
    start, end = torch.tensor([[START]]), torch.tensor([[END]])
    ids = torch.cat([text[:, :5], start, image, end, text[:, 5:]], dim=1)
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": torch.randn(height * width, 3 * 2 * 4 * 4),
        "image_grid_thw": torch.tensor([[1, height, width]]),
        "mm_token_type_ids": (ids == IMAGE).int(),
    }
