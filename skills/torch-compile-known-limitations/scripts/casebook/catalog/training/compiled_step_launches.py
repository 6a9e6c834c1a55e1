import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts, compile_blocks, inductor_code, training_step

CONFIG = VLMConfig.debug()
BLOCKS = ("vision_encoder.blocks.*", "language_model.blocks.*")


def in_place(step):
    for pattern in BLOCKS:
        compile_blocks(step.model, pattern, dynamic=False)
    return step


def step_of(device, compiled):
    """The ops that a warm step dispatches, and the generated kernels that it runs beside them."""
    model = make_model(CONFIG, device=device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    report = inductor_code(
        training_step(model, optimizer, lambda output, _: output[1]),
        [(*make_batch(CONFIG, device=device), None)] * 2,
        eager=not compiled,
        compile=in_place if compiled else lambda step: step,
    )
    assert report.exception is None
    # both encoders have as many blocks, and these run the same code
    kernels = len(report.facts["kernels"]) * CONFIG.lm_blocks
    return sum(report.facts["dispatched"].values()), kernels


def against_eager(device, compiled):
    (eager_ops, _), (ops, kernels) = step_of(device, compiled=False), step_of(device, compiled)
    return {
        "eager_ops": eager_ops,
        "ops": ops,
        "kernels": kernels,
        "of_eager": (ops + kernels) / eager_ops,
    }


def symptom(device):
    return captured_facts(step=lambda: against_eager(device, compiled=False))


def remedy(device):
    return captured_facts(step=lambda: against_eager(device, compiled=True))


def shows(report):
    return report.facts["step"]["of_eager"] > 0.75
