from reference_models.vlm import VLMConfig, make_batch, make_model, stack_images
from validators.probes import observe


def calls(device, prepare):
    """The same twelve images three times, handed over in lists of two, three and four tensors."""
    batch = make_batch(VLMConfig.tiny(), batch_size=12, device=device)
    return [
        (batch.input_ids, prepare(list(batch.images.split(12 // length)))) for length in (2, 3, 4)
    ]


def forward(images, device, prepare):
    model = make_model(VLMConfig.tiny(images=images, vit_blocks=0, lm_blocks=0), device=device)
    return observe(model, calls(device, prepare), dynamic=True)


def symptom(device):
    return forward("list", device, prepare=lambda images: images)


def remedy(device):
    return forward("stacked", device, prepare=stack_images)


def shows(report):
    return report.compiled == (1, 1, 1)
