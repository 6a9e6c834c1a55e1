import torch

from validators.probes import captured_facts

ROWS, WIDTH = 16384, 4096


def hidden_layer(x, up, down):
    return torch.relu(x @ up) @ down


@torch.no_grad()
def peak_of_a_warm_step(device, **options):
    x = torch.randn(ROWS, 64, device=device)
    up, down = torch.randn(64, WIDTH, device=device), torch.randn(WIDTH, 64, device=device)
    step = torch.compile(hidden_layer, **options)
    for _ in range(4):  # under CUDA graphs: warm up, record, replay
        step(x, up, down)
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    step(x, up, down)
    peak, reserved = torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved()
    hidden = ROWS * WIDTH * x.element_size()
    return captured_facts(
        counted_of_hidden=lambda: (peak - before) / hidden,
        reserved_of_hidden=lambda: reserved / hidden,
    )


def symptom(device):
    return peak_of_a_warm_step(device, mode="reduce-overhead")


def remedy(device):
    return peak_of_a_warm_step(device)


def shows(report):
    facts = report.facts
    return facts["counted_of_hidden"] < 0.5 and facts["reserved_of_hidden"] >= 1
