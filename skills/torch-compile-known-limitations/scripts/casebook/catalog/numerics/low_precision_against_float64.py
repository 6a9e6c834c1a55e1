import torch

from validators.probes import captured_facts, observe


class TanhGelu(torch.nn.Module):
    """The tanh form of GELU, op by op: `1 + tanh` cancels where x is below zero."""

    def forward(self, x):
        inner = 0.7978845608 * (x + 0.044715 * x * x * x)
        return 0.5 * x * (1.0 + torch.tanh(inner))


def defective(gm, _inputs):
    """A backend whose results are off by something smaller than bfloat16's own rounding here."""
    return lambda *args: tuple(out + 2.0**-10 for out in gm(*args))


def distances(device, measure):
    """How far Inductor's result is from the reference that `measure` reads, and a wrong one."""
    x = torch.linspace(-4, 0, 4096, device=device, dtype=torch.bfloat16)

    def distance(backend):
        run = observe(TanhGelu(), [(x,)], backend=backend, compare=("eager", "float64"))
        return measure(run.calls[0].difference)

    return captured_facts(
        inductor=lambda: distance("inductor"),
        defective=lambda: distance(defective),
    )


def symptom(device):
    return distances(device, measure=lambda difference: difference.eager)


def remedy(device):
    return distances(device, measure=lambda difference: difference.compiled_float64)


def shows(report):
    inductor, wrong = report.facts["inductor"], report.facts["defective"]
    assert inductor > 0 and wrong > 0 and inductor != wrong, report.facts
    return wrong < inductor
