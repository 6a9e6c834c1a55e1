"""SwinUNETR, a segmenter of volumes run window by window, of monai."""

import torch
from monai.inferers import sliding_window_inference
from monai.networks.nets import SwinUNETR


class Segmenter(torch.nn.Module):
    """The network, applied to overlapping windows of a volume."""

    def __init__(self):
        super().__init__()
        self.network = SwinUNETR(
            in_channels=1,
            out_channels=3,
            feature_size=12,
            depths=(1, 1, 1, 1),
            num_heads=(1, 2, 4, 8),
        )

    def forward(self, volume):
        """The logits of each voxel."""
        return sliding_window_inference(
            volume,
            roi_size=(64, 64, 64),
            sw_batch_size=2,
            predictor=self.network,
            overlap=0.25,
            mode="gaussian",
        )


def example():
    """Two sizes of the volume."""
    torch.manual_seed(0)
    return Segmenter().eval(), [(torch.randn(1, 1, 64, 64, size),) for size in (80, 96)]
