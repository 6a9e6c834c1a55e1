import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe, training_step


def train(device, **forms):
    """One optimization step of the debug-sized model."""
    config = VLMConfig.debug(**forms)
    model = make_model(config, device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return observe(step, [(*make_batch(config, device=device), None)], backend="aot_eager")


def symptom(device):
    return train(device, image_token="lookup", rotary="branch")


def remedy(device):
    return train(device, image_token="cached", rotary="where")


def shows(report):
    lines = {
        b.id: {other.line for other in report.graph_breaks if other.id == b.id}
        for b in report.graph_breaks
    }
    one_line_each = all(len(found) == 1 for found in lines.values())
    reported_more_often = len(report.graph_breaks) > len(lines)
    return set(lines) == {"GB0156", "GB0170"} and one_line_each and reported_more_often
