"""The labelled logs: a JSON object on each line, its labels in a fixed order, the lines sorted."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from packaging.version import InvalidVersion, Version

from validators.catalog import Catalog
from validators.checks.judged.judged_text import UNRELATED, Text
from validators.errors import Problem
from validators.files import read_file

USER_LOGS, FRESH_LOGS = "user_logs.jsonl", "fresh_logs.jsonl"
_LONGEST = 60
_SOURCE = re.compile(r"[\w.-]+/[\w.-]+#\d+|https://\S+")
_HOME = re.compile(r"(?:/home/|/Users/|[A-Z]:[\\/]+Users[\\/]+)([\w.-]+)[\\/]")
_NO_PERSON = {"user", "miniconda3", ".local"}
_DATE = re.compile(r"20\d\d(-\d\d){0,2}")


class UserLog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log of a public thread.

    `expect` names the cases that explain it, none if there is no such case. `missing` is the claim
    of one that somebody should write.
    """

    source: str
    torch: str
    category: str
    part: Literal["tuning", "aside"]
    expect: list[str] | UnsetType = UNSET
    missing: str | UnsetType = UNSET
    log: str


class FreshLog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log on which nothing is tuned, with the families whose lines it holds."""

    source: str
    date: str
    torch: str
    category: str
    part: Literal["fresh"]
    expect: list[str]
    families: list[tuple[str, str]]
    log: str


Log = TypeVar("Log", UserLog, FreshLog)


def put_aside(name: str) -> bool:
    """Return whether a text is in the third on which nothing is tuned: its own hash decides."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0


def load_logs(path: Path, kind: type[Log]) -> tuple[dict[int, Log], list[Problem]]:
    """Read the logs of a file by the lines on which they stand, and find badly written lines."""
    logs: dict[int, Log] = {}
    problems: list[Problem] = []
    text = read_file(path).decode("utf-8") if path.exists() else ""
    lines = text.removesuffix("\n").split("\n") if text else []
    for number, line in enumerate(lines, 1):
        try:
            logs[number] = msgspec.json.decode(line, type=kind)
        except msgspec.MsgspecError as error:
            problems.append(Problem(path, number, f"holds no labelled log ({error}); correct it"))
            continue
        if line != json.dumps(msgspec.to_builtins(logs[number]), ensure_ascii=False):
            message = "is not written as the others are; write it as CONTRIBUTING shows"
            problems.append(Problem(path, number, message))
        if line < lines[number - 2] and number > 1:
            message = "belongs above the line before it; sort the lines with `LC_ALL=C sort`"
            problems.append(Problem(path, number, message))
    return logs, problems


def text_of(path: Path, line: int, log: UserLog | FreshLog) -> Text:
    """Return a log as a text to judge."""
    return Text(
        path=path,
        line=line,
        name=log.source,
        part=log.part,
        kind=log.category,
        text=log.log,
        pages=frozenset(() if log.expect is UNSET else log.expect),
        families=frozenset(log.families if isinstance(log, FreshLog) else ()),
    )


def label_defects(log: UserLog | FreshLog, catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with the labels of a log, except for pages that do not exist."""
    if not _SOURCE.fullmatch(log.source):
        yield "`source` is neither an issue nor an address; write `owner/name#1` or the address"
    if not 1 <= len(log.log.splitlines()) <= _LONGEST:
        yield f"has {len(log.log.splitlines())} lines; keep 1 to {_LONGEST} of them"
    if owners := {*_HOME.findall(log.log)} - _NO_PERSON:
        yield f"names the home of {min(owners)}; write `user`"
    if log.category != UNRELATED and log.category not in catalog.casebook.areas:
        yield f"`category`: {log.category} is not an area; name one, or write `{UNRELATED}`"
    if not _is_version(log.torch):
        yield f"`torch`: {log.torch} is not a version; correct it, or write ''"
    if isinstance(log, FreshLog):
        if not _DATE.fullmatch(log.date):
            yield f"`date`: {log.date} is not a date; write 2026-11-22, 2026-11 or 2026"
    else:
        yield from _answer_defects(log)


def _answer_defects(log: UserLog) -> Iterator[str]:
    if (log.part == "aside") is not put_aside(log.source):
        part = "aside" if put_aside(log.source) else "tuning"
        yield f"`part` is {log.part}, and the hash of the source says {part}; write that"
    if (log.expect is UNSET) is (log.missing is UNSET):
        yield "needs either `expect` or `missing`; write one of them"
    elif log.category == UNRELATED:
        if log.expect != []:
            yield "is about something else and has an answer; write `expect: []`"
    elif log.missing is not UNSET and not log.missing.endswith("."):
        yield "`missing` is not a sentence; write the missing claim, with a period"


def _is_version(text: str) -> bool:
    try:
        return not text or bool(Version(text))
    except InvalidVersion:
        return False
