"""Gradients of each sample by itself, with `vmap` over `grad`."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap


def build():
    return nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 3))


def inputs(batch):
    return torch.randn(batch, 6), torch.randint(0, 3, (batch,))


def per_sample(model):
    def loss(parameters, x, label):
        logits = functional_call(model, parameters, (x[None],))
        return F.cross_entropy(logits, label[None])

    return vmap(grad(loss), in_dims=(None, 0, 0))


def training(model, compile):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    gradients = compile(per_sample(model))

    def step(x, labels):
        found = gradients(dict(model.named_parameters()), x, labels)
        norms = sum(it.flatten(1).square().sum(1) for it in found.values()).sqrt()
        factors = (1.0 / (norms + 1e-6)).clamp(max=1.0)
        for name, parameter in model.named_parameters():
            parameter.grad = torch.einsum("b,b...->...", factors, found[name]).detach() / len(x)
        optimizer.step()
        return norms

    return step


def inference(model, compile):
    forward = compile(vmap(model))
    return lambda x, labels: forward(x)
