"""What the parts measured, a line each, for those that measure seconds and bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validators.diagnose.findings.words import several
from validators.inspector.values.distances import from_json
from validators.sizes import size

Found = dict[str, Any]
_WIDE = 10.0
"""An interval whose ends differ by more than this factor tells nothing."""
_PHASES = {"dynamo": "Dynamo", "aot_autograd": "AOTAutograd", "inductor": "Inductor"}


def latency_lines(found: Found) -> Iterator[str]:
    """What the first call costs, whole and block by block."""
    whole, regional = found["whole"], found["regional"]
    line = f"first call: {_first(whole)}" if whole else "first call: not known"
    if whole and (phases := whole["phases"]) and (total := sum(phases.values())):
        shares = [f"{said} {phases[name] / total:.0%}" for name, said in _PHASES.items()]
        line += f" ({', '.join(shares)} of the time)"
    if regional and not regional["raised"]:
        line += f"; block by block {_first(regional)}"
    yield line


def result_lines(found: Found) -> Iterator[str]:
    """What the part `results` left to `latency`."""
    if left := found.get("left", 0):
        calls = f"{left} call{'s' if left > 1 else ''} of other sizes"
        yield f"{calls}: compared block by block, not with the whole model (--every-size)"


def gain_lines(found: Found, first_seconds: float | None, decided: bool) -> Iterator[str]:
    """The memory of a call, a warm first call, and the steps that pay for compiling."""
    peaks = found.get("peak_bytes", {})
    if all(peaks.values()) and peaks:
        ratio = f"{peaks['compiled'] / peaks['eager']:.2f} times eager's"
        yield f"peak memory of a call: {size(peaks['compiled'])}, {ratio} {size(peaks['eager'])}"
    first = found.get("first")
    if first and first["cached"]:
        yield f"first call of another process: {_first(first)}"
    if decided and first_seconds is not None and found["timed"] == "the first call":
        saved = found["medians"]["eager"] - found["medians"]["compiled"]
        if saved > 0:
            yield f"compiling pays for itself after {first_seconds / saved:.0f} steps"


def guard_lines(found: Found) -> Iterator[str]:
    """What guards cost."""
    if found["withheld"]:
        yield f"guards: not timed, because {found['withheld']}"
        return
    medians, samples = found["medians"], found["samples"]
    low = min(samples["dispatch"]) / max(samples["eager"])
    high = max(samples["dispatch"]) / min(samples["eager"])
    said = f"with dispatch {low:.1%} to {high:.1%} of an eager call's time"
    if high > _WIDE * low:
        said = "what they cost is not decided: the times of single calls differ too much"
    line = f"guards: {found['guards']} in {found['compilations']} compilations of the first call"
    line += f"; {said}"
    if medians["unguarded"] is not None:
        part = 1 - medians["unguarded"] / medians["dispatch"]
        line += f"; skip_guard_eval_unsafe saves {part:.0%} of that" if part > 0 else ""
    elif refused := found.get("refused"):
        kind = refused.partition(":")[0]
        line += f"; skip_guard_eval_unsafe asks that no call compiles again, and raises {kind} here"
    yield line


def cudagraph_lines(found: Found) -> Iterator[str]:
    """What CUDA graphs did."""
    if found["withheld"]:
        yield f"CUDA graphs: not measured, because {found['withheld']}"
        return
    skips = sum(found["skips"].values())
    yield (
        f"CUDA graphs: {found['recordings']} recordings, {found['replays']} replays, {skips} skips"
    )


def ablation_lines(found: Found) -> Iterator[str]:
    """What each option of Inductor changed."""
    default = found["default"]
    for it in found["options"]:
        head = f"{it['name']}={it['value']!r} instead of {it['was']!r}"
        if it["raised"]:
            yield f"{head}: raises {it['raised']['type']}"
            continue
        gaps = [gap["eager"] for gap in it["differences"] if gap["eager"] is not None]
        far = from_json(max(gaps, default=0.0))
        yield (
            f"{head}: {it['kernels']} kernels, were {default['kernels']}; {it['externs']} library "
            f"calls, were {default['externs']}; first call {_first(it['first'])}; "
            f"at most {far:.2g} (relative) from eager; {_times_as_fast(it)}"
        )


def _times_as_fast(it: Found) -> str:
    """The ratio of two variants' seconds; withheld where the noise of one is as large."""
    if "medians" not in it:
        return f"not timed, because {it.get('withheld', 'the default raises')}"
    noise = _range(it["seconds"]["default"], it["seconds"]["again"])
    low, high = _range(it["seconds"]["default"], it["seconds"]["changed"])
    said = f"{low:.2f} to {high:.2f} times as fast"
    if low <= noise[1] and high >= noise[0]:
        itself = f"the default against itself {noise[0]:.2f} to {noise[1]:.2f}"
        return f"speed not decided: {said}, {itself}"
    return said


def _range(one: list[float], other: list[float]) -> tuple[float, float]:
    """The range of the ratios of two variants, turn by turn, without a tenth at each end."""
    ratios = sorted(a / b for a, b in zip(one, other, strict=True))
    cut = len(ratios) // 10
    return ratios[cut], ratios[-1 - cut]


def _first(it: Found) -> str:
    said = f"{it['cpu_seconds']:.1f} CPU s for {it['ops']} traced ops"
    return f"{said}, {it['cached']} graphs from a warm cache" if it["cached"] else said


def kernel_lines(found: Found) -> Iterator[str]:
    """What a target is compiled to for a GPU, and what only a GPU decides."""
    kernels = [kernel for graph in found["compiled"] for kernel in graph["kernels"]]
    used = [it for kernel in kernels for it in kernel["configurations"]]
    launches = sum(it["launches"] for it in kernels)
    libraries = sum(len(graph["externs"]) for graph in found["compiled"])
    line = f"for {found['arch']} ({found['board']}), compiled and never run: "
    line += f"{several(len(kernels), 'kernel')} with {several(launches, 'launch', 'es')}, "
    line += several(libraries, "library call")
    if used:
        line += f", at most {max(it['registers'] for it in used)} registers a thread"
        line += f" and {size(max(it['shared'] for it in used))} of shared memory a block"
    recorded = sum(1 for it in found["recordable"] if not it["skipped"])
    yield f"{line}; CUDA graphs would record {recorded}, and skip {sum(found['skips'].values())}"
    yield from (f"undecided without a GPU: {sentence}" for sentence in found["undecided"])
