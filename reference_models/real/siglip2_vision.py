"""SigLIP 2's vision encoder, with images of any aspect ratio, of transformers."""

import torch
from transformers import Siglip2VisionConfig, Siglip2VisionModel


def example():
    """Two batches of images whose patches form other grids."""
    torch.manual_seed(0)
    config = Siglip2VisionConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_patches=16,
        patch_size=4,
    )
    return Siglip2VisionModel(config).eval(), [_call(2), _call(3)]


def _call(images: int) -> dict[str, torch.Tensor]:
    """Images of 4 by 4 and of 2 by 6 patches, padded to 16 patches."""
    shapes = torch.tensor([[4, 4], [2, 6], [4, 3]][:images])
    mask = (torch.arange(16) < shapes.prod(dim=1)[:, None]).int()
    return {
        "pixel_values": torch.randn(images, 16, 3 * 4 * 4),
        "pixel_attention_mask": mask,
        "spatial_shapes": shapes,
    }
