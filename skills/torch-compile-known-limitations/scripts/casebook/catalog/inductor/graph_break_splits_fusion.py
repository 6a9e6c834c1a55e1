import torch
from torch.nn.functional import gelu

from validators.probes import inductor_code


def scores(x_TD, log):
    y_TD = gelu(x_TD)
    log(y_TD.shape)
    return torch.sigmoid(2 * y_TD) + x_TD


@torch.no_grad()
def code_with(device, log):
    x_TD = torch.randn(64, 64, device=device)
    return inductor_code(scores, [(x_TD, log)] * 2)


def symptom(device):
    return code_with(device, log=print)


def remedy(device):
    return code_with(device, log=lambda shape: None)


def shows(report):
    kernels, last = report.facts["kernels"], report.graphs[-1]
    handed_over = len(last.inputs) == 2
    return len(report.graph_breaks) == 1 and len(kernels) == 2 and handed_over
