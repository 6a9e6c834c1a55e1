import torch
from torch._inductor.compile_fx import compile_fx

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compile_blocks, compile_work, kernels_not_built

# Widths that neither rise nor fall with the depth: work that depended on them would show.
DEPTHS_AND_WIDTHS = ((1, 32), (3, 64), (6, 32))


def generate_only(graph, inputs):
    with kernels_not_built():  # all that is counted comes before the C++ compiler
        compile_fx(graph, inputs)
    return graph.forward  # generated code that lacks its kernels cannot run


def whole(model):
    return torch.compile(model, backend=generate_only)


def by_block(model):
    return compile_blocks(model, "blocks.*", backend=generate_only)


@torch.no_grad()
def growth(device, compile_model):
    configs = [GPTConfig.tiny(n_blocks=depth, dim=width) for depth, width in DEPTHS_AND_WIDTHS]

    def compile_all(models):
        compiled = [compile_model(model) for model in models]
        return lambda which, input_ids: compiled[which](input_ids)

    models = [make_model(config, device=device) for config in configs]
    input_ids = make_batch(configs[0], device=device).input_ids
    return compile_work(models, [(i, input_ids) for i in range(len(models))], compile=compile_all)


def symptom(device):
    return growth(device, whole)


def remedy(device):
    return growth(device, by_block)


def in_proportion(work):
    """Whether each block adds as much to a deeper model as to a shallow one."""
    (d0, _), (d1, _), (d2, _) = DEPTHS_AND_WIDTHS
    first, second = (work[1] - work[0]) / (d1 - d0), (work[2] - work[1]) / (d2 - d1)
    return first > 0 and abs(second - first) <= 0.1 * first


def shows(report):
    work = [report.facts[which] for which in ("forward_ops", "scheduled", "fusion_checks")]
    return all(len(by_depth) == 3 and in_proportion(by_depth) for by_depth in work)
