import os

import torch
import triton
import triton.language as tl

from validators.probes import observe


@triton.jit
def double_kernel(source, target, size: tl.constexpr):
    at = tl.arange(0, size)
    tl.store(target + at, tl.load(source + at) * 2)


def launch(x):
    doubled = torch.empty_like(x)
    double_kernel[(1,)](x, doubled, 16)
    return doubled


def launch_on_a_gpu(x):
    return launch(x) if x.is_cuda else x * 2


def without_a_gpu(double):
    os.environ.update(CUDA_VISIBLE_DEVICES="", HIP_VISIBLE_DEVICES="")
    return observe(lambda x: double(x) + 1, [(torch.ones(16),)], compare=["eager"])


def symptom(device):
    return without_a_gpu(launch)


def remedy(device):
    return without_a_gpu(launch_on_a_gpu)


def shows(report):
    if report.exception is None:
        assert len(report.graphs) == 1 and report.calls[0].difference.eager == 0.0, report.graphs
        return False
    assert report.exception.message.startswith("0 active drivers ([])"), report.exception
    return True
