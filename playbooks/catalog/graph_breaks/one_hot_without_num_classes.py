import torch
from torch.nn import functional as F

from validators.probes import observe


def mixing_weights(classes):
    def weights(expert_index_BK, gate_BK):
        chosen_BKE = F.one_hot(expert_index_BK, **classes)
        return (chosen_BKE * gate_BK[..., None]).sum(1)

    return weights


def routed(device, **classes):
    index = torch.tensor([[0, 1], [2, 3], [1, 0]], device=device)
    gate = torch.rand(3, 2, device=device)
    return observe(mixing_weights(classes), [(index, gate)] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return routed(device)


def remedy(device):
    return routed(device, num_classes=4)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager == 0 for call in report.calls), report
    return False
