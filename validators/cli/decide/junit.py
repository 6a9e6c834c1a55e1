"""JUnit XML of a run, for CI services."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from validators.cli.output import ResultOutput
from validators.environment.column_name import by_release

_CONTROL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(file: Path, results: list[ResultOutput]) -> None:
    """Write one `testsuite` per column: a disagreeing verdict is a failure, a broken arm an error.

    An unstable verdict counts as skipped, since it decides nothing.
    """
    root = ET.Element("testsuites")
    for column in sorted({result.column for result in results}, key=by_release):
        mine = [result for result in results if result.column == column]
        suite = ET.SubElement(
            root,
            "testsuite",
            name=column,
            tests=str(len(mine)),
            failures=str(sum(r.agreement == "disagrees" for r in mine)),
            errors=str(sum(r.agreement == "broke" for r in mine)),
            skipped=str(sum(_undecided(r) for r in mine)),
        )
        for result in mine:
            _add(suite, result)
    ET.indent(root)
    ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _undecided(result: ResultOutput) -> bool:
    return result.verdict == "skipped" or result.agreement == "unstable"


def _add(suite: ET.Element, result: ResultOutput) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=result.column, name=result.case, time=f"{result.seconds:.3f}"
    )
    message = _CONTROL.sub("", f"{result.verdict}: {result.difference or result.reason}")
    if result.agreement == "broke":
        ET.SubElement(case, "error", message=message).text = _CONTROL.sub("", result.output)
    elif result.agreement == "disagrees":
        ET.SubElement(case, "failure", message=message)
    elif _undecided(result):
        ET.SubElement(case, "skipped", message=message)
