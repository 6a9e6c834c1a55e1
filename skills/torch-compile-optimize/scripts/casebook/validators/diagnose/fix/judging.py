"""Judge a fix by what was measured: what is better, why it is refused, what one should know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validators.diagnose.findings.finding import Health

Found = dict[str, Any]

SHARE = 0.01
"""How much less of the ops may run compiled before that counts as worse."""
COUNTED = ("breaks", "recompiles", "limits")
"""Fields of a target's health of which less is better."""
_LIMITS = (
    "recompile_limit",
    "accumulated_recompile_limit",
    "cache_size_limit",
    "accumulated_cache_size_limit",
)
"""Settings that hide trouble if they are raised."""
_ALWAYS = (
    "suppress_errors",
    "disable",
    "torch.compiler's skip_guard_eval_unsafe",
    "what silences torch's logs",
)
"""Settings that hide trouble whenever they differ from the default."""
_STANCES = ("force_eager", "eager_on_recompile")
"""Stances in which calls run eagerly that would compile."""
_HIDING = ("disable=", "recompile_limit=", "options=guard_filter_fn")
"""How options of torch.compile begin that hide trouble."""
_MUCH_MORE = 4.0
"""How many times the work of a warm pass may grow before the fix is refused."""
_MORE = 1.2
"""From how many times on it is named."""
_NEGLIGIBLE = 100_000
"""Work of a call that decides nothing: a small example has little to begin with."""


_ABOUT_COMPILING = (
    "nothing compiles better",
    "it compiles nothing",
    "it stopped compiling",
    "it has more ",
)
"""How refusals begin of what computes the same, and is not compiled better."""


def only_about_compiling(refused: list[str]) -> bool:
    """Whether something is refused, and all of it since it is not compiled better."""
    return bool(refused) and all(it.startswith(_ABOUT_COMPILING) for it in refused)


def better(before: Health, after: Health) -> list[str]:
    """What the fix improves, in words."""
    said = []
    if before.raised and not after.raised:
        said.append("no exception")
    if before.cold and not (after.cold or after.raised):
        said.append("no exception in a new process")
    if before.failed:
        said.append(f"it works compiled; before, {before.failed}")
    for name in COUNTED:
        was, now = getattr(before, name), getattr(after, name)
        if now < was:
            said.append(f"{name}: {now}, were {was}")
    if _known(before, after) and after.compiled > before.compiled + SHARE:  # type: ignore[operator]
        said.append(f"compiled ops: {after.compiled:.1%}, were {before.compiled:.1%}")
    return said


def refusals(before: Health, after: Health, recorded: Found, replay: Found) -> list[str]:
    """Why the fix is none, in words; empty if it is one.

    `recorded` is what the part `record` told of the first target, `replay` what `replay` did of the
    second.
    """
    said = list(replay["raised"])
    said += [f"it computes something else: {it}" for it in replay["different"]]
    if replay["lost"]:
        said.append(f"it loses state that checkpoints keep: {replay['lost']}")
    said += _hidden(recorded, replay)
    if _known(before, after) and after.compiled < before.compiled - SHARE:  # type: ignore[operator]
        said.append(
            f"it stopped compiling: {after.compiled:.1%} of the ops run compiled,"
            f" {before.compiled:.1%} did"
        )
    elif said_of_work := _outside(before, after):
        said.append(said_of_work)
    if after.graphs == 0:
        said.append("it compiles nothing")
    if after.cold and not (before.cold or _fails(before)):
        said.append(f"it raises in a new process: {after.cold}")
    # What does not work compiled is no better for its counts.
    for name in () if _fails(before) else COUNTED:
        was, now = getattr(before, name), getattr(after, name)
        if now > was:
            said.append(f"it has more {name}: {now}, were {was}")
    if (growth := _growth(before, after)) > _MUCH_MORE:
        said.append(f"a warm pass does {growth:.3g} times the work of before")
    if not said and not better(before, after):
        said.append("nothing compiles better than before")
    return said


