import torch

from validators.probes import observe

DEPTH = 200


def recursive_scan(state, x, depth):
    if depth == 0:
        return state
    return recursive_scan(torch.tanh(state + x), x, depth - 1)


def looped_scan(state, x, depth):
    for _ in range(depth):
        state = torch.tanh(state + x)
    return state


def inputs(device):
    return torch.zeros(4, device=device), torch.ones(4, device=device), DEPTH


def symptom(device):
    recursive_scan(*inputs(device))  # eager has no trouble with that depth
    return observe(recursive_scan, [inputs(device)], eager=True)


def remedy(device):
    return observe(looped_scan, [inputs(device)], compare=["eager"])


def shows(report):
    caught = report.exception
    if caught is None:
        assert [g.ops for g in report.graphs] == [2 * DEPTH], report.graphs
        assert not report.calls[0].difference.eager, report.calls
        return False
    internal = caught.type.endswith(".InternalTorchDynamoError")
    deep = "RecursionError: maximum recursion depth exceeded" in caught.message
    assert internal and deep, caught
    return True
