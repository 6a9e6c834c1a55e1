"""The switches of `diagnose` that choose its parts, and that shape what these do."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from validators.cli.places import compile_options
from validators.diagnose.run import ABLATION, CUDAGRAPHS, PARTS, QUICK, Plan
from validators.diagnose.target.spec import Spec
from validators.errors import CasebookError

_LARGE_BATCH, _LARGE_STEPS = 8, 20
_CORE = "_forward_core"


@dataclass(frozen=True)
class Wanted:
    """What the switches ask for, as they were given."""

    only: tuple[str, ...]
    skip: tuple[str, ...]
    quick: bool
    benchmark_guards: bool
    benchmark_compile: bool
    every_size: bool
    vary_batch: tuple[int, ...]
    vary_seq: tuple[int, ...]
    steps: int | None
    large_scale: bool
    ablate_config: tuple[tuple[str, Any], ...]
    compile_core: str | None
    whole: bool
    backend: str | None
    fullgraph: bool

    def plan(self, spec: Spec, options: dict[str, Any], timeout: float, device: str) -> Plan:
        """The plan for a target; `options` are those of `torch.compile` that others give.

        Raises:
            CasebookError: switches contradict each other.
        """
        parts = self.parts(device)
        if options.get("mode") and ABLATION in parts:
            raise CasebookError(
                "--mode and --ablate-config cannot be combined: torch.compile takes one of `mode` "
                "and `options`; leave one out"
            )
        fullgraph = self.fullgraph or None
        known = compile_options(backend=self.backend, **options, fullgraph=fullgraph)
        return Plan(spec, parts, known, timeout, shaping=self.shaping(), locate=True)

    def parts(self, device: str) -> list[str]:
        """The parts to run, in order."""
        marked = {"guards": self.benchmark_guards, "latency": self.benchmark_compile}
        only = [*self.only, *(name for name, chosen in marked.items() if chosen)]
        if CUDAGRAPHS in only and device != "cuda":
            raise CasebookError(f"{CUDAGRAPHS} needs a GPU; add --device cuda")
        if ABLATION in only and not self.ablate_config:
            raise CasebookError(f"{ABLATION} needs options to change; add --ablate-config NAME")
        left_out = {
            *self.skip,
            *([] if device == "cuda" else [CUDAGRAPHS]),
            *([] if self.ablate_config else [ABLATION]),
        }
        asked = [ABLATION] if self.ablate_config and self.quick else []
        chosen = only or ([*QUICK, *asked] if self.quick else PARTS)
        return [it for it in PARTS if it in chosen and it not in left_out]

    def shaping(self) -> dict[str, Any]:
        """What the worker needs to know of the switches."""
        sizes = {"0": list(self.vary_batch), "1": list(self.vary_seq)}
        return {
            "vary": {dim: chosen for dim, chosen in sizes.items() if chosen},
            "large": self.large_scale,
            "at_least": _LARGE_BATCH if self.large_scale else 0,
            "steps": max(self.steps or 0, _LARGE_STEPS if self.large_scale else 0),
            "ablate": [list(it) for it in self.ablate_config],
            "core": self.compile_core or "",
            "whole": self.whole,
            "every_size": self.every_size,
        }


def part_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the switches; the command gets them as `wanted`."""

    @functools.wraps(command)
    def run(*args: Any, **given: Any) -> Any:
        own = {name: given.pop(name) for name in Wanted.__dataclass_fields__}
        return command(*args, wanted=Wanted(**own), **given)

    decorated: Callable[..., Any] = run
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def sizes_of(switch: str, text: str | None) -> tuple[int, ...]:
    """The sizes in a text such as "2,4,8".

    Raises:
        CasebookError: there are none, or one is not a number.
    """
    if text is None:
        return ()
    sizes = [it.strip() for it in text.split(",")]
    if not all(it.isdigit() for it in sizes):
        raise CasebookError(f"{switch}: {text!r} is not a list of sizes; write {switch} 2,4,8")
    return tuple(map(int, sizes))


def settings_of(text: str | None) -> tuple[tuple[str, Any], ...]:
    """The options in a text such as "epilogue_fusion;max_autotune=False"; None: no value given.

    Raises:
        CasebookError: a name is missing.
    """
    found = []
    for given in filter(None, (it.strip() for it in (text or "").split(";"))):
        name, has_value, value = (it.strip() for it in given.partition("="))
        if not name:
            raise CasebookError(f"--ablate-config: {given!r} has no name; write NAME=VALUE")
        found.append((name, _literal(value) if has_value else None))
    if text is not None and not found:
        raise CasebookError("--ablate-config: names no option; write for example epilogue_fusion")
    return tuple(found)


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _read(reader: Callable[[str, str | None], Any]) -> Callable[..., Any]:
    return lambda _ctx, param, value: reader(param.opts[0], value)


def _names(switch: str, part: str) -> Callable[..., Any]:
    """A switch of the sources that leaves out a part."""

    def add(context: click.Context, _param: click.Parameter, given: bool) -> None:
        if given:
            context.meta.setdefault(_SKIPPED, []).append(part)

    said = f"The same as --skip {part}."
    return click.option(
        switch, is_flag=True, expose_value=False, is_eager=True, callback=add, help=said
    )


def _skipped(context: click.Context, _param: click.Parameter, given: Sequence[str]) -> Any:
    return (*given, *context.meta.get(_SKIPPED, ()))


_SKIPPED = "validators.cli.model.parts.skipped"
_PART = click.Choice(PARTS)
_OPTIONS = (
    click.option("--only", multiple=True, type=_PART, help="Run only this part."),
    click.option(
        "--skip", multiple=True, type=_PART, callback=_skipped, help="Leave this part out."
    ),
    click.option("--quick", is_flag=True, help=f"Only {' and '.join(QUICK)}."),
    click.option("--benchmark-compile", is_flag=True, help="The same as --only latency."),
    click.option("--benchmark-guards", is_flag=True, help="The same as --only guards."),
    _names("--skip-baseline", "gain"),
    _names("--skip-graph-check", "breaks"),
    _names("--skip-compile-bench", "latency"),
    click.option(
        "--vary-batch",
        metavar="N,N",
        callback=_read(sizes_of),
        help="Make the first call with these sizes in dim 0.",
    ),
    click.option(
        "--vary-seq",
        metavar="N,N",
        callback=_read(sizes_of),
        help="Make the first call with these sizes in dim 1.",
    ),
    click.option(
        "--every-size",
        is_flag=True,
        help="Compile the whole model for every size, where repeated blocks would be compiled.",
    ),
    click.option(
        "--steps",
        type=click.IntRange(min=1),
        metavar="N",
        help="How often each variant is timed, instead of for some seconds.",
    ),
    click.option(
        "--large-scale",
        is_flag=True,
        help=f"Batches of at least {_LARGE_BATCH}, {_LARGE_STEPS} steps at least; a factory with "
        "an argument `large` gets True.",
    ),
    click.option(
        "--ablate-config",
        metavar="A;B=V",
        callback=lambda _ctx, _param, value: settings_of(value),
        help="Options of Inductor to change, each by itself.",
    ),
    click.option(
        "--compile-core",
        is_flag=False,
        flag_value=_CORE,
        metavar="[METHOD]",
        help=f"Compile only this method of the model, {_CORE} if none is named.",
    ),
    click.option(
        "--whole",
        is_flag=True,
        help="Compile the model as a whole, even if its author compiles some of its modules.",
    ),
    click.option("--backend", help="The backend, instead of each part's own."),
    click.option("--fullgraph", is_flag=True, help="`fullgraph` of torch.compile."),
)
