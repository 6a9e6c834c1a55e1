"""U-Net++ with its Dice loss, a segmentation model in training, of segmentation_models_pytorch."""

import segmentation_models_pytorch as smp
import torch


class Training(torch.nn.Module):
    """The step of the package's examples: checks, logits, loss and counts."""

    def __init__(self):
        super().__init__()
        self.model = smp.create_model(
            "unetplusplus",
            encoder_name="resnet18",
            encoder_weights=None,
            encoder_depth=3,
            decoder_channels=(32, 16, 8),
            in_channels=3,
            classes=1,
        )
        self.loss_fn = smp.losses.DiceLoss(smp.losses.BINARY_MODE, from_logits=True)

    def forward(self, image, mask):
        """The loss of a batch, and its true and false positives and negatives."""
        assert image.ndim == 4 and mask.ndim == 4
        height, width = image.shape[2:]
        assert height % 32 == 0 and width % 32 == 0
        assert mask.max() <= 1.0 and mask.min() >= 0
        logits = self.model(image)
        loss = self.loss_fn(logits, mask)
        predicted = (logits.sigmoid() > 0.5).float()
        counts = smp.metrics.get_stats(predicted.long(), mask.long(), mode="binary")
        return {"loss": loss, "counts": counts}


def example():
    """Two sizes of the images."""
    torch.manual_seed(0)
    calls = [
        (torch.rand(2, 3, size, size), torch.randint(0, 2, (2, 1, size, size)).float())
        for size in (64, 96)
    ]
    return Training().train(), calls, lambda output: output["loss"]


class TwoAsserts(Training):
    """The step with an assert for each condition."""

    def forward(self, image, mask):
        """The loss of a batch, and its true and false positives and negatives."""
        assert mask.max() <= 1.0, "the mask has a value above 1"
        assert mask.min() >= 0, "the mask has a value below 0"
        logits = self.model(image)
        loss = self.loss_fn(logits, mask)
        predicted = (logits.sigmoid() > 0.5).long()
        counts = smp.metrics.get_stats(predicted, mask.long(), mode="binary")
        return {"loss": loss, "counts": counts}


def fixed():
    """The counts are made under no_grad, and no branch reads a tensor."""
    counting = smp.metrics.functional._get_stats_multilabel.__wrapped__
    smp.metrics.functional._get_stats_multilabel = torch.no_grad()(counting)
    model, calls, loss = example()
    model.__class__ = TwoAsserts
    return model, calls, loss
