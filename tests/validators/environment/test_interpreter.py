"""What an interpreter says of itself, asked without importing torch."""

from __future__ import annotations

import json
import os
import sys
import venv

import pytest

from validators.environment import describe, gpu, interpreter
from validators.errors import CasebookError

VERSION = """\
from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']
__version__ = '2.13.0+cu130'
debug = False
cuda: Optional[str] = '13.0'
git_version = 'abc123'
hip: Optional[str] = None
"""
ROCM_VERSION = (
    VERSION.replace("+cu130", "+rocm7.0")
    .replace("= '13.0'", "= None")
    .replace("hip: Optional[str] = None", "hip: Optional[str] = '7.0.51831'")
)
XPU_VERSION = VERSION.replace("+cu130", "+xpu").replace("= '13.0'", "= None") + "xpu = '20250302'\n"
CPU_VERSION = VERSION.replace("+cu130", "+cpu").replace("= '13.0'", "= None")


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    """A PATH that holds nothing but a folder of the test, which is returned."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for cached in (gpu.find_gpu, interpreter._compiler):
        cached.cache_clear()
    yield folder
    for cached in (gpu.find_gpu, interpreter._compiler):
        cached.cache_clear()


@pytest.fixture
def script(path):
    """Writes an executable shell script and returns its path."""

    def write(name, body):
        (path / name).write_text(f"#!/bin/sh\n{body}\n")
        (path / name).chmod(0o755)
        return str(path / name)

    return write


@pytest.fixture
def fake(tmp_path, script):
    """An interpreter that answers what it is told to, with a torch of this `version.py`.

    `sees` is what its torch prints of its GPU, when asked by a program that has `asks` in it.
    """

    def make(version=VERSION, python="3.12.4", sees="", asks="get_device_properties", **modules):
        torch = tmp_path / "packages" / "torch"
        torch.mkdir(parents=True, exist_ok=True)
        (torch / "version.py").write_text(version)
        places = {"torch": str(torch / "__init__.py"), "triton": "", "numpy": "", **modules}
        itself = str(tmp_path / "bin" / "fake-python") if sees else "/fake/python"
        answer = {"python": python, "executable": itself, "modules": places}
        asked = f"case \"$*\" in *{asks}*) echo '{sees}'; exit;; esac"
        return script("fake-python", f"{asked}\ncat <<'END'\n{json.dumps(answer)}\nEND")

    return make


def smi(script, output, status=0):
    """A fake `nvidia-smi` that also writes down how it was called."""
    script("nvidia-smi", f'echo "$@" > "$0.calls"\necho "{output}"\nexit {status}')


def test_a_cpu_environment(tmp_path, fake, monkeypatch):
    """Versions are read from files, the column from versions; set variables are noted."""
    triton = tmp_path / "triton.py"
    triton.write_text('"""Docs."""\n__version__ = "3.5.0"\n')
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "avx2")
    env = describe(fake(triton=str(triton), numpy="/numpy/__init__.py"))
    assert (env.column, env.device, env.python) == ("torch-2.13.0-cpu", "cpu", "/fake/python")
    assert env.modules == {"torch", "triton", "numpy"}
    mark = env.fingerprint
    assert (mark.torch, mark.git, mark.cuda, mark.triton) == (
        "2.13.0+cu130",
        "abc123",
        "13.0",
        "3.5.0",
    )
    assert mark.variables["ATEN_CPU_CAPABILITY"] == "avx2"
    assert mark.processor
    assert mark.os.startswith(os.uname().sysname)


def test_a_gpu_is_asked_of_nvidia_smi(fake, script):
    """The first GPU's name and driver make the column; "auto" takes it too."""
    smi(script, "NVIDIA H100 80GB HBM3, 570.86.15, 81559, Disabled")
    for device in ("cuda", "auto"):
        env = describe(fake(), device)
        assert (env.column, env.device) == ("torch-2.13.0-h100", "cuda")
        assert (env.fingerprint.driver, env.gpu_memory) == ("570.86.15", 81559)
    assert describe(fake(), "cpu").column == "torch-2.13.0-cpu"


def test_the_visible_gpu_counts(fake, script, path, monkeypatch):
    """CUDA_VISIBLE_DEVICES names the GPU that is asked for; empty hides them all."""
    smi(script, "NVIDIA H200, 570.86.15, 143771, [N/A]")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    assert describe(fake(), "auto").device == "cuda"
    assert "--id=3" in (path / "nvidia-smi.calls").read_text()
    gpu.find_gpu.cache_clear()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert describe(fake(), "auto").device == "cpu"


