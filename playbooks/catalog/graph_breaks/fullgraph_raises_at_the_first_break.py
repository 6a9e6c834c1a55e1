import contextlib

import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(device, compile_model):
    """Two calls of a model that breaks at its tokenizer and, later, in its rotary embedding."""
    config = VLMConfig.tiny(image_token="lookup", rotary="branch", vit_blocks=1, lm_blocks=1)
    model = make_model(config, device=device)
    return observe(model, [make_batch(config, device=device)] * 2, compile=compile_model)


def check_aside(model):
    """Make the check, let it fail, and go on with the default, as a debug script does."""
    compiled = torch.compile(model, backend="eager")
    unchecked = [torch.compile(model, backend="eager", fullgraph=True)]

    def run(*inputs):
        if unchecked:
            with contextlib.suppress(torch._dynamo.exc.Unsupported):
                unchecked.pop()(*inputs)
        return compiled(*inputs)

    return run


def symptom(device):
    return forward(device, check_aside)


def remedy(device):
    return forward(device, lambda model: torch.compile(model, backend="eager", fullgraph=True))


def shows(report):
    """Both breaks are there and both calls ran in graphs: nothing stopped at the first break."""
    if report.exception is not None:
        return report.exception.call != 0
    lines = {graph_break.line for graph_break in report.graph_breaks}
    assert len(lines) == 2, report.graph_breaks
    return len(report.calls) == 2 and not report.eager_calls
