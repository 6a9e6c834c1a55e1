from torch import nn
from torch._dynamo.decorators import mark_unbacked
from torch.nn.functional import unfold

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


class PatchEmbedding(nn.Linear):
    """In the place of a convolution, which Inductor refuses with an unbacked batch on the CPU."""

    def forward(self, images_NCHW):
        return super().forward(unfold(images_NCHW, SIZE, stride=SIZE).mT).mT


CONFIG = VLMConfig.tiny()
SIZE = CONFIG.patch_size


def forward(device, **options):
    """A forward pass of the whole model, the batch dim of all its inputs marked unbacked."""
    model = make_model(CONFIG)
    model.vision_encoder.patch_embedding = PatchEmbedding(3 * SIZE**2, CONFIG.vit_dim)
    calls = []
    for batch_size in (4, 8, 1):
        inputs = make_batch(CONFIG, batch_size, device=device)[:3]
        for tensor in inputs:
            mark_unbacked(tensor, 0, **options)
        calls.append(inputs)
    return observe(model.to(device), calls)


def symptom(device):
    return forward(device)


def remedy(device):
    return forward(device, shape_id="batch")


def shows(report):
    return bool(report.graph_breaks) and all(report.compiled)
