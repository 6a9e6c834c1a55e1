import torch

from validators.probes import observe


def in_place(x_BTD, mask_BT):
    hidden = x_BTD.relu()
    mask_BT.unsqueeze_(-1)
    return (hidden * mask_BT).sum(1)


def out_of_place(x_BTD, mask_BT):
    return (x_BTD.relu() * mask_BT.unsqueeze(-1)).sum(1)


def run(pool, device):
    calls = ((torch.ones(2, 3, 4, device=device), torch.ones(2, 3, device=device)) for _ in "ab")

    def compiled(_):
        return torch.compile(pool, backend="eager")

    # Both are held to the in-place form in eager mode.
    return observe(in_place, calls, compile=compiled, compare=["eager"])


def symptom(device):
    return run(in_place, device)


def remedy(device):
    return run(out_of_place, device)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    executions = [call.executions for call in report.calls]
    if not report.graph_breaks:
        assert (len(report.graphs), executions) == (1, [1, 1]), report
        return False
    return executions == [2, 2]
