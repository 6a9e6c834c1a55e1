import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import captured_facts, inductor_code


@torch.no_grad()
def decode(device, backend):
    config = GPTConfig.tiny(n_blocks=1)
    model = make_model(config, device=device)
    input_ids = make_batch(config, device=device).input_ids
    traced = inductor_code(model, [(input_ids,)], backend="eager")
    compiled = inductor_code(model, [(input_ids,)], backend=backend)
    eager = inductor_code(model, [(input_ids,)], compile=lambda model: model, eager=True)
    return captured_facts(
        ops_traced=lambda: compiled.ops,
        ops_of_the_model=lambda: traced.ops,
        kernels=lambda: compiled.facts["kernels"],
        dispatched=lambda: sum(compiled.facts["dispatched"].values()),
        dispatched_in_eager_mode=lambda: sum(eager.facts["dispatched"].values()),
    )


def symptom(device):
    return decode(device, "aot_eager")


def remedy(device):
    return decode(device, "inductor")


def shows(report):
    seen = report.facts
    assert seen["ops_traced"] == seen["ops_of_the_model"]
    return not seen["kernels"] and seen["dispatched"] >= seen["dispatched_in_eager_mode"]
