"""When an audit contradicts a report, and when it may."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

from validators.probes import Report, audit_agrees
from validators.probes.report import Caught, GraphBreak

BREAK = GraphBreak("GB7000", "GB0170", "graph break in loop", "why", "arm.py", 3, True)
QUIET = Report(observation=0)
BROKEN = dataclasses.replace(QUIET, graph_breaks=(BREAK,))
CAUGHT = Caught("ValueError", "no", 0)


def _audit(broke: bool, id: str = "", exception: str = "") -> list[dict[str, Any]]:
    return [{"broke": broke, "id": id, "exception": exception, "calls": 1}]


@pytest.mark.parametrize(
    ("report", "audit"),
    [
        (QUIET, _audit(False)),
        (BROKEN, _audit(True, "GB0170")),
        (BROKEN, _audit(True, "GB7000")),
        (BROKEN, _audit(True)),
        (BROKEN, _audit(False, exception="ValueError")),
        (dataclasses.replace(QUIET, exception=CAUGHT), _audit(True, "GB0170")),
        (dataclasses.replace(QUIET, recompile_limit_hit=True), _audit(True, "GB0039")),
        (Report(), []),
    ],
)
def test_agreement(report: Report, audit: list[dict[str, Any]]) -> None:
    """The same first break, none in both, or a legitimate exception: no sentence."""
    assert audit_agrees(report.to_json(), audit) is None


@pytest.mark.parametrize(
    ("report", "audit", "said"),
    [
        (QUIET, _audit(True, "GB0170"), "met graph break GB0170; the report holds none"),
        (QUIET, _audit(True), "met graph break without id; the report holds none"),
        (QUIET, _audit(True, "GB0039"), "met graph break GB0039"),
        (BROKEN, _audit(False), "holds graph break GB7000 after GB0170; the audit met none"),
        (BROKEN, _audit(True, "GB0124"), "met graph break GB0124 first"),
        (QUIET, [], "made 0 observations and the report is number 0"),
    ],
)
def test_disagreement(report: Report, audit: list[dict[str, Any]], said: str) -> None:
    """Any other difference is told in one sentence."""
    sentence = audit_agrees(report.to_json(), audit)
    assert sentence is not None
    assert said in sentence


def test_a_break_of_the_backend_is_not_audited() -> None:
    """The audit replaces backends, so it cannot meet what a backend refuses."""
    refused = dataclasses.replace(BREAK, type="Backend compiler exception")
    report = dataclasses.replace(QUIET, graph_breaks=(refused,))
    assert audit_agrees(report.to_json(), _audit(False)) is None


def test_the_package_imports_no_torch() -> None:
    """The runner reads reports and audits in a process without torch."""
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from validators.probes import Report, audit_agrees, audits, set_audit\n"
        "import validators.probes.report, validators.probes.audit, validators.probes.breaks\n"
        "loaded = [m for m in sys.modules if m.startswith('validators.probes.')]\n"
        "print(sorted(loaded))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "observation" not in done.stdout


def test_a_probe_loads_only_what_it_uses() -> None:
    """An observation brings neither the CUDA, training, dispatch nor fact probes with it."""
    code = (
        "import sys, torch\n"
        "from validators.probes import observe\n"
        "observe(lambda x: x + 1, [(torch.ones(2),)])\n"
        "print(*sorted(m for m in sys.modules if m.startswith('validators.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert (
        modules & {"cuda", "training", "dispatch", "timing", "facts", "kernels", "differences"}
        == set()
    )
    assert {"observation", "backend", "trace", "witness"} <= modules


def test_every_public_name_exists() -> None:
    """Each lazily exported name can be imported, and no other."""
    import validators.probes as probes

    for name in probes.__all__:
        assert getattr(probes, name) is not None
    assert callable(probes.observe)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = probes.nothing
