import torch
from torch._inductor import config

from validators.probes import captured_facts, inductor_code


@torch.no_grad()
def with_and_without(device, **options):
    """The code of one model with epilogue fusion on, and with it off."""
    model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU()).to(device)
    on, off = (
        inductor_code(
            model,
            [(torch.randn(32, 64, device=device),)],
            options={"epilogue_fusion": fuse, **options},
        )
        for fuse in (True, False)
    )
    return captured_facts(
        kernels_on=lambda: on.facts["kernels"],
        kernels_off=lambda: off.facts["kernels"],
        externs_on=lambda: on.facts["externs"],
        externs_off=lambda: off.facts["externs"],
    )


def symptom(device):
    return with_and_without(device)


def remedy(device):
    # The C++ template takes constant weights, and as an option `freezing` would come too late.
    with config.patch(freezing=True):
        backend = "CPP" if device == "cpu" else "TRITON"
        return with_and_without(device, max_autotune=True, max_autotune_gemm_backends=backend)


def shows(report):
    on, off = (
        (report.facts[f"kernels_{which}"], report.facts[f"externs_{which}"])
        for which in ("on", "off")
    )
    return on == off if on[1] else len(off[0]) <= len(on[0])
