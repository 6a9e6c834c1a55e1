import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def evaluate(device, prepare):
    """Encode clean images, then the same ones as an attack leaves them, without gradients."""
    config = VLMConfig.tiny(vit_blocks=1)
    encoder = make_model(config, device=device).vision_encoder
    clean = make_batch(config, device=device).images
    attacked = clean.clone().requires_grad_()
    with torch.no_grad():
        return observe(encoder, [(prepare(clean),), (prepare(attacked),)])


def symptom(device):
    return evaluate(device, lambda images: images)


def remedy(device):
    return evaluate(device, torch.Tensor.detach)


def shows(report):
    assert report.exception is None, report.exception
    if report.compiled != (1, 1):
        return False
    first, second = (graph.targets for graph in report.graphs)
    return first == second
