"""All checks, in one pass over the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Catalog, load_catalog
from validators.catalog.gpu_order import load_gpu_order, unfit_for_gpu
from validators.catalog.logs import load_logs, unknown_cases
from validators.catalog.sources import load_sources, unfit_deciders
from validators.checks.costs import check_costs
from validators.checks.evidence import check_evidence, read_folder
from validators.checks.logs import check_logs
from validators.checks.pages import check_page
from validators.checks.proofs import check_proof
from validators.checks.prose import check_prose, read_prose
from validators.checks.skills import check_skills
from validators.errors import Problem


@dataclass(frozen=True)
class Checked:
    """How much was read, by kind, and every problem found, by file and line."""

    checked: dict[str, int]
    problems: list[Problem]


def check_all(repository: Path, catalog_root: Path, evidence_folder: Path) -> Checked:
    """Check the catalog, its evidence, and the prose, logs, sources and skills of `repository`.

    Raises:
        CasebookError: `catalog_root` is not a folder.
    """
    catalog = load_catalog(catalog_root)
    # A page that could not be read is a case all the same: one defect, one problem.
    names = {page.stem for page in catalog_root.glob("*/*.md")}
    known = names | catalog.by_alias.keys()
    files = read_folder(evidence_folder)
    evidence = {(r.case, r.column): r for file in files for _, r in file.records}
    prose = read_prose(repository, catalog)
    logs, log_problems = load_logs(repository / "playbooks" / "logs")
    sources, source_problems = load_sources(repository / "playbooks" / "sources")
    order, order_problems = load_gpu_order(repository / "playbooks")
    skills, skill_problems = check_skills(repository)
    problems = [
        *catalog.problems_beside(logs),
        *_of_cases(catalog, names),
        *check_costs(catalog.cases),
        *check_evidence(files, catalog, names),
        *(problem for page in prose for problem in check_prose(page, known, evidence)),
        *log_problems,
        *(problem for entry in logs for problem in unknown_cases(entry, known)),
        *check_logs(logs, catalog, evidence),
        *source_problems,
        *(p for source in sources for p in unfit_deciders(source, catalog.by_any_name, names)),
        *order_problems,
        *unfit_for_gpu(order, catalog.by_name, names),
        *skill_problems,
    ]
    return Checked(
        checked={
            "cases": len(catalog.cases),
            "records": sum(len(file.records) for file in files),
            "pages of prose": len(prose),
            "log entries": len(logs),
            "source claims": sum(len(source.fields.entries) for source in sources),
            "skills": skills,
        },
        problems=sorted(set(problems), key=lambda p: (p.path, p.line, p.message)),
    )


def _of_cases(catalog: Catalog, names: set[str]) -> Iterator[Problem]:
    yield from _others(catalog.root)
    for case in catalog.cases:
        yield from check_page(case, names)
        yield from check_proof(case)


def _others(root: Path) -> Iterator[Problem]:
    """Files of the catalog that a proof could read and that nobody would notice the edit of."""
    for path in sorted(root.rglob("*")):
        hidden = any(p.startswith((".", "__pycache__")) for p in path.relative_to(root).parts)
        if path.suffix not in (".md", ".py") and not hidden and not path.is_dir():
            message = "is neither a page nor a proof and in no digest; put data into the proof"
            yield Problem(path, 0, message)
