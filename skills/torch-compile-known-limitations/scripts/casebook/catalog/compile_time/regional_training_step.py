import torch

from reference_models.vlm import VisionLanguageModel, VLMConfig
from validators.probes import compile_blocks, compile_work, training_step


def whole(step):
    return step.compile_in_place(backend="aot_eager", dynamic=False)


def by_block(step):
    for part in ("vision_encoder", "language_model"):
        compile_blocks(step.model, f"{part}.blocks.*", backend="aot_eager", dynamic=False)
    return step


SHALLOW, DEEP = VLMConfig.tiny(vit_blocks=1, lm_blocks=1), VLMConfig.debug()


def first_steps(compile_step):
    """A first training step of a model with 1 and 1 blocks, and one of a model with 4 and 4."""
    calls, steps = [], []
    for config in (SHALLOW, DEEP):
        # What there is to compile does not need the weights, only their shapes.
        with torch.device("meta"):
            model = VisionLanguageModel(config)
            size = config.image_size
            images = torch.zeros(config.batch_size, 3, size, size)
            input_ids = torch.zeros(config.batch_size, config.seq_len, dtype=torch.long)
        optimizer = torch.optim.AdamW(model.parameters())
        steps.append(training_step(model, optimizer, lambda output, _: output[1]))
        calls.append((len(calls), input_ids, images, None, input_ids, input_ids))

    def compile_all(steps):
        compiled = [compile_step(step) for step in steps]
        return lambda which, *batch: compiled[which](*batch)

    return compile_work(steps, calls, compile=compile_all)


def symptom(device):
    return first_steps(whole)


def remedy(device):
    return first_steps(by_block)


def shows(report):
    in_shallow = report.calls[0].compiled
    forward, backward = report.facts["forward_ops"], report.facts["backward_ops"]
    shallow = sum(forward[:in_shallow]) + sum(backward[:in_shallow])
    deep = sum(forward[in_shallow:]) + sum(backward[in_shallow:])
    return deep > 2 * shallow > 0
