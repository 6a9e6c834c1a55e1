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
    in_pieces = bool(report.graph_breaks) and report.executions[0] > 1
    return in_pieces and not any("setitem" in graph.targets for graph in report.graphs)
