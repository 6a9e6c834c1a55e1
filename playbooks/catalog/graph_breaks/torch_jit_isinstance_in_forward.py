from typing import Tuple  # noqa: UP035

import torch

from validators.probes import observe


def is_pair_for_script(size):
    return torch.jit.isinstance(size, Tuple[int, int])  # noqa: UP006


def is_pair(size):
    return (
        isinstance(size, tuple) and len(size) == 2 and all(isinstance(side, int) for side in size)
    )


def spectrum(check):
    def forward(wave, size=8):
        frame, hop = size if check(size) else (size, size // 2)
        frames = wave.unfold(-1, frame, hop)
        return (frames * torch.hann_window(frame, device=wave.device)).square().sum(-1)

    return forward


def arm(check, device):
    wave = torch.rand(2, 32, device=device)
    # Both answers of the check, so that a remedy that always says no does not pass.
    calls = [(wave, 8), (wave, (8, 2))]
    return observe(spectrum(check), calls, fullgraph=True, dynamic=False, compare=["eager"])


def symptom(device):
    return arm(is_pair_for_script, device)


def remedy(device):
    return arm(is_pair, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 2 and len(report.calls) == 2, report
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    return False