@pytest.mark.parametrize("status", [0, 9])
def test_auto_falls_back_to_the_cpu(fake, script, status):
    """A driver that fails, or lists nothing, is no GPU."""
    smi(script, "", status)
    assert describe(fake(), "auto").device == "cpu"


def test_a_cpu_build_never_runs_on_a_gpu(fake, script):
    """The GPU is there but this torch cannot use it."""
    smi(script, "NVIDIA H200, 570.86.15, 143771, [N/A]")
    assert describe(fake(CPU_VERSION), "auto").column == "torch-2.13.0-cpu"
    with pytest.raises(CasebookError, match="its torch is a CPU build; use --device cpu"):
        describe(fake(CPU_VERSION), "cuda")


def test_cuda_without_a_gpu(fake, script):
    """Asking for a device that is not there ends in a sentence."""
    smi(script, "No devices were found", 6)
    with pytest.raises(CasebookError, match=r"\(No devices were found\); use --device cpu"):
        describe(fake(), "cuda")


def test_hidden_gpus_and_a_missing_driver(fake, monkeypatch):
    """The sentence says which of the many ways of having no GPU it is."""
    with pytest.raises(CasebookError, match="there is no nvidia-smi"):
        describe(fake(), "cuda")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    gpu.find_gpu.cache_clear()
    with pytest.raises(CasebookError, match="CUDA_VISIBLE_DEVICES hides every GPU"):
        describe(fake(), "cuda")


MIG = """
case "$*" in
*list-gpus*) echo "GPU 0: NVIDIA A100 (UUID: GPU-1)"
  echo "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)"
  echo "  MIG 1g.10gb     Device  0: (UUID: MIG-aaa)"
  echo "  MIG 3g.40gb     Device  1: (UUID: MIG-bbb)";;
*id=1*) echo "NVIDIA H100 80GB HBM3, 570.86.15, 81559, Enabled";;
*) exit 6;;
esac
"""


@pytest.mark.parametrize(
    ("visible", "memory"), [("MIG-bbb", 40 * 1024), ("MIG-aaa", 10 * 1024), ("1", 10 * 1024)]
)
def test_a_slice_of_a_gpu(fake, script, monkeypatch, visible, memory):
    """A slice is a column of its own; an index means the first slice of a GPU that is cut."""
    script("nvidia-smi", MIG)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    env = describe(fake(), "cuda")
    assert (env.column, env.gpu_memory) == ("torch-2.13.0-h100-mig", memory)


def test_a_slice_that_is_not_there(fake, script, monkeypatch):
    """A mistyped UUID is said, and no other GPU is taken for it."""
    script("nvidia-smi", MIG)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "MIG-ccc")
    with pytest.raises(CasebookError, match="lists no slice MIG-ccc"):
        describe(fake(), "cuda")


@pytest.mark.parametrize(
    "body", ["echo hello", "exit 1", 'echo \'{"python": "3.12.4"}\'', "exec 1<&-"]
)
def test_a_program_that_is_no_interpreter(script, body):
    """Anything but the answer that was asked for is no interpreter."""
    with pytest.raises(CasebookError, match="does not answer as a Python interpreter"):
        describe(script("odd", body))


def test_a_path_to_nothing(tmp_path):
    """A mistyped --python ends in a sentence."""
    with pytest.raises(CasebookError, match="is not a Python interpreter; give its path"):
        describe(str(tmp_path / "nothing"))


def test_an_old_python(fake):
    """The worker's own minimum is said before anything runs."""
    with pytest.raises(CasebookError, match=r"is Python 3\.9\.1, but arms need 3\.10 or newer"):
        describe(fake(python="3.9.1"))


def test_a_python_without_torch(tmp_path):
    """A real interpreter in an empty virtual environment has nothing to check."""
    venv.create(tmp_path / "empty", symlinks=True)
    python = str(tmp_path / "empty" / "bin" / "python")
    with pytest.raises(CasebookError, match="has no torch; install it there"):
        describe(python)


def test_a_torch_without_its_version(fake, tmp_path):
    """A broken or foreign package named torch is not described by guessing."""
    python = fake("debug = False\n")
    with pytest.raises(CasebookError, match=r"version\.py: names no version; reinstall"):
        describe(python)
    (tmp_path / "packages/torch/version.py").unlink()
    with pytest.raises(CasebookError, match=r"has no version\.py; reinstall"):
        describe(python)


