import torch
import triton
import triton.language as tl

from validators.probes import captured_facts

ROWS, COLUMNS, DEPTH = 128, 256, 64


@triton.jit
def product(a, b, c, K, M: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, STEP)
    total = tl.zeros((M, N), tl.float32)
    for at in range(0, K, STEP):
        left = tl.load(a + i[:, None] * K + (at + k)[None])
        right = tl.load(b + (at + k)[:, None] * N + j[None])
        total = tl.dot(left, right, total)
    tl.store(c + i[:, None] * N + j[None], total)


def needed(device, stages):
    a, b = (torch.empty(it, device=device, dtype=torch.bfloat16) for it in (2**17, 2**18))
    tiles = {"M": ROWS, "N": COLUMNS, "STEP": DEPTH, "num_warps": 8, "num_stages": stages}
    kernel = product.warmup(a, b, torch.float32, 1024, grid=(1,), **tiles)
    board = torch.cuda.get_device_properties(device)
    return {"shared": kernel.metadata.shared, "limit": board.shared_memory_per_block_optin}


def symptom(device):
    return captured_facts(kernel=lambda: needed(device, stages=5))


def remedy(device):
    return captured_facts(kernel=lambda: needed(device, stages=3))


def shows(report):
    kernel = report.facts["kernel"]
    return kernel["shared"] > kernel["limit"]
