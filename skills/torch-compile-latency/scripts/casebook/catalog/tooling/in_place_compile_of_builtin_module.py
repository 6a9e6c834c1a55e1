import torch
from torch import nn

from validators.probes import observe


def encode(device, **options):
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    encoder = nn.TransformerEncoder(layer, num_layers=2).to(device)
    x = torch.randn(2, 4, 16, device=device)
    return observe(encoder, [(x,), (x,)], **options)


def compile_in_place(encoder):
    encoder.compile(backend="eager")
    return encoder


def symptom(device):
    return encode(device, compile=compile_in_place, eager=True)


def remedy(device):
    return encode(device)


def shows(report):
    return not report.graphs and report.eager_calls == (0, 1) and report.exception is None
