"""FLUX with its repeated blocks compiled, an image transformer, of diffusers."""

import torch
from diffusers import FluxTransformer2DModel


def image_ids(rows, columns):
    """The place of each patch, as the pipeline counts them."""
    ids = torch.zeros(rows, columns, 3)
    ids[..., 1] += torch.arange(rows)[:, None]
    ids[..., 2] += torch.arange(columns)[None, :]
    return ids.reshape(rows * columns, 3)


def example():
    """Two widths of the latent image; the blocks are compiled in place."""
    torch.manual_seed(0)
    model = FluxTransformer2DModel(
        patch_size=1,
        in_channels=16,
        num_layers=2,
        num_single_layers=2,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=32,
        pooled_projection_dim=32,
        guidance_embeds=True,
        axes_dims_rope=(4, 4, 8),
    )
    model.eval().compile_repeated_blocks(fullgraph=True)
    calls = [
        {
            "hidden_states": torch.randn(2, 8 * columns, 16),
            "encoder_hidden_states": torch.randn(2, 6, 32),
            "pooled_projections": torch.randn(2, 32),
            "timestep": torch.tensor([0.3, 0.7]),
            "img_ids": image_ids(8, columns),
            "txt_ids": torch.zeros(6, 3),
            "guidance": torch.tensor([3.5, 3.5]),
            "return_dict": False,
        }
        for columns in (8, 12)
    ]
    return model, calls
