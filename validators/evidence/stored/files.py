"""The files of evidence: what each holds, and how it is written.

`environments/COLUMN/KEY.json` is a fingerprint. `verdicts/CASE.json` has one line per column, and
the modules that each digest covers. `reports/CASE.json` has each report of the case once, whichever
columns saw it, and separately what differs from run to run. Fields with their default are left out.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from validators.environment import Fingerprint
from validators.evidence.stored.record import FIELDS, NOISE, Isolation, Record, ReportData, quiet
from validators.verdicts import ARMS, Arm, Verdict

_encoder = msgspec.json.Encoder(order="deterministic")


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One column of a case: `environment`, `symptom` and `remedy` are keys of other files."""

    verdict: Verdict
    reason: str = ""
    digest: str
    judge: str = ""
    environment: str
    isolation: Isolation = "fork"
    repeats: int = 1
    shows: dict[str, bool] = {}
    symptom: str = ""
    remedy: str = ""
    cpu_seconds: int = 0
    witnesses: dict[str, str] = {}
    differs: dict[str, str] = {}
    carried: bool = False


class Verdicts(Struct, frozen=True):
    """`verdicts/CASE.json`: the modules by digest, the lines by column."""

    code: dict[str, tuple[str, ...]]
    columns: dict[str, Line]


class CaseReports(Struct, frozen=True):
    """`reports/CASE.json`: the reports by key, and the noise by column and arm."""

    reports: dict[str, ReportData] = {}
    noise: dict[str, dict[Arm, ReportData]] = {}

    def of(self, line: Line, column: str, arm: Arm) -> ReportData | None:
        """The report that `line`, the line of `column`, names, with its noise.

        Raises:
            KeyError: the file has no such report.
        """
        key = line.symptom if arm == "symptom" else line.remedy
        if not key:
            return None
        return self.reports[key] | self.noise.get(column, {}).get(arm, {})


read_verdicts = msgspec.json.Decoder(Verdicts).decode
read_reports = msgspec.json.Decoder(CaseReports).decode
read_environment = msgspec.json.Decoder(Fingerprint).decode
"""Decoders of a file's bytes; each raises ValueError or RecursionError."""


def key_of(value: Any) -> str:
    """The short hash by which other files name `value`."""
    return hashlib.sha256(_encoder.encode(value)).hexdigest()[:12]


def files_of(records: Iterable[Record]) -> tuple[Verdicts, CaseReports]:
    """What the two files of a case hold for its `records`."""
    verdicts, kept = Verdicts({}, {}), CaseReports({}, {})
    for record in records:
        keys: dict[str, str] = {}
        for arm in ARMS:
            if (report := record.reports.of(arm)) is not None:
                silent = quiet(report)
                keys[arm] = key_of(silent)
                kept.reports[keys[arm]] = silent
                if noise := {name: report[name] for name in NOISE if report.get(name)}:
                    kept.noise.setdefault(record.column, {})[arm] = noise
        verdicts.code[record.digest] = record.modules
        told: dict[str, Any] = {name: getattr(record, name) for name in _SHARED}
        told = {name: value for name, value in told.items() if value != _DEFAULTS.get(name)}
        environment = environment_key(record.fingerprint)
        verdicts.columns[record.column] = Line(environment=environment, **(told | keys))
    return verdicts, kept


_SHARED = sorted(set(Line.__struct_fields__) & set(FIELDS))
_DEFAULTS = {it.name: it.default for it in msgspec.structs.fields(Line)}


def verdicts_text(verdicts: Verdicts) -> bytes:
    """The text of `verdicts/CASE.json`."""
    return text_of({"code": verdicts.code, "columns": verdicts.columns})


def reports_text(kept: CaseReports) -> bytes:
    """The text of `reports/CASE.json`."""
    return text_of({"reports": kept.reports, "noise": kept.noise})


def environment_text(fingerprint: Fingerprint) -> bytes:
    """The text of an environment's file."""
    return msgspec.json.format(_encoder.encode(_told(fingerprint)), indent=1) + b"\n"


def environment_key(fingerprint: Fingerprint) -> str:
    """The short hash by which lines name an environment of their column."""
    return key_of(_told(fingerprint))


def _told(fingerprint: Fingerprint) -> dict[str, Any]:
    """The fields of a fingerprint without defaults, so that a new field changes no key."""
    defaults = {it.name: it.default for it in dataclasses.fields(fingerprint)}
    told = vars(fingerprint)
    return {name: value for name, value in told.items() if value != defaults[name]}


def text_of(parts: dict[str, dict[str, Any]]) -> bytes:
    """The JSON of an object of objects: sorted, with one line per entry of the inner ones."""
    sections = []
    for name, entries in parts.items():
        lines = b",\n".join(
            b"  " + _encoder.encode(key) + b": " + _encoder.encode(value)
            for key, value in sorted(entries.items())
        )
        body = b"{\n" + lines + b"\n }" if lines else b"{}"
        sections.append(b" " + _encoder.encode(name) + b": " + body)
    return b"{\n" + b",\n".join(sections) + b"\n}\n"
