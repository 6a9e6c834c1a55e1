"""A repository is read once, however many cases are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from validators.catalog import load_catalog
from validators.evidence import write_record
from validators.repository import Repository


class Counting(dict[Any, Any]):
    """Evidence that counts how often somebody goes through it."""

    walks = 0

    def __iter__(self) -> Iterator[Any]:
        """Go through it once more."""
        self.walks += 1
        return super().__iter__()


def test_the_states_of_all_cases_are_found_in_one_walk(
    tmp_path: Path, write_case: Callable[..., Path], make_record: Callable[..., Any]
) -> None:
    """One for each case would make the catalog's size count twice."""
    catalog = tmp_path / "playbooks" / "catalog"
    for name in ("one", "two", "three"):
        write_case(catalog, "graph_breaks", name)
        case = load_catalog(catalog).by_name[name]
        for torch in ("2.13.0", "2.15.0"):
            write_record(catalog.parent / "evidence", make_record(case, torch=torch))
    repository = Repository(catalog)
    evidence = Counting(repository.evidence)
    repository.__dict__["evidence"] = evidence
    columns = {"torch-2.13.0-cpu": "confirmed", "torch-2.15.0-cpu": "confirmed"}
    assert [repository.states_of(case) for case in repository.catalog.cases] == [columns] * 3
    assert evidence.walks == 1
