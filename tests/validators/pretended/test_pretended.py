"""What the pretended device invents, and what it leaves to torch; on a CUDA build of torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pythons import pretending
from validators.pretended.boards import BOARDS

PLANTING = Path(__file__).with_name("planting.py")
PLANTS = {
    "value_as_number": "aten._local_scalar_dense.default",
    "value_as_branch": "aten._local_scalar_dense.default",
    "value_as_array": "Tensor.numpy",
    "value_as_shape": "aten.nonzero.default",
    "memory_of_allocator": "torch.cuda.max_memory_allocated",
    "memory_of_device": "torch.cuda.mem_get_info",
    "clock_of_events": "torch.cuda.Event.elapsed_time",
    "clock_of_configurations": "the launch configuration of a kernel",
    "clock_of_templates": "the algorithm of a template",
    "clock_of_padding": "whether a matrix is padded",
    "clock_of_users": "the configuration of a user's kernel",
    "replay_of_recording": "torch.cuda.CUDAGraph",
    "replay_of_mutated_output": "whether a graph may change what another graph returned",
}
"""What each plant makes the device write down; its kind is the first word of the name."""
TIES = (
    "clock_of_configurations",
    "clock_of_templates",
    "clock_of_padding",
    "clock_of_users",
    "replay_of_mutated_output",
)
"""Plants that get an answer, and so do not raise."""
HARMLESS = (
    "nothing_of_kernels",
    "nothing_of_cpu",
    "nothing_of_training",
    "nothing_of_tied_weights",
)
MARKED = "marks_of_unbacked_sizes"

pytestmark = [pytest.mark.matrix, pytest.mark.slow]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each plant left behind."""
    folder = tmp_path_factory.mktemp("planted")
    said = pretending("sm_90", folder, str(PLANTING), *PLANTS, *HARMLESS, MARKED)
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.parametrize("name", PLANTS)
def test_an_invented_answer_is_recorded(planted, name) -> None:
    """With its kind and who asked for it; a question that has no answer raises."""
    found = planted[name]
    kind = name.partition("_")[0]
    assert (kind, PLANTS[name]) in {(it["kind"], it["what"]) for it in found["invented"]}, found
    assert {it["kind"] for it in found["invented"]} == {kind}
    assert bool(found["raised"]) == (name not in TIES), found


@pytest.mark.parametrize("name", HARMLESS)
def test_nothing_is_invented_where_a_compiler_decides(planted, name) -> None:
    """One configuration of a kernel, tensors on the CPU, a training step, tied weights."""
    assert planted[name] == {"invented": [], "raised": "", "skips": []}


def test_marks_of_dynamic_sizes_hold(planted) -> None:
    """No size that differs compiles again."""
    assert planted[MARKED]["raised"] == ""


@pytest.mark.parametrize("arch", BOARDS)
def test_torch_compiles_for_the_board(tmp_path, arch) -> None:
    """Its capability is the board's, and so is the architecture of the machine code."""
    code = """
import json, re, subprocess, tempfile, torch
from validators.pretended import binaries
from validators.pretended.install import install
real, targets = binaries.resources, []
def resources(binary):
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary)
        file.flush()
        command = [str(binaries._TOOLS / "cuobjdump"), "-elf", file.name]
        said = subprocess.run(command, capture_output=True, text=True).stdout
    targets.append(int(re.search(r"sm=(\\d+)", said)[1]))
    return real(binary)
binaries.resources = resources
it = install()
torch.compile(lambda x: x.sin() + 1)(torch.ones(64, device="cuda"))
board = torch.cuda.get_device_properties(0)
print(json.dumps([board.name, board.major * 10 + board.minor, targets, len(it.binaries)]))
"""
    name, capability, targets, binaries = json.loads(pretending(arch, tmp_path, "-c", code))
    assert name == BOARDS[arch].name
    assert f"sm_{capability}" == arch
    assert targets == [capability]
    assert binaries == 1
