import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe, training_step


def train(device, **forms):
    """One optimization step of the smallest model."""
    config = VLMConfig.tiny(lm_blocks=1, vit_blocks=1, **forms)
    model = make_model(config, device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return observe(step, [(*make_batch(config, device=device), None)], backend="aot_eager")


def symptom(device):
    return train(device, image_token="lookup", rotary="branch")


def remedy(device):
    return train(device, image_token="cached", rotary="where")


def shows(report):
    places = [[b.line for b in report.graph_breaks if b.id == id] for id in ("GB0156", "GB0170")]
    if not any(places):
        return bool(report.exception or report.graph_breaks) or len(report.graphs) != 1
    one_line_each = all(len(set(lines)) == 1 < len(lines) for lines in places)
    return one_line_each and sum(map(len, places)) == len(report.graph_breaks)
