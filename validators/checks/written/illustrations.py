"""Checks of illustrations: their examples stand alone, and print the families that pages name."""

from __future__ import annotations

from collections.abc import Iterator

from validators.catalog.page import InvalidPage
from validators.checks.written.examples import RUN, check_example
from validators.checks.written.words import check_words
from validators.errors import CasebookError, Problem
from validators.families import Illustration, Vocabulary, not_printed, vocabulary_of
from validators.families.illustrations import FOLDER, GUARDS, UNREACHABLE
from validators.repository import Repository


def check_illustrations(repository: Repository) -> Iterator[Problem]:
    """Defects of all illustrations, and of the list of what no program prints."""
    if not (repository.playbooks / FOLDER).exists():
        return
    try:
        vocabulary = vocabulary_of(repository)
    except InvalidPage as error:
        yield from error.problems
        return
    except CasebookError:
        return  # told by the check of graph breaks
    yield from vocabulary.defects
    for page in vocabulary.illustrations:
        yield from check_words(page)
        yield from check_example(page)
        yield from _own(page, repository)
    yield from _unreachable(repository, vocabulary)
    yield from _guards(repository, vocabulary)


def _own(page: Illustration, repository: Repository) -> Iterator[Problem]:
    if page.name in repository.names:
        yield Problem(page.page, 0, f"{page.name!r} names a case already; choose another name")
    if page.example is None:
        message = "has no example; write a block titled `before` and one titled `after`"
        yield Problem(page.page, page.body_line, message)
        return
    runs = repository.examples.get(page.name)
    for column, run in runs.columns.items() if runs else ():
        if run.verdict not in ("confirmed", "refuted"):
            yield Problem(page.page, 0, f"{column}: {run.verdict}: {run.reason}; mend the example")
    for key in not_printed(page, runs):
        message = f"its example prints {key} on no release; run it with `{RUN}`, or name another"
        yield Problem(page.page, 0, message)


def _unreachable(repository: Repository, vocabulary: Vocabulary) -> Iterator[Problem]:
    path = repository.playbooks / FOLDER / UNREACHABLE
    by_key = {it.key: it for it in vocabulary.families}
    for key in vocabulary.unreachable:
        family = by_key.get(key)
        if family is None:
            yield Problem(path, 0, f"{key} is not the key of a family; delete the line")
        elif any(it.how in ("declared", "illustrated") for it in vocabulary.causes_of(family)):
            yield Problem(path, 0, f"{key} is printed by a program of ours; delete the line")


def _guards(repository: Repository, vocabulary: Vocabulary) -> Iterator[Problem]:
    known = {it.key for it in vocabulary.families if it.kind == "guard"}
    for key in sorted(vocabulary.guards.keys() ^ known if vocabulary.guards else ()):
        told = "is no guard; delete the line" if key not in known else "has no sentence; write one"
        yield Problem(repository.playbooks / GUARDS, 0, f"{key} {told}")
