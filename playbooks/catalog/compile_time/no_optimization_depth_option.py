import re

import torch
import torch._dynamo.config
from torch._inductor import config, metrics
from torch._inductor.utils import get_code

from validators.probes import captured_facts


def two_layers(x):
    for _ in range(2):
        x = torch.softmax(x * 1.5, -1) + x
    return x


def kernels(device):
    """How many kernels Inductor writes for the two layers; they are counted and not built."""
    metrics.reset()
    with config.patch(force_disable_caches=True):
        get_code(torch.compile(two_layers), torch.ones(32, 64, device=device))
    return metrics.generated_kernel_count


def limited(device, module, **limits):
    def with_limits():
        with module.patch(**limits):
            return kernels(device)

    named = [option for option in module.get_config_copy() if re.search("fusion|depth", option)]
    return captured_facts(
        options=lambda: named, default=lambda: kernels(device), limited=with_limits
    )


def symptom(device):
    return limited(device, torch._dynamo.config, optimization_depth=2)


def remedy(device):
    return limited(device, config, max_fusion_size=1)


def shows(report):
    facts = report.facts
    if "limited" in facts:
        return facts["limited"] <= facts["default"]
    # `patch` of an unknown option raised KeyError before it raised AttributeError.
    assert "optimization_depth" in facts["limited.message"], facts
    return not facts["options"]
