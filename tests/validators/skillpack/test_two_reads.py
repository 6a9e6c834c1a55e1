"""From a log line to the program before and after the fix, in two reads and few tokens."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.validators.skillpack.agent import Reading, phrases, read_by_line, read_by_words
from validators.catalog import Case
from validators.evidence.examples import SILENT
from validators.evidence.wording import lines_that_show
from validators.repository import Repository
from validators.skillpack.pack import Pack, load_pack

ROOT = Path(__file__).resolve().parents[3]
MOST_TOKENS = 1500


@cache
def ours() -> tuple[Repository, Pack]:
    """Our own repository and pack."""
    repository = Repository(ROOT / "playbooks" / "catalog")
    pack, _ = load_pack(repository.playbooks)
    assert pack
    return repository, pack


def held() -> list[tuple[str, Case]]:
    """Each skill with each case that it holds."""
    repository, pack = ours()
    return [(it.name, c) for it in pack.skills for c in pack.cases_of(it, repository.catalog)]


def printed(case: Case) -> list[str]:
    """The lines that the example printed on some release, if they have words, unlike `0/0:`."""
    lines = lines_that_show(case, ours()[0].examples.get(case.name))
    return [it for it in dict.fromkeys(lines) if it != SILENT and phrases(it)]


HELD = held()
PRINTING = [(skill, case) for skill, case in HELD if printed(case)]


def _readings(skill: str, case: Case) -> list[Reading]:
    folder = ROOT / "skills" / skill / "references"
    lines = printed(case)
    return [read_by_line(folder, it) for it in lines] or [read_by_words(folder, case.title)]


@pytest.mark.parametrize(("skill", "case"), HELD, ids=lambda it: getattr(it, "name", it))
def test_a_line_leads_to_before_and_after(skill: str, case: Case) -> None:
    """Each line that the example printed; for a case that prints none, the words of its title."""
    for reading in _readings(skill, case):
        section = reading.sections.get(case.name, "")
        assert section.startswith(f"## {case.name}\n"), reading.searched
        assert case.example
        assert case.example.before.code in section
        assert case.example.after.code in f"{section}\n"
        assert case.fix in section
        assert reading.cost(case.name) <= MOST_TOKENS


def test_most_cases_print() -> None:
    """Else there would be little to simulate."""
    assert len({case.name for _, case in PRINTING}) > 250
    assert len(HELD) > 450