def remarks(before: Health, after: Health, recorded: Found, replay: Found) -> Iterator[str]:
    """What one should know of a fix, in words, and what decides nothing."""
    yield from replay["named"]
    for name, was, now in _settings(recorded, replay):
        if not _hides(name, was, now):
            yield f"it sets {name} to {now!r}"
    for it in _called(recorded, replay):
        if not _forgets(it):
            yield f"it {it}: the compiler believes what it is told there"
    for it in _asked(recorded, replay):
        if it == "dynamic=True":
            vary = (
                "1 size varies" if recorded["varying"] == 1 else f"{recorded['varying']} sizes vary"
            )
            yield f"it passes {it} to torch.compile; {vary} between the calls"
        elif not it.startswith(_HIDING):
            yield f"it passes {it} to torch.compile; here it was compiled without"
    if operators := [it for it in after.operators if it not in before.operators]:
        yield f"no compiler looks into operators of its own: {', '.join(operators)}"
    if _MORE < (growth := _growth(before, after)) <= _MUCH_MORE:
        yield f"a warm pass does {growth:.3g} times the work of before"
    if recorded["loose"]:
        yield f"{recorded['loose']}; that it is equal says little"


def _hidden(recorded: Found, replay: Found) -> Iterator[str]:
    """What the fix asks for so that nobody sees trouble."""
    for name, was, now in _settings(recorded, replay):
        if _hides(name, was, now):
            yield f"it sets {name} to {now}, which hides trouble"
    for it in filter(_forgets, _called(recorded, replay)):
        yield f"it {it}, which hides trouble"
    for it in _asked(recorded, replay):
        if it.startswith(_HIDING):
            yield f"it passes {it} to torch.compile, which hides trouble"


def _settings(recorded: Found, replay: Found) -> Iterator[tuple[str, Any, Any]]:
    """The settings of torch that the fix changes: a value before, and each that is new."""
    for name, values in replay["settings"].items():
        known = recorded["settings"].get(name, values[:1])
        for now in values:
            if now not in known:
                yield name, known[-1], now


def _hides(name: str, was: Any, now: Any) -> bool:
    own = name.removeprefix("torch._dynamo.config.")
    return own in _ALWAYS or now in _STANCES or (own in _LIMITS and now > was)


def _called(recorded: Found, replay: Found) -> list[str]:
    """What only the fix does to the compiler, each a verb with the name of a function."""
    return [it for it in replay["called"] if it not in recorded["called"]]


def _forgets(called: str) -> bool:
    return called.startswith(("replaces ", "calls torch._dynamo.reset"))


def _asked(recorded: Found, replay: Found) -> list[str]:
    """The options that only the fix passes to torch.compile."""
    return [it for it in replay["asked"] if it not in recorded["asked"]]


def _outside(before: Health, after: Health) -> str:
    """How much more work no graph computes, in words; "" if it is little.

    One op out of hundreds may be most of the work.
    """
    if _fails(before):
        return ""
    both = before.outside.keys() & after.outside.keys()
    was, now = (sum(it.outside[name] for name in both) for it in (before, after))
    all_before, all_now = (sum(it.work[name] for name in both) for it in (before, after))
    if now - was <= max(_NEGLIGIBLE * len(both), SHARE * all_now):
        return ""
    parts = f"{now / all_now:.1%} of the work is done outside of graphs, {was / all_before:.1%} was"
    return f"it stopped compiling: {parts}"


def _growth(before: Health, after: Health) -> float:
    """How many times the work of the calls that were measured of both has grown."""
    both = before.work.keys() & after.work.keys()
    was, now = (sum(it.work[name] for name in both) for it in (before, after))
    return now / was if was and now - was > _NEGLIGIBLE * len(both) else 1.0


def _fails(it: Health) -> bool:
    """Whether a target does not work compiled."""
    return bool(it.raised or it.failed)


def _known(before: Health, after: Health) -> bool:
    return not _fails(before) and before.compiled is not None and after.compiled is not None
