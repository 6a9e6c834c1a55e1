import torch
from torch._inductor.select_algorithm import TritonTemplateCaller, add_preprocessing_fn

from validators.probes import captured_facts, inductor_code


@torch.no_grad()
def compiled(device, dtype):
    """How many library calls and templates autotuning may choose from for one layer."""
    offered = []

    def keep_one(choices):
        """A single choice is not benchmarked, so no clock decides anything here."""
        offered.extend(isinstance(it, TritonTemplateCaller) for it in choices)
        return choices[:1]

    add_preprocessing_fn(keep_one)
    options = {"max_autotune": True, "max_autotune_gemm_backends": "ATEN,TRITON"}
    layer = torch.nn.Linear(64, 128, bias=False, device=device, dtype=dtype)
    calls = [(torch.randn(32, 64, device=device, dtype=dtype),)]
    report = inductor_code(layer, calls, options=options)
    return captured_facts(
        library_calls=lambda: offered.count(False),
        templates=lambda: offered.count(True),
        compiled_to=lambda: report.facts["kernels"] + report.facts["externs"],
    )


def symptom(device):
    return compiled(device, torch.float64)


def remedy(device):
    return compiled(device, torch.float32)


def shows(report):
    assert report.facts["library_calls"] == 1, report.facts
    return report.facts["templates"] == 0
