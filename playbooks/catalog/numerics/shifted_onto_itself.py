import torch

from validators.probes import observe


def shift_in_place(history_TD):
    history_TD[1:] = history_TD[:-1].clone()
    return history_TD * 1


def shift_by_copy(history_TD):
    history_TD.copy_(torch.cat([history_TD[:1], history_TD[:-1]]))
    return history_TD * 1


def run(device, function):
    def compiled(_):
        return torch.compile(function, backend="inductor")

    # Both arms are held to the rows that eager mode shifts in place. Each call has its own history.
    calls = [(torch.arange(float(8 * width), device=device).view(8, width),) for width in (64, 64)]
    return observe(shift_in_place, calls, compile=compiled, compare=("eager",))


def symptom(device):
    return run(device, shift_in_place)


def remedy(device):
    return run(device, shift_by_copy)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    wrong = {call.difference.eager > 1 for call in report.calls}
    assert len(wrong) == 1, report.calls
    return wrong == {True}
