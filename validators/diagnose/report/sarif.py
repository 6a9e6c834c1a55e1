"""A diagnosis as SARIF 2.1.0, which code hosts show beside the code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from validators.diagnose.findings.finding import Diagnosis, Finding, Place
from validators.diagnose.findings.identity import identity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {"crash": "error", "wrong_results": "error", "static": "note"}


_BASES = {
    "TARGET": "The folder of the target's file.",
    "HOME": "The home folder of who made the diagnosis.",
}
"""Folders that are not told: results name files below them."""


@dataclass(frozen=True)
class _Location:
    """A file's URI, and the folder that it is relative to, "" for the folder of the diagnosis."""

    uri: str
    base: str

    def as_json(self) -> dict[str, str]:
        """The location as SARIF has it."""
        return {"uri": self.uri, **({"uriBaseId": self.base} if self.base else {})}


def sarif(diagnosis: Diagnosis, folder: str = "") -> dict[str, Any]:
    """The findings that have a place in a file, as one run.

    `folder` is that of the target's file as the places have it: with private words masked. Files
    elsewhere are named by an absolute URI.
    """
    placed = [it for it in diagnosis.findings if it.place]
    rules = {_rule(it): it for it in placed}
    places = [place for it in placed for place in _places(it)]
    bases = {_location(it, folder).base for it in places} - {""}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "torch.compile Casebook",
                        "rules": [
                            {
                                "id": name,
                                "shortDescription": {"text": it.explanation.title or it.what},
                            }
                            for name, it in sorted(rules.items())
                        ],
                    }
                },
                "originalUriBaseIds": {
                    name: {"description": {"text": text}}
                    for name, text in _BASES.items()
                    if name in bases
                },
                "results": [_result(it, folder) for it in placed],
            }
        ],
    }


def _places(finding: Finding) -> list[Place]:
    """The place of a finding, and the lines that led there."""
    return [it for it in (finding.place, *finding.stack) if it]


def _location(place: Place, folder: str) -> _Location:
    file = place.file
    if file.startswith(("/", "~")) and folder and file.startswith(f"{folder}/"):
        return _Location(quote(file.removeprefix(f"{folder}/")), "TARGET")
    if file.startswith("~"):
        return _Location(quote(file.removeprefix("~").lstrip("/\\")), "HOME")
    return _Location(f"file://{quote(file)}" if file.startswith("/") else quote(file), "")


def _physical(place: Place, folder: str) -> dict[str, Any]:
    return {
        "artifactLocation": _location(place, folder).as_json(),
        "region": {"startLine": max(1, place.line)},
    }


def _result(finding: Finding, folder: str) -> dict[str, Any]:
    place, *stack = _places(finding)
    said = f"{finding.what}; {finding.cost}."
    fix = f" Fix: {finding.explanation.fix}" if finding.explanation.fix else ""
    told = "\n".join([_location(place, folder).uri, *identity(finding)])
    # A finding in a library is of use to who owns the line that called it.
    callers = [
        {
            "id": number,
            "physicalLocation": _physical(it, folder),
            "message": {"text": it.code or "called from here"},
        }
        for number, it in enumerate(stack)
    ]
    return {
        "ruleId": _rule(finding),
        "level": _LEVEL.get(finding.kind, "warning"),
        "message": {"text": said + fix},
        "locations": [{"physicalLocation": _physical(place, folder)}],
        **({"relatedLocations": callers} if callers else {}),
        "partialFingerprints": {"code/v2": hashlib.sha256(told.encode()).hexdigest()[:32]},
    }


def _rule(finding: Finding) -> str:
    return finding.explanation.case or finding.kind
