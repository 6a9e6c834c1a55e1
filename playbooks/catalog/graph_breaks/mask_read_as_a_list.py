import torch

from validators.probes import observe


def positions_by_list(x_TD, is_image_T):
    hidden = x_TD.relu()
    position, positions = 0, []
    for image in is_image_T.tolist():
        position += 0 if image else 1
        positions.append(position)
    positions_T = torch.tensor(positions, device=x_TD.device)
    return (hidden * positions_T[:, None]).tanh()


def positions_by_sum(x_TD, is_image_T):
    positions_T = (~is_image_T).cumsum(0)
    return (x_TD.relu() * positions_T[:, None]).tanh()


def run(forward, device):
    masks = ([0, 1, 1, 0], [1, 0, 1, 0])
    calls = [
        (torch.ones(4, 2, device=device), torch.tensor(mask, dtype=torch.bool, device=device))
        for mask in masks
    ]

    def compiled(_):
        return torch.compile(forward, backend="eager")

    # Both are held to the loop in eager mode: a sum that gives other positions is no remedy.
    return observe(positions_by_list, calls, compile=compiled, compare=["eager"])


def symptom(device):
    return run(positions_by_list, device)


def remedy(device):
    return run(positions_by_sum, device)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    if not report.graph_breaks:
        assert report.executions == (1, 1), report.executions
        assert len(report.graphs) == 1 and not report.recompiles, report
        return False
    return report.executions == (2, 2) and len(report.graphs) == 3
