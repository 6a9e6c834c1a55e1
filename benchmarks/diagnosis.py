"""A whole diagnosis of a model of usual depth, as somebody who waits for it gets it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchmarks.measures import Measure
from benchmarks.processes import processor_time, python
from benchmarks.size import Size

TITLE = "Diagnosis"
MODEL = "gpt"


def run(size: Size) -> Iterator[Measure]:
    """Diagnose the reference GPT of twelve blocks with all parts that a CPU has."""
    words = ("-m", "validators", "diagnose", MODEL, "--json", *(["--quick"] if size.quick else []))
    # It ends with 1, as it finds recompiles.
    runs = [python(*words, ends=(1,)) for _ in range(min(size.rounds, 3))]
    done = json.loads(runs[-1].printed)
    parts = [part["name"] for part in done["parts"] if not part["failure"]]
    yield Measure(
        what=f"`diagnose {MODEL}`, twelve blocks and {done['calls']} training steps",
        unit="s",
        samples=[ran.seconds for ran in runs],
        target=60,
        note=f"{processor_time(runs)}; parts: {', '.join(parts)}",
    )
