"""Which records are current: made by the cases as they are now."""

from __future__ import annotations

from pathlib import Path

from validators.catalog import Case
from validators.environment.column_name import by_release
from validators.evidence.digests.digest import digest_of, judge_of
from validators.evidence.digests.program import Program
from validators.evidence.stored.record import Record
from validators.evidence.stored.store import Evidence


class Freshness:
    """Tells which records of a catalog's cases are current; it looks at each file once."""

    def __init__(self, catalog_root: Path) -> None:
        self._root = catalog_root
        self._programs: dict[str, Program] = {}
        self._digests: dict[tuple[str, tuple[str, ...]], str] = {}
        self._judges: dict[str, str] = {}

    def is_current(self, case: Case, record: Record) -> bool:
        """Whether the case runs and judges what it did when `record` was made."""
        return self.ran_alike(case, record) and self._judge(case) == record.judge

    def ran_alike(self, case: Case, record: Record) -> bool:
        """Whether the case and every module that its arms loaded still do what they did."""
        # The columns of a case mostly ran the same code.
        key = case.name, record.modules
        if key not in self._digests:
            self._digests[key] = digest_of(case, record.modules, self._root, self._programs)
        return self._digests[key] == record.digest

    def _judge(self, case: Case) -> str:
        if case.name not in self._judges:
            self._judges[case.name] = judge_of(case)
        return self._judges[case.name]


def overlaid(
    committed: Evidence, local: Evidence, cases: dict[str, Case], freshness: Freshness
) -> Evidence:
    """Both folders' records; where both have a case and column, the current one, else the local.

    They are sorted by case and release, as each folder's records are.
    """
    if not committed or not local:
        return committed or local
    both = committed | local
    found = {key: both[key] for key in sorted(both, key=_case_and_release)}
    for key in committed.keys() & local.keys():
        case, one, other = cases.get(key[0]), committed[key], local[key]
        if case and freshness.is_current(case, one) and not freshness.is_current(case, other):
            found[key] = one
    return found


def _case_and_release(key: tuple[str, str]) -> tuple[object, ...]:
    return key[0], by_release(key[1])
