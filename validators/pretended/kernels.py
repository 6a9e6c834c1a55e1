"""What torch compiles a target to for a GPU that is not there: kernels, library calls, skips."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch._inductor import memory
from torch._inductor.graph import GraphLowering

from validators.inspector.loading import own_settings
from validators.inspector.loading.target import (
    Target,
    TargetError,
    check_mode,
    compiled,
    copies,
    load,
)
from validators.pretended.binaries import Binary
from validators.pretended.install import Pretence, install
from validators.pretended.on_gpu import on_gpu
from validators.probes import cuda, observe
from validators.probes.inductor import called
from validators.probes.report import Report

_SOURCE = re.compile(
    r"^(\w+) = async_compile\.triton\('\w+', '''(.*?)'''", re.DOTALL | re.MULTILINE
)
_LAUNCH = re.compile(r"^\s+(\w+)\.run\(", re.MULTILINE)
_SOURCES = re.compile(r"'''.*?'''", re.DOTALL)
_ID = re.compile(r"^# AOT ID: \['\d+_(\w+)'\]", re.MULTILINE)
_PARTITION = re.compile(r"^\s*def partition_\d+\(", re.MULTILINE)

Found = dict[str, Any]


def kernels(request: dict[str, Any]) -> Found:
    """What the request's target is compiled to, in a process that pretends to have the board.

    `{"unusable": sentence}` if the target cannot be used.
    """
    pretence = install()

    def tell(text: str) -> None:
        Path(request["step"]).write_text(text, encoding="utf-8")

    try:
        check_mode(request["compile"].get("mode"))
        with own_settings.noting() as asked:
            target = load(request["target"], request["folder"], request["paths"], tell=tell)
        options = {**own_settings.applied(asked, target), **request["compile"]}
        target = on_gpu(own_settings.uncompiled(target))
    except TargetError as error:
        return {"unusable": str(error)}
    return {**_compiled(target, options, pretence), "torch": str(torch.__version__)}


def _compiled(target: Target, options: Found, pretence: Pretence) -> Found:
    """All calls, made once, and what was compiled for them."""
    options = {**options, "backend": "inductor"}
    # The probes would ask for memory that nobody has.
    with mock.patch.object(cuda, "memory", dict), _generated(pretence.binaries) as codes:
        report = observe(target.run, copies(target), compile=lambda run: compiled(run, options))
    return {
        "calls": len(target.calls),
        "trains": target.trains,
        "graphs": [{"ops": it.ops, "file": it.file, "line": it.line} for it in report.graphs],
        "breaks": [{"type": it.type, "reason": it.reason} for it in report.graph_breaks],
        "compiled": list(_told(codes, pretence.binaries)),
        "skips": dict(Counter(report.cudagraphs.skips)) if report.cudagraphs else {},
        "recordable": [dataclasses.asdict(it) for it in pretence.recordable],
        "invented": pretence.invented.told(),
        "raised": _raised(report),
    }


def _raised(report: Report) -> Found | None:
    caught = report.exception
    return None if caught is None else {**vars(caught)}


@dataclasses.dataclass
class _Code:
    """The code of one graph; its binaries are those from `first` up to the next code's."""

    text: str
    peak: int | None
    first: int

    def told(self, kernels: list[Found]) -> Found:
        """What it launches and calls, as plain data."""
        kind = _ID.search(self.text)
        return {
            "kind": kind[1] if kind else "",
            "kernels": kernels,
            "externs": called(self.text),
            "partitions": len(_PARTITION.findall(self.text)),
            "peak": self.peak,
        }

    def kernels(self) -> Iterator[tuple[str, str, int]]:
        """The name, the source and the launches of each kernel, in the order of their launches."""
        sources = dict(_SOURCE.findall(self.text))
        launches = Counter(_LAUNCH.findall(_SOURCES.sub("", self.text)))
        for name, count in launches.items():
            if name in sources:
                yield name, sources[name].strip(), count


def _told(codes: list[_Code], binaries: list[Binary]) -> Iterator[Found]:
    """Each code with its kernels; of those that have the same source, torch compiles the first."""
    known: dict[tuple[str, str], list[Found]] = {}
    ends = [*(it.first for it in codes[1:]), len(binaries)]
    for code, end in zip(codes, ends, strict=False):
        kernels = []
        for name, source, launches in code.kernels():
            own = _configurations(name, binaries[code.first : end])
            used = known.setdefault((name, source), own)
            told = {"name": name, "source": source, "launches": launches}
            kernels.append({**told, "configurations": own or used})
        yield code.told(kernels)


def _configurations(name: str, binaries: list[Binary]) -> list[Found]:
    """The different binaries of a kernel: one for each configuration that Triton may choose."""
    return [
        {key: value for key, value in dataclasses.asdict(it).items() if key != "name"}
        for it in dict.fromkeys(binaries)
        if it.name == name
    ]


@contextmanager
def _generated(binaries: list[Binary]) -> Iterator[list[_Code]]:
    """The code of every graph that Inductor compiles within the block."""
    codes: list[_Code] = []
    peaks: list[int] = []
    real_estimate, real_order = memory.estimate_peak_memory, memory.reorder_for_peak_memory

    def estimate(*args: Any, **kwargs: Any) -> Any:
        found = real_estimate(*args, **kwargs)
        peaks.append(int(found[0]))
        return found

    def order(*args: Any, **kwargs: Any) -> Any:
        # Inductor estimates several orders and takes the one with the lowest peak.
        peaks.clear()
        return real_order(*args, **kwargs)

    def save(text: str) -> None:
        codes.append(_Code(text, min(peaks, default=None), len(binaries)))
        peaks.clear()

    with (
        mock.patch.object(memory, "estimate_peak_memory", estimate),
        mock.patch.object(memory, "reorder_for_peak_memory", order),
        mock.patch.object(GraphLowering, "save_output_code", staticmethod(save)),
    ):
        yield codes
