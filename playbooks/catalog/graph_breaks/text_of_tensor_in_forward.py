import torch

from validators.probes import observe

NOTES = {}


def noted_as_text(x):
    y = x.relu() + 1
    NOTES["scale"] = str(y.mean())
    return (y * 2).tanh()


def noted_as_tensor(x):
    y = x.relu() + 1
    NOTES["scale"] = y.mean().detach()
    return (y * 2).tanh()


def run(step, device):
    NOTES["scale"] = ""
    return observe(step, [(torch.ones(4, device=device),)] * 2)


def symptom(device):
    return run(noted_as_text, device)


def remedy(device):
    return run(noted_as_tensor, device)


def shows(report):
    assert report.exception is None, report.exception
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and report.executions == (1, 1), report.calls
        return False
    return report.executions == (2, 2)
