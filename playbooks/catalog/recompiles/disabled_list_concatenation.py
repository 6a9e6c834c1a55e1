from reference_models.vlm import VLMConfig, make_batch, make_model, stack_images
from validators.probes import observe


def forward(images, device, prepare):
    """The same twelve images three times, in lists of two, three and four tensors."""
    config = VLMConfig.tiny(images=images, vit_blocks=1, lm_blocks=1)
    batch = make_batch(config, batch_size=12, device=device)
    calls = [
        (batch.input_ids, prepare(list(batch.images.split(12 // length)))) for length in (2, 3, 4)
    ]
    return observe(make_model(config, device=device), calls, dynamic=True)


def symptom(device):
    return forward("list_disabled", device, prepare=lambda images: images)


def remedy(device):
    return forward("stacked", device, prepare=stack_images)


def shows(report):
    if not report.graph_breaks:
        return len(report.graphs) != 1
    return all(report.compiled)
