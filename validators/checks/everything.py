"""All checks, in one pass over the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Catalog
from validators.checks.changelog import check_changelog
from validators.checks.families import check_general_classes, check_graph_breaks
from validators.checks.recorded.evidence import check_evidence
from validators.checks.recorded.models import check_models
from validators.checks.recorded.plain_programs import check_plain_programs
from validators.checks.recorded.silent import check_silent_errors
from validators.checks.recorded.soaks import check_soaks
from validators.checks.skills import check_skills
from validators.checks.tasks import check_tasks
from validators.checks.written.bounds import check_bounds
from validators.checks.written.costs import check_costs
from validators.checks.written.examples import check_example, check_example_runs
from validators.checks.written.exemptions import check_exemptions
from validators.checks.written.illustrations import check_illustrations
from validators.checks.written.logs import check_logs
from validators.checks.written.pages import check_page
from validators.checks.written.plain import check_plain
from validators.checks.written.proofs import check_proof
from validators.checks.written.prose import check_prose
from validators.checks.written.titles import check_titles
from validators.checks.written.words import check_words
from validators.errors import Problem
from validators.repository import Repository
from validators.skillpack.check import check_pack


@dataclass(frozen=True)
class Checked:
    """How much was read, by kind, and every problem found, by file and line."""

    checked: dict[str, int]
    problems: list[Problem]


def check_all(repository: Repository) -> Checked:
    """Check everything that can be read of `repository`.

    Raises:
        CasebookError: its catalog is not a folder.
    """
    catalog, evidence = repository.catalog, repository.evidence
    skills, skill_problems = check_skills(repository.root)
    tasks, task_problems = check_tasks(repository.root)
    problems = [
        *repository.problems,
        *_of_cases(catalog, repository.names),
        *check_costs(catalog.cases),
        *check_evidence(repository),
        *check_titles(repository),
        *check_bounds(repository),
        *check_exemptions(repository),
        *check_graph_breaks(repository),
        *check_general_classes(catalog.cases),
        *check_illustrations(repository),
        *check_example_runs(repository),
        *check_soaks(repository),
        *check_models(repository),
        *check_plain_programs(repository),
        *check_silent_errors(repository),
        *_of_prose(repository),
        *check_logs(repository.logs, catalog, evidence),
        *skill_problems,
        *check_pack(repository),
        *check_changelog(repository.root),
        *task_problems,
    ]
    return Checked(
        checked={
            "cases": len(catalog.cases),
            "records": len(evidence),
            "pages of prose": len(repository.prose),
            "log entries": len(repository.logs),
            "source claims": sum(len(it.fields.entries) for it in repository.sources),
            "skills": skills,
            "evaluation tasks": tasks,
        },
        problems=in_order(problems),
    )


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems by file and line, each once."""
    return sorted(set(problems), key=lambda problem: (problem.path, problem.line, problem.message))


def _of_prose(repository: Repository) -> Iterator[Problem]:
    told = {problem.path for problem in repository.problems}
    for page in repository.prose:
        if not page.problem:
            yield from check_prose(page, repository)
            yield from check_plain(page)
        elif page.path not in told:
            yield Problem(page.path, 0, page.problem)


def _of_cases(catalog: Catalog, names: Set[str]) -> Iterator[Problem]:
    yield from _others(catalog.root)
    for case in catalog.cases:
        yield from check_page(case, names)
        yield from check_words(case)
        yield from check_example(case)
        yield from check_proof(case)


def _others(root: Path) -> Iterator[Problem]:
    """Other files of the catalog, which a proof could read although no digest covers them."""
    for path in sorted(root.rglob("*")):
        hidden = any(p.startswith((".", "__pycache__")) for p in path.relative_to(root).parts)
        if path.suffix not in (".md", ".py") and not hidden and not path.is_dir():
            message = (
                "is neither a page nor a proof, so no digest covers it; put data into the proof"
            )
            yield Problem(path, 0, message)
