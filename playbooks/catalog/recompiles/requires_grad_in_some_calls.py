import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def encode(device, first):
    """Encode images with gradients on, then the same ones, optimized: they require grad."""
    config = VLMConfig.tiny(vit_blocks=1)
    encoder = make_model(config, device=device).vision_encoder
    clean = make_batch(config, device=device).images
    optimized = clean.clone().requires_grad_()
    assert torch.is_grad_enabled()
    return observe(encoder, [(first(clean),), (optimized,)])


def symptom(device):
    return encode(device, lambda images: images)


def remedy(device):
    return encode(device, lambda images: images.clone().requires_grad_())


def shows(report):
    assert report.exception is None, report.exception
    if report.compiled != (1, 1):
        return False
    first, second = (graph.targets for graph in report.graphs)
    return first == second
