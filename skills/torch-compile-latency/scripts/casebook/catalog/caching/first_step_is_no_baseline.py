import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def first_against_later(model):
    """What the belief times: the first compiled step, then another."""
    compiled = torch.compile(model, backend="eager")

    def timed(*batch):
        compiled(*batch)
        return compiled(*batch)

    return timed


def eager_against_compiled(model):
    """What a speed-up is read off: an eager step, then a compiled one."""
    compiled = torch.compile(model, backend="eager")

    def timed(*batch):
        model(*batch)
        return compiled(*batch)

    return timed


def benchmark(device, timed, warmups):
    config = VLMConfig.tiny()
    model, batch = make_model(config, device=device), make_batch(config, device=device)
    return observe(model, [batch] * (warmups + 1), compile=timed)


def symptom(device):
    return benchmark(device, first_against_later, warmups=0)


def remedy(device):
    return benchmark(device, eager_against_compiled, warmups=1)


def shows(report):
    assert report.exception is None, report.exception
    timed = report.calls[-1]
    if not timed.compiled:
        assert timed.executions == len(report.graphs), report.calls
        return False
    # The two steps run the same graphs; only the first compiles them.
    return timed.compiled == len(report.graphs) and timed.executions == 2 * timed.compiled
