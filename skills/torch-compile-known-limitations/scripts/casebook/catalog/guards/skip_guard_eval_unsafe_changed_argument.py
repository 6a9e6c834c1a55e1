import torch

from validators.probes import observe


def sample(logits_V, temperature, top_k, greedy):
    best_V = (logits_V / temperature).softmax(-1) * top_k
    return best_V.cumsum(-1) if greedy else best_V


def serve(device, warm_up):
    """Warm up, then serve requests that differ from the first in one number each."""
    logits_V = torch.arange(8.0, device=device)
    compiled = torch.compile(sample, backend="eager")

    def calls():
        for numbers in warm_up:
            yield (logits_V, *numbers)
        with torch.compiler.set_stance("default", skip_guard_eval_unsafe=True):
            for numbers in ((1.5, 3, True), (0.2, 3, True), (1.5, 7, True), (1.5, 3, False)):
                yield (logits_V, *numbers)

    def run(*args):
        return compiled(*args)

    return observe(run, calls(), compile=lambda _: run, compare=("eager",))


def symptom(device):
    return serve(device, warm_up=[(1.5, 3, True)])


def remedy(device):
    return serve(device, warm_up=[(1.5, 3, True), (2.5, 5, True), (1.5, 3, False)])


def shows(report):
    assert report.exception is None, report.exception
    served = report.calls[-4:]
    assert all(call.compiled == 0 for call in served), served
    wrong = [call.difference.eager > 0.01 for call in served]
    assert wrong in ([False] * 4, [False, True, True, True]), served
    return any(wrong)
