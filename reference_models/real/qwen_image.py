"""Qwen-Image, a transformer that denoises images under a prompt, of diffusers."""

import torch
from diffusers import QwenImageTransformer2DModel


def example():
    """Two widths of the latent image."""
    torch.manual_seed(0)
    model = QwenImageTransformer2DModel(
        patch_size=2,
        in_channels=16,
        out_channels=4,
        num_layers=2,
        attention_head_dim=16,
        num_attention_heads=3,
        joint_attention_dim=32,
        axes_dims_rope=(8, 4, 4),
    )
    calls = [
        {
            "hidden_states": torch.randn(2, 8 * width, 16),
            "encoder_hidden_states": torch.randn(2, 7, 32),
            "encoder_hidden_states_mask": torch.ones(2, 7, dtype=torch.bool),
            "timestep": torch.tensor([0.3, 0.7]),
            "img_shapes": [[(1, 8, width)]] * 2,
            "return_dict": False,
        }
        for width in (8, 10)
    ]
    return model.eval(), calls
