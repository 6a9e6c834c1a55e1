import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import observe

BUCKETS = (4, 8, 16)


@torch.no_grad()
def warm_up_then_serve(device, warm_up):
    config = GPTConfig.tiny()
    model = make_model(config, device=device)
    requests = {
        length: make_batch(config, batch_size=1, seq_len=length, device=device).input_ids
        for length in BUCKETS
    }
    compiled = torch.compile(model, backend="eager", dynamic=False)

    def calls():
        for length in warm_up:
            yield (requests[length],)
        with torch.compiler.set_stance("default", skip_guard_eval_unsafe=True):
            for length in BUCKETS:
                yield (requests[length],)

    return observe(lambda ids: compiled(ids), calls(), compile=lambda f: f, compare=("eager",))


def symptom(device):
    return warm_up_then_serve(device, warm_up=BUCKETS[:2] * 50)


def remedy(device):
    return warm_up_then_serve(device, warm_up=BUCKETS)


def shows(report):
    error, served = report.exception, [call.difference for call in report.calls[-3:-1]]
    if error is not None and error.call < 6:  # nothing may end the remedy's six calls
        return True
    if error is None or error.type != "RuntimeError":
        return any(call.difference.eager > 1e-4 for call in report.calls)
    unseen = "Recompilation triggered with skip_guard_eval_unsafe stance" in error.message
    return unseen and error.call == 102 and all(difference.eager < 1e-4 for difference in served)
