import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import observe


@torch.no_grad()
def warm_up(device, lengths):
    config = GPTConfig.tiny()
    # What a recompile gives as its reasons is the list of variants, in the order of the search.
    batches = [
        make_batch(config, batch_size=2, seq_len=length, device=device).input_ids
        for length in (*lengths, 32)
    ]
    model = make_model(config, device=device)
    return observe(model, [(ids_BT,) for ids_BT in batches], dynamic=False)


def symptom(device):
    return warm_up(device, (8, 16, 24))


def remedy(device):
    return warm_up(device, (8, 16, 24, 8))


def shows(report):
    searched = [reason.split(":")[0] for reason in report.recompiles[-1].reasons]
    by_age, by_use = ["0/2", "0/1", "0/0"], ["0/0", "0/2", "0/1"]
    assert searched in (by_age, by_use)
    return searched == by_age
