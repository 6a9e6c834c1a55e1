"""A diagnosis as SARIF 2.1.0, which code hosts show beside the code."""

from __future__ import annotations

import hashlib
from typing import Any

from validators.diagnose.findings import Diagnosis, Finding
from validators.diagnose.identity import identity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {"crash": "error", "wrong_results": "error", "static": "note"}


def sarif(diagnosis: Diagnosis) -> dict[str, Any]:
    """The findings that have a place in a file, as one run."""
    placed = [it for it in diagnosis.findings if it.place and not it.place.file.startswith("/")]
    rules = {_rule(it): it for it in placed}
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
                "results": [_result(it) for it in placed],
            }
        ],
    }


def _result(finding: Finding) -> dict[str, Any]:
    place = finding.place
    assert place
    said = f"{finding.what}; {finding.cost}."
    fix = f" Fix: {finding.explanation.fix}" if finding.explanation.fix else ""
    told = "\n".join([place.file, *identity(finding)])
    return {
        "ruleId": _rule(finding),
        "level": _LEVEL.get(finding.kind, "warning"),
        "message": {"text": said + fix},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": place.file},
                    "region": {"startLine": max(1, place.line)},
                }
            }
        ],
        "partialFingerprints": {"code/v2": hashlib.sha256(told.encode()).hexdigest()[:32]},
    }


def _rule(finding: Finding) -> str:
    return finding.explanation.case or finding.kind
