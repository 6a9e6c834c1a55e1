import torch
from torch._dynamo import config

from validators.probes import observe


def attention_weights(q_TH, k_TH):
    scores_TT = q_TH @ k_TH.mT / q_TH.shape[-1] ** 0.5
    print("largest score:", scores_TT.max())
    return scores_TT.softmax(-1)


def attend(device):
    q_TH, k_TH = torch.ones(4, 8, device=device), torch.ones(4, 8, device=device)
    return observe(attention_weights, [(q_TH, k_TH), (q_TH, k_TH)])


def symptom(device):
    return attend(device)


def remedy(device):
    with config.patch(reorderable_logging_functions={print}):
        return attend(device)


def shows(report):
    return bool(report.graph_breaks) and len(report.graphs) > 1
