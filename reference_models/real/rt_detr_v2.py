"""RT-DETR v2 in training, an object detector, of transformers."""

import torch
from transformers import RTDetrResNetConfig, RTDetrV2Config, RTDetrV2ForObjectDetection


def example():
    """Two sizes of the images; one image has two objects, and one has three."""
    torch.manual_seed(0)
    backbone = RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 24, 32],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    config = RTDetrV2Config(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        encoder_in_channels=[16, 24, 32],
        encoder_ffn_dim=64,
        encoder_attention_heads=4,
        hidden_expansion=0.5,
        d_model=32,
        num_queries=20,
        decoder_in_channels=[32, 32, 32],
        decoder_ffn_dim=64,
        decoder_layers=2,
        decoder_attention_heads=4,
        num_denoising=10,
        num_labels=5,
    )
    calls = [
        {
            "pixel_values": torch.rand(2, 3, size, size),
            "labels": [
                {"class_labels": torch.randint(0, 5, (n,)), "boxes": 0.2 + 0.3 * torch.rand(n, 4)}
                for n in (2, 3)
            ],
        }
        for size in (128, 160)
    ]
    return RTDetrV2ForObjectDetection(config).train(), calls, lambda output: output.loss
