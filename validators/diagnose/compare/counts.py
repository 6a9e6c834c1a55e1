"""The counts of two reports: what the compiler did, and what it got wrong."""

from __future__ import annotations

from collections.abc import Iterator

from validators.diagnose.compare.sides import Found, Sides
from validators.diagnose.findings.comparison import Number, Verdict
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.fix.judging import SHARE
from validators.diagnose.fix.verify import health_of

_RAISING = ("breaks", "results")
"""The parts that tell of an exception."""


def counts(sides: Sides) -> Iterator[Number]:
    """The numbers of the parts `breaks`, `results` and `latency`, as far as they ran."""
    yield _crashes(sides)
    was, now = (_of_breaks(it) for it in sides.measured("breaks"))
    yield Number("graphs", was.get("graphs"), now.get("graphs"))
    for name in ("graph-breaks", "recompiles", "limits", "eager-calls"):
        yield _counted(sides, name, was.get(name), now.get(name))
    yield _share(sides, was.get("compiled-ops"), now.get("compiled-ops"))
    yield _wrong(sides)
    first, second = ((it and it["whole"]) or {} for it in sides.measured("latency"))
    for name, key in (("first-call ops", "ops"), ("first-call CPU seconds", "cpu_seconds")):
        yield Number(name, first.get(key), second.get(key))


def _of_breaks(found: Found | None) -> dict[str, float | None]:
    if found is None:
        return {}
    health = health_of(found)
    return {
        "graphs": health.graphs,
        "graph-breaks": health.breaks,
        "recompiles": health.recompiles,
        "limits": health.limits,
        "eager-calls": len({it % found["calls"] for it in found["eager_calls"]}),
        "compiled-ops": health.compiled,
    }


def _counted(sides: Sides, name: str, was: float | None, now: float | None) -> Number:
    if was is None or now is None:
        return Number(name, was, now, *sides.missing("breaks"))
    if said := _incomplete(sides):
        return Number(name, was, now, *said)
    return Number(name, was, now, _less(was, now))


def _incomplete(sides: Sides) -> tuple[Verdict, str] | None:
    """What an exception makes of counts: they end where it is raised."""
    before, after = (bool(it and it["raised"]) for it in sides.measured("breaks"))
    if after and not before:
        return "worse", "the calls now end with an exception"
    return ("undecided", "the calls ended with an exception before") if before else None


def _share(sides: Sides, was: float | None, now: float | None) -> Number:
    name = "compiled-ops"
    if not sides.both("breaks"):
        return Number(name, was, now, *sides.missing("breaks"))
    if was is None or now is None:
        return Number(name, was, now, "undecided", "the share is not known")
    changed = abs(now - was) > SHARE
    return Number(name, was, now, _less(-was, -now) if changed else "same")


def _crashes(sides: Sides) -> Number:
    parts = [sides.measured(it) for it in _RAISING if sides.both(it)]
    if not parts:
        return Number("crash", None, None, *sides.missing("breaks"))
    was, now = (
        sum(bool(side and side["raised"]) for side in it) for it in zip(*parts, strict=True)
    )
    return Number("crash", was, now, _less(was, now))


def _wrong(sides: Sides) -> Number:
    first, second = sides.measured("results")
    was = None if first is None else _wrong_calls(sides.before)
    now = None if second is None else _wrong_calls(sides.after)
    if was is None or now is None:
        return Number("wrong-results", was, now, *sides.missing("results"))
    return Number("wrong-results", was, now, _less(was, now))


def _wrong_calls(diagnosis: Diagnosis) -> int:
    return sum(it.count for it in diagnosis.findings if it.kind == "wrong_results")


def _less(was: float, now: float) -> Verdict:
    """The verdict where less is better."""
    return "same" if was == now else "better" if now < was else "worse"
