"""A pipeline of augmentations before a small classifier, in training, of kornia."""

import torch
from kornia.augmentation import (
    AugmentationSequential,
    ColorJiggle,
    RandomAffine,
    RandomErasing,
    RandomGaussianBlur,
    RandomHorizontalFlip,
)


class Classifier(torch.nn.Module):
    """Augments images and masks, and classifies the pixels."""

    def __init__(self):
        super().__init__()
        self.augment = AugmentationSequential(
            RandomHorizontalFlip(p=0.5),
            RandomAffine(degrees=15.0, translate=(0.1, 0.1), scale=(0.8, 1.2), p=0.7),
            ColorJiggle(0.2, 0.2, 0.2, 0.05, p=0.8),
            RandomGaussianBlur((3, 3), (0.1, 2.0), p=0.3),
            RandomErasing(p=0.3),
            data_keys=["input", "mask"],
        )
        self.net = torch.nn.Sequential(
            torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 2, 1)
        )

    def forward(self, images, masks):
        """The loss of a batch."""
        images, masks = self.augment(images, masks)
        return torch.nn.functional.cross_entropy(self.net(images), masks[:, 0].long())


def example():
    """Two sizes of the images, trained on."""
    torch.manual_seed(0)
    calls = [
        (torch.rand(4, 3, size, size), torch.randint(0, 2, (4, 1, size, size)).float())
        for size in (32, 48)
    ]
    return Classifier(), calls, lambda loss: loss
