"""Real models: an index with what breaks in each, and a page per model with its repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docsite import links
from docsite.content import Content
from docsite.page import HOME, MODELS, Page
from validators.corpus.models import ALONE, Model, load_models, pins
from validators.corpus.record import ModelRecord, load_records
from validators.corpus.run import BACKEND
from validators.corpus.settled import load_settled
from validators.corpus.summary import Judge, Judged, Row, row_of
from validators.diagnose.findings import Diagnosis, Part
from validators.diagnose.render import terminal_lines, verification_lines
from validators.evidence.columns import in_order

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


def model_pages(content: Content) -> Iterator[Page]:
    """The index and a page for each recorded model; none if the repository has no models."""
    runs = _runs(content)
    models = [it for it in load_models(content.repository.root)[0] if it.name in runs]
    if not models:
        return
    found = [(model, runs[model.name]) for model in models]
    every = [run for _, listed in found for run in listed]
    yield Page(
        MODELS[1],
        MODELS[0],
        "models",
        {
            "models": found,
            "findings": sum(it.row.findings for it in every),
            "known": sum(it.known for it in every),
            "verified": sum(any(it.row.fix == "verified" for it in listed) for _, listed in found),
        },
        (HOME,),
    )
    for model, listed in found:
        yield _page(content, model, listed)


def _page(content: Content, model: Model, runs: list[Run]) -> Page:
    cases = {it.case for run in runs for it in run.findings if it.case}
    file = model.file.relative_to(content.repository.root).as_posix()
    torch = runs[0].record.torch
    shown = {
        "model": model,
        "runs": runs,
        "program": model.file.read_text(encoding="utf-8"),
        "packages": [f"{name} {version}" for name, version in runs[0].record.packages.items()],
        "session": _session(file, runs[0], pins(content.repository.root, torch, [ALONE])),
        "cases": {name: content.catalog.by_name[name] for name in sorted(cases)},
    }
    title = model.about.partition(",")[0]
    path = links.model_page(model.name)
    return Page(path, title, "model", shown, (HOME, MODELS), model.about, file)


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
        parts=[Part("breaks", 0.0, "", record.breaks)],
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


def _runs(content: Content) -> dict[str, list[Run]]:
    """The runs of each model, those on newer releases first."""
    records = load_records(content.repository.committed)[0]
    judge = Judge(content.repository, load_settled(content.repository.root)[0])
    found: dict[str, list[Run]] = {}
    newest_first = [it.name for it in reversed(in_order({column for _, column in records}))]
    for record in sorted(records.values(), key=lambda it: newest_first.index(it.column)):
        findings = judge.findings(record)
        run = Run(record, findings, row_of(record, findings))
        found.setdefault(record.model, []).append(run)
    return found
