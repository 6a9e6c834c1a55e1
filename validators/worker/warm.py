"""Work done once: imports per zygote, the C++ toolchain's set-up per machine and interpreter."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

# The first compilation of an arm would import these; forked children have them already.
_MODULES = (
    "torch",
    "torch._dynamo",
    "torch._dynamo.backends.registry",
    "torch._dynamo.backends.debugging",
    "torch._dynamo.backends.inductor",
    "torch._dynamo.dce_extra_outputs",
    "torch._dynamo.testing",
    "torch._export.passes",
    "torch._functorch.aot_autograd",
    "torch._functorch._aot_autograd.subclass_codegen",
    "torch._higher_order_ops.passes.inline_invoke_subgraph",
    "torch._inductor.bounds",
    "torch._inductor.choices",
    "torch._inductor.codecache",
    "torch._inductor.codegen.cpp",
    "torch._inductor.codegen.cpp_wrapper_cpu_array_ref",
    "torch._inductor.codegen.cpp_wrapper_gpu",
    "torch._inductor.codegen.cpp_wrapper_mps",
    "torch._inductor.codegen.cuda_combined_scheduling",
    "torch._inductor.codegen.halide",
    "torch._inductor.codegen.memory_planning",
    "torch._inductor.codegen.pallas",
    "torch._inductor.codegen.python_wrapper_mtia",
    "torch._inductor.codegen.segmented_tree",
    "torch._inductor.codegen.wrapper_fxir",
    "torch._inductor.codegen.xpu.xpu_combined_scheduling",
    "torch._inductor.compile_fx",
    "torch._inductor.compiler_bisector",
    "torch._inductor.cpp_builder",
    "torch._inductor.fx_passes.apply_gumbel_max_trick",
    "torch._inductor.fx_passes.efficient_conv_bn_eval",
    "torch._inductor.fx_passes.freezing_patterns",
    "torch._inductor.fx_passes.fuse_attention",
    "torch._inductor.fx_passes.mkldnn_fusion",
    "torch._inductor.fx_passes.pad_mm",
    "torch._inductor.fx_passes.quantization",
    "torch._inductor.fx_passes.serialized_patterns",
    "torch._inductor.lowering",
    "torch._inductor.runtime.caching",
    "torch._inductor.select_algorithm",
    "torch._subclasses.schema_check_mode",
    "torch.distributed.tensor.experimental",
    "torch.export._trace",
    "torch.fx.experimental.symbolic_shapes",
    "torch.fx.experimental.validator",
    "sympy.combinatorics",
    "sympy.physics.units",
    "sympy.tensor.tensor",
)


def steps(root: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """What a zygote does before it forks arms, step by step, each with its name.

    It imports what arms are likely to need; arms themselves report what this torch lacks. `root`
    holds the probes and the reference models.
    """
    for name in _MODULES:
        yield name, partial(_imported, name)
    yield "bars", without_threads_of_bars
    yield "patterns", register_patterns
    yield "functions", lambda: _imported("torch.overrides").get_overridable_functions()
    # Dynamo imports its backends at the first compilation, about 100 ms.
    yield "list_backends", lambda: _imported("torch._dynamo").list_backends(())
    yield "compile_sources", partial(compile_sources, root)
    yield "probe_toolchain", probe_toolchain
    yield "hash_sources", hash_sources


def _imported(name: str) -> Any:
    return importlib.import_module(name)


def without_threads_of_bars() -> None:
    """Keep tqdm from starting a thread, if it is installed: torch.fx shows bars by it.

    A process with more than one thread cannot be forked safely.
    """
    if importlib.util.find_spec("tqdm"):
        _imported("tqdm").tqdm.monitor_interval = 0


def register_patterns() -> None:
    """Register what Inductor looks for in graphs, as the first compilation for a CPU would.

    For a GPU, real or pretended, it registers other patterns, and for those of attention it may
    initialize CUDA: an arm for a GPU does this itself.
    """
    torch = _imported("torch")
    if os.environ["CASEBOOK_DEVICE"] != "cpu" or torch.cuda.is_available():
        return
    joint = _imported("torch._inductor.fx_passes.joint_graph").lazy_init
    by_device = "input_device" in inspect.signature(joint).parameters
    joint(torch.device("cpu")) if by_device else joint()
    _imported("torch._inductor.fx_passes.post_grad").lazy_init()


def enter(directory: Path, chosen: Collection[str] = ()) -> None:
    """Put this process's temporary files and compiler caches into `directory`.

    Variables that the proof has `chosen` itself keep their values. In a forked arm the headers
    that Inductor precompiles stay where TMPDIR pointed when torch was imported.
    """
    for name, folder in (
        ("TMPDIR", "tmp"),
        ("TORCHINDUCTOR_CACHE_DIR", "inductor"),
        ("TRITON_CACHE_DIR", "triton"),
    ):
        path = directory / folder
        path.mkdir(exist_ok=True)
        if name not in chosen:
            os.environ[name] = str(path)
    tempfile.tempdir = None
    os.chdir(directory / "tmp")


def seed_caches(directory: Path) -> None:
    """Give an arm that imports torch itself the toolchain's probe results and the headers."""
    warm = Path(os.environ["CASEBOOK_WARM"])
    if (warm / "isa").is_dir():
        shutil.copytree(warm / "isa", directory / "inductor", dirs_exist_ok=True)
    # Inductor looks for its precompiled headers below TMPDIR, whatever its cache folder is.
    for headers in warm.glob("torchinductor_*/precompiled_headers"):
        (directory / "tmp" / headers.parent.name).mkdir(exist_ok=True)
        (directory / "tmp" / headers.parent.name / headers.name).symlink_to(headers)


