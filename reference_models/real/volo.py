"""VOLO, a vision transformer with outlook attention, of timm."""

import torch
from timm.models.volo import VOLO


def example():
    """Two batch sizes of small images."""
    torch.manual_seed(0)
    model = VOLO(
        layers=(1, 1, 1, 1),
        img_size=64,
        num_classes=10,
        patch_size=8,
        embed_dims=(32, 64, 64, 64),
        num_heads=(2, 4, 4, 4),
        mlp_ratio=2.0,
    )
    return model.eval(), [(torch.randn(batch, 3, 64, 64),) for batch in (2, 3)]
