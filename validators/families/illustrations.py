"""Illustrations: pages whose two programs show what prints a family, and what to write instead.

An illustration, `playbooks/illustrations/NAME.md`, has no proof. Its example decides it, on each
release by itself: the first program prints one of its families, and the second prints none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from validators.catalog.case import Case
from validators.catalog.example import without_example
from validators.catalog.frontmatter import DEFAULT_LOGS, ExampleOn, FrontMatter, Text
from validators.catalog.page import InvalidPage, line_of, load_yaml, parse_fields, split_page
from validators.errors import Problem
from validators.evidence.stored.examples import CaseExamples, bare
from validators.families.family import Family, Kind, in_order
from validators.families.lines import FamilyLines
from validators.families.stored import load_families
from validators.files import read_file
from validators.repository import Repository

FOLDER = "illustrations"
UNREACHABLE = "unreachable.yaml"
GUARDS = "guards.yaml"
_MOST_REASONS = 256 * 1024
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ONLY_THERE = "No other release prints it."


class Fields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of an illustration.

    `prints` are keys of families of one `kind`. `summary` says in one sentence what prints them,
    `fix` what to write instead. `torch` says for which releases the example is; without it, for
    the first release that prints one of them, and later ones. The other fields are those of a case.
    """

    prints: Annotated[list[Text], Meta(min_length=1)]
    kind: Kind = "graph_break"
    summary: Text
    fix: Text
    torch: str = ""
    needs: list[str] = []
    torch_logs: str = DEFAULT_LOGS
    fresh: bool = False
    uncompiled: str = ""
    sides_differ: str = ""
    sources: list[Text] = []


@dataclass(frozen=True)
class Illustration(Case):
    """A page that its example decides; the line of a family that it names shows the trouble."""

    families: tuple[Family, ...] = ()

    @property
    def text(self) -> str:
        """The page above its example."""
        return without_example(self.body)


def load_illustrations(
    playbooks: Path, families: Iterable[Family]
) -> tuple[list[Illustration], list[Problem]]:
    """The readable illustrations beside a catalog, and the defects of the others."""
    known = {(it.kind, it.key): it for it in families}
    found, problems = [], []
    for page in sorted((playbooks / FOLDER).glob("*.md")):
        try:
            found.append(_read(page, known))
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(page, 0, f"cannot be read ({error.strerror}); fix the file"))
    return found, problems


def exampled(repository: Repository) -> dict[str, Case]:
    """The pages whose examples run, by name: the cases, and the illustrations.

    Raises:
        CasebookError: a file of families is damaged.
    """
    playbooks = repository.playbooks
    there = (playbooks / FOLDER).exists()
    pages, _ = load_illustrations(playbooks, load_families(playbooks) if there else ())
    return repository.catalog.by_name | {it.name: it for it in pages}


def _read(page: Path, known: Mapping[tuple[Kind, str], Family]) -> Illustration:
    source, body, body_line = split_page(page)
    fields = parse_fields(page, source, Fields)
    if not _NAME.fullmatch(page.stem):
        message = f"{page.stem!r} is no name of a page; use lower case, digits and _"
        raise InvalidPage([Problem(page, 0, message)])
    if unknown := [it for it in fields.prints if (fields.kind, it) not in known]:
        message = f"`prints`: no recorded release has {unknown[0]}; `families {fields.kind}` lists"
        raise InvalidPage([Problem(page, line_of(source, "prints"), f"{message} what they have")])
    named = tuple(known[fields.kind, it] for it in fields.prints)
    meta = FrontMatter(
        claim=fields.summary,
        summary=fields.summary,
        fix=fields.fix,
        kind="limitation",
        severity="low",
        devices=["cpu"],
        needs=fields.needs,
        fresh=fields.fresh,
        uncompiled=fields.uncompiled,
        sides_differ=fields.sides_differ,
        torch_logs=fields.torch_logs,
        example_on=ExampleOn(_ONLY_THERE, fields.torch or _since(named)),
        signatures=[pattern for family in named for pattern in family.patterns],
        sources=fields.sources,
    )
    return Illustration(page.stem, FOLDER, page, page, meta, body, body_line, named)


def _since(families: Iterable[Family]) -> str:
    """The first release that prints one of the families, and all later ones."""
    releases = in_order(it for family in families for it in family.releases or family.listed)
    return f">={releases[0]}"


def not_printed(page: Illustration, runs: CaseExamples | None) -> list[str]:
    """The families that a page names and its first program prints on no release, by key."""
    printed = set[str]()
    lines = FamilyLines(page.families)
    for run in runs.columns.values() if runs else ():
        if runs and run.verdict == "confirmed":
            text = runs.printed.get(run.before, "")
            printed |= set(_printed(text, page.families, lines))
    return [it.key for it in page.families if it.key not in printed]


def _printed(text: str, families: Iterable[Family], lines: FamilyLines) -> Iterator[str]:
    """The keys of the families in a text; a graph break counts by the address that torch prints.

    Several ids have the same words.
    """
    for family in families:
        if family.kind == "graph_break" and f"/{family.key.lower()}.html" in text:
            yield family.key
    for line in text.split("\n"):
        yield from (it.key for it in lines.of(bare(line)) if it.kind != "graph_break")


def load_unreachable(playbooks: Path) -> dict[str, str]:
    """Why no program of a user prints a family, by its key; nothing if nobody wrote it.

    Raises:
        InvalidPage: the file is not a mapping of ids to sentences.
    """
    return _sentences(playbooks / FOLDER / UNREACHABLE)


def load_guards(playbooks: Path) -> dict[str, str]:
    """What each guard means when it fails, by the key of its family; nothing if nobody wrote it.

    Raises:
        InvalidPage: the file is not a mapping of keys to sentences.
    """
    return _sentences(playbooks / GUARDS)


def _sentences(path: Path) -> dict[str, str]:
    try:
        text = read_file(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return {}
    data = load_yaml(path, text, _MOST_REASONS)
    if not isinstance(data, dict) or not all(isinstance(it, str) for it in data.values()):
        raise InvalidPage([Problem(path, 1, "is not a mapping; write `GB0001: why`")])
    return {str(key): reason for key, reason in data.items()}
