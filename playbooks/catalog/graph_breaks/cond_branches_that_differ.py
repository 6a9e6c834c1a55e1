import torch

from validators.probes import observe


def normalized(x):
    scale = x.norm()
    return x / scale, scale.log()


def kept_alone(x):
    return (x.clone(),)


def kept_with_a_zero(x):
    return x.clone(), x.new_zeros(())


def step_with(otherwise):
    def step(x):
        out = torch.cond(x.norm() > 1, normalized, otherwise, (x,))
        return out[0] * 2

    return step


def both_ways(device, otherwise):
    calls = [(torch.full((3,), value, device=device),) for value in (0.1, 4.0)]
    return observe(step_with(otherwise), calls, compare=["eager"])


def symptom(device):
    return both_ways(device, kept_alone)


def remedy(device):
    return both_ways(device, kept_with_a_zero)


def shows(report):
    caught = report.exception
    if caught is not None:
        return caught.type.endswith("UncapturedHigherOrderOpError") and not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
