"""Splitting a log in one Markdown file into files of the experiment log, without losing text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog.page import CONTROL
from validators.errors import CasebookError, Problem, naming
from validators.logbook.entries import slug_of
from validators.logbook.log_file import FORM, Block, Entry, read_blocks, read_entry

# YAML refuses two characters more than a page does.
_UNFIT = re.compile(f"{CONTROL.pattern}|[\ufffe\uffff]")


@dataclass(frozen=True)
class Imported:
    """What an import writes, by file, and the problems of the log's lines."""

    log: Path
    folder: Path
    files: dict[Path, str]
    entries: int
    unplaced: int
    problems: list[Problem]

    def write(self, *, dry_run: bool = False) -> str:
        """Write all files or none; return a sentence on how many there are and what to do next.

        Raises:
            CasebookError: there is nothing to write, or a file exists already.
            OSError: a file cannot be written.
        """
        if not self.entries:
            raise CasebookError(
                f"{self.log}: holds no entry that fits a page; begin one with `{FORM}`"
            )
        existing = [file.name for file in self.files if file.exists()]
        if existing:
            raise CasebookError(
                f"{self.folder}: holds {len(existing)} of the {len(self.files)} files that "
                f"{self.log.name} becomes, such as {existing[0]}; if you imported it before, "
                "nothing is left to do, else name another folder with --out"
            )
        if not dry_run:
            _write(self.files)
        entries = f"{self.entries} entr{'y' if self.entries == 1 else 'ies'}"
        said = f"{'Would write' if dry_run else 'Wrote'} {entries}"
        if self.unplaced:
            lines = f"{self.unplaced} line{'' if self.unplaced == 1 else 's'}"
            said += f", and {lines} in no entry ({[*self.files][-1].name}),"
        return (
            f"{said} to {self.folder}; next, give the entries `cases` "
            "and run `python -m validators check`"
        )


def read_import(log: Path, folder: Path) -> Imported:
    """The entries of `log` as files of `folder`, and one file with the lines that are in none.

    Raises:
        CasebookError: the log is not a file, or not in UTF-8 or UTF-16.
        OSError: the log cannot be read.
    """
    lines, problems = _read_lines(log)
    blocks, missed = read_blocks(lines)
    entries, unplaced = list[Entry](), list[Block]()
    for block in blocks:
        entry = read_entry(block, block.date) if block.date else None
        if entry is None or entry.too_long:
            unplaced.append(block)
            continue
        entries.append(entry)
        problems += [Problem(log, block.first + 1, doubt) for doubt in entry.doubts]
    problems += list(_unplaced(log, unplaced))
    message = f"looks like the heading of an entry but is not one; write `{FORM}` outside code"
    problems += [Problem(log, at + 1, message) for at in missed]
    files = {folder / f"{name}.md": entry.page for name, entry in _named(entries)}
    rest = [
        f"{at + 1}: {lines[at]}"
        for block in unplaced
        for at in range(block.first, block.first + len(block.lines))
        if lines[at].strip()
    ]
    if rest:
        files[folder / f"{log.stem}.unplaced.txt"] = "\n".join(rest) + "\n"
    problems.sort(key=lambda it: it.line)
    return Imported(log, folder, files, len(entries), len(rest), problems)


def _read_lines(log: Path) -> tuple[list[str], list[Problem]]:
    """The log's lines, with characters escaped that no page can hold, and a problem for each."""
    if not log.is_file():
        raise CasebookError(f"{log}: is not a file; name a log that is one Markdown file")
    raw = log.read_bytes()
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-{'16' if wide else '8'}; save the log as UTF-8"
        raise CasebookError(str(Problem(log, line, message))) from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    message = "holds control characters, escaped here since no page may hold them; remove them"
    problems = [Problem(log, at + 1, message) for at, it in enumerate(lines) if _UNFIT.search(it)]
    return [_UNFIT.sub(_escaped, line) for line in lines], problems


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _unplaced(log: Path, blocks: list[Block]) -> Iterator[Problem]:
    for block in blocks:
        filled = [at for at, line in enumerate(block.lines, block.first + 1) if line.strip()]
        message = f"is in no entry; begin one with `{FORM}`"
        if block.date:
            message = "is in no entry; it is longer than a page may be, so shorten it"
        if filled:
            yield Problem(log, filled[0], message, filled[-1])


def _named(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Each entry with its name; a name that is taken gets a number."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    for entry in entries:
        base = name = f"{entry.date}-{slug_of(entry.title) or entry.type}"
        while name in taken:
            last[base] = last.get(base, 1) + 1
            name = f"{base}-{last[base]}"
        taken.add(name)
        yield name, entry


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
