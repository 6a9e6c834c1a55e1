import logging

import torch
from torch._dynamo import config

from validators.probes import observe

logger = logging.getLogger("model")


def attention_weights(q_TH, k_TH):
    scores_TT = q_TH @ k_TH.mT / q_TH.shape[-1] ** 0.5
    logger.debug("scores for %d keys", k_TH.shape[0])
    return scores_TT.softmax(-1)


def attend(device):
    logger.setLevel(logging.WARNING)
    q_TH, k_TH = torch.ones(4, 8, device=device), torch.ones(4, 8, device=device)
    return observe(attention_weights, [(q_TH, k_TH), (q_TH, k_TH)])


def symptom(device):
    return attend(device)


def remedy(device):
    with config.patch(ignore_logging_functions={logging.Logger.debug}):
        return attend(device)


def shows(report):
    assert report.exception is None, report.exception
    return bool(report.graph_breaks) and len(report.graphs) > 1
