import warnings
from types import SimpleNamespace
from unittest import mock

import torch
from torch._dynamo.device_interface import CudaInterface
from torch._inductor import compile_fx
from torch._inductor.ir import FixedLayout, InputBuffer, TensorBox

from validators.probes import captured_facts


def checked_for_a_t4(dtype):
    """What Inductor asks of a graph that it has lowered, on a GPU without bfloat16 of its own."""
    layout = FixedLayout(torch.device("cuda", 0), dtype, [8, 8], [8, 1])
    inputs = {"x": TensorBox.create(InputBuffer(name="x", layout=layout))}
    graph = SimpleNamespace(graph_inputs=inputs, graph_outputs=[])
    with (
        mock.patch.object(
            CudaInterface, "is_bf16_supported", lambda including_emulation=False: False
        ),
        mock.patch.object(
            CudaInterface, "get_device_properties", lambda device: SimpleNamespace(name="Tesla T4")
        ),
        warnings.catch_warnings(record=True) as seen,
    ):
        warnings.simplefilter("always")
        try:
            compile_fx._check_triton_bf16_support(graph)
            skipped = ""
        except torch._dynamo.exc.SkipFrame as skip:
            skipped = str(skip)
    return {"skipped": skipped, "said": " / ".join(str(warning.message) for warning in seen)}


def symptom(device):
    return captured_facts(graph=lambda: checked_for_a_t4(torch.bfloat16))


def remedy(device):
    return captured_facts(graph=lambda: checked_for_a_t4(torch.float16))


def shows(report):
    graph = report.facts["graph"]
    if not graph["skipped"]:
        assert not graph["said"], graph
        return False
    assert graph["skipped"].startswith("BF16 is not supported"), graph
    return "Tesla T4 does not support bfloat16 compilation natively, skipping" in graph["said"]
