import torch

from validators.probes import observe


def noised(x):
    return (x + 0.1 * torch.randn_like(x)).tanh()


def noised_aside(x):
    with torch.random.fork_rng(devices=[]):
        noise = torch.randn_like(x)
    return (x + 0.1 * noise).tanh()


def aside(function):
    def run(x):
        with torch.random.fork_rng(devices=[]):
            y = function(x)
        # What is left of the random state shows whether the fork held.
        return y, torch.get_rng_state().double()

    return run


def calls():
    torch.manual_seed(0)
    return [(torch.randn(2, 4),)] * 2


def symptom(device):
    return observe(noised_aside, calls(), fullgraph=True)


def remedy(device):
    compiled = torch.compile(noised, backend="eager", fullgraph=True)
    return observe(aside(noised), calls(), compile=lambda _: aside(compiled), compare=["eager"])


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert not any(call.difference.eager for call in report.calls), report.calls
    return False
