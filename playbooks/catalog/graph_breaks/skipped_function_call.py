import torch
from torch.utils.data import get_worker_info

from validators.probes import observe

traced_worker_info = torch._dynamo.dont_skip_tracing(get_worker_info)


def augment_by(ask):
    def augment(x):
        jittered = x.relu() + 1
        worker = ask()
        return (jittered * (1 if worker is None else worker.id)).tanh()

    return augment


def symptom(device):
    return observe(augment_by(get_worker_info), [(torch.ones(4, device=device),)] * 2)


def remedy(device):
    return observe(augment_by(traced_worker_info), [(torch.ones(4, device=device),)] * 2)


def shows(report):
    assert report.exception is None, report.exception
    return bool(report.graph_breaks) and len(report.graphs) > 1
