from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def train(image_merge, device):
    config = VLMConfig.tiny(image_merge=image_merge, vit_blocks=1, lm_blocks=1)
    model = make_model(config, device=device)
    batch = make_batch(config, device=device)
    return observe(model, [batch], backend="aot_eager", compare=("gradients",))


def symptom(device):
    return train("masked_assign", device)


def remedy(device):
    return train("gather", device)


def shows(report):
    return any(b.id == "GB0219" and "aten.nonzero" in b.reason for b in report.graph_breaks)