def probe_toolchain() -> None:
    """Find the vector instructions that compiler and processor support, from disk if known.

    The answer stays in memory, where forked arms find it.
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path(os.environ["CASEBOOK_WARM"]) / "isa")
    # Without a C++ compiler this fails; arms that need one report it.
    with contextlib.suppress(Exception):
        importlib.import_module("torch._inductor.cpu_vec_isa").pick_vec_isa()


def compile_sources(root: Path) -> None:
    """Compile the probes and reference models below `root`, which arms import from their source.

    An arm that imports a file edited later compiles it itself.
    """
    sources, compiled = {}, {}
    for file in (*root.glob("validators/probes/*.py"), *root.glob("reference_models/**/*.py")):
        data = file.read_bytes()
        # The arm that imports a broken file reports it.
        with contextlib.suppress(SyntaxError, ValueError):
            compiled[str(file)] = compile(data, file, "exec", dont_inherit=True)
            sources[str(file)] = data
    real = SourceFileLoader.source_to_code

    def source_to_code(self: Any, data: Any, path: Any, **options: Any) -> Any:
        # The bytes decide: modification times miss two edits within a second.
        unchanged = path in sources and sources[path] == data
        return compiled[path] if unchanged else real(self, data, path, **options)

    SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign]


def hash_sources() -> None:
    """Have Inductor hash torch's sources and Triton's library, which are part of its cache keys."""
    with contextlib.suppress(Exception):
        importlib.import_module("torch._inductor.codecache").torch_key()
    # `get_system` would add the device's name, and initialize CUDA to read it.
    for module in ("triton.runtime.cache", "triton.compiler.compiler"):
        with contextlib.suppress(Exception):
            importlib.import_module(module).triton_key()


def leave_guards_untimed() -> None:
    """Have Dynamo report 0 as the time of guards in this process, which no probe reads.

    To time them it walks through 32 MiB in each compilation, which takes half of a short one. Only
    for what times nothing itself.
    """
    guards: Any = importlib.import_module("torch._dynamo.guards")
    if hasattr(guards, "profile_guard_manager"):
        guards.profile_guard_manager = lambda *_: 0.0


def precompile_headers(run_directory: Path) -> None:
    """Compile one C++ kernel, which leaves Inductor's precompiled headers in the warm folder.

    The kernel itself goes into the run's folder and is removed with it.
    """
    torch = importlib.import_module("torch")
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(run_directory / "headers")
    torch.compile(lambda x: x.sin() + x.cos())(torch.ones(64))
    _headers_mark().touch()


def headers_ready() -> bool:
    """Whether an earlier zygote precompiled the headers to the end."""
    return _headers_mark().exists()


def _headers_mark() -> Path:
    return Path(os.environ["CASEBOOK_WARM"]) / "headers-ready"
