"""Feature pyramid detector head that returns a structured result."""

from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

SETTINGS = {"stride": 4, "score_power": 0.5, "trace": True}


@dataclass
class Detections:
    boxes: torch.Tensor
    scores: torch.Tensor
    image: torch.Tensor
    pyramid: list
    meta: dict


class Detector(nn.Module):
    def __init__(self, width=12, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.down = nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.head = nn.Conv2d(width, 4 + classes, 1)
        self.spare = nn.Conv2d(width, 1, 1)
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))
        self.register_buffer("mean", torch.zeros(3))
        self.frames = 0

    def forward(self, image):
        self.frames += 1
        self.seen += image.shape[0]
        self.mean.mul_(0.9).add_(image.mean((0, 2, 3)), alpha=0.1)
        c1 = F.relu(self.stem(image))
        c2 = F.relu(self.down(c1))
        p1 = c1 + F.interpolate(c2, scale_factor=2.0, mode="nearest")
        raw = self.head(c2).flatten(2).transpose(1, 2)
        boxes, logits = raw.split([4, raw.shape[-1] - 4], -1)
        boxes = boxes.exp() * SETTINGS["stride"]
        scores = logits.sigmoid().pow(SETTINGS["score_power"])
        meta = {"crop": image[:, :, 2:-2, 2:-2], "frames": self.frames}
        if SETTINGS["trace"]:
            meta["channels_first"] = p1.permute(0, 2, 3, 1)
            meta["expanded"] = self.mean.view(1, 3, 1, 1).expand(2, 3, 4, 4) + 0.0
        return Detections(boxes, scores, image, [p1, c2.mT, c2[:, ::2]], meta)


def example():
    torch.manual_seed(59)
    model = Detector().to(memory_format=torch.channels_last).eval()
    first = torch.randn(2, 3, 16, 16).to(memory_format=torch.channels_last)
    return model, [(first,), (torch.randn(2, 3, 16, 16),)]
