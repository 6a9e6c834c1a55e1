import numpy as np
import torch

from validators.probes import observe


def by_numpy(x_BC):
    """LayerDrop: the layer is left out of half of the steps."""
    y_BC = x_BC + 1
    if np.random.uniform(0, 1) < 0.5:
        return y_BC
    return y_BC.tanh()


def by_argument(x_BC, dropped):
    y_BC = x_BC + 1
    return torch.where(dropped, y_BC, y_BC.tanh())


def drawn_inside(step):
    def run(x_BC, seed):
        np.random.seed(seed)
        return step(x_BC)

    return run


def drawn_outside(step):
    def run(x_BC, seed):
        np.random.seed(seed)
        dropped = torch.tensor(np.random.uniform(0, 1) < 0.5, device=x_BC.device)
        return step(x_BC, dropped)

    return run


def run(device, step, wrap):
    compiled = torch.compile(step, backend="eager")
    calls = [(torch.ones(2, 4, device=device), seed) for seed in range(3)]
    return observe(wrap(step), calls, compile=lambda _: wrap(compiled), compare=["eager"])


def symptom(device):
    return run(device, by_numpy, drawn_inside)


def remedy(device):
    return run(device, by_argument, drawn_outside)


def shows(report):
    assert report.exception is None, report.exception
    # Another number than eager mode's would leave out other layers.
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and not report.recompiles, report
        return False
    # Torch 2.4 records no recompiles: the graph behind the break served only the first number.
    return len(report.graph_breaks) == 1 and report.executions == (2, 1, 1)
