"""A project of synthetic cases, of any size and shaped like the real one.

Pages have the real ones' fields, sections, citations and figures; records are the committed ones
under other names, so their reports are as long as real reports are.
"""

from __future__ import annotations

import dataclasses
import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from benchmarks.prose import body_of, claim_of
from validators.catalog import Case, load_catalog
from validators.catalog.casebook import load_casebook
from validators.environment import Fingerprint, column_of, describe
from validators.evidence import Record, Reports, digest_of, load_evidence, merge
from validators.files import ROOT

PROOF = (Path(__file__).parent / "templates" / "proof.py.txt").read_text(encoding="utf-8")
COLUMNS = (
    ("2.15.0", ""),
    ("2.11.0", "NVIDIA H200"),
    ("2.13.0", "NVIDIA H100 80GB HBM3"),
    ("2.14.0", ""),
    ("2.15.0", "NVIDIA H200"),
    ("2.12.0", ""),
    ("2.14.0", "NVIDIA H200"),
)
"""Release and GPU of the columns after the first, which is this interpreter's own."""

_KINDS = ("limitation", "limitation", "practice", "retraction")
_DEVICES = (["cpu", "cuda"], ["cpu", "cuda"], ["cpu", "cuda"], ["cpu"], ["cuda"])


def write_project(root: Path, cases: int, columns: int = 8) -> Path:
    """Write a repository of `cases` cases with records in `columns` columns; returns its catalog.

    The first column is this interpreter's. build/evidence holds it, too, so `run-all` finds
    nothing to do.
    """
    catalog = write_catalog(root, cases)
    loaded = load_catalog(catalog)
    records = []
    for fingerprint in fingerprints(columns):
        records += [_record(case, fingerprint, catalog) for case in loaded.cases]
    merge(catalog.parent / "evidence", records)
    merge(root / "build" / "evidence", records[:cases])
    return catalog


def write_catalog(root: Path, cases: int) -> Path:
    """Write the pages and proofs of a repository without evidence; returns the catalog."""
    catalog = root / "playbooks" / "catalog"
    for folder in (*(catalog / area for area in _areas()), root / "skills"):
        folder.mkdir(parents=True, exist_ok=True)
    names, areas = [case_name(index) for index in range(cases)], _areas()
    for index, name in enumerate(names):
        page = catalog / areas[index % len(areas)] / f"{name}.md"
        choice = random.Random(index)
        front = _front_matter(choice, index)
        # A case without a record in the first column has no figure to cite.
        figure = _figure(index) if "cpu" in front["devices"] else "hundreds of"
        body = body_of(choice, name, choice.sample(names, min(2, cases)), figure)
        header = yaml.safe_dump(front, sort_keys=False, width=96)
        page.write_text(f"---\n{header}---\n\n{body}", encoding="utf-8")
        page.with_suffix(".py").write_text(
            PROOF.replace("@SIZE@", str(index + 2)), encoding="utf-8"
        )
    return catalog


def case_name(index: int) -> str:
    """The id of the case number `index`, as long as real ids are."""
    subjects = ("mutated_input", "dynamic_batch", "rotary_cache", "optional_mask", "nested_tuple")
    effects = ("skips_cudagraphs", "recompiles_twice", "breaks_the_graph", "changes_numerics")
    return f"{subjects[index % 5]}_{effects[index % 4]}_{index:04}"


def fingerprints(count: int) -> Iterator[Fingerprint]:
    """The fingerprints of `count` columns, this interpreter's own first."""
    own = _own()
    yield own
    for torch, gpu in COLUMNS[: count - 1]:
        yield dataclasses.replace(
            own,
            torch=f"{torch}+{'cu130' if gpu else 'cpu'}",
            python="3.12.4",
            cuda="13.0" if gpu else "",
            device="cuda" if gpu else "cpu",
            accelerator=gpu,
            driver="580.1" if gpu else "",
        )


@cache
def _areas() -> list[str]:
    return load_casebook(ROOT / "playbooks" / "catalog")[0].areas


@cache
def _own() -> Fingerprint:
    return describe(sys.executable, "cpu").fingerprint


def _template(index: int) -> Record:
    return _templates()[index % len(_templates())]


@cache
def _templates() -> list[Record]:
    """The committed CPU records that hold reports."""
    evidence = load_evidence(ROOT / "playbooks" / "evidence")
    newest = max(column for _, column in evidence)
    return [r for (_, column), r in sorted(evidence.items()) if column == newest and r.symptom]


def _figure(index: int) -> str:
    """A figure of the case's own record in the first column, as a page marks it."""
    value = _template(index).figure("symptom.ops")
    column = column_of(_own())
    return f"<!-- figure {case_name(index)} symptom.ops {column} -->{value}<!-- /figure -->"


def _front_matter(choice: random.Random, index: int) -> dict[str, Any]:
    kind = choice.choice(_KINDS)
    front: dict[str, Any] = {"claim": claim_of(choice, index)}
    front["summary"] = f"A nested tuple {choice.choice(('breaks the graph', 'recompiles twice'))}."
    front["fix"] = f"Replace the tuple of layer {index} by `torch.stack`."
    front["kind"] = kind
    if kind == "retraction":
        front["believed"] = claim_of(choice, index + 1)
    front["severity"] = choice.choice(["low", "medium", "high"])
    front["devices"] = choice.choice(_DEVICES)
    front["holds"] = [{"torch": ">=2.11"}]
    if choice.random() < 0.7:
        front["signatures"] = [r"2 <= .*\.size\(\)\[0\]", f"seen in compiled frame {index}"]
    if choice.random() < 0.3:
        front["graph_break"] = {"id": f"GB{index % 300:04}", "type": "Data-dependent branching"}
    if choice.random() < 0.5:
        front["upstream"] = [{"issue": f"pytorch/pytorch#{130000 + index}", "fixed_in": "2.18.0"}]
    front["sources"] = ["Model optimization report, chapter on position ids", "a forum thread"]
    if choice.random() < 0.4:
        front["aliases"] = [f"former_name_{index:04}"]
    return front


def _record(case: Case, fingerprint: Fingerprint, catalog: Path) -> Record:
    """A template as the case's current record; four columns in five say the same."""
    index = int(case.name.rpartition("_")[2])
    template = _template(index)
    proof = f"catalog/{case.area}/{case.proof.name}"
    modules = (proof, *(it for it in template.modules if not it.startswith("catalog/")))
    column = column_of(fingerprint)
    symptom = dict(template.symptom or {})
    if fingerprint != _own() and random.Random(f"{index} {column}").random() < 0.2:
        symptom["ops"] += 1
    record = msgspec.structs.replace(
        template,
        case=case.name,
        column=column,
        verdict="confirmed",
        reason="",
        digest=digest_of(case, modules, catalog),
        modules=modules,
        fingerprint=fingerprint,
        reports=Reports(symptom, template.remedy),
        shows={"symptom": True, "remedy": False},
    )
    if fingerprint.device in case.meta.devices:
        return record
    need = "a CUDA device"
    return msgspec.structs.replace(
        record, verdict="skipped", reason=f"needs {need}", reports=Reports(), shows={}
    )