def test_a_virtual_environment_is_not_resolved_away(tmp_path):
    """Its python is a link to another, which has other packages."""
    place = tmp_path / "env"
    venv.create(place, symlinks=True)
    packages = place / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    (packages / "torch").mkdir()
    (packages / "torch/__init__.py").write_text("raise RuntimeError('imported')")
    (packages / "torch/version.py").write_text(CPU_VERSION)
    env = describe(str(place / "bin" / "python"))
    assert (env.python, env.fingerprint.torch) == (str(place / "bin" / "python"), "2.13.0+cpu")


def test_the_compiler_is_the_one_that_inductor_takes(script, fake, monkeypatch):
    """CXX comes first; only the first line of its version is kept."""
    monkeypatch.setenv("CXX", script("my-cxx", "echo my-cxx 1.2; echo Copyright"))
    assert describe(fake()).fingerprint.compiler == "my-cxx 1.2"


def test_a_program_is_found_beside_the_interpreter_and_on_the_path(tmp_path, script):
    """A need that cannot be imported is a program; a module of that name would not meet it."""
    python = tmp_path / "env" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    assert interpreter._ask(str(python)).modules["tlparse"] == ""
    on_path = script("tlparse", "")
    assert interpreter._ask(str(python)).modules["tlparse"] == on_path
    beside = python.with_name("tlparse")
    beside.symlink_to(on_path)
    assert interpreter._ask(str(python)).modules["tlparse"] == str(beside)


@pytest.mark.parametrize("device", ["cuda", "auto"])
def test_a_gpu_of_another_maker_names_its_column(fake, script, device):
    """A torch built for ROCm says itself what it sees; no tool of NVIDIA's is asked."""
    smi(script, "NVIDIA H200, 570.86.15, 143771, [N/A]")
    env = describe(fake(ROCM_VERSION, sees='["AMD Instinct MI300X", 196592]'), device)
    assert (env.column, env.device, env.gpu_memory) == ("torch-2.13.0-mi300x", "cuda", 196592)
    assert env.fingerprint.accelerator == "AMD Instinct MI300X"
    assert (env.fingerprint.driver, env.fingerprint.cuda) == ("HIP 7.0.51831", "")


@pytest.mark.parametrize(
    ("sees", "why"),
    [
        ("null", "built for HIP 7.0.51831, sees no GPU"),
        ("Segmentation fault", "does not say which GPU"),
    ],
)
def test_a_rocm_build_without_a_gpu(fake, sees, why):
    """It runs on the CPU, unless a GPU is asked for."""
    python = fake(ROCM_VERSION, sees=sees)
    assert describe(python, "auto").column == "torch-2.13.0-cpu"
    with pytest.raises(CasebookError, match=why):
        describe(python, "cuda")


@pytest.mark.parametrize("device", ["xpu", "auto"])
def test_a_gpu_that_is_no_cuda_device(fake, script, device):
    """A torch built for Intel's GPUs takes one; its column says that it is no CUDA device."""
    smi(script, "NVIDIA H200, 570.86.15, 143771, [N/A]")
    asked = {"sees": '["Intel(R) Arc(TM) B580 Graphics", 11605]', "asks": "torch.xpu.get_device"}
    env = describe(fake(XPU_VERSION, **asked), device)
    assert (env.column, env.device) == ("torch-2.13.0-arc-b580-xpu", "xpu")
    assert (env.gpu, env.gpu_memory) == (True, 11605)
    assert (env.fingerprint.driver, env.fingerprint.cuda) == ("SYCL 20250302", "")


def test_a_mac_computes_on_its_own_gpu(fake, monkeypatch):
    """The wheel for a Mac names no device; its torch says whether there is one."""
    monkeypatch.setattr(interpreter.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(interpreter.platform, "mac_ver", lambda: ("15.5", ("", "", ""), "arm64"))
    python = fake(CPU_VERSION, sees='["Apple M3 Pro", 12288]', asks="backends.mps")
    env = describe(python, "auto")
    assert (env.column, env.device) == ("torch-2.13.0-m3-pro-mps", "mps")
    assert env.fingerprint.driver == "macOS 15.5"
    assert describe(python, "cpu").column == "torch-2.13.0-cpu"


def test_a_device_that_torch_was_not_built_for(fake, script):
    """A GPU of one maker does not stand in for another's."""
    smi(script, "NVIDIA H200, 570.86.15, 143771, [N/A]")
    with pytest.raises(CasebookError, match="--device xpu cannot run, its torch is built for cuda"):
        describe(fake(), "xpu")
