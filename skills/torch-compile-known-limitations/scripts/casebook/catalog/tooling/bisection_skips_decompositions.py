import torch
import torch.nn.functional as F

from validators.probes import captured_facts

THREE = ("eager", "aot_eager", "inductor")
FOUR = ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor")


def drop(x_BC):
    return F.dropout(x_BC, 0.5) * 2


def agrees(device, **options):
    """Whether the compiled function gives what eager code gives from the same seed."""
    torch._dynamo.reset()
    x_BC = torch.ones(64, 64, device=device)
    outputs = []
    for function in (drop, torch.compile(drop, **options)):
        torch.manual_seed(0)
        outputs.append(function(x_BC))
    return torch.equal(*outputs)


def first_wrong(device, backends):
    return next(backend for backend in backends if not agrees(device, backend=backend))


def named(device):
    """What torch's own bisection names, which puts backends of its choice in place of ours."""
    from torch._inductor.compiler_bisector import CompilerBisector

    result = CompilerBisector.do_bisect(lambda: agrees(device))
    return [result.backend, result.subsystem, result.debug_info]


def symptom(device):
    return captured_facts(first_wrong=lambda: first_wrong(device, THREE))


def remedy(device):
    return captured_facts(
        first_wrong=lambda: first_wrong(device, FOUR), named=lambda: named(device)
    )


def shows(report):
    facts = report.facts
    if facts["first_wrong"] == "inductor":
        return True
    assert facts["first_wrong"] == "aot_eager_decomp_partition", facts
    backend, subsystem, op = facts["named"]
    right = (backend, subsystem) == (facts["first_wrong"], "decomposition")
    return not (right and "aten.native_dropout" in op)
