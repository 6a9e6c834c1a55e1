import re
import tempfile
from pathlib import Path

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention
from torch.profiler import ProfilerActivity, profile

from validators.probes import captured_facts

HEADS, LENGTH, WIDTH, BLOCK = 2, 512, 16, 64
ONE_SCORE_MATRIX = HEADS * LENGTH * LENGTH * 4


def document(batch, head, query, key):
    return (query // BLOCK) == (key // BLOCK)


def allocated(call):
    """Bytes of all allocations during the call, whether freed before its end or not."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        call()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        # Not read as JSON: what else Kineto writes into the file is not always valid.
        sizes = re.findall(r'"name": "\[memory\]"[^{]*\{[^}]*?"Bytes": (\d+)', path.read_text())
    return sum(map(int, sizes))


def rows_that_read_it(attend, q, k, v, mask):
    """NaN in the last block of values: which rows multiplied with it, be it by 0?"""
    poisoned = v.clone()
    poisoned[:, :, -BLOCK:] = torch.nan
    output = attend(q, k, poisoned, block_mask=mask)
    return int(output.isnan().any(-1)[0, 0].sum())


def arm(device, attend):
    torch.manual_seed(0)
    # The compiled kernel has a buffer for each thread, and machines differ in these.
    torch.set_num_threads(1)
    q, k, v = torch.randn(3, 1, HEADS, LENGTH, WIDTH, device=device).unbind()
    mask = create_block_mask(document, None, None, LENGTH, LENGTH, device, BLOCK_SIZE=BLOCK)
    index = torch.arange(LENGTH, device=device)
    dense = document(0, 0, index[:, None], index[None, :])

    def attention():
        expected = scaled_dot_product_attention(q, k, v, attn_mask=dense)
        return {
            "error": (attend(q, k, v, block_mask=mask) - expected).abs().max().item(),
            "blocks_left_out": mask.sparsity(),
            "bytes": allocated(lambda: attend(q, k, v, block_mask=mask)),
            "rows": rows_that_read_it(attend, q, k, v, mask),
        }

    return captured_facts(attention=attention)


def symptom(device):
    return arm(device, flex_attention)


def remedy(device):
    return arm(device, torch.compile(flex_attention, dynamic=False))


def shows(report):
    facts = report.facts["attention"]
    assert facts["error"] < 1e-5 and facts["blocks_left_out"] > 80, facts
    assert facts["bytes"] > 0, facts
    if facts["bytes"] >= ONE_SCORE_MATRIX:
        return facts["rows"] == LENGTH
    assert facts["bytes"] < ONE_SCORE_MATRIX / 4 and facts["rows"] == BLOCK, facts
    return False
