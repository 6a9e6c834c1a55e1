import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def rounds(device, modes):
    """Two rounds of the same batch, each under every mode."""
    config = VLMConfig.tiny(vit_blocks=1)
    encoder = make_model(config, device=device).vision_encoder
    images = make_batch(config, device=device).images

    def calls():
        for mode in modes * 2:
            with mode():
                yield (images,)

    return observe(encoder, calls())


def symptom(device):
    return rounds(device, [torch.enable_grad, torch.no_grad, torch.inference_mode])


def remedy(device):
    return rounds(device, [torch.enable_grad, torch.no_grad, torch.no_grad])


def shows(report):
    return report.compiled == (1, 1, 1, 0, 0, 0)
