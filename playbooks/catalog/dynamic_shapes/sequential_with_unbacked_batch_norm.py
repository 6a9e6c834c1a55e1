import torch
from torch import nn
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe


def classify(device, mark, **options):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU()).to(device).eval()
    batches = [torch.randn(rows, 8, device=device) for rows in (4, 6)]
    for x in batches:
        mark(x, 0)
    return observe(model, [(x,) for x in batches], **options)


def symptom(device):
    return classify(device, mark_unbacked, eager=True)


def remedy(device):
    return classify(device, torch._dynamo.mark_dynamic)


def shows(report):
    assert report.exception is None, report.exception
    return not report.graphs
