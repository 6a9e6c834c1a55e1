"""`holds` follows the verdicts: what it should say, and what writes it there."""

from __future__ import annotations

import re
from pathlib import Path

from validators.catalog import Case, Holds
from validators.errors import CasebookError
from validators.evidence import Record
from validators.evidence.expectation import agreeing_holds
from validators.evidence.status import applies, device_of, expects
from validators.repository import Repository

_FIELD = re.compile(r"^holds:.*\n(?:(?: |- ).*\n)*", re.MULTILINE)


def unexpected(case: Case, record: Record) -> bool:
    """Whether a program confirmed the claim where `holds` does not expect that."""
    ran = record.verdict == "confirmed" and device_of(record.column) != "compiled"
    return ran and applies(case, record.column) and not expects(case, record)


def suggestion(case: Case, repository: Repository) -> str:
    """What to write so that `holds` agrees with the evidence."""
    found = agreeing_holds(case, repository.current_records(case))
    if found is None:
        return "no ranges of releases agree with all records; correct `holds` or the proof"
    advice = f"write `{_written(found)}`" if found else "remove `holds`"
    return f"{advice}, or run `python -m validators check --fix`"


def fix_holds(repository: Repository) -> list[Path]:
    """Rewrite each `holds` that does not expect what a program confirmed; return the pages.

    A record that is not confirmed where `holds` expects it is a surprise, which people look at.

    Raises:
        CasebookError: a file of the evidence is damaged.
    """
    if repository.damaged:
        raise CasebookError(str(repository.damaged[0]))
    changed = []
    for case in repository.catalog.cases:
        records = [] if case.retired else repository.current_records(case)
        if any(unexpected(case, it) for it in records):
            found = agreeing_holds(case, records)
            if found is not None:
                text = _FIELD.sub(_block(found), case.page.read_text("utf-8"), count=1)
                case.page.write_bytes(text.encode())
                changed.append(case.page)
    return changed


def _block(holds: list[Holds]) -> str:
    """The field in a page's front matter; "" if it says nothing."""
    items = "".join(f"  - {{{_item(it)}}}\n" if it.device else f"  - {_item(it)}\n" for it in holds)
    return f"holds:\n{items}" if holds else ""


def _written(holds: list[Holds]) -> str:
    """The field on one line."""
    return f"holds: [{', '.join(f'{{{_item(it)}}}' for it in holds)}]"


def _item(item: Holds) -> str:
    fields = {"torch": f'"{item.torch}"' if item.torch else "", "device": item.device}
    return ", ".join(f"{name}: {value}" for name, value in fields.items() if value)
