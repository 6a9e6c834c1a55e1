import torch

from reference_models.vlm import RMSNorm, VLMConfig, make_batch, make_model
from validators.probes import inductor_code


@torch.no_grad()
def decode(device, kind):
    config = VLMConfig.tiny(lm_blocks=1)
    model = make_model(config, device=device)
    x_BTD = model.embed(make_batch(config, device=device).input_ids, images=None)

    def compile_layers(decoder):
        for layer in decoder.modules():
            if isinstance(layer, kind):
                # In place, a bare nn.Linear would not be compiled.
                layer.forward = torch.compile(layer.forward, dynamic=False)
        return decoder

    return inductor_code(model.language_model, [(x_BTD,)], compile=compile_layers)


def symptom(device):
    return decode(device, torch.nn.Linear)


def remedy(device):
    return decode(device, RMSNorm)


def shows(report):
    kernels, externs = report.facts["kernels"], report.facts["externs"]
    if kernels:
        assert not externs and len(kernels) == len(report.graphs), report.facts
        return False
    return len(externs) == len(report.graphs)
