import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def collect(images):
    if isinstance(images, list):
        images = torch.cat(images)
    return images


collect_in_eager = torch.compiler.disable(collect)


def each_variant_twice(collect, device):
    """One tensor of images, a list of them, and none at all; then all that once more."""
    config = VLMConfig.tiny()
    model = make_model(config, device=device)
    batch = make_batch(config, device=device)

    def forward(input_ids, images):
        logits, _ = model(input_ids, collect(images))
        return logits

    variants = (batch.images, list(batch.images.split(1)), None)
    return observe(forward, [(batch.input_ids, images) for images in variants * 2])


def symptom(device):
    return each_variant_twice(collect_in_eager, device)


def remedy(device):
    return each_variant_twice(collect, device)


def shows(report):
    one_graph_per_variant = [call.compiled for call in report.calls] == [1, 1, 1, 0, 0, 0]
    return bool(report.graph_breaks) or not one_graph_per_variant
