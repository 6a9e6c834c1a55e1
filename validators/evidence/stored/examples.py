"""The runs of the pages' examples: `examples/CASE.json`, one line per column.

The file holds each printed text once, whichever columns and sides printed it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from validators.catalog import Case
from validators.errors import Problem
from validators.evidence.stored.column_files import ColumnFiles
from validators.evidence.stored.files import text_of
from validators.evidence.stored.record import Record
from validators.evidence.stored.writing import locked, replace_file
from validators.verdicts import DECIDED, Verdict


class ExampleRun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the example of a case did in one column.

    `verdict` judges *before* and *after* as a record's verdict judges symptom and remedy. `reason`
    says why it is not confirmed: of *refuted*, `ABSENT`, or which other trouble *before* met.
    `line` is the line printed by *before* that shows the symptom. `before` and `after` are keys of
    what they printed.
    """

    verdict: Verdict
    reason: str = ""
    digest: str
    torch: str
    line: str = ""
    before: str = ""
    after: str = ""

    @property
    def absent(self) -> bool:
        """Whether *before* ran without the trouble, and without any that *after* avoids."""
        return self.verdict == "refuted" and self.reason == ABSENT


class CaseExamples(Struct, frozen=True):
    """`examples/CASE.json`: the runs by column, and what they printed by key."""

    columns: dict[str, ExampleRun] = {}
    printed: dict[str, str] = {}


ABSENT = "before does not show it"
"""The reason of *refuted* where *before* met no trouble at all."""
SILENT = "its own assertion fails"
"""The `line` of a run in which *before* shows the symptom without printing it."""
Examples = dict[str, CaseExamples]
"""The runs of examples, by case."""
_FILES = ColumnFiles(
    "examples", CaseExamples, "holds no runs of an example", "delete it and run the example again"
)
_NOTHING = CaseExamples()
_PREFIX = re.compile(r"^(?:\[(?:\d+/\d+|__\w+)\] +)+(?:- )*")


def example_digest(case: Case) -> str:
    """The digest of what ran in an example, a hyphen, and that of what judges the run.

    "" if the page has no example.
    """
    if case.example is None:
        return ""
    meta = case.meta
    ran = [
        [case.example.before.code, case.example.after.code, meta.torch_logs],
        [meta.needs, meta.env, meta.always_fresh, bool(meta.results.get("remedy"))],
    ]
    judge = [meta.example_line or meta.signatures, meta.graph_break and meta.graph_break.type]
    return f"{_digest_of(ran)}-{_digest_of(judge)[:8]}"


def only_judged_otherwise(case: Case, run: ExampleRun) -> bool:
    """Whether the example is as it ran, and only what judges it has changed."""
    digest = example_digest(case)
    return run.digest != digest and run.digest.partition("-")[0] == digest.partition("-")[0]


def _digest_of(parts: object) -> str:
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]


def run_on(examples: Examples, case: str, column: str) -> ExampleRun | None:
    """The run of a case's example in a column; None if there is none."""
    return examples.get(case, _NOTHING).columns.get(column)


def disagreement(record: Record, run: ExampleRun | None) -> str:
    """How the current run of the example, if there is one, contradicts `record`; "" if it does not.

    Symptom and remedy are decided apart: the example may have a fix that works where the proof's
    does not.
    """
    if run is None or run.verdict == record.verdict:
        return ""
    if run.verdict not in DECIDED or record.verdict not in DECIDED:
        return ""
    if (record.verdict, run.verdict) == ("remedy-failed", "confirmed"):
        return ""
    if run.verdict == "refuted" and not run.absent:
        return ""
    return f"the example is {run.verdict} ({run.reason}), the proof {record.verdict}"


def overlaid_examples(under: Examples, over: Examples, cases: dict[str, Case]) -> Examples:
    """Both folders' runs; where both have a case and column, that of `over` if it is current."""
    found = dict(under)
    for name, runs in over.items():
        digest = example_digest(cases[name]) if name in cases else ""
        below = under.get(name, _NOTHING)
        columns = dict(below.columns)
        for column, run in runs.columns.items():
            if column not in columns or run.digest == digest:
                columns[column] = run
        found[name] = CaseExamples(columns, below.printed | runs.printed)
    return found


def shown(line: str) -> str:
    """A printed line without the prefix of a log and without backticks."""
    return bare(line).replace("`", "'")


def bare(line: str) -> str:
    """A printed line without the prefix of a log."""
    return " ".join(_PREFIX.sub("", line).split())


def printed_key(text: str) -> str:
    """The key of what was printed."""
    return hashlib.sha256(text.encode()).hexdigest()[:12] if text else ""


def examples_file(folder: Path, case: str) -> Path:
    """The file of the runs of a case's example."""
    return _FILES.place(folder, case)


def load_examples(folder: Path, damaged: list[Problem] | None = None) -> Examples:
    """All runs of examples in `folder`.

    A damaged file is skipped and added to `damaged`.

    Raises:
        CasebookError: a file is damaged, and `damaged` is None; the message says which.
    """
    return _FILES.load(folder, damaged)


def load_example(folder: Path, case: str, damaged: list[Problem]) -> Examples:
    """The runs of one case's example; empty if there are none, or if their file is damaged."""
    return _FILES.load_case(folder, case, damaged)


def write_example(
    folder: Path, case: str, column: str, run: ExampleRun, printed: Iterable[str]
) -> None:
    """Store the run of an example in `folder`, replacing that of the same column."""
    with locked(folder):
        file = examples_file(folder, case)
        stored = load_example(folder, case, []).get(case, _NOTHING)
        texts = stored.printed | {printed_key(text): text for text in printed if text}
        columns = stored.columns | {column: run}
        named = {key for it in columns.values() for key in (it.before, it.after) if key}
        kept = {key: text for key, text in texts.items() if key in named}
        replace_file(folder, file, text_of({"columns": columns, "printed": kept}))


def merge_examples(folder: Path, local: Examples, keys: Iterable[tuple[str, str]]) -> list[str]:
    """Store the `local` runs of `keys` (case, column) in `folder`; return those that changed it."""
    stored, changed = load_examples(folder), []
    for case, column in keys:
        run = local[case].columns[column]
        if run_on(stored, case, column) == run:
            continue
        printed = local[case].printed
        write_example(folder, case, column, run, _texts(run, printed))
        changed.append(f"{case} {column}")
    return changed


def _texts(run: ExampleRun, printed: dict[str, str]) -> Iterator[str]:
    return (printed[key] for key in (run.before, run.after) if key)
