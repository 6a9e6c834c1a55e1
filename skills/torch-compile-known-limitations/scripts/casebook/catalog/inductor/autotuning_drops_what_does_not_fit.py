import logging
from unittest import mock

import torch
import torch._inductor.compile_fx  # before parts of it, which import one another
from torch._inductor import config
from torch._inductor.codegen.cpp_template_kernel import CppTemplateCaller
from triton.runtime.errors import OutOfResources

from validators.probes import captured_facts, inductor_code

LINE = "out of resource: shared memory"


def does_not_fit(*_, **__):
    """What a Triton template says that wants more shared memory than the GPU has."""
    raise OutOfResources(131072, 101376, "shared memory")


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


@torch.no_grad()
def tune(device, backends):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU()).to(device)
    x = torch.randn(32, 64, device=device)
    logger, lines = logging.getLogger("torch._inductor.select_algorithm"), Lines()
    logger.addHandler(lines)
    options = {"max_autotune": True, "max_autotune_gemm_backends": backends}
    # The C++ template takes constant weights; it stands in for a template of Triton's.
    with (
        config.patch(freezing=True),
        mock.patch.object(CppTemplateCaller, "benchmark", does_not_fit),
    ):
        report = inductor_code(model, [(x,)], compare=["eager"], options=options)
    logger.removeHandler(lines)
    dropped = sum(LINE in line for line in lines.seen)
    if report.exception is not None:
        return {"dropped": dropped, "raised": report.exception.message}
    return {
        "dropped": dropped,
        "raised": "",
        "library_calls": len(report.facts["externs"]),
        "right": report.calls[0].difference.eager < 1e-4,
    }


def symptom(device):
    return captured_facts(tuning=lambda: tune(device, "ATEN,CPP"))


def remedy(device):
    return captured_facts(tuning=lambda: tune(device, "ATEN"))


def shows(report):
    tuning = report.facts["tuning"]
    if tuning["raised"]:
        assert LINE in tuning["raised"], tuning
        return False
    assert tuning["right"] and tuning["library_calls"] == 1, tuning
    return tuning["dropped"] > 0
