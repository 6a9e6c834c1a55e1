"""What answers and explanations need to know of the cases; a file of JSON can hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from validators.match.answers import Answer
from validators.match.index import Index, index_of


@dataclass(frozen=True)
class Known:
    """A case: what an answer says of it, and which lines of logs and of code it is about.

    `graph_break` is the type of its graph break, "" if it is about none. `eager_raises` says that
    what it is about raises without compiling, too.
    """

    answer: Answer
    kind: str
    severity: Literal["low", "medium", "high"]
    signatures: list[str]
    code: list[str]
    graph_break: str
    eager_raises: bool = False


@dataclass(frozen=True)
class Knowledge:
    """The index of a catalog, and what it knows of a case by its name; None for an unknown name."""

    index: Index
    find: Callable[[str], Known | None]


def knowledge_from(data: dict[str, Any]) -> Knowledge:
    """The knowledge that was written as JSON."""
    cases: dict[str, dict[str, Any]] = data["cases"]

    def find(name: str) -> Known | None:
        case = cases.get(name)
        return case and Known(**{**case, "answer": Answer(**case["answer"])})  # type: ignore[return-value]

    return Knowledge(index_of(data["index"]), find)
