import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import captured_facts, guard_evaluations


def skipping():
    return torch.compiler.set_stance("default", skip_guard_eval_unsafe=True)


def spared(device, config):
    """How many guards a call evaluates by default and does not under the stance."""
    model = make_model(config, device=device)
    token_ids = make_batch(config, batch_size=1, seq_len=8, device=device).input_ids
    with torch.no_grad():
        report = guard_evaluations(model, (token_ids,), running=skipping)
    assert report.exception is None and not report.eager_calls
    return report.facts["plain"] - report.facts["changed"]


def spared_in(device, small, large):
    return captured_facts(small=lambda: spared(device, small), large=lambda: spared(device, large))


def symptom(device):
    return spared_in(device, GPTConfig.debug(n_blocks=2), GPTConfig.debug(n_blocks=16))


def remedy(device):
    # Three times the width and fourteen times the parameters, in as many modules.
    return spared_in(device, GPTConfig.debug(n_blocks=2), GPTConfig.large(n_blocks=2))


def shows(report):
    facts = report.facts
    if facts["large"] == facts["small"]:
        return False
    return facts["large"] > 5 * facts["small"]
