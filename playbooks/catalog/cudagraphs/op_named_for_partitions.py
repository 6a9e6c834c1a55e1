import dataclasses
import re

import torch
from torch._inductor import config

from validators.probes import captured_log, inductor_code

CREATED = r"Created \d+ graph partitions: (\d+) cudagraphable, (\d+) non-cudagraphable"


@torch.library.custom_op("casebook::attend", mutates_args=())
def attend(x: torch.Tensor) -> torch.Tensor:
    return x.softmax(-1)


attend.register_fake(torch.empty_like)


def layer(x):
    return attend(x.sin() + 1) * 2


@torch.no_grad()
def compiled(device):
    with captured_log("torch._inductor.scheduler.__cudagraphs") as messages:
        calls = [(torch.randn(64, 128, device=device),)] * 3
        report = inductor_code(layer, calls, mode="reduce-overhead")
    said = re.search(CREATED, "\n".join(messages))
    facts = {"recorded": int(said[1]), "between": int(said[2])}
    return dataclasses.replace(report, facts={**report.facts, **facts})


def symptom(device):
    return compiled(device)


def remedy(device):
    with config.patch(custom_should_partition_ops=["casebook::attend"]):
        return compiled(device)


def shows(report):
    return report.facts["between"] == 0
