"""What a file of results says: shares of solved tasks and seconds, with 95 % intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Literal

from validators.evals.results import (
    ARMS,
    Attempt,
    Count,
    Difference,
    Effect,
    Interval,
    Row,
    Summary,
)
from validators.probes.intervals import bootstrap

_Z = 1.959964


def wilson(solved: int, tries: int) -> Interval:
    """The 95 % interval of a share, after Wilson; from 0 to 1 if nothing was tried."""
    if not tries:
        return 0.0, 1.0
    share, spread = solved / tries, _Z**2 / tries
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(share * (1 - share) / tries + spread / (4 * tries))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def summarized(attempts: Sequence[Attempt]) -> Summary:
    """The figures of a file of results."""
    packs = list(dict.fromkeys(it.pack for it in reversed(attempts) if it.arm == "with"))[::-1]
    chosen = _newest(attempts, packs[-1] if packs else "")
    sets = sorted({it.set for it in chosen})
    rows = [row for group in sets for row in _rows(group, [it for it in chosen if it.set == group])]
    if len(sets) > 1:
        rows += _rows("all", chosen)
    effects = sorted(_effects(chosen), key=lambda it: (it.difference, it.task))
    return Summary(packs=packs, rows=rows, difference=_difference(effects), tasks=effects)


def lines(attempts: Sequence[Attempt]) -> Iterator[str]:
    """The tables: each set under each arm, the difference between the arms, then each task."""
    found = summarized(attempts)
    if len(found.packs) > 1:
        *older, newest = found.packs
        yield f"Skills {newest}; not counted are attempts with older texts: {', '.join(older)}."
        yield ""
    yield "| tasks | arm | solved | share | 95 % (Wilson) | median seconds | 95 % (bootstrap) |"
    yield "|---|---|---|---|---|---|---|"
    yield from map(_row_line, found.rows)
    if found.difference:
        yield ""
        yield _difference_line(found.difference)
        yield ""
        yield "| task | with | without | effect |"
        yield "|---|---|---|---|"
        for it in found.tasks:
            yield f"| {it.task} | {it.given} | {it.bare} | {it.effect} |"


def _newest(attempts: Sequence[Attempt], pack: str) -> list[Attempt]:
    """The last line for each try with the skills of `pack`, and for each without skills."""
    counted = [it for it in attempts if it.arm == "without" or it.pack == pack]
    return list({(it.task, it.arm, it.number): it for it in counted}.values())


def _rows(group: Literal["seen", "unseen", "all"], attempts: list[Attempt]) -> Iterator[Row]:
    for arm in ARMS:
        if chosen := [it for it in attempts if it.arm == arm]:
            count, seconds = _count(chosen), [it.seconds for it in chosen]
            yield Row(
                set=group,
                arm=arm,
                solved=count.solved,
                tries=count.tries,
                share=count.share,
                share_interval=wilson(count.solved, count.tries),
                seconds=statistics.median(seconds),
                seconds_interval=bootstrap(seconds),
            )


def _row_line(row: Row) -> str:
    (low, high), (early, late) = row.share_interval, row.seconds_interval
    cells = [
        row.set,
        row.arm,
        f"{row.solved}/{row.tries}",
        f"{row.share:.0%}",
        f"{low:.0%} to {high:.0%}",
        f"{row.seconds:.1f}",
        f"{early:.1f} to {late:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _difference(effects: Sequence[Effect]) -> Difference | None:
    if not effects:
        return None
    values = [it.difference for it in effects]
    interval = bootstrap(values, statistics.fmean)
    return Difference(mean=statistics.fmean(values), interval=interval, tasks=len(values))


def _difference_line(found: Difference) -> str:
    low, high = found.interval
    return (
        f"With the skills, the share of solved attempts differs by {100 * found.mean:+.0f} points"
        f" (95 % {100 * low:+.0f} to {100 * high:+.0f}, drawn over {found.tasks} tasks)."
    )


def _effects(attempts: Sequence[Attempt]) -> Iterator[Effect]:
    for task in sorted({it.task for it in attempts}):
        given, bare = ([it for it in attempts if (it.task, it.arm) == (task, arm)] for arm in ARMS)
        if given and bare:
            one, other = _count(given), _count(bare)
            gap = one.share - other.share
            effect: Literal["gain", "none", "regression"]
            effect = "none" if not gap else "gain" if gap > 0 else "regression"
            yield Effect(task=task, given=one, bare=other, effect=effect)


def _count(chosen: Sequence[Attempt]) -> Count:
    return Count(sum(it.outcome == "solved" for it in chosen), len(chosen))
