import torch

from reference_models.vlm import VLMConfig, make_batch, make_model, stack_images
from validators.probes import observe


def train(device, images, forward_around):
    """Forward and backward of batches that differ in size, each with a list of its images."""
    config = VLMConfig.tiny(images=images, vit_blocks=0, lm_blocks=0)
    calls = []
    for batch_size in (4, 6, 3):
        # No length is a side of the image: equal sizes would share a symbol, and a guard.
        batch = make_batch(config, batch_size, seq_len=24, device=device)
        calls.append((batch.input_ids, list(batch.images.split(1)), *batch[2:]))

    def stepping(model):
        forward = forward_around(torch.compile(model, backend="eager", dynamic=True))

        def step(*inputs):
            _, loss = forward(*inputs)
            loss.backward()
            return loss.detach()

        return step

    return observe(make_model(config, device=device), calls, compile=stepping)


def core_alone(core):
    def eager_forward(input_ids, images, *rest):
        return core(input_ids, stack_images(images), *rest)

    return eager_forward


def symptom(device):
    return train(device, "list_disabled", forward_around=lambda compiled: compiled)


def remedy(device):
    return train(device, "stacked", forward_around=core_alone)


def shows(report):
    assert report.exception is None, report.exception
    breaks, recompiles = bool(report.graph_breaks), any(report.compiled[1:])
    assert breaks == recompiles, (report.graph_breaks, report.compiled)
    return breaks
