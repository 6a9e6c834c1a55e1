"""A training step with autocast to bfloat16."""

import torch
import torch.nn.functional as F
from torch import nn


def build():
    return nn.Sequential(
        nn.Linear(8, 32),
        nn.LayerNorm(32),
        nn.GELU(),
        nn.Linear(32, 32),
        nn.Tanh(),
        nn.Linear(32, 4),
    )


def inputs(batch):
    return torch.randn(batch, 8), torch.randint(0, 4, (batch,))


def training(model, compile):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    forward = compile(model)

    def step(x, labels):
        optimizer.zero_grad()
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            loss = F.cross_entropy(forward(x), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


def inference(model, compile):
    forward = compile(model)

    def predict(x, labels):
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            return forward(x)

    return predict
