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
    return any(found.type == "Data-dependent branching" for found in report.graph_breaks)
