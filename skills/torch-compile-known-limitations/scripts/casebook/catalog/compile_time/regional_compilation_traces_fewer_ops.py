from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compile_blocks, observe

BLOCKS = 32


def decode(device, **options):
    config = VLMConfig.tiny(lm_blocks=BLOCKS)
    model = make_model(config, device=device)
    x_BTD = model.embed(make_batch(config, device=device).input_ids, images=None)
    return observe(model.language_model, [(x_BTD,), (x_BTD,)], **options)


def symptom(device):
    return decode(device)


def remedy(device):
    return decode(device, compile=lambda lm: compile_blocks(lm, "blocks.*", backend="eager"))


def shows(report):
    executed = sum(graph.ops * graph.executions for graph in report.graphs) / len(report.calls)
    return report.ops > executed / 10
