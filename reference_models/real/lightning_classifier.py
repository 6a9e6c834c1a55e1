"""The training step of a LightningModule, which logs a loss and metrics, of lightning."""

import torch
from lightning import LightningModule
from torchmetrics import MetricCollection
from torchmetrics.classification import MulticlassAccuracy, MulticlassF1Score


class Classifier(LightningModule):
    """A classifier of rows that logs its loss and its metrics at each step."""

    def __init__(self, classes=5):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(32, 64),
            torch.nn.ReLU(),
            torch.nn.Dropout(0.1),
            torch.nn.Linear(64, classes),
        )
        self.metrics = MetricCollection(
            [MulticlassAccuracy(num_classes=classes), MulticlassF1Score(num_classes=classes)],
            prefix="train_",
        )

    def forward(self, x):
        """The logits of each row."""
        return self.net(x)

    def training_step(self, batch, batch_idx):
        """The loss of a batch, logged."""
        x, y = batch
        logits = self(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        self.log("train_loss", loss, on_step=True, on_epoch=True, prog_bar=True)
        self.metrics(logits, y)
        self.log_dict(self.metrics, on_step=False, on_epoch=True)
        return loss


class Step(torch.nn.Module):
    """A training step as a model; there is no Trainer, which Lightning allows with a warning."""

    def __init__(self):
        super().__init__()
        self.module = Classifier()

    def forward(self, batch, batch_idx):
        """The loss of a batch."""
        return self.module.training_step(batch, batch_idx)


def example():
    """Three batches of different sizes, trained on."""
    torch.manual_seed(0)
    calls = [
        ((torch.randn(size, 32), torch.randint(0, 5, (size,))), index)
        for index, size in enumerate((16, 24, 32))
    ]
    return Step(), calls, lambda loss: loss
