import torch
from torch._inductor.compile_fx import compile_fx
from torch._subclasses import FakeTensorMode

from reference_models.gpt import GPT, GPTConfig, parameter_count
from validators.probes import captured_facts, compile_blocks, inductor_code, kernels_not_built

LARGE = GPTConfig.tiny(n_blocks=2, dim=41216)
SMALL = GPTConfig.tiny(n_blocks=2, dim=128)


def code_for(config, compile_model):
    def compile_only(graph, inputs):
        compile_fx(graph, inputs)  # schedules, generates and compiles all kernels
        return graph.forward  # which would crash on weights that are not there

    # Fake tensors say that they are on the CPU, and hold no bytes.
    with FakeTensorMode(), torch.no_grad():
        model = GPT(config)
        input_ids = torch.zeros(2, 8, dtype=torch.long)
        made = inductor_code(
            model, [(input_ids,)], compile=lambda model: compile_model(model, compile_only)
        )
    return parameter_count(model), made.facts["kernels"], made.facts["externs"]


def large_and_small(compile_large):
    parameters, kernels, externs = code_for(LARGE, compile_large)
    with kernels_not_built():
        _, small_kernels, small_externs = code_for(SMALL, whole)
    return captured_facts(
        parameters=lambda: parameters,
        kernels=lambda: kernels,
        externs=lambda: externs,
        kernels_of_small=lambda: small_kernels,
        externs_of_small=lambda: small_externs,
    )


def whole(model, backend):
    return torch.compile(model, backend=backend)


def by_block(model, backend):
    return compile_blocks(model, "blocks.*", backend=backend)


def symptom(device):
    return large_and_small(whole)


def remedy(device):
    with kernels_not_built():
        return large_and_small(by_block)


def shows(report):
    seen = report.facts
    as_many = all(len(seen[it]) == len(seen[f"{it}_of_small"]) > 0 for it in ("kernels", "externs"))
    return as_many and seen["parameters"] > 40e9
