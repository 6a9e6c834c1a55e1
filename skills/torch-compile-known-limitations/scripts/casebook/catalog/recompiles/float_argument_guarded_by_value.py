import torch

from validators.probes import captured_facts

SCALES = (1.5, 2.5, 3.5, 4.5, 5.5, 6.5)


def guided(conditional, unconditional, scale):
    return unconditional + scale * (conditional - unconditional)


def sweep(device, as_argument, dynamic):
    """How many graphs a sweep over guidance scales compiles, and whether its results are right."""
    graphs = []

    def counting(graph_module, _inputs):
        graphs.append(graph_module)
        return graph_module

    step = torch.compile(guided, backend=counting, dynamic=dynamic)
    noise = torch.randn(2, 4, 8, device=device)
    for scale in SCALES:
        torch.testing.assert_close(step(*noise, as_argument(scale)), guided(*noise, scale))
    return len(graphs)


def sweeps(device, as_argument):
    return captured_facts(
        default=lambda: sweep(device, as_argument, dynamic=None),
        dynamic=lambda: sweep(device, as_argument, dynamic=True),
    )


def symptom(device):
    return sweeps(device, float)


def remedy(device):
    return sweeps(device, lambda scale: torch.tensor(scale, device=device))


def shows(report):
    graphs = report.facts["default"], report.facts["dynamic"]
    return graphs == (len(SCALES), len(SCALES))
