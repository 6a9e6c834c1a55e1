"""Entries on disk: their names, and a write that is all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from docsite.import_log.blocks import FORM, Block, blocks
from docsite.import_log.entries import Entry, doubts, read_entry
from docsite.import_log.text import read_lines
from docsite.slugs import slug_of
from validators.errors import CasebookError, Problem, naming


@dataclass(frozen=True)
class Imported:
    """What an import writes, by file, and what is to be said of the log's lines."""

    log: Path
    folder: Path
    files: dict[Path, str]
    entries: int
    unplaced: int
    problems: list[Problem]

    def write(self, *, dry_run: bool = False) -> str:
        """Write the files, all or none; returns how many there are, and what to do next.

        Raises:
            CasebookError: there is nothing to write, or something in its place.
            OSError: the system will not write them.
        """
        if not self.entries:
            raise CasebookError(
                f"{self.log}: makes no entry; head each `{FORM}`, none over 256 KiB"
            )
        standing = [file.name for file in self.files if file.exists()]
        if standing:
            raise CasebookError(
                f"{self.folder}: holds {len(standing)} of the {len(self.files)} files that "
                f"{self.log.name} becomes, such as {standing[0]}; if that was imported before, "
                "nothing is left to do, otherwise name another folder to --out"
            )
        if not dry_run:
            _write(self.files)
        said = f"{'Would write' if dry_run else 'Wrote'} {_count(self.entries, 'entr', 'y', 'ies')}"
        if self.unplaced:
            rest = [*self.files][-1].name
            said += f", and {_count(self.unplaced, 'line', '', 's')} in no entry ({rest}),"
        return (
            f"{said} to {self.folder}; next, give the entries `cases` "
            "and run `python -m validators check`"
        )


def read_import(log: Path, folder: Path) -> Imported:
    """The entries of `log` as files of `folder`, and one file with the lines that are in none.

    Raises:
        CasebookError: the log is no file.
        OSError: the system will not read it.
    """
    if not log.is_file():
        raise CasebookError(f"{log}: is no file; name a log that is one Markdown file")
    lines, problems = read_lines(log, log.read_bytes())
    found, doubtful = blocks(log, lines)
    problems += doubtful
    entries, unplaced = list[Entry](), list[Block]()
    for block in found:
        why = block.why
        if block.date:
            entry, decided = read_entry(log, block, block.date)
            why = entry.misfit
        if why:
            unplaced.append(block)
            problems.append(_unplaced(log, block, why))
        else:
            entries.append(entry)
            problems += [*decided, *doubts(log, block)]
    files = {folder / f"{name}.md": entry.page for name, entry in _named(entries)}
    rest = [
        f"{it.number}: {it.text}" for block in unplaced for it in block.lines if it.text.strip()
    ]
    if rest:
        files[folder / f"{log.stem}.unplaced.txt"] = "\n".join(rest) + "\n"
    problems.sort(key=lambda it: it.line)
    return Imported(log, folder, files, len(entries), len(rest), problems)


def _write(files: dict[Path, str]) -> None:
    begun = []
    try:
        for path, text in files.items():
            with naming(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("x", encoding="utf-8", newline="") as file:
                    begun.append(path)
                    file.write(text)
    except BaseException:
        for path in begun:
            path.unlink(missing_ok=True)
        raise


def _count(number: int, stem: str, one: str, many: str) -> str:
    return f"{number} {stem}{one if number == 1 else many}"


def _unplaced(log: Path, block: Block, why: str) -> Problem:
    filled = [line.number for line in block.lines if line.text.strip()]
    return Problem(log, filled[0], f"is in no entry: {why}", filled[-1])


def _named(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Each entry with its name; the second of a name and what follows get a number."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    for entry in entries:
        base = name = f"{entry.date}-{slug_of(entry.title) or entry.type}"
        while name in taken:
            last[base] = last.get(base, 1) + 1
            name = f"{base}-{last[base]}"
        taken.add(name)
        yield name, entry
