"""`bisect`: between which two releases verdicts changed."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence

import click

from validators.bisect import Change, changes, to_ask
from validators.cli.decide.run import decide
from validators.cli.output import BisectOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.environment import describe
from validators.evidence.columns import column
from validators.repository import Repository
from validators.versions import public_version


@click.command("bisect")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--python", "pythons", multiple=True, metavar="P", help="An interpreter; repeatable.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Arms to run at a time.")
@click.option("--dry-run", is_flag=True, help="Run nothing; say what is known and what to ask.")
@click.option("--record", is_flag=True, help="Merge the verdicts into playbooks/evidence.")
@checkout_option
@json_option
def bisect_command(
    places: Places,
    names: tuple[str, ...],
    pythons: tuple[str, ...],
    jobs: int | None,
    dry_run: bool,
    record: bool,
    as_json: bool,
) -> int:
    """Find between which two releases the verdicts of cases changed on the CPU.

    Without names, it looks at all cases. It asks the release in the middle of those that lie
    between two different verdicts, all cases that ask for a release at once, until no release
    between them is left. `releases` in casebook.yaml lists the releases. An interpreter that
    --python does not name comes from tools/environment.sh, which installs the release.

    Exit status: 0 each change lies between two neighbouring releases, 1 some do not.

    For example: python -m validators bisect --dry-run
    """
    interpreters = _Interpreters(places, pythons)
    tried: set[tuple[str, str]] = set()
    while True:
        found = list(_known(places, names))
        asked = to_ask(found, tried)
        if dry_run or not asked:
            break
        for release, cases in asked.items():
            tried.update((release, case) for case in cases)
            if python := interpreters.of(release):
                # What is said of the runs is no part of the JSON.
                with contextlib.redirect_stdout(sys.stderr if as_json else sys.stdout):
                    _decide(places, python, cases, jobs, record)
    if as_json:
        print_json(BisectOutput(changes=found, to_ask=to_ask(found)))
    else:
        _tell(found)
    return 1 if any(change.untried for change in found) else 0


class _Interpreters:
    """Interpreters by the release of torch that they have."""

    def __init__(self, places: Places, pythons: Sequence[str]) -> None:
        self._maker = places.repository / "tools" / "environment.sh"
        self._known: dict[str, str] = {}
        for env in (describe(python, "cpu") for python in pythons):
            self._known[public_version(env.fingerprint.torch)] = env.python

    def of(self, release: str) -> str:
        """The interpreter of a release, which may be installed first; "" if there is none."""
        if release not in self._known:
            self._known[release] = self._made(release)
        return self._known[release]

    def _made(self, release: str) -> str:
        if not self._maker.is_file():
            click.echo(f"left out: torch {release}; name an interpreter with --python", err=True)
            return ""
        command = ["sh", str(self._maker), release]
        # It says itself why it makes none.
        return subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=False
        ).stdout.strip()


def _known(places: Places, names: Sequence[str]) -> Iterator[Change]:
    """The changes that the evidence of the repository and of this machine shows."""
    repository = Repository(places.catalog, [places.local])
    catalog = repository.catalog
    for case in map(catalog.find, names) if names else catalog.cases:
        states = {
            column(name).torch: "refuted" if state == "unexplained" else state
            for name, state in repository.states_of(case).items()
            if column(name).device == "cpu"
        }
        yield from changes(case.name, states, catalog.casebook.releases)


def _decide(
    places: Places, python: str, cases: Sequence[str], jobs: int | None, record: bool
) -> None:
    """Decide the cases in one interpreter; without witnesses, which another release had."""
    decide(
        places,
        pythons=(python,),
        device="cpu",
        record=record,
        junitxml=None,
        as_json=False,
        jobs=jobs,
        enforce_budget=None,
        only=tuple(cases),
        witnesses="none",
    )


def _tell(found: Sequence[Change]) -> None:
    for change in found:
        click.echo(f"{change.case}: {change.sentence}")
    exact = sum(not change.untried for change in found)
    click.echo(f"Changes: {len(found)}, of them between neighbouring releases: {exact}")
    for release, cases in to_ask(found).items():
        click.echo(f"To ask torch {release}: {', '.join(cases)}")
