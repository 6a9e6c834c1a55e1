import dataclasses

import torch

from validators.probes import observe


class Scaling:
    def __init__(self, factor):
        self.factor = factor


HALF = Scaling(0.5)


@dataclasses.dataclass
class Settings:
    window: int = 2
    scaling: Scaling = HALF


@dataclasses.dataclass
class SettingsByFactory:
    window: int = 2
    scaling: Scaling = dataclasses.field(default_factory=lambda: HALF)


def layer_with(settings_class):
    def layer(x):
        y = x.relu() + 1
        settings = settings_class(window=4)
        return (y * settings.scaling.factor).tanh() / settings.window

    return layer


def run(layer, device):
    return observe(layer, [(torch.ones(4, device=device),)] * 2, compare=["eager"])


def symptom(device):
    return run(layer_with(Settings), device)


def remedy(device):
    return run(layer_with(SettingsByFactory), device)


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if not report.graph_breaks:
        assert report.executions == (1, 1), report.executions
        return False
    return report.executions == (2, 2)
