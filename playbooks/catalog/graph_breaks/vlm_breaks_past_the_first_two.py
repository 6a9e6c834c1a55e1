import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe, training_step


def train(device, **forms):
    """Two steps, with sequences of 32 and of 48 tokens and no padding to mask."""
    config = VLMConfig.tiny(
        image_token="cached", rotary="where", lm_blocks=1, vit_blocks=0, **forms
    )
    model = make_model(config, device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = training_step(model, optimizer, lambda output, _: output[1])
    calls = []
    for seq_len in (32, 48):
        batch = make_batch(config, seq_len=seq_len, device=device)
        calls.append((batch.input_ids, batch.images, None, batch.targets, None))
    return observe(step, calls, backend="aot_eager")


def symptom(device):
    return train(device, image_merge="masked_assign", is_causal="symbool")


def remedy(device):
    return train(device, image_merge="gather", is_causal="bool")


def shows(report):
    assert report.exception is None, report.exception
    # Of the first length only the mask breaks: `T == S` becomes symbolic in the second step.
    first, second = report.executions
    return 1 < first < second
