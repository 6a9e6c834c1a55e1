"""Try on the target itself the settings that cases name as fixes, and torch as hints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from validators.diagnose.findings.finding import Finding, Health, Known
from validators.diagnose.fix.judging import COUNTED, better
from validators.diagnose.fix.verify import health_of
from validators.diagnose.target.asking import Asking
from validators.diagnose.target.spec import Spec
from validators.errors import CasebookError
from validators.inspector.values.distances import is_wrong

_SETTING = re.compile(
    r"`(?P<place>torch\.(?:_\w+\.|fx\.experimental\._)config)\.(?P<name>\w+) = (?P<value>[^`]+)`"
)
_KINDS = ("crash", "recompile_limit", "graph_break", "recompile")
_HIDING = re.compile("suppress_errors|limit")
"""Settings that hide trouble."""
_MOST = 3
"""So many settings are tried at most."""

Setting = tuple[str, str, Any]
Outcome = tuple[bool | None, str]


async def tried(
    asking: Asking,
    spec: Spec,
    shaping: dict[str, Any],
    counted: dict[str, Any],
    findings: list[Finding],
) -> list[Finding]:
    """The findings, with what the settings in their fixes or in torch's hints did to the target.

    `counted` is what the part `breaks` measured without them. What helps is explained; what runs
    and does not help is only suspected.
    """
    named = (it for hints in (False, True) for one in findings for it in _settings_of(one, hints))
    settings = list(dict.fromkeys(named))[:_MOST]
    before = health_of(counted)
    outcomes = {it: await _trial(asking, spec, shaping, before, it) for it in settings}
    return [_with_outcomes(finding, outcomes) for finding in findings]


def _settings_of(finding: Finding, hints: bool) -> Iterator[Setting]:
    """The settings that hide no trouble and that the fix of a finding names, or torch's hints."""
    if finding.kind not in _KINDS or finding.because:
        return
    text = f"{finding.explanation.fix}\n{finding.text if hints else ''}"
    for parts in _SETTING.finditer(text):
        if not _HIDING.search(parts["name"]):
            yield parts["place"], parts["name"], ast.literal_eval(parts["value"])


async def _trial(
    asking: Asking, spec: Spec, shaping: dict[str, Any], before: Health, setting: Setting
) -> Outcome:
    """Whether a setting helps, None if that is not decided, and what it does, in words."""
    more = {"shaping": {**shaping, "settings": [setting]}}
    options = {**asking.options, "backend": "aot_eager"}
    options.pop("mode", None)
    name = f"{setting[0]}.{setting[1]} = {setting[2]!r}"
    try:
        counted = await asking.ask(spec, "breaks", more=more)
        compared = await asking.ask(spec, "results", more={**more, "compile": options})
    except CasebookError:
        return None, ""
    if counted.failure or compared.failure:
        return None, ""
    after = health_of(counted.result)
    if raised := after.raised or (compared.result["raised"] or {}).get("type"):
        # What raises without the setting says nothing of it.
        said = "" if before.raised else f"tried {name}: a call raises {raised.partition(':')[0]}"
        return None, said
    if any(map(is_wrong, compared.result["differences"])):
        return None, f"tried {name}: results differ from eager's"
    helps = better(before, after)
    if not helps or any(getattr(after, count) > getattr(before, count) for count in COUNTED):
        return False, f"tried {name}: nothing compiles better"
    return True, f"tried {name}: {'; '.join(helps)}; results equal eager's"


def _with_outcomes(finding: Finding, of_settings: dict[Setting, Outcome]) -> Finding:
    settings = dict.fromkeys(_settings_of(finding, True))
    outcomes = {it: of_settings[it] for it in settings if it in of_settings}
    texts = [text for _, text in outcomes.values() if text]
    if not texts:
        return finding
    # What torch's hint does says nothing of a case that does not name it.
    proving = [outcomes[it][0] for it in _settings_of(finding, False) if it in outcomes]
    known: Known = finding.explanation.known
    if any(proving):
        known = "explained"
    elif proving and all(helps is False for helps in proving):
        known = "suspected"
    explanation = replace(finding.explanation, known=known)
    return replace(finding, explanation=explanation, tried=[*finding.tried, *texts])
