import dataclasses
import re

import torch

from validators.probes import captured_log, inductor_code

CREATED = r"Created \d+ graph partitions: (\d+) cudagraphable, (\d+) non-cudagraphable"


def through_the_cpu(x):
    return (x.sin() + 1).cpu().cos().to(x.device) * 2


def on_the_gpu(x):
    return (x.sin() + 1).cos() * 2


@torch.no_grad()
def compiled(device, function):
    with captured_log("torch._inductor.scheduler.__cudagraphs") as messages:
        calls = [(torch.randn(64, 128, device=device),)] * 3
        report = inductor_code(function, calls, mode="reduce-overhead")
    said = re.search(CREATED, "\n".join(messages))
    facts = {"recorded": int(said[1]), "between": int(said[2])}
    return dataclasses.replace(report, facts={**report.facts, **facts})


def symptom(device):
    return compiled(device, through_the_cpu)


def remedy(device):
    return compiled(device, on_the_gpu)


def shows(report):
    assert not report.cudagraphs.skips, report.cudagraphs
    return report.facts["recorded"] == 2 and report.facts["between"] == 1
