import threading

import torch

from validators.probes import observe

LOCK = threading.Lock()


def step(x):
    y = x.relu() * 2
    with LOCK:
        y = y.sigmoid()
    return (y + x).tanh()


def step_without_lock(x):
    y = x.relu() * 2
    y = y.sigmoid()
    return (y + x).tanh()


def locked_outside(step):
    compiled = torch.compile(step, backend="eager")

    def run(x):
        with LOCK:
            return compiled(x)

    return run


def symptom(device):
    return observe(step, [(torch.ones(4, device=device),)] * 2)


def remedy(device):
    calls = [(torch.ones(4, device=device),)] * 2
    return observe(step_without_lock, calls, compile=locked_outside)


def shows(report):
    assert report.exception is None, report.exception
    ops = {op for graph in report.graphs for op in graph.targets}
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and {"relu", "sigmoid", "tanh"} <= ops, ops
        return False
    return len(report.graph_breaks) == 1 and "relu" in ops and not {"sigmoid", "tanh"} & ops
