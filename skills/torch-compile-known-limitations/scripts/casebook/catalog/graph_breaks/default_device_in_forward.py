import torch

from validators.probes import captured_facts

# The second device that a machine has without a GPU.
DEFAULT = "meta"


def by_default(x_BL):
    return x_BL + torch.arange(x_BL.shape[1])


def by_input(x_BL):
    return x_BL + torch.arange(x_BL.shape[1], device=x_BL.device)


def run(forward, compiled):
    runs = []

    def backend(module, _):
        return lambda *inputs: (runs.append(1), module(*inputs))[1]

    torch.set_default_device(DEFAULT)
    try:
        if compiled:
            forward = torch.compile(forward, backend=backend, fullgraph=True)
        y = forward(torch.empty(2, 5))
    finally:
        torch.set_default_device(None)
    return [y.device.type, len(runs)]


def arm(forward):
    return captured_facts(
        eager=lambda: run(forward, compiled=False), compiled=lambda: run(forward, compiled=True)
    )


def symptom(device):
    return arm(by_default)


def remedy(device):
    return arm(by_input)


def shows(report):
    assert report.facts["eager"] == [DEFAULT, 0], report.facts
    message = report.facts.get("compiled.message")
    if message is not None:
        assert "found two different devices" in message, message
        return True
    assert report.facts["compiled"] == [DEFAULT, 1], report.facts
    return False
