import torch
from torch import nn
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe

IMAGES = (4, 3, 2, 1, 0)


def compile_both(encoder):
    # One function for each way: the cache of compiled code belongs to the code object.
    def by_keyword(images_NCHW):
        return encoder(images_NCHW)

    def by_mark(images_NCHW):
        return encoder(images_NCHW)

    ways = {
        "keyword": torch.compile(by_keyword, backend="eager", dynamic=True),
        "mark": torch.compile(by_mark, backend="eager"),
    }
    return lambda way, images_NCHW: ways[way](images_NCHW)


def encode(device, **marks):
    """Encode each number of images, asking for a dynamic batch by the keyword, then by a mark."""
    calls = []
    for way, mark in marks.items():
        for n in IMAGES:
            images_NCHW = torch.randn(n, 3, 8, 8, device=device)
            mark(images_NCHW, 0)
            calls.append((way, images_NCHW))
    encoder = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, 16), nn.GELU(), nn.Linear(16, 4))
    return observe(encoder.to(device), calls, compile=compile_both)


def symptom(device):
    return encode(device, keyword=lambda images_NCHW, dim: None, mark=torch._dynamo.mark_dynamic)


def remedy(device):
    return encode(device, keyword=mark_unbacked, mark=mark_unbacked)


def shows(report):
    return [call.compiled for call in report.calls] == [1, 0, 0, 1, 1] * 2
