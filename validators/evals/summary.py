"""What a file of results says: shares of solved tasks and seconds, with 95 % intervals."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence

from validators.evals.run import ARMS, Attempt

Interval = tuple[float, float]
_Z = 1.959964
_DRAWS = 2000


def wilson(solved: int, tries: int) -> Interval:
    """The 95 % interval of a share, after Wilson; from 0 to 1 if nothing was tried."""
    if not tries:
        return 0.0, 1.0
    share, spread = solved / tries, _Z**2 / tries
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(share * (1 - share) / tries + spread / (4 * tries))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def bootstrap(
    values: Sequence[float], of: Callable[[Sequence[float]], float] = statistics.median
) -> Interval:
    """The 95 % interval of a statistic, from 2,000 draws that are the same in every run."""
    draw = random.Random(0)
    found = sorted(of(draw.choices(values, k=len(values))) for _ in range(_DRAWS))
    return found[int(0.025 * _DRAWS)], found[int(0.975 * _DRAWS) - 1]


def lines(attempts: Sequence[Attempt]) -> Iterator[str]:
    """The tables: each set under each arm, the difference between the arms, then each task."""
    sets = sorted({it.set for it in attempts})
    yield "| tasks | arm | solved | share | 95 % (Wilson) | median seconds | 95 % (bootstrap) |"
    yield "|---|---|---|---|---|---|---|"
    for group in [*sets, "all"] if len(sets) > 1 else sets:
        chosen = [it for it in attempts if group in (it.set, "all")]
        for arm in ARMS:
            yield from _row(group, arm, [it for it in chosen if it.arm == arm])
    if differences := _differences(attempts):
        yield ""
        yield _difference(list(differences.values()))
        yield from _by_task(attempts, differences)


def _row(group: str, arm: str, chosen: list[Attempt]) -> Iterator[str]:
    if not chosen:
        return
    solved, seconds = _solved(chosen), [it.seconds for it in chosen]
    low, high = wilson(solved, len(chosen))
    early, late = bootstrap(seconds)
    cells = [
        group,
        arm,
        f"{solved}/{len(chosen)}",
        f"{solved / len(chosen):.0%}",
        f"{low:.0%} to {high:.0%}",
        f"{statistics.median(seconds):.1f}",
        f"{early:.1f} to {late:.1f}",
    ]
    yield f"| {' | '.join(cells)} |"


def _difference(differences: list[float]) -> str:
    low, high = bootstrap(differences, statistics.fmean)
    mean = statistics.fmean(differences)
    return (
        f"With the skills, the share of solved attempts differs by {100 * mean:+.0f} points"
        f" (95 % {100 * low:+.0f} to {100 * high:+.0f}, drawn over {len(differences)} tasks)."
    )


def _by_task(attempts: Sequence[Attempt], differences: dict[str, float]) -> Iterator[str]:
    yield ""
    yield "| task | with | without | effect |"
    yield "|---|---|---|---|"
    for task, difference in sorted(differences.items(), key=lambda it: (it[1], it[0])):
        effect = "none" if not difference else "gain" if difference > 0 else "regression"
        counts = [_count(_of(attempts, task, arm)) for arm in ARMS]
        yield f"| {task} | {' | '.join(counts)} | {effect} |"


def _differences(attempts: Sequence[Attempt]) -> dict[str, float]:
    """Per task that both arms tried: the share solved with the skills less that without."""
    found = {}
    for task in sorted({it.task for it in attempts}):
        given, bare = (_of(attempts, task, arm) for arm in ARMS)
        if given and bare:
            found[task] = _solved(given) / len(given) - _solved(bare) / len(bare)
    return found


def _of(attempts: Sequence[Attempt], task: str, arm: str) -> list[Attempt]:
    return [it for it in attempts if (it.task, it.arm) == (task, arm)]


def _solved(chosen: Sequence[Attempt]) -> int:
    return sum(it.outcome == "solved" for it in chosen)


def _count(chosen: Sequence[Attempt]) -> str:
    return f"{_solved(chosen)}/{len(chosen)}"
