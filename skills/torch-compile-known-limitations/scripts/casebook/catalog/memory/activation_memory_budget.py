import torch
from torch._functorch import config
from torch.utils.flop_counter import FlopCounterMode

from reference_models.vlm import VLMConfig, make_model
from validators.probes import captured_facts


def step(decoder, forward, x_BTD):
    """What a training step keeps for its backward, in bytes, beside the weights and the input."""
    decoder.zero_grad()
    given = {tensor.data_ptr() for tensor in (x_BTD, *decoder.parameters(), *decoder.buffers())}
    kept = {}

    def keep(tensor):
        if tensor.data_ptr() not in given:
            kept[tensor.data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = forward(x_BTD).square().mean()
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    gradient = torch.cat([p.grad.flatten() for p in decoder.parameters() if p.grad is not None])
    return sum(kept.values()), backward.get_total_flops(), gradient


def train(device, budget):
    decoder = make_model(VLMConfig.tiny(), device=device).language_model
    x_BTD = torch.randn(8, 64, 64, device=device)
    kept, flops, gradient = step(decoder, decoder, x_BTD)
    with config.patch(activation_memory_budget=budget):
        compiled = torch.compile(decoder, backend="aot_eager", fullgraph=True)
        kept_compiled, flops_compiled, gradient_compiled = step(decoder, compiled, x_BTD)
    return captured_facts(
        kept_of_eager=lambda: kept_compiled / kept,
        backward_flops_of_eager=lambda: flops_compiled / flops,
        gradients_agree=lambda: torch.allclose(gradient, gradient_compiled, rtol=1e-3, atol=1e-6),
    )


def symptom(device):
    return train(device, budget=1.0)


def remedy(device):
    return train(device, budget=0.5)


def shows(report):
    return (report.facts["kept_of_eager"] > 0.5) == report.facts["gradients_agree"]
