"""Plants answers that only a GPU has, in an interpreter that pretends; prints who was noted.

Each plant is a function whose name says what it asks for; it runs in a child of its own.
"""

from __future__ import annotations

import json
import os
import sys

import torch
import torch._inductor.compile_fx

from validators.pretended.install import install

ON_GPU = {"device": "cuda"}


def _value_as_number() -> None:
    torch.ones(3, **ON_GPU).sum().item()


def _value_as_branch() -> None:
    if torch.ones((), **ON_GPU) > 0:
        raise AssertionError("nobody knows that")


def _value_as_array() -> None:
    torch.ones(3, **ON_GPU).cpu().numpy()


def _value_as_shape() -> None:
    torch.ones(3, **ON_GPU).nonzero()


def _memory_of_allocator() -> None:
    torch.cuda.max_memory_allocated()


def _memory_of_device() -> None:
    torch.cuda.memory.mem_get_info()


def _clock_of_events() -> None:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    end.record()
    torch.cuda.synchronize()
    begin.elapsed_time(end)


def _clock_of_configurations() -> None:
    torch.compile(lambda x: x.softmax(-1))(torch.ones(64, 64, **ON_GPU))


def _clock_of_templates() -> None:
    options = {"max_autotune_gemm": True, "max_autotune_gemm_backends": "ATEN,TRITON"}
    x = torch.ones(64, 64, dtype=torch.bfloat16, **ON_GPU)
    torch.compile(lambda x: x @ x, options=options)(x)


def _clock_of_padding() -> None:
    x, y = (torch.ones(*it, dtype=torch.half, **ON_GPU) for it in ((2049, 2047), (2047, 2049)))
    torch.compile(torch.mm)(x, y)


def _clock_of_users() -> None:
    from validators.pretended.binaries import driver

    driver.active.get_benchmarker()(lambda: None, quantiles=(0.5, 0.2, 0.8))


def _replay_of_recording() -> None:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        pass


def _replay_of_mutated_output() -> None:
    options = {"triton.cudagraphs": True}
    make = torch.compile(lambda x: x + 1, options=options)
    change = torch.compile(lambda x: x.mul_(2), options=options)
    with torch.no_grad():
        change(make(torch.ones(8, **ON_GPU)))


def _nothing_of_kernels() -> None:
    out = torch.compile(lambda x: x.sin() + 1)(torch.ones(64, **ON_GPU))
    assert out.shape == (64,)


def _nothing_of_cpu() -> None:
    assert torch.compile(lambda x: x.sin())(torch.zeros(64)).sum().item() == 0


def _nothing_of_training() -> None:
    model = torch.nn.Linear(8, 8, bias=False).to("cuda")
    torch.compile(model)(torch.ones(8, 8, **ON_GPU)).sum().backward()
    assert model.weight.grad.shape == (8, 8)


def _nothing_of_tied_weights() -> None:
    model = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])
    model[1].weight = model[0].weight
    model.to("cuda")
    assert model[0].weight is model[1].weight
    assert model[0].weight.is_cuda
    assert model[0].bias is not model[1].bias


def _marks_of_unbacked_sizes() -> None:
    x = torch.ones(8, **ON_GPU)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    with torch._dynamo.config.patch(error_on_recompile=True):
        compiled = torch.compile(lambda x: x * 2, fullgraph=True)
        compiled(x)
        compiled(torch.ones(9, **ON_GPU))


def _planted(name: str) -> dict[str, object]:
    it = install()
    raised = ""
    try:
        globals()[f"_{name}"]()
    except Exception as error:
        raised = f"{type(error).__name__}: {error}"
    skips = [it.skipped for it in it.recordable]
    return {"invented": it.invented.told(), "raised": raised, "skips": skips}


def _in_child(name: str) -> dict[str, object]:
    """What a plant leaves behind in a process of its own: none sees what another one did."""
    told, answer = os.pipe()
    if os.fork() == 0:
        os.write(answer, json.dumps(_planted(name)).encode())
        os._exit(0)
    os.close(answer)
    with os.fdopen(told) as pipe:
        found = pipe.read()
    os.wait()
    return json.loads(found) if found else {"invented": [], "raised": "died", "skips": []}


if __name__ == "__main__":
    print(json.dumps({name: _in_child(name) for name in sys.argv[1:]}))
