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
    if not report.graph_breaks:
        assert report.exception is None and len(report.graphs) == 1, report
        return False
    lines = [graph_break.line for graph_break in report.graph_breaks]
    return len(set(lines)) == 2 and all(lines.count(line) > 1 for line in lines)
