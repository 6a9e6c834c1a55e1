"""What times tell: whether calls got slower, and whether compiling pays."""

from __future__ import annotations

from validators.diagnose.compare.sides import Found, Sides
from validators.diagnose.compare.times import (
    Interval,
    drift_of,
    gains,
    noise,
    ratio_of,
    speedup,
)
from validators.diagnose.findings.comparison import Advice, Number, Preference, Verdict

_FEW = "too few calls for an interval"


def gain_numbers(sides: Sides, threshold: float) -> tuple[list[Number], Preference | None]:
    """What the part `gain` tells, and what the second report advises.

    Eager calls are the measure: two reports may come from machines of different speed.
    """
    was, now = sides.measured("gain")
    first, second = (speedup(it["seconds"]) if it else None for it in (was, now))
    shown = Number(
        "speed-up over eager",
        _middle(first),
        _middle(second),
        said=f"before {first or 'not known'}, after {second or 'not known'}",
    )
    advised = preference(second, _drift(now), threshold, ("compile", "eager")) if now else None
    if was is None or now is None:
        missing = sides.missing("gain")
        return [shown, *(Number(it, None, None, *missing) for it in ("slower", "drift"))], advised
    slower = _slower(_ratio(was, now), threshold, "times the speed-up before")
    return [shown, slower, _drifting(_drift(was), _drift(now), threshold)], advised


def speed_numbers(
    ratio: Interval | None, before: Interval | None, after: Interval | None, threshold: float
) -> list[Number]:
    """Whether calls got slower, and whether later calls drift.

    `ratio` says how many times as fast calls are after; the others, how much longer later calls
    take than earlier ones.
    """
    return [
        _slower(ratio, threshold, "times as fast as before"),
        _drifting(before, after, threshold),
    ]


def preference(
    ratio: Interval | None,
    drift: Interval | None,
    threshold: float,
    names: tuple[Advice, Advice],
) -> Preference:
    """The first of `names` for a speed-up of at least the threshold, else the second.

    It is undecided while the interval holds the threshold.
    """
    if ratio is None:
        return Preference("undecided", _FEW)
    if drift is not None and drift.low > 1 + threshold:
        return Preference(names[1], f"later calls take {drift} times as long as the first ones")
    side = ratio.side(1 + threshold)
    because = f"{ratio} times as fast; the threshold is {1 + threshold:.2f}"
    return Preference({1: names[0], -1: names[1]}.get(side, "undecided"), because)


def _ratio(was: Found, now: Found) -> Interval | None:
    found = ratio_of(gains(now["seconds"]), gains(was["seconds"]))
    return found and found.widened(noise(was["seconds"])).widened(noise(now["seconds"]))


def _drift(found: Found) -> Interval | None:
    return drift_of([1 / it for it in gains(found["seconds"])])


def _slower(ratio: Interval | None, threshold: float, unit: str) -> Number:
    if ratio is None:
        return Number("slower", None, None, "undecided", _FEW)
    verdict: Verdict = "undecided"
    if ratio.high < 1 / (1 + threshold):
        verdict = "worse"
    elif ratio.low >= 1 / (1 + threshold):
        verdict = "better" if ratio.low > 1 + threshold else "same"
    return Number("slower", None, None, verdict, f"{ratio} {unit}")


def _drifting(before: Interval | None, after: Interval | None, threshold: float) -> Number:
    """Whether later calls take longer; the same for both sides is the machine."""
    if after is None:
        return Number("drift", _middle(before), None, "undecided", _FEW)
    most = 1 + threshold
    verdict: Verdict = "undecided"
    if after.high <= most:
        verdict = "same"
    elif after.low > most:
        verdict = "same" if before is not None and before.low > most else "worse"
    said = f"later calls take {after} times as long as the first ones"
    return Number("drift", _middle(before), after.middle, verdict, said)


def _middle(interval: Interval | None) -> float | None:
    return interval.middle if interval else None
