import logging
from types import SimpleNamespace
from unittest import mock

import torch
import torch._inductor.compile_fx  # before parts of it, which import one another
from torch._inductor import config, utils
from torch._inductor.ir import FixedLayout

from validators.probes import captured_facts


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


def template_asked(sms):
    """Whether a matrix product on a GPU of so many SMs gets a Triton template, in default mode."""
    gpu = SimpleNamespace(multi_processor_count=sms, major=8)
    product = FixedLayout(torch.device("cuda", 0), torch.float16, [64, 64], [64, 1])
    logger, lines = logging.getLogger("torch._inductor.utils"), Lines()
    logger.addHandler(lines)
    with mock.patch.object(utils.DeviceProperties, "create", lambda device: gpu):
        taken = utils.use_triton_template(product)
    return {
        "max_autotune": config.max_autotune or config.max_autotune_gemm,
        "taken": taken,
        "warned": any("Not enough SMs" in line for line in lines.seen),
    }


def symptom(device):
    return captured_facts(template=lambda: template_asked(sms=46))


def remedy(device):
    return captured_facts(template=lambda: template_asked(sms=68))


def shows(report):
    template = report.facts["template"]
    assert not template["max_autotune"] and not template["taken"], template
    return template["warned"]
