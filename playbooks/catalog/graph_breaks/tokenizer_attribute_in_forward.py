from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(image_token, device):
    config = VLMConfig.tiny(image_token=image_token)
    model = make_model(config, device=device)
    return observe(model, [make_batch(config, device=device)])


def symptom(device):
    return forward("lookup", device)


def remedy(device):
    return forward("cached", device)


def shows(report):
    # All breaks are at the line of the lookup: Dynamo breaks each caller as well.
    lines = {(found.file, found.line) for found in report.graph_breaks}
    return len(lines) == 1 and len(report.graphs) > 1
