"""What a report does not hold without a GPU raises when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from validators.pretended.invented import Invented, NotObservable
from validators.pretended.unseen import Unmeasured, hidden, uncounted
from validators.probes.report import Call, Cudagraphs, Difference, Report

SEEN = Report(
    calls=(Call(1, 1, Difference(eager=0.5)), Call(0, 1)),
    ops=3,
    cudagraphs=Cudagraphs(("a reason",), 0, 1, 2),
    times={"compile": [1.0]},
    memory={"peak": 1},
)
READS: dict[str, Callable[[Report], object]] = {
    "cudagraphs.replays": lambda it: it.cudagraphs.replays > 0,
    "cudagraphs.recordings": lambda it: it.cudagraphs.recordings == 0,
    "cudagraphs.overwritten_outputs": lambda it: not it.cudagraphs.overwritten_outputs,
    "times": lambda it: it.times["compile"],
    "memory": lambda it: it.memory.get("peak", 0) < 2,
    "difference.eager": lambda it: it.calls[0].difference.eager < 1,
}


@pytest.mark.parametrize("what", READS)
def test_reading_what_only_a_gpu_has_raises(what) -> None:
    """Zero replays would look like an answer."""
    with pytest.raises(NotObservable, match=f"no GPU to ask for this: {what}"):
        READS[what](hidden(SEEN))


def test_the_worst_difference_is_refused_too() -> None:
    """It is computed from what nobody compared."""
    with pytest.raises(NotObservable):
        print(hidden(SEEN).worst_difference)


def test_the_rest_is_as_it_was() -> None:
    """Graphs, skips, and which calls compiled."""
    report = hidden(SEEN)
    assert (report.ops, report.compiled, report.cudagraphs.skips) == (3, (1, 0), ("a reason",))
    assert hidden(Report()).cudagraphs is None


def test_a_report_with_such_numbers_becomes_json() -> None:
    """Where nobody counted stands -1, where nobody measured nothing."""
    invented = Invented()
    graphs = uncounted(("a reason",), invented.refuse)
    made = Report(cudagraphs=graphs, memory=Unmeasured(invented.refuse, "memory", "memory"))
    told = json.loads(json.dumps(made.to_json()))
    counts = {"recordings": -1, "replays": -1, "overwritten_outputs": -1}
    assert told["cudagraphs"] == {"skips": ["a reason"], **counts}
    assert told["memory"] == {}
    assert invented.told() == []


def test_an_arm_that_reads_such_a_number_is_noted() -> None:
    """Even if it catches the exception."""
    invented = Invented()
    with pytest.raises(NotObservable):
        print(uncounted((), invented.refuse).replays + 1)
    assert invented.told() == [{"kind": "replay", "what": "cudagraphs.replays", "count": 1}]
