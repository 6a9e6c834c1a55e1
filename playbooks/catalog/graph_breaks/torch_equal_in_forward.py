import torch

from validators.probes import observe


def skips_what_did_not_change(x, previous, kept):
    features = (x * 2).tanh()
    if torch.equal(x, previous):
        features = kept
    return features.sum(-1)


def selects_what_did_not_change(x, previous, kept):
    features = (x * 2).tanh()
    features = torch.where((x == previous).all(), kept, features)
    return features.sum(-1)


def calls(device):
    torch.manual_seed(0)
    x, y, kept = torch.randn(3, 4, 8, device=device)
    return [(x, x.clone(), kept), (x, y, kept)]


def symptom(device):
    return observe(skips_what_did_not_change, calls(device), compare=["eager"])


def remedy(device):
    return observe(selects_what_did_not_change, calls(device), compare=["eager"])


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return len(report.graphs) > 1
