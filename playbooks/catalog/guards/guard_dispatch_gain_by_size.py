import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import captured_facts, dispatch_gain


def skipping():
    return torch.compiler.set_stance("default", skip_guard_eval_unsafe=True)


def gain(device, config):
    model = make_model(config, device=device)
    token_ids = make_batch(config, batch_size=1, seq_len=8, device=device).input_ids
    with torch.no_grad():
        report = dispatch_gain(model, (token_ids,), running=skipping)
    assert report.exception is None and not report.eager_calls
    return report.facts["gain"]


def gains(device, small, large):
    return captured_facts(small=lambda: gain(device, small), large=lambda: gain(device, large))


def symptom(device):
    return gains(device, GPTConfig.debug(n_blocks=2), GPTConfig.debug(n_blocks=16))


def remedy(device):
    # Three times the width and fourteen times the parameters, in as many modules.
    return gains(device, GPTConfig.debug(n_blocks=2), GPTConfig.large(n_blocks=2))


def shows(report):
    return report.facts["large"] > 1.4 * report.facts["small"]
