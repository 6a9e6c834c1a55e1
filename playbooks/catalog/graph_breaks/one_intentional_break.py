import torch

from reference_models.vlm import VLMConfig, make_batch, make_model, stack_images
from validators.probes import observe


def train(device, images, compile_model):
    """One forward and backward over a list of images, with every other break fixed."""
    config = VLMConfig.tiny(images=images, vit_blocks=0, lm_blocks=1)
    batch = make_batch(config, device=device)
    model = make_model(config, device=device)
    call = (batch.input_ids, list(batch.images.split(1)), batch.attention_mask, batch.targets)

    def stepping(model):
        forward = compile_model(torch.compile(model, backend="eager"))

        def step(*inputs):
            _, loss = forward(*inputs)
            loss.backward()
            return loss.detach()

        return step

    return observe(model, [call] * 2, compile=stepping)


def with_eager_forward(core):
    def forward(input_ids, images, *rest):
        return core(input_ids, stack_images(images), *rest)

    return forward


def symptom(device):
    return train(device, images="list_disabled", compile_model=lambda model: model)


def remedy(device):
    return train(device, images="stacked", compile_model=with_eager_forward)


def shows(report):
    if not report.graph_breaks:
        assert report.exception is None and len(report.graphs) == 1, report
        return False
    lines = {graph_break.line for graph_break in report.graph_breaks}
    return len(lines) == 1 and len(report.graph_breaks) == 2 and len(report.graphs) == 3
