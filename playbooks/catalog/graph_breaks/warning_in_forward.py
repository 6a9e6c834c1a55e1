import warnings

import torch
from torch._dynamo import config

from validators.probes import observe

TRAINED_ON = 2


def attention_weights(q_TH, k_TH):
    scores_TT = q_TH @ k_TH.mT / q_TH.shape[-1] ** 0.5
    if k_TH.shape[0] > TRAINED_ON:
        warnings.warn("more keys than the model was trained on", UserWarning, stacklevel=2)
    return scores_TT.softmax(-1)


def attend(device):
    q_TH, k_TH = torch.ones(4, 8, device=device), torch.ones(4, 8, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nobody would see the text
        return observe(attention_weights, [(q_TH, k_TH), (q_TH, k_TH)])


def symptom(device):
    return attend(device)


def remedy(device):
    with config.patch(ignore_logging_functions={warnings.warn}):
        return attend(device)


def shows(report):
    assert report.exception is None, report.exception
    return bool(report.graph_breaks) and len(report.graphs) > 1
