"""Faster R-CNN, an object detector, of torchvision."""

import torch
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn
from torchvision.models.detection.transform import GeneralizedRCNNTransform


def example():
    """Two widths of the image."""
    torch.manual_seed(0)
    model = fasterrcnn_mobilenet_v3_large_320_fpn(
        weights=None,
        weights_backbone=None,
        num_classes=4,
        min_size=96,
        max_size=160,
        box_detections_per_img=10,
    )
    return model.eval(), [([torch.rand(3, 96, width)],) for width in (96, 128)]


class IntegerTransform(GeneralizedRCNNTransform):
    """The transform with sizes that stay integers; torchvision rounds them up as floats."""

    def batch_images(self, images, size_divisible=32):
        """The images in one tensor, padded to a multiple of `size_divisible`."""
        sizes = [max(image.shape[dim] for image in images) for dim in (1, 2)]
        height, width = [-(-size // size_divisible) * size_divisible for size in sizes]
        padded = images[0].new_zeros(len(images), images[0].shape[0], height, width)
        for row, image in zip(padded, images, strict=True):
            row[:, : image.shape[1], : image.shape[2]].copy_(image)
        return padded


def fixed():
    """The detector with integer sizes."""
    model, calls = example()
    model.transform.__class__ = IntegerTransform
    return model, calls
