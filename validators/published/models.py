"""Real models: what each did on each release, with what explains it and the commands' output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from validators.corpus.models import ALONE, Model, load_models, pins
from validators.corpus.records.record import ModelRecord, load_records
from validators.corpus.run import BACKEND
from validators.corpus.settled import load_settled
from validators.corpus.summary import Judge, Judged, Row, row_of
from validators.diagnose.findings.finding import Diagnosis, Part
from validators.diagnose.report.render import terminal_lines, verification_lines
from validators.evidence.columns import in_order
from validators.repository import Repository

_BRINGS = {"speechbrain": "torchaudio"}
"""A package with the one that pip installs for it, which refuses the CUDA of a newer torch."""


@dataclass(frozen=True)
class Run:
    """What a model did in one column: its record, the findings, and its line in the table."""

    record: ModelRecord
    findings: list[Judged]
    row: Row

    @property
    def known(self) -> int:
        """How many findings a case explains, by itself or as somebody settled."""
        return self.row.explained + self.row.settled


@dataclass(frozen=True)
class ShownModel:
    """A model with its runs, those on newer releases first, and what a terminal shows of them.

    `file` is relative to the repository.
    """

    model: Model
    file: str
    runs: list[Run]
    session: str


def shown_models(repository: Repository) -> list[ShownModel]:
    """The models that have a record."""
    runs = _runs(repository)
    models = (it for it in load_models(repository.root)[0] if it.name in runs)
    return [_shown(repository.root, model, runs[model.name]) for model in models]


def _shown(root: Path, model: Model, runs: list[Run]) -> ShownModel:
    file = model.file.relative_to(root).as_posix()
    alone = pins(root, runs[0].record.torch, [ALONE])
    return ShownModel(model, file, runs, _session(file, runs[0], alone))


def _session(file: str, run: Run, alone: Mapping[str, str]) -> str:
    """What a terminal shows of the commands that made a record, from the installation on.

    `alone` are the packages that pip refuses beside the record's torch. A script installs those,
    without what they ask for.
    """
    record = run.record
    release = record.torch.partition("+")[0]
    pinned = " ".join(f"{name}=={version}" for name, version in record.packages.items())
    diagnosis = Diagnosis(
        target=f"{file}:example",
        torch=record.torch,
        python=record.python,
        column=record.column,
        calls=record.calls,
        trains=record.trains,
        findings=[it.finding for it in run.findings],
        parts=[Part("breaks", 0.0, "", {"calls": record.calls, **record.breaks})],
    )
    brought = {_BRINGS.get(it, it) for it in record.packages}
    refused = bool(brought & alone.keys())
    wanted = "." if refused else f". torch=={release} {pinned}"
    there = " --python $P" if refused else ""
    lines = [f"$ pip install {wanted}"]
    if refused:
        lines += [f"$ P=$(sh tools/models.sh {release})"]
    lines += [f"$ python -m validators diagnose {file}:example --only breaks{there}"]
    lines += terminal_lines(diagnosis)
    if record.fix:
        lines += [
            f"$ python -m validators verify-fix {file}:example {file}:fixed"
            f" --backend {BACKEND} --quick{there}"
        ]
        lines += verification_lines(record.fix)
    return "\n".join(lines)


def _runs(repository: Repository) -> dict[str, list[Run]]:
    """The runs of each model, those on newer releases first."""
    records = load_records(repository.committed)[0]
    judge = Judge(repository, load_settled(repository.root)[0])
    found: dict[str, list[Run]] = {}
    newest_first = [it.name for it in reversed(in_order({column for _, column in records}))]
    for record in sorted(records.values(), key=lambda it: newest_first.index(it.column)):
        findings = judge.findings(record)
        run = Run(record, findings, row_of(record, findings))
        found.setdefault(record.model, []).append(run)
    return found
