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
    executions = [call.executions for call in report.calls]
    text = ("builtin operator `str` with argument types ['Tensor']", "repr() on tensor")
    broken = [b for b in report.graph_breaks if any(it in b.reason for it in text)]
    if not broken:
        assert not report.graph_breaks and executions == [1, 1], (report.graph_breaks, executions)
        assert len(report.graphs) == 1, len(report.graphs)
        return False
    return executions == [2, 2] and {b.id for b in broken} <= {"GB0059", "GB0569"}
