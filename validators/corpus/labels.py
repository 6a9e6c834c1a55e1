"""What people say causes the findings of real models, by the packages' source: `labels.jsonl`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from validators.corpus.models import FOLDER
from validators.corpus.summary import Judged
from validators.errors import CasebookError
from validators.files import read_file

_FILE = FOLDER / "labels.jsonl"
_PACKAGES = "site-packages/"


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """The case that causes the finding of a kind at a place, "" if none does, and why."""

    model: str
    kind: str
    place: str
    case: str
    why: str


def load_labels(root: Path) -> list[Label]:
    """The labels of the repository `root`; none if it has no file of them.

    Raises:
        CasebookError: a line cannot be read.
    """
    if not (root / _FILE).is_file():
        return []
    found = []
    for number, line in enumerate(read_file(root / _FILE).splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Label))
        except msgspec.MsgspecError as error:
            message = f"{root / _FILE}:{number}: is not a label ({error}); correct it"
            raise CasebookError(message) from None
    return found


def scores(
    labels: Iterable[Label], judged: Iterable[tuple[str, Judged]]
) -> dict[str, tuple[int, int]]:
    """How many "explained" and "suspected" cases are what the labels say, and of how many.

    `judged` has each finding with its model; of several at a place, the one that is right counts,
    and where no case is, one that no other label is about.
    """
    labels = [*labels]
    labelled = {(label.model, label.kind, label.place, label.case) for label in labels}
    there: dict[tuple[str, str, str], list[Judged]] = {}
    for model, one in judged:
        place = str(one.finding.place or "").replace(_PACKAGES, "")
        there.setdefault((model, one.finding.kind, place), []).append(one)
    right, every = Counter[str](), Counter[str]()
    for label in labels:
        key = label.model, label.kind, label.place
        placed = there.get(key, [])
        same = [one for one in placed if one.finding.explanation.case == label.case != ""]
        others = [
            one
            for one in placed
            if not (case := one.finding.explanation.case) or (*key, case) not in labelled
        ]
        for one in (same or others or placed)[:1]:
            level = one.finding.explanation.known
            every[level] += 1
            right[level] += bool(same)
    return {level: (right[level], every[level]) for level in ("explained", "suspected")}
