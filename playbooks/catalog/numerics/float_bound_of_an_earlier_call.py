import torch

from validators.probes import captured_facts

BOUNDS = [0.25, 0.2, 0.15, 0.1]


def clip(x, bound):
    return x.clamp(max=bound) * 2


def wrong_calls(device, as_bound):
    """Train with one bound after the other; which calls return another result than eager's."""
    compiled = torch.compile(clip, backend="inductor")
    wrong = []
    for index, bound in enumerate(BOUNDS):
        x = torch.linspace(-1, 1, 32, device=device).requires_grad_()
        y = compiled(x, as_bound(bound))
        y.sum().backward()
        if not torch.allclose(y, clip(x, bound)):
            wrong.append(index)
    return wrong


def symptom(device):
    return captured_facts(wrong=lambda: wrong_calls(device, float))


def remedy(device):
    return captured_facts(wrong=lambda: wrong_calls(device, lambda it: torch.tensor(it).to(device)))


def shows(report):
    wrong = report.facts["wrong"]
    assert wrong in ([], [2, 3]), wrong
    return wrong == [2, 3]
