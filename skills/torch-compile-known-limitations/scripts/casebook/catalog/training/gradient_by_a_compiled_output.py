import functools

import torch
from torch import nn

from validators.probes import observe


def saliency(image, encode, classify):
    """How much the most likely class depends on each feature."""
    features = encode(image)
    score = classify(features)
    return torch.autograd.grad(score, features)


def saliency_of_model(image, model):
    features, score = model(image)
    return torch.autograd.grad(score, features)


def arm(device, compile_):
    torch.manual_seed(0)
    encoder = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).to(device)
    head = nn.Linear(4, 5).to(device)
    image = torch.randn(2, 3, 6, 6, device=device)

    def encode(image):
        return encoder(image)

    def classify(features):
        return head(features.mean((2, 3))).amax(1).sum()

    eager = functools.partial(saliency, encode=encode, classify=classify)
    return observe(
        eager,
        [(image,), (image,)],
        compile=lambda _: compile_(encode, classify),
        compare=("eager",),
    )


def one_graph(encode, classify):
    @torch.compile(backend="aot_eager", fullgraph=True)
    def model(image):
        features = encode(image)
        return features, classify(features)

    return functools.partial(saliency_of_model, model=model)


def two_graphs(encode, classify):
    compile_ = functools.partial(torch.compile, backend="aot_eager", fullgraph=True)
    return functools.partial(saliency, encode=compile_(encode), classify=compile_(classify))


def symptom(device):
    return arm(device, one_graph)


def remedy(device):
    return arm(device, two_graphs)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert "appears to not have been used in the graph" in caught.message, caught.message
        assert (len(report.graphs), report.backward_executions) == (1, 0), report.graphs
        return True
    far = max(call.difference.eager for call in report.calls)
    # Of each pair of graphs the head alone is differentiated.
    assert (len(report.graphs), report.backward_executions) == (2, 2), report.graphs
    assert far < 1e-6, far
    return False
