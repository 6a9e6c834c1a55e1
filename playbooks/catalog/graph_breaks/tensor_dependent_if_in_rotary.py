from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(rotary, device):
    config = VLMConfig.tiny(rotary=rotary)
    return observe(make_model(config, device=device), [make_batch(config, device=device)])


def symptom(device):
    return forward("branch", device)


def remedy(device):
    return forward("where", device)


def shows(report):
    # All breaks are at the line of the `if`: Dynamo breaks each caller as well.
    lines = {(found.file, found.line) for found in report.graph_breaks}
    return len(lines) == 1 and len(report.graphs) > 1
