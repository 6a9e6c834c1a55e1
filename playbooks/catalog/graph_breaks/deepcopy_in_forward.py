import copy

import torch

from validators.probes import observe


def decoded_from(copied):
    def decoded(x, state):
        state = copied(state)
        state["keys"].mul_(0.9).add_(x)
        return state["keys"].softmax(-1), state["keys"]

    return decoded


def cloned(state):
    return {name: tensor.clone() for name, tensor in state.items()}


def steps(copied, device):
    torch.manual_seed(0)
    x, keys = torch.randn(2, 3, 4, device=device)
    calls = [(x, {"keys": keys})] * 2
    return observe(decoded_from(copied), calls, fullgraph=True, compare=["eager"])


def symptom(device):
    return steps(copy.deepcopy, device)


def remedy(device):
    return steps(cloned, device)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert "copy.deepcopy" in caught.message, caught.message
        return not report.graphs
    assert len(report.graphs) == 1 and not report.mutated_inputs, report
    assert len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
