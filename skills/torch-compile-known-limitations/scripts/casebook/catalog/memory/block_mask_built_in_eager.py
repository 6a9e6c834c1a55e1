import functools

import torch
from torch.nn.attention.flex_attention import create_block_mask
from torch.profiler import ProfilerActivity, profile

from validators.probes import captured_facts

LENGTH = 4096


def causal(_batch, _head, query, key):
    return query >= key


def largest_allocation(make, device):
    """The largest piece of memory that one call asked for, in bytes."""
    if torch.device(device).type == "cuda":
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        make()
        return torch.cuda.max_memory_allocated() - before
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        make()
    return max(event.self_cpu_memory_usage for event in seen.events())


def build(device, create):
    make = functools.partial(create, causal, None, None, LENGTH, LENGTH, device=device)
    mask = make()
    return {
        "largest": largest_allocation(make, device),
        "partial": int(mask.kv_num_blocks.sum()),
        "full": int(mask.full_kv_num_blocks.sum()),
    }


def symptom(device):
    return captured_facts(mask=lambda: build(device, create_block_mask))


def remedy(device):
    return captured_facts(mask=lambda: build(device, torch.compile(create_block_mask)))


def shows(report):
    mask = report.facts["mask"]
    blocks = LENGTH // 128
    assert mask["partial"] == blocks, mask
    assert mask["full"] == blocks * (blocks - 1) // 2, mask
    whole = LENGTH * LENGTH
    if mask["largest"] >= whole:
        return True
    # Without any allocation seen, nothing is proved.
    assert 0 < mask["largest"] < whole // 100, mask
    return False
