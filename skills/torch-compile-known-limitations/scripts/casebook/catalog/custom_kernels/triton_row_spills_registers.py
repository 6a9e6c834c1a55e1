import torch
import triton
import triton.language as tl

from validators.probes import captured_facts


@triton.jit
def softmax(source, target, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    row = tl.load(source + at)
    row = tl.exp(row - tl.max(row, 0))
    tl.store(target + at, row / tl.sum(row, 0))


def used(device, warps):
    rows = torch.randn(8, 16384, device=device)
    kernel = softmax[(8,)](rows, torch.empty_like(rows), SIZE=16384, num_warps=warps)
    return {"registers": kernel.n_regs, "spills": kernel.n_spills}


def symptom(device):
    return captured_facts(kernel=lambda: used(device, warps=2))


def remedy(device):
    return captured_facts(kernel=lambda: used(device, warps=8))


def shows(report):
    return report.facts["kernel"]["spills"] > 0
