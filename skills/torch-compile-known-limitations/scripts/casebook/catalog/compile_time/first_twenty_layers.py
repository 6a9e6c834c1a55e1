from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import observe

BLOCKS = 32


def decode(device, compiled_blocks):
    config = GPTConfig.tiny(n_blocks=BLOCKS)
    input_ids = make_batch(config, device=device).input_ids

    def compile_first(model):
        for block in model.blocks[:compiled_blocks]:
            block.compile(backend="eager")
        return model

    model = make_model(config, device=device)
    return observe(model, [(input_ids,), (input_ids,)], compile=compile_first)


def symptom(device):
    return decode(device, compiled_blocks=20)


def remedy(device):
    return decode(device, compiled_blocks=BLOCKS)


def shows(report):
    # One graph in either arm; the unpacking is the check.
    (block,) = report.graphs
    return block.executions < BLOCKS * len(report.calls)
