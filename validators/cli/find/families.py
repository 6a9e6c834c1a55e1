"""`families`: what the compiler can say, on which release, and which cases are causes of it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from validators.cli.places import Places, catalog_option, json_option
from validators.environment.column_name import span
from validators.errors import CasebookError, printable
from validators.families import (
    GRAPH_BREAK,
    KINDS,
    Family,
    How,
    Vocabulary,
    vocabulary_of,
)
from validators.families.results import (
    CauseOutput,
    FamiliesOutput,
    FamilyOutput,
    KindOutput,
    RecordedOutput,
)
from validators.files import IN_A_CHECKOUT
from validators.repository import Repository

_NAMES_SHOWN, _NEW_SHOWN = 3, 12
_TITLE, _LINE = 70, 200
_HOW: dict[How, str] = {
    "declared": "its page names this graph break",
    "shown": "such a line shows it",
    "printed": "such lines come with it, and the fix takes them away",
    "signature": "a signature of its page fits such lines",
    "illustrated": "a page shows what prints it",
}
_OTHERS = "Your cause may not be among them: these are the causes that the catalog knows."
_NONE = "No case is about it: the catalog does not know what causes it."
_RECORD = f"`{IN_A_CHECKOUT} families --python P --record`"


@dataclass(frozen=True)
class _Filter:
    """Which families are listed."""

    uncovered: bool
    release: str
    words: list[str]

    @property
    def chooses(self) -> bool:
        return bool(self.uncovered or self.release or self.words)

    def of(self, families: Iterable[Family], vocabulary: Vocabulary) -> Iterator[Family]:
        release = _recorded(self.release, vocabulary.releases)
        for it in families:
            if self.uncovered and vocabulary.causes_of(it):
                continue
            if release and release not in it.releases:
                continue
            if all(word in _texts(it) for word in self.words):
                yield it


def _recorded(release: str, releases: tuple[str, ...]) -> str:
    """The recorded release that is meant: 2.13 is 2.13.0."""
    found = [it for it in releases if it == release or it.startswith(f"{release}.")]
    if release and not found:
        message = f"--torch: {release} is not recorded ({', '.join(releases) or 'none'} are)"
        raise CasebookError(f"{message}; record it with {_RECORD}")
    return found[0] if release else ""


@click.command("families")
@click.argument("what", metavar="[KIND|KEY]", default="")
@click.option("--uncovered", is_flag=True, help="Only families without a case.")
@click.option("--torch", "release", metavar="R", default="", help="Only what this release prints.")
@click.option("--grep", metavar="WORDS", default="", help="Only families that hold all the words.")
@click.option(
    "--python", "pythons", multiple=True, metavar="P", help="Read this interpreter's torch."
)
@click.option("--record", is_flag=True, help="Record what these interpreters' torch can say.")
@catalog_option
@json_option
def families_command(
    places: Places,
    what: str,
    uncovered: bool,
    release: str,
    grep: str,
    pythons: tuple[str, ...],
    record: bool,
    as_json: bool,
) -> int:
    """List all that the compiler can say, and the cases that cause it; KEY shows one of them.

    KIND is graph_break, cudagraph_skip, guard, exception or warning. KEY is the id of a graph
    break, such as GB0156, or another key of the list.

    --python compares a release with what is recorded, and --record replaces what is recorded of it.
    Both read torch's files and import nothing.

    For example: python -m validators families GB0156
    """
    if record and not pythons:
        raise CasebookError("--record: names no release; add --python P")
    if record:
        places.require_checkout("families --record")
    repository = Repository(places.catalog, [places.local])
    read = [it for python in pythons for it in _read(repository, python, record)]
    vocabulary = vocabulary_of(repository)
    wanted = _Filter(uncovered, release, grep.lower().split())
    output = _output(what, wanted, vocabulary, read)
    if as_json:
        from validators.cli.output import print_json

        print_json(output)
    elif what and what not in KINDS:
        _print_each(output, vocabulary)
    elif read:
        _print_read(read)
    else:
        _print_list(output, vocabulary, rows=bool(what or wanted.chooses))
    return 0


def _read(repository: Repository, python: str, record: bool) -> list[RecordedOutput]:
    # Reading torch needs modules that showing does not.
    from validators.families.recording import read
    from validators.families.torch_source.installed import release_of

    found = read(repository.playbooks, release_of(python), record=record)
    return [RecordedOutput.of(it) for it in found]


def _output(
    what: str, wanted: _Filter, vocabulary: Vocabulary, read: list[RecordedOutput]
) -> FamiliesOutput:
    families = list(wanted.of(_chosen(what, vocabulary), vocabulary))
    return FamiliesOutput(
        releases=vocabulary.releases,
        kinds=KindOutput.of_all(families, vocabulary),
        families=[FamilyOutput.of(it, vocabulary) for it in families],
        read=read,
    )


def _chosen(what: str, vocabulary: Vocabulary) -> list[Family]:
    """The families of a kind, those with a key, or all."""
    if not what:
        return list(vocabulary.families)
    if what in KINDS:
        return [it for it in vocabulary.families if it.kind == what]
    key = f"GB{what[-4:]}" if re.fullmatch(r"(?i:gb)?[0-9]{4}", what) else what
    found = [it for it in vocabulary.families if it.key.lower() == key.lower()]
    if not found:
        raise CasebookError(_unknown(key, vocabulary))
    return found


def _unknown(key: str, vocabulary: Vocabulary) -> str:
    if not vocabulary.families:
        return f"{key}: no release is recorded; run {_RECORD}"
    if re.fullmatch(r"GB[0-9]{4}", key):
        page = GRAPH_BREAK.format(key.lower())
        recorded = f"{vocabulary.releases[0]} to {vocabulary.releases[-1]}"
        return f"{key}: no recorded release ({recorded}) has this id; torch's page may: {page}"
    keys = [it.key for it in vocabulary.families]
    near = difflib.get_close_matches(key, [*KINDS, *keys], 3)
    meant = f"did you mean {', '.join(near)}?" if near else "list them with `families KIND`"
    return f"{key}: is neither a kind nor a key; {meant}"


def _texts(family: Family) -> str:
    """Everything that `--grep` searches, in lower case."""
    said = (f"{it.format} {it.explanation} {' '.join(it.hints)}" for it in family.said)
    return f"{family.key} {family.title} {' '.join(said)}".lower()


def _print_list(output: FamiliesOutput, vocabulary: Vocabulary, rows: bool) -> None:
    from validators.cli.tables import print_table

    if not vocabulary.families:
        click.echo(f"No release is recorded; run {_RECORD}")
        return
    if rows:
        table = (
            (it.key, _short(it.title), _releases(it, vocabulary), _names(it))
            for it in output.families
        )
        print_table(("family", "what torch says", "torch", "cases"), table)
    totals = [
        (it.kind, str(it.families), str(it.covered), *(str(it.printed[r]) for r in output.releases))
        for it in output.kinds
        if it.families
    ]
    print_table(("kind", "families", "with a case", *output.releases), totals)
    if not rows:
        breaks = output.kinds[KINDS.index("graph_break")]
        _print_without_ids(it for it in output.releases if not breaks.printed[it])
        click.echo(f"`families KIND` lists those of a kind ({', '.join(KINDS)}).")
    elif not output.families:
        click.echo("No family fits.")


def _short(text: str) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= _TITLE else text[: _TITLE - 1] + "…"


def _releases(it: FamilyOutput, vocabulary: Vocabulary) -> str:
    if it.releases:
        return span(it.releases, vocabulary.releases)
    return f"none; listed by {span(it.listed, vocabulary.releases)}"


def _names(it: FamilyOutput) -> str:
    names = [cause.case for cause in it.causes]
    more = f" +{len(names) - _NAMES_SHOWN}" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _print_read(read: list[RecordedOutput]) -> None:
    for it in read:
        click.echo(f"torch {it.release}: {it.families} {it.kind}; {len(it.new)} new")
        shown = ", ".join(it.new[:_NEW_SHOWN])
        if shown:
            click.echo(f"  new: {shown}{', …' if len(it.new) > _NEW_SHOWN else ''}")
        if it.gone:
            click.echo(f"  gone: {', '.join(it.gone)}")
    _print_without_ids(it.release for it in read if it.kind == "graph_break" and not it.families)


def _print_without_ids(releases: Iterable[str]) -> None:
    if named := ", ".join(releases):
        click.echo(f"torch {named} has no registry of graph breaks, so its breaks have no ids.")


def _print_each(output: FamiliesOutput, vocabulary: Vocabulary) -> None:
    for it in output.families:
        click.echo(f"{it.key} ({it.kind}): {printable(it.title)}")
        click.echo(f"torch {_releases(it, vocabulary)}")
        for line in _notes(it, vocabulary):
            click.echo(printable(line))
        _print_said(it, vocabulary)
        click.echo(f"\n{_OTHERS if it.causes else _NONE}")
        if it.page:
            click.echo(f"Torch's own page: {it.page}")
        for number, cause in enumerate(it.causes, 1):
            _print_cause(number, cause, vocabulary)


def _notes(it: FamilyOutput, vocabulary: Vocabulary) -> Iterator[str]:
    if it.listed and it.releases:
        yield f"listed but not printed by {span(it.listed, vocabulary.releases)}"
    if it.same:
        yield f"the same message: {', '.join(it.same)}"
    for key, releases in it.moved.items():
        yield f"at the same place torch {span(releases, vocabulary.releases)} prints {key}"


def _print_said(it: FamilyOutput, vocabulary: Vocabulary) -> None:
    for said in it.said:
        if not (said.format or said.explanation):
            continue  # an exception class without a docstring
        where = span((*said.on, *said.listed), vocabulary.releases)
        click.echo(f"\nIn torch's words ({'; '.join(filter(None, [where, *said.files]))}):")
        for line in said.format.split("\n") if said.format else ():
            click.echo(f"  {printable(line)}")
        beside = [("Explanation", said.explanation), ("Context", said.context)]
        for label, text in (*beside, *(("Hint", hint) for hint in said.hints)):
            if text:
                click.echo(f"    {label}: {printable(' '.join(text.split()))}")


def _print_cause(number: int, cause: CauseOutput, vocabulary: Vocabulary) -> None:
    click.echo(f"\n{number}. {cause.case}: {printable(cause.title)}")
    if cause.fix:
        click.echo(f"   fix: {printable(cause.fix)}")
    releases = span(cause.releases, vocabulary.releases)
    where = f"its example printed it on torch {releases}" if releases else "no example printed it"
    click.echo(f"   {_HOW[cause.how]}; {where}")
    for line in cause.lines:
        click.echo(f"   prints: {printable(line)[:_LINE]}")
    for label, patterns in (("line", cause.signatures), ("your code", cause.code)):
        for pattern in patterns:
            click.echo(f"   {label} fits: {printable(pattern)}")
