import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def encode(device, mark_patches):
    """Mark both leading dims of the patches, of which the position embedding fixes one."""
    encoder = make_model(VLMConfig.tiny(), device=device).vision_encoder

    def with_positions(x_NPE):
        return encoder.blocks[0](x_NPE + encoder.position_embedding)

    calls = []
    for images in (4, 8, 6):
        x_NPE = torch.randn(images, 16, 64, device=device)
        torch._dynamo.mark_dynamic(x_NPE, 0)
        mark_patches(x_NPE, 1)
        calls.append((x_NPE,))
    return observe(with_positions, calls)


def symptom(device):
    return encode(device, torch._dynamo.mark_dynamic)


def remedy(device):
    return encode(device, torch._dynamo.maybe_mark_dynamic)


def shows(report):
    raised = report.exception
    if raised is not None:
        return raised.type.endswith(".ConstraintViolationError")
    shapes = [it.shape for graph in report.graphs for it in graph.inputs if len(it.shape) == 3]
    only_batch_dynamic = len(shapes) == 1 and isinstance(shapes[0][0], str)
    return not only_batch_dynamic or shapes[0][1:] != (16, 64)
